/*
 * LoopPartition: ranges cut where a condition is decided.
 *
 *     for o, i in T.grid((n + 7) // 8, 8):           for o, i in T.grid(n // 8, 8):
 *         if o * 8 + i < n:                              B[o * 8 + i] = 1
 *             B[o * 8 + i] = 1                 =>    for o, i in T.grid((n + 7) // 8 - n // 8, 8):
 *                                                        if (o + n // 8) * 8 + i < n: ..
 *
 * (The second loop runs from n // 8 on: range(n // 8, (n + 7) // 8).)  A condition is a comparison in an
 * `if`, T.if_then_else or T.likely that is linear in the variable of the loop, with a literal factor.  It is
 * cut from the iterations in which it holds whatever the inner loops do; the others keep it.  The
 * outermost loop that can be cut for a condition is.  Each iteration still runs once, and in order.
 *
 * The place of the cut is computed in integers: only where that is exact (analysis/access/loop.h).
 */
#include "analysis/access/index.h"
#include "passes/loop/loop.h"

#include <string.h>

enum {
    CUT_LIMIT = 2,      /* of one loop: one from either end */
    GROWTH_LIMIT = 512, /* statements in a body that is doubled */
    CONDITION_LIMIT = 16,
};

struct partition {
    struct ir_module *module;
    struct ir_context *context;
    struct ir_ranges
        ranges; /* of the loops around, and of those inside while a condition is read */
    bool is_changed;
};

/* Conditions found in the body of one loop, with the ranges of the loops in between. */
struct search {
    struct partition *p;
    const struct tir_stmt *loop;
    struct map defined; /* variables of lets inside */
    /* the first that can be used */
    const struct ir_expr *condition, *cut;
    bool is_upper; /* true from the cut on; else below it */
    unsigned looked_at;
};

static const struct ir_expr *binary(struct partition *p, enum ir_expr_kind kind,
                                    const struct ir_expr *a, const struct ir_expr *b)
{
    return ir_expr_binary(p->context, kind, a, b);
}

static const struct ir_expr *integer(struct partition *p, struct ir_dtype dtype, int64_t value)
{
    return ir_expr_int(p->context, dtype, value);
}

/* ---- one condition ---- */

static bool is_usable(void *state, const struct ir_expr *a)
{
    struct search *s = state;

    return a->kind != IR_EXPR_load && a->kind != IR_EXPR_call && a->kind != IR_EXPR_let &&
           a->dtype.lanes == 1 && (a->kind != IR_EXPR_var || !map_has(&s->defined, a->var));
}

/* The least value of @a over the loops inside, from range @from on; NULL if it is not known. */
static const struct ir_expr *least(struct partition *p, const struct ir_expr *a, size_t from)
{
    for (size_t i = p->ranges.count; a && i-- > from;) {
        const struct ir_range *range = &p->ranges.items[i];
        const struct ir_expr *rest;
        int64_t factor;

        if (!ir_expr_uses_var(a, range->var))
            continue;
        if (!ir_expr_linear(p->context, a, range->var, &factor, &rest) || factor == 0)
            return NULL;
        const struct ir_expr *last =
            binary(p, IR_EXPR_sub, binary(p, IR_EXPR_add, range->min, range->extent),
                   integer(p, range->var->dtype, 1));
        const struct ir_expr *at = factor > 0 ? range->min : last;
        a = binary(p, IR_EXPR_add, rest,
                   binary(p, IR_EXPR_mul, integer(p, rest->dtype, factor),
                          ir_expr_cast(p->context, rest->dtype, at)));
    }
    return a ? ir_simplify_in(p->context, &p->ranges, a) : NULL;
}

/* @condition as difference >= 0, NULL if it is no such comparison. */
static const struct ir_expr *as_difference(struct partition *p, const struct ir_expr *condition)
{
    const struct ir_expr *x = condition->operands[0], *y = condition->operands[1];
    const struct ir_expr *one = integer(p, x->dtype, 1);

    switch (condition->kind) {
    case IR_EXPR_lt:
        return binary(p, IR_EXPR_sub, binary(p, IR_EXPR_sub, y, x), one);
    case IR_EXPR_le:
        return binary(p, IR_EXPR_sub, y, x);
    case IR_EXPR_gt:
        return binary(p, IR_EXPR_sub, binary(p, IR_EXPR_sub, x, y), one);
    case IR_EXPR_ge:
        return binary(p, IR_EXPR_sub, x, y);
    default:
        return NULL;
    }
}

/* Is one side of the cut all of the loop?  Then it is none. */
static bool cuts_nothing(struct search *s, const struct ir_expr *cut)
{
    struct ir_range range = loop_range(s->p->module, s->loop);
    const struct ir_expr *end = binary(s->p, IR_EXPR_add, range.min, range.extent);

    return ir_prove_ge(s->p->context, &s->p->ranges, range.min, cut) ||
           ir_prove_ge(s->p->context, &s->p->ranges, cut, end);
}

