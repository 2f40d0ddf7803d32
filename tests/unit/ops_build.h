/*
 * Ops from short texts, for table tests of ops/.  Operands are separated by spaces:
 *
 *     f32[2,n]  i64[]   a tensor (dims: integers, n, m, k, n*2, n+1)
 *     f32(2)  f32?      of rank 2, of unknown rank
 *     any               R.Any
 *     shape[2,n]  shape(2)
 *     #5  #0.5  #n      a scalar
 *     =1.5f32           a constant of rank 0
 *     <1,n>             a tuple of scalars
 *     {f32[2];f32[3]}   a tuple value
 *     %f32              a dtype
 *     -                 left out
 *
 * Attributes: axis=1 axes=[0,1] keepdims=True dtype=f16 mode="wrap" axis=None
 */
#pragma once

#include "base/array.h"
#include "base/half.h"
#include "ir/build.h"
#include "ops/ops.h"
#include "tests/unit/test.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct ops_build {
    struct ir_context *context;
    struct ir_module *module;
    struct ir_function *function;
    struct ir_block *block;
    struct diag *diag;
    const struct ir_var *symbols[26];
};

/* A function of @b's module with an empty block. */
static void ops_build_function(struct ops_build *b, const char *name)
{
    const char *atom = atom_intern_text(&b->context->atoms, name);
    struct ir_global *global = ir_module_add(b->module, atom, IR_GLOBAL_FUNCTION);

    b->function = global->function = ir_function_new(b->module, atom);
    b->function->result = ir_type_any(b->context);
    b->block = ir_block_append(b->module, b->function->body, false);
}

/* A module with function `main` in @b's context. */
static void ops_build_module(struct ops_build *b)
{
    b->module = ir_module_create(b->context);
    ops_build_function(b, "main");
}

static struct ops_build ops_build_start(void)
{
    struct ops_build b = {.context = ir_context_create(), .diag = diag_create()};

    ops_register(b.context);
    ops_build_module(&b);
    return b;
}

static void ops_build_finish(struct ops_build *b)
{
    diag_destroy(b->diag);
    ir_module_destroy(b->module);
    ir_context_destroy(b->context);
}

static struct ir_dtype read_dtype(const char **at)
{
    static const struct {
        const char *name;
        struct ir_dtype dtype;
    } rows[] = {
        {"f32", {IR_FLOAT, 32, 1}},   {"f16", {IR_FLOAT, 16, 1}}, {"f64", {IR_FLOAT, 64, 1}},
        {"bf16", {IR_BFLOAT, 16, 1}}, {"i64", {IR_INT, 64, 1}},   {"i32", {IR_INT, 32, 1}},
        {"i8", {IR_INT, 8, 1}},       {"u8", {IR_UINT, 8, 1}},    {"bool", {IR_BOOL, 8, 1}},
        {"void", {IR_HANDLE, 0, 0}},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        size_t length = strlen(rows[i].name);
        if (strncmp(*at, rows[i].name, length) == 0) {
            *at += length;
            return rows[i].dtype;
        }
    }
    fail_msg("no dtype at %s", *at);
    return IR_VOID;
}

static const struct ir_expr *read_atom(struct ops_build *b, const char **at)
{
    if (isalpha((unsigned char)**at)) {
        char name[2] = {*(*at)++, '\0'};
        const struct ir_var **symbol = &b->symbols[name[0] - 'a'];
        if (*symbol == NULL)
            *symbol = ir_symbol_new(b->context, atom_intern_text(&b->context->atoms, name), IR_I64);
        return ir_expr_var(b->context, *symbol);
    }
    char *end;
    long long value = strtoll(*at, &end, 10);
    assert_true(end != *at);
    *at = end;
    return ir_expr_int(b->context, IR_I64, value);
}

static const struct ir_expr *read_dim(struct ops_build *b, const char **at)
{
    const struct ir_expr *a = read_atom(b, at);

    while (**at == '*' || **at == '+') {
        enum ir_expr_kind kind = *(*at)++ == '*' ? IR_EXPR_mul : IR_EXPR_add;
        a = ir_expr_binary(b->context, kind, a, read_atom(b, at));
    }
    return a;
}

