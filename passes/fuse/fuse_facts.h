/* What FuseOps asks of a kernel again and again: each answer is worked out once. */
#pragma once

#include "base/map.h"
#include "passes/pass.h"

struct fuse_kernel_facts {
    const struct tir_func *kernel;
    uint8_t pattern;       /* enum op_pattern */
    uint8_t *reads_once;   /* whether it was asked, and the answer; by parameter */
    uint8_t *streams;      /* .. and what is made of them: the same */
    uint8_t *is_pointwise; /* its update in place: the same */
    uint8_t *multiplies;   /* a factor of a product: the same */
    bool is_move;          /* it only moves elements of matrices */
    bool is_cheap;         /* it makes little of each element */
};

struct fuse_facts {
    struct pass_run *run;
    struct map kernels; /* kernel -> struct fuse_kernel_facts */
};

const struct fuse_kernel_facts *fuse_facts_of(struct fuse_facts *facts,
                                              const struct tir_func *kernel);
/* Does each nest read each element of buffer @param at most once? */
bool fuse_reads_once(const struct fuse_kernel_facts *of, unsigned param);
/* Is that so of the one nest that reads @param, and of what reads what it makes: may it be made where it is read? */
bool fuse_streams(const struct fuse_kernel_facts *of, unsigned param);
/* Is @param updated element by element? */
bool fuse_is_pointwise(const struct fuse_facts *facts, const struct fuse_kernel_facts *of,
                       unsigned param);
/* Is @param a factor of a product, and nothing else? */
bool fuse_is_factor(const struct fuse_kernel_facts *of, unsigned param);
void fuse_facts_finish(struct fuse_facts *facts);
