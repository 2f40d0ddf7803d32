/*
 * Expressions of Relax functions, in A-normal form on the fly.
 *
 * Whatever is nested becomes an op of its own without a name (the printer makes one up).  Scalar
 * expressions (symbols, numbers, T.*) become one inline leaf; operators on tensors become calls of
 * the operator library.
 */
#include "base/assert.h"
#include "frontend/tvmscript/names.h"
#include "frontend/tvmscript/relax.h"
#include "ops/ids.h"

#include <string.h>

enum {
    DEPTH_LIMIT = 256,
    PART_LIMIT =
        1 << 20, /* of all tuples of a script: what is known of a value is known of each part */
};

struct relax *relax_at(struct relax *r, struct location loc)
{
    r->b.loc = loc;
    return r;
}

bool relax_count_parts(struct relax *r, const struct ir_type *type, struct location loc)
{
    size_t count = type->part_count > 1 ? type->part_count : 0;
    bool was_full = r->f->part_count > PART_LIMIT;
    r->f->part_count += count;
    if (count == 0 || r->f->part_count <= PART_LIMIT)
        return true;
    if (!was_full) {
        struct diag_message *m = diag_report(r->f->diag, loc, TYPE_PARTS_TOGETHER, PART_LIMIT);
        diag_help(m, "give large tuples fewer names, and take the fields that are needed");
    }
    return false;
}

struct ir_value *relax_emit(struct relax *r, const struct ir_op_info *info,
                            struct ir_value *const *operands, unsigned count,
                            const struct ir_attr *const *attrs, const struct ir_type *declared)
{
    if ((info->traits & IR_INLINE) == 0)
        relax_open_block(r);
    struct ir_op *op = ir_build_declared(&r->b, info, operands, count, attrs, declared);
    if (op == NULL || !relax_count_parts(r, op->result.type, op->loc))
        return NULL;
    return &op->result;
}

struct ir_value *relax_emit_core(struct relax *r, enum ir_core core,
                                 struct ir_value *const *operands, unsigned count,
                                 const struct ir_attr *const *attrs, const struct ir_type *declared)
{
    return relax_emit(r, ir_core_op(r->f->context, core), operands, count, attrs, declared);
}

bool relax_is_number(const struct ast *a)
{
    if (a->kind == AST_UNARY && (a->op == AST_NEG || a->op == AST_POS))
        a = a->items[0];
    return a->kind == AST_INT || a->kind == AST_FLOAT || a->kind == AST_TRUE ||
           a->kind == AST_FALSE;
}

static bool is_scalar_name(struct relax *r, const struct ast *a)
{
    const struct name *name = scope_use(r->f, a);
    if (name == NULL)
        return false;
    return name->kind == NAME_VAR || name->kind == NAME_EXPR ||
           (name->kind == NAME_VALUE && (name->var != NULL || name->expr != NULL));
}

static bool is_scalar(struct relax *r, const struct ast *a, unsigned depth)
{
    if (depth > DEPTH_LIMIT)
        return false;
    switch (a->kind) {
    case AST_INT:
    case AST_FLOAT:
    case AST_TRUE:
    case AST_FALSE:
        return true;
    case AST_NAME:
        return is_scalar_name(r, a);
    case AST_UNARY:
    case AST_BINARY:
    case AST_COMPARE:
    case AST_AND:
    case AST_OR:
    case AST_TERNARY:
        for (unsigned i = 0; i < a->item_count; i++)
            if (!is_scalar(r, a->items[i], depth + 1))
                return false;
        return true;
    case AST_CALL: {
        const char *name = callee_name(r->f, a);
        return name != NULL && strncmp(name, "T.", 2) == 0;
    }
    default:
        return false;
    }
}

bool relax_is_scalar(struct relax *r, const struct ast *a)
{
    return is_scalar(r, a, 0);
}

static struct ir_value *not_a_value(struct relax *r, const struct ast *a, const char *what)
{
    struct diag_message *m = diag_report(r->f->diag, a->loc, TYPE_NOT_VALUE, what);
    if (is_dotted(r->f, a, "T.int64")) { /* n = T.int64 */
        diag_help(m, "a symbol is made by a call");
        diag_help_edit(m, location_behind(a->loc), "()");
    }
    return NULL;
}

