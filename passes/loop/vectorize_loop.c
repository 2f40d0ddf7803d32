/*
 * VectorizeLoop: says of innermost loops that their iterations are lanes of vectors.
 *
 *     for j in range(n):                             for j in T.vectorized(n):
 *         B[i, j] = A[i, j] * s[i]         =>            B[i, j] = A[i, j] * s[i]
 *
 * A loop gets the mark if its iterations are provably independent, its body is straight-line code, and
 * each access is contiguous or of one element; `strided` takes those with other strides too.  A
 * T.vectorized loop whose iterations are not provably independent becomes a serial one, which it
 * means anyway; one in the text that is, stays.  Code generation cuts the loop into registers and does
 * the rest of any length.
 */
#include "passes/loop/loop.h"

struct question {
    bool strided;
    struct remarks *remarks;
};

static struct tir_stmt *vectorize_kernel(void *state, const struct tir_func *func)
{
    const struct question *q = state;

    return loop_vectorize(func, q->strided, q->remarks);
}

enum pass_result pass_vectorize_loop(struct pass_run *run)
{
    struct question q = {pass_option_bool(run, "strided"), run->remarks};

    remarks_looked(run->remarks, run->pass->name);
    return loop_rewrite_kernels(run, vectorize_kernel, &q);
}
