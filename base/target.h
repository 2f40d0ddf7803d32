/*
 * The machine that is compiled for, as data.  Stated once, by the driver, and the same for passes that
 * make schedules and for the code generator.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum target_machine {
#define MACHINE(id, name, triple, basis, doc) TARGET_##id,
#include "base/target.def"
    TARGET_MACHINE_COUNT
};

enum target_feature {
#define FEATURE(id, machine, name, vector_bytes) TARGET_##id,
#include "base/target.def"
    TARGET_FEATURE_COUNT
};

struct target {
    const char *cpu;             /* a name of the table, or NULL: this machine's */
    enum target_machine machine; /* TARGET_MACHINE_COUNT: of no row, so only this machine's own */
    uint32_t added;              /* of the features, those that were asked for by name */
    uint32_t features;           /* a bit for each enum target_feature that may be used */
    unsigned vector_bytes;       /* of a vector register: 16, 32, 64 */
    size_t l1_bytes, l2_bytes, l3_bytes; /* data caches of one core; l3 is shared */
};

struct target target_host(void); /* this machine */
/*
 * The processor @cpu ("host": this one) of @machine; NULL: this machine, its own processor, or the first of
 * another machine.  False if there is none; *out then says of which machine, or TARGET_MACHINE_COUNT.
 */
bool target_find(const char *machine, const char *cpu, struct target *out);
/*
 * Adds and takes away features by their names, "+v,-avx2".  False: a name is not one of the machine; it is
 * then in @unknown, cut to @size.
 */
bool target_change(struct target *target, const char *features, char *unknown, size_t size);
/* No vectors of more than @vector_bytes, nor what came with them. */
void target_limit(struct target *target, unsigned vector_bytes);

/* Is it made for machines of another kind than this one? */
bool target_is_foreign(const struct target *target);
bool target_has(const struct target *target, enum target_feature feature);
/* The first feature of @target that this machine has not, by name; NULL: it can run what is made for it. */
const char *target_missing(const struct target *target);

struct target_machine_info {
    const char *name, *triple, *basis, *doc;
};
extern const struct target_machine_info target_machines[TARGET_MACHINE_COUNT];

struct target_feature_info {
    const char *name;
    enum target_machine machine;
    unsigned vector_bytes; /* of the vectors that it came with */
};
extern const struct target_feature_info target_features[TARGET_FEATURE_COUNT];

struct target_cpu_info {
    enum target_machine machine;
    const char *name;
    unsigned vector_bytes;
    uint32_t features;
    const char *doc;
};
extern const struct target_cpu_info target_cpus[];
extern const size_t target_cpu_count;
