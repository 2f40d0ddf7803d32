/*
 * FoldConstant: what depends on constants only is computed now.
 *
 *     w1 = R.permute_dims(R.const(..))           uses of w1 become uses of a new constant
 *     y = R.call_tir(cls.add, (c1, c2), ..)      likewise: before LegalizeOps and after it
 *     s = R.shape_of(x)                          uses of s become R.shape([n, 4])
 *     k = R.size(y)                              likewise a number, where the shape has only numbers
 *     if R.const(True): ..  else: ..             the branch that runs, in place of both
 *
 * The reference interpreter computes (run->host) what is small (option `limit`, bytes; 1024 elements where
 * nothing was read, as a fill) and quickly done; the rest is left to compiled code (fold_large.h), which
 * gives the same bits.  What neither can compute, or what fails, stays.
 * Never folded: calls that update storage, packed calls, and values that an in-place call updates: a
 * constant would have to be copied for it.  The ops that made the operands are left to
 * DeadCodeElimination.
 */
#include "analysis/kernel.h"
#include "analysis/storage/storage.h"
#include "ir/arith.h"
#include "ir/build.h"
#include "ir/edit/rewrite.h"
#include "ir/verify.h"
#include "ops/ids.h"
#include "passes/graph/fold_large.h"
#include "passes/graph/static.h"
#include "passes/graph/work.h"
#include "passes/pass.h"

enum {
    CREATION_LIMIT = 1024, /* elements of a result that no tensor was read for */
    WORK_LIMIT = 1 << 24,  /* multiplications, roughly, of an operator */
};

struct fold {
    struct pass_run *run;
    struct ir_module *module;
    size_t limit;
    struct storage storage; /* of the function in work: what is updated may be no constant */
    struct fold_large large;
    bool is_changed, needs_types;
};

/* ---- what may be folded ---- */

static bool is_fitting(const struct fold *fold, const struct ir_type *type, bool reads_tensors)
{
    int64_t dims[STATIC_RANK], count;
    size_t bytes;

    if (!static_dims(fold->module->context, type, dims) || ir_dtype_is_void(type->dtype) ||
        !ir_shape_bytes(dims, (unsigned)type->ndim, type->dtype, &bytes) || bytes > fold->limit)
        return false;
    return reads_tensors ||
           (ir_shape_elements(dims, (unsigned)type->ndim, &count) && count <= CREATION_LIMIT);
}

static bool has_tensor(const struct ir_op *op)
{
    for (unsigned i = 0; i < op->operand_count; i++) {
        const struct ir_value *value = op->operands[i].value;

        if (value->type->kind == IR_TYPE_TENSOR ||
            (value->type->kind == IR_TYPE_TUPLE && value->type->field_count > 0))
            return true;
    }
    return false;
}

static bool is_fitting_result(const struct fold *fold, const struct ir_op *op)
{
    const struct ir_type *type = op->result.type;
    bool reads_tensors = has_tensor(op);

    if (type->kind != IR_TYPE_TUPLE)
        return is_fitting(fold, type, reads_tensors);
    for (unsigned i = 0; i < type->field_count; i++)
        if (!is_fitting(fold, type->fields[i], reads_tensors))
            return false;
    return type->field_count > 0;
}

/* Deterministic, and with a meaning of its own: operators that have loops, and views. */
static bool is_foldable_operator(const struct ir_op *op)
{
    uint32_t never = IR_OPAQUE | IR_ALLOCATES | IR_TERMINATOR | IR_INLINE | IR_MARK;

    if (!(op->info->traits & IR_PURE) || (op->info->traits & never))
        return false;
    return op->info->lower || (op->info->traits & IR_VIEW) || op_is(op, OP_shape_to_tensor);
}

static bool is_short(const struct fold *fold, const struct ir_op *op)
{
    int64_t work;

    return work_of(fold->module->context, op, &work) && work <= WORK_LIMIT;
}

