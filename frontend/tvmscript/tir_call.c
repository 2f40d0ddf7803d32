/*
 * Calls in kernels and shapes: T.<function>(..), methods of buffers, functions of the module.
 *
 * A function is, in this order: a dtype (T.float32(x)), a kind of expression with a form of its own
 * (the table `special_calls`), an operator by its name (T.FloorDiv), or a row of ir/intrinsics.def.
 */
#include "base/text.h"
#include "frontend/tvmscript/tir.h"
#include "ir/intrinsics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef const struct ir_expr *call_fn(struct frontend *f, const struct ast *call);

const struct ir_expr *call_report_count(struct frontend *f, const struct ast *call,
                                        const char *name, const char *takes)
{
    diag_report(f->diag, call->loc, KERNEL_CALL_COUNT, name, takes, call->item_count - 1);
    return NULL;
}

/* True if @call has @count positional arguments and none by name but `dtype`, which is ignored. */
bool call_check_count(struct frontend *f, const struct ast *call, unsigned count)
{
    static const char *const takes[] = {"no argument", "1 argument", "2 arguments", "3 arguments"};
    static const char *const names[] = {"dtype", NULL};

    if (call_positional_count(call) != count) {
        struct diag_message *m =
            diag_report(f->diag, decimal_comma_place(call, count, call->loc), KERNEL_CALL_COUNT,
                        callee_name(f, call), takes[count], call->item_count - 1);
        help_decimal_comma(m, call, count);
        return false;
    }
    for (unsigned i = count + 1; i < call->item_count; i++)
        if (strcmp(call->items[i]->name, names[0]) != 0) {
            diag_report(f->diag, call->items[i]->name_loc, ARG_UNKNOWN, call->items[i]->name);
            return false;
        }
    return true;
}

/* --- literals and casts --- */

/* `"-nf"` */
static void help_number_word(struct diag_message *m, const struct ast *string)
{
    static const char *const words[] = {"inf", "-inf", "nan"};
    struct text_nearest nearest = text_nearest_to(string->string);

    for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
        text_nearest_offer(&nearest, words[i]);
        if (has_one_more(words[i], string->string)) { /* short words are near to none */
            nearest = (struct text_nearest){.found = words[i]};
            break;
        }
    }
    if (nearest.found && !nearest.other) {
        diag_help(m, "write `\"%s\"`", nearest.found);
        diag_help_edit(m, string->loc, "\"%s\"", nearest.found);
    }
}

static const struct ir_expr *special_float(struct frontend *f, const struct ast *string,
                                           struct ir_dtype dtype)
{
    char *end;
    double value = strtod(string->string, &end);

    if (end == string->string || *end || !ir_dtype_is_float(dtype)) {
        struct diag_message *m =
            diag_report(f->diag, string->loc, KERNEL_LITERAL, "this string", dtype_text(f, dtype));
        if (ir_dtype_is_float(dtype))
            help_number_word(m, string);
        return NULL;
    }
    return ir_expr_float(f->context, dtype, value);
}

static const struct ir_expr *cast_to(struct frontend *f, const struct ast *a, struct ir_dtype dtype)
{
    struct constant constant;
    bool failed = false;

    if (a->kind == AST_STRING)
        return special_float(f, a, dtype);
    if (constant_evaluate(f, a, &constant, &failed))
        return constant_literal(f, a->loc, &constant, dtype);
    const struct ir_expr *value = failed ? NULL : scalar_translate(f, a, dtype);
    if (value && dtype.lanes > 1 && value->dtype.lanes == 1)
        value = ir_expr_new(f->context, IR_EXPR_broadcast,
                            (struct ir_dtype){value->dtype.code, value->dtype.bits, dtype.lanes},
                            &value, 1);
    return value ? tir_convert(f, value, dtype) : NULL;
}

static const struct ir_expr *call_dtype(struct frontend *f, const struct ast *call,
                                        struct ir_dtype dtype)
{
    if (call->item_count == 1 || dtype.code == IR_HANDLE) {
        struct diag_message *m = diag_report(f->diag, call->loc, KERNEL_SCALAR, "a declaration");
        diag_help(m, "give it a name: `x = %s()`", callee_name(f, call));
        return NULL;
    }
    return call_check_count(f, call, 1) ? cast_to(f, call->items[1], dtype) : NULL;
}

