cat > p.c <<'END'
#include <stdio.h>
int unused(int n) { return n + 1; }
int main(void) { int n = 3; if (n > 2) printf("picked %d\n", n); return 1; }
END
