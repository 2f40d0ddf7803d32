/*
 * A loop that runs too far where its variable is one summand of the index, or its extent is no word: the extent under which
 * all that it indexes is in range, if that goes through all of an axis that the variable indexes alone.
 */
#include "analysis/lint/indices.h"
#include "ir/arith.h"
#include "ir/print.h"

#include <string.h>

enum {
    OTHER_FACTOR = 1 << 20, /* of a variable in what is no sum */
    MOST_AXES = 16,         /* that are kept */
};

/* An axis that the variable of the loop indexes. */
struct axis {
    const struct ir_buffer *buffer;
    unsigned number;
    bool is_alone, is_overrun; /* by it and nothing else; by more than it */
};

struct cut {
    struct index_check *check;
    const struct ir_range *loop;
    int64_t beyond; /* by how much the index that goes furthest is out of range */
    struct axis axes[MOST_AXES];
    unsigned axis_count;
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

/* @a - @b, where that is a number; false: it is not seen to be one. */
static bool difference(struct cut *cut, const struct ir_expr *a, const struct ir_expr *b,
                       int64_t *out)
{
    struct ir_context *context = cut->check->context;
    const struct ir_expr *rest = ir_expr_binary(
        context, IR_EXPR_sub, ir_expr_cast(context, IR_I64, a), ir_expr_cast(context, IR_I64, b));

    rest = ir_simplify(context, rest);
    *out = rest->kind == IR_EXPR_int ? rest->int_value : 0;
    return rest->kind == IR_EXPR_int;
}

/* What is kept of the axis; NULL: there are too many. */
static struct axis *find_axis(struct cut *cut, const struct ir_buffer *buffer, unsigned number)
{
    for (unsigned i = 0; i < cut->axis_count; i++)
        if (cut->axes[i].buffer == buffer && cut->axes[i].number == number)
            return &cut->axes[i];
    if (cut->axis_count == MOST_AXES)
        return NULL;
    struct axis *axis = &cut->axes[cut->axis_count++];
    *axis = (struct axis){buffer, number, false, false};
    return axis;
}

static void look_at(struct cut *cut, const struct ir_expr *index, const struct ir_buffer *buffer,
                    unsigned number)
{
    int64_t factor = factor_of(cut, index), beyond;

    if (factor == 0)
        return;
    const struct ir_expr *high = factor == 1 ? index_highest(cut->check, index) : NULL;
    struct axis *axis = find_axis(cut, buffer, number);
    if (!axis || !high || !difference(cut, high, buffer->shape[number], &beyond)) {
        cut->is_unknown = true;
        return;
    }
    beyond++;
    const struct ir_range *alone = index_loop(cut->check, index);
    bool is_alone = alone && alone->var == cut->loop->var;
    if (beyond > cut->beyond)
        cut->beyond = beyond;
    axis->is_alone |= is_alone;
    axis->is_overrun |= !is_alone && beyond > 0;
}

static bool look_at_all(struct cut *cut, const struct ir_buffer *buffer,
                        const struct ir_expr *const *indices, unsigned count)
{
    for (unsigned i = 0; i < count && count == buffer->ndim; i++)
        look_at(cut, indices[i], buffer, i);
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

/* What the loop runs to below. */
static const struct ir_expr *end_of(struct cut *cut)
{
    const struct ir_range *loop = cut->loop;
    struct ir_context *context = cut->check->context;

    if (loop->min->kind == IR_EXPR_int && loop->min->int_value == 0)
        return loop->extent;
    return ir_simplify(context, ir_expr_binary(context, IR_EXPR_add,
                                               ir_expr_cast(context, IR_I64, loop->min),
                                               ir_expr_cast(context, IR_I64, loop->extent)));
}

/*
 * The extent of an axis that the variable indexes alone, and goes through all of if the loop is cut; NULL: there is none, or one
 * that it would not go through, which tells against it.
 */
static const struct ir_expr *cut_extent(struct cut *cut, const struct ir_expr *end)
{
    const struct ir_expr *found = NULL;
    int64_t over;

    for (unsigned i = 0; i < cut->axis_count; i++) {
        const struct axis *axis = &cut->axes[i];
        const struct ir_expr *extent = axis->buffer->shape[axis->number];
        if (!axis->is_alone || !difference(cut, end, extent, &over))
            continue;
        if (over == cut->beyond)
            found = extent;
        else if (!axis->is_overrun)
            return NULL;
    }
    return found;
}

/* As a script writes it: `n + 1`, whatever the type of 1 is. */
static void put(struct text *out, const struct ir_expr *e)
{
    if (ir_dtype_equal(e->dtype, IR_I64))
        ir_expr_print(e, out);
    else
        tir_expr_print(e, out);
}

static void help_stop(const struct cut *cut, struct diag_message *m, struct location stop,
                      const struct ir_expr *end, const struct ir_expr *extent)
{
    const char *name = cut->loop->var->name;
    struct text had = {0}, wanted = {0};
    int length = 0;
    const char *text = extent_text(extent, &length);

    put(&had, end);
    put(&wanted, extent);
    diag_label(m, stop, "`%s` runs to below %s", name, text_string(&had));
    diag_help(m, "all that `%s` indexes is in range where it runs to below %s", name,
              text_string(&wanted));
    if (text)
        diag_help_edit(m, stop, "%.*s", length, text);
    else
        diag_help_edit(m, stop, "%s", text_string(&wanted));
    text_finish(&had);
    text_finish(&wanted);
}

static bool help_loop(struct cut *cut, struct diag_message *m)
{
    const struct ir_range *loop = cut->loop;
    struct location stop = lint_loop_stop(loop->var);
    const struct ir_expr *end = end_of(cut);
    /* such an axis tells that it is the loop that is wrong */
    const struct ir_expr *extent = cut->beyond > 0 ? cut_extent(cut, end) : NULL;

    if (!stop.source || !extent)
        return false;
    help_stop(cut, m, stop, end, extent);
    map_set(&cut->check->cut, loop->var, loop);
    return true;
}

/* Was a cut of @loop sought with as many ranges around?  All of the body is looked at for it. */
static bool is_tried(const struct index_check *check, const struct ir_range *loop)
{
    return (uintptr_t)map_get(&check->uncut, loop->var) == check->ranges.count;
}

bool index_help_cut(struct index_check *check, struct diag_message *m, const struct ir_expr *index)
{
    for (size_t i = 0; i < check->ranges.count; i++) {
        const struct ir_range *loop = &check->ranges.items[i];
        struct cut cut = {.check = check, .loop = loop};
        if (map_has(&check->bound, loop->var) || is_tried(check, loop) ||
            factor_of(&cut, index) != 1)
            continue;
        tir_stmt_walk(check->body, look_at_stmt, &cut);
        if (!cut.is_unknown && help_loop(&cut, m))
            return true;
        map_set(&check->uncut, loop->var, (void *)(uintptr_t)check->ranges.count);
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
