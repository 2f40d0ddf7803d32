/*
 * A way out for a compiler inside of another program: what runs under a guard and cannot go on, since
 * memory is short or a bug shows itself, comes back to guard_run() instead of ending the process.
 *
 * It comes back from the middle of what was done.  What was allocated under the guard is in no order
 * then, may not be used any more, and goes away with guard_release().  Files and objects of other
 * libraries that were open on the way are lost: a guard is for what hardly ever happens.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum guard_outcome {
    GUARD_DONE,
    GUARD_MEMORY, /* was short */
    GUARD_BUG,    /* an assertion, UNREACHABLE, FATAL */
};

/* In front of each block. */
struct guard_link {
    _Alignas(max_align_t) struct guard_link *next;
    struct guard_link *prev;
};

struct guard {
    struct guard_link blocks;   /* a ring of all that was allocated under it */
    bool catches_bugs;          /* else they end the program, as without a guard */
    enum guard_outcome outcome; /* of the first run that was left; GUARD_DONE: none was */
    char why[256];              /* of a bug */
    void *point;                /* where to come back to; NULL: nothing runs */
};

void guard_init(struct guard *guard, bool catches_bugs);

/*
 * Calls @call under @guard, in this thread.  Under a guard that was left before it does nothing.  May be
 * nested, with other guards or the same.
 */
enum guard_outcome guard_run(struct guard *guard, void (*call)(void *state), void *state);

/* Frees all blocks that are left. */
void guard_release(struct guard *guard);

/*
 * Makes @guard (or NULL) that of this thread and returns the one before: for a second copy of this
 * library in the process (inlay-llvm.so), when it is entered and when it is left.
 */
struct guard *guard_use(struct guard *guard);
/* The guard of this thread; NULL: there is none. */
struct guard *guard_now(void);

/* Leaves to the guard of this thread; returns if there is none, or none for that. */
void guard_leave(enum guard_outcome outcome, const char *file, int line, const char *why);
