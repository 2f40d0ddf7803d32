/*
 * Blocks whose axes and loops do not agree: an axis that nothing binds though a loop is left, a loop that the list of
 * T.axis.remap lacks, an extent that T.grid lacks.
 */
#include "frontend/tvmscript/internal.h"
#include "frontend/tvmscript/tir.h"
#include "ir/arith.h"

#include <string.h>

enum { LOOPS = 16 };

/* The block that is read, the loops that none of its axes is bound to, and its last axis. */
struct left_loops {
    struct frontend *f;
    const struct ast *block, *last_axis;
    const struct tir_loop *loops[LOOPS];
    unsigned count, axis_count;
};

static bool stands_in(const struct ast *a, const char *name)
{
    if (a->kind == AST_NAME && a->name == name)
        return true;
    for (unsigned i = 0; i < a->item_count; i++)
        if (a->items && a->items[i] && stands_in(a->items[i], name))
            return true;
    for (unsigned i = 0; i < a->body_count; i++)
        if (stands_in(a->body[i], name))
            return true;
    for (unsigned i = 0; i < a->orelse_count; i++)
        if (stands_in(a->orelse[i], name))
            return true;
    return false;
}

static bool is_axis(struct frontend *f, const struct ast *a)
{
    return a->kind == AST_ASSIGN && a->items[1]->kind == AST_CALL && is_axis_call(f, a->items[1]);
}

/* Is an axis of the block bound to the loop @name? */
static bool is_taken(struct left_loops *left, const char *name)
{
    for (unsigned i = 0; i < left->block->body_count; i++)
        if (is_axis(left->f, left->block->body[i]) &&
            stands_in(left->block->body[i]->items[1], name))
            return true;
    return false;
}

/* False: this is no block that loops alone are around. */
static bool find_left(struct frontend *f, struct left_loops *left)
{
    const struct tir_block *block = f->tir ? f->tir->block : NULL;

    *left = (struct left_loops){.f = f};
    if (!block || block->outer || f->tir->loops.count > LOOPS)
        return false;
    left->block = block->ast;
    for (unsigned i = 0; i < left->block->body_count; i++) {
        const struct ast *a = left->block->body[i];
        if (!is_axis(f, a))
            continue;
        left->last_axis = a;
        left->axis_count += a->items[0]->kind == AST_TUPLE ? a->items[0]->item_count : 1;
    }
    for (size_t i = 0; i < f->tir->loops.count; i++)
        if (!is_taken(left, f->tir->loops.items[i].var->name))
            left->loops[left->count++] = &f->tir->loops.items[i];
    return true;
}

/* The extent as the script says it; NULL: the loop does not begin at 0. */
static const char *extent_text(struct frontend *f, const struct tir_loop *loop)
{
    const struct location loc = loop->extent->loc;
    bool is_written = loc.source == f->source && loc.begin < loc.end;

    if (!ir_expr_is_int(loop->min, 0))
        return NULL;
    if (is_written && !memchr(loc.source->text + loc.begin, '\n', loc.end - loc.begin))
        return arena_printf(&f->arena, "%.*s", LOCATION_TEXT(loc));
    if (loop->extent->kind != IR_EXPR_int)
        return NULL;
    return arena_printf(&f->arena, "%lld", (long long)loop->extent->int_value);
}

/* `vi`, or `v_i`, for the loop `i`. */
static bool is_axis_of(const char *axis, const char *loop)
{
    return *axis == 'v' && strcmp(axis + 1 + (axis[1] == '_'), loop) == 0;
}

/* --- an axis that is missing --- */

/* Puts @line behind the axes that there are, or at the head of the block. */
static void edit_axis(const struct left_loops *left, struct diag_message *m, const char *line)
{
    const struct ast *first = left->block->body[0];

    if (left->last_axis)
        help_line_behind(m, left->last_axis->loc, line);
    else
        diag_help_edit(m, location_before(first->loc), "%s\n%.*s", line,
                       LOCATION_TEXT(indentation_of(first->loc)));
}

/* `vk = T.axis.reduce(8, k)`; NULL: its kind or its extent is not known. */
static const char *axis_line(const struct left_loops *left, const char *name,
                             const struct tir_loop *loop)
{
    const char *extent = extent_text(left->f, loop);
    char kind = axis_letter(left->f, left->block, name);

    if (!extent || !kind)
        return NULL;
    return arena_printf(&left->f->arena, "%s = T.axis.%s(%s, %s)", name,
                        kind == 'S' ? "spatial" : "reduce", extent, loop->var->name);
}