/* Has it a meaning of its own, without effects? */
static bool is_plain(struct fold *fold, const struct ir_op *op)
{
    if (ir_op_is(op, IR_CORE_call_tir)) {
        const struct ir_global *callee = ir_op_callee(op);

        if (!callee || callee->kind != IR_GLOBAL_KERNEL)
            return false;
    } else if (op->info->core != IR_CORE_none || !is_foldable_operator(op)) {
        return false;
    }
    return !storage_is_changed(&fold->storage, &op->result) &&
           (!ir_op_is(op, IR_CORE_call_tir) ||
            !kernel_access(&fold->run->scratch, ir_op_callee(op)->kernel).calls_out);
}

/* Can the interpreter do it? */
static bool is_small(struct fold *fold, const struct ir_op *op)
{
    if (!is_fitting_result(fold, op) || !is_short(fold, op))
        return false;
    for (unsigned i = 0; i < op->operand_count; i++)
        if (!static_is_leaf(op->operands[i].value))
            return false;
    return true;
}

/* ---- folding ---- */

/* A function without parameters that returns what @op computes, or field @field of it (-1: all). */
static struct ir_function *close(struct fold *fold, const struct ir_op *op, int field)
{
    struct ir_module *module = fold->module;
    struct ir_context *context = module->context;
    struct ir_function *function = ir_function_new(module, "fold");
    struct ir_block *block = ir_block_append(module, function->body, false);
    struct ir_op *copy = ir_op_new(module, op->info, NULL, 0);

    for (unsigned i = 0; i < op->operand_count; i++)
        ir_op_add_operand(module, copy, static_copy(module, op->operands[i].value));
    for (unsigned i = 0; i < op->info->attr_count; i++)
        copy->attrs[i] = op->attrs[i];
    copy->declared = op->declared;
    copy->loc = op->loc;
    copy->result.type = op->result.type;
    ir_op_append(block, copy);
    struct ir_value *result = &copy->result;

    if (field >= 0) {
        struct ir_op *get = ir_op_new(module, ir_core_op(context, IR_CORE_tuple_get), &result, 1);

        ir_op_set_attr(get, "index", ir_attr_int(context, field));
        get->result.type = op->result.type->fields[field];
        ir_op_append(block, get);
        result = &get->result;
    }
    struct ir_op *end = ir_op_new(module, ir_core_op(context, IR_CORE_return), &result, 1);

    end->result.type = result->type;
    ir_op_append(block, end);
    function->result = result->type;
    return function;
}

static struct ir_value *evaluate(struct fold *fold, const struct ir_op *op, int field)
{
    const struct pass_host *host = fold->run->host;
    struct ir_function *function = close(fold, op, field);
    struct ir_constant *constant = host->evaluate(host->state, fold->module, function);

    if (constant)
        constant->name = fold_large_name(&op->result);
    ir_block_erase(function->body->first); /* its constants have one use each */
    return constant ? ir_inline_constant(fold->module, constant) : NULL;
}

static void replace(struct fold *fold, struct ir_op *op, struct ir_value *leaf)
{
    rewrite_uses_by_leaf(fold->module, &op->result, leaf);
    ir_op_erase(op);
    fold->is_changed = true;
}

/* Several results: a tuple of constants takes the place of the call. */
static void fold_tuple(struct fold *fold, struct ir_op *op)
{
    unsigned count = op->result.type->field_count;
    struct ir_value **items = arena_array(&fold->run->scratch, struct ir_value *, count);

    for (unsigned i = 0; i < count; i++) {
        items[i] = evaluate(fold, op, (int)i);
        if (!items[i])
            return;
    }
    struct ir_op *tuple =
        ir_op_new(fold->module, ir_core_op(fold->module->context, IR_CORE_tuple), items, count);

    tuple->loc = op->loc;
    tuple->result.type = op->result.type;
    tuple->result.name = op->result.name;
    tuple->result.loc = op->result.loc;
    ir_op_insert_before(op, tuple);
    rewrite_replace(fold->module, op, &tuple->result);
    fold->is_changed = true;
}

