/* Stores of bare loads as boxes that are copied; see pieces.h. */
#include "analysis/access/pieces.h"

#include "analysis/access/cover.h"
#include "analysis/access/internal.h"
#include "analysis/access/pieces_internal.h"

#include <string.h>

enum {
    PAIR_LIMIT = 12,         /* pieces of which all pairs are compared */
    ACCESS_PIECE_SIZE = 4000 /* nodes of a distance that is simplified */
};

/* ---- where a piece comes from ---- */

/* The indices of the source as those of the output, shifted; NULL if they are not. */
static const struct access_piece_axis *axes_of(struct piece_reader *r, const struct access *read)
{
    struct access_piece_axis *axes =
        arena_array(&r->cache->arena, struct access_piece_axis, read->root->ndim + 1);

    for (unsigned i = 0; i < read->root->ndim; i++) {
        const struct ir_expr *rest;
        int loop;

        if (!read->indices || !r->is_boxed ||
            !piece_read_index(r, read->indices[i], &loop, &rest) ||
            (loop >= 0 && r->loop_dims[loop] < 0))
            return NULL;
        axes[i].from = loop < 0 ? -1 : r->loop_dims[loop];
        axes[i].shift = loop < 0 ? rest : piece_difference(r, rest, r->rests[axes[i].from]);
    }
    return axes;
}

/* The number of the element at @indices, in row-major order. */
static const struct ir_expr *place_of(struct piece_reader *r, const struct ir_buffer *buffer,
                                      const struct ir_expr *const *indices,
                                      const struct ir_expr *flat)
{
    const struct ir_expr *place = ir_expr_int(r->context, IR_I64, 0);

    if (flat)
        return ir_expr_cast(r->context, IR_I64, flat);
    for (unsigned i = 0; i < buffer->ndim; i++) {
        place = ir_expr_binary(r->context, IR_EXPR_mul, place,
                               ir_expr_cast(r->context, IR_I64, buffer->shape[i]));
        place = ir_expr_binary(r->context, IR_EXPR_add, place,
                               ir_expr_cast(r->context, IR_I64, indices[i]));
    }
    return place;
}

static bool has_loop(const struct piece_reader *r, const struct ir_expr *a)
{
    for (size_t i = 0; i < r->loops.count; i++)
        if (ir_expr_uses_var(a, r->loops.items[i].var))
            return true;
    return false;
}

/* As far as places go: the indices of both sides as the text has them. */
static const struct ir_expr *offset_of(struct piece_reader *r, const struct access *read)
{
    const struct access *write = r->write;

    if (!r->has_loops || (!write->indices && !write->flat) || (!read->indices && !read->flat))
        return NULL;
    const struct ir_expr *distance =
        ir_expr_binary(r->context, IR_EXPR_sub, place_of(r, read->root, read->indices, read->flat),
                       place_of(r, r->out, write->indices, write->flat));
    if (distance->size >= ACCESS_PIECE_SIZE)
        return NULL;
    distance = ir_simplify_in(r->context, &r->loops, distance);
    return has_loop(r, distance) ? NULL : distance;
}

/* The same where the axes are known: where the box has one index, that is the one that counts. */
static const struct ir_expr *offset_in_box(struct piece_reader *r, const struct access_box *box,
                                           const struct ir_buffer *source,
                                           const struct access_piece_axis *axes)
{
    const struct ir_expr **to = arena_array(&r->cache->arena, const struct ir_expr *, box->ndim);
    const struct ir_expr **from =
        arena_array(&r->cache->arena, const struct ir_expr *, source->ndim);
    const struct ir_var **vars = arena_array(&r->cache->arena, const struct ir_var *, box->ndim);

    for (unsigned d = 0; d < box->ndim; d++) {
        vars[d] = ir_var_new(r->context, "e", IR_I64);
        to[d] = ir_expr_is_int(box->extent[d], 1) ? box->min[d] : ir_expr_var(r->context, vars[d]);
    }
    for (unsigned i = 0; i < source->ndim; i++)
        from[i] = axes[i].from < 0 ? axes[i].shift : piece_sum(r, to[axes[i].from], axes[i].shift);
    const struct ir_expr *distance =
        piece_difference(r, place_of(r, source, from, NULL), place_of(r, r->out, to, NULL));
    for (unsigned d = 0; d < box->ndim; d++)
        if (ir_expr_uses_var(distance, vars[d]))
            return NULL;
    return distance;
}

