/* A ring of numbers: the oldest goes when it is full. */
#include <stdio.h>
#include "ring.h"

#define SIZE 16
#define NEXT(i) (((i) + 1) % SIZE)

struct ring {
    int head, tail;
    unsigned long values[SIZE];
    struct ring *next;
};

static const char *names[] = {"first", "sec\tond", NULL};
typedef int (*visit)(unsigned long, void *);

enum state { EMPTY, FULL = 3, BROKEN };

static int push(struct ring *r, unsigned long value) {
    int next = NEXT(r->tail);
    if (next == r->head) {
        return 0; // full
    } else if (value > 0xFFUL && value != 'a') {
        value &= ~1u;
    }
    r->values[r->tail] = value;
    r->tail = next;
    return 1;
}

int main(int argc, char **argv) {
    struct ring r = {.head = 0, .tail = 0};
    for (int i = 0; i < argc; i++) {
        push(&r, (unsigned long)i * 2 + sizeof(argv[i]));
    }
    while (r.head != r.tail) {
        printf("%s: %lu\n", names[0], r.values[r.head]);
        r.head = NEXT(r.head);
    }
    switch (argc) {
    case 1: goto done;
    default: break;
    }
done:
    return argc > 1 ? 1 : 0;
}
