/* Decomposition of operators: the table, the sweep, tensor_to_shape.  The formulas: decompose_ops.c. */
#include "passes/graph/decompose.h"

#include "analysis/storage/storage.h"
#include "base/array.h"
#include "ir/edit/make.h"
#include "ir/edit/rewrite.h"
#include "ops/ids.h"

enum { FIELD_LIMIT = 3 };

static const struct decomposition {
    decompose_fn *inference, *training; /* NULL: stays */
} table[OP_COUNT] = {
#define OP(id, name, signature, traits, doc, ...) [OP_##id] = {__VA_ARGS__},
#define DECOMPOSE_INFERENCE(f)                    .inference = decompose_##f,
#define DECOMPOSE_TRAINING(f)                     .training = decompose_##f,
#include "ops/ops.def"
};

struct sweep {
    struct pass_run *run;
    bool is_training, is_changed;
    bool has_effects; /* ops that may write what they are given */
    array(struct ir_op *) found;
    bool has_symbols; /* types may be better known now */
};

static struct ir_builder builder_at(struct sweep *sweep, struct ir_op *op)
{
    return (struct ir_builder){.module = sweep->run->module,
                               .diag = sweep->run->diag,
                               .block = op->block,
                               .before = op,
                               .loc = op->loc};
}

/* Is each of @count values of its type, or better known? */
static bool are_of_types(struct ir_context *context, struct ir_value *const *values,
                         const struct ir_type *const *types, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!values[i] || ir_type_check(context, types[i], values[i]->type) != IR_CHECK_PASS)
            return false;
    return true;
}

static void take_name_and_place(struct ir_module *module, struct ir_op *op, struct ir_value *value)
{
    if (!value->name) {
        value->name = op->result.name;
        value->loc = op->result.loc;
    }
    rewrite_replace(module, op, value);
}

/* Fields that are taken of @op become @fields; other users get a tuple of them. */
static void replace_by_fields(struct ir_builder *b, struct ir_op *op, struct ir_value **fields,
                              unsigned count)
{
    array(struct ir_op *) gets = {0};
    bool is_whole = false;

    ir_for_each_use (use, &op->result) {
        if (ir_op_is(use->user, IR_CORE_tuple_get))
            array_push(&gets, use->user);
        else if (!ir_op_is(use->user, IR_CORE_output))
            is_whole = true;
    }
    for (size_t i = 0; i < gets.count; i++) {
        int64_t index = ir_op_attr(gets.items[i], "index")->integer;

        if (ir_value_is_inline(fields[index]))
            is_whole = true; /* a constant has no name: the tuple has it */
        else
            take_name_and_place(b->module, gets.items[i], fields[index]);
    }
    array_finish(&gets);
    while (!is_whole && op->result.uses)
        ir_op_remove_operand(op->result.uses->user,
                             (unsigned)(op->result.uses - op->result.uses->user->operands));
    if (!is_whole) {
        ir_op_erase(op);
        return;
    }
    struct ir_value *operands[FIELD_LIMIT];
    for (unsigned i = 0; i < count; i++)
        operands[i] = make_operand(b, fields[i]);
    struct ir_op *tuple =
        ir_build(b, ir_core_op(b->module->context, IR_CORE_tuple), operands, count, NULL);
    tuple->result.name = op->result.name;
    rewrite_replace(b->module, op, &tuple->result);
}

static bool is_operand(const struct ir_op *op, const struct ir_value *value)
{
    for (unsigned i = 0; i < op->operand_count; i++)
        if (op->operands[i].value == value)
            return true;
    return false;
}

static void decompose_op(struct sweep *sweep, struct ir_op *op, decompose_fn *decompose)
{
    struct ir_builder b = builder_at(sweep, op);
    const struct ir_op *last = op->prev;
    size_t messages = diag_message_count(sweep->run->diag);
    struct ir_value *fields[FIELD_LIMIT] = {0};
    const struct ir_type *type = op->result.type;
    bool is_tuple = type->kind == IR_TYPE_TUPLE;
    struct ir_value *value = decompose(&b, op, fields);

    if (!is_tuple)
        fields[0] = value;
    for (unsigned i = 0; sweep->has_effects && value && is_tuple && i < type->field_count; i++)
        if (is_operand(op, fields[i]))
            fields[i] = MAKE(&b, OP_copy, fields[i]); /* no other name of what may be written */
    if (!value ||
        !are_of_types(sweep->run->module->context, fields, is_tuple ? type->fields : &type,
                      is_tuple ? type->field_count : 1)) {
        diag_truncate(sweep->run->diag, messages);
        make_take_back(&b, last);
        return;
    }
    sweep->is_changed = true;
    if (is_tuple) {
        replace_by_fields(&b, op, fields, type->field_count);
        return;
    }
    take_name_and_place(sweep->run->module, op, value);
}