/* t[0] of a tuple that holds a constant there. */
static void fold_field(struct fold *fold, struct ir_op *op)
{
    const struct ir_op *tuple = op->operands[0].value->def;
    int64_t index = ir_op_attr(op, "index")->integer;

    if (!tuple || !ir_op_is(tuple, IR_CORE_tuple) ||
        storage_is_changed(&fold->storage, &op->result) || index < 0 ||
        index >= tuple->operand_count)
        return;
    struct ir_value *item = tuple->operands[index].value;

    if (ir_value_is_inline(item) && ir_op_is(item->def, IR_CORE_constant))
        replace(fold, op, ir_inline_copy(fold->module, item));
}

/* Shapes as values: known from types, or from the elements of a constant. */
static void fold_shape(struct fold *fold, struct ir_op *op)
{
    struct ir_value *shape = static_shape(fold->module, op);

    /* A user that knows the shape now may find that it cannot work: it keeps the old one.  So does
     * the op, which types may name. */
    if (!shape || !static_is_accepted(fold->module, &op->result, shape))
        return;
    rewrite_uses_by_leaf(fold->module, &op->result, shape);
    fold->is_changed = fold->needs_types = true;
}

/* What the type of a tensor says of its extents; NULL if it says too little. */
static struct ir_value *known_of_tensor(struct fold *fold, const struct ir_op *op)
{
    struct ir_module *module = fold->module;
    struct ir_context *context = module->context;
    const struct ir_type *type = op->operands[0].value->type;
    int64_t dims[STATIC_RANK], number;

    if (type->kind != IR_TYPE_TENSOR || !static_dims(context, type, dims))
        return NULL;
    if (op_is(op, OP_size))
        return ir_shape_elements(dims, (unsigned)type->ndim, &number)
                   ? ir_inline_constant(module,
                                        ir_module_add_constant(module, IR_I64, NULL, 0, &number))
                   : NULL;
    number = type->ndim;
    if (op_is(op, OP_inspect_tensor_shape_i)) {
        const struct ir_value *axis = op->operands[1].value;

        if (!axis->def || !ir_op_is(axis->def, IR_CORE_prim) ||
            !ir_expr_constant(context, ir_op_attr(axis->def, "value")->expr, &number) ||
            number < 0 || number >= type->ndim)
            return NULL; /* an axis that is none is an error when it runs */
        number = dims[number];
    }
    return ir_inline_prim(module, ir_expr_int(context, op->result.type->dtype, number));
}

static bool is_question_of_tensor(const struct ir_op *op)
{
    return op_is(op, OP_size) || op_is(op, OP_inspect_tensor_ndim) ||
           op_is(op, OP_inspect_tensor_shape_i);
}

static void fold_known(struct fold *fold, struct ir_op *op)
{
    struct ir_value *leaf = op->result.var || storage_is_changed(&fold->storage, &op->result)
                                ? NULL
                                : known_of_tensor(fold, op);

    if (leaf && leaf->type == op->result.type)
        replace(fold, op, leaf);
}

/* In the interpreter; false: that is too much for it. */
static bool fold_small(struct fold *fold, struct ir_op *op)
{
    if (op->result.type->kind == IR_TYPE_TUPLE) {
        fold_tuple(fold, op);
        return true;
    }
    struct ir_value *leaf = evaluate(fold, op, -1);

    if (!leaf || leaf->type != op->result.type)
        return false;
    replace(fold, op, leaf);
    return true;
}

