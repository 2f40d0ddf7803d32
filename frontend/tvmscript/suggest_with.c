/* What belongs to a block of a kernel and stands in none: the line that begins the block may be missing. */
#include "base/text.h"
#include "frontend/tvmscript/internal.h"
#include "frontend/tvmscript/tir.h"

#include <string.h>

/* The statements among which one begins at a place, and what holds them. */
struct around {
    const struct ast *opener;
    struct ast *const *body;
    unsigned count, index;
};

static struct location end_of(const struct ast *a)
{
    while (a->body_count || a->orelse_count)
        a = a->orelse_count ? a->orelse[a->orelse_count - 1] : a->body[a->body_count - 1];
    return location_behind(a->loc);
}

static bool find_around(const struct ast *opener, struct ast *const *body, unsigned count,
                        struct location place, struct around *out)
{
    for (unsigned i = 0; i < count; i++) {
        const struct ast *a = body[i];
        if (a->loc.begin > place.begin || end_of(a).begin < place.end)
            continue;
        if (!find_around(a, a->body, a->body_count, place, out) &&
            !find_around(a, a->orelse, a->orelse_count, place, out))
            *out = (struct around){opener, body, count, i};
        return true;
    }
    return false;
}

/* The lines at @lines, each with four blanks more. */
static const char *indented(struct frontend *f, struct location lines)
{
    const char *line = lines.source->text + lines.begin;
    const char *end = lines.source->text + lines.end;
    struct text text = {0};

    while (line < end) {
        size_t length = strcspn(line, "\n");
        length += line + length < end;
        if (line[strspn(line, " \r")] != '\n')
            text_puts(&text, "    ");
        text_append(&text, line, length);
        line += length;
    }
    const char *all = arena_copy_text(&f->arena, text_string(&text), text.length);
    text_finish(&text);
    return all;
}

static uint32_t column_of(struct location loc)
{
    return loc.begin - location_whole_line(loc).begin;
}

/* `with T.sblock("k"):` in front of the lines of @around, which are indented for it or not yet. */
static void edit_block(struct frontend *f, struct diag_message *m, const struct around *around)
{
    struct location first = around->body[0]->loc;
    struct location lines = location_whole_line(first);
    uint32_t outer = column_of(around->opener->loc);
    const char *line =
        arena_printf(&f->arena, "%*swith T.%s(\"%s\"):\n", (int)outer + 4, "",
                     f->tir->dialect == DIALECT_OLD ? "block" : "sblock", f->tir->def->name);

    if (column_of(first) < outer + 4)
        return;
    if (column_of(first) >= outer + 8) {
        diag_help_edit(m, location_before(lines), "%s", line);
        return;
    }
    lines.end = end_of(around->body[around->count - 1]).begin;
    diag_help_edit(m, lines, "%s%s", line, indented(f, lines));
}

bool help_block_missing(struct frontend *f, struct diag_message *m, struct location place)
{
    struct around around;

    if (!f->function ||
        !find_around(f->function, f->function->body, f->function->body_count, place, &around))
        return false;
    if (around.index > 0 || around.opener->kind != AST_FOR) /* a function itself is a block */
        return false;
    diag_help(m, "a block begins with `with T.%s(\"%s\"):`",
              f->tir->dialect == DIALECT_OLD ? "block" : "sblock", f->tir->def->name);
    edit_block(f, m, &around);
    f->tir->lost_block = around.body[0];
    return true;
}
