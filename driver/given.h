/*
 * What the tool gives to a run as its host: memory for the results that are made in storage of their own, room to
 * describe the others, and an arena; so that a run allocates nothing that a program that embeds it would not.
 */
#pragma once

#include "base/array.h"
#include "ir/module.h"
#include "runtime/frame.h"

struct given_block {
    void *data;
    size_t bytes;
};

/* How results are made, and how large the arena is: what the analyses of a function say, in numbers. */
struct given_result {
    bool is_tensor; /* else nothing is given for it */
    bool is_own;    /* made in storage of its own, of @dims */
    struct inlay_dtype dtype;
    int ndim;
    int64_t *dims;
};
struct given_plan {
    array(struct given_result) results;
    int64_t space; /* bytes of the arena; 0: none is given */
    struct arena arena;
};

struct given {
    const struct ir_function *function; /* that it is for; NULL: nothing is given yet */
    struct inlay_memory *memory;        /* of the blocks; may be NULL */
    array(struct given_block) blocks;
    array(struct inlay_value) results;
    array(void *) data;       /* of each result before a run; NULL: the run says where it is */
    struct given_block space; /* the arena */
    struct arena arena;       /* tensors of `results` */
};

/* For runs of @function with @args, on @threads. */
void given_plan_make(struct given_plan *plan, struct ir_function *function,
                     const struct inlay_value *args, size_t arg_count, unsigned threads);
void given_plan_finish(struct given_plan *plan);
/* Takes from @memory what @plan says; @function is who is asked for next time. */
void given_make(struct given *given, struct inlay_memory *memory,
                const struct ir_function *function, const struct given_plan *plan);
void given_finish(struct given *given);
/* Before a run: fills in @results and what @host gives. */
void given_set(struct given *given, struct inlay_host *host, struct inlay_value *results,
               size_t result_count);

/* Binds the symbols of the parameters of @function, as far as @args show them. */
void given_bind(const struct ir_function *function, const struct inlay_value *args,
                size_t arg_count, struct ir_bindings *out);
