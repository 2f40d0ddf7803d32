/* Accesses to buffers: elements, regions, and what a buffer tells about itself (A.shape, A.data). */
#include "frontend/tvmscript/tir.h"
#include "ir/arith.h"

#include <string.h>

struct ir_buffer *buffer_of(struct frontend *f, const struct ast *a)
{
    /* x.buffer of a mutable scalar; A.ty.shape is A.shape */
    if (a->kind == AST_ATTRIBUTE && (strcmp(a->name, "buffer") == 0 || strcmp(a->name, "ty") == 0))
        a = a->items[0];
    const struct name *name = a->kind == AST_NAME ? scope_use(f, a) : NULL;

    return name && name->kind == NAME_BUFFER ? name->buffer : NULL;
}

static const struct ir_var *new_data_var(struct frontend *f, const struct ir_buffer *buffer)
{
    struct ir_var *var = ir_symbol_new(f->context, buffer->name, IR_PTR);

    var->is_symbol = false;
    var->pointee = dtype_text(f, buffer->dtype);
    if (buffer->scope && strcmp(buffer->scope, "global") != 0)
        var->pointer_scope = buffer->scope;
    return var;
}

const struct ir_var *buffer_data_var(struct frontend *f, struct ir_buffer *buffer)
{
    if (!buffer->data_var) {
        if (buffer->data && buffer->data->kind == IR_EXPR_var)
            buffer->data_var = buffer->data->var;
        else
            buffer->data_var = new_data_var(f, buffer);
    }
    return buffer->data_var;
}

/* --- slices --- */

/* The ends of lower:upper on dimension @dim of @buffer. */
static bool slice_ends(struct frontend *f, const struct ast *slice, const struct ir_buffer *buffer,
                       unsigned dim, const struct ir_expr **out_lower,
                       const struct ir_expr **out_upper)
{
    struct ir_dtype dtype = buffer->shape[dim]->dtype;

    *out_lower =
        slice->items[0] ? index_translate(f, slice->items[0]) : ir_expr_int(f->context, dtype, 0);
    *out_upper = slice->items[1] ? index_translate(f, slice->items[1]) : buffer->shape[dim];
    return *out_lower && *out_upper && tir_match(f, slice->loc, out_lower, out_upper);
}

static const struct ir_expr *extent_of(struct frontend *f, const struct ir_expr *lower,
                                       const struct ir_expr *upper)
{
    if (ir_expr_is_int(lower, 0))
        return upper;
    return ir_simplify(f->context, ir_expr_binary(f->context, IR_EXPR_sub, upper, lower));
}

/* lower:upper:step as a vector of indices. */
static const struct ir_expr *slice_ramp(struct frontend *f, const struct ast *slice,
                                        const struct ir_buffer *buffer, unsigned dim)
{
    const struct ir_expr *ends[2], *step = NULL;
    int64_t length, stride = 1;

    if (!slice_ends(f, slice, buffer, dim, &ends[0], &ends[1]))
        return NULL;
    if (slice->items[2] && !(step = index_translate(f, slice->items[2])))
        return NULL;
    if ((step && !ir_expr_constant(f->context, step, &stride)) || stride < 1 ||
        !ir_expr_constant(f->context, extent_of(f, ends[0], ends[1]), &length)) {
        struct diag_message *m =
            diag_report(f->diag, slice->loc, KERNEL_SLICE, "has no length that is known");
        diag_help(m, "a slice in an access is a vector: its ends differ by a number");
        return NULL;
    }
    int64_t lanes = length < 1 ? 0 : (length - 1) / stride + 1;
    if (lanes < 1 || lanes > UINT16_MAX) {
        diag_report(f->diag, slice->loc, KERNEL_SLICE,
                    lanes < 1 ? "is empty" : "is longer than 65535");
        return NULL;
    }
    if (lanes == 1)
        return ends[0];
    ends[1] = ir_expr_int(f->context, ends[0]->dtype, stride);
    struct ir_dtype dtype = {ends[0]->dtype.code, ends[0]->dtype.bits, (uint16_t)lanes};
    return ir_expr_at(f->context, slice->loc,
                      ir_expr_new(f->context, IR_EXPR_ramp, dtype, ends, 2));
}

/* --- elements --- */

static bool check_index_count(struct frontend *f, const struct ast *a,
                              const struct ir_buffer *buffer, unsigned count)
{
    if (count == buffer->ndim)
        return true;
    if (map_has(&f->reported_constants, buffer))
        return false;
    struct diag_message *m =
        diag_report(f->diag, a->loc, KERNEL_INDEX_COUNT, buffer->name, buffer->ndim, count);
    diag_label(m, buffer->loc, "`%s` is defined here", buffer->name);
    if (help_declared_shape(f, m, buffer, count))
        map_set(&f->reported_constants, buffer, buffer); /* one edit mends all uses */
    else if (buffer->ndim == 0) {
        diag_help(m, "write `%s[()]`", buffer->name);
        diag_help_edit(m, a->loc, "%s[()]", buffer->name);
    } else if (!help_flat_index(f, m, a, buffer)) {
        help_loose_dot(m, a);
        help_indices(f, m, a, buffer);
    }
    return false;
}