/* Dims up to @close; the text stands behind it. */
static unsigned read_dims(struct ops_build *b, const char **at, char close,
                          const struct ir_expr **out)
{
    unsigned count = 0;

    while (**at != close) {
        if (**at == ',')
            (*at)++;
        assert_true(count < 16);
        out[count++] = read_dim(b, at);
    }
    (*at)++;
    return count;
}

static const struct ir_type *read_type(struct ops_build *b, const char **at)
{
    const struct ir_expr *dims[16];
    bool is_shape = strncmp(*at, "shape", 5) == 0;

    if (strncmp(*at, "any", 3) == 0) {
        *at += 3;
        return ir_type_any(b->context);
    }
    struct ir_dtype dtype = IR_VOID;
    if (is_shape)
        *at += 5;
    else
        dtype = read_dtype(at);
    if (**at == '[') {
        (*at)++;
        unsigned count = read_dims(b, at, ']', dims);
        return is_shape ? ir_type_shape(b->context, dims, (int)count)
                        : ir_type_tensor(b->context, dtype, dims, (int)count);
    }
    int ndim = IR_NDIM_UNKNOWN;
    if (**at == '(') {
        char *end;
        ndim = (int)strtol(*at + 1, &end, 10);
        *at = end;
    }
    (*at)++;
    return is_shape ? ir_type_shape(b->context, NULL, ndim)
                    : ir_type_tensor(b->context, dtype, NULL, ndim);
}

static struct ir_value *read_constant(struct ops_build *b, const char **at)
{
    char *end;
    double value = strtod(*at, &end);
    *at = end;
    struct ir_dtype dtype = read_dtype(at);
    float narrow = (float)value;
    int64_t integer = (int64_t)value;
    const void *data = &integer;
    if (dtype.bits == 16 && ir_dtype_is_float(dtype))
        integer = dtype.code == IR_FLOAT ? half_from_double(value) : bfloat_from_double(value);
    else if (dtype.code == IR_FLOAT)
        data = dtype.bits == 64 ? (const void *)&value : (const void *)&narrow;
    struct ir_value *leaf =
        ir_inline_constant(b->module, ir_module_add_constant(b->module, dtype, NULL, 0, data));
    ir_op_infer(b->module, b->diag, leaf->def);
    return leaf;
}

static struct ir_value *read_scalar(struct ops_build *b, const char **at)
{
    size_t digits = strspn(*at, "-0123456789");
    const struct ir_expr *expr;

    if ((*at)[digits] == '.') {
        char *end;
        expr = ir_expr_float(b->context, IR_F32, strtod(*at, &end));
        *at = end;
    } else {
        expr = read_dim(b, at);
    }
    struct ir_value *leaf = ir_inline_prim(b->module, expr);
    ir_op_infer(b->module, b->diag, leaf->def);
    return leaf;
}

static struct ir_value *read_operand(struct ops_build *b, const char **at)
{
    const struct ir_expr *dims[16];
    struct ir_value *items[16];
    struct ir_value *leaf = NULL;

