#include <stdio.h>

int main(void) {
    volatile double zero = 0.0;
    double number = zero / zero;
    if (number == number) {
        printf("a NaN is equal to itself\n");
        return 1;
    }
    return 0;
}
