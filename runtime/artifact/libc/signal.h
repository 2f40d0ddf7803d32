/* Sets of signals as Linux has them. */
#pragma once

typedef struct {
    unsigned long words[1024 / (8 * sizeof(unsigned long))];
} sigset_t;

enum { SIG_SETMASK = 2 };

int sigfillset(sigset_t *set);
