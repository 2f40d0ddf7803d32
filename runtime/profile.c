/* Calls of kernels, noted as they end: see profile.h. */
#include "runtime/profile.h"

#include "runtime/internal.h"

#include <stdlib.h>
#include <time.h>

static int64_t now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* False where nothing more is noted. */
static bool make_room(struct inlay_profile *profile)
{
    if (profile->count < profile->capacity)
        return true;
    size_t capacity = 2 * profile->capacity + 64;
    struct inlay_profile_call *calls =
        profile->count < profile->limit
            ? realloc(profile->calls, capacity * sizeof(*profile->calls))
            : NULL;

    if (!calls) {
        profile->is_cut = true;
        return false;
    }
    profile->calls = calls;
    profile->capacity = capacity;
    return true;
}

void inlay_profile_finish(struct inlay_profile *profile)
{
    free(profile->calls);
    *profile = (struct inlay_profile){0};
}

int64_t inlay_profile_begin(struct inlay_frame *frame)
{
    return frame->host.profile ? now() : 0;
}

void inlay_profile_end(struct inlay_frame *frame, int64_t site, int64_t begin,
                       const int64_t *numbers, int32_t count)
{
    struct inlay_profile *profile = frame->host.profile;
    int64_t end = profile ? now() : 0;

    if (!profile || !make_room(profile))
        return;
    struct inlay_profile_call *call = &profile->calls[profile->count++];
    *call = (struct inlay_profile_call){.site = site, .begin = begin, .end = end};
    for (int32_t i = 0; i < count && i < INLAY_PROFILE_NUMBERS; i++)
        call->numbers[i] = numbers[i];
}
