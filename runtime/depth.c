/*
 * How deep calls may be nested: as far as the stack of the thread goes, less a half of it for what the
 * innermost call needs.  Threads of hosts have stacks of 64 KiB to gigabytes, so that no number of calls
 * is right for all.
 */
#define _GNU_SOURCE /* pthread_getattr_np() */
#include "runtime/internal.h"

#include <pthread.h>

enum {
    SHALLOW = 32,              /* calls that any stack has room for: most runs never ask */
    UNKNOWN_STACK = 256 << 10, /* bytes to use where the system does not tell */
    LARGEST_STACK = 64 << 20,
};

/* The lowest address of the thread's stack; 0: unknown. */
static uintptr_t lowest_address(void)
{
    uintptr_t lowest = 0;
#ifdef __GLIBC__
    pthread_attr_t attributes;
    void *address = NULL;
    size_t size = 0;

    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return 0;
    if (pthread_attr_getstack(&attributes, &address, &size) == 0)
        lowest = (uintptr_t)address;
    pthread_attr_destroy(&attributes);
#endif
    return lowest;
}

/* How low the stack may come when it is at @here now. */
static uintptr_t limit_of(uintptr_t here)
{
    uintptr_t lowest = lowest_address();
    uintptr_t left = lowest && lowest < here ? here - lowest : 2 * (uintptr_t)UNKNOWN_STACK;

    if (left > LARGEST_STACK)
        left = LARGEST_STACK;
    return here - left / 2;
}

bool inlay_has_stack(struct inlay_frame *frame)
{
    /* not the address of a local variable, which a sanitizer may have put elsewhere */
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);

    if (frame->depth < SHALLOW)
        return true;
    if (!frame->stack_limit)
        frame->stack_limit = limit_of(here);
    return here > frame->stack_limit;
}
