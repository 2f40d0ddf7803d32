/*
 * Joins that begin with a parameter whose storage has room for the whole: the result is a larger view of
 * it, and what the parameter holds stays where it is.
 *
 *     k = R.call_tir(cls.concat, (past, new), ..)
 *  =>
 *     k_dest = R.memory.view(past, R.shape([n + 1, d]), ..)
 *     k = R.call_tir_inplace(cls.concat_part, (new, k_dest), .., inplace_indices=[1])
 *
 * So the parameter has its home in the result, like what is made for it; see concat_plan.h.  Its elements
 * are in their places from the beginning: who reads it in front of the first write reads it itself.
 */
#include "analysis/inplace.h"
#include "ir/arith.h"
#include "passes/memory/concat_plan.h"
#include "passes/memory/used_globals.h"

/* ---- who calls the function ---- */

/* Does something in the module call @function, or name it?  It cannot say what room there is. */
static bool is_used(struct concat_plan *plan, const struct ir_function *function)
{
    struct ir_module *module = plan->run->module;

    if (!plan->has_used)
        used_globals(module, &plan->used);
    plan->has_used = true;
    return map_has(&plan->used, ir_module_find(module, function->name));
}

/* ---- the place of the parameter in the whole ---- */

/* Are the elements of @home's value the first of the whole, in their order? */
static bool is_beginning(struct ir_context *context, const struct home *home)
{
    const struct ir_type *whole = home->whole->type, *type = home->value->type;
    const struct ir_expr *one = ir_expr_int(context, IR_I64, 1);
    bool is_behind = false; /* the dimension that grows */

    for (int d = 0; d < whole->ndim; d++) {
        const struct ir_expr *extent = one;

        for (int i = 0; i < type->ndim; i++)
            if (home->dims[i] == d)
                extent = type->dims[i];
        if (!ir_expr_is_int(home->offsets[d], 0) ||
            (is_behind && !ir_prove_equal(context, extent, whole->dims[d])))
            return false;
        is_behind |= !ir_prove_equal(context, one, whole->dims[d]);
    }
    return true;
}

/* Could a number say how far a tensor of @type may grow? */
static bool has_one_symbol(struct ir_context *context, const struct ir_type *type)
{
    unsigned count = 0;
    int64_t value;

    for (int i = 0; i < type->ndim; i++)
        count += !ir_expr_constant(context, type->dims[i], &value);
    return count == 1;
}

/* Provably more bytes than there is room for? */
static bool is_too_large(struct ir_context *context, const struct ir_value *whole,
                         const struct ir_capacity *capacity)
{
    const struct ir_expr *bytes = ir_type_bytes(context, whole->type);
    const struct ir_expr *more =
        ir_expr_binary(context, IR_EXPR_add, capacity->bytes, ir_expr_int(context, IR_I64, 1));

    return !bytes || ir_prove_ge(context, NULL, bytes, ir_simplify(context, more));
}

struct symbols {
    const struct ir_function *function;
};

static bool is_of_params(void *state, const struct ir_expr *a)
{
    const struct symbols *symbols = state;

    return a->kind != IR_EXPR_var || concat_is_of_params(symbols->function, a->var);
}

/* Does it take the parameters only to know the size of @whole? */
static bool is_sized(const struct ir_function *function, const struct ir_value *whole)
{
    struct symbols symbols = {function};

    for (int d = 0; d < whole->type->ndim; d++)
        if (!ir_expr_walk(whole->type->dims[d], is_of_params, &symbols))
            return false;
    return true;
}

/* ---- who else reads the parameter ---- */

enum side {
    SIDE_INSIDE, /* in the region of the join, or within one of its ops */
    SIDE_BEFORE, /* in front of it, or on another path */
    SIDE_OTHER,  /* in the other branch */
    SIDE_BEHIND,
};

/* The op of @region that @op is, or is within; NULL: none. */
static const struct ir_op *op_within(const struct ir_op *op, const struct ir_region *region)
{
    while (op && op->block->region != region)
        op = op->block->region->owner;
    return op;
}

static enum side side_of(const struct ir_op *op, const struct ir_region *region)
{
    if (op_within(op, region))
        return SIDE_INSIDE;
    for (const struct ir_op *owner = region->owner; owner; owner = owner->block->region->owner) {
        const struct ir_op *other = op_within(op, owner->block->region);

        if (other == owner)
            return SIDE_OTHER;
        if (other)
            return other->result.index < owner->result.index ? SIDE_BEFORE : SIDE_BEHIND;
    }
    return SIDE_BEHIND;
}

const struct append *concat_append_for(struct concat_plan *plan, const struct ir_op *op,
                                       const struct ir_value *value)
{
    for (size_t i = 0; i < plan->appends.count; i++)
        if (plan->appends.items[i].home.value == value &&
            op_within(op, plan->appends.items[i].region))
            return &plan->appends.items[i];
    return NULL;
}

const struct append *concat_append_of(struct concat_plan *plan, const struct ir_value *whole)
{
    for (size_t i = 0; i < plan->appends.count; i++)
        if (plan->appends.items[i].home.whole == whole)
            return &plan->appends.items[i];
    return NULL;
}

/* The number of the op that writes to the whole first. */
static unsigned first_write(struct concat_plan *plan, const struct join *join,
                            const struct ir_value *whole)
{
    unsigned first = join->op->result.index, output;

    for (size_t i = 0; i < plan->homed.count; i++) {
        struct ir_value *value = plan->homed.items[i];
        struct home home;

        if (!concat_plan_home(plan, value, &home) || home.whole != whole)
            continue;
        const struct ir_op *maker = concat_plan_maker(value, &output);
        if (maker && maker->result.index < first)
            first = maker->result.index;
    }
    return first;
}

