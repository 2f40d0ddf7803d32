/* Descriptions of buffers: the arguments of T.Buffer, T.match_buffer, T.alloc_buffer, ... */
#include "frontend/tvmscript/tir.h"

#include <string.h>

/* Arguments in the order of their positions, from the shape on. */
static const char *const buffer_args[] = {
    "shape",       "dtype",           "data",   "strides",
    "elem_offset", "scope",           "align",  "offset_factor",
    "buffer_type", "axis_separators", "layout", "annotations",
    "byte_offset", "allocated_addr",  "param",  NULL,
};

struct reader {
    struct frontend *f;
    const struct ast *call;
    unsigned skip; /* positional arguments before the shape */
    enum buffer_form form;
    struct ir_buffer *buffer;
};

/* The argument @keyword; only the first five have a place of their own. */
static const struct ast *argument(const struct reader *r, const char *keyword)
{
    unsigned place = 0;

    while (strcmp(buffer_args[place], keyword) != 0)
        place++;
    const struct ast *a = call_arg(r->call, place < 5 ? place + r->skip : UINT16_MAX, keyword);
    return a && a->kind != AST_NONE ? a : NULL;
}

/* --- symbols in shapes --- */

/* Binds the names in @a that stand for nothing yet: a quoted dimension defines them. */
static void bind_symbols(struct frontend *f, const struct ast *a)
{
    if (a->kind == AST_NAME && !scope_use(f, a)) {
        struct ir_var *var = ir_symbol_new(f->context, a->name, symbol_dtype(f, a->name));
        var->loc = a->loc;
        scope_bind(f, NAME_VAR, a->name, a->loc)->var = var;
    }
    /* what is called is no symbol */
    for (unsigned i = a->kind == AST_CALL; i < a->item_count; i++)
        if (a->items[i] && a->kind != AST_ATTRIBUTE)
            bind_symbols(f, a->items[i]);
}

static const struct ir_expr *dim_of(struct reader *r, const struct ast *a)
{
    if (a->kind == AST_STRING) {
        struct ast *inner = ast_parse_string(&r->f->arena, &r->f->context->atoms, r->f->diag, a);
        if (!inner)
            return NULL;
        if (r->form == BUFFER_ANNOTATION)
            bind_symbols(r->f, inner);
        a = inner;
    }
    const struct ir_expr *dim = scalar_translate(r->f, a, IR_VOID);
    if (dim && !ir_dtype_is_int(dim->dtype)) {
        report_not_integer(r->f, a, "a dimension", dim->dtype);
        return NULL;
    }
    return scalar_only(r->f, a, dim);
}

static bool read_shape(struct reader *r)
{
    struct frontend *f = r->f;
    const struct ast *shape = argument(r, "shape");
    const struct ir_expr *const *known;
    unsigned count;

    if (r->skip == 0 && report_loose_dims(f, r->call))
        return false;
    if (!shape) {
        diag_report(f->diag, r->call->loc, ARG_MISSING, "shape");
        return false;
    }
    if (shape->kind == AST_LIST || shape->kind == AST_TUPLE) {
        count = shape->item_count;
        const struct ir_expr **dims =
            arena_array(&f->module->arena, const struct ir_expr *, count + 1);
        for (unsigned i = 0; i < count; i++)
            if (!(dims[i] = dim_of(r, shape->items[i])))
                return false;
        known = dims;
    } else if (shape->kind == AST_ATTRIBUTE) {
        if (!scalars_translate(f, shape, IR_VOID, &known, &count))
            return false;
    } else {
        const struct ir_expr **dims = arena_array(&f->module->arena, const struct ir_expr *, 1);
        if (!(dims[0] = dim_of(r, shape)))
            return false;
        known = dims;
        count = 1;
    }
    if (count > IR_RANK_LIMIT) {
        diag_report(f->diag, shape->loc, TYPE_MANY_DIMS, IR_RANK_LIMIT);
        return false;
    }
    r->buffer->shape = known;
    r->buffer->ndim = count;
    return true;
}

static bool read_dtype(struct reader *r)
{
    const struct ast *dtype = argument(r, "dtype");

    r->buffer->dtype = IR_F32;
    return !dtype || dtype_translate(r->f, dtype, &r->buffer->dtype);
}

/* --- layout --- */

static const struct ir_expr *stride_of(struct reader *r, const struct ast *a,
                                       const struct ir_expr *const *items, unsigned done)
{
    struct frontend *f = r->f;

    if (a->kind != AST_STRING)
        return index_translate(f, a);
    /* a name of its own, reached as A.strides[i]; one name twice is one variable */
    for (unsigned k = 0; k < done; k++)
        if (items[k]->kind == IR_EXPR_var && items[k]->var->name == a->string)
            return items[k];
    struct ir_dtype dtype = r->buffer->ndim ? r->buffer->shape[0]->dtype : IR_I32;
    struct ir_var *var = ir_symbol_new(f->context, a->string, dtype);
    var->loc = a->loc;
    return ir_expr_var(f->context, var);
}

static bool read_strides(struct reader *r)
{
    struct frontend *f = r->f;
    const struct ast *strides = argument(r, "strides");

    if (!strides ||
        ((strides->kind == AST_LIST || strides->kind == AST_TUPLE) && strides->item_count == 0))
        return true;
    if (strides->kind == AST_ATTRIBUTE) {
        unsigned count;
        return scalars_translate(f, strides, IR_VOID, &r->buffer->strides, &count);
    }
    if (strides->kind != AST_LIST && strides->kind != AST_TUPLE) {
        diag_report(f->diag, strides->loc, KERNEL_ARGUMENT, "`strides`", "a list");
        return false;
    }
    if (strides->item_count != r->buffer->ndim) {
        diag_report(f->diag, strides->loc, KERNEL_ARGUMENT, "`strides`", "as long as the shape");
        return false;
    }
    const struct ir_expr **items =
        arena_array(&f->module->arena, const struct ir_expr *, strides->item_count);
    for (unsigned i = 0; i < strides->item_count; i++)
        if (!(items[i] = stride_of(r, strides->items[i], items, i)))
            return false;
    r->buffer->strides = items;
    return true;
}

