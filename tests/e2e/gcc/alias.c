#include <stdio.h>

static int read_back(int *word, short *half) {
    *word = 0x11112222;
    half[0] = 0x3333;
    return *word;
}

int main(void) {
    int word;
    if (read_back(&word, (short *)&word) != word) {
        printf("the value is stale\n");
        return 1;
    }
    return 0;
}