const struct ir_expr **indices_translate(struct frontend *f, const struct ast *a,
                                         const struct ir_buffer *buffer, unsigned *out_count)
{
    unsigned count = a->item_count - 1;
    const struct ir_expr **indices = arena_array(&f->arena, const struct ir_expr *, count + 1);

    if (!check_index_count(f, a, buffer, count))
        return NULL;
    struct ir_dtype stored = f->tir ? f->tir->stored : IR_VOID;
    if (f->tir) /* an index is no value that is stored */
        f->tir->stored = IR_VOID;
    for (unsigned i = 0; i < count; i++) {
        const struct ast *item = a->items[i + 1];
        indices[i] = item->kind == AST_SLICE ? slice_ramp(f, item, buffer, i)
                                             : index_lanes_translate(f, item);
        if (!indices[i])
            return NULL;
        if (i + 1 < count && indices[i]->dtype.lanes > 1) {
            diag_report(f->diag, item->loc, KERNEL_SLICE,
                        "stands not in the last dimension, where vectors stand");
            return NULL;
        }
    }
    if (f->tir)
        f->tir->stored = stored;
    *out_count = count;
    return indices;
}

/* --- A.shape[0], A.strides[0] --- */

/* The scalars that @a, a tuple of them, stands for; false without a report if it is none. */
static bool tuple_items(struct frontend *f, const struct ast *a,
                        const struct ir_expr *const **out_items, unsigned *out_count)
{
    const struct name *name = a->kind == AST_NAME ? scope_use(f, a) : NULL;

    if (name && name->kind == NAME_TUPLE) {
        *out_items = name->items;
        *out_count = name->item_count;
        return true;
    }
    const struct ir_buffer *buffer = a->kind == AST_ATTRIBUTE ? buffer_of(f, a->items[0]) : NULL;
    if (!buffer || (strcmp(a->name, "shape") != 0 && strcmp(a->name, "strides") != 0))
        return false;
    bool is_shape = *a->name == 's' && a->name[1] == 'h';
    *out_items = is_shape ? buffer->shape : buffer->strides;
    *out_count = is_shape || buffer->strides ? buffer->ndim : 0;
    return true;
}

bool scalars_translate(struct frontend *f, const struct ast *a, struct ir_dtype wanted,
                       const struct ir_expr *const **out_items, unsigned *out_count)
{
    array(const struct ir_expr *) items = {0};
    bool is_list = a->kind == AST_LIST || a->kind == AST_TUPLE;
    bool done = true;

    if (tuple_items(f, a, out_items, out_count))
        return true;
    for (unsigned i = 0; i < (is_list ? a->item_count : 1) && done; i++) {
        const struct ir_expr *item = scalar_translate(f, is_list ? a->items[i] : a, wanted);
        done = item != NULL;
        array_push(&items, item);
    }
    const struct ir_expr **copy = arena_array(&f->arena, const struct ir_expr *, items.count + 1);
    for (size_t i = 0; i < items.count; i++)
        copy[i] = items.items[i];
    *out_items = copy;
    *out_count = (unsigned)items.count;
    array_finish(&items);
    return done;
}

static const struct ir_expr *pick(struct frontend *f, const struct ast *a,
                                  const struct ir_expr *const *items, unsigned count)
{
    int64_t index;

    if (a->item_count != 2 || !ast_int_literal(a->items[1], &index)) {
        diag_report(f->diag, a->loc, KERNEL_ARGUMENT, "the index", "a literal number");
        return NULL;
    }
    if (index < 0)
        index += count;
    if (index < 0 || index >= count) {
        diag_report(f->diag, a->items[1]->loc, KERNEL_ARGUMENT, "the index",
                    arena_printf(&f->arena, "less than %u", count));
        return NULL;
    }
    return items[index];
}

void help_brackets(struct diag_message *m, const struct ast *first)
{
    struct location brackets = {first->loc.source, first->loc.end - 1, first->loc.end};

    if (first->kind != AST_SUBSCRIPT || first->loc.source->text[brackets.end] != '[')
        return;
    brackets.end++;
    diag_help(m, "indices stand in one pair of brackets");
    diag_help_edit(m, brackets, ", ");
}

/* `d[i][j]` of two dimensions: E0407; false: it is something else. */
static bool report_index_again(struct frontend *f, const struct ast *a)
{
    const struct ast *inner = a->items[0];
    const struct ir_buffer *buffer =
        inner->kind == AST_SUBSCRIPT ? buffer_of(f, inner->items[0]) : NULL;

    if (!buffer || inner->item_count + a->item_count - 2 != buffer->ndim)
        return false;
    struct diag_message *m = diag_report(f->diag, inner->loc, KERNEL_INDEX_COUNT, buffer->name,
                                         buffer->ndim, inner->item_count - 1);
    diag_label(m, buffer->loc, "`%s` is defined here", buffer->name);
    help_brackets(m, inner);
    return true;
}

