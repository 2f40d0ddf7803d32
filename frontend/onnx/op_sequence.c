/* Sequences and optional values: lists that are followed when the model is read, so that nothing of them runs. */
#include "frontend/onnx/families.h"

#include <string.h>

static void put_items(struct onnx_node *n, struct onnx_value *const *items, size_t count)
{
    n->outputs[0] = (struct onnx_value){.items = items, .item_count = count, .is_sequence = true};
}

static bool sequence_of(struct onnx_node *n, unsigned input, struct onnx_value **out)
{
    if (onnx_has(n, input) && n->inputs[input]->is_sequence) {
        *out = n->inputs[input];
        return true;
    }
    onnx_refuse(n, "its input %u is no sequence that is known when the model is imported", input);
    return false;
}

/* A number that is input @input, counted from the end below 0, of 0 to @count. */
static bool position(struct onnx_node *n, unsigned input, size_t count, size_t *out)
{
    double given;

    if (!onnx_in_number(n, input, &given))
        return false;
    int64_t place = (int64_t)given;
    place = place < 0 ? place + (int64_t)count : place;
    if (place < 0 || place > (int64_t)count) {
        onnx_refuse(n, "position %lld is none of a sequence of %zu", (long long)given, count);
        return false;
    }
    *out = (size_t)place;
    return true;
}

static struct onnx_value **room(struct onnx_node *n, size_t count)
{
    return arena_array(n->m->arena, struct onnx_value *, count + 1);
}

bool onnx_sequence_empty(struct onnx_node *n)
{
    put_items(n, room(n, 0), 0);
    return true;
}

bool onnx_sequence_construct(struct onnx_node *n)
{
    for (unsigned i = 0; i < n->input_count; i++)
        if (!onnx_has(n, i) || n->inputs[i]->is_sequence) {
            onnx_refuse(n, "its input %u is no tensor", i);
            return false;
        }
    put_items(n, n->inputs, n->input_count);
    return true;
}

bool onnx_sequence_insert(struct onnx_node *n)
{
    struct onnx_value *list, **items;
    size_t place;

    if (!sequence_of(n, 0, &list) || !onnx_has(n, 1) || n->inputs[1]->is_sequence)
        return false;
    place = list->item_count;
    if (onnx_has(n, 2) && !position(n, 2, list->item_count, &place))
        return false;
    items = room(n, list->item_count + 1);
    for (size_t i = 0; i <= list->item_count; i++)
        items[i] = i < place ? list->items[i] : i == place ? n->inputs[1] : list->items[i - 1];
    put_items(n, items, list->item_count + 1);
    return true;
}

/* Position @input must be one of an item. */
static bool item_place(struct onnx_node *n, const struct onnx_value *list, size_t *out)
{
    if (!position(n, 1, list->item_count, out))
        return false;
    if (*out < list->item_count)
        return true;
    onnx_refuse(n, "position %zu is none of a sequence of %zu", *out, list->item_count);
    return false;
}

bool onnx_sequence_erase(struct onnx_node *n)
{
    struct onnx_value *list, **items;
    size_t place;

    if (!sequence_of(n, 0, &list))
        return false;
    if (list->item_count == 0) {
        onnx_refuse(n, "the sequence is empty");
        return false;
    }
    place = list->item_count - 1;
    if (onnx_has(n, 1) && !item_place(n, list, &place))
        return false;
    items = room(n, list->item_count);
    for (size_t i = 0; i + 1 < list->item_count; i++)
        items[i] = list->items[i < place ? i : i + 1];
    put_items(n, items, list->item_count - 1);
    return true;
}

bool onnx_sequence_at(struct onnx_node *n)
{
    struct onnx_value *list;
    size_t place;

    if (!sequence_of(n, 0, &list) || !item_place(n, list, &place))
        return false;
    n->outputs[0] = *list->items[place];
    return true;
}

static bool put_number(struct onnx_node *n, struct ir_dtype dtype, int64_t number)
{
    const struct ir_expr **element = arena_array(n->m->arena, const struct ir_expr *, 1);

    element[0] = onnx_expr(n->m, number);
    onnx_value_set_elements(n->m, &n->outputs[0], dtype, 0, NULL, element, 1);
    return true;
}

bool onnx_sequence_length(struct onnx_node *n)
{
    struct onnx_value *list;

    return sequence_of(n, 0, &list) && put_number(n, IR_I64, (int64_t)list->item_count);
}

bool onnx_concat_from_sequence(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct onnx_value *list;
    bool is_new = onnx_int(n, "new_axis", 0);
    int64_t axis;

    if (!sequence_of(n, 0, &list))
        return false;
    if (list->item_count == 0) {
        onnx_refuse(n, "the sequence is empty");
        return false;
    }
    struct ir_value **items = arena_array(m->arena, struct ir_value *, list->item_count);
    for (size_t i = 0; i < list->item_count; i++) {
        items[i] = onnx_measured(m, onnx_value_tensor(m, list->items[i]), NULL);
        if (!items[i] || !onnx_axis(n, onnx_int(n, "axis", 0), onnx_rank(items[i]) + is_new, &axis))
            return false;
        if (is_new)
            items[i] = onnx_expand_dims(m, items[i], &axis, 1);
    }
    n->outputs[0].stored = list->items[0]->stored;
    return onnx_out(n, 0, onnx_concat(m, items, (unsigned)list->item_count, axis));
}

