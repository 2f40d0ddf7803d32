/*
 * Types of the structural ops, by the rules of Relax; operators of the library bring their own.
 *
 * A rule gets an op with operands, attributes and declared type and gives the type of its result, or
 * NULL after a report.  Arguments of a call that are not known well enough (level 1) are errors that
 * a match_cast solves; dimensions that are not proved (level 2) are checked when the program runs.
 */
#include "base/array.h"
#include "base/assert.h"
#include "ir/build.h"
#include "ir/internal.h"
#include "ir/module.h"

#include <stdio.h>
#include <string.h>

static const struct ir_type *void_type(struct ir_module *module)
{
    return ir_type_tuple(module->context, NULL, 0);
}

static const struct ir_type **operand_types(struct ir_module *module, const struct ir_op *op,
                                            unsigned first)
{
    unsigned count = op->operand_count - first;
    const struct ir_type **types = arena_array(&module->arena, const struct ir_type *, count);
    for (unsigned i = 0; i < count; i++)
        types[i] = op->operands[first + i].value->type;
    return types;
}

static const struct ir_type *infer_constant(struct ir_module *module, struct diag *diag,
                                            const struct ir_op *op)
{
    const struct ir_attr *data = ir_op_attr(op, "data");
    assert(data->kind == IR_ATTR_CONSTANT);
    const struct ir_constant *constant = data->constant;
    const struct ir_expr **dims =
        arena_array(&module->arena, const struct ir_expr *, constant->ndim);
    for (unsigned i = 0; i < constant->ndim; i++)
        dims[i] = ir_expr_int(module->context, IR_I64, constant->shape[i]);
    return ir_type_tensor(module->context, constant->dtype, dims, (int)constant->ndim);
}

static const struct ir_type *infer_shape(struct ir_module *module, struct diag *diag,
                                         const struct ir_op *op)
{
    const struct ir_attr *list = ir_op_attr(op, "dims");
    const struct ir_expr **dims = arena_array(&module->arena, const struct ir_expr *, list->count);
    for (unsigned i = 0; i < list->count; i++)
        dims[i] = list->items[i]->expr;
    return ir_type_shape(module->context, dims, (int)list->count);
}

static const struct ir_type *infer_prim(struct ir_module *module, struct diag *diag,
                                        const struct ir_op *op)
{
    const struct ir_attr *value = ir_op_attr(op, "value");
    assert(value->kind == IR_ATTR_EXPR);
    return ir_type_prim(module->context, value->expr->dtype);
}

static const struct ir_type *infer_any(struct ir_module *module, struct diag *diag,
                                       const struct ir_op *op)
{
    return ir_type_any(module->context);
}

/* A function outside: anything goes in and comes out. */
static const struct ir_type *infer_extern_func(struct ir_module *module, struct diag *diag,
                                               const struct ir_op *op)
{
    struct ir_context *context = module->context;
    if (op->declared != NULL)
        return op->declared;
    return ir_type_func_opaque(context, ir_type_any(context), false, NULL);
}

static const struct ir_type *infer_global(struct ir_module *module, struct diag *diag,
                                          const struct ir_op *op)
{
    const struct ir_attr *callee = ir_op_attr(op, "callee");
    assert(callee->kind == IR_ATTR_GLOBAL);
    const struct ir_type *type = callee->global->type;
    return type != NULL ? type : ir_type_any(module->context);
}

static const struct ir_type *infer_tuple(struct ir_module *module, struct diag *diag,
                                         const struct ir_op *op)
{
    return ir_type_tuple(module->context, operand_types(module, op, 0), op->operand_count);
}

/* The parts that there are; one is one behind the last where they are counted from 1. */
static void help_index(struct diag_message *m, struct location place, unsigned count)
{
    size_t length = place.end - place.begin;
    const char *text = place.source ? place.source->text + place.begin : "";
    char written[16];

    if (count == 0)
        return;
    diag_help(m, count == 1 ? "its one part is 0" : "its parts are 0 to %u", count - 1);
    snprintf(written, sizeof(written), "%u", count);
    if (strlen(written) != length || strncmp(text, written, length) != 0)
        return;
    diag_help_edit(m, place, "%u", count - 1);
    if (count > 1)
        diag_help_unsure(m);
}