/* `R.add[x, y]`: false: what is in front of the brackets is no operator. */
static bool report_square_call(struct relax *r, const struct ast *a)
{
    const char *name = dotted_name(r->f, a->items[0]);
    struct location inside = {a->loc.source, a->items[0]->loc.end + 1, a->loc.end - 1};

    if (name == NULL || strncmp(name, "R.", 2) != 0 || !ir_find_op(r->f->context, name + 2))
        return false;
    struct diag_message *m = diag_report(r->f->diag, a->loc, TYPE_NOT_VALUE,
                                         atom_printf(&r->f->context->atoms, "`%s`", name));
    diag_help(m, "arguments stand in `(..)`");
    if (a->loc.source->text[inside.begin - 1] == '[')
        diag_help_edit(m, (struct location){a->loc.source, inside.begin - 1, a->loc.end}, "(%.*s)",
                       LOCATION_TEXT(inside));
    return true;
}

/* An inline leaf gets its place, for messages about it. */
static struct ir_value *at(struct ir_value *leaf, struct location loc)
{
    if (leaf != NULL && ir_value_is_inline(leaf)) {
        leaf->loc = loc;
        leaf->def->loc = loc;
    }
    return leaf;
}

static struct ir_value *scalar(struct relax *r, const struct ast *a)
{
    struct ir_dtype wanted = a->kind == AST_FLOAT ? IR_F64 : IR_I64;
    const struct ir_expr *expr = scalar_translate(r->f, a, wanted);
    return expr != NULL ? ir_inline_prim(r->module, expr) : NULL;
}

static struct ir_value *name_value(struct relax *r, const struct ast *a)
{
    const struct name *name = scope_use(r->f, a);
    if (name == NULL) {
        relax_report_undefined(r, a);
        return NULL;
    }
    switch (name->kind) {
    case NAME_ERROR:
        return NULL;
    case NAME_VALUE:
        return name->value;
    case NAME_VAR:
        return ir_inline_prim(r->module, ir_expr_var(r->f->context, name->var));
    case NAME_EXPR:
        return ir_inline_prim(r->module, name->expr);
    case NAME_GLOBAL:
        return ir_inline_global(r->module, name->global);
    case NAME_CLASS:
        return not_a_value(r, a, "the module");
    default:
        return not_a_value(r, a, "this name");
    }
}

bool relax_operands(struct relax *r, struct ast *const *items, unsigned count,
                    struct ir_value **out_values)
{
    bool ok = true;
    for (unsigned i = 0; i < count; i++) {
        if (items[i]->kind == AST_STARRED || items[i]->kind == AST_KEYWORD) {
            relax_refuse_argument(r, items[i]);
            ok = false;
            continue;
        }
        out_values[i] = relax_operand(r, items[i]);
        ok = ok && out_values[i] != NULL;
    }
    return ok;
}

struct ir_value *relax_tuple(struct relax *r, struct ast *const *items, unsigned count,
                             struct location loc)
{
    struct ir_value **values = arena_array(&r->f->arena, struct ir_value *, count + 1);
    if (relax_report_spread_list(r, items, count, loc) || !relax_operands(r, items, count, values))
        return NULL;
    struct ir_value *tuple = ir_inline_tuple(r->module, values, count);
    bool ok = ir_type_is_within_limits(r->f->diag, loc, tuple->type) &&
              relax_count_parts(r, tuple->type, loc);
    return ok ? tuple : NULL;
}

/* Operators */

struct operator_row {
    enum ast_op op;
    const char *sign;
    enum op_id id; /* OP_none: no operator of Relax */
};

static const struct operator_row operators[] = {
    {AST_ADD, "+", OP_add},          {AST_SUB, "-", OP_subtract},
    {AST_MUL, "*", OP_multiply},     {AST_DIV, "/", OP_divide},
    {AST_MOD, "%", OP_mod},          {AST_FLOORDIV, "//", OP_floor_divide},
    {AST_POW, "**", OP_power},       {AST_NEG, "-", OP_negative},
    {AST_LT, "<", OP_less},          {AST_LE, "<=", OP_less_equal},
    {AST_GT, ">", OP_greater},       {AST_GE, ">=", OP_greater_equal},
    {AST_EQ, "==", OP_none},         {AST_NE, "!=", OP_none},
    {AST_MATMUL, "@", OP_none},      {AST_SHL, "<<", OP_none},
    {AST_SHR, ">>", OP_none},        {AST_BITAND, "&", OP_none},
    {AST_BITOR, "|", OP_none},       {AST_BITXOR, "^", OP_none},
    {AST_POS, "+", OP_none},         {AST_INVERT, "~", OP_none},
    {AST_NOT, "not", OP_none},       {AST_IN, "in", OP_none},
    {AST_NOT_IN, "not in", OP_none}, {AST_IS, "is", OP_none},
    {AST_IS_NOT, "is not", OP_none},
};

