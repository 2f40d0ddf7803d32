/*
 * What kernels a run called, and how long each call took: a list in the memory of the host, which
 * it asks for with inlay_host.profile.  Only code that was compiled for it tells
 * (codegen_options.profiles).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct inlay_frame;

enum { INLAY_PROFILE_NUMBERS = 12 };

/* One call of a kernel. */
struct inlay_profile_call {
    int64_t site;                           /* which call of the module it is, by number */
    int64_t begin, end;                     /* nanoseconds of a clock that only goes on */
    int64_t numbers[INLAY_PROFILE_NUMBERS]; /* what decides how much it computes, the first ones */
};

struct inlay_profile {
    struct inlay_profile_call *calls;
    size_t count, capacity, limit;
    bool is_cut; /* there were more than @limit, or than there is memory for */
};

void inlay_profile_finish(struct inlay_profile *profile);

/* In front of a call of a kernel, and behind it: by compiled code, in the thread of the run. */
int64_t inlay_profile_begin(struct inlay_frame *frame);
void inlay_profile_end(struct inlay_frame *frame, int64_t site, int64_t begin,
                       const int64_t *numbers, int32_t count);
