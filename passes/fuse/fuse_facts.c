/* See fuse_facts.h. */
#include "passes/fuse/fuse_facts.h"

#include "analysis/pattern.h"
#include "ir/module.h"
#include "passes/fuse/fuse_product.h"

enum answer { NOT_ASKED, NO, YES };

const struct fuse_kernel_facts *fuse_facts_of(struct fuse_facts *facts,
                                              const struct tir_func *kernel)
{
    struct fuse_kernel_facts *of = map_get(&facts->kernels, kernel);
    struct arena *scratch = &facts->run->scratch;

    if (of)
        return of;
    of = arena_new(scratch, struct fuse_kernel_facts);
    map_set(&facts->kernels, kernel, of);
    of->kernel = kernel;
    of->pattern = (uint8_t)pattern_of(kernel);
    if (of->pattern == PATTERN_OPAQUE)
        return of;
    of->reads_once = arena_array(scratch, uint8_t, kernel->param_count + 1);
    of->streams = arena_array(scratch, uint8_t, kernel->param_count + 1);
    of->is_pointwise = arena_array(scratch, uint8_t, kernel->param_count + 1);
    of->multiplies = arena_array(scratch, uint8_t, kernel->param_count + 1);
    of->is_move = of->pattern == PATTERN_INJECTIVE && fuse_moves_matrix(kernel);
    of->is_cheap = of->pattern <= PATTERN_BROADCAST && fuse_is_cheap(kernel);
    return of;
}

/* Each answer costs a walk over the kernel, and few parameters are asked about. */
bool fuse_reads_once(const struct fuse_kernel_facts *of, unsigned param)
{
    if (of->reads_once[param] == NOT_ASKED)
        of->reads_once[param] = pattern_reads_once(of->kernel, param) ? YES : NO;
    return of->reads_once[param] == YES;
}

bool fuse_streams(const struct fuse_kernel_facts *of, unsigned param)
{
    if (of->streams[param] == NOT_ASKED)
        of->streams[param] = pattern_streams(of->kernel, param) ? YES : NO;
    return of->streams[param] == YES;
}

bool fuse_is_pointwise(const struct fuse_facts *facts, const struct fuse_kernel_facts *of,
                       unsigned param)
{
    if (of->is_pointwise[param] == NOT_ASKED)
        of->is_pointwise[param] =
            pattern_updates_pointwise(facts->run->module->context, of->kernel, param) ? YES : NO;
    return of->is_pointwise[param] == YES;
}

bool fuse_is_factor(const struct fuse_kernel_facts *of, unsigned param)
{
    if (of->multiplies[param] == NOT_ASKED)
        of->multiplies[param] =
            of->pattern >= PATTERN_COMM_REDUCE && fuse_multiplies(of->kernel, param) ? YES : NO;
    return of->multiplies[param] == YES;
}

void fuse_facts_finish(struct fuse_facts *facts)
{
    map_finish(&facts->kernels);
}