const struct ir_expr *subscript_translate(struct frontend *f, const struct ast *a)
{
    const struct ir_buffer *buffer = buffer_of(f, a->items[0]);
    const struct ir_expr *const *items;
    unsigned count;

    if (buffer) {
        const struct ir_expr **indices = indices_translate(f, a, buffer, &count);
        return indices ? ir_expr_load(f->context, buffer, indices, count) : NULL;
    }
    if (tuple_items(f, a->items[0], &items, &count))
        return pick(f, a, items, count);
    const struct name *name = a->items[0]->kind == AST_NAME ? scope_use(f, a->items[0]) : NULL;
    if (a->items[0]->kind == AST_NAME && !name) {
        report_undefined_name(f, a->items[0]);
        return NULL;
    }
    if (name && name->kind == NAME_ERROR)
        return NULL;
    if (report_index_again(f, a))
        return NULL;
    struct diag_message *m = diag_report(f->diag, a->items[0]->loc, KERNEL_SCALAR,
                                         name ? "an element of what is no buffer" : "this element");
    if (help_number_brackets(f, m, a))
        return NULL;
    if (!name)
        help_brackets(m, a->items[0]);
    help_member(f, m, a);
    return NULL;
}

const struct ir_expr *attribute_translate(struct frontend *f, const struct ast *a)
{
    struct ir_buffer *buffer = buffer_of(f, a->items[0]);

    if (buffer && strcmp(a->name, "data") == 0)
        return ir_expr_var(f->context, buffer_data_var(f, buffer));
    if (buffer && strcmp(a->name, "elem_offset") == 0)
        return buffer->elem_offset ? buffer->elem_offset : ir_expr_int(f->context, IR_I32, 0);
    const struct ast *root = a;
    while (root->kind == AST_ATTRIBUTE)
        root = root->items[0];
    const struct name *name = root->kind == AST_NAME ? scope_use(f, root) : NULL;
    if (name && name->kind == NAME_ERROR)
        return NULL;
    if (buffer || (name && name->kind == NAME_VAR)) {
        diag_report(f->diag, a->name_loc, KERNEL_ATTRIBUTE, buffer ? "a buffer" : "a scalar",
                    a->name);
        return NULL;
    }
    if (root->kind == AST_NAME && !name && !dotted_name(f, a)) {
        if (!report_library_number(f, a))
            report_undefined_name(f, root);
        return NULL;
    }
    struct diag_message *m = diag_report(f->diag, a->loc, KERNEL_SCALAR, "this name");
    if (!help_infinity(f, m, a))
        help_member(f, m, a);
    return NULL;
}

/* --- regions --- */

static bool region_dim(struct frontend *f, const struct ast *item, const struct ir_buffer *buffer,
                       unsigned dim, const struct ir_expr **out_min,
                       const struct ir_expr **out_extent)
{
    const struct ir_expr *upper;

    if (item->kind != AST_SLICE) {
        *out_min = index_translate(f, item);
        *out_extent = *out_min ? ir_expr_int(f->context, (*out_min)->dtype, 1) : NULL;
        return *out_min != NULL;
    }
    if (item->items[2]) {
        diag_report(f->diag, item->loc, KERNEL_SLICE, "has a step, and regions have none");
        return false;
    }
    if (!slice_ends(f, item, buffer, dim, out_min, &upper))
        return false;
    *out_extent = extent_of(f, *out_min, upper);
    return true;
}

static bool report_region(struct frontend *f, const struct ast *a)
{
    const struct name *name = a->kind == AST_NAME ? scope_use(f, a) : NULL;

    if (a->kind == AST_NAME && !name)
        report_undefined_name(f, a);
    else if (!name || name->kind != NAME_ERROR)
        diag_report(f->diag, a->loc, KERNEL_REGION, describe_ast(a));
    return false;
}

bool region_translate(struct frontend *f, const struct ast *a, struct tir_region *out)
{
    const struct name *alias = a->kind == AST_NAME ? scope_use(f, a) : NULL;

    if (alias && alias->kind == NAME_REGION)
        a = alias->region;
    const struct ast *base = a->kind == AST_SUBSCRIPT ? a->items[0] : a;
    const struct ir_buffer *buffer = buffer_of(f, base);
    unsigned given = a->kind == AST_SUBSCRIPT ? a->item_count - 1 : 0;

    if (!buffer)
        return report_region(f, base);
    if (given > buffer->ndim)
        return check_index_count(f, a, buffer, given);
    const struct ir_expr **min =
        arena_array(&f->module->arena, const struct ir_expr *, buffer->ndim + 1);
    const struct ir_expr **extent =
        arena_array(&f->module->arena, const struct ir_expr *, buffer->ndim + 1);
    for (unsigned i = 0; i < buffer->ndim; i++) {
        if (i < given && !region_dim(f, a->items[i + 1], buffer, i, &min[i], &extent[i]))
            return false;
        if (i >= given) { /* what is not said is all of it */
            min[i] = ir_expr_int(f->context, buffer->shape[i]->dtype, 0);
            extent[i] = buffer->shape[i];
        }
    }
    *out = (struct tir_region){.buffer = buffer, .min = min, .extent = extent, .loc = a->loc};
    return true;
}
