/*
 * The signature mini-language of op rows: see ir/op_info.h.
 *
 * Rows are part of the compiler, so a malformed signature is a bug in it and stops the program with
 * the row's name.
 */
#include "base/array.h"
#include "ir/internal.h"
#include "ir/module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cursor {
    struct ir_context *context;
    const struct ir_op_info *info;
    const char *at;
};

static const struct kind_row {
    const char *name;
    enum ir_param_kind kind;
} kind_rows[] = {
    {"Expr", IR_PARAM_EXPR},     {"Exprs", IR_PARAM_EXPRS},   {"shape", IR_PARAM_SHAPE},
    {"prim", IR_PARAM_PRIM},     {"int", IR_PARAM_INT},       {"ints", IR_PARAM_INTS},
    {"float", IR_PARAM_FLOAT},   {"floats", IR_PARAM_FLOATS}, {"bool", IR_PARAM_BOOL},
    {"str", IR_PARAM_STRING},    {"text", IR_PARAM_TEXT},     {"dtype", IR_PARAM_DTYPE},
    {"device", IR_PARAM_DEVICE}, {"any", IR_PARAM_ANY},
};

static bool is_operand(enum ir_param_kind kind)
{
    return kind < IR_PARAM_INT;
}

static _Noreturn void fail(const struct cursor *c, const char *why)
{
    char message[256];

    snprintf(message, sizeof(message), "signature of `%s`: %s at \"%s\"", c->info->name, why,
             c->at);
    FATAL(message);
}

static void skip_spaces(struct cursor *c)
{
    while (*c->at == ' ')
        c->at++;
}

static bool accept(struct cursor *c, char sign)
{
    skip_spaces(c);
    if (*c->at != sign)
        return false;
    c->at++;
    return true;
}

static size_t word_length(const char *text)
{
    size_t length = 0;

    while ((text[length] >= 'a' && text[length] <= 'z') ||
           (text[length] >= 'A' && text[length] <= 'Z') ||
           (text[length] >= '0' && text[length] <= '9') || text[length] == '_')
        length++;
    return length;
}

static const char *read_word(struct cursor *c)
{
    skip_spaces(c);
    size_t length = word_length(c->at);
    if (length == 0)
        fail(c, "expected a name");
    c->at += length;
    return atom_intern(&c->context->atoms, c->at - length, length);
}

static enum ir_param_kind read_kind(struct cursor *c)
{
    const char *word = read_word(c);

    for (size_t i = 0; i < ARRAY_SIZE(kind_rows); i++) {
        if (strcmp(word, kind_rows[i].name) == 0)
            return kind_rows[i].kind;
    }
    fail(c, "unknown kind");
}

static const struct ir_attr *read_number(struct cursor *c)
{
    char *end;
    size_t length = strcspn(c->at, ",] ");
    bool is_float = strcspn(c->at, ".e") < length;
    const struct ir_attr *attr = is_float ? ir_attr_float(c->context, strtod(c->at, &end))
                                          : ir_attr_int(c->context, strtoll(c->at, &end, 10));

    if (end != c->at + length || length == 0)
        fail(c, "expected a value");
    c->at = end;
    return attr;
}

static const struct ir_attr *read_scalar(struct cursor *c)
{
    skip_spaces(c);
    if (*c->at == '"') {
        const char *text = ++c->at;
        size_t length = strcspn(text, "\"");
        if (!text[length])
            fail(c, "string without end");
        c->at += length + 1;
        return ir_attr_string(c->context, atom_intern(&c->context->atoms, text, length));
    }
    size_t length = word_length(c->at);
    if (length == 4 && memcmp(c->at, "None", 4) == 0) {
        c->at += 4;
        return ir_attr_none(c->context);
    }
    if ((length == 4 && memcmp(c->at, "True", 4) == 0) ||
        (length == 5 && memcmp(c->at, "False", 5) == 0)) {
        c->at += length;
        return ir_attr_bool(c->context, length == 4);
    }
    return read_number(c);
}

static const struct ir_attr *read_default(struct cursor *c)
{
    const struct ir_attr *items[8];
    unsigned count = 0;

    if (!accept(c, '['))
        return read_scalar(c);
    while (!accept(c, ']')) {
        if (count == ARRAY_SIZE(items))
            fail(c, "list is too long");
        if (count > 0 && !accept(c, ','))
            fail(c, "expected `,`");
        items[count++] = read_scalar(c);
    }
    return ir_attr_list(c->context, items, count);
}

