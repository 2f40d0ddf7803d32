/* Accesses as text: for tests, and for people who want to see what is known of a kernel. */
#include "ir/print.h"

#include "analysis/access/access.h"

static void put_expr(struct text *out, const struct ir_expr *a)
{
    if (a)
        tir_expr_print(a, out);
    else
        text_putc(out, '?');
}

static void put_range(struct text *out, const char *what, const struct access_frame *frame)
{
    text_printf(out, "%s %s from ", what, frame->var->name);
    put_expr(out, frame->min);
    text_puts(out, " for ");
    put_expr(out, frame->extent);
    if (frame->step != 1)
        text_printf(out, " by %lld", (long long)frame->step);
}

static void put_frame(struct text *out, const struct access_frame *frame)
{
    switch (frame->kind) {
    case ACCESS_LOOP:
        if (frame->stmt->kind == TIR_WHILE)
            text_puts(out, "while");
        else
            put_range(out, "loop", frame);
        break;
    case ACCESS_LANES:
        put_range(out, "lanes", frame);
        break;
    case ACCESS_LET:
        text_printf(out, "let %s", frame->var->name);
        break;
    case ACCESS_GUARD:
        text_puts(out, frame->is_negated ? "unless " : "if ");
        put_expr(out, frame->condition);
        break;
    }
}

static void put_frames(struct text *out, const struct access_frame *frame)
{
    if (frame->parent)
        put_frames(out, frame->parent);
    text_puts(out, "; ");
    put_frame(out, frame);
}

static void put_place(struct text *out, const struct access *access)
{
    text_puts(out, access->root->name);
    if (access->flat) {
        text_putc(out, '{');
        put_expr(out, access->flat);
        text_putc(out, '}');
    } else if (access->kind != ACCESS_EXPOSE) {
        text_putc(out, '[');
        for (unsigned i = 0; access->indices && i < access->root->ndim; i++) {
            text_puts(out, i > 0 ? ", " : "");
            put_expr(out, access->indices[i]);
        }
        text_puts(out, access->indices ? "]" : "?]");
    }
    if (access->buffer != access->root)
        text_printf(out, " as %s", access->buffer->name);
}

static void put_access(struct text *out, const struct access *access)
{
    static const char *const kinds[] = {"read ", "write ", "expose ", ""};
    static const char *const effects[] = {"", "call", "jump", "stop", "strange"};

    text_puts(out, kinds[access->kind]);
    if (access->kind == ACCESS_EFFECT)
        text_puts(out, effects[access->effect]);
    else
        put_place(out, access);
    if (access->is_indirect)
        text_puts(out, " indirect");
    if (access->is_init)
        text_puts(out, " init");
    if (access->frame)
        put_frames(out, access->frame);
    text_putc(out, '\n');
}

void access_print(const struct access_list *list, struct text *out)
{
    for (size_t i = 0; i < list->count; i++)
        put_access(out, &list->items[i]);
}