static const struct ir_expr *call_cast(struct frontend *f, const struct ast *call)
{
    bool is_lower = strcmp(call->items[0]->name, "cast") == 0;
    const struct ast *first = call_arg(call, 0, is_lower ? "value" : "dtype");
    const struct ast *second = call_arg(call, 1, is_lower ? "dtype" : "value");
    struct ir_dtype dtype;

    if (!first || !second || call->item_count != 3)
        return call_report_count(f, call, callee_name(f, call), "a dtype and a value");
    if (is_lower && first->kind == AST_STRING) { /* in the order of T.Cast */
        struct diag_message *m = diag_report(f->diag, first->loc, KERNEL_ARGUMENT,
                                             "the first argument of T.cast", "a value");
        diag_help(m, "`T.Cast` takes the dtype first");
        diag_help_edit(m, call->items[0]->name_loc, "Cast");
        return NULL;
    }
    if (!is_lower && second->kind == AST_STRING && ir_dtype_parse(second->string, &dtype) &&
        first->kind != AST_STRING && !dtype_of_name(dotted_name(f, first), &dtype)) {
        struct diag_message *m = diag_report(f->diag, first->loc, KERNEL_ARGUMENT,
                                             "the first argument of T.Cast", "a dtype");
        diag_help(m, "the dtype comes first");
        diag_help_swap(m, first->loc, second->loc);
        return NULL;
    }
    if (!dtype_translate(f, is_lower ? second : first, &dtype))
        return NULL;
    const struct ir_expr *value = scalar_translate(f, is_lower ? first : second, IR_VOID);
    if (!value || is_lower)
        return value ? tir_convert(f, value, dtype) : NULL;
    /* T.Cast is the node itself: it folds nothing */
    return ir_expr_new(f->context, IR_EXPR_cast, dtype, &value, 1);
}

/* T.FloatImm("float32", 0.1), T.IntImm("int32", 1), T.const(1, "int64") */
static const struct ir_expr *call_literal(struct frontend *f, const struct ast *call)
{
    bool is_const = strcmp(call->items[0]->name, "const") == 0;
    const struct ast *type = call_arg(call, is_const, "dtype");
    const struct ast *value = call_arg(call, !is_const, "value");
    struct ir_dtype dtype;

    if (!value || (!type && !is_const))
        return call_report_count(f, call, callee_name(f, call), "a dtype and a value");
    if (!type)
        return scalar_translate(f, value, IR_VOID);
    return dtype_translate(f, type, &dtype) ? cast_to(f, value, dtype) : NULL;
}

/* T.min_value("int8"), T.max_value, T.infinity */
static const struct ir_expr *call_limit(struct frontend *f, const struct ast *call)
{
    const char *name = call->items[0]->name;
    bool is_min = strcmp(name, "min_value") == 0;
    struct ir_dtype dtype;
    double limit = 0;

    if (!call_check_count(f, call, 1) || !dtype_translate(f, call->items[1], &dtype))
        return NULL;
    if (strcmp(name, "infinity") == 0)
        limit = INFINITY;
    else if (dtype.code == IR_FLOAT)
        limit = dtype.bits == 16   ? 65504
                : dtype.bits == 32 ? 0x1.fffffep127
                                   : 0x1.fffffffffffffp1023;
    else if (dtype.code == IR_BFLOAT)
        limit = 0x1.fep127;
    if (limit > 0 && ir_dtype_is_float(dtype))
        return ir_expr_float(f->context, dtype, is_min ? -limit : limit);
    if (!ir_dtype_is_int(dtype)) {
        diag_report(f->diag, call->items[1]->loc, KERNEL_ARGUMENT, "the dtype",
                    "an integer or a float");
        return NULL;
    }
    bool is_signed = dtype.code == IR_INT;
    uint64_t most = UINT64_MAX >> (64 - dtype.bits + is_signed);
    return ir_expr_int(f->context, dtype,
                       is_min ? (is_signed ? -(int64_t)most - 1 : 0) : (int64_t)most);
}

/* --- operators by name --- */

static const struct {
    const char *name;
    enum ir_expr_kind kind;
} named_operators[] = {
#define EXPR(kind, ...)
#define BINARY_EXPR(kind, sign, function, doc) {function, IR_EXPR_##kind},
#include "ir/exprs.def"
    {"Mod", IR_EXPR_mod},           {"truncdiv", IR_EXPR_div},      {"floordiv", IR_EXPR_floordiv},
    {"floormod", IR_EXPR_floormod}, {"indexdiv", IR_EXPR_floordiv}, {"indexmod", IR_EXPR_floormod},
    {"Min", IR_EXPR_min},           {"Max", IR_EXPR_max},
};

static const struct ir_expr *call_operator(struct frontend *f, const struct ast *call,
                                           enum ir_expr_kind kind)
{
    const struct ir_expr *left, *right;