/* All axes are missing: `vi, vk = T.axis.remap("SR", [i, k])`, of loops whose axes the block uses; NULL: they are not. */
static const char *remap_line(const struct left_loops *left)
{
    struct arena *arena = &left->f->arena;
    const char *names = "", *kinds = "", *loops = "";

    for (unsigned i = 0; i < left->count; i++) {
        const char *loop = left->loops[i]->var->name;
        const char *axis = arena_printf(arena, "v%s", loop);
        axis = atom_intern(&left->f->context->atoms, axis, strlen(axis));
        char kind = axis_letter(left->f, left->block, axis);
        if (!kind || !stands_in(left->block, axis) || !ir_expr_is_int(left->loops[i]->min, 0))
            return NULL;
        names = arena_printf(arena, "%s%s%s", names, i ? ", " : "", axis);
        loops = arena_printf(arena, "%s%s%s", loops, i ? ", " : "", loop);
        kinds = arena_printf(arena, "%s%c", kinds, kind);
    }
    return arena_printf(arena, "%s = T.axis.remap(\"%s\", [%s])", names, kinds, loops);
}

/* What the edit of remap_line() binds is told with it. */
static void bind_left(const struct left_loops *left, struct location loc)
{
    for (unsigned i = 0; i < left->count; i++) {
        const char *axis = arena_printf(&left->f->arena, "v%s", left->loops[i]->var->name);
        axis = atom_intern(&left->f->context->atoms, axis, strlen(axis));
        scope_bind(left->f, NAME_ERROR, axis, loc);
    }
}

bool help_axis_missing(struct frontend *f, struct diag_message *m, const struct ast *a,
                       bool is_near)
{
    struct left_loops left;
    const struct tir_loop *loop = NULL;

    if (!find_left(f, &left) || left.count == 0)
        return false;
    for (unsigned i = 0; i < left.count; i++)
        if (is_axis_of(a->name, left.loops[i]->var->name))
            loop = left.loops[i];
    bool is_named_so = loop != NULL;
    if (!loop && left.count == 1 && !is_near)
        loop = left.loops[0];
    const char *all = is_named_so && left.count > 1 && !left.axis_count ? remap_line(&left) : NULL;
    const char *line = all ? all : loop ? axis_line(&left, a->name, loop) : NULL;
    if (!line)
        return false;
    diag_label(m, loop->var->loc, "no axis of the block is bound to this loop");
    diag_help(m, "bind an axis to it: `%s`", line);
    edit_axis(&left, m, line);
    if (!is_named_so)
        diag_help_unsure(m);
    if (all)
        bind_left(&left, a->loc);
    return true;
}

/* --- another axis --- */

/* The uses of a name as an index, and the one axis that could stand there. */
struct uses {
    struct frontend *f;
    const char *name;
    const struct tir_axis *axis;
    unsigned count;
    bool is_other;
};

/* The unknown stands where an index of @extent does: which axis goes so far, and is not there already? */
static void note_use(struct uses *u, const struct ast *subscript, const struct ir_expr *extent)
{
    const struct tir_block *block = u->f->tir->block;
    const struct tir_axis *found = NULL;

    u->count++;
    for (size_t i = 0; i < block->axes.count; i++) {
        const struct tir_axis *axis = &block->axes.items[i];
        if (!ir_expr_is_int(axis->min, 0) || stands_in(subscript, axis->var->name) ||
            !ir_prove_equal(u->f->context, axis->extent, extent))
            continue;
        u->is_other |= found != NULL;
        found = axis;
    }
    u->is_other |= !found || (u->axis && u->axis != found);
    u->axis = found;
}

static void find_uses(struct uses *u, const struct ast *a)
{
    const struct ir_buffer *buffer = a->kind == AST_SUBSCRIPT ? buffer_of(u->f, a->items[0]) : NULL;

    for (unsigned i = 1; i < a->item_count && buffer && i <= buffer->ndim; i++)
        if (a->items[i]->kind == AST_NAME && a->items[i]->name == u->name)
            note_use(u, a, buffer->shape[i - 1]);
    for (unsigned i = 0; i < a->item_count; i++)
        if (a->items && a->items[i])
            find_uses(u, a->items[i]);
    for (unsigned i = 0; i < a->body_count; i++)
        find_uses(u, a->body[i]);
}