static void fold_op(struct fold *fold, struct ir_op *op)
{
    if (!op->result.uses)
        return;
    if (ir_op_is(op, IR_CORE_tuple_get)) {
        fold_field(fold, op);
    } else if (op_is(op, OP_shape_of) || op_is(op, OP_tensor_to_shape)) {
        fold_shape(fold, op);
    } else if (is_question_of_tensor(op)) {
        fold_known(fold, op);
    } else if (is_plain(fold, op)) {
        if (!is_small(fold, op) || !fold_small(fold, op))
            fold_large_note(&fold->large, op);
    }
}

/* ---- the pass ---- */

static void sweep_region(struct fold *fold, struct ir_region *region);

/* Puts the branch that runs in place of @op; what follows stands in a block behind it afterwards. */
static void take_branch(struct fold *fold, struct ir_op *op, bool is_true)
{
    struct ir_region *branch = op->regions[is_true ? 0 : 1];

    sweep_region(fold, branch);
    struct ir_block *rest = rewrite_split_block(fold->module, op);
    struct ir_op *yield = branch->last->last;
    struct ir_value *value = yield->operands[0].value;

    if (ir_value_is_inline(value) || value->type != op->result.type) {
        /* a name for it, of the type that the users were made for */
        struct ir_op *bind =
            ir_op_new(fold->module, ir_core_op(fold->module->context, IR_CORE_bind), NULL, 0);

        ir_op_add_operand(fold->module, bind, ir_inline_copy(fold->module, value));
        bind->loc = op->loc;
        bind->result.name = op->result.name;
        bind->result.loc = op->result.loc;
        bind->result.type = op->result.type;
        ir_op_insert_before(yield, bind);
        value = &bind->result;
    }
    ir_op_erase(yield);
    while (branch->first) { /* between the halves */
        struct ir_block *block = branch->first;

        branch->first = block->next;
        block->region = rest->region;
        block->prev = rest->prev;
        block->next = rest;
        rest->prev->next = block;
        rest->prev = block;
    }
    branch->last = NULL;
    rewrite_replace(fold->module, op, value);
    fold->is_changed = true;
    fold->needs_types = true;
}

static void sweep_op(struct fold *fold, struct ir_op *op)
{
    bool is_true;

    if (ir_op_is(op, IR_CORE_function))
        sweep_region(fold, ir_op_attr(op, "function")->function->body);
    if (ir_op_is(op, IR_CORE_if) && static_condition(op->operands[0].value, &is_true)) {
        take_branch(fold, op, is_true);
        return;
    }
    for (unsigned i = 0; i < op->region_count; i++)
        sweep_region(fold, op->regions[i]);
    fold_op(fold, op);
}

static void sweep_region(struct fold *fold, struct ir_region *region)
{
    bool was_changed = fold->is_changed;

    fold->is_changed = false;
    ir_for_each_block(block, region) ir_for_each_op_safe (op, block) sweep_op(fold, op);
    if (fold->is_changed)
        rewrite_join_blocks(region);
    fold->is_changed |= was_changed;
}

enum pass_result pass_fold_constant(struct pass_run *run)
{
    int64_t limit = pass_option_int(run, "limit");
    struct fold fold = {.run = run, .module = run->module, .limit = limit > 0 ? (size_t)limit : 0};
    struct storage_module facts;

    if (!run->host || !run->host->evaluate)
        return PASS_UNCHANGED;
    fold_large_init(&fold.large, run, pass_option_int(run, "growth"));
    storage_module_init(&facts, run->module);
    storage_module_solve(&facts);
    for (size_t i = 0; i < run->module->global_count; i++) {
        if (run->module->globals[i]->kind != IR_GLOBAL_FUNCTION)
            continue;
        struct ir_function *function = run->module->globals[i]->function;

        fold.needs_types = false;
        storage_init(&fold.storage, &facts, function, NULL);
        sweep_region(&fold, function->body);
        fold.is_changed |= fold_large_compute(&fold.large);
        storage_finish(&fold.storage);
        if (fold.needs_types)
            rewrite_refine_types(function);
    }
    storage_module_finish(&facts);
    fold_large_finish(&fold.large);
    return fold.is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