    if (!call_check_count(f, call, 2))
        return NULL;
    if (kind == IR_EXPR_and || kind == IR_EXPR_or) {
        left = condition_translate(f, call->items[1]);
        right = condition_translate(f, call->items[2]);
    } else if (!operands_translate(f, call->items[1], call->items[2], &left, &right)) {
        return NULL;
    }
    if (!left || !right || !tir_match(f, call->loc, &left, &right))
        return NULL;
    return ir_expr_binary(f->context, kind, left, right);
}

/* T.ceildiv(a, b): (a + b - 1) // b */
static const struct ir_expr *call_ceildiv(struct frontend *f, const struct ast *call)
{
    const struct ir_expr *a, *b;

    if (!call_check_count(f, call, 2) ||
        !operands_translate(f, call->items[1], call->items[2], &a, &b) ||
        !tir_match(f, call->loc, &a, &b))
        return NULL;
    if (!ir_dtype_is_int(a->dtype)) {
        diag_report(f->diag, call->loc, KERNEL_OPERATOR, "ceildiv", dtype_text(f, a->dtype));
        return NULL;
    }
    const struct ir_expr *one = ir_expr_int(f->context, b->dtype, 1);
    const struct ir_expr *sum = ir_expr_binary(f->context, IR_EXPR_add, a, b);
    sum = ir_expr_binary(f->context, IR_EXPR_sub, sum, one);
    return ir_expr_binary(f->context, IR_EXPR_floordiv, sum, b);
}

static const struct ir_expr *call_not(struct frontend *f, const struct ast *call)
{
    const struct ir_expr *operand =
        call_check_count(f, call, 1) ? condition_translate(f, call->items[1]) : NULL;

    return operand ? ir_expr_not(f->context, operand) : NULL;
}

/* T.Select(c, a, b), T.if_then_else(c, a, b) */
static const struct ir_expr *call_select(struct frontend *f, const struct ast *call)
{
    bool is_select = strcmp(call->items[0]->name, "Select") == 0;
    const struct ast *condition = call_arg(call, 0, is_select ? "condition" : "cond");
    const struct ast *a = call_arg(call, 1, is_select ? "true_value" : "t");
    const struct ast *b = call_arg(call, 2, is_select ? "false_value" : "f");
    const struct ir_expr *operands[3];

    if (!condition || !a || !b)
        return call_report_count(f, call, callee_name(f, call), "3 arguments");
    operands[0] = condition_translate(f, condition);
    if (!operands_translate(f, a, b, &operands[1], &operands[2]) || !operands[0] ||
        !tir_match(f, call->loc, &operands[1], &operands[2]))
        return NULL;
    if (is_select)
        return ir_expr_select(f->context, operands[0], operands[1], operands[2]);
    return ir_expr_call(f->context, operands[1]->dtype, "if_then_else", operands, 3);
}

/* --- vectors --- */

static bool read_lanes(struct frontend *f, const struct ast *a, uint16_t *out_lanes)
{
    int64_t lanes = 0;
    const struct ir_expr *value =
        ast_int_literal(a, &lanes) ? NULL : scalar_translate(f, a, IR_I32);

    if (value && value->kind == IR_EXPR_int)
        lanes = value->int_value;
    if (lanes < 1 || lanes > UINT16_MAX) {
        diag_report(f->diag, a->loc, KERNEL_ARGUMENT, "the number of lanes",
                    "a literal from 1 to 65535");
        return false;
    }
    *out_lanes = (uint16_t)lanes;
    return true;
}

static const struct ir_expr *call_broadcast(struct frontend *f, const struct ast *call)
{
    const struct ast *value = call_arg(call, 0, "value"), *count = call_arg(call, 1, "lanes");
    uint16_t lanes;

    if (!value || !count)
        return call_report_count(f, call, callee_name(f, call), "2 arguments");
    const struct ir_expr *operand = scalar_translate(f, value, IR_VOID);
    if (!operand || !read_lanes(f, count, &lanes))
        return NULL;
    struct ir_dtype dtype = {operand->dtype.code, operand->dtype.bits, lanes};
    return ir_expr_new(f->context, IR_EXPR_broadcast, dtype, &operand, 1);
}