static const struct ir_type *infer_tuple_get(struct ir_module *module, struct diag *diag,
                                             const struct ir_op *op)
{
    const struct ir_type *tuple = op->operands[0].value->type;
    int64_t index = ir_op_attr(op, "index")->integer;
    if (tuple->kind == IR_TYPE_ANY)
        return tuple;
    if (tuple->kind != IR_TYPE_TUPLE) {
        diag_report(diag, op->loc, TYPE_NOT_TUPLE, ir_type_text(module->context, tuple));
        return NULL;
    }
    if (index < 0 || index >= tuple->field_count) {
        help_index(diag_report(diag, location_argument(op->loc, 0, NULL), TYPE_TUPLE_INDEX,
                               (long long)index, tuple->field_count),
                   location_argument(op->loc, 0, NULL), tuple->field_count);
        return NULL;
    }
    return tuple->fields[index];
}

static const struct ir_type *infer_same(struct ir_module *module, struct diag *diag,
                                        const struct ir_op *op)
{
    return op->operands[0].value->type;
}

static const struct ir_type *infer_match_cast(struct ir_module *module, struct diag *diag,
                                              const struct ir_op *op)
{
    const struct ir_type *given = op->operands[0].value->type;
    assert(op->declared != NULL);
    if (ir_type_check(module->context, op->declared, given) == IR_CHECK_FAIL_KIND &&
        ir_type_check(module->context, given, op->declared) == IR_CHECK_FAIL_KIND) {
        struct diag_message *m =
            diag_report(diag, op->loc, TYPE_CAST_NEVER, ir_type_text(module->context, given),
                        ir_type_text(module->context, op->declared));
        diag_label(m, op->operands[0].value->loc, "the value is %s",
                   ir_type_text(module->context, given));
        return NULL;
    }
    return op->declared;
}

/* What the region of a branch yields; NULL while it has no end yet. */
static const struct ir_type *branch_type(const struct ir_region *region)
{
    if (region == NULL || region->last == NULL || region->last->last == NULL)
        return NULL;
    const struct ir_op *end = region->last->last;
    return ir_op_is(end, IR_CORE_yield) ? end->operands[0].value->type : NULL;
}

/* Notes the symbols that @type, of a parameter or a match_cast, gives their values. */
static void note_bound(struct map *bound, const struct ir_type *type)
{
    for (int i = 0; type->dims != NULL && i < type->ndim; i++)
        if (type->dims[i]->kind == IR_EXPR_var)
            map_set(bound, type->dims[i]->var, type);
    for (unsigned i = 0; type->kind == IR_TYPE_TUPLE && i < type->field_count; i++)
        note_bound(bound, type->fields[i]);
}

static bool note_op(void *bound, struct ir_op *op)
{
    if (ir_op_is(op, IR_CORE_match_cast))
        note_bound(bound, op->declared);
    return true;
}

/* What an `if` asks of the symbols in its type; each part is collected when it is needed. */
struct branch_symbols {
    const struct ir_op *branch;
    bool has_inside, has_in_front;
    struct map inside;   /* bound in a branch */
    struct map in_front; /* bound by a parameter, or by a match_cast in front of the `if` */
};

static void collect_inside(struct branch_symbols *symbols)
{
    symbols->has_inside = true;
    for (unsigned i = 0; i < symbols->branch->region_count; i++)
        ir_region_walk(symbols->branch->regions[i], note_op, &symbols->inside);
}

static void collect_in_front(struct branch_symbols *symbols)
{
    symbols->has_in_front = true;
    for (const struct ir_op *op = symbols->branch; op != NULL && op->block != NULL;
         op = op->block->region->owner)
        for (struct ir_block *block = op->block; block != NULL; block = block->prev)
            for (struct ir_op *before = block == op->block ? op->prev : block->last; before != NULL;
                 before = before->prev)
                note_op(&symbols->in_front, before);
    const struct ir_function *function = ir_op_function(symbols->branch);
    for (; function != NULL; function = function->parent)
        for (unsigned i = 0; i < function->param_count; i++) {
            const struct ir_value *param = function->params[i];
            if (param->var != NULL)
                map_set(&symbols->in_front, param->var, param);
            note_bound(&symbols->in_front, param->type);
        }
}

