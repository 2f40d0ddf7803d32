/* Indices as NumPy has them, x[0, :, 1:3, None]: the operators that they are here. */
#include "frontend/tvmscript/internal.h"
#include "ops/ids.h"

#include <string.h>

/* What is written for an index, from the operand outwards. */
struct rewrite {
    struct frontend *f;
    const char *text;
};

static const char *text_of(struct frontend *f, const struct ast *a)
{
    return arena_printf(&f->arena, "%.*s", LOCATION_TEXT(a->loc));
}

static bool is_full(const struct ast *a)
{
    return a->kind == AST_SLICE && !a->items[0] && !a->items[1] && !a->items[2];
}

static bool is_new_axis(const struct ast *a)
{
    return a->kind == AST_NONE || (a->kind == AST_ATTRIBUTE && strcmp(a->name, "newaxis") == 0);
}

/* `::-1`: a step back over all of an axis. */
static bool is_flip(const struct ast *a)
{
    int64_t step;

    return a->kind == AST_SLICE && !a->items[0] && !a->items[1] && a->items[2] &&
           ast_int_literal(a->items[2], &step) && step == -1;
}

/* The numbers of a slice, written in lists that grow; false if it has something else, or runs backwards. */
struct bounds {
    const char *axes, *begins, *ends, *steps;
    bool has_steps;
};

static const char *more(struct frontend *f, const char *list, const char *item)
{
    return *list ? arena_printf(&f->arena, "%s, %s", list, item) : item;
}

static bool add_slice(struct frontend *f, struct bounds *bounds, const struct ast *a, unsigned axis)
{
    static const char *const defaults[] = {"0", "9223372036854775807", "1"};
    const char *parts[3];
    int64_t value;

    for (unsigned i = 0; i < 3; i++) {
        if (a->items[i] && (!ast_int_literal(a->items[i], &value) || (i == 2 && value < 1)))
            return false;
        parts[i] = a->items[i] ? text_of(f, a->items[i]) : defaults[i];
    }
    bounds->axes = more(f, bounds->axes, arena_printf(&f->arena, "%u", axis));
    bounds->begins = more(f, bounds->begins, parts[0]);
    bounds->ends = more(f, bounds->ends, parts[1]);
    bounds->steps = more(f, bounds->steps, parts[2]);
    bounds->has_steps |= a->items[2] != NULL;
    return true;
}

/* All slices are one operator, the first, since axes keep their numbers there. */
static bool write_slices(struct rewrite *w, const struct ast *a)
{
    struct bounds bounds = {"", "", "", "", false};
    unsigned axis = 0;

    for (unsigned i = 1; i < a->item_count; i++) {
        const struct ast *item = a->items[i];
        bool is_slice = item->kind == AST_SLICE && !is_full(item) && !is_flip(item);
        if (is_slice && !add_slice(w->f, &bounds, item, axis))
            return false;
        axis += !is_new_axis(item);
    }
    if (*bounds.axes)
        w->text =
            arena_printf(&w->f->arena, "R.strided_slice(%s, [%s], [%s], [%s]%s%s%s)", w->text,
                         bounds.axes, bounds.begins, bounds.ends, bounds.has_steps ? ", [" : "",
                         bounds.has_steps ? bounds.steps : "", bounds.has_steps ? "]" : "");
    return true;
}

/* A number takes its axis away, a tensor of one axis keeps it. */
static bool write_item(struct rewrite *w, const struct ast *item, unsigned *axis)
{
    struct arena *arena = &w->f->arena;

    if (is_flip(item)) {
        w->text = arena_printf(arena, "R.flip(%s, axis=%u)", w->text, *axis);
    } else if (is_new_axis(item)) {
        w->text = arena_printf(arena, "R.expand_dims(%s, axis=[%u])", w->text, *axis);
    } else if (item->kind != AST_SLICE) {
        const struct name *name = item->kind == AST_NAME ? scope_find(w->f, item->name) : NULL;
        bool is_tensor =
            name && name->kind == NAME_VALUE && name->value->type->kind == IR_TYPE_TENSOR;
        if (item->kind == AST_ERROR || item->kind == AST_STARRED ||
            (is_tensor && name->value->type->ndim > 1))
            return false;
        w->text =
            arena_printf(arena, "R.take(%s, %s, axis=%u)", w->text, text_of(w->f, item), *axis);
        *axis += is_tensor && name->value->type->ndim == 1;
        return true;
    }
    (*axis)++;
    return true;
}

void help_row(struct frontend *f, struct diag_message *m, const struct ast *a)
{
    struct rewrite w = {f, text_of(f, a->items[0])};
    unsigned axis = 0, tensors = 0;
    if (a->item_count == 1) { /* x[()] */
        diag_help(m, "its name is all of a tensor");
        diag_help_edit(m, a->loc, "%s", w.text);
        return;
    }
    bool is_known = write_slices(&w, a);
    for (unsigned i = 1; i < a->item_count; i++)
        tensors += a->items[i]->kind == AST_NAME;
    for (unsigned i = 1; is_known && i < a->item_count; i++)
        is_known = write_item(&w, a->items[i], &axis);
    diag_help(
        m, "parts of a tensor are taken by operators: `R.take` a row, `R.strided_slice` several");
    if (is_known && tensors < 2 && !a->is_tuple)
        diag_help_edit(m, a->loc, "%s", w.text);
}

void help_part_name(struct diag_message *m, const struct ast *a, unsigned count)
{
    static const char *const parts[] = {"values", "indices"};

    diag_help(m, "parts of a tuple are taken by number: `[0]`");
    for (unsigned i = 0; i < ARRAY_SIZE(parts) && i < count; i++)
        if (strcmp(a->name, parts[i]) == 0)
            diag_help_edit(m, a->loc, "%.*s[%u]", LOCATION_TEXT(a->items[0]->loc), i);
}

bool help_both(struct diag_message *m, const struct ir_value *value)
{
    const struct ir_op *op = value->def;
    const struct ir_attr *kind = op && op_is(op, OP_topk) ? ir_op_attr(op, "ret_type") : NULL;

    if (!kind)
        return false;
    struct location place = location_argument(op->loc, UINT32_MAX, "ret_type");
    diag_help(m, "`R.topk` gives two with `ret_type=\"both\"`");
    if (place.begin != op->loc.begin)
        diag_help_edit(m, place, "\"both\"");
    return true;
}