static const struct ir_expr *call_ramp(struct frontend *f, const struct ast *call)
{
    const struct ast *base = call_arg(call, 0, "base"), *stride = call_arg(call, 1, "stride");
    const struct ast *count = call_arg(call, 2, "lanes");
    const struct ir_expr *operands[2];
    uint16_t lanes;

    if (!base || !stride || !count)
        return call_report_count(f, call, callee_name(f, call), "3 arguments");
    if (!operands_translate(f, base, stride, &operands[0], &operands[1]) ||
        !tir_match(f, call->loc, &operands[0], &operands[1]) || !read_lanes(f, count, &lanes))
        return NULL;
    struct ir_dtype dtype = {operands[0]->dtype.code, operands[0]->dtype.bits, lanes};
    return ir_expr_new(f->context, IR_EXPR_ramp, dtype, operands, 2);
}

/* T.Shuffle([vectors], [indices]) */
static const struct ir_expr *call_shuffle(struct frontend *f, const struct ast *call)
{
    const struct ir_expr *const *vectors, *const *indices;
    unsigned vector_count, index_count;

    if (!call_check_count(f, call, 2) ||
        !scalars_translate(f, call->items[1], IR_VOID, &vectors, &vector_count) ||
        !scalars_translate(f, call->items[2], IR_VOID, &indices, &index_count))
        return NULL;
    if (vector_count == 0 || index_count == 0 || index_count > UINT16_MAX) {
        diag_report(f->diag, call->loc, KERNEL_ARGUMENT, "the lists of T.Shuffle", "not empty");
        return NULL;
    }
    const struct ir_expr **operands =
        arena_array(&f->arena, const struct ir_expr *, vector_count + index_count);
    memcpy(operands, vectors, vector_count * sizeof(operands[0]));
    memcpy(operands + vector_count, indices, index_count * sizeof(operands[0]));
    struct ir_dtype dtype = vectors[0]->dtype;
    dtype.lanes = (uint16_t)index_count;
    return ir_expr_shuffle(f->context, dtype, vector_count, operands, vector_count + index_count);
}

/* T.Let(body, where={v: e}) */
static const struct ir_expr *call_let(struct frontend *f, const struct ast *call)
{
    const struct ast *body = call_arg(call, 0, "expr"), *where = call_arg(call, 1, "where");

    if (!body || !where || where->kind != AST_DICT || where->item_count != 2 ||
        where->items[0]->kind != AST_NAME) {
        diag_report(f->diag, call->loc, KERNEL_ARGUMENT, "`where` of T.Let",
                    "a dict of one variable and its value");
        return NULL;
    }
    const struct ir_expr *var = scalar_translate(f, where->items[0], IR_VOID);
    if (!var || var->kind != IR_EXPR_var) {
        if (var)
            diag_report(f->diag, where->items[0]->loc, KERNEL_ARGUMENT, "the key", "a variable");
        return NULL;
    }
    const struct ir_expr *value = scalar_translate(f, where->items[1], var->dtype);
    const struct ir_expr *inner = scalar_translate(f, body, IR_VOID);
    if (!value || !inner || (var->dtype.lanes == 1 && !scalar_only(f, where->items[1], value)))
        return NULL;
    return ir_expr_let(f->context, var->var, tir_convert(f, value, var->dtype), inner);
}

/* --- storage --- */

static const struct ir_expr *first_element(struct frontend *f, const struct ir_buffer *buffer)
{
    const struct ir_expr **zeros = arena_array(&f->arena, const struct ir_expr *, buffer->ndim + 1);

    for (unsigned i = 0; i < buffer->ndim; i++)
        zeros[i] = ir_expr_int(f->context, IR_I32, 0);
    return ir_expr_load(f->context, buffer, zeros, buffer->ndim);
}

static const struct ir_expr *call_address_of(struct frontend *f, const struct ast *call)
{
    if (!call_check_count(f, call, 1))
        return NULL;
    const struct ir_buffer *buffer = buffer_of(f, call->items[1]);
    const struct ir_expr *element =
        buffer ? first_element(f, buffer) : scalar_translate(f, call->items[1], IR_VOID);
    if (element && element->kind != IR_EXPR_load && element->kind != IR_EXPR_var) {
        diag_report(f->diag, call->items[1]->loc, KERNEL_ARGUMENT, "the argument of T.address_of",
                    "an element of a buffer");
        return NULL;
    }
    return element ? ir_expr_call(f->context, IR_PTR, "address_of", &element, 1) : NULL;
}

static const struct ir_expr *call_meta_var(struct frontend *f, const struct ast *call)
{
    return call_check_count(f, call, 1) ? scalar_translate(f, call->items[1], IR_VOID) : NULL;
}

