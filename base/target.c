#include "base/target.h"

#include "base/util.h"

#include <string.h>
#include <unistd.h>

#define ON(id) (1u << TARGET_##id)

const struct target_feature_info target_features[TARGET_FEATURE_COUNT] = {
#define FEATURE(id, name, vector_bytes) [TARGET_##id] = {name, vector_bytes},
#include "base/target.def"
};

const struct target_cpu_info target_cpus[] = {
#define CPU(name, vector_bytes, features, doc) {name, vector_bytes, features, doc},
#include "base/target.def"
};
const size_t target_cpu_count = ARRAY_SIZE(target_cpus);

/* Of a processor that is only named, and where the system does not know its own. */
enum { L1_BYTES = 32 << 10, L2_BYTES = 512 << 10, L3_BYTES = 8 << 20 };

/* The size that the system reports, or @otherwise where it reports none (some virtual machines). */
static size_t cache_bytes(int name, size_t otherwise)
{
    long bytes = sysconf(name);

    return bytes > 0 ? (size_t)bytes : otherwise;
}

static uint32_t host_features(void)
{
    uint32_t features = 0;

#if defined(__x86_64__)
    __builtin_cpu_init();
#define FEATURE(id, name, vector_bytes) features |= __builtin_cpu_supports(name) ? ON(id) : 0;
#include "base/target.def"
#elif defined(__aarch64__)
    features = ON(FMA) | ON(F16C); /* both are part of the basis */
#endif
    return features;
}

static unsigned widest(uint32_t features)
{
    const uint32_t wide = ON(AVX512F) | ON(AVX512BW) | ON(AVX512DQ) | ON(AVX512VL);

    return (features & wide) == wide ? 64 : features & ON(AVX2) ? 32 : 16;
}

struct target target_host(void)
{
    uint32_t features = host_features();

    return (struct target){.features = features,
                           .vector_bytes = widest(features),
                           .l1_bytes = cache_bytes(_SC_LEVEL1_DCACHE_SIZE, L1_BYTES),
                           .l2_bytes = cache_bytes(_SC_LEVEL2_CACHE_SIZE, L2_BYTES),
                           .l3_bytes = cache_bytes(_SC_LEVEL3_CACHE_SIZE, L3_BYTES)};
}

bool target_find(const char *cpu, struct target *out)
{
    if (strcmp(cpu, "host") == 0) {
        *out = target_host();
        return true;
    }
#if !defined(__x86_64__)
    return false; /* those that have names are all of one kind */
#endif
    for (size_t i = 0; i < target_cpu_count; i++) {
        const struct target_cpu_info *row = &target_cpus[i];

        if (strcmp(cpu, row->name) != 0)
            continue;
        *out = (struct target){.cpu = row->name,
                               .features = row->features,
                               .vector_bytes = row->vector_bytes,
                               .l1_bytes = L1_BYTES,
                               .l2_bytes = L2_BYTES,
                               .l3_bytes = L3_BYTES};
        return true;
    }
    return false;
}

void target_limit(struct target *target, unsigned vector_bytes)
{
    if (vector_bytes < target->vector_bytes)
        target->vector_bytes = vector_bytes;
#if defined(__x86_64__)
    for (unsigned i = 0; i < TARGET_FEATURE_COUNT; i++)
        if (target_features[i].vector_bytes > vector_bytes)
            target->features &= ~(1u << i);
#endif
}

bool target_has(const struct target *target, enum target_feature feature)
{
    return (target->features >> feature & 1) != 0;
}

const char *target_missing(const struct target *target)
{
    uint32_t missing = target->features & ~host_features();

    for (unsigned i = 0; i < TARGET_FEATURE_COUNT; i++)
        if (missing >> i & 1)
            return target_features[i].name;
    return NULL;
}