/* Is @read where the choices around the part in work lead?  Their conditions may read the same. */
static bool is_chosen(const struct piece_reader *r, const struct access *read)
{
    const struct access_frame *f = read->frame;

    for (size_t i = r->choices.count; i-- > 0; f = f->parent) {
        const struct piece_choice *choice = &r->choices.items[i];

        if (!f || f->kind != ACCESS_GUARD || f->spelled != choice->condition ||
            f->is_negated != choice->is_negated)
            return false;
    }
    return f == r->write->frame;
}

/* The read that @load, a part of the value in work, is; they stand in one order. */
static const struct access *next_read(struct piece_reader *r, const struct ir_expr *load)
{
    for (; &r->list->items[r->next_read] < r->write; r->next_read++) {
        const struct access *read = &r->list->items[r->next_read];

        if (read->stmt == r->write->stmt && read->load == load && is_chosen(r, read))
            return &r->list->items[r->next_read++];
    }
    return NULL;
}

static bool is_plain(const struct ir_buffer *buffer)
{
    return !buffer->strides && (!buffer->elem_offset || ir_expr_is_int(buffer->elem_offset, 0));
}

static bool can_be_source(const struct piece_reader *r, const struct access *read)
{
    return read && read->param >= 0 && read->param != (int)r->param && is_plain(read->root) &&
           !read->is_indirect && !map_has(&r->list->written, read->root) &&
           ir_dtype_equal(read->root->dtype, r->out->dtype) &&
           ir_dtype_equal(read->buffer->dtype, r->out->dtype);
}

/* Adds the piece that @load copies; false if it is none. */
static bool add_copy(struct piece_reader *r, const struct ir_expr *load)
{
    struct piece_bounds bounds = piece_no_bounds(r);
    const struct access *read = next_read(r, load);
    struct access_piece piece = {.write = r->write, .load = load};

    if (!can_be_source(r, read))
        return false;
    for (const struct access_frame *f = read->frame; f != r->write->frame; f = f->parent)
        if (!f || f->kind != ACCESS_GUARD || !r->is_boxed ||
            !piece_add_condition(r, &bounds, f->condition, f->is_negated))
            return false;
    piece.source = read->param;
    piece.is_box = piece_box_of(r, &bounds, &piece.box);
    if (!piece.is_box && read->frame != r->write->frame)
        return false;
    piece.axes = axes_of(r, read);
    piece.offset = offset_of(r, read);
    if (!piece.offset && piece.axes && piece.is_box)
        piece.offset = offset_in_box(r, &piece.box, read->root, piece.axes);
    array_push(&r->items, piece);
    return true;
}

static bool add_copies(struct piece_reader *r, const struct ir_expr *value);

/* Where @condition holds, or not. */
static bool add_chosen(struct piece_reader *r, const struct ir_expr *condition, bool is_negated,
                       const struct ir_expr *value)
{
    struct piece_choice choice = {condition, is_negated};

    array_push(&r->choices, choice);
    bool is_whole = add_copies(r, value);
    r->choices.count--;
    return is_whole;
}

/* Adds what @value copies; false if something else is a part of it, too. */
static bool add_copies(struct piece_reader *r, const struct ir_expr *value)
{
    if (value->kind == IR_EXPR_load)
        return add_copy(r, value);
    if (!access_is_choice(value))
        return false;
    bool is_first = add_chosen(r, value->operands[0], false, value->operands[1]);
    bool is_second = add_chosen(r, value->operands[0], true, value->operands[2]);
    return is_first && is_second;
}

/* ---- stores ---- */

static void add_store(struct piece_reader *r, const struct access *write, size_t first_read)
{
    struct piece_bounds all;
    size_t before = r->items.count;

    r->write = write;
    r->next_read = first_read;
    piece_read_place(r);
    all = piece_no_bounds(r);
    if (write->stmt->kind == TIR_STORE && write->indices != NULL &&
        ir_dtype_equal(write->buffer->dtype, r->out->dtype) &&
        add_copies(r, write->stmt->store.value))
        return;
    struct access_piece rest = {.source = -1, .write = write};
    rest.is_box = piece_box_of(r, &all, &rest.box);
    rest.is_rest = r->items.count > before;
    array_push(&r->items, rest);
}

static bool is_quiet(const struct access *access)
{
    return access->kind == ACCESS_READ || access->kind == ACCESS_WRITE;
}

