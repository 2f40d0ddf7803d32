/* Values that are written otherwise elsewhere: T.inf, the index of a flat array, an integer that is to be a float. */
#include "frontend/tvmscript/internal.h"
#include "frontend/tvmscript/tir.h"

#include <string.h>

bool help_infinity(struct frontend *f, struct diag_message *m, const struct ast *a)
{
    if (!f->tir || a->kind != AST_ATTRIBUTE || strcmp(a->name, "inf") != 0)
        return false;
    struct ir_dtype dtype = ir_dtype_is_float(f->tir->stored) ? f->tir->stored : IR_F32;
    diag_help(m, "infinity is that of a dtype");
    diag_help_edit(m, a->loc, "T.infinity(\"%s\")", dtype_text(f, dtype));
    return true;
}

/* Is @a written as the extent @dim, a number or the name of a symbol? */
static bool is_extent(struct frontend *f, const struct ast *a, const struct ir_expr *dim)
{
    const struct name *name = a->kind == AST_NAME ? scope_find(f, a->name) : NULL;

    if (dim->kind == IR_EXPR_int)
        return a->kind == AST_INT && !a->is_wide && a->integer == dim->int_value;
    return dim->kind == IR_EXPR_var && name && name->kind == NAME_VAR && name->var == dim->var;
}

bool help_flat_index(struct frontend *f, struct diag_message *m, const struct ast *a,
                     const struct ir_buffer *buffer)
{
    const struct ast *sum = a->item_count == 2 ? a->items[1] : NULL;

    if (buffer->ndim != 2 || !sum || sum->kind != AST_BINARY || sum->op != AST_ADD)
        return false;
    const struct ast *product = sum->items[0], *column = sum->items[1];
    if (product->kind != AST_BINARY || product->op != AST_MUL)
        product = sum->items[1], column = sum->items[0];
    if (product->kind != AST_BINARY || product->op != AST_MUL)
        return false;
    bool is_last = is_extent(f, product->items[1], buffer->shape[1]);
    if (!is_last && !is_extent(f, product->items[0], buffer->shape[1]))
        return false;
    const struct ast *row = product->items[is_last ? 0 : 1];
    diag_help(m, "rows and columns have an index each");
    diag_help_edit(m, sum->loc, "%.*s, %.*s", LOCATION_TEXT(row->loc), LOCATION_TEXT(column->loc));
    return true;
}

/* `T.int32` in `d: T.int32 = 0`; nowhere: it is not written so. */
static struct location said_type(struct frontend *f, const struct ir_buffer *buffer)
{
    struct location name = buffer->loc;
    const char *text = name.source ? name.source->text + name.end : "";
    const char *type = arena_printf(&f->arena, "T.%s", dtype_text(f, buffer->dtype));
    size_t length = strlen(type);

    if (strncmp(text, ": ", 2) != 0 || strncmp(text + 2, type, length) != 0 ||
        strncmp(text + 2 + length, " = ", 3) != 0)
        return (struct location){0};
    return (struct location){name.source, name.end + 2, name.end + 2 + (uint32_t)length};
}

/* `d = 0` made an integer of what is to be a float: the edit that says so there; false if it is no such scalar. */
bool help_scalar_type(struct frontend *f, struct diag_message *m, const struct ir_buffer *buffer,
                      struct ir_dtype dtype)
{
    struct location name = buffer->loc;
    const char *text = name.source ? name.source->text + name.end : "";
    struct location type = buffer->is_scalar ? said_type(f, buffer) : (struct location){0};

    if (type.source) {
        diag_label(m, type, "`%s` is said to be %s", buffer->name, dtype_text(f, buffer->dtype));
        diag_help(m, "if it is to hold fractions: `%s: T.%s`", buffer->name, dtype_text(f, dtype));
        diag_help_edit(m, type, "T.%s", dtype_text(f, dtype));
        diag_help_unsure(m);
        return true;
    }
    if (!buffer->is_scalar || strncmp(text, " = ", 3) != 0 || text[3] < '0' || text[3] > '9')
        return false;
    diag_label(m, name, "`%s` is %s by its first value", buffer->name,
               dtype_text(f, buffer->dtype));
    diag_help(m, "say what it is: `%s: T.%s`", buffer->name, dtype_text(f, dtype));
    diag_help_edit(m, location_behind(name), ": T.%s", dtype_text(f, dtype));
    return true;
}