static struct ir_dtype dtype_of_value(const struct ir_value *value)
{
    return value != NULL && value->type->kind == IR_TYPE_TENSOR ? value->type->dtype : IR_VOID;
}

static struct ir_value *operator_call(struct relax *r, const struct ast *a, enum ast_op op)
{
    const struct operator_row *row = operators;
    while (row->op != op)
        row++;
    if (row->id == OP_none)
        return relax_no_operator(r, a, row->sign);
    struct ir_value *values[2] = {NULL, NULL};
    unsigned count = a->item_count;
    assert(count == 1 || count == 2);
    for (unsigned i = 0; i < count; i++)
        if (a->items[i]->kind == AST_STRING)
            return relax_not_a_number(r, a->items[i]);
    /* Bare numbers last: they take the dtype of the other operand. */
    for (unsigned i = 0; i < count; i++)
        if (!relax_is_number(a->items[i]))
            values[i] = relax_operand(r, a->items[i]);
    for (unsigned i = 0; i < count; i++)
        if (relax_is_number(a->items[i]) && values[1 - i] != NULL)
            values[i] = relax_argument(r, a->items[i], dtype_of_value(values[1 - i]));
    for (unsigned i = 0; i < count; i++)
        if (values[i] == NULL)
            return NULL;
    const struct ir_op_info *info = ir_library_op(r->f->context, row->id);
    return relax_emit(relax_at(r, a->loc), info, values, count, NULL, NULL);
}

static struct ir_value *operator_value(struct relax *r, const struct ast *a)
{
    switch (a->kind) {
    case AST_UNARY:
    case AST_BINARY:
        return operator_call(r, a, a->op);
    case AST_COMPARE:
        if (a->item_count == 2)
            return operator_call(r, a, a->ops[0]);
        diag_report(r->f->diag, a->loc, TYPE_OPERATOR, "a < b < c", "Relax values");
        return NULL;
    default:
        return relax_no_operator(r, a,
                                 a->kind == AST_AND  ? "and"
                                 : a->kind == AST_OR ? "or"
                                                     : "if");
    }
}

/* Parts and members */

struct ir_value *relax_tuple_get(struct relax *r, struct location loc, struct ir_value *tuple,
                                 int64_t index)
{
    if (ir_value_is_inline(tuple) && ir_op_is(tuple->def, IR_CORE_tuple) && index >= 0 &&
        index < tuple->def->operand_count) {
        r->b.loc = loc;
        return ir_build_tuple_get(&r->b, tuple, (unsigned)index);
    }
    const struct ir_attr *attrs[] = {ir_attr_int(r->f->context, index)};
    return relax_emit_core(relax_at(r, loc), IR_CORE_tuple_get, &tuple, 1, attrs, NULL);
}

/* x.shape of a value */
static bool is_shape(struct relax *r, const struct ast *a)
{
    const struct name *name = a->kind == AST_ATTRIBUTE && a->items[0]->kind == AST_NAME
                                  ? scope_find(r->f, a->items[0]->name)
                                  : NULL;
    return name != NULL && name->kind == NAME_VALUE && strcmp(a->name, "shape") == 0 &&
           name->value->type->kind == IR_TYPE_TENSOR;
}

static struct ir_value *subscript(struct relax *r, const struct ast *a)
{
    if (metadata_is_reference(a)) {
        const struct ir_constant *constant = metadata_constant(r->f, a);
        return constant != NULL ? ir_inline_constant(r->module, constant) : NULL;
    }
    int64_t index;
    if (is_shape(r, a->items[0])) {
        help_member(
            r->f,
            diag_report(r->f->diag, a->items[0]->name_loc, TYPE_ATTRIBUTE, "a tensor", "shape"), a);
        return NULL;
    }
    if (report_square_call(r, a))
        return NULL;
    struct ir_value *value = relax_operand(r, a->items[0]);
    if (value == NULL)
        return NULL;
    bool is_lost = a->item_count == 2 && a->items[1]->kind == AST_ERROR;
    if (value->type->kind == IR_TYPE_TENSOR && !is_lost) {
        struct diag_message *m = diag_report(r->f->diag, a->loc, TYPE_NOT_TUPLE,
                                             ir_type_text(r->f->context, value->type));
        if (!help_both(m, value))
            help_row(r->f, m, a);
        return NULL;
    }
    if (a->item_count == 2 && !a->is_tuple && ast_int_literal(a->items[1], &index))
        return relax_tuple_get(r, a->loc, value, index);
    if (!is_lost)
        diag_report(r->f->diag, a->loc, TYPE_INDEX);
    return NULL;
}