/* An op that reads and keeps no other name of what it reads. */
static bool only_reads(const struct ir_op *op)
{
    return ir_op_is(op, IR_CORE_call_tir) ||
           (op->info->core == IR_CORE_none &&
            !(op->info->traits & (IR_VIEW | IR_ALIAS | IR_OPAQUE)));
}

struct readers {
    struct concat_plan *plan;
    const struct join *join;
    const struct home *home;
    unsigned first, others;
    bool is_moved; /* what is read behind is not where it was */
};

static enum inplace_code read_behind(struct readers *r, const struct ir_op *reader)
{
    r->plan->evidence = EVIDENCE_READ;
    r->plan->reader = reader->loc;
    return IP_READ_LATER;
}

static enum inplace_code judge_use(struct readers *r, struct ir_use *use)
{
    struct ir_op *root = ir_use_root(use);

    if (ir_op_is(root, IR_CORE_return) || ir_op_is(root, IR_CORE_yield))
        return IP_ESCAPES;
    if (root != use->user || ir_op_function(root) != ir_op_function(r->join->op))
        return IP_READER;
    enum side side = side_of(root, r->join->op->block->region);
    if (root == r->join->op || (root->info->traits & IR_METADATA))
        return IP_PROVED;
    if (side == SIDE_BEHIND)
        return read_behind(r, root);
    if (side != SIDE_INSIDE || root->result.index < r->first)
        return only_reads(root) ? IP_PROVED : IP_READER;
    if (r->is_moved)
        return read_behind(r, root);
    r->others++;
    return concat_can_read_elsewhere(r->plan, root, (unsigned)(use - root->operands)) &&
                   !concat_adds_beside(r->plan, r->join, root)
               ? IP_PROVED
               : IP_READER;
}

static enum inplace_code judge_uses(struct readers *r)
{
    ir_for_each_use (use, r->home->value) {
        enum inplace_code code = judge_use(r, use);

        if (code != IP_PROVED)
            return code;
    }
    /* an update of the result would have to keep the old elements for them */
    return r->others > 0 && concat_is_updated(&r->join->op->result) ? IP_READER : IP_PROVED;
}

/* Is the parameter part of another whole, on the same path? */
static bool is_taken(struct concat_plan *plan, const struct join *join,
                     const struct ir_value *value)
{
    for (size_t i = 0; i < plan->appends.count; i++)
        if (plan->appends.items[i].home.value == value &&
            side_of(join->op, plan->appends.items[i].region) != SIDE_OTHER)
            return true;
    for (size_t i = 0; i < plan->moves.count; i++)
        if (plan->moves.items[i]->append.home.value == value &&
            side_of(join->op, plan->moves.items[i]->append.region) != SIDE_OTHER)
            return true;
    return false;
}

/* ---- all of it ---- */

static enum inplace_code judge(struct concat_plan *plan, const struct join *join,
                               const struct access_piece *piece, const struct home *home,
                               unsigned first, struct ir_capacity *capacity)
{
    struct ir_context *context = plan->run->module->context;
    const struct ir_function *function = home->value->parameter_of;
    unsigned param = 0;

    while (param < function->param_count && function->params[param] != home->value)
        param++;
    if (ir_op_function(join->op) == function && function->parent)
        return IP_BORROWED;
    if (ir_op_function(join->op) != function || !ir_function_donates(function, param)) {
        bool would_grow = ir_op_function(join->op) == function &&
                          has_one_symbol(context, home->value->type) &&
                          concat_is_all_of(join, piece) && is_beginning(context, home);

        plan->evidence = would_grow ? EVIDENCE_GROWS : EVIDENCE_NONE;
        plan->parameter = would_grow ? (int)param : -1;
        return IP_BORROWED;
    }
    if (plan->run->inplace == INPLACE_OFF)
        return IP_SWITCHED_OFF;
    if (!concat_is_all_of(join, piece))
        return IP_MAKER;
    if (!ir_capacity_of(function, param, capacity))
        return IP_ROOM;
    plan->evidence = is_used(plan, function)                        ? EVIDENCE_NESTED
                     : is_too_large(context, home->whole, capacity) ? EVIDENCE_SMALL
                                                                    : EVIDENCE_NONE;
    if (plan->evidence != EVIDENCE_NONE)
        return IP_ROOM;
    if (is_taken(plan, join, home->value))
        return IP_HOMED;
    if (!is_sized(function, home->whole))
        return IP_UNSIZED;
    bool is_moved = !is_beginning(context, home);
    struct readers readers = {plan, join,    home, is_moved ? join->op->result.index : first,
                              0,    is_moved};
    enum inplace_code code = judge_uses(&readers);
    return code == IP_PROVED && is_moved ? IP_BEGINNING : code;
}

enum inplace_code concat_append(struct concat_plan *plan, struct join *join,
                                const struct access_piece *piece, const struct home *home)
{
    struct append append = {.home = *home,
                            .region = join->op->block->region,
                            .first = first_write(plan, join, home->whole)};
    enum inplace_code code = judge(plan, join, piece, home, append.first, &append.capacity);

    if (code == IP_PROVED && join->moved)
        return IP_HOMED;
    if (code == IP_BEGINNING && concat_move(plan, join, piece, &append)) {
        array_push(&plan->moves, join);
        plan->evidence = EVIDENCE_MOVED;
        return IP_PROVED;
    }
    if (code == IP_PROVED) {
        array_push(&plan->appends, append);
        plan->evidence = EVIDENCE_APPENDED;
    }
    return code;
}
