/* See fuse_widen.h. */
#include "passes/fuse/fuse_widen.h"

#include "analysis/pattern.h"
#include "base/array.h"
#include "ir/edit/make.h"
#include "ir/module.h"
#include "passes/fuse/fuse_product.h"

enum { CHAIN_MOST = 16, READERS_MOST = 16 };

static bool has_dims_of(const struct ir_type *a, const struct ir_type *b)
{
    bool is_it = a->kind == IR_TYPE_TENSOR && a->dims && b->dims && a->ndim == b->ndim;

    for (int i = 0; is_it && i < a->ndim; i++)
        is_it = ir_expr_equal(a->dims[i], b->dims[i]);
    return is_it;
}

struct ir_value *fuse_made_of(const struct ir_op *op)
{
    struct ir_value *only = NULL;

    for (unsigned i = 0; i < op->operand_count; i++) {
        struct ir_value *value = op->operands[i].value;

        if (!has_dims_of(value->type, op->result.type))
            continue;
        if (only)
            return NULL;
        only = value;
    }
    return only;
}

unsigned fuse_element_bytes(const struct ir_value *value)
{
    return value->type->kind == IR_TYPE_TENSOR ? ir_dtype_bytes(value->type->dtype) : 0;
}

/* What is known of the kernel that @op calls, which updates nothing; NULL: it calls none, or one that does not fuse. */
static const struct fuse_kernel_facts *facts_of(struct fuse_facts *facts, const struct ir_op *op)
{
    const struct ir_global *callee = ir_op_is(op, IR_CORE_call_tir) ? ir_op_callee(op) : NULL;
    const struct fuse_kernel_facts *of =
        callee && callee->kind == IR_GLOBAL_KERNEL ? fuse_facts_of(facts, callee->kernel) : NULL;

    return of && of->pattern != PATTERN_OPAQUE ? of : NULL;
}

static bool is_cheap(struct fuse_facts *facts, const struct ir_op *op)
{
    const struct fuse_kernel_facts *of = facts_of(facts, op);

    return of && of->is_cheap && of->pattern <= PATTERN_BROADCAST;
}

/* Is an element of @op's result wider than one of what cheap ops made it of? */
static bool widens(struct fuse_facts *facts, const struct ir_op *op)
{
    unsigned wide = fuse_element_bytes(&op->result);

    for (unsigned n = 0; n < CHAIN_MOST && op && is_cheap(facts, op); n++) {
        const struct ir_value *from = fuse_made_of(op);

        if (!from || fuse_element_bytes(from) < wide)
            return from != NULL;
        op = from->def;
    }
    return false;
}

/* How the kernel that computes what is used at @use can have what it uses in it. */
enum taking { CANNOT, JOINS, STREAMS };

static enum taking taking_of(struct fuse_facts *facts, const struct ir_use *use)
{
    for (unsigned n = 0; n < CHAIN_MOST; n++) {
        const struct ir_op *reader = use->user;
        const struct fuse_kernel_facts *of =
            ir_use_root(use) == reader ? facts_of(facts, reader) : NULL;
        if (!of)
            return n == 0 ? CANNOT : JOINS;
        if (of->pattern > PATTERN_INJECTIVE) {
            int param = fuse_param_of(reader, (unsigned)(use - reader->operands));

            return param >= 0 && fuse_streams(of, (unsigned)param) ? STREAMS
                   : n == 0                                        ? CANNOT
                                                                   : JOINS;
        }
        use = reader->result.uses;
        if (!is_cheap(facts, reader) || !use || use->next)
            return JOINS;
    }
    return JOINS;
}

/* A copy of @op behind it. */
static struct ir_value *copy(struct pass_run *run, const struct ir_op *op)
{
    struct ir_builder b = {run->module, run->diag, op->block, op->next, op->loc};
    struct ir_value **operands =
        arena_array(&run->scratch, struct ir_value *, op->operand_count + 1);

    for (unsigned i = 0; i < op->operand_count; i++)
        operands[i] = make_operand(&b, op->operands[i].value);
    struct ir_op *made =
        ir_build_declared(&b, op->info, operands, op->operand_count, op->attrs, op->declared);
    if (!made)
        return NULL;
    made->result.name = op->result.name;
    made->result.loc = op->result.loc;
    return &made->result;
}

/* Gives the readers of @op that stream it copies, but for the first if nothing else reads it. */
static bool repeat(struct fuse_facts *facts, struct ir_op *op)
{
    struct ir_use *streaming[READERS_MOST];
    unsigned count = 0, others = 0;
    bool is_changed = false;

    if (!op->result.uses || !op->result.uses->next || !is_cheap(facts, op) || !widens(facts, op))
        return false;
    ir_for_each_use (use, &op->result) {
        enum taking taking = taking_of(facts, use);

        if (taking == CANNOT || use->user->block != op->block || count == READERS_MOST)
            return false;
        if (taking == STREAMS)
            streaming[count++] = use;
        others += taking == JOINS;
    }
    for (unsigned i = others == 0; i < count; i++) {
        struct ir_op *user = streaming[i]->user;
        struct ir_value *own = copy(facts->run, op);

        if (own)
            ir_op_set_operand(user, (unsigned)(streaming[i] - user->operands), own);
        is_changed |= own != NULL;
    }
    return is_changed;
}

static bool repeat_in_region(struct fuse_facts *facts, struct ir_region *region)
{
    bool is_changed = false;

    ir_for_each_block(block, region)
    {
        /* the last of a chain first: what it is made of has a reader more then */
        ir_for_each_op_reverse_safe(op, block)
        {
            is_changed |= repeat(facts, op);
            for (unsigned i = 0; i < op->region_count; i++)
                is_changed |= repeat_in_region(facts, op->regions[i]);
        }
    }
    return is_changed;
}

bool fuse_repeat_widenings(struct fuse_facts *facts, struct ir_function *function)
{
    return repeat_in_region(facts, function->body);
}
