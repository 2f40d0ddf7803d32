/* Buffers: names, declarations, indices and regions. */
#include "ir/module.h"
#include "ir/print/printer.h"

#include <string.h>

/* What has no name of its own is written through the buffer: A.data, A.strides[0]. */
static void define_part(struct printer *p, const struct ir_var *var, const char *buffer_name,
                        const char *part)
{
    printer_define_as(p, var, atom_printf(&p->context->atoms, "%s.%s", buffer_name, part));
}

const char *printer_define_buffer(struct printer *p, const struct ir_buffer *buffer)
{
    const char *name = printer_define(p, buffer, buffer->name, "buffer");
    if (buffer->data_var != NULL && printer_find(p, buffer->data_var) == NULL)
        define_part(p, buffer->data_var, name, "data");
    return name;
}

const char *printer_buffer(struct printer *p, const struct ir_buffer *buffer)
{
    const char *name = printer_find(p, buffer);
    return name != NULL ? name : buffer->name;
}

static bool is_unknown_var(struct printer *p, const struct ir_expr *e)
{
    return e->kind == IR_EXPR_var && p->context != NULL && printer_find(p, e->var) == NULL;
}

static void put_dims(struct printer *p, const struct ir_buffer *buffer)
{
    text_putc(p->out, '(');
    for (unsigned i = 0; i < buffer->ndim; i++) {
        if (i > 0)
            text_puts(p->out, ", ");
        printer_put_expr(p, buffer->shape[i]);
    }
    text_puts(p->out, buffer->ndim == 1 ? ",)" : ")");
}

/* A variable that an earlier stride of the buffer is too: one name in both places. */
static bool is_repeated_stride(const struct ir_buffer *buffer, unsigned i)
{
    const struct ir_expr *stride = buffer->strides[i];
    for (unsigned k = 0; k < i && stride->kind == IR_EXPR_var; k++)
        if (buffer->strides[k]->kind == IR_EXPR_var && buffer->strides[k]->var == stride->var)
            return true;
    return false;
}

static void put_strides(struct printer *p, const struct ir_buffer *buffer)
{
    text_puts(p->out, ", strides=(");
    for (unsigned i = 0; i < buffer->ndim; i++) {
        const struct ir_expr *stride = buffer->strides[i];
        if (i > 0)
            text_puts(p->out, ", ");
        if (is_repeated_stride(buffer, i))
            printer_put_string(p->out, stride->var->name);
        else if (is_unknown_var(p, stride)) {
            /* Given as a name, the stride is bound to what the argument has. */
            printer_put_string(p->out, stride->var->name);
            const char *part = atom_printf(&p->context->atoms, "strides[%u]", i);
            define_part(p, stride->var, printer_buffer(p, buffer), part);
        } else
            printer_put_expr(p, stride);
    }
    text_puts(p->out, buffer->ndim == 1 ? ",)" : ")");
}

enum { TVM_ALIGNMENT = 64 }; /* what TVM leaves out */

static void put_options(struct printer *p, const struct ir_buffer *buffer, bool has_scope)
{
    if (buffer->data != NULL) {
        text_puts(p->out, ", data=");
        printer_put_expr(p, buffer->data);
    }
    if (buffer->strides != NULL)
        put_strides(p, buffer);
    int factor = buffer->offset_factor;
    if (buffer->elem_offset != NULL && is_unknown_var(p, buffer->elem_offset)) {
        /* The factor says that there is an offset; it is reached as A.elem_offset. */
        factor = factor == 0 ? 1 : factor;
        define_part(p, buffer->elem_offset->var, printer_buffer(p, buffer), "elem_offset");
    } else if (buffer->elem_offset != NULL &&
               (factor != 0 || !ir_expr_is_int(buffer->elem_offset, 0))) {
        text_puts(p->out, ", elem_offset=");
        printer_put_expr(p, buffer->elem_offset);
    }
    if (has_scope && buffer->scope != NULL && strcmp(buffer->scope, "global") != 0) {
        text_puts(p->out, ", scope=");
        printer_put_string(p->out, buffer->scope);
    }
    if (buffer->align != 0 && buffer->align != TVM_ALIGNMENT)
        text_printf(p->out, ", align=%d", buffer->align);
    if (factor != 0)
        text_printf(p->out, ", offset_factor=%d", factor);
    if (buffer->buffer_type != NULL) {
        text_puts(p->out, ", buffer_type=");
        printer_put_string(p->out, buffer->buffer_type);
    }
    if (buffer->axis_separators != NULL && buffer->axis_separators->count > 0) {
        text_puts(p->out, ", axis_separators=");
        printer_put_attr(p, buffer->axis_separators);
    }
}

static void put_shape_and_options(struct printer *p, const struct ir_buffer *buffer, bool has_scope)
{
    put_dims(p, buffer);
    if (!ir_dtype_equal(buffer->dtype, IR_F32)) {
        text_puts(p->out, ", ");
        printer_put_dtype(p->out, buffer->dtype);
    }
    put_options(p, buffer, has_scope);
}

void printer_put_buffer_call(struct printer *p, const char *method, const struct tir_region *first,
                             const struct ir_buffer *buffer, const struct ir_attr *annotations)
{
    printer_put_tir(p, method);
    text_putc(p->out, '(');
    if (first != NULL) {
        printer_put_region(p, first);
        text_puts(p->out, ", ");
    }
    bool is_scope_said = strcmp(method, "alloc_local") == 0 || strcmp(method, "alloc_shared") == 0;
    put_shape_and_options(p, buffer, !is_scope_said || printer_is_old(p));
    if (annotations != NULL && annotations->count > 0) {
        text_puts(p->out, ", annotations=");
        printer_put_attr(p, annotations);
    }
    text_putc(p->out, ')');
}

