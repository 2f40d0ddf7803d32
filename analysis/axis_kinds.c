/* The letters of T.axis.remap against what T.init sets; see axis_kinds.h. */
#include "analysis/axis_kinds.h"

#include <string.h>

/* The one store of T.init; NULL: there is more, or none. */
static const struct tir_stmt *first_store(const struct tir_stmt *block)
{
    const struct tir_stmt *init = block->block.init;

    while (init && init->kind == TIR_SEQ && init->seq.count == 1)
        init = init->seq.items[0];
    return init && init->kind == TIR_STORE ? init : NULL;
}

static enum tir_axis_kind meant(const struct tir_stmt *store, const struct tir_axis *axis)
{
    for (unsigned i = 0; i < store->store.index_count; i++)
        if (ir_expr_uses_var(store->store.indices[i], axis->var))
            return TIR_SPATIAL;
    return TIR_REDUCE;
}

bool axis_kinds_are_spatial(const struct tir_stmt *block)
{
    const struct tir_stmt *store = first_store(block);

    for (unsigned i = 0; store && i < block->block.axis_count; i++)
        if (block->block.axes[i].kind == TIR_SPATIAL &&
            meant(store, &block->block.axes[i]) == TIR_REDUCE)
            return true;
    return false;
}

/* The letters in `vi, vk = T.axis.remap("SR", ..)`; nowhere if the axes are not all of such a line. */
struct location axis_kinds_letters(const struct tir_stmt *block)
{
    static const char call[] = ".remap(\"";
    unsigned count = block->block.axis_count;

    if (!count || !block->block.axes[0].var->loc.source)
        return (struct location){0};
    struct location line = location_whole_line(block->block.axes[0].var->loc);
    for (unsigned i = 1; i < count; i++)
        if (block->block.axes[i].var->loc.begin < line.begin ||
            block->block.axes[i].var->loc.begin >= line.end)
            return (struct location){0};
    struct location found = location_text_behind(line, call);
    if (found.begin == line.begin || found.end + count > line.end)
        return (struct location){0};
    found.begin = found.end;
    found.end += count;
    return strspn(found.source->text + found.begin, "SR") == count ? found : (struct location){0};
}

struct location axis_kinds_letter(const struct tir_stmt *block, unsigned index)
{
    struct location letters = axis_kinds_letters(block);

    if (!letters.source)
        return letters;
    return (struct location){letters.source, letters.begin + index, letters.begin + index + 1};
}

bool axis_kinds_help(struct diag_message *m, const struct tir_stmt *block)
{
    const struct tir_stmt *store = first_store(block);
    struct location place = axis_kinds_letters(block);
    struct text letters = {0};
    bool is_other = false;

    for (unsigned i = 0; store && i < block->block.axis_count; i++) {
        enum tir_axis_kind kind = meant(store, &block->block.axes[i]);
        is_other |= kind != block->block.axes[i].kind;
        text_putc(&letters, kind == TIR_SPATIAL ? 'S' : 'R');
    }
    if (is_other && place.source && m) {
        diag_help(m, "what T.init sets is told apart by spatial axes, and the others reduce: `%s`",
                  text_string(&letters));
        diag_help_edit(m, place, "%s", text_string(&letters));
    }
    text_finish(&letters);
    return is_other && place.source;
}