bool help_axis_other(struct frontend *f, struct diag_message *m, const struct ast *a)
{
    struct uses u = {.f = f, .name = a->name};
    struct left_loops left;

    if (!find_left(f, &left) || left.count > 0 || f->tir->block->axes.count == 0)
        return false;
    find_uses(&u, left.block);
    if (!u.axis || u.is_other)
        return false;
    diag_help(m, "the axis of this extent is `%s`", u.axis->var->name);
    diag_help_edit(m, a->loc, "%s", u.axis->var->name);
    if (f->tir->block->axes.count > 1 || u.count > 1)
        diag_help_unsure(m);
    return true;
}

/* --- a value of an axis that is missing --- */

bool help_axis_value(struct frontend *f, struct diag_message *m, const struct ast *target,
                     const struct ast *domain)
{
    struct left_loops left;
    bool is_loop = false; /* `T.axis.spatial(i)`: what is missing is the extent */

    for (size_t i = 0; domain->kind == AST_NAME && i < f->tir->loops.count; i++)
        is_loop |= f->tir->loops.items[i].var->name == domain->name;
    if (is_loop || target->kind != AST_NAME || !find_left(f, &left))
        return false;
    for (unsigned i = 0; i < left.count; i++) {
        const struct tir_loop *loop = left.loops[i];
        int64_t number;
        bool is_other = ast_int_literal(domain, &number) && loop->extent->kind == IR_EXPR_int &&
                        loop->extent->int_value != number;
        if (is_other || (left.count > 1 && !is_axis_of(target->name, loop->var->name)))
            continue;
        diag_label(m, loop->var->loc, "no axis of the block is bound to this loop");
        diag_help(m, "its value is missing: `%s`", loop->var->name);
        diag_help_edit(m, location_behind(domain->loc), ", %s", loop->var->name);
        return true;
    }
    return false;
}

/* --- lists of T.axis.remap that are too short --- */

/* Where the loop stands that the axis @target is called after. */
static int position_of(const struct ast *target, const char *loop)
{
    for (unsigned i = 0; i < target->item_count; i++)
        if (target->items[i]->kind == AST_NAME && is_axis_of(target->items[i]->name, loop))
            return (int)i;
    return -1;
}

bool help_remap_values(struct frontend *f, struct diag_message *m, const struct ast *target,
                       const struct ast *values)
{
    struct left_loops left;

    if (values->kind != AST_LIST || values->item_count == 0 || !find_left(f, &left) ||
        left.count != 1 || values->item_count + 1 != target->item_count)
        return false;
    const char *loop = left.loops[0]->var->name;
    int at = position_of(target, loop);
    diag_label(m, left.loops[0]->var->loc, "no axis of the block is bound to this loop");
    if (at < 0)
        return false;
    diag_help(m, "the loop `%s` is missing", loop);
    if ((unsigned)at < values->item_count)
        diag_help_edit(m, location_before(values->items[at]->loc), "%s, ", loop);
    else
        diag_help_edit(m, location_behind(values->items[at - 1]->loc), ", %s", loop);
    return true;
}

bool help_remap_targets(struct frontend *f, struct diag_message *m, const struct ast *target,
                        const struct ast *values)
{
    unsigned missing = 0, at = 0;
    const char *axis = NULL;

    if (values->kind != AST_LIST || target->kind != AST_TUPLE)
        return false;
    for (unsigned i = 0; i < values->item_count; i++) {
        if (values->items[i]->kind != AST_NAME)
            return false;
        if (position_of(target, values->items[i]->name) >= 0)
            continue;
        missing++;
        at = i;
        axis = arena_printf(&f->arena, "v%s", values->items[i]->name);
    }
    axis = axis ? atom_intern(&f->context->atoms, axis, strlen(axis)) : NULL;
    if (missing != 1 || target->item_count + 1 != values->item_count ||
        !stands_in(f->tir->block->ast, axis))
        return false;
    diag_help(m, "the axis `%s` is missing", axis);
    if (at < target->item_count)
        diag_help_edit(m, location_before(target->items[at]->loc), "%s, ", axis);
    else
        diag_help_edit(m, location_behind(target->items[at - 1]->loc), ", %s", axis);
    scope_bind(f, NAME_ERROR, axis, target->loc);
    return true;
}
