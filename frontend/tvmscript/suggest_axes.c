/* The letters of T.axis.remap where they are too few or too many: what is stored tells them. */
#include "frontend/tvmscript/internal.h"
#include "frontend/tvmscript/tir.h"

#include <string.h>

static bool is_init(struct frontend *f, const struct ast *a)
{
    return a->kind == AST_WITH && a->items[0]->kind == AST_CALL &&
           strcmp(callee_name(f, a->items[0]), "T.init") == 0;
}

/* The part of a buffer that the first store in @body sets, under conditions, too; NULL: there is none. */
static const struct ast *stored_in(struct ast *const *body, unsigned count)
{
    const struct ast *part = NULL;

    for (unsigned i = 0; i < count && !part; i++) {
        if ((body[i]->kind == AST_ASSIGN || body[i]->kind == AST_AUG_ASSIGN) &&
            body[i]->items[0]->kind == AST_SUBSCRIPT)
            return body[i]->items[0];
        part = stored_in(body[i]->body, body[i]->body_count);
        if (!part)
            part = stored_in(body[i]->orelse, body[i]->orelse_count);
    }
    return part;
}

/* What T.init of @block sets, or else what @block does; *@out_has_init says which. */
static const struct ast *stored(struct frontend *f, const struct ast *block, bool *out_has_init)
{
    *out_has_init = false;
    for (unsigned i = 0; i < block->body_count; i++) {
        if (!is_init(f, block->body[i]))
            continue;
        *out_has_init = true;
        return stored_in(block->body[i]->body, block->body[i]->body_count);
    }
    return stored_in(block->body, block->body_count);
}

static bool names(const struct ast *a, const char *name)
{
    if (a->kind == AST_NAME && a->name == name)
        return true;
    for (unsigned i = 0; i < a->item_count; i++)
        if (a->items[i] && names(a->items[i], name))
            return true;
    return false;
}

/* Does a store in @body read what it sets, so that the other axes reduce? */
static bool accumulates(struct ast *const *body, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct ast *a = body[i];
        if (a->kind == AST_AUG_ASSIGN && a->items[0]->kind == AST_SUBSCRIPT)
            return true;
        if (a->kind == AST_ASSIGN && a->items[0]->kind == AST_SUBSCRIPT &&
            a->items[0]->items[0]->kind == AST_NAME &&
            names(a->items[1], a->items[0]->items[0]->name))
            return true;
        if (accumulates(a->body, a->body_count) || accumulates(a->orelse, a->orelse_count))
            return true;
    }
    return false;
}

char axis_letter(struct frontend *f, const struct ast *block, const char *name)
{
    bool has_init;
    const struct ast *part = stored(f, block, &has_init);

    if (!part)
        return '\0';
    if (names(part, name))
        return 'S';
    return has_init || accumulates(block->body, block->body_count) ? 'R' : '\0';
}

void help_axis_kind(struct frontend *f, struct diag_message *m, const struct ast *target,
                    const struct ast *callee)
{
    bool has_init;
    const struct ast *part = stored(f, f->tir->block->ast, &has_init);
    bool is_spatial = part && target->kind == AST_NAME && names(part, target->name);

    diag_help(m, "an axis is `T.axis.spatial`, or `T.axis.reduce` where it does not tell apart "
                 "what is set");
    if (is_spatial || (part && has_init))
        diag_help_edit(m, location_behind(callee->loc), is_spatial ? ".spatial" : ".reduce");
}

void help_axis_count(struct frontend *f, struct diag_message *m, const struct ast *target,
                     const struct ast *kinds)
{
    const char *letters = "";
    bool has_init, reduces = false;
    const struct ast *part = stored(f, f->tir->block->ast, &has_init);

    for (unsigned i = 0; part && i < target->item_count; i++) {
        bool is_spatial = target->items[i]->kind == AST_NAME && names(part, target->items[i]->name);
        letters = arena_printf(&f->arena, "%s%c", letters, is_spatial ? 'S' : 'R');
        reduces |= !is_spatial;
    }
    if (!part || target->item_count == 0 || (reduces && !has_init))
        return;
    diag_help(m, "what is set is told apart by spatial axes, and the others reduce: `%s`", letters);
    diag_help_edit(m, kinds->loc, "\"%s\"", letters);
}