/* `cls` or another name of the module. */
static bool is_module(struct relax *r, const struct ast *a)
{
    const struct name *name = a->kind == AST_NAME ? scope_use(r->f, a) : NULL;
    return name != NULL && name->kind == NAME_CLASS;
}

static struct ir_global *member(struct relax *r, const struct ast *a)
{
    struct ir_global *global = ir_module_find(r->module, a->name);
    bool is_lost = r->f->syntax_error != UINT32_MAX || map_has(&r->f->lost_functions, a->name);
    if (global == NULL && !is_lost)
        help_module_function(r->f, diag_report(r->f->diag, a->name_loc, GRAPH_NO_FUNCTION, a->name),
                             a);
    names_use_global(r->f, global, a->name_loc);
    return global;
}

/* @a, whose method or attribute @whole is. */
static struct ir_value *receiver(struct relax *r, const struct ast *whole, const struct ast *a)
{
    const struct ast *chain = r->chain;

    if (chain == NULL)
        r->chain = whole;
    struct ir_value *value = relax_operand(r, a);
    r->chain = chain;
    return value;
}

static struct ir_value *attribute(struct relax *r, const struct ast *a)
{
    if (is_module(r, a->items[0])) {
        struct ir_global *global = member(r, a);
        return global != NULL ? ir_inline_global(r->module, global) : NULL;
    }
    const char *name = dotted_name(r->f, a);
    if (name != NULL)
        return not_a_value(r, a, atom_printf(&r->f->context->atoms, "`%s`", name));
    if (report_library_number(r->f, a))
        return NULL;
    struct ir_value *value = receiver(r, a, a->items[0]);
    if (value == NULL)
        return NULL;
    struct diag_message *m = diag_report(r->f->diag, a->name_loc, TYPE_ATTRIBUTE,
                                         ir_type_text(r->f->context, value->type), a->name);
    if (value->type->kind == IR_TYPE_TUPLE)
        help_part_name(m, a, value->type->field_count);
    else if (strcmp(a->name, "ndim") == 0 || strcmp(a->name, "dtype") == 0)
        help_member(r->f, m, a);
    else
        help_method(r->f, m, a, NULL, r->chain);
    return NULL;
}

/* Calls */

static struct ir_value *call_global(struct relax *r, const struct ast *a, struct ir_global *global)
{
    const struct ast *def = map_get(&r->f->definitions, global->name);
    struct ir_value **values;
    unsigned count;
    if (!relax_call_operands(r, a, def, &values, &count) || map_has(&r->f->doubtful, global->name))
        return NULL;
    const struct ir_type *declared = NULL;
    if (global->kind == IR_GLOBAL_KERNEL && global->kernel != NULL)
        declared = ir_dtype_is_void(global->kernel->result)
                       ? ir_type_tuple(r->f->context, NULL, 0)
                       : ir_type_prim(r->f->context, global->kernel->result);
    const struct ir_attr *attrs[] = {ir_attr_global(r->f->context, global)};
    return relax_emit_core(relax_at(r, a->loc), IR_CORE_call, values, count, attrs, declared);
}

static struct ir_value *call_value(struct relax *r, const struct ast *a, struct ir_value *callee)
{
    unsigned count;
    struct ir_value **given;
    if (callee == NULL || !relax_call_operands(r, a, NULL, &given, &count))
        return NULL;
    struct ir_value **values = arena_array(&r->f->arena, struct ir_value *, count + 1);
    values[0] = callee;
    if (count > 0)
        memcpy(values + 1, given, count * sizeof(*values));
    return relax_emit_core(relax_at(r, a->loc), IR_CORE_call_closure, values, count + 1, NULL,
                           NULL);
}

/* x.astype("float16") */
static struct ir_value *method(struct relax *r, const struct ast *a)
{
    const struct ast *callee = a->items[0];
    struct ir_value *value = receiver(r, a, callee->items[0]);
    struct ir_dtype dtype;
    const struct ir_op_info *info = ir_find_op(r->f->context, callee->name);
    if (value == NULL)
        return NULL;
    if (strcmp(callee->name, "astype") != 0 || info == NULL || info->attr_count != 1 ||
        a->item_count != 2) {
        help_method(r->f,
                    diag_report(r->f->diag, callee->name_loc, TYPE_ATTRIBUTE,
                                ir_type_text(r->f->context, value->type), callee->name),
                    callee, a, r->chain);
        return NULL;
    }
    const struct ast *argument = call_arg(a, 0, "dtype");
    if (argument == NULL || !dtype_translate(r->f, argument, &dtype))
        return NULL;
    const struct ir_attr *attrs[] = {ir_attr_dtype(r->f->context, dtype)};
    return relax_emit(relax_at(r, a->loc), info, &value, 1, attrs, NULL);
}

