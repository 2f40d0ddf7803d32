/* Arguments whose form is wrong, and what is bound by statements that are. */
#include "base/text.h"
#include "frontend/tvmscript/internal.h"

#include <string.h>

void bind_lost(struct frontend *f, const struct ast *target)
{
    if (target->kind == AST_NAME && !scope_use(f, target))
        scope_bind(f, NAME_ERROR, target->name, target->loc);
    if (target->kind != AST_TUPLE && target->kind != AST_LIST)
        return;
    for (unsigned i = 0; i < target->item_count; i++)
        bind_lost(f, target->items[i]);
}

void help_flag(struct diag_message *m, const struct ast *a)
{
    static const char *const words[][2] = {
        {"true", "True"}, {"True", "True"}, {"false", "False"}, {"False", "False"}};
    const char *word = a->kind == AST_STRING ? a->string : a->kind == AST_NAME ? a->name : "";
    const char *meant = NULL;

    for (size_t i = 0; i < ARRAY_SIZE(words); i++)
        if (strcmp(word, words[i][0]) == 0)
            meant = words[i][1];
    if (a->kind == AST_INT && !a->is_wide && (a->integer == 0 || a->integer == 1))
        meant = a->integer == 1 ? "True" : "False";
    struct text_nearest nearest = text_nearest_to(word);
    text_nearest_offer(&nearest, "True");
    text_nearest_offer(&nearest, "False");
    meant = meant ? meant : nearest.found;
    if (!meant)
        return;
    diag_help(m, "write `%s`", meant);
    diag_help_edit(m, a->loc, "%s", meant);
}

/* The `.` of `i. j`, which Python would have without the blank; nowhere: there is none. */
static struct location loose_dot(const struct ast *a)
{
    struct location dot = {a->loc.source, a->items[0]->loc.end, a->items[0]->loc.end + 1};
    const char *text = a->loc.source->text + dot.begin;
    bool is_loose = a->kind == AST_ATTRIBUTE && text[0] == '.' && text[1] == ' ' &&
                    dot.begin + 1 + strspn(text + 1, " ") == a->name_loc.begin;

    return is_loose ? dot : (struct location){0};
}

void help_loose_dot(struct diag_message *m, const struct ast *a)
{
    for (unsigned i = 1; i < a->item_count; i++) {
        const struct ast *item = a->items[i];
        if (!item || item->kind != AST_ATTRIBUTE || !loose_dot(item).source)
            continue;
        diag_help(m, "separate them with `,`");
        diag_help_edit(m, loose_dot(item), ",");
        return;
    }
}

bool report_loose_dims(struct frontend *f, const struct ast *call)
{
    unsigned count = call_positional_count(call), dims = 0;
    struct ir_dtype first;
    if (count >= 2 && call->items[1]->kind == AST_STRING &&
        (call->items[2]->kind == AST_TUPLE || call->items[2]->kind == AST_LIST) &&
        dtype_of_name(arena_printf(&f->arena, "T.%s", call->items[1]->string), &first)) {
        struct diag_message *swapped =
            diag_report(f->diag, call->items[1]->loc, TYPE_SHAPE_FORM, "a string");
        diag_help(swapped, "the shape comes first");
        diag_help_swap(swapped, call->items[1]->loc, call->items[2]->loc);
        return true;
    }
    for (; dims < count; dims++) {
        const struct ast *a = call->items[dims + 1];
        struct ir_dtype dtype;
        bool is_dtype = a->kind == AST_STRING &&
                        dtype_of_name(arena_printf(&f->arena, "T.%s", a->string), &dtype);
        const struct name *name = a->kind == AST_NAME ? scope_find(f, a->name) : NULL;
        bool is_dim =
            a->kind == AST_INT || a->kind == AST_STRING || (name && name->kind == NAME_VAR);
        if (!is_dim || is_dtype)
            break;
    }
    if (dims < 2)
        return false;
    struct location all = location_join(call->items[1]->loc, call->items[dims]->loc);
    struct diag_message *m = diag_report(f->diag, all, TYPE_SHAPE_FORM, "several");
    diag_help(m, "put them in brackets");
    diag_help_wrap(m, all, "(", ")");
    return true;
}

void help_dict(struct frontend *f, struct diag_message *m, const struct ast *call)
{
    const char *items = "";

    for (unsigned i = 1; i < call->item_count; i++) {
        const struct ast *a = call->items[i];
        if (a->kind != AST_KEYWORD)
            return;
        items = arena_printf(&f->arena, "%s%s\"%s\": %.*s", items, *items ? ", " : "", a->name,
                             LOCATION_TEXT(a->items[0]->loc));
    }
    if (call->item_count < 2)
        return;
    diag_help(m, "keys and values stand in a dict");
    diag_help_edit(m, location_join(call->items[1]->loc, call->items[call->item_count - 1]->loc),
                   "{%s}", items);
}

bool help_clamp(struct diag_message *m, const struct ast *call)
{
    const char *name = call->items[0]->name;
    bool is_whole = call->item_count == 4 && call_positional_count(call) == 3;

    if (strcmp(name, "clamp") != 0 && strcmp(name, "clip") != 0)
        return false;
    diag_help(m, "the bounds are set by `T.min(T.max(a, low), high)`");
    if (is_whole)
        diag_help_edit(m, call->loc, "T.min(T.max(%.*s, %.*s), %.*s)",
                       LOCATION_TEXT(call->items[1]->loc), LOCATION_TEXT(call->items[2]->loc),
                       LOCATION_TEXT(call->items[3]->loc));
    return true;
}
