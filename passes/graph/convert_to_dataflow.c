/*
 * ConvertToDataflow: pure ops in a row become a dataflow block.
 *
 *     a = R.add(x, x); b = R.exp(a); _ = R.print(b)
 *  =>
 *     with R.dataflow(): a = R.add(x, x); b = R.exp(a); R.output(b)
 *     _ = R.print(b)
 *
 * A row ends at what has an effect, at an `if`, and at a nested function, which has blocks of its own.
 * In-place calls are pure: what they mean is a new value.  A row of fewer than `min_size` ops stays
 * plain unless it touches a dataflow block, which takes it in.
 */
#include "ir/edit/rewrite.h"
#include "ir/verify.h"
#include "passes/pass.h"

struct convert {
    struct ir_module *module;
    int64_t min_size;
    bool is_changed;
};

static bool fits(const struct ir_op *op)
{
    return op->region_count == 0 && !(op->info->traits & IR_TERMINATOR) &&
           !ir_op_is(op, IR_CORE_function) && ir_op_is_pure(op);
}

/* Converts the first row of @block; what follows it, or NULL if that is nothing. */
static struct ir_block *convert_row(struct convert *convert, struct ir_block *block)
{
    struct ir_op *begin = block->first, *end;
    int64_t size = 0;

    while (begin && !fits(begin))
        begin = begin->next;
    for (end = begin; end && fits(end); end = end->next)
        size++;
    if (!begin)
        return NULL;
    bool touches = (begin == block->first && block->prev && block->prev->is_dataflow) ||
                   (!end && block->next && block->next->is_dataflow);

    struct ir_block *rest = end ? rewrite_split_block(convert->module, end) : NULL;
    if (size < convert->min_size && !touches)
        return rest;
    if (begin->prev)
        rewrite_split_block(convert->module, begin);
    rewrite_make_dataflow(convert->module, begin->block);
    convert->is_changed = true;
    return rest;
}

static void convert_region(struct convert *convert, struct ir_region *region)
{
    bool is_split = false;

    ir_for_each_block(block, region)
    {
        ir_for_each_op (op, block)
            for (unsigned i = 0; i < op->region_count; i++)
                convert_region(convert, op->regions[i]);
    }
    bool was_changed = convert->is_changed; /* also in branches */
    convert->is_changed = false;
    for (struct ir_block *block = region->first, *next; block; block = next) {
        next = block->next;
        for (struct ir_block *rest = block; rest && !rest->is_dataflow;) {
            rest = convert_row(convert, rest);
            is_split |= rest != NULL;
        }
    }
    if (convert->is_changed || is_split)
        rewrite_join_blocks(region);
    convert->is_changed |= was_changed;
}

static void convert_function(void *state, struct ir_function *function)
{
    convert_region(state, function->body);
}

enum pass_result pass_convert_to_dataflow(struct pass_run *run)
{
    struct convert convert = {.module = run->module, .min_size = pass_option_int(run, "min_size")};

    rewrite_walk_functions(run->module, convert_function, &convert);
    return convert.is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
