/* Attribute values and constants as TVMScript. */
#include "base/half.h"
#include "ir/module.h"
#include "ir/print/printer.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_items(struct printer *p, const struct ir_attr *attr, const char *open,
                      const char *close)
{
    text_puts(p->out, open);
    for (unsigned i = 0; i < attr->count; i++) {
        if (i > 0)
            text_puts(p->out, ", ");
        printer_put_attr(p, attr->items[i]);
    }
    text_puts(p->out, close);
}

struct dict_entry {
    const char *key;
    const struct ir_attr *value;
};

static int compare_entries(const void *a, const void *b)
{
    const struct dict_entry *x = a, *y = b;
    return strcmp(x->key, y->key);
}

/* Sorted by key, as TVM does: the order says nothing. */
static void put_dict(struct printer *p, const struct ir_attr *attr)
{
    array(struct dict_entry) entries = {0};
    for (unsigned i = 0; i < attr->count; i++)
        array_push(&entries, (struct dict_entry){attr->keys[i], attr->items[i]});
    if (entries.count > 0)
        qsort(entries.items, entries.count, sizeof(entries.items[0]), compare_entries);
    text_putc(p->out, '{');
    for (size_t i = 0; i < entries.count; i++) {
        if (i > 0)
            text_puts(p->out, ", ");
        printer_put_string(p->out, entries.items[i].key);
        text_puts(p->out, ": ");
        printer_put_attr(p, entries.items[i].value);
    }
    text_putc(p->out, '}');
    array_finish(&entries);
}

/* lambda i, j: (j, i).  Literals in it take the type of its variables: they are bare. */
static void put_lambda(struct printer *p, const struct ir_attr *attr, bool is_tuple)
{
    size_t mark = printer_mark(p);
    bool was_kernel = p->is_kernel;
    if (attr->param_count > 0)
        p->is_kernel = ir_dtype_equal(attr->params[0]->dtype, IR_I32);
    text_puts(p->out, attr->param_count > 0 ? "lambda " : "lambda");
    for (unsigned i = 0; i < attr->param_count; i++) {
        const struct ir_var *var = attr->params[i];
        const char *name = p->context != NULL ? printer_define(p, var, var->name, "v") : var->name;
        text_printf(p->out, "%s%s", i > 0 ? ", " : "", name);
    }
    text_puts(p->out, ": ");
    if (attr->count == 1 && !is_tuple)
        printer_put_attr(p, attr->items[0]);
    else
        put_items(p, attr, "(", attr->count == 1 ? ",)" : ")");
    p->is_kernel = was_kernel;
    if (p->context != NULL)
        printer_release(p, mark);
}

static void put_index_map(struct printer *p, const struct ir_attr *attr)
{
    printer_put_tir(p, "index_map(");
    put_lambda(p, attr, true);
    text_putc(p->out, ')');
}

static void put_call(struct printer *p, const struct ir_attr *attr)
{
    if (strncmp(attr->name, "R.", 2) == 0)
        p->uses_relax = true;
    if (strncmp(attr->name, "T.", 2) == 0)
        p->uses_tir = true;
    text_printf(p->out, "%s(", attr->name);
    for (unsigned i = 0; i < attr->count; i++) {
        if (i > 0)
            text_puts(p->out, ", ");
        if (attr->keys != NULL && attr->keys[i] != NULL) {
            if (strcmp(attr->name, "R.device") == 0)
                printer_put_spelling(p, attr->keys[i]);
            else
                text_puts(p->out, attr->keys[i]);
            text_putc(p->out, '=');
        }
        if (attr->items[i]->kind == IR_ATTR_LAMBDA)
            put_lambda(p, attr->items[i], strcmp(attr->name, "T.comm_reducer") != 0);
        else
            printer_put_attr(p, attr->items[i]);
    }
    text_putc(p->out, ')');
}

/* Attributes know numbers without a type: an expression among them says its type. */
static void put_expr(struct printer *p, const struct ir_expr *expr)
{
    bool was_kernel = p->is_kernel;
    if (expr->kind == IR_EXPR_int)
        p->is_kernel = !ir_dtype_is_bool(expr->dtype);
    printer_put_expr(p, expr);
    p->is_kernel = was_kernel;
}

void printer_put_attr(struct printer *p, const struct ir_attr *attr)
{
    switch (attr->kind) {
    case IR_ATTR_NONE:
        text_puts(p->out, "None");
        return;
    case IR_ATTR_BOOL:
        text_puts(p->out, attr->boolean ? "True" : "False");
        return;
    case IR_ATTR_INT:
        text_printf(p->out, "%lld", (long long)attr->integer);
        return;
    case IR_ATTR_FLOAT:
        printer_put_float(p->out, attr->real);
        return;
    case IR_ATTR_STRING:
        printer_put_string(p->out, attr->string);
        return;
    case IR_ATTR_DTYPE:
        printer_put_dtype(p->out, attr->dtype);
        return;
    case IR_ATTR_LIST:
        put_items(p, attr, "[", "]");
        return;
    case IR_ATTR_DICT:
        put_dict(p, attr);
        return;
    case IR_ATTR_EXPR:
        put_expr(p, attr->expr);
        return;
    case IR_ATTR_TYPE:
        printer_put_type(p, attr->type);
        return;
    case IR_ATTR_GLOBAL:
        printer_put_global(p, attr->global);
        return;
    case IR_ATTR_CONSTANT:
        printer_put_constant(p, attr->constant);
        return;
    case IR_ATTR_FUNCTION:
        text_puts(p->out, attr->function->name);
        return;
    case IR_ATTR_LAMBDA:
        put_index_map(p, attr);
        return;
    case IR_ATTR_CALL:
        put_call(p, attr);
        return;
    }
    UNREACHABLE("attribute kind");
}

