/* What schedules need to know of this machine. */
#include "passes/pass.h"

#include <unistd.h>

/* The size that the system reports, or @otherwise where it reports none (some virtual machines). */
static size_t cache_bytes(int name, size_t otherwise)
{
    long bytes = sysconf(name);

    return bytes > 0 ? (size_t)bytes : otherwise;
}

struct pass_target pass_target_host(void)
{
    struct pass_target target = {
        .vector_bytes = 16,
        .l1_bytes = cache_bytes(_SC_LEVEL1_DCACHE_SIZE, 32 << 10),
        .l2_bytes = cache_bytes(_SC_LEVEL2_CACHE_SIZE, 512 << 10),
        .l3_bytes = cache_bytes(_SC_LEVEL3_CACHE_SIZE, 8 << 20),
    };
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2"))
        target.vector_bytes = 32;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
        target.vector_bytes = 64;
    target.has_fma = __builtin_cpu_supports("fma") != 0;
#elif defined(__aarch64__)
    target.has_fma = true;
#endif
    return target;
}

void pass_target_limit(struct pass_target *target, unsigned vector_bytes)
{
    if (vector_bytes < target->vector_bytes)
        target->vector_bytes = vector_bytes;
#if defined(__x86_64__)
    target->has_fma &= target->vector_bytes >= 32; /* came with them */
#endif
}
