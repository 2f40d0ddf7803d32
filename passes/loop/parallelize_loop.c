/*
 * ParallelizeLoop: says of outermost loops that their iterations may run on several threads.
 *
 *     for i in range(n):                             for i in T.parallel(n):
 *         for j in range(64):              =>            for j in range(64):
 *             B[i, j] = A[i, j]                              B[i, j] = A[i, j]
 *
 * A loop gets the mark if its iterations are provably independent and if all of them together execute
 * about `grain` statements or more; nothing inside of it gets one.  A T.parallel loop whose iterations
 * are not provably independent becomes a serial one, which it means anyway.
 */
#include "passes/loop/loop.h"

struct question {
    int64_t grain;
    struct remarks *remarks;
};

static struct tir_stmt *parallelize_kernel(void *state, const struct tir_func *func)
{
    const struct question *q = state;

    return loop_parallelize(func, q->grain, q->remarks);
}

enum pass_result pass_parallelize_loop(struct pass_run *run)
{
    struct question q = {pass_option_int(run, "grain"), run->remarks};

    remarks_looked(run->remarks, run->pass->name);
    return loop_rewrite_kernels(run, parallelize_kernel, &q);
}