static bool is_no_var(void *state, const struct ir_expr *a)
{
    return a->kind != IR_EXPR_var;
}

bool printer_is_matched(const struct ir_buffer *buffer)
{
    bool is_fixed = true;

    for (unsigned i = 0; i < buffer->ndim; i++)
        is_fixed = is_fixed && ir_expr_walk(buffer->shape[i], is_no_var, NULL);
    return !is_fixed;
}

void printer_put_match(struct printer *p, const char *handle, const struct ir_buffer *buffer)
{
    printer_line(p);
    text_printf(p->out, "%s = ", printer_buffer(p, buffer));
    printer_put_tir(p, "match_buffer(");
    text_printf(p->out, "%s, ", handle);
    put_shape_and_options(p, buffer, true);
    text_puts(p->out, ")\n");
}

struct unbound_search {
    const struct printer *p;
    bool found;
};

static bool find_unbound(void *state, const struct ir_expr *a)
{
    struct unbound_search *search = state;
    if (a->kind == IR_EXPR_var &&
        (map_get(&search->p->frame->symbols, a->var) == NULL || printer_is_typevar(search->p, a)))
        search->found = true;
    return true;
}

static bool bind_vars(void *state, const struct ir_expr *a)
{
    struct printer *p = state;
    if (a->kind == IR_EXPR_var)
        map_set(&p->frame->symbols, a->var, a->var);
    return true;
}

/* New symbols that are dims by themselves: declared in one line at the head of the kernel. */
static void declare_dims(struct printer *p, const struct ir_buffer *buffer)
{
    struct text names = {0}, values = {0};
    char dtype[32];
    for (unsigned i = 0; i < buffer->ndim; i++) {
        const struct ir_expr *dim = buffer->shape[i];
        if (!is_unknown_var(p, dim))
            continue;
        const char *name = printer_define_symbol(p, dim->var);
        array_last(&p->defined).frame = p->frame;
        const char *separator = names.length > 0 ? ", " : "";
        text_printf(&names, "%s%s", separator, name);
        text_printf(&values, "%sT.%s()", separator, ir_dtype_name(dim->var->dtype, dtype));
        p->uses_tir = true;
    }
    if (names.length > 0) {
        printer_put_indent(&p->frame->prelude, p->frame->indent);
        text_printf(&p->frame->prelude, "%s = %s\n", text_string(&names), text_string(&values));
    }
    text_finish(&names);
    text_finish(&values);
}

/*
 * A dim that is the first to mention a symbol is quoted: Python reads the annotation before the body
 * that declares the symbol.  Type variables are known to Python, but it cannot compute with them.
 */
void printer_put_buffer_param(struct printer *p, const struct ir_buffer *buffer)
{
    text_printf(p->out, "%s: ", printer_buffer(p, buffer));
    declare_dims(p, buffer);
    printer_put_tir(p, "Buffer((");
    for (unsigned i = 0; i < buffer->ndim; i++) {
        struct unbound_search search = {.p = p};
        ir_expr_walk(buffer->shape[i], find_unbound, &search);
        search.found &= !printer_is_typevar(p, buffer->shape[i]);
        struct text dim = {0}, *out = p->out;
        p->out = &dim;
        printer_put_expr(p, buffer->shape[i]);
        p->out = out;
        if (i > 0)
            text_puts(out, ", ");
        if (search.found)
            printer_put_string(out, text_string(&dim));
        else
            text_puts(out, text_string(&dim));
        text_finish(&dim);
        ir_expr_walk(buffer->shape[i], bind_vars, p);
    }
    text_puts(p->out, buffer->ndim == 1 ? ",), " : "), ");
    printer_put_dtype(p->out, buffer->dtype);
    put_options(p, buffer, true);
    text_putc(p->out, ')');
}

/* base:base + lanes, or with a step; only for strides that are known. */
static bool put_slice(struct printer *p, const struct ir_expr *ramp)
{
    const struct ir_expr *base = ramp->operands[0], *stride = ramp->operands[1];
    int64_t length;
    if (stride->kind != IR_EXPR_int ||
        __builtin_mul_overflow(stride->int_value, (int64_t)ramp->dtype.lanes, &length))
        return false;
    struct ir_expr span = {.kind = IR_EXPR_int, .dtype = base->dtype, .int_value = length};
    printer_put_expr(p, base);
    text_putc(p->out, ':');
    printer_put_sum(p, base, &span);
    if (stride->int_value != 1) {
        text_putc(p->out, ':');
        printer_put_expr(p, stride);
    }
    return true;
}

void printer_put_indices(struct printer *p, const struct ir_expr *const *indices, unsigned count)
{
    if (count == 0) {
        text_puts(p->out, "[()]");
        return;
    }
    text_putc(p->out, '[');
    for (unsigned i = 0; i < count; i++) {
        if (i > 0)
            text_puts(p->out, ", ");
        if (indices[i]->kind != IR_EXPR_ramp || !put_slice(p, indices[i]))
            printer_put_expr(p, indices[i]);
    }
    text_putc(p->out, ']');
}

void printer_put_region(struct printer *p, const struct tir_region *region)
{
    text_puts(p->out, printer_buffer(p, region->buffer));
    if (region->buffer->ndim == 0) {
        text_puts(p->out, "[()]");
        return;
    }
    text_putc(p->out, '[');
    for (unsigned i = 0; i < region->buffer->ndim; i++) {
        if (i > 0)
            text_puts(p->out, ", ");
        printer_put_expr(p, region->min[i]);
        if (ir_expr_is_int(region->extent[i], 1))
            continue;
        text_putc(p->out, ':');
        printer_put_sum(p, region->min[i], region->extent[i]);
    }
    text_putc(p->out, ']');
}