static const struct special_call {
    const char *name;
    call_fn *fn;
} special_calls[] = {
    {"Cast", call_cast},
    {"cast", call_cast},
    {"min_value", call_limit},
    {"max_value", call_limit},
    {"infinity", call_limit},
    {"ceildiv", call_ceildiv},
    {"Not", call_not},
    {"Select", call_select},
    {"if_then_else", call_select},
    {"Broadcast", call_broadcast},
    {"Ramp", call_ramp},
    {"broadcast", call_broadcast},
    {"ramp", call_ramp},
    {"Shuffle", call_shuffle},
    {"Let", call_let},
    {"FloatImm", call_literal},
    {"IntImm", call_literal},
    {"const", call_literal},
    {"address_of", call_address_of},
    {"meta_var", call_meta_var},
};

static const struct ir_expr *call_by_name(struct frontend *f, const struct ast *call,
                                          const char *dotted)
{
    const char *name =
        strncmp(dotted, "T.", 2) == 0 || strncmp(dotted, "I.", 2) == 0 ? dotted + 2 : dotted;
    const struct ir_intrinsic *intrinsic = ir_intrinsic_find(name);
    struct ir_dtype dtype;

    if (dtype_of_name(dotted, &dtype))
        return call_dtype(f, call, dtype);
    for (size_t i = 0; i < ARRAY_SIZE(special_calls); i++)
        if (strcmp(name, special_calls[i].name) == 0)
            return call_check_form(f, call) ? special_calls[i].fn(f, call) : NULL;
    for (size_t i = 0; i < ARRAY_SIZE(named_operators); i++)
        if (strcmp(name, named_operators[i].name) == 0)
            return call_operator(f, call, named_operators[i].kind);
    if (intrinsic)
        return intrinsic_translate(f, call, intrinsic);
    if (is_device_function(name))
        return device_call_translate(f, call, name);
    struct diag_message *m = diag_report(f->diag, call->items[0]->loc, KERNEL_FUNCTION, dotted);
    if (!help_known_function(f, m, call) && !help_clamp(m, call))
        help_kernel_function(m, call->items[0]);
    return NULL;
}

/* `a[i].max(b[i])`: a function of T whose first argument is in front of the dot. */
static bool help_scalar_method(struct diag_message *m, const struct ast *call)
{
    const struct ast *callee = call->items[0];
    const char *name = callee->kind == AST_ATTRIBUTE ? callee->name : NULL;
    bool is_known = name && ir_intrinsic_find(name);

    for (size_t i = 0; name && i < ARRAY_SIZE(named_operators); i++)
        is_known |= strcmp(name, named_operators[i].name) == 0;
    if (!is_known || callee->items[0]->kind == AST_NAME)
        return false;
    struct location open = {call->loc.source, callee->loc.end + 1, call->loc.end - 1};
    bool has_more = call->item_count > 1;
    diag_help(m, "functions stand in front: `T.%s`", name);
    if (call->loc.source->text[callee->loc.end] == '(')
        diag_help_edit(m, call->loc, "T.%s(%.*s%s%.*s)", name, LOCATION_TEXT(callee->items[0]->loc),
                       has_more ? ", " : "", LOCATION_TEXT(open));
    return true;
}

const struct ir_expr *call_translate(struct frontend *f, const struct ast *call,
                                     struct ir_dtype wanted)
{
    const char *dotted = callee_name(f, call);
    const char *global = dotted ? NULL : global_callee(f, call->items[0]);
    bool is_method;

    (void)wanted;
    for (unsigned i = 1; i < call->item_count; i++)
        if (call->items[i]->kind == AST_STARRED) {
            diag_report(f->diag, call->items[i]->loc, PYTHON_STARRED, "*");
            return NULL;
        }
    if (dotted)
        return call_by_name(f, call, dotted);
    if (global)
        return global_call_translate(f, call, global);
    const struct ir_expr *result = method_translate(f, call, &is_method);
    if (is_method)
        return result;
    const struct ast *callee = call->items[0];
    if (callee->kind == AST_NAME && !scope_use(f, callee)) {
        report_undefined_name(f, callee);
        return NULL;
    }
    struct diag_message *m = diag_report(
        f->diag, callee->loc, KERNEL_FUNCTION,
        callee->kind == AST_NAME || callee->kind == AST_ATTRIBUTE ? callee->name : "this");
    if (help_known_function(f, m, call) || help_scalar_method(m, call))
        return NULL;
    if (callee->kind == AST_ATTRIBUTE && callee->items[0]->kind == AST_NAME &&
        ir_intrinsic_find(callee->name)) { /* math.sqrt, np.sqrt */
        diag_help(m, "write `T.%s`", callee->name);
        diag_help_edit(m, callee->loc, "T.%s", callee->name);
    }
    return NULL;
}
