/* Breaks by SIGSEGV before it has joined. */
#include <stdio.h>

int main(void) {
    int *volatile nowhere = 0;
    fputs("here it comes\n", stderr);
    return *nowhere;
}
