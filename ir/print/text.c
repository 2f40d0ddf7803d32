/* Pieces of text: lines, prefixes, literals. */
#include "ir/module.h"
#include "ir/print/printer.h"

#include <math.h>
#include <string.h>

void printer_put_indent(struct text *out, unsigned indent)
{
    for (unsigned i = 0; i < indent; i++)
        text_puts(out, "    ");
}

void printer_line(struct printer *p)
{
    printer_put_indent(p->out, p->indent);
}

bool printer_is_old(const struct printer *p)
{
    return p->options.dialect == IR_DIALECT_OLD;
}

void printer_put_spelling(struct printer *p, const char *name)
{
    static const struct {
        const char *new, *old;
    } spellings[] = {
#define SPELLING(new, old) {new, old},
#include "ir/print/dialect.def"
    };
    size_t length = strcspn(name, "(");

    for (size_t i = 0; printer_is_old(p) && i < ARRAY_SIZE(spellings); i++)
        if (strncmp(name, spellings[i].new, length) == 0 && !spellings[i].new[length]) {
            text_printf(p->out, "%s%s", spellings[i].old, name + length);
            return;
        }
    text_puts(p->out, name);
}

void printer_put_tir(struct printer *p, const char *name)
{
    p->uses_tir = true;
    text_puts(p->out, "T.");
    printer_put_spelling(p, name);
}

void printer_put_relax(struct printer *p, const char *name)
{
    p->uses_relax = true;
    text_puts(p->out, "R.");
    printer_put_spelling(p, name);
}

void printer_put_string(struct text *out, const char *string)
{
    text_putc(out, '"');
    for (const char *c = string; *c != '\0'; c++) {
        switch (*c) {
        case '"':
        case '\\':
            text_putc(out, '\\');
            text_putc(out, *c);
            break;
        case '\n':
            text_puts(out, "\\n");
            break;
        case '\r':
            text_puts(out, "\\r");
            break;
        case '\t':
            text_puts(out, "\\t");
            break;
        default:
            if ((unsigned char)*c < ' ' || *c == 0x7f)
                text_printf(out, "\\x%02X", (unsigned)*c);
            else
                text_putc(out, *c);
        }
    }
    text_putc(out, '"');
}

/* 17 digits bring every double back; a whole number needs a point to stay a float. */
void printer_put_float(struct text *out, double value)
{
    if (isnan(value))
        text_puts(out, "\"nan\"");
    else if (isinf(value))
        text_puts(out, value < 0 ? "\"-inf\"" : "\"inf\"");
    else if (nearbyint(value) == value)
        text_printf(out, "%.1f", value);
    else
        text_printf(out, "%.17g", value);
}

void printer_put_dtype(struct text *out, struct ir_dtype dtype)
{
    char name[32];
    text_printf(out, "\"%s\"", ir_dtype_name(dtype, name));
}

void printer_put_global(struct printer *p, const struct ir_global *global)
{
    struct printer_frame *frame = p->frame;
    if (frame != NULL && !frame->is_kernel && !frame->has_alias && !p->is_bare) {
        printer_put_indent(&frame->prelude, frame->indent);
        text_printf(&frame->prelude, "cls = %s\n", p->module->name);
        frame->has_alias = true;
    }
    if (frame != NULL && frame->is_kernel && !p->is_bare)
        text_printf(p->out, "%s.", p->module->name);
    else if (!p->is_bare)
        text_puts(p->out, "cls.");
    text_puts(p->out, global->name);
}
