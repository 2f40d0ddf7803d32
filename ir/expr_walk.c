/*
 * Walks and rewrites of scalar expressions.
 *
 * Expressions are trees to their readers, but share nodes in memory, and a chain of substitutions can
 * make a tree that is exponentially larger than its nodes.  So large ones are walked and rewritten
 * with a table of the nodes that were seen.
 */
#include "base/array.h"
#include "base/map.h"
#include "ir/expr.h"
#include "ir/module.h"

#include <stdlib.h>

enum {
    SHARE_FROM = 1024, /* nodes from which on the table is worth its cost */
    SMALL_COUNT = 8,   /* operands that fit on the stack */
};

struct walk {
    ir_expr_visit_fn *visit;
    void *state;
    struct map *seen; /* NULL: small tree */
};

static bool walk(const struct walk *w, const struct ir_expr *a)
{
    if (w->seen) {
        if (map_has(w->seen, a))
            return true;
        map_set(w->seen, a, a);
    }
    if (!w->visit(w->state, a))
        return false;
    for (unsigned i = 0; i < a->operand_count; i++) {
        if (!walk(w, a->operands[i]))
            return false;
    }
    return true;
}

bool ir_expr_walk(const struct ir_expr *a, ir_expr_visit_fn *visit, void *state)
{
    struct map seen = {0};
    struct walk w = {visit, state, a->size > SHARE_FROM ? &seen : NULL};
    bool result = walk(&w, a);

    map_finish(&seen);
    return result;
}

static bool is_not_var(void *state, const struct ir_expr *a)
{
    return !((a->kind == IR_EXPR_var || a->kind == IR_EXPR_let) && a->var == state);
}

bool ir_expr_uses_var(const struct ir_expr *a, const struct ir_var *var)
{
    union {
        const struct ir_var *in;
        void *out;
    } state = {var};

    return !ir_expr_walk(a, is_not_var, state.out);
}

struct rewrite {
    struct ir_context *context;
    ir_expr_replace_fn *replace;
    void *state;
    struct map *done; /* NULL: small tree */
};

static const struct ir_expr *rewrite(const struct rewrite *r, const struct ir_expr *a)
{
    const struct ir_expr *small[SMALL_COUNT];
    const struct ir_expr **operands = small;
    const struct ir_expr *result = r->done ? map_get(r->done, a) : NULL;
    bool changed = false;

    if (result)
        return result;
    if (a->operand_count > SMALL_COUNT)
        operands = arena_array(&r->context->arena, const struct ir_expr *, a->operand_count);
    for (unsigned i = 0; i < a->operand_count; i++) {
        operands[i] = rewrite(r, a->operands[i]);
        changed |= operands[i] != a->operands[i];
    }
    result = changed ? ir_expr_with_operands(r->context, a, operands, a->operand_count) : a;
    result = r->replace(r->state, result);
    if (r->done)
        map_set(r->done, a, result);
    return result;
}

const struct ir_expr *ir_expr_rewrite(struct ir_context *context, const struct ir_expr *a,
                                      ir_expr_replace_fn *replace, void *state)
{
    struct map done = {0};
    struct rewrite r = {context, replace, state, a->size > SHARE_FROM ? &done : NULL};
    const struct ir_expr *result = rewrite(&r, a);

    map_finish(&done);
    return result;
}

const struct ir_expr *ir_bindings_find(const struct ir_bindings *bindings, const struct ir_var *var)
{
    /* From the back: of two bindings of one variable, the later one counts. */
    for (size_t i = bindings->count; i-- > 0;) {
        if (bindings->items[i].var == var)
            return bindings->items[i].value;
    }
    return NULL;
}

struct substitution {
    struct ir_context *context;
    const struct ir_bindings *bindings;
};

static const struct ir_expr *replace_var(void *state, const struct ir_expr *a)
{
    const struct substitution *s = state;
    const struct ir_expr *value;

    if (a->kind != IR_EXPR_var)
        return a;
    value = ir_bindings_find(s->bindings, a->var);
    return value ? ir_expr_cast(s->context, a->dtype, value) : a;
}

const struct ir_expr *ir_expr_substitute(struct ir_context *context, const struct ir_expr *a,
                                         const struct ir_bindings *bindings)
{
    struct substitution s = {context, bindings};

    return bindings->count ? ir_expr_rewrite(context, a, replace_var, &s) : a;
}