/* Symbols that get their value in a branch are not known behind it. */
static bool is_known_behind(void *state, const struct ir_var *var)
{
    struct branch_symbols *symbols = state;
    if (!symbols->has_inside)
        collect_inside(symbols);
    if (!map_has(&symbols->inside, var))
        return true;
    if (!symbols->has_in_front)
        collect_in_front(symbols);
    return map_has(&symbols->in_front, var);
}

static const struct ir_type *infer_if(struct ir_module *module, struct diag *diag,
                                      const struct ir_op *op)
{
    const struct ir_type *type = NULL;
    for (unsigned i = 0; i < op->region_count; i++) {
        const struct ir_type *branch = branch_type(op->regions[i]);
        if (branch != NULL)
            type = type == NULL ? branch : ir_type_join(module->context, type, branch);
    }
    if (type == NULL)
        return ir_type_any(module->context);
    if (op->block == NULL)
        return type; /* in no place yet, so in front of nothing */
    struct branch_symbols symbols = {.branch = op};
    type = ir_type_erase(module->context, type, is_known_behind, &symbols);
    map_finish(&symbols.inside);
    map_finish(&symbols.in_front);
    return type;
}

static const struct ir_type *infer_function(struct ir_module *module, struct diag *diag,
                                            const struct ir_op *op)
{
    const struct ir_attr *nested = ir_op_attr(op, "function");
    assert(nested->kind == IR_ATTR_FUNCTION);
    return ir_function_type(nested->function);
}

static const struct ir_type *infer_void(struct ir_module *module, struct diag *diag,
                                        const struct ir_op *op)
{
    return void_type(module);
}

static const struct ir_type *infer_declared(struct ir_module *module, struct diag *diag,
                                            const struct ir_op *op)
{
    if (op->declared != NULL)
        return op->declared;
    diag_report(diag, op->loc, TYPE_OUT_MISSING, op->info->name);
    return NULL;
}

static const struct ir_type *infer_declared_or_any(struct ir_module *module, struct diag *diag,
                                                   const struct ir_op *op)
{
    return op->declared != NULL ? op->declared : ir_type_any(module->context);
}

/* `both(0)` of a tuple is `both[0]`. */
static void help_brackets(struct diag_message *m, const struct ir_op *op,
                          const struct ir_type *callee)
{
    struct location item = location_argument(op->loc, 0, NULL);

    if (callee->kind != IR_TYPE_TUPLE || item.begin <= op->loc.begin + 1 ||
        item.end + 1 != op->loc.end)
        return;
    const char *text = item.source->text;
    if (strspn(text + item.begin, "0123456789") != item.end - item.begin ||
        text[item.begin - 1] != '(')
        return;
    struct location name = {item.source, op->loc.begin, item.begin - 1};
    diag_help(m, "parts of a tuple are in brackets");
    diag_help_edit(m, op->loc, "%.*s[%.*s]", LOCATION_TEXT(name), LOCATION_TEXT(item));
}

static const struct ir_type *call_result(struct ir_module *module, struct diag *diag,
                                         const struct ir_op *op, const struct ir_type *callee,
                                         unsigned first)
{
    switch (callee->kind) {
    case IR_TYPE_ANY:
    case IR_TYPE_PACKED:
        return infer_declared_or_any(module, diag, op);
    case IR_TYPE_FUNC:
        if (callee->is_opaque)
            return op->declared != NULL ? op->declared : callee->result;
        if (!ir_check_arguments(module, diag, op, callee, first))
            return NULL;
        return ir_type_call_result(module->context, callee, operand_types(module, op, first),
                                   op->operand_count - first);
    default:
        help_brackets(
            diag_report(diag, op->loc, TYPE_NOT_CALLABLE, ir_type_text(module->context, callee)),
            op, callee);
        return NULL;
    }
}