    switch (**at) {
    case '#':
        (*at)++;
        return read_scalar(b, at);
    case '=':
        (*at)++;
        return read_constant(b, at);
    case '<':
        (*at)++;
        for (unsigned i = 0, count = read_dims(b, at, '>', dims);; i++) {
            if (i == count) {
                leaf = ir_inline_tuple(b->module, items, count);
                break;
            }
            items[i] = ir_inline_prim(b->module, dims[i]);
            ir_op_infer(b->module, b->diag, items[i]->def);
        }
        ir_op_infer(b->module, b->diag, leaf->def);
        return leaf;
    case '{': {
        const struct ir_type *types[16];
        unsigned count = 0;
        do {
            (*at)++; /* the brace or semicolon */
            types[count++] = read_type(b, at);
        } while (**at == ';');
        (*at)++;
        return ir_function_add_param(b->function, "t", ir_type_tuple(b->context, types, count));
    }
    case '%': {
        (*at)++;
        const struct ir_attr *attr = ir_attr_dtype(b->context, read_dtype(at));
        struct ir_op *op = ir_op_new(b->module, ir_core_op(b->context, IR_CORE_dtype), NULL, 0);
        op->attrs[0] = attr;
        ir_op_infer(b->module, b->diag, op);
        return &op->result;
    }
    case '-': {
        (*at)++;
        struct ir_op *op =
            ir_op_new(b->module, ir_core_op(b->context, IR_CORE_null_value), NULL, 0);
        ir_op_infer(b->module, b->diag, op);
        return &op->result;
    }
    default: {
        const struct ir_type *type = read_type(b, at);
        if (type->kind == IR_TYPE_SHAPE && type->dims != NULL) {
            leaf = ir_inline_shape(b->module, type->dims, (unsigned)type->ndim);
            ir_op_infer(b->module, b->diag, leaf->def);
            return leaf;
        }
        return ir_function_add_param(b->function, "x", type);
    }
    }
}

static const struct ir_attr *read_attr(struct ops_build *b, enum ir_param_kind kind,
                                       const char **at)
{
    if (strncmp(*at, "None", 4) == 0) {
        *at += 4;
        return ir_attr_none(b->context);
    }
    if (strncmp(*at, "True", 4) == 0 || strncmp(*at, "False", 5) == 0) {
        bool value = **at == 'T';
        *at += value ? 4 : 5;
        return ir_attr_bool(b->context, value);
    }
    if (**at == '"') {
        char text[64];
        size_t length = strcspn(*at + 1, "\"");
        assert_true(length < sizeof(text));
        memcpy(text, *at + 1, length);
        text[length] = '\0';
        *at += length + 2;
        return ir_attr_string(b->context, atom_intern_text(&b->context->atoms, text));
    }
    if (**at == '[') {
        const struct ir_attr *items[16];
        unsigned count = 0;
        (*at)++;
        while (**at != ']') {
            items[count++] = read_attr(b, IR_PARAM_INT, at);
            if (**at == ',')
                (*at)++;
        }
        (*at)++;
        return ir_attr_list(b->context, items, count);
    }
    if (kind == IR_PARAM_DTYPE)
        return ir_attr_dtype(b->context, read_dtype(at));
    char *end;
    double value = strtod(*at, &end);
    *at = end;
    if (kind == IR_PARAM_FLOAT)
        return ir_attr_float(b->context, value);
    const struct ir_attr *attr = ir_attr_int(b->context, (int64_t)value);
    return kind == IR_PARAM_INTS ? ir_attr_list(b->context, &attr, 1) : attr;
}

/* An op in the block, without its type; missing operands are filled in. */
static struct ir_op *ops_build(struct ops_build *b, const char *name, const char *operands,
                               const char *attrs)
{
    const struct ir_op_info *info = ir_find_op(b->context, name);
    struct ir_value *values[16];
    unsigned count = 0;

    if (info == NULL) {
        fail_msg("no operator %s", name);
        return NULL;
    }
    for (const char *at = operands; *at != '\0';) {
        if (*at == ' ')
            at++;
        else
            values[count++] = read_operand(b, &at);
    }
    while (count < info->operand_count) {
        const char *missing = "-";
        values[count++] = read_operand(b, &missing);
    }
    struct ir_op *op = ir_op_new(b->module, info, values, count);
    for (const char *at = attrs; *at != '\0';) {
        char key[64];
        size_t length = strcspn(at, "=");
        memcpy(key, at, length);
        key[length] = '\0';
        at += length + 1;
        const struct ir_op_param *param = NULL;
        for (unsigned p = 0; p < info->param_count; p++)
            if (strcmp(info->params[p].name, key) == 0)
                param = &info->params[p];
        if (param == NULL) {
            fail_msg("%s has no attribute %s", name, key);
            return NULL;
        }
        op->attrs[param->attr_index] = read_attr(b, param->kind, &at);
        while (*at == ' ')
            at++;
    }
    ir_op_append(b->block, op);
    return op;
}