static struct ir_value *namespace_call(struct relax *r, const struct ast *a, const char *name)
{
    if (strncmp(name, "R.", 2) != 0) {
        if (strncmp(name, "T.", 2) == 0)
            return relax_report_scalar_call(r, a, name + 2) ? NULL : scalar(r, a);
        diag_report(r->f->diag, a->loc, TYPE_NOT_VALUE,
                    atom_printf(&r->f->context->atoms, "`%s(..)`", name));
        return NULL;
    }
    if (strncmp(name, "R.op.", 5) == 0) /* tvm.relax.op.add */
        name += 3;
    bool is_leaf;
    enum ir_core core;
    struct ir_value *value = relax_leaf(r, a, name + 2, &is_leaf);
    if (is_leaf)
        return value;
    relax_special_fn *special = relax_find_special(name + 2, &core);
    if (special != NULL)
        return special(r, a, core);
    return relax_library_call(r, a, name + 2);
}

static struct ir_value *call(struct relax *r, const struct ast *a)
{
    const char *name = callee_name(r->f, a);
    const struct ast *callee = a->items[0];
    if (name != NULL)
        return namespace_call(r, a, name);
    if (callee->kind == AST_ATTRIBUTE && is_module(r, callee->items[0])) {
        struct ir_global *global = member(r, callee);
        return global != NULL ? call_global(r, a, global) : NULL;
    }
    if (callee->kind == AST_ATTRIBUTE)
        return report_library(r->f, a) ? NULL : method(r, a);
    if (callee->kind == AST_NAME && scope_find(r->f, callee->name) == NULL &&
        (strcmp(callee->name, "float") == 0 || strcmp(callee->name, "int") == 0)) {
        report_float(r->f, a);
        return NULL;
    }
    if (callee->kind == AST_NAME) {
        const struct name *found = scope_use(r->f, callee);
        if (found != NULL && found->kind == NAME_GLOBAL)
            return call_global(r, a, found->global);
    }
    return call_value(r, a, relax_operand(r, callee));
}

static struct ir_value *operand(struct relax *r, const struct ast *a)
{
    switch (a->kind) {
    case AST_ERROR:
        return NULL;
    case AST_NAME:
        return name_value(r, a);
    case AST_STRING:
        return ir_inline_string(r->module, a->string);
    case AST_NONE:
        return not_a_value(r, a, "None");
    case AST_INT:
    case AST_FLOAT:
    case AST_TRUE:
    case AST_FALSE:
        return scalar(r, a);
    case AST_TUPLE:
    case AST_LIST:
        return relax_tuple(r, a->items, a->item_count, a->loc);
    case AST_UNARY:
    case AST_BINARY:
    case AST_COMPARE:
    case AST_AND:
    case AST_OR:
    case AST_TERNARY:
        return relax_is_scalar(r, a) ? scalar(r, a) : operator_value(r, a);
    case AST_CALL:
        return call(r, a);
    case AST_ATTRIBUTE:
        return attribute(r, a);
    case AST_SUBSCRIPT:
        return subscript(r, a);
    case AST_STARRED:
        relax_refuse_argument(r, a);
        return NULL;
    default:
        return not_a_value(r, a, "this expression");
    }
}

struct ir_value *relax_operand(struct relax *r, const struct ast *a)
{
    if (r->f->depth >= DEPTH_LIMIT) {
        diag_report(r->f->diag, a->loc, SYNTAX_NESTING, DEPTH_LIMIT);
        return NULL;
    }
    r->f->depth++;
    struct ir_value *value = at(operand(r, a), a->loc);
    r->f->depth--;
    return value;
}

struct ir_value *relax_bindable(struct relax *r, const struct ast *a)
{
    return relax_bound(
        r, a, relax_is_number(a) ? relax_number_constant(r, a, IR_VOID) : relax_operand(r, a));
}

struct ir_value *relax_bound(struct relax *r, const struct ast *a, struct ir_value *value)
{
    if (value == NULL)
        return NULL;
    bool is_inline = ir_value_is_inline(value);
    if (is_inline && ir_op_is(value->def, IR_CORE_tuple)) {
        relax_open_block(r);
        ir_op_append(r->b.block, value->def);
        return value;
    }
    if (!is_inline && value->def != NULL && value->name == NULL)
        return value;
    return relax_emit_core(relax_at(r, a->loc), IR_CORE_bind, &value, 1, NULL, NULL);
}
