/* Graphs: names and their scopes, nodes in order, inputs and outputs as parameters and results. */
#include "frontend/onnx/import.h"
#include "frontend/onnx/storage.h"

#include <ctype.h>
#include <string.h>

/* ---- names ---- */

const char *onnx_name(struct onnx_import *m, const char *name)
{
    struct text text = {0};
    const char *atom;

    if (!*name || isdigit((unsigned char)*name))
        text_putc(&text, 'v');
    for (const char *at = name; *at && text.length < 200; at++)
        text_putc(&text, isalnum((unsigned char)*at) && (unsigned char)*at < 128 ? *at : '_');
    const char *base = atom = atom_intern_text(&m->context->atoms, text_string(&text));
    uintptr_t next = (uintptr_t)map_get(&m->name_counts, base);
    while (map_has(&m->names, atom))
        atom = atom_printf(&m->context->atoms, "%s_%u", text_string(&text), (unsigned)++next);
    text_finish(&text);
    if (next) /* names of one base do not ask for all before them again */
        map_set(&m->name_counts, base, (void *)next);
    map_set(&m->names, atom, atom);
    return atom;
}

bool onnx_push(struct onnx_import *m, struct onnx_scope *scope, struct onnx_scope *outer)
{
    *scope = (struct onnx_scope){.outer = outer};
    m->scope = scope;
    return true;
}

void onnx_pop(struct onnx_import *m, struct onnx_scope *scope)
{
    m->scope = scope->outer;
    map_finish(&scope->values);
    map_finish(&scope->later);
}

struct onnx_value *onnx_find(struct onnx_import *m, const char *name)
{
    const char *atom = atom_intern_text(&m->context->atoms, name);
    const Onnx__Node *later = NULL;

    for (struct onnx_scope *scope = m->scope; scope; scope = scope->outer) {
        struct onnx_value *value = map_get(&scope->values, atom);
        if (value)
            return value;
        later = later ? later : map_get(&scope->later, atom);
    }
    struct diag_message *report =
        diag_report(m->diag, m->b.loc, ONNX_GRAPH,
                    arena_printf(m->arena, "`%s` is read, but %s", name,
                                 later ? "made by a later node: a cycle, or nodes out of order"
                                       : "nothing makes it"));
    if (later)
        diag_label(report, onnx_line(m, later), "made here");
    return NULL;
}

struct onnx_value *onnx_define(struct onnx_import *m, const char *name)
{
    const char *atom = atom_intern_text(&m->context->atoms, name);
    struct onnx_value *value;

    if (map_has(&m->scope->values, atom)) {
        diag_report(m->diag, m->b.loc, ONNX_GRAPH,
                    arena_printf(m->arena, "`%s` is made twice", name));
        return NULL;
    }
    value = arena_new(m->arena, struct onnx_value);
    value->name = atom;
    map_set(&m->scope->values, atom, value);
    return value;
}

/* ---- blocks ---- */

/* Ends the block of @m and starts another one behind it; a dataflow block has its `output` from the start. */
void onnx_open_block(struct onnx_import *m, bool is_dataflow)
{
    m->b.block = ir_block_append(m->module, m->region, is_dataflow);
    m->b.before = NULL;
    if (is_dataflow)
        m->b.before = ir_build(&m->b, ir_core_op(m->context, IR_CORE_output), NULL, 0, NULL);
}

/* ---- types ---- */

static const struct ir_type *refuse_type(struct onnx_import *m, const Onnx__ValueInfo *info,
                                         const char *why)
{
    diag_report(m->diag, m->b.loc, ONNX_TYPE, info->name ? info->name : "", why);
    return NULL;
}

/* A dim without a number: a name, arithmetic on such, or nothing. */
static const struct ir_expr *open_dim(struct onnx_import *m, const char *owner, size_t axis,
                                      const Onnx__Dimension *dim)
{
    const struct ir_expr *known = onnx_parse_size(m, dim->dim_param);

    if (known)
        return known;
    if (dim->dim_param && *dim->dim_param)
        return onnx_symbol(m, dim->dim_param);
    struct onnx_size *size = onnx_named_size(m, arena_printf(m->arena, "%s:%zu", owner, axis), "d");
    return size->is ? size->is : ir_expr_var(m->context, size->var);
}