static const struct ir_type *infer_call(struct ir_module *module, struct diag *diag,
                                        const struct ir_op *op)
{
    const struct ir_global *callee = ir_op_callee(op);
    assert(callee != NULL);
    if (callee->type == NULL)
        return infer_declared_or_any(module, diag, op);
    return call_result(module, diag, op, callee->type, 0);
}

static const struct ir_type *infer_call_closure(struct ir_module *module, struct diag *diag,
                                                const struct ir_op *op)
{
    return call_result(module, diag, op, op->operands[0].value->type, 1);
}

static ir_infer_fn *const core_rules[IR_CORE_COUNT] = {
    [IR_CORE_constant] = infer_constant,
    [IR_CORE_shape] = infer_shape,
    [IR_CORE_prim] = infer_prim,
    [IR_CORE_string] = infer_any,
    [IR_CORE_dtype] = infer_any,
    [IR_CORE_global] = infer_global,
    [IR_CORE_extern_func] = infer_extern_func,
    [IR_CORE_null_value] = infer_any,
    [IR_CORE_call_value] = infer_any,
    [IR_CORE_tuple] = infer_tuple,
    [IR_CORE_tuple_get] = infer_tuple_get,
    [IR_CORE_bind] = infer_same,
    [IR_CORE_match_cast] = infer_match_cast,
    [IR_CORE_if] = infer_if,
    [IR_CORE_function] = infer_function,
    [IR_CORE_output] = infer_void,
    [IR_CORE_yield] = infer_same,
    [IR_CORE_return] = infer_same,
    [IR_CORE_call_tir] = infer_declared,
    [IR_CORE_call_tir_inplace] = infer_declared,
    [IR_CORE_call_tir_with_grad] = infer_declared,
    [IR_CORE_call_dps_packed] = infer_declared,
    [IR_CORE_call_packed] = infer_declared_or_any,
    [IR_CORE_call_pure_packed] = infer_declared_or_any,
    [IR_CORE_call_inplace_packed] = infer_declared_or_any,
    [IR_CORE_call_py_func] = infer_declared_or_any,
    [IR_CORE_call_builtin_with_ctx] = infer_declared_or_any,
    [IR_CORE_call] = infer_call,
    [IR_CORE_call_closure] = infer_call_closure,
    [IR_CORE_invoke_closure] = infer_declared_or_any,
    [IR_CORE_invoke_pure_closure] = infer_declared_or_any,
    [IR_CORE_make_closure] = infer_any,
};

bool ir_type_is_within_limits(struct diag *diag, struct location loc, const struct ir_type *type)
{
    struct diag_message *m;
    switch (type->excess) {
    case IR_TYPE_FITS:
        return true;
    case IR_TYPE_TOO_MANY_PARTS:
        m = diag_report(diag, loc, TYPE_TOO_MANY_PARTS, IR_TYPE_PART_LIMIT);
        diag_help(m, "keep the values apart instead of in tuples of tuples");
        return false;
    case IR_TYPE_TOO_DEEP:
        m = diag_report(diag, loc, TYPE_TOO_DEEP, IR_TYPE_DEPTH_LIMIT);
        diag_help(m, "put the values into one tuple, or keep them apart");
        return false;
    case IR_TYPE_MANY_DIMS:
        diag_report(diag, loc, TYPE_MANY_DIMS, IR_RANK_LIMIT);
        return false;
    case IR_TYPE_LARGE_DIM:
        m = diag_report(diag, loc, TYPE_LARGE_DIM, IR_DIM_SIZE_LIMIT, IR_DIM_DEPTH_LIMIT);
        diag_help(m, "let a name stand for a dimension before it grows: "
                     "`R.match_cast(.., R.Tensor((n,)))`");
        return false;
    }
    UNREACHABLE("excess of a type");
}

bool ir_op_infer(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    ir_infer_fn *rule = core_rules[op->info->core];
    if (rule == NULL)
        rule = op->info->infer != NULL ? op->info->infer : infer_declared_or_any;
    const struct ir_type *type = rule(module, diag, op);
    /* Without @diag, what is made is asked for by no script, and has a type of our own. */
    if (type == NULL || (diag != NULL && !ir_type_is_within_limits(diag, op->loc, type)))
        return false;
    op->result.type = type;
    return true;
}