static bool add_stores(struct piece_reader *r)
{
    size_t first_read = 0;

    for (size_t i = 0; i < r->list->count; i++) {
        const struct access *access = &r->list->items[i];

        if (!is_quiet(access))
            return false;
        if (access->kind != ACCESS_WRITE)
            continue;
        if (access->param == (int)r->param)
            add_store(r, access, first_read);
        first_read = i + 1;
    }
    return true;
}

/* ---- together ---- */

static bool is_same(struct piece_reader *r, const struct ir_expr *a, const struct ir_expr *b)
{
    return ir_expr_equal(a, b) || ir_prove_equal(r->context, a, b);
}

/* Does @box run over all of the output in dimension @d? */
static bool is_full(struct piece_reader *r, const struct access_box *box, unsigned d)
{
    return ir_expr_is_int(box->min[d], 0) &&
           is_same(r, box->extent[d], piece_index(r, r->out->shape[d]));
}

/* Do the pieces follow each other along dimension @axis, from one end of the output to the other? */
static bool is_row(struct piece_reader *r, unsigned axis)
{
    const struct ir_expr *end = ir_expr_int(r->context, IR_I64, 0);

    for (size_t i = 0; i < r->items.count; i++) {
        const struct access_piece *piece = &r->items.items[i];

        if (!piece->is_box || piece->is_rest || !is_same(r, piece->box.min[axis], end))
            return false;
        for (unsigned d = 0; d < r->out->ndim; d++)
            if (d != axis && !is_full(r, &piece->box, d))
                return false;
        end = piece_sum(r, piece->box.min[axis], piece->box.extent[axis]);
    }
    return is_same(r, end, piece_index(r, r->out->shape[axis]));
}

static bool is_any_row(struct piece_reader *r)
{
    for (unsigned axis = 0; axis < r->out->ndim; axis++)
        if (is_row(r, axis))
            return true;
    return r->out->ndim == 0 && r->items.count == 1 && r->items.items[0].is_box;
}

static bool are_apart(struct piece_reader *r, const struct access_piece *a,
                      const struct access_piece *b)
{
    if (a->write == b->write || (a->source < 0 && b->source < 0))
        return true;
    return a->is_box && b->is_box &&
           access_boxes_may_meet(r->cache, r->list->func, &a->box, &b->box) == ACCESS_NEVER;
}

static bool are_all_apart(struct piece_reader *r)
{
    if (r->items.count > PAIR_LIMIT)
        return false;
    for (size_t i = 0; i < r->items.count; i++)
        for (size_t k = 0; k < i; k++)
            if (!are_apart(r, &r->items.items[i], &r->items.items[k]))
                return false;
    return true;
}

static bool is_covered(struct piece_reader *r)
{
    return access_cover(r->cache, r->list->func, r->param, NULL).coverage == ACCESS_COVERS_ALL;
}

bool access_pieces_of(struct access_cache *cache, const struct tir_func *func, unsigned param,
                      struct access_pieces *out)
{
    struct piece_reader r = {
        .cache = cache,
        .context = func->module->context,
        .list = access_of(cache, func),
        .out = func->params[param].buffer,
        .param = param,
    };
    bool is_known = r.out && is_plain(r.out) && add_stores(&r);

    *out = (struct access_pieces){.func = func, .param = param};
    if (is_known) {
        struct access_piece *items =
            arena_array(&cache->arena, struct access_piece, r.items.count + 1);
        if (r.items.count > 0)
            memcpy(items, r.items.items, r.items.count * sizeof(items[0]));
        out->items = items;
        out->count = (unsigned)r.items.count;
        bool is_in_row = is_any_row(&r);
        out->is_disjoint = is_in_row || are_all_apart(&r);
        out->is_complete = is_in_row || is_covered(&r);
    }
    array_finish(&r.items);
    array_finish(&r.loops);
    array_finish(&r.choices);
    return is_known;
}

const struct ir_expr *access_pieces_run(struct ir_context *context,
                                        const struct access_pieces *pieces, unsigned *out_source)
{
    const struct access_piece *first = pieces->items;

    if (!pieces->is_complete || pieces->count == 0)
        return NULL;
    for (unsigned i = 0; i < pieces->count; i++) {
        const struct access_piece *piece = &pieces->items[i];

        if (piece->source < 0 || piece->source != first->source || !piece->offset ||
            (i > 0 && !ir_prove_equal(context, piece->offset, first->offset)))
            return NULL;
    }
    *out_source = (unsigned)first->source;
    return first->offset;
}