const Onnx__TensorType *onnx_tensor_type(const Onnx__ValueInfo *info)
{
    const Onnx__Type *type = info->type;

    if (type && type->optional_type) /* given, it is what it may be */
        type = type->optional_type->elem_type;
    return type ? type->tensor_type : NULL;
}

const struct ir_type *onnx_type(struct onnx_import *m, const Onnx__ValueInfo *info, bool is_open)
{
    const Onnx__TensorType *type = onnx_tensor_type(info);
    const struct ir_expr **dims;
    struct ir_dtype dtype;

    if (!type)
        return refuse_type(m, info, info->type ? "only tensors can be given" : "it is not said");
    if (!onnx_dtype(type->elem_type, &dtype))
        return refuse_type(
            m, info, arena_printf(m->arena, "data type %d is not supported", (int)type->elem_type));
    const Onnx__Shape *shape = type->shape;
    if (!shape)
        return ir_type_tensor(m->context, dtype, NULL, IR_NDIM_UNKNOWN);
    if (shape->n_dim > IR_RANK_LIMIT)
        return refuse_type(m, info, "it has too many dimensions");
    dims = arena_array(&m->context->arena, const struct ir_expr *, shape->n_dim + 1);
    for (size_t i = 0; i < shape->n_dim; i++) {
        const Onnx__Dimension *dim = shape->dim[i];
        if (dim->has_dim_value && dim->dim_value < 0)
            return refuse_type(m, info, "a dimension is negative");
        if (!dim->has_dim_value && is_open)
            return ir_type_tensor(m->context, dtype, NULL, (int)shape->n_dim);
        dims[i] = dim->has_dim_value ? onnx_expr(m, dim->dim_value)
                                     : open_dim(m, info->name ? info->name : "", i, dim);
    }
    return ir_type_tensor(m->context, dtype, dims, (int)shape->n_dim);
}

/* ---- nodes ---- */

static void announce(struct onnx_import *m, Onnx__Node *const *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < nodes[i]->n_output; k++)
            if (*nodes[i]->output[k])
                map_set(&m->scope->later, atom_intern_text(&m->context->atoms, nodes[i]->output[k]),
                        nodes[i]);
}

bool onnx_import_nodes(struct onnx_import *m, Onnx__Node *const *nodes, size_t count,
                       const Onnx__Attribute *const *arguments)
{
    announce(m, nodes, count);
    for (size_t i = 0; i < count; i++)
        if (!onnx_node_convert(m, nodes[i], arguments))
            return false;
    return true;
}

bool onnx_import_initializers(struct onnx_import *m, const Onnx__Graph *graph)
{
    for (size_t i = 0; i < graph->n_initializer + graph->n_sparse_initializer; i++) {
        bool is_sparse = i >= graph->n_initializer;
        const Onnx__SparseTensor *sparse =
            is_sparse ? graph->sparse_initializer[i - graph->n_initializer] : NULL;
        const Onnx__Tensor *tensor = is_sparse ? sparse->values : graph->initializer[i];
        struct ir_value *constant =
            is_sparse ? onnx_sparse_tensor(m, sparse) : onnx_tensor(m, tensor);
        struct onnx_value *value =
            constant ? onnx_define(m, tensor->name ? tensor->name : "") : NULL;
        if (!value)
            return false;
        value->tensor = constant;
        value->dtype = constant->type->dtype;
        value->stored = onnx_stored(tensor->data_type);
    }
    return true;
}

bool onnx_import_graph(struct onnx_import *m, const Onnx__Graph *graph,
                       const Onnx__Attribute *const *arguments)
{
    return onnx_import_initializers(m, graph) &&
           onnx_import_nodes(m, graph->node, graph->n_node, arguments);
}
