/* T.grid with one extent too few: what the body indexes with the loops tells which one is missing. */
#include "frontend/tvmscript/internal.h"
#include "frontend/tvmscript/tir.h"

#include <stdlib.h>
#include <string.h>

enum { LOOPS = 16 };

/* How far a loop goes, by its axis or by what it is an index of. */
struct reach {
    struct frontend *f;
    const char *loop, *axis; /* atoms; axis: what is bound to the loop, or NULL */
    const char *text;        /* NULL: not known */
    bool is_other;
};

/* The number that @text is, itself or as a constant of the file; false: it is none. */
static bool number_of(struct frontend *f, const char *text, int64_t *out)
{
    const struct ast *constant =
        map_get(&f->constants, atom_intern(&f->context->atoms, text, strlen(text)));
    char *end;

    if (constant)
        return ast_int_literal(constant, out);
    *out = strtoll(text, &end, 10);
    return end != text && *end == '\0';
}

static bool is_same_extent(struct frontend *f, const char *a, const char *b)
{
    int64_t first, second;

    if (strcmp(a, b) == 0)
        return true;
    return number_of(f, a, &first) && number_of(f, b, &second) && first == second;
}

static const char *written(struct frontend *f, const struct ast *a)
{
    return arena_printf(&f->arena, "%.*s", LOCATION_TEXT(a->loc));
}

static void note_reach(struct reach *r, const char *text)
{
    if (!text || (r->text && is_same_extent(r->f, r->text, text)))
        return;
    r->is_other |= r->text != NULL;
    r->text = text;
}

static bool is_name(const struct ast *a, const char *name)
{
    return name && a->kind == AST_NAME && a->name == name;
}

/* vi = T.axis.spatial(8, i);  vi, vk = T.axis.remap("SR", [i, k]) */
static void read_axes(struct reach *r, const struct ast *a)
{
    const struct ast *target = a->items[0], *call = a->items[1];

    if (!is_dotted(r->f, call, "T.axis.remap")) {
        if (call_positional_count(call) != 2 || !is_name(call->items[2], r->loop) ||
            target->kind != AST_NAME)
            return;
        r->axis = target->name;
        if (call->items[1]->kind != AST_TUPLE)
            note_reach(r, written(r->f, call->items[1]));
        return;
    }
    const struct ast *values = call_arg(call, 1, "bindings");
    bool is_list = values && values->kind == AST_LIST && target->kind == AST_TUPLE;
    for (unsigned i = 0; is_list && i < values->item_count && i < target->item_count; i++)
        if (is_name(values->items[i], r->loop) && target->items[i]->kind == AST_NAME)
            r->axis = target->items[i]->name;
}

/* A dimension as it is written, if that is a constant of the file, or what it is. */
static const char *dim_text(struct frontend *f, const struct ir_expr *dim)
{
    const char *text = arena_printf(&f->arena, "%.*s", LOCATION_TEXT(dim->loc));

    if (map_has(&f->constants, atom_intern(&f->context->atoms, text, strlen(text))))
        return text;
    if (dim->kind == IR_EXPR_int)
        return arena_printf(&f->arena, "%lld", (long long)dim->int_value);
    return dim->kind == IR_EXPR_var ? dim->var->name : NULL;
}

static void read_accesses(struct reach *r, const struct ast *a)
{
    const struct ir_buffer *buffer = a->kind == AST_SUBSCRIPT ? buffer_of(r->f, a->items[0]) : NULL;

    for (unsigned i = 0; buffer && i < buffer->ndim && i + 1 < a->item_count; i++)
        if (is_name(a->items[i + 1], r->loop) || is_name(a->items[i + 1], r->axis))
            note_reach(r, dim_text(r->f, buffer->shape[i]));
    for (unsigned i = 0; i < a->item_count; i++)
        if (a->items && a->items[i])
            read_accesses(r, a->items[i]);
}

static void read_body(struct reach *r, struct ast *const *body, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct ast *a = body[i];
        if (a->kind == AST_ASSIGN && a->items[1]->kind == AST_CALL &&
            is_axis_call(r->f, a->items[1]))
            read_axes(r, a);
        else
            read_accesses(r, a);
        read_body(r, a->body, a->body_count);
        read_body(r, a->orelse, a->orelse_count);
    }
}

/* NULL: not known, or not the same everywhere. */
static const char *reach_of(struct frontend *f, const struct ast *loop, const struct ast *name)
{
    struct reach r = {.f = f, .loop = name->name};

    read_body(&r, loop->body, loop->body_count);
    return r.is_other ? NULL : r.text;
}

/* Do the extents of @call fit the loops, if the one of loop @hole is the missing one? */
static bool fits_without(struct frontend *f, const struct ast *call, const char *const *reaches,
                         unsigned count, unsigned hole)
{
    for (unsigned i = 0; i < count; i++)
        if (i != hole &&
            !is_same_extent(f, reaches[i], written(f, call->items[1 + i - (i > hole)])))
            return false;
    return true;
}

void help_grid_extent(struct frontend *f, struct diag_message *m, const struct ast *loop)
{
    const struct ast *target = loop->items[0], *call = loop->items[1];
    unsigned count = target->item_count, hole = 0;
    const char *reaches[LOOPS], *found = NULL;

    if (count > LOOPS || count < 2 || call->item_count != count ||
        call_positional_count(call) + 1 != count)
        return;
    for (unsigned i = 0; i < count; i++)
        if (!(reaches[i] = reach_of(f, loop, target->items[i])))
            return;
    for (unsigned i = 0; i < count; i++) {
        if (!fits_without(f, call, reaches, count, i))
            continue;
        /* of equal ones beside each other it does not matter which is missing */
        if (found && (i != hole + 1 || !is_same_extent(f, found, reaches[i])))
            return;
        found = reaches[i];
        hole = i;
    }
    if (!found)
        return;
    diag_help(m, "the extent of `%s` is missing: `%s`", target->items[hole]->name, found);
    if (hole + 1 < count)
        diag_help_edit(m, location_before(call->items[hole + 1]->loc), "%s, ", found);
    else
        diag_help_edit(m, location_behind(call->items[hole]->loc), ", %s", found);
}