/* Defaults that the kind of the parameter wants in another form: "float32", 1 for 1.0, 1 for [1]. */
static const struct ir_attr *convert_default(struct cursor *c, enum ir_param_kind kind,
                                             const struct ir_attr *value)
{
    struct ir_dtype dtype;

    if (kind == IR_PARAM_DTYPE && value->kind == IR_ATTR_STRING) {
        if (!ir_dtype_parse(value->string, &dtype))
            fail(c, "unknown dtype");
        return ir_attr_dtype(c->context, dtype);
    }
    if (kind == IR_PARAM_FLOAT && value->kind == IR_ATTR_INT)
        return ir_attr_float(c->context, (double)value->integer);
    if (kind == IR_PARAM_INTS && value->kind == IR_ATTR_INT)
        return ir_attr_list(c->context, &value, 1);
    return value;
}

enum { NO_PLACE = 255 };

static struct ir_op_param read_param(struct cursor *c)
{
    struct ir_op_param param = {.attr_index = NO_PLACE};

    param.is_variadic = accept(c, '*');
    param.name = read_word(c);
    if (!accept(c, ':'))
        fail(c, "expected `:`");
    param.kind = read_kind(c);
    param.is_optional = accept(c, '?');
    if (accept(c, '@') && *c->at >= '0' && *c->at <= '9')
        param.attr_index = (unsigned)(*c->at++ - '0');
    if (accept(c, '=')) {
        param.default_value = convert_default(c, param.kind, read_default(c));
        param.has_default = true;
    } else if (param.is_optional && !is_operand(param.kind)) {
        param.default_value = ir_attr_none(c->context);
        param.has_default = true;
    }
    if (param.is_variadic && (param.kind != IR_PARAM_EXPR || param.is_optional))
        fail(c, "variadic parameters are Expr");
    if (is_operand(param.kind) && param.has_default) {
        if (param.default_value->kind != IR_ATTR_NONE)
            fail(c, "operands have no default but None");
        param.is_optional = true;
        param.has_default = false;
        param.default_value = NULL;
    }
    return param;
}

/* Attributes without a place of their own take those that are left, in order. */
static void place_attributes(struct cursor *c, struct ir_op_param *params, unsigned count)
{
    bool taken[32] = {false};
    unsigned next = 0;

    for (unsigned i = 0; i < count; i++) {
        if (is_operand(params[i].kind) || params[i].attr_index == NO_PLACE)
            continue;
        if (params[i].attr_index >= c->info->attr_count || taken[params[i].attr_index])
            fail(c, "places of attributes are not an order");
        taken[params[i].attr_index] = true;
    }
    for (unsigned i = 0; i < count; i++) {
        if (is_operand(params[i].kind)) {
            params[i].attr_index = 0;
            continue;
        }
        if (params[i].attr_index != NO_PLACE)
            continue;
        while (taken[next])
            next++;
        taken[next] = true;
        params[i].attr_index = next;
    }
}

void ir_signature_parse(struct ir_context *context, struct ir_op_info *info)
{
    struct cursor c = {context, info, info->signature};
    struct ir_op_param params[32];
    unsigned count = 0;
    bool is_variadic = false;

    skip_spaces(&c);
    while (*c.at) {
        if (count == ARRAY_SIZE(params))
            fail(&c, "too many parameters");
        if (count > 0 && !accept(&c, ','))
            fail(&c, "expected `,`");
        if (accept(&c, '/')) {
            for (unsigned i = 0; i < count; i++)
                params[i].is_nameless = true;
            skip_spaces(&c);
            continue;
        }
        struct ir_op_param *param = &params[count++];
        *param = read_param(&c);
        if (!is_operand(param->kind))
            info->attr_count++;
        else if (!param->is_variadic && is_variadic)
            fail(&c, "an operand behind the variadic ones");
        else
            param->operand_index = info->operand_count;
        if (is_operand(param->kind) && !param->is_variadic)
            info->operand_count++;
        is_variadic |= param->is_variadic;
        skip_spaces(&c);
    }
    place_attributes(&c, params, count);
    struct ir_op_param *copy = arena_array(&context->arena, struct ir_op_param, count);
    if (count)
        memcpy(copy, params, count * sizeof(params[0]));
    info->params = copy;
    info->param_count = count;
}