/*
 * A function outside of a module may be called what it likes; in a module, which passes have made of
 * it, its symbol is its name.
 */
void printer_put_func_attrs(struct printer *p, const struct ir_attr *attrs)
{
    bool is_in_new_module = p->module->is_bare_function && !p->is_bare && p->frame->outer == NULL;
    array(const struct ir_attr *) items = {0};
    array(const char *) keys = {0};
    for (unsigned i = 0; attrs != NULL && i < attrs->count; i++) {
        if (is_in_new_module && strcmp(attrs->keys[i], "global_symbol") == 0)
            continue;
        array_push(&items, attrs->items[i]);
        bool is_renamed = printer_is_old(p) && strncmp(attrs->keys[i], "tirx.", 5) == 0;
        array_push(&keys, is_renamed ? atom_printf(&p->context->atoms, "tir.%s", attrs->keys[i] + 5)
                                     : attrs->keys[i]);
    }
    if (items.count > 0) {
        const struct ir_attr dict = {.kind = IR_ATTR_DICT,
                                     .count = (unsigned)items.count,
                                     .items = items.items,
                                     .keys = keys.items};
        struct text *out = p->out;
        p->out = &p->frame->prelude;
        printer_put_indent(p->out, p->frame->indent);
        if (p->frame->is_kernel)
            printer_put_tir(p, "func_attr(");
        else
            printer_put_relax(p, "func_attr(");
        printer_put_attr(p, &dict);
        text_puts(p->out, ")\n");
        p->out = out;
    }
    array_finish(&items);
    array_finish(&keys);
}

/* float("inf"): R.const takes Python's numbers. */
static void put_const_float(struct text *out, double value)
{
    text_puts(out, isfinite(value) ? "" : "float(");
    printer_put_float(out, value);
    text_puts(out, isfinite(value) ? "" : ")");
}

/* The one element of a constant as a literal; false for types that have none. */
static bool put_scalar(struct text *out, const struct ir_constant *constant)
{
    const void *data = constant->data;
    union {
        int8_t i8;
        int16_t i16;
        int32_t i32;
        int64_t i64;
        float f32;
        double f64;
        uint16_t bits16;
        uint8_t byte;
    } value = {0};
    memcpy(&value, data, constant->bytes < sizeof(value) ? constant->bytes : sizeof(value));
    struct ir_dtype dtype = constant->dtype;
    if (dtype.lanes != 1)
        return false;
    if (dtype.code == IR_INT && dtype.bits == 8)
        text_printf(out, "%d", value.i8);
    else if (dtype.code == IR_INT && dtype.bits == 16)
        text_printf(out, "%d", value.i16);
    else if (dtype.code == IR_INT && dtype.bits == 32)
        text_printf(out, "%d", value.i32);
    else if (dtype.code == IR_INT && dtype.bits == 64)
        text_printf(out, "%lld", (long long)value.i64);
    else if (dtype.code == IR_FLOAT && dtype.bits == 16)
        put_const_float(out, (double)half_to_float(value.bits16));
    else if (dtype.code == IR_FLOAT && dtype.bits == 32)
        put_const_float(out, (double)value.f32);
    else if (dtype.code == IR_FLOAT && dtype.bits == 64)
        put_const_float(out, value.f64);
    else if (dtype.code == IR_BOOL)
        text_puts(out, value.byte ? "True" : "False");
    else
        return false;
    return true;
}

/* Constants are numbered in the order in which the text refers to them. */
static size_t constant_number(struct printer *p, const struct ir_constant *constant)
{
    size_t number = (size_t)(uintptr_t)map_get(&p->constant_numbers, constant);
    if (number == 0) {
        array_push(&p->constants, constant);
        number = p->constants.count;
        map_set(&p->constant_numbers, constant,
                (const void *)number); /* NOLINT(performance-no-int-to-ptr): a number as value */
    }
    return number - 1;
}

static void put_nameless(struct text *out, const struct ir_constant *constant)
{
    text_puts(out, "constant (");
    for (unsigned i = 0; i < constant->ndim; i++)
        text_printf(out, "%s%" PRId64, i ? ", " : "", constant->shape[i]);
    text_puts(out, constant->ndim == 1 ? ",) " : ") ");
    char dtype[32];
    text_puts(out, ir_dtype_name(constant->dtype, dtype));
}

void printer_put_constant(struct printer *p, const struct ir_constant *constant)
{
    struct text literal = {0};
    if (constant->ndim == 0 && put_scalar(&literal, constant)) {
        printer_put_relax(p, "const(");
        text_puts(p->out, text_string(&literal));
        text_puts(p->out, ", ");
        printer_put_dtype(p->out, constant->dtype);
        text_putc(p->out, ')');
    } else if (!p->context) { /* for people: a number would not be that of the module's text */
        if (constant->name)
            text_puts(p->out, constant->name);
        else
            put_nameless(p->out, constant);
    } else {
        text_printf(p->out, "metadata[\"" PRINTER_CONSTANTS "\"][%zu]",
                    constant_number(p, constant));
        p->has_metadata = true;
    }
    text_finish(&literal);
}