/* The lengths of the parts: given, all of one given length but for the last, or of 1. */
static const int64_t *part_lengths(struct onnx_node *n, int64_t extent, size_t *out_count)
{
    const int64_t *given = NULL;
    int64_t each = 1, *lengths;
    size_t count;

    if (onnx_has(n, 1) && !(given = onnx_in_numbers(n, 1, &count)))
        return NULL;
    if (given && n->inputs[1]->rank == 1) {
        *out_count = count;
        return given;
    }
    each = given ? given[0] : 1;
    if (each < 1 || extent / each > ONNX_UNROLL_LIMIT) {
        onnx_refuse(n, "its parts have no length, or are too many");
        return NULL;
    }
    *out_count = (size_t)((extent + each - 1) / each);
    lengths = arena_array(n->m->arena, int64_t, *out_count + 1);
    for (size_t i = 0; i < *out_count; i++)
        lengths[i] = i + 1 < *out_count ? each : extent - (int64_t)i * each;
    return lengths;
}

bool onnx_split_to_sequence(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);
    int64_t axis, extent = 0, at = 0;
    bool keeps = onnx_has(n, 1) || onnx_int(n, "keepdims", 1);
    size_t count;

    if (!x || !onnx_axis(n, onnx_int(n, "axis", 0), onnx_rank(x), &axis))
        return false;
    bool is_known = ir_expr_constant(m->context, onnx_dims(x)[axis], &extent);
    if (!is_known && onnx_has(n, 1) && !onnx_in_numbers(n, 1, &count))
        return false;
    if (!is_known && !(onnx_has(n, 1) && n->inputs[1]->rank == 1)) {
        onnx_refuse(n, "the extent that it splits is not known");
        return false;
    }
    const int64_t *lengths = part_lengths(n, extent, &count);
    if (!lengths)
        return false;
    struct onnx_value **items = room(n, count);
    for (size_t i = 0; i < count; at += lengths[i], i++) {
        const struct ir_expr *dims[IR_RANK_LIMIT];
        unsigned rank = 0;
        struct ir_value *part =
            onnx_slice(m, x, axis, onnx_expr(m, at), onnx_expr(m, at + lengths[i]), 1);
        for (int k = 0; k < onnx_rank(x); k++)
            if (k != axis)
                dims[rank++] = onnx_dims(x)[k];
        if (part && !keeps)
            part = onnx_reshape(m, part, dims, rank);
        items[i] = arena_new(m->arena, struct onnx_value);
        items[i]->tensor = part;
        items[i]->dtype = x->type->dtype;
        items[i]->stored = n->inputs[0]->stored;
        if (!part)
            return false;
    }
    put_items(n, items, count);
    return true;
}

bool onnx_sequence_map(struct onnx_node *n)
{
    const Onnx__Attribute *body = onnx_attribute(n, "body");
    struct onnx_value *list, **inputs = room(n, n->input_count), **out;

    if (!body || !body->g || !sequence_of(n, 0, &list) || body->g->n_input != n->input_count ||
        body->g->n_output < n->output_count)
        return false;
    struct onnx_value **items = room(n, list->item_count * n->output_count);
    for (size_t i = 0; i < list->item_count; i++) {
        out = room(n, body->g->n_output);
        n->m->node_count += body->g->n_node + 1;
        if (n->m->node_count > ONNX_UNROLL_LIMIT) {
            onnx_refuse(n, "written out, it has more than %d nodes", ONNX_UNROLL_LIMIT);
            return false;
        }
        for (unsigned k = 0; k < n->input_count; k++) {
            bool is_list = onnx_has(n, k) && n->inputs[k]->is_sequence;
            if (!onnx_has(n, k) || (is_list && n->inputs[k]->item_count <= i))
                return false;
            inputs[k] = is_list ? n->inputs[k]->items[i] : n->inputs[k];
        }
        if (!onnx_run_graph(n, body->g, inputs, n->input_count, out))
            return false;
        for (unsigned k = 0; k < n->output_count; k++)
            items[k * list->item_count + i] = out[k];
    }
    for (unsigned k = 0; k < n->output_count; k++)
        n->outputs[k] = (struct onnx_value){.items = items + k * list->item_count,
                                            .item_count = list->item_count,
                                            .is_sequence = true};
    return true;
}

/* ---- optional values: whether one is there is known when the model is read ---- */

bool onnx_optional(struct onnx_node *n)
{
    if (onnx_has(n, 0))
        n->outputs[0] = *n->inputs[0];
    else
        n->outputs[0].is_absent = true;
    return true;
}

bool onnx_optional_has_element(struct onnx_node *n)
{
    return put_number(n, IR_B1, onnx_has(n, 0));
}

bool onnx_optional_get_element(struct onnx_node *n)
{
    if (!onnx_has(n, 0)) {
        onnx_refuse(n, "there is no element");
        return false;
    }
    n->outputs[0] = *n->inputs[0];
    return true;
}