/*
 * A shape that a tensor holds gets symbols for its dims: what is made of it has a shape that is known.
 *
 *     s = R.tensor_to_shape(x); y = R.reshape(z, s)
 *  =>
 *     s = R.tensor_to_shape(x); _ = R.match_cast(s, R.Shape([m, n])); y = R.reshape(z, R.shape([m, n]))
 */
static void name_shape(struct sweep *sweep, struct ir_op *op)
{
    struct ir_module *module = sweep->run->module;
    const struct ir_type *type = op->result.type;
    bool is_used = false;

    ir_for_each_use (use, &op->result)
        is_used |= !ir_op_is(use->user, IR_CORE_match_cast) && !ir_op_is(use->user, IR_CORE_output);
    if (!is_used || type->kind != IR_TYPE_SHAPE || type->ndim < 0 || type->dims || !op->next)
        return;
    const struct ir_expr **dims =
        arena_array(&module->arena, const struct ir_expr *, (unsigned)type->ndim + 1);
    for (int i = 0; i < type->ndim; i++)
        dims[i] = ir_expr_var(
            module->context,
            ir_symbol_new(module->context, arena_printf(&module->arena, "dim%d", i), IR_I64));
    struct ir_builder b = builder_at(sweep, op->next);
    b.loc = op->loc;
    rewrite_uses_by_leaf(module, &op->result, ir_inline_shape(module, dims, (unsigned)type->ndim));
    struct ir_value *operand = &op->result;
    ir_build_declared(&b, ir_core_op(module->context, IR_CORE_match_cast), &operand, 1, NULL,
                      ir_type_shape(module->context, dims, type->ndim));
    sweep->is_changed = sweep->has_symbols = true;
}

static decompose_fn *decomposition_of(const struct sweep *sweep, const struct ir_op *op)
{
    const struct decomposition *row = &table[op_id(op)];

    return sweep->is_training ? row->training : row->inference;
}

static bool collect(void *state, struct ir_op *op)
{
    struct sweep *sweep = state;

    if (ir_op_is(op, IR_CORE_function))
        ir_region_walk(ir_op_attr(op, "function")->function->body, collect, sweep);
    if (decomposition_of(sweep, op) || op_is(op, OP_tensor_to_shape))
        array_push(&sweep->found, op);
    return true;
}

static void sweep_function(struct sweep *sweep, struct ir_function *function)
{
    sweep->has_symbols = false;
    sweep->found.count = 0;
    ir_region_walk(function->body, collect, sweep);
    for (size_t i = 0; i < sweep->found.count; i++) {
        struct ir_op *op = sweep->found.items[i];

        if (op_is(op, OP_tensor_to_shape))
            name_shape(sweep, op);
        else
            decompose_op(sweep, op, decomposition_of(sweep, op));
    }
    if (sweep->has_symbols)
        rewrite_refine_types(function);
}

enum pass_result decompose_run(struct pass_run *run, bool is_training)
{
    struct sweep sweep = {.run = run,
                          .is_training = is_training,
                          .has_effects = storage_module_has_effects(run->module)};
    const char *name = pass_option_string(run, "function");
    const struct ir_global *only = *name ? ir_module_find(run->module, name) : NULL;

    if (*name && (!only || only->kind != IR_GLOBAL_FUNCTION)) {
        diag_report(run->diag, (struct location){0}, PASS_NO_FUNCTION, run->pass->name, name);
        return PASS_FAILED;
    }
    for (size_t i = 0; i < run->module->global_count; i++) {
        struct ir_global *global = run->module->globals[i];

        if (global->kind != IR_GLOBAL_FUNCTION || (only && only != global))
            continue;
        sweep_function(&sweep, global->function);
    }
    array_finish(&sweep.found);
    return sweep.is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
