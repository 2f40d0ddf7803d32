/* Blocks of kernels: axes, regions, allocations, init and body. */
#include "ir/module.h"
#include "ir/print/printer.h"

/* An axis that runs over all of one loop: what T.axis.remap can say. */
static bool is_remapped(const struct printer *p, const struct tir_axis *axis)
{
    if (axis->kind != TIR_SPATIAL && axis->kind != TIR_REDUCE)
        return false;
    if (axis->value->kind != IR_EXPR_var)
        return false;
    const struct tir_stmt *loop = map_get(&p->loops, axis->value->var);
    return loop != NULL && ir_expr_equal(loop->loop.min, axis->min) &&
           ir_expr_equal(loop->loop.extent, axis->extent);
}

static void put_axis(struct printer *p, const struct tir_axis *axis)
{
    static const char *const kinds[] = {
        [TIR_SPATIAL] = "axis.spatial(",
        [TIR_REDUCE] = "axis.reduce(",
        [TIR_SCAN] = "axis.scan(",
        [TIR_OPAQUE] = "axis.opaque(",
    };
    struct text rhs = {0}, *out = p->out;
    p->out = &rhs;
    printer_put_tir(p, kinds[axis->kind]);
    if (ir_expr_is_int(axis->min, 0))
        printer_put_expr(p, axis->extent);
    else {
        text_putc(p->out, '(');
        printer_put_expr(p, axis->min);
        text_puts(p->out, ", ");
        printer_put_sum(p, axis->min, axis->extent);
        text_putc(p->out, ')');
    }
    text_puts(p->out, ", ");
    printer_put_expr(p, axis->value);
    text_putc(p->out, ')');
    p->out = out;
    printer_line(p);
    const char *name = printer_define(p, axis->var, axis->var->name, "v");
    text_printf(p->out, "%s = %s\n", name, text_string(&rhs));
    text_finish(&rhs);
}

static void put_remap(struct printer *p, const struct tir_axis *axes, unsigned count)
{
    printer_line(p);
    for (unsigned i = 0; i < count; i++) {
        const struct ir_var *var = axes[i].var;
        text_printf(p->out, "%s%s", i > 0 ? ", " : "", printer_define(p, var, var->name, "v"));
    }
    text_puts(p->out, " = ");
    printer_put_tir(p, "axis.remap(\"");
    for (unsigned i = 0; i < count; i++)
        text_putc(p->out, axes[i].kind == TIR_SPATIAL ? 'S' : 'R');
    text_puts(p->out, "\", [");
    for (unsigned i = 0; i < count; i++) {
        if (i > 0)
            text_puts(p->out, ", ");
        printer_put_expr(p, axes[i].value);
    }
    text_puts(p->out, "])\n");
}

static void put_axes(struct printer *p, const struct tir_stmt *stmt)
{
    const struct tir_axis *axes = stmt->block.axes;
    for (unsigned i = 0; i < stmt->block.axis_count;) {
        unsigned count = 0;
        while (i + count < stmt->block.axis_count && is_remapped(p, &axes[i + count]))
            count++;
        if (count >= 2)
            put_remap(p, &axes[i], count);
        else
            put_axis(p, &axes[i]);
        i += count >= 2 ? count : 1;
    }
}

static void put_regions(struct printer *p, const char *function, const struct tir_region *regions,
                        unsigned count)
{
    printer_line(p);
    printer_put_tir(p, function);
    text_putc(p->out, '(');
    for (unsigned i = 0; i < count; i++) {
        if (i > 0)
            text_puts(p->out, ", ");
        printer_put_region(p, &regions[i]);
    }
    text_puts(p->out, ")\n");
}

void printer_put_allocs(struct printer *p, const struct tir_stmt *stmt)
{
    for (unsigned i = 0; i < stmt->block.alloc_count; i++) {
        printer_line(p);
        text_printf(p->out, "%s = ", printer_define_buffer(p, stmt->block.allocs[i]));
        printer_put_buffer_call(p, "sblock_alloc_buffer", NULL, stmt->block.allocs[i], NULL);
        text_putc(p->out, '\n');
    }
}

static void put_block_head(struct printer *p, const struct tir_stmt *stmt)
{
    put_axes(p, stmt);
    if (!printer_is_true(stmt->block.predicate)) {
        printer_line(p);
        printer_put_tir(p, "where(");
        printer_put_expr(p, stmt->block.predicate);
        text_puts(p->out, ")\n");
    }
    put_regions(p, "reads", stmt->block.reads, stmt->block.read_count);
    put_regions(p, "writes", stmt->block.writes, stmt->block.write_count);
    if (printer_has_items(stmt->block.annotations)) {
        printer_line(p);
        printer_put_tir(p, "sblock_attr(");
        printer_put_attr(p, stmt->block.annotations);
        text_puts(p->out, ")\n");
    }
    printer_put_allocs(p, stmt);
    for (unsigned i = 0; i < stmt->block.match_count; i++) {
        const struct tir_match *match = &stmt->block.matches[i];
        printer_line(p);
        text_printf(p->out, "%s = ", printer_define_buffer(p, match->buffer));
        printer_put_buffer_call(p, "match_buffer", &match->source, match->buffer, NULL);
        text_putc(p->out, '\n');
    }
}

void printer_put_block(struct printer *p, const struct tir_stmt *stmt)
{
    size_t mark = printer_mark(p);
    printer_line(p);
    text_puts(p->out, "with ");
    printer_put_tir(p, "sblock(");
    printer_put_string(p->out, stmt->block.name != NULL ? stmt->block.name : "");
    text_puts(p->out, "):\n");
    p->indent++;
    put_block_head(p, stmt);
    if (stmt->block.init != NULL) {
        printer_line(p);
        text_puts(p->out, "with ");
        printer_put_tir(p, "init():\n");
        printer_put_suite(p, stmt->block.init);
    }
    printer_put_body(p, stmt->block.body);
    p->indent--;
    printer_release(p, mark);
}
