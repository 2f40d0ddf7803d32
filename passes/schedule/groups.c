/*
 * The loop over the channels of a convolution of groups, as two: over groups, and over the channels of one.
 *
 *     for o in range(64): .. x[o // 16 * 8 + k] ..    ==>    for g, o in T.grid(4, 16): .. x[g * 8 + k] ..
 */
#include "passes/schedule/matmul.h"

/* The quotient of a loop's variable and a number that an operand has: output channels of one group. */
struct quotient {
    const struct nest *nest;
    struct tir_stmt *loop;
    int64_t divisor;
};

static bool find_quotient(void *state, const struct ir_expr *a)
{
    struct quotient *found = state;

    if (a->kind != IR_EXPR_floordiv || a->operands[0]->kind != IR_EXPR_var ||
        a->operands[1]->kind != IR_EXPR_int)
        return true;
    for (unsigned i = 0; i < found->nest->count && !found->loop; i++)
        if (found->nest->loops[i]->loop.var == a->operands[0]->var) {
            found->loop = found->nest->loops[i];
            found->divisor = a->operands[1]->int_value;
        }
    return true;
}

struct splitting {
    struct schedule *s;
    const struct ir_var *old, *group;
    int64_t inner;
};

static const struct ir_expr *replace_quotient(void *state, const struct ir_expr *a)
{
    const struct splitting *split = state;
    bool is_it = a->kind == IR_EXPR_floordiv && a->operands[0]->kind == IR_EXPR_var &&
                 a->operands[0]->var == split->old && ir_expr_is_int(a->operands[1], split->inner);

    return is_it ? sch_use(split->s, split->group) : a;
}

static const struct ir_expr *split_expr(struct loop_map *map, const struct ir_expr *a)
{
    return ir_expr_rewrite(map->module->context, a, replace_quotient, map->state);
}

/* @stmt with its loop @old as two, the first of @count iterations; *@out_group: its variable. */
static struct tir_stmt *split_loop(struct schedule *s, struct tir_stmt *stmt,
                                   const struct tir_stmt *old, int64_t count, int64_t inner,
                                   const struct ir_var **out_group)
{
    struct ir_dtype dtype = old->loop.var->dtype;
    struct tir_stmt *copy;

    if (stmt == old) {
        const struct ir_var *g = sch_var(s, "g", dtype), *o = sch_var(s, "o", dtype);
        struct splitting split = {s, old->loop.var, g, inner};
        struct loop_map map = {
            .module = s->module, .state = &split, .stmt = loop_map_parts, .expr = split_expr};
        const struct ir_expr *value = sch_add(s, sch_mul(s, sch_use(s, g), inner), sch_use(s, o));

        *out_group = g;
        copy = loop_map_parts(&map, stmt->loop.body);
        copy = sch_copy(s, copy, old->loop.var, value);
        return sch_for(s, TIR_SERIAL, g, sch_int(s, dtype, count),
                       sch_for(s, TIR_SERIAL, o, sch_int(s, dtype, inner), copy));
    }
    copy = tir_stmt_new(s->module, TIR_FOR, stmt->loc);
    *copy = *stmt;
    copy->loop.body = split_loop(s, stmt->loop.body, old, count, inner, out_group);
    return copy;
}

struct tir_stmt *matmul_split_groups(struct schedule *s, struct tir_stmt *stmt,
                                     const struct ir_var **out_group)
{
    struct nest nest = {0};
    struct quotient found = {.nest = &nest};
    int64_t extent;

    if (stmt->kind != TIR_FOR || !nest_read(s, stmt, &nest) || !nest.zero)
        return NULL;
    (void)ir_expr_walk(nest.store->store.value, find_quotient, &found);
    if (!found.loop || found.divisor < 2 || !sch_constant(s, found.loop->loop.extent, &extent) ||
        extent % found.divisor != 0 || extent == found.divisor)
        return NULL;
    for (const struct tir_stmt *at = stmt; at != found.loop; at = at->loop.body)
        if (at->loop.body->kind != TIR_FOR)
            return NULL;
    return split_loop(s, stmt, found.loop, extent / found.divisor, found.divisor, out_group);
}
