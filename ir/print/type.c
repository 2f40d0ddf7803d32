/* Types as TVMScript. */
#include "ir/module.h"
#include "ir/print/printer.h"

/* Puts what separates arguments: a parenthesis before the first. */
static void put_separator(struct printer *p, bool *has_arguments)
{
    text_puts(p->out, *has_arguments ? ", " : "(");
    *has_arguments = true;
}

static void put_dims(struct printer *p, const struct ir_type *type)
{
    for (int i = 0; i < type->ndim; i++) {
        if (i > 0)
            text_puts(p->out, ", ");
        printer_put_dim(p, type->dims[i]);
    }
}

static void put_shape(struct printer *p, const struct ir_type *type)
{
    if (type->dims == NULL) {
        text_printf(p->out, "(ndim=%d)", type->ndim);
        return;
    }
    text_puts(p->out, "([");
    put_dims(p, type);
    text_puts(p->out, "])");
}

static void put_tensor(struct printer *p, const struct ir_type *type)
{
    bool has_arguments = false;
    if (type->shape_var != NULL) {
        put_separator(p, &has_arguments);
        text_puts(p->out, printer_value(p, type->shape_var));
    } else if (type->dims != NULL) {
        put_separator(p, &has_arguments);
        text_putc(p->out, '(');
        put_dims(p, type);
        text_puts(p->out, type->ndim == 1 ? ",)" : ")");
    }
    if (!ir_dtype_is_void(type->dtype)) {
        put_separator(p, &has_arguments);
        text_puts(p->out, "dtype=");
        printer_put_dtype(p->out, type->dtype);
    }
    if (type->shape_var == NULL && type->dims == NULL && type->ndim != IR_NDIM_UNKNOWN) {
        put_separator(p, &has_arguments);
        text_printf(p->out, "ndim=%d", type->ndim);
    }
    if (type->vdevice != NULL) {
        put_separator(p, &has_arguments);
        text_puts(p->out, "vdevice=");
        printer_put_string(p->out, type->vdevice);
    }
    if (has_arguments)
        text_putc(p->out, ')');
}

/* R.Prim("int64") */
static void put_prim_field(struct printer *p, const struct ir_type *type)
{
    printer_put_relax(p, "Prim(");
    printer_put_dtype(p->out, type->dtype);
    text_putc(p->out, ')');
}

static void put_fields(struct printer *p, const struct ir_type *type)
{
    for (unsigned i = 0; i < type->field_count; i++) {
        if (i > 0)
            text_puts(p->out, ", ");
        if (type->fields[i]->kind == IR_TYPE_PRIM) /* T.int64 has no place inside of others */
            put_prim_field(p, type->fields[i]);
        else
            printer_put_type(p, type->fields[i]);
    }
}

static void put_opaque_func(struct printer *p, const struct ir_type *type)
{
    bool has_arguments = false;
    if (type->derive != NULL) {
        put_separator(p, &has_arguments);
        text_puts(p->out, "derive_func=");
        printer_put_string(p->out, type->derive);
    } else if (type->result->kind != IR_TYPE_ANY) {
        put_separator(p, &has_arguments);
        text_puts(p->out, "ret=");
        printer_put_type(p, type->result);
    }
    if (type->is_pure) {
        put_separator(p, &has_arguments);
        text_puts(p->out, "purity=True");
    }
    if (has_arguments)
        text_putc(p->out, ')');
}

static void put_func(struct printer *p, const struct ir_type *type)
{
    if (type->is_opaque) {
        put_opaque_func(p, type);
        return;
    }
    text_puts(p->out, "((");
    put_fields(p, type);
    text_puts(p->out, type->field_count == 1 ? ",), " : "), ");
    printer_put_type(p, type->result);
    text_puts(p->out, type->is_pure ? ", True)" : ", False)");
}

void printer_put_type(struct printer *p, const struct ir_type *type)
{
    char name[32];
    switch (type->kind) {
    case IR_TYPE_ANY:
        printer_put_relax(p, "Any");
        return;
    case IR_TYPE_PRIM:
        if (printer_is_old(p)) {
            put_prim_field(p, type);
            return;
        }
        printer_put_tir(p, ir_dtype_name(type->dtype, name));
        return;
    case IR_TYPE_SHAPE:
        printer_put_relax(p, "Shape");
        put_shape(p, type);
        return;
    case IR_TYPE_TENSOR:
        printer_put_relax(p, "Tensor");
        put_tensor(p, type);
        return;
    case IR_TYPE_TUPLE:
        printer_put_relax(p, "Tuple");
        if (type->field_count == 0)
            return;
        text_putc(p->out, '(');
        put_fields(p, type);
        text_putc(p->out, ')');
        return;
    case IR_TYPE_FUNC:
        printer_put_relax(p, "Callable");
        put_func(p, type);
        return;
    case IR_TYPE_PACKED:
        printer_put_relax(p, "PackedFunc");
        return;
    }
    UNREACHABLE("type kind");
}
