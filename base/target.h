/*
 * The machine that is compiled for, as data.  Stated once, by the driver, and the same for passes that
 * make schedules and for the code generator.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum target_feature {
#define FEATURE(id, name, vector_bytes) TARGET_##id,
#include "base/target.def"
    TARGET_FEATURE_COUNT
};

struct target {
    const char *cpu;                     /* a name of the table, or NULL: this machine */
    uint32_t features;                   /* a bit for each enum target_feature that may be used */
    unsigned vector_bytes;               /* of a vector register: 16, 32, 64 */
    size_t l1_bytes, l2_bytes, l3_bytes; /* data caches of one core; l3 is shared */
};

struct target target_host(void); /* this machine */
/* A row of the table, or "host"; false if @cpu is neither. */
bool target_find(const char *cpu, struct target *out);
/* No vectors of more than @vector_bytes, nor what came with them. */
void target_limit(struct target *target, unsigned vector_bytes);

bool target_has(const struct target *target, enum target_feature feature);
/* The first feature of @target that this machine has not, by name; NULL: it can run what is made for it. */
const char *target_missing(const struct target *target);

struct target_feature_info {
    const char *name;
    unsigned vector_bytes; /* of the vectors that it came with */
};
extern const struct target_feature_info target_features[TARGET_FEATURE_COUNT];

struct target_cpu_info {
    const char *name;
    unsigned vector_bytes;
    uint32_t features;
    const char *doc;
};
extern const struct target_cpu_info target_cpus[];
extern const size_t target_cpu_count;
