/*
 * A loop that runs too far where its variable is one summand of the index, or its extent is no word: the extent under which
 * all that it indexes is in range, if that goes through all of an axis that the variable indexes alone.
 */
#include "analysis/lint/indices.h"

#include <string.h>

enum { OTHER_FACTOR = 1 << 20 }; /* of a variable in what is no sum */

struct cut {
    struct index_check *check;
    const struct ir_range *loop;
    int64_t beyond;               /* by how much the index that goes furthest is out of range */
    int64_t largest;              /* of the axes that the variable indexes alone */
    const struct ir_expr *extent; /* that one, as a buffer is said to have it */
    bool is_unknown;
};

/* How often the variable of the loop is in the sum @e, by way of axes or not. */
static int64_t factor_of(const struct cut *cut, const struct ir_expr *e)
{
    const struct ir_expr *value =
        e->kind == IR_EXPR_var ? map_get(&cut->check->bound, e->var) : NULL;
    int64_t sum = 0;

    if (value)
        return factor_of(cut, value);
    if (e->kind == IR_EXPR_var)
        return e->var == cut->loop->var;
    for (unsigned i = 0; i < e->operand_count; i++)
        sum += factor_of(cut, e->operands[i]);
    if (e->kind == IR_EXPR_add || sum == 0)
        return sum;
    return e->kind == IR_EXPR_sub && factor_of(cut, e->operands[1]) == 0 ? sum : OTHER_FACTOR;
}

static void look_at(struct cut *cut, const struct ir_expr *index, const struct ir_expr *extent)
{
    int64_t factor = factor_of(cut, index);

    if (factor == 0)
        return;
    const struct ir_expr *high = factor == 1 ? index_highest(cut->check, index) : NULL;
    if (!high || high->kind != IR_EXPR_int || extent->kind != IR_EXPR_int) {
        cut->is_unknown = true;
        return;
    }
    int64_t beyond = high->int_value - extent->int_value + 1;
    const struct ir_range *alone = index_loop(cut->check, index);
    if (beyond > cut->beyond)
        cut->beyond = beyond;
    if (alone && alone->var == cut->loop->var && extent->int_value > cut->largest) {
        cut->largest = extent->int_value;
        cut->extent = extent;
    }
}

static bool look_at_all(struct cut *cut, const struct ir_buffer *buffer,
                        const struct ir_expr *const *indices, unsigned count)
{
    for (unsigned i = 0; i < count && count == buffer->ndim; i++)
        look_at(cut, indices[i], buffer->shape[i]);
    return !cut->is_unknown;
}

static bool look_at_load(void *state, const struct ir_expr *e)
{
    return e->kind != IR_EXPR_load || look_at_all(state, e->buffer, e->operands, e->operand_count);
}

static bool look_at_root(void *state, const struct ir_expr *e)
{
    return ir_expr_walk(e, look_at_load, state);
}

static bool look_at_stmt(void *state, struct tir_stmt *stmt)
{
    return tir_stmt_walk_exprs(stmt, look_at_root, state) &&
           (stmt->kind != TIR_STORE ||
            look_at_all(state, stmt->store.buffer, stmt->store.indices, stmt->store.index_count));
}

/* `HALF - 2`, as the buffer is said to be long; NULL: it is not said in a few words. */
static const char *extent_text(const struct ir_expr *extent, int *out_length)
{
    struct location loc = extent->loc;
    uint32_t length = loc.source ? loc.end - loc.begin : 0;
    const char *text = length ? loc.source->text + loc.begin : NULL;

    if (!length || length > 40 || memchr(text, '\n', length) || memchr(text, '"', length))
        return NULL;
    *out_length = (int)length;
    return text;
}

static bool help_loop(struct cut *cut, struct diag_message *m)
{
    const struct ir_range *loop = cut->loop;
    struct location stop = lint_loop_stop(loop->var);
    int length = 0;
    const char *text = cut->extent ? extent_text(cut->extent, &length) : NULL;
    int64_t end = loop->min->int_value + loop->extent->int_value;

    /* an axis that it indexes alone, and goes through all of, tells that it is the loop that is wrong */
    if (!stop.source || !cut->extent || cut->beyond <= 0 || end - cut->beyond != cut->largest)
        return false;
    diag_label(m, stop, "`%s` runs to below %lld", loop->var->name, (long long)end);
    diag_help(m, "all that `%s` indexes is in range where it runs to below %lld", loop->var->name,
              (long long)cut->largest);
    if (text)
        diag_help_edit(m, stop, "%.*s", length, text);
    else
        diag_help_edit(m, stop, "%lld", (long long)cut->largest);
    map_set(&cut->check->cut, loop->var, loop);
    return true;
}

bool index_help_cut(struct index_check *check, struct diag_message *m, const struct ir_expr *index)
{
    for (size_t i = 0; i < check->ranges.count; i++) {
        const struct ir_range *loop = &check->ranges.items[i];
        struct cut cut = {.check = check, .loop = loop};
        if (map_has(&check->bound, loop->var) || loop->extent->kind != IR_EXPR_int ||
            loop->min->kind != IR_EXPR_int || factor_of(&cut, index) != 1)
            continue;
        tir_stmt_walk(check->body, look_at_stmt, &cut);
        if (!cut.is_unknown && help_loop(&cut, m))
            return true;
    }
    return false;
}

bool index_is_cut(struct index_check *check, const struct ir_expr *index)
{
    for (size_t i = 0; i < check->ranges.count; i++) {
        struct cut cut = {.check = check, .loop = &check->ranges.items[i]};
        if (map_has(&check->cut, cut.loop->var) && factor_of(&cut, index) != 0)
            return true;
    }
    return false;
}

bool index_help_begin(struct index_check *check, struct diag_message *m,
                      const struct ir_expr *index, int64_t low)
{
    for (size_t i = 0; i < check->ranges.count; i++) {
        const struct ir_range *loop = &check->ranges.items[i];
        struct cut cut = {.check = check, .loop = loop};
        struct location stop =
            map_has(&check->bound, loop->var) ? (struct location){0} : lint_range_stop(loop->var);
        if (!stop.source || !ir_expr_is_int(loop->min, 0) || factor_of(&cut, index) != 1)
            continue;
        diag_label(m, stop, "`%s` begins with 0", loop->var->name);
        diag_help(m, "from %lld on it is in range", (long long)-low);
        diag_help_edit(m, location_before(stop), "%lld, ", (long long)-low);
        diag_help_unsure(m); /* or the index goes by another number */
        return true;
    }
    return false;
}
