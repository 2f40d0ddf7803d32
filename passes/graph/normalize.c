/*
 * Normalize: blocks as few as can be, types as well known as can be.
 *
 *     with R.dataflow(): a = ..; R.output(a)          with R.dataflow():
 *     with R.dataflow(): b = f(a); R.output(b)   =>       a = ..; b = f(a); R.output(b)
 *     y: R.Tensor(ndim=2) = R.reshape(x, R.shape([2, 2]))   =>   y: R.Tensor((2, 2))
 *
 * In Relax the pass of this name also brings a program into A-normal form: each call gets a name, and
 * operands are names or leaves.  This IR has no other form; the parser names what is nested.  What
 * passes can leave behind is neighbouring blocks of one kind, empty ones, and types that were inferred
 * when less was known.  Types that a script gave stay.  If the better types would prove an op wrong,
 * those of that function stay as they are: it is the run that fails, where the op is reached.
 */
#include "ir/edit/rewrite.h"
#include "passes/pass.h"

static bool join_region(struct ir_region *region)
{
    bool is_changed = false;

    ir_for_each_block(block, region)
    {
        ir_for_each_op (op, block)
            for (unsigned i = 0; i < op->region_count; i++)
                is_changed |= join_region(op->regions[i]);
    }
    return rewrite_join_blocks(region) || is_changed;
}

static void normalize(void *state, struct ir_function *function)
{
    bool *is_changed = state;

    *is_changed |= join_region(function->body);
    if (!function->parent) /* with what is nested in it */
        *is_changed |= rewrite_refine_types(function);
}

enum pass_result pass_normalize(struct pass_run *run)
{
    bool is_changed = false;

    rewrite_walk_functions(run->module, normalize, &is_changed);
    return is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
