#include "base/target.h"

#include "base/util.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ON(id) (1u << TARGET_##id)

const struct target_machine_info target_machines[TARGET_MACHINE_COUNT] = {
#define MACHINE(id, name, triple, basis, doc) [TARGET_##id] = {name, triple, basis, doc},
#include "base/target.def"
};

const struct target_feature_info target_features[TARGET_FEATURE_COUNT] = {
#define FEATURE(id, machine, name, vector_bytes) \
    [TARGET_##id] = {name, TARGET_##machine, vector_bytes},
#include "base/target.def"
};

const struct target_cpu_info target_cpus[] = {
#define CPU(machine, name, vector_bytes, features, doc) \
    {TARGET_##machine, name, vector_bytes, features, doc},
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

/* The kind of this machine. */
static enum target_machine host_machine(void)
{
#if defined(__x86_64__)
    return TARGET_X86_64;
#elif defined(__aarch64__)
    return TARGET_AARCH64;
#elif defined(__riscv) && __riscv_xlen == 64
    return TARGET_RISCV64;
#else
    return TARGET_MACHINE_COUNT;
#endif
}

static uint32_t host_features(void)
{
    uint32_t features = 0;

#if defined(__x86_64__)
    __builtin_cpu_init();
#define FEATURE_X86_64(id, name) features |= __builtin_cpu_supports(name) ? ON(id) : 0;
#define FEATURE_RISCV64(id, name)
#define FEATURE_AARCH64(id, name)
#define FEATURE(id, machine, name, vector_bytes) FEATURE_##machine(id, name)
#include "base/target.def"
#elif defined(__aarch64__)
    features = ON(FMA) | ON(F16C); /* both are part of the basis */
#elif defined(__riscv)
    features = ON(FMA);
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

    return (struct target){.machine = host_machine(),
                           .features = features,
                           .vector_bytes = widest(features),
                           .l1_bytes = cache_bytes(_SC_LEVEL1_DCACHE_SIZE, L1_BYTES),
                           .l2_bytes = cache_bytes(_SC_LEVEL2_CACHE_SIZE, L2_BYTES),
                           .l3_bytes = cache_bytes(_SC_LEVEL3_CACHE_SIZE, L3_BYTES)};
}

static enum target_machine find_machine(const char *name)
{
    unsigned i = 0;

    if (!name)
        return host_machine();
    while (i < TARGET_MACHINE_COUNT && strcmp(target_machines[i].name, name) != 0)
        i++;
    return (enum target_machine)i;
}

bool target_find(const char *machine, const char *cpu, struct target *out)
{
    bool is_host = machine ? cpu && strcmp(cpu, "host") == 0 : !cpu || strcmp(cpu, "host") == 0;

    *out = (struct target){.machine = find_machine(machine)};
    if (is_host && (!machine || !target_is_foreign(out))) {
        *out = target_host();
        return true;
    }
    for (size_t i = 0; i < target_cpu_count; i++) {
        const struct target_cpu_info *row = &target_cpus[i];

        if (row->machine != out->machine || (cpu && strcmp(cpu, row->name) != 0))
            continue;
        *out = (struct target){.machine = row->machine,
                               .cpu = row->name,
                               .features = row->features,
                               .vector_bytes = row->vector_bytes,
                               .l1_bytes = L1_BYTES,
                               .l2_bytes = L2_BYTES,
                               .l3_bytes = L3_BYTES};
        return true;
    }
    return false;
}

/* The feature of @target's machine that @length letters at @name say; TARGET_FEATURE_COUNT: none. */
static unsigned find_feature(const struct target *target, const char *name, size_t length)
{
    unsigned i = 0;

    while (i < TARGET_FEATURE_COUNT && (target_features[i].machine != target->machine ||
                                        strlen(target_features[i].name) != length ||
                                        memcmp(target_features[i].name, name, length) != 0))
        i++;
    return i;
}

static void change(struct target *target, uint32_t feature, bool is_added)
{
    if (is_added) {
        target->features |= feature;
        target->added |= feature;
    } else {
        target->features &= ~feature;
        target->added &= ~feature;
    }
}

bool target_change(struct target *target, const char *features, char *unknown, size_t size)
{
    while (*features) {
        size_t length = strcspn(features, ",");
        bool is_signed = *features == '+' || *features == '-';
        unsigned i = find_feature(target, features + is_signed, length - is_signed);

        if (i == TARGET_FEATURE_COUNT || length == 0) {
            snprintf(unknown, size, "%.*s", (int)length, features);
            return false;
        }
        change(target, 1u << i, *features != '-');
        features += length + (features[length] == ',');
    }
    target->vector_bytes = widest(target->features);
    return true;
}

void target_limit(struct target *target, unsigned vector_bytes)
{
    if (vector_bytes < target->vector_bytes)
        target->vector_bytes = vector_bytes;
    for (unsigned i = 0; i < TARGET_FEATURE_COUNT; i++)
        if (target_features[i].machine == target->machine &&
            target_features[i].vector_bytes > vector_bytes)
            target->features &= ~(1u << i);
}

bool target_is_foreign(const struct target *target)
{
    return target->machine != host_machine();
}

bool target_has(const struct target *target, enum target_feature feature)
{
    return (target->features >> feature & 1) != 0;
}

const char *target_missing(const struct target *target)
{
    uint32_t missing = target->features & ~host_features();

    if (target_is_foreign(target))
        return "processor of that kind";
    for (unsigned i = 0; i < TARGET_FEATURE_COUNT; i++)
        if (missing >> i & 1)
            return target_features[i].name;
    return NULL;
}
