/*
 * Products of narrow integers that become wider only when they are made: `c[i] + a[i] * b[i]` of int8 for an int32.  They
 * wrap, as in TVM, in the type that both factors have; a conversion that is written around the product says that it is meant.
 */
#include "analysis/lint/lint.h"
#include "base/text.h"
#include "ir/tir.h"

#include <string.h>

enum { MOST_FACTORS = 8 };

/* What a chain of `*` multiplies. */
struct product {
    const struct ir_expr *factors[MOST_FACTORS];
    unsigned count, open; /* open: those that are no literals */
};

static bool is_narrow(struct ir_dtype dtype)
{
    return ir_dtype_is_int(dtype) && (dtype.bits == 8 || dtype.bits == 16);
}

/* False: one has no place, or there are too many. */
static bool add_factors(struct product *product, const struct ir_expr *e)
{
    if (e->kind == IR_EXPR_mul)
        return add_factors(product, e->operands[0]) && add_factors(product, e->operands[1]);
    if (product->count == MOST_FACTORS || !e->loc.source)
        return false;
    product->factors[product->count++] = e;
    product->open += e->kind != IR_EXPR_int;
    return true;
}

/* All of the product, with brackets around its first and its last factor. */
static struct location whole(struct location loc)
{
    const char *text = loc.source->text;
    int depth = 0, before = 0;

    for (uint32_t at = loc.begin; at < loc.end; at++) {
        depth += text[at] == '(' || text[at] == '[';
        depth -= text[at] == ')' || text[at] == ']';
        before = depth < before ? depth : before;
    }
    for (; before < 0 && loc.begin > 0 && text[loc.begin - 1] == '('; before++, depth++)
        loc.begin--;
    for (; depth > 0 && text[loc.end] == ')'; depth--)
        loc.end++;
    return loc;
}

/* Is the factor what it is in any type?  A sum of narrow integers wraps, too. */
static bool is_plain(const struct ir_expr *factor)
{
    return factor->kind == IR_EXPR_int || factor->kind == IR_EXPR_var ||
           factor->kind == IR_EXPR_load || factor->kind == IR_EXPR_cast;
}

/* The product as it stands in the text, with its factors converted to @type. */
static void help_factors(struct diag_message *m, struct location place,
                         const struct product *product, const char *type)
{
    struct text text = {0};
    bool is_known = true;

    for (unsigned i = 0; i < product->count; i++) {
        const struct ir_expr *factor = product->factors[i];
        is_known = is_known && is_plain(factor);
        text_puts(&text, i ? " * " : "");
        if (factor->kind == IR_EXPR_int)
            text_printf(&text, "%.*s", LOCATION_TEXT(factor->loc));
        else
            text_printf(&text, "T.Cast(\"%s\", %.*s)", type, LOCATION_TEXT(factor->loc));
    }
    diag_help(m, "convert the factors");
    if (is_known) {
        diag_help_edit(m, place, "%s", text_string(&text));
        diag_help_unsure(m); /* that it wraps may be meant */
    }
    text_finish(&text);
}

static void report(struct diag *diag, const struct ir_expr *e, struct ir_dtype wide)
{
    struct product product = {.count = 0};
    char narrow_name[32], wide_name[32];

    if (!e->loc.source || !add_factors(&product, e) || product.open < 2)
        return;
    const char *from = ir_dtype_name(e->dtype, narrow_name), *to = ir_dtype_name(wide, wide_name);
    struct location place = whole(e->loc);
    struct diag_message *m = diag_report(diag, place, KERNEL_PRODUCT_WRAPS, from, to);
    help_factors(m, place, &product, to);
}

/* The products that @e, which becomes a @wide, is a sum of. */
static void check_sum(struct diag *diag, const struct ir_expr *e, struct ir_dtype wide)
{
    if (!is_narrow(e->dtype))
        return;
    if (e->kind == IR_EXPR_mul)
        report(diag, e, wide);
    for (unsigned i = 0; (e->kind == IR_EXPR_add || e->kind == IR_EXPR_sub) && i < 2; i++)
        check_sum(diag, e->operands[i], wide);
}

/* A conversion that nobody wrote stands where its operand does. */
static bool check_expr(void *state, const struct ir_expr *e)
{
    const struct ir_expr *inner = e->kind == IR_EXPR_cast ? e->operands[0] : NULL;

    if (inner && e->loc.source && e->loc.begin == inner->loc.begin &&
        e->loc.end == inner->loc.end && is_narrow(inner->dtype) &&
        (ir_dtype_is_float(e->dtype) || e->dtype.bits > inner->dtype.bits))
        check_sum(state, inner, e->dtype);
    return true;
}

static bool check_root(void *state, const struct ir_expr *e)
{
    return ir_expr_walk(e, check_expr, state);
}

static bool check_stmt(void *state, struct tir_stmt *stmt)
{
    return tir_stmt_walk_exprs(stmt, check_root, state);
}

void lint_check_narrow(const struct tir_func *kernel, struct diag *diag)
{
    tir_stmt_walk(kernel->body, check_stmt, diag);
}
