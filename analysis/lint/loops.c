/*
 * Loops that are marked T.vectorized or T.parallel, and cannot be.  Both mean what the serial loop means
 * (docs/language.md), so they run one iteration after the other, which is right and slow.
 */
#include "analysis/lint/lint.h"
#include "analysis/remark.h"

struct check {
    const struct tir_func *kernel;
    struct diag *diag;
};

/* One that is proved to read what another one writes: promises.c says so. */
static bool is_said(const struct loop_obstacle *o)
{
    return o->kind == LOOP_MEETS && o->first.is_write != o->second.is_write;
}

static bool check_loop(void *state, struct tir_stmt *stmt)
{
    struct check *check = state;
    struct loop_obstacle obstacle = {0};
    bool is_vectorized = stmt->kind == TIR_FOR && stmt->loop.kind == TIR_VECTORIZED;
    bool is_parallel = stmt->kind == TIR_FOR && stmt->loop.kind == TIR_PARALLEL;

    if (!is_vectorized && !is_parallel)
        return true;
    if (loop_is_independent(check->kernel, stmt, NULL) ||
        (is_vectorized && loop_has_lanes(check->kernel, stmt, NULL)))
        return true;
    if (is_vectorized)
        (void)loop_has_lanes_or(check->kernel, stmt, NULL, &obstacle);
    else
        (void)loop_is_independent_or(check->kernel, stmt, NULL, &obstacle);
    if (!is_said(&obstacle))
        remark_warn(check->diag, stmt, remark_of_obstacle(&obstacle));
    return true;
}

void lint_check_loops(const struct tir_func *kernel, struct diag *diag)
{
    struct check check = {kernel, diag};

    (void)tir_stmt_walk(kernel->body, check_loop, &check);
}