/* A buffer that may start anywhere has an offset, which is known by its name only. */
static void name_offset(struct reader *r)
{
    struct ir_buffer *buffer = r->buffer;
    struct ir_dtype dtype = buffer->ndim ? buffer->shape[0]->dtype : IR_I32;

    if (buffer->elem_offset && buffer->offset_factor == 1)
        buffer->offset_factor = 0; /* that is what it is without being said */
    if (buffer->elem_offset || buffer->offset_factor == 0)
        return;
    const char *name = arena_printf(&r->f->arena, "%s_elem_offset", buffer->name);
    buffer->elem_offset = ir_expr_var(r->f->context, ir_var_new(r->f->context, name, dtype));
}

static bool read_integer(struct reader *r, const char *keyword, int *out)
{
    const struct ast *a = argument(r, keyword);
    int64_t value;

    if (!a)
        return true;
    if (!ast_int_literal(a, &value) || value < -1 || value > 1 << 24) {
        diag_report(r->f->diag, a->loc, KERNEL_ARGUMENT,
                    arena_printf(&r->f->arena, "`%s`", keyword), "a literal number");
        return false;
    }
    *out = value < 0 ? 0 : (int)value;
    return true;
}

static bool read_string(struct reader *r, const char *keyword, const char **out)
{
    const struct ast *a = argument(r, keyword);

    if (!a)
        return true;
    if (a->kind != AST_STRING) {
        diag_report(r->f->diag, a->loc, KERNEL_ARGUMENT,
                    arena_printf(&r->f->arena, "`%s`", keyword), "a string");
        return false;
    }
    *out = a->string;
    return true;
}

static bool read_data(struct reader *r)
{
    const struct ast *data = argument(r, "data");
    const struct ast *offset = argument(r, "elem_offset");

    if (data) {
        const struct ast *base = data->kind == AST_ATTRIBUTE ? data->items[0] : data;
        const struct name *name = base->kind == AST_NAME ? scope_use(r->f, base) : NULL;
        r->buffer->data = scalar_translate(r->f, data, IR_VOID);
        if (!r->buffer->data)
            return false;
        if (r->buffer->data->dtype.code != IR_HANDLE) {
            diag_report(r->f->diag, data->loc, KERNEL_ARGUMENT, "`data`", "a pointer");
            return false;
        }
        if (name && (name->kind == NAME_BUFFER || name->kind == NAME_VAR))
            r->buffer->data_of = name->buffer;
    }
    if (offset && !(r->buffer->elem_offset = index_translate(r->f, offset)))
        return false;
    return true;
}

static bool refuse(struct reader *r, const char *keyword)
{
    const struct ast *a = argument(r, keyword);

    if (!a || (a->kind == AST_STRING && strcmp(a->string, "default") == 0))
        return true;
    diag_report(r->f->diag, a->loc, TYPE_UNSUPPORTED, keyword);
    return false;
}

static bool read_rest(struct reader *r)
{
    struct ir_buffer *buffer = r->buffer;
    const struct ast *separators = argument(r, "axis_separators");

    if (!read_strides(r) || !read_data(r) || !read_string(r, "scope", &buffer->scope) ||
        !read_integer(r, "align", &buffer->align) ||
        !read_integer(r, "offset_factor", &buffer->offset_factor) ||
        !read_string(r, "buffer_type", &buffer->buffer_type) || !refuse(r, "layout") ||
        !refuse(r, "byte_offset") || !refuse(r, "allocated_addr"))
        return false;
    if (buffer->buffer_type && strcmp(buffer->buffer_type, "auto") != 0 &&
        strcmp(buffer->buffer_type, "") != 0 && strcmp(buffer->buffer_type, "default") != 0)
        return refuse(r, "buffer_type");
    buffer->buffer_type = buffer->buffer_type && strcmp(buffer->buffer_type, "auto") == 0
                              ? buffer->buffer_type
                              : NULL;
    if (separators && !(separators->kind == AST_LIST && separators->item_count == 0) &&
        !(buffer->axis_separators = attr_translate(r->f, separators)))
        return false;
    name_offset(r);
    return true;
}

struct ir_buffer *buffer_translate(struct frontend *f, const struct ast *call, const char *name,
                                   enum buffer_form form)
{
    struct ir_buffer *buffer = tir_buffer_new(f->module, name, IR_F32, NULL, 0);
    struct reader r = {
        .f = f, .call = call, .skip = form == BUFFER_MATCH, .form = form, .buffer = buffer};

    buffer->loc = call->loc;
    buffer->scope = atom_intern_text(&f->context->atoms, "global");
    if (!call_refuse_unnamed(f, call))
        return NULL;
    for (unsigned i = call_positional_count(call) + 1; i < call->item_count; i++) {
        unsigned k = 0;
        while (buffer_args[k] && strcmp(buffer_args[k], call->items[i]->name) != 0)
            k++;
        if (!buffer_args[k]) {
            diag_report(f->diag, call->items[i]->name_loc, ARG_UNKNOWN, call->items[i]->name);
            return NULL;
        }
    }
    if (call_positional_count(call) > 5 + r.skip) {
        diag_report(f->diag, call->loc, ARG_COUNT, 5 + r.skip, call_positional_count(call));
        return NULL;
    }
    return read_shape(&r) && read_dtype(&r) && read_rest(&r) ? buffer : NULL;
}