static void look_at_condition(struct search *s, const struct ir_expr *condition, size_t from)
{
    struct partition *p = s->p;
    const struct ir_var *var = s->loop->loop.var;
    const struct ir_expr *rest;
    int64_t factor;

    if (s->condition || s->looked_at == CONDITION_LIMIT || !ir_expr_is_compare(condition->kind) ||
        !ir_expr_walk(condition, is_usable, s) || !ir_expr_uses_var(condition, var))
        return;
    s->looked_at++;
    const struct ir_expr *x = condition->operands[0], *y = condition->operands[1];
    if (!ir_dtype_equal(x->dtype, var->dtype) || x->dtype.code != IR_INT ||
        !index_is_exact(p->context, &p->ranges, x) || !index_is_exact(p->context, &p->ranges, y))
        return;
    const struct ir_expr *difference = as_difference(p, condition);
    if (!difference || !ir_expr_linear(p->context, difference, var, &factor, &rest) ||
        factor == 0 || factor < -INT32_MAX || factor > INT32_MAX)
        return;
    rest = least(p, rest, from);
    if (!rest || ir_expr_uses_var(rest, var))
        return;
    /* factor * var + rest >= 0: var >= ceil(-rest / factor), or var < floor(rest / -factor) + 1 */
    const struct ir_expr *one = integer(p, rest->dtype, 1);
    const struct ir_expr *size = integer(p, rest->dtype, factor > 0 ? factor : -factor);
    const struct ir_expr *cut;
    if (factor > 0)
        cut = binary(p, IR_EXPR_floordiv,
                     binary(p, IR_EXPR_sub, integer(p, rest->dtype, factor - 1), rest), size);
    else
        cut = binary(p, IR_EXPR_add, binary(p, IR_EXPR_floordiv, rest, size), one);
    cut = ir_simplify_in(p->context, &p->ranges, cut);
    size_t inside = p->ranges.count;
    p->ranges.count =
        from - 1; /* it is computed in front of the loop, whose range lies at from - 1 */
    bool is_fine = index_is_exact(p->context, &p->ranges, cut) && !cuts_nothing(s, cut);
    p->ranges.count = inside;
    if (!is_fine)
        return;
    s->condition = condition;
    s->cut = cut;
    s->is_upper = factor > 0;
}

/* The comparisons that @condition consists of. */
static void look_at_conditions(struct search *s, const struct ir_expr *condition, size_t from)
{
    bool is_likely = condition->kind == IR_EXPR_call && strcmp(condition->name, "likely") == 0;

    if (condition->kind == IR_EXPR_and || condition->kind == IR_EXPR_or) {
        look_at_conditions(s, condition->operands[0], from);
        look_at_conditions(s, condition->operands[1], from);
    } else if (is_likely) {
        look_at_conditions(s, condition->operands[0], from);
    } else {
        look_at_condition(s, condition, from);
    }
}

static void look_at_expr(struct search *s, const struct ir_expr *a, size_t from)
{
    bool is_branch = a->kind == IR_EXPR_call && strcmp(a->name, "if_then_else") == 0;

    if (a->kind == IR_EXPR_let)
        map_set(&s->defined, a->var, a->var);
    if (is_branch)
        look_at_conditions(s, a->operands[0], from);
    for (unsigned i = 0; i < a->operand_count && !s->condition; i++)
        look_at_expr(s, a->operands[i], from);
}

struct roots {
    struct search *search;
    size_t from;
};

static bool look_at_root(void *state, const struct ir_expr *a)
{
    struct roots *roots = state;

    look_at_expr(roots->search, a, roots->from);
    return true;
}

static void look_at_stmt(struct search *s, struct tir_stmt *stmt, size_t from)
{
    struct partition *p = s->p;
    struct roots roots = {s, from};
    size_t mark = p->ranges.count;
    struct tir_stmt *child;

    if (stmt->kind == TIR_LET)
        map_set(&s->defined, stmt->let.var, stmt);
    if (stmt->kind == TIR_IF)
        look_at_conditions(s, stmt->branch.condition, from);
    if (stmt->kind == TIR_STORE || stmt->kind == TIR_LET || stmt->kind == TIR_IF)
        tir_stmt_walk_exprs(stmt, look_at_root, &roots);
    if (stmt->kind == TIR_FOR && loop_has_fixed_bounds(stmt) && !stmt->loop.step)
        array_push(&p->ranges, loop_range(p->module, stmt));
    else if (stmt->kind == TIR_FOR)
        map_set(&s->defined, stmt->loop.var, stmt);
    for (unsigned i = 0; !s->condition && (child = tir_stmt_child(stmt, i)) != NULL; i++)
        look_at_stmt(s, child, from);
    p->ranges.count = mark;
}

/* ---- cutting ---- */

struct removal {
    struct partition *p;
    const struct ir_expr *condition;
};

static const struct ir_expr *make_true(void *state, const struct ir_expr *a)
{
    struct removal *removal = state;

    return ir_expr_equal(a, removal->condition)
               ? ir_expr_int(removal->p->context, removal->condition->dtype, 1)
               : a;
}

