/* See guard.h. */
#include "base/guard.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static _Thread_local struct guard *current;

void guard_init(struct guard *guard, bool catches_bugs)
{
    *guard = (struct guard){.catches_bugs = catches_bugs};
    guard->blocks.next = guard->blocks.prev = &guard->blocks;
}

struct guard *guard_use(struct guard *guard)
{
    struct guard *before = current;

    current = guard;
    return before;
}

struct guard *guard_now(void)
{
    return current;
}

enum guard_outcome guard_run(struct guard *guard, void (*call)(void *state), void *state)
{
    struct guard *before = current;
    void *outer = guard->point;
    jmp_buf point;

    if (guard->outcome != GUARD_DONE)
        return guard->outcome;
    current = guard;
    guard->point = &point;
    if (setjmp(point) == 0)
        call(state);
    guard->point = outer;
    current = before;
    return guard->outcome;
}

void guard_release(struct guard *guard)
{
    while (guard->blocks.next != &guard->blocks) {
        struct guard_link *block = guard->blocks.next;

        guard->blocks.next = block->next;
        free(block);
    }
    guard->blocks.prev = &guard->blocks;
}

void guard_leave(enum guard_outcome outcome, const char *file, int line, const char *why)
{
    struct guard *guard = current;

    if (!guard || !guard->point || (outcome == GUARD_BUG && !guard->catches_bugs))
        return;
    guard->outcome = outcome;
    snprintf(guard->why, sizeof(guard->why), "%s:%d: %s", file, line, why);
    longjmp(*(jmp_buf *)guard->point, 1);
}
