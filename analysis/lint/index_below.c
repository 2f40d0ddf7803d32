/* An index that becomes negative: what is meant where arrays are indexed from their end, too. */
#include "analysis/lint/indices.h"
#include "ir/arith.h"
#include "ir/print.h"

#include <string.h>

/* The index in round brackets, if it is more than a name. */
static void put_index(struct text *out, const struct ir_expr *index)
{
    bool is_name = index->kind == IR_EXPR_var;

    text_printf(out, is_name ? "%.*s" : "(%.*s)", LOCATION_TEXT(index->loc));
}

/* `a[-1]` of n elements: n - 1; of `a[i - 1]` what goes around the edge. */
static void put_meant(struct index_check *check, struct text *out, const struct ir_expr *index,
                      const struct ir_expr *extent)
{
    if (index->kind == IR_EXPR_int) {
        const struct ir_expr *wide = ir_expr_cast(check->context, IR_I64, extent);
        const struct ir_expr *number = ir_expr_int(check->context, IR_I64, index->int_value);
        ir_expr_print(
            ir_simplify(check->context, ir_expr_binary(check->context, IR_EXPR_add, wide, number)),
            out);
        return;
    }
    put_index(out, index);
    text_puts(out, " % ");
    tir_expr_print(extent, out);
}

void index_help_below(struct index_check *check, struct diag_message *m,
                      const struct index_access *access, unsigned axis, int64_t low)
{
    const struct ir_expr *index = access->indices[axis], *extent = access->buffer->shape[axis];
    struct location loc = index->loc;
    struct text text = {0};

    if (index->kind != IR_EXPR_int && index_help_begin(check, m, index, low))
        return;
    diag_help(m, "an index is not counted from the end of the axis: that is written out");
    if (loc.source && loc.end > loc.begin &&
        !memchr(loc.source->text + loc.begin, '\n', loc.end - loc.begin) &&
        (extent->kind == IR_EXPR_int || extent->kind == IR_EXPR_var)) {
        put_meant(check, &text, index, extent);
        diag_help_edit(m, loc, "%s", text_string(&text));
        diag_help_unsure(m);
    }
    text_finish(&text);
}
