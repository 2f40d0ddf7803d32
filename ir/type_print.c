/* Types as TVMScript. */
#include "ir/module.h"
#include "ir/print.h"
#include "ir/type.h"

struct printer {
    ir_dim_print_fn *print_dim;
    void *state;
    struct text *out;
};

static void print_type(const struct printer *p, const struct ir_type *type);

static void print_dims(const struct printer *p, const struct ir_type *type)
{
    for (int i = 0; i < type->ndim; i++) {
        if (i > 0)
            text_puts(p->out, ", ");
        p->print_dim(p->state, type->dims[i], p->out);
    }
}

static void print_shape(const struct printer *p, const struct ir_type *type)
{
    if (!type->dims) {
        text_printf(p->out, "R.Shape(ndim=%d)", type->ndim);
        return;
    }
    text_puts(p->out, "R.Shape([");
    print_dims(p, type);
    text_puts(p->out, "])");
}

/* Puts what separates arguments: a parenthesis before the first. */
static void print_separator(const struct printer *p, bool *has_arguments)
{
    text_puts(p->out, *has_arguments ? ", " : "(");
    *has_arguments = true;
}

static void print_tensor(const struct printer *p, const struct ir_type *type)
{
    bool has_arguments = false;
    char name[32];

    text_puts(p->out, "R.Tensor");
    if (type->shape_var) {
        print_separator(p, &has_arguments);
        ir_value_print(type->shape_var, p->out);
    } else if (type->dims) {
        print_separator(p, &has_arguments);
        text_putc(p->out, '(');
        print_dims(p, type);
        text_puts(p->out, type->ndim == 1 ? ",)" : ")");
    }
    if (!ir_dtype_is_void(type->dtype)) {
        print_separator(p, &has_arguments);
        text_printf(p->out, "dtype=\"%s\"", ir_dtype_name(type->dtype, name));
    }
    if (!type->shape_var && !type->dims && type->ndim != IR_NDIM_UNKNOWN) {
        print_separator(p, &has_arguments);
        text_printf(p->out, "ndim=%d", type->ndim);
    }
    if (type->vdevice) {
        print_separator(p, &has_arguments);
        text_printf(p->out, "vdevice=\"%s\"", type->vdevice);
    }
    if (has_arguments)
        text_putc(p->out, ')');
}

static void print_list(const struct printer *p, const struct ir_type *type)
{
    for (unsigned i = 0; i < type->field_count; i++) {
        if (i > 0)
            text_puts(p->out, ", ");
        print_type(p, type->fields[i]);
    }
}

static void print_opaque_func(const struct printer *p, const struct ir_type *type)
{
    bool has_arguments = false;

    text_puts(p->out, "R.Callable");
    if (type->derive) {
        print_separator(p, &has_arguments);
        text_printf(p->out, "derive_func=\"%s\"", type->derive);
    } else if (type->result->kind != IR_TYPE_ANY) {
        print_separator(p, &has_arguments);
        text_puts(p->out, "ret=");
        print_type(p, type->result);
    }
    if (type->is_pure) {
        print_separator(p, &has_arguments);
        text_puts(p->out, "purity=True");
    }
    if (has_arguments)
        text_putc(p->out, ')');
}

static void print_func(const struct printer *p, const struct ir_type *type)
{
    if (type->is_opaque) {
        print_opaque_func(p, type);
        return;
    }
    text_puts(p->out, "R.Callable((");
    print_list(p, type);
    text_puts(p->out, type->field_count == 1 ? ",), " : "), ");
    print_type(p, type->result);
    text_puts(p->out, type->is_pure ? ", True)" : ", False)");
}

static void print_type(const struct printer *p, const struct ir_type *type)
{
    char name[32];

    switch (type->kind) {
    case IR_TYPE_ANY:
        text_puts(p->out, "R.Any");
        return;
    case IR_TYPE_PRIM:
        text_printf(p->out, "T.%s", ir_dtype_name(type->dtype, name));
        return;
    case IR_TYPE_SHAPE:
        print_shape(p, type);
        return;
    case IR_TYPE_TENSOR:
        print_tensor(p, type);
        return;
    case IR_TYPE_TUPLE:
        text_puts(p->out, "R.Tuple");
        if (type->field_count == 0)
            return;
        text_putc(p->out, '(');
        print_list(p, type);
        text_putc(p->out, ')');
        return;
    case IR_TYPE_FUNC:
        print_func(p, type);
        return;
    case IR_TYPE_PACKED:
        text_puts(p->out, "R.PackedFunc");
        return;
    }
    UNREACHABLE("type kind");
}

void ir_type_print_with(const struct ir_type *type, ir_dim_print_fn *print_dim, void *state,
                        struct text *out)
{
    struct printer p = {print_dim, state, out};

    print_type(&p, type);
}

static void print_bare_dim(void *state, const struct ir_expr *dim, struct text *out)
{
    ir_expr_print(dim, out);
}

void ir_type_print(const struct ir_type *type, struct text *out)
{
    ir_type_print_with(type, print_bare_dim, NULL, out);
}

const char *ir_type_text(struct ir_context *context, const struct ir_type *type)
{
    struct text text = {0};

    ir_type_print(type, &text);
    const char *result = arena_copy_text(&context->arena, text_string(&text), text.length);
    text_finish(&text);
    return result;
}