static const struct ir_expr *remove_in(struct loop_map *map, const struct ir_expr *a)
{
    struct removal *removal = map->state;

    return ir_expr_rewrite(removal->p->context, a, make_true, removal);
}

/* @loop from @min to before @end. */
static struct tir_stmt *piece(struct partition *p, const struct tir_stmt *loop,
                              const struct ir_expr *min, const struct ir_expr *end,
                              struct tir_stmt *body)
{
    struct tir_stmt *result = loop_with_body(p->module, loop, body);

    result->loop.min = min;
    result->loop.extent = ir_simplify_in(p->context, &p->ranges, binary(p, IR_EXPR_sub, end, min));
    return result;
}

static struct tir_stmt *cut_loop(struct partition *p, struct tir_stmt *loop, struct search *s,
                                 unsigned cuts);

static struct tir_stmt *try_loop(struct partition *p, struct tir_stmt *loop, unsigned cuts)
{
    struct search search = {.p = p, .loop = loop};

    if (cuts == CUT_LIMIT || loop->loop.kind != TIR_SERIAL || loop->loop.step ||
        loop->loop.annotations || !loop_has_fixed_bounds(loop) || loop_has_jump(loop->loop.body) ||
        loop_stmt_count(loop->loop.body) > GROWTH_LIMIT ||
        !ir_dtype_equal(loop->loop.min->dtype, loop->loop.var->dtype) ||
        !ir_dtype_equal(loop->loop.extent->dtype, loop->loop.var->dtype) ||
        !index_is_exact(p->context, &p->ranges, loop->loop.min) ||
        !index_is_exact(p->context, &p->ranges, loop->loop.extent) ||
        ir_interval_of(p->context, &p->ranges, loop->loop.extent).low < 0)
        return NULL;
    array_push(&p->ranges, loop_range(p->module, loop));
    look_at_stmt(&search, loop->loop.body, p->ranges.count);
    p->ranges.count--;
    map_finish(&search.defined);
    return search.condition ? cut_loop(p, loop, &search, cuts) : NULL;
}

static struct tir_stmt *cut_loop(struct partition *p, struct tir_stmt *loop, struct search *s,
                                 unsigned cuts)
{
    struct removal removal = {p, s->condition};
    struct loop_map map = {
        .module = p->module, .state = &removal, .stmt = loop_map_parts, .expr = remove_in};
    const struct ir_expr *min = loop->loop.min;
    const struct ir_expr *end =
        ir_simplify_in(p->context, &p->ranges, binary(p, IR_EXPR_add, min, loop->loop.extent));
    const struct ir_expr *middle = s->cut;

    if (!ir_prove_ge(p->context, &p->ranges, middle, min))
        middle = binary(p, IR_EXPR_max, middle, min);
    if (!ir_prove_ge(p->context, &p->ranges, end, middle))
        middle = binary(p, IR_EXPR_min, middle, end);
    middle = ir_simplify_in(p->context, &p->ranges, middle);
    struct tir_stmt *always = loop_map_parts(&map, loop->loop.body);
    struct tir_stmt *rest = loop->loop.body;
    p->is_changed = true;
    struct tir_stmt *below = piece(p, loop, min, middle, s->is_upper ? rest : always);
    struct tir_stmt *above = piece(p, loop, middle, end, s->is_upper ? always : rest);
    struct tir_stmt **main_part = s->is_upper ? &above : &below;
    struct tir_stmt **other = s->is_upper ? &below : &above;
    struct tir_stmt *again = try_loop(p, *main_part, cuts + 1);

    *other = loop_copy_fresh(p->module, *other);
    if (again)
        *main_part = again;
    return loop_both(p->module, below, above);
}

static struct tir_stmt *partition_stmt(struct loop_map *map, struct tir_stmt *stmt)
{
    struct partition *p = map->state;
    struct tir_stmt *cut = stmt->kind == TIR_FOR ? try_loop(p, stmt, 0) : NULL;

    if (cut)
        return cut;
    bool is_known = stmt->kind == TIR_FOR && loop_has_fixed_bounds(stmt);
    if (is_known)
        array_push(&p->ranges, loop_range(p->module, stmt));
    stmt = loop_map_parts(map, stmt);
    p->ranges.count -= is_known;
    return stmt;
}

struct tir_stmt *loop_partition(const struct tir_func *func)
{
    struct partition p = {.module = func->module, .context = func->module->context};
    struct loop_map map = {.module = func->module, .state = &p, .stmt = partition_stmt};

    if (!loop_is_plain(func->body))
        return func->body;
    struct tir_func after = *func;
    after.body = partition_stmt(&map, func->body);
    array_finish(&p.ranges);
    return p.is_changed ? loop_simplify(&after) : func->body;
}

static struct tir_stmt *partition_kernel(void *state, const struct tir_func *func)
{
    return loop_partition(func);
}

enum pass_result pass_loop_partition(struct pass_run *run)
{
    return loop_rewrite_kernels(run, partition_kernel, NULL);
}
