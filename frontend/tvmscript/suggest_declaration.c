/*
 * Parameters of kernels that are declared otherwise than the kernel uses them: where its calls hand over what the uses want,
 * the declaration is wrong, and one edit there mends all uses.
 */
#include "frontend/tvmscript/internal.h"
#include "frontend/tvmscript/tir.h"

#include <string.h>

/* --- what the calls hand over --- */

struct handed {
    struct frontend *f;
    const struct ast *def;  /* the function that is searched */
    unsigned place;         /* of the parameter, among the buffers of the kernel */
    const struct ast *type; /* R.Tensor(..) of the first call that tells; NULL: none */
};

static bool is_tensor_type(struct frontend *f, const struct ast *type)
{
    return type && type->kind == AST_CALL && is_dotted(f, type, "R.Tensor");
}

/* The parameter of the kernel that is read whose type is that of @buffer, as `name: T.Buffer(..)`; NULL: it is none. */
static const struct ast *parameter_of(struct frontend *f, const struct ir_buffer *buffer,
                                      unsigned *out_place)
{
    const struct ast *def = f->tir ? f->tir->def : NULL;

    *out_place = 0;
    for (unsigned i = 0; def && i < def->item_count; i++) {
        const struct ast *param = def->items[i], *type = param->items[0];
        bool is_buffer = type && type->kind == AST_CALL && is_dotted(f, type, "T.Buffer");
        if (is_buffer && strcmp(param->name, buffer->name) == 0)
            return param;
        *out_place += is_buffer;
    }
    return NULL;
}

/* The type that the function says @arg has; NULL: it does not. */
static const struct ast *annotation_of(struct handed *h, const struct ast *arg)
{
    for (unsigned i = 0; arg->kind == AST_NAME && i < h->def->item_count; i++)
        if (h->def->items[i]->name == arg->name)
            return h->def->items[i]->items[0];
    return NULL;
}

static bool is_scalar(struct handed *h, const struct ast *arg)
{
    const struct ast *type = annotation_of(h, arg);

    return arg->kind == AST_INT || arg->kind == AST_FLOAT || arg->kind == AST_BINARY ||
           (type && !is_tensor_type(h->f, type));
}

/* What stands at @place in the tuple or list @a, or is @a. */
static const struct ast *item_of(const struct ast *a, unsigned place)
{
    bool is_list = a && (a->kind == AST_TUPLE || a->kind == AST_LIST);

    if (!is_list)
        return place == 0 ? a : NULL;
    return place < a->item_count ? a->items[place] : NULL;
}

/* The @number-th of the results @results that is no argument, as @indices of an update in place say. */
static const struct ast *fresh_result(const struct ast *results, const struct ast *indices,
                                      unsigned number)
{
    int64_t index;

    for (unsigned i = 0; indices && item_of(indices, i); i++)
        if (ast_int_literal(item_of(indices, i), &index) && index == -1 && number-- == 0)
            return item_of(results, i);
    return NULL;
}

static void read_call(struct handed *h, const struct ast *call)
{
    bool is_plain = is_dotted(h->f, call, "R.call_tir");
    const struct ast *args = call_arg(call, 1, "args");
    const struct ast *results = call_arg(call, is_plain ? 2 : UINT16_MAX, "out_ty");
    const struct ast *type = NULL;
    unsigned tensors = 0;

    for (unsigned i = 0; args && item_of(args, i); i++) {
        const struct ast *arg = item_of(args, i);
        if (is_scalar(h, arg))
            continue;
        if (tensors++ == h->place)
            type = annotation_of(h, arg);
    }
    if (args && tensors <= h->place)
        type = is_plain ? item_of(results, h->place - tensors)
                        : fresh_result(results, call_arg(call, UINT16_MAX, "inplace_indices"),
                                       h->place - tensors);
    if (is_tensor_type(h->f, type))
        h->type = type;
}

static void search(struct handed *h, const struct ast *a)
{
    if (!a || h->type)
        return;
    const struct ast *kernel = a->kind == AST_CALL ? call_arg(a, 0, "func") : NULL;
    if (kernel && kernel->kind == AST_ATTRIBUTE &&
        strcmp(kernel->name, h->f->tir->def->name) == 0 &&
        (is_dotted(h->f, a, "R.call_tir") || is_dotted(h->f, a, "R.call_tir_inplace")))
        read_call(h, a);
    for (unsigned i = 0; a->items && i < a->item_count; i++)
        search(h, a->items[i]);
    for (unsigned i = 0; i < a->body_count; i++)
        search(h, a->body[i]);
    for (unsigned i = 0; i < a->orelse_count; i++)
        search(h, a->orelse[i]);
}

/* R.Tensor(..) of what the calls of the kernel give for its buffer at @place; NULL: they do not tell. */
static const struct ast *handed_type(struct frontend *f, unsigned place)
{
    struct handed h = {.f = f, .place = place};

    for (size_t i = 0; i < f->module->global_count && i < 1000 && !h.type; i++) {
        h.def = map_get(&f->definitions, f->module->globals[i]->name);
        if (h.def && h.def != f->tir->def)
            search(&h, h.def);
    }
    return h.type;
}

/* --- dtypes --- */

bool help_declared_dtype(struct frontend *f, struct diag_message *m, const struct ir_buffer *buffer)
{
    unsigned place;
    const struct ast *param = parameter_of(f, buffer, &place);
    const struct ast *said = param ? call_arg(param->items[0], 1, "dtype") : NULL;
    const struct ast *type = said ? handed_type(f, place) : NULL;
    const struct ast *given = type ? call_arg(type, 1, "dtype") : NULL;
    struct ir_dtype dtype;

    if (!given || given->kind != AST_STRING || said->kind != AST_STRING ||
        !ir_dtype_parse(given->string, &dtype) || !ir_dtype_is_int(dtype))
        return false;
    diag_help(m, "calls give %s for `%s`", given->string, buffer->name);
    diag_help_edit(m, said->loc, "\"%s\"", given->string);
    return true;
}

/* --- shapes --- */

static bool is_plain(struct frontend *f, const struct ast *shape)
{
    for (unsigned i = 0; i < shape->item_count; i++) {
        const struct ast *size = shape->items[i];
        if (size->kind != AST_INT &&
            !(size->kind == AST_NAME && map_has(&f->constants, size->name)))
            return false;
    }
    return true;
}

bool help_declared_shape(struct frontend *f, struct diag_message *m, const struct ir_buffer *buffer,
                         unsigned indices)
{
    unsigned place;
    const struct ast *param = parameter_of(f, buffer, &place);
    const struct ast *said = param ? call_arg(param->items[0], 0, "shape") : NULL;
    const struct ast *type = said ? handed_type(f, place) : NULL;
    const struct ast *given = type ? call_arg(type, 0, "shape") : NULL;

    if (!given || given->kind != AST_TUPLE || said->kind != AST_TUPLE ||
        given->item_count != indices || !is_plain(f, given))
        return false;
    diag_help(m, "calls give `%s` as many axes as it has indices", buffer->name);
    diag_help_edit(m, said->loc, "%.*s", LOCATION_TEXT(given->loc));
    return true;
}
