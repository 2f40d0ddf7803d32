/*
 * Symbols of a kernel that are the extent of one thing only, beside one that is nearly called so: `eddges` and `edges`.  Where
 * a loop goes to the other one and indexes there, both are the same.
 */
#include "analysis/lint/lint.h"
#include "base/array.h"
#include "base/text.h"
#include "ir/tir.h"

#include <string.h>

struct symbol {
    const struct ir_var *var;
    unsigned uses;         /* extents of parameters, and expressions of the body */
    struct location place; /* of the first dimension */
};

struct check {
    const struct tir_func *kernel;
    struct diag *diag;
    array(struct symbol) symbols;
};

static struct symbol *symbol_of(struct check *check, const struct ir_var *var)
{
    for (size_t i = 0; i < check->symbols.count; i++)
        if (check->symbols.items[i].var == var)
            return &check->symbols.items[i];
    return NULL;
}

static bool count_use(void *state, const struct ir_expr *e)
{
    struct check *check = state;
    struct symbol *symbol = e->kind == IR_EXPR_var ? symbol_of(check, e->var) : NULL;

    if (symbol)
        symbol->uses++;
    return true;
}

static bool count_root(void *state, const struct ir_expr *e)
{
    return ir_expr_walk(e, count_use, state);
}

static bool count_stmt(void *state, struct tir_stmt *stmt)
{
    return tir_stmt_walk_exprs(stmt, count_root, state);
}

/* Dimensions that are a symbol alone declare it. */
static void add_symbols(struct check *check, const struct ir_buffer *buffer)
{
    for (unsigned i = 0; buffer && i < buffer->ndim; i++) {
        const struct ir_expr *dim = buffer->shape[i];
        if (dim->kind == IR_EXPR_var && dim->var->is_symbol && !symbol_of(check, dim->var))
            array_push(&check->symbols, (struct symbol){dim->var, 0, dim->loc});
    }
}

/* `rows1` and `rows2`, `size_a` and `size_b`: of names of one length the letter that differs tells them apart. */
static bool is_pair(const char *a, const char *b)
{
    unsigned different = 0;

    if (strlen(a) != strlen(b))
        return false;
    for (; *a; a++, b++)
        different += *a != *b;
    return different == 1;
}

static void check_symbol(struct check *check, const struct symbol *alone)
{
    struct text_nearest nearest = text_nearest_to(alone->var->name);

    if (alone->uses != 1 || strlen(alone->var->name) < 4)
        return;
    for (size_t i = 0; i < check->symbols.count; i++)
        if (check->symbols.items[i].uses > 1)
            text_nearest_offer(&nearest, check->symbols.items[i].var->name);
    if (!nearest.found || nearest.other || is_pair(alone->var->name, nearest.found))
        return;
    struct location place = alone->place.source ? alone->place : check->kernel->loc;
    struct diag_message *m =
        diag_report(check->diag, place, KERNEL_SYMBOL_ALONE, alone->var->name, nearest.found);
    struct location name = location_text_behind(place, alone->var->name);
    diag_help(m, "there is `%s`", nearest.found);
    if (name.begin >= place.begin && name.end <= place.end && name.begin < name.end)
        diag_help_edit(m, name, "%s", nearest.found);
}

void lint_check_symbols(const struct tir_func *kernel, struct diag *diag)
{
    struct check check = {.kernel = kernel, .diag = diag};

    for (unsigned i = 0; i < kernel->param_count; i++)
        add_symbols(&check, kernel->params[i].buffer);
    for (unsigned i = 0; check.symbols.count > 1 && i < kernel->param_count; i++) {
        const struct ir_buffer *buffer = kernel->params[i].buffer;
        for (unsigned k = 0; buffer && k < buffer->ndim; k++)
            ir_expr_walk(buffer->shape[k], count_use, &check);
    }
    if (check.symbols.count > 1)
        tir_stmt_walk(kernel->body, count_stmt, &check);
    for (size_t i = 0; check.symbols.count > 1 && i < check.symbols.count; i++)
        check_symbol(&check, &check.symbols.items[i]);
    array_finish(&check.symbols);
}
