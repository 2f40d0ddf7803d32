/* Reads against the writes that come before them, as sets of the reads' iterations; see unset.h. */
#include "analysis/access/unset.h"

#include "analysis/access/points_internal.h"

enum { PAIR_LIMIT = 400 }; /* of a read and a write, in one order, for one buffer */

struct search {
    struct points points; /* iterations of the read */
    const struct access_list *list;
    const struct ir_buffer *root;
    const struct access *read;
    const struct ir_var **vars; /* of the loops and lanes around it, from the outside */
    unsigned pairs;
    bool has_jumps;
};

/* ---- iterations of the read ---- */

static bool has_values(const struct access_frame *frame)
{
    return (frame->kind == ACCESS_LOOP || frame->kind == ACCESS_LANES) && frame->extent;
}

static void set_read(struct search *s, const struct access *read)
{
    unsigned count = 0;

    for (const struct access_frame *frame = read->frame; frame; frame = frame->parent)
        count += has_values(frame);
    s->read = read;
    s->points.ndim = count;
    s->vars = arena_array(&s->points.cache->arena, const struct ir_var *, count + 1);
    for (const struct access_frame *frame = read->frame; frame; frame = frame->parent)
        if (has_values(frame))
            s->vars[--count] = frame->var;
}

/* The point is the iteration that @side, the read, is in. */
static void add_iteration(struct search *s, struct presburger *p, const struct linear *point,
                          const struct access_side *side)
{
    for (unsigned i = 0; i < s->points.ndim; i++) {
        const struct ir_expr *var = ir_expr_var(s->points.relation->context, s->vars[i]);
        struct linear value;

        if (presburger_value(p, side, var, &value))
            presburger_add(p, presburger_compare(p, IR_EXPR_eq, &point[i], &value));
        else
            p->is_exact = false;
    }
}

/* The element is one of the buffer, or the run ends there. */
static void add_bounds(struct presburger *p, const struct access_side *side)
{
    const struct access *read = side->access;
    struct linear zero = linear_constant(0), index, extent;
    bool was_exact = p->is_exact;

    for (unsigned i = 0; read->indices && i < read->root->ndim; i++) {
        if (!presburger_value(p, side, read->indices[i], &index) ||
            !presburger_value(p, side, read->root->shape[i], &extent))
            continue;
        presburger_add(p, presburger_compare(p, IR_EXPR_ge, &index, &zero));
        presburger_add(p, presburger_compare(p, IR_EXPR_lt, &index, &extent));
    }
    p->is_exact = was_exact; /* an index that is any number bounds no iteration */
}

/* All iterations in which it may run; exactly those if *@out_is_exact. */
static isl_set *iterations(struct search *s, bool *out_is_exact)
{
    struct presburger p;

    access_relation_ask(s->points.relation, 0, ACCESS_ANY_TIME);
    struct access_side side = points_side(&s->points, s->read);
    presburger_start(&p, s->points.relation);
    struct linear *point = points_variables(&s->points, &p);
    add_iteration(s, &p, point, &side);
    presburger_add_frames(&p, &side);
    add_bounds(&p, &side);
    presburger_add_facts(&p);
    *out_is_exact = p.is_exact && !s->has_jumps;
    isl_set *result = points_of(&s->points, &p, presburger_all(&p));
    presburger_finish(&p);
    return result;
}

/* ---- what was written before ---- */

/*
 * Iterations for which @write may have written an element that is read: where the outermost @level
 * loops are in one iteration, and the next one as @order says.
 */
static isl_set *written(struct search *s, const struct access *write, unsigned level,
                        enum access_order order)
{
    struct access_relation *relation = s->points.relation;

    access_relation_ask(relation, level, order);
    struct access_pair pair = {
        .sides = {points_side(&s->points, write), points_side(&s->points, s->read)}};
    presburger_start(&pair.formulas, relation);
    struct linear *point = points_variables(&s->points, &pair.formulas);
    add_iteration(s, &pair.formulas, point, &pair.sides[1]);
    access_pair_add(&pair);
    presburger_add_facts(&pair.formulas);
    isl_set *all = points_of(&s->points, &pair.formulas, presburger_all(&pair.formulas));
    presburger_finish(&pair.formulas);
    return all;
}

/* Is the buffer another one in each iteration of loop number @level? */
static bool is_private(const struct access *read, unsigned level)
{
    const struct access_frame *loop = access_loop_at(read->frame, level);

    return read->home && loop && access_is_inside(read->home, loop);
}

/* *@set without what @write has written before; false: that is not known. */
static bool subtract(struct search *s, const struct access *write, isl_set **set)
{
    unsigned common = access_common_loops(write, s->read);

    for (unsigned level = 0; level <= common; level++) {
        bool is_same = level == common;

        if (is_same ? write > s->read : is_private(s->read, level))
            continue;
        if (++s->pairs > PAIR_LIMIT)
            return false;
        isl_set *part = written(s, write, level, is_same ? ACCESS_ANY_TIME : ACCESS_LATER);
        points_reset(&s->points);
        *set = isl_set_coalesce(isl_set_subtract(*set, part));
        if (!*set)
            return false;
    }
    return true;
}

static bool is_empty(struct search *s, isl_set *set)
{
    points_reset(&s->points);
    return isl_set_is_empty(set) != isl_bool_false; /* or not known */
}

/* What is left of *@set when all writes are taken off; false: that is not known, or nothing is. */
static bool leave_unset(struct search *s, isl_set **set)
{
    for (size_t i = 0; i < s->list->count; i++) {
        const struct access *write = &s->list->items[i];

        if (write->kind == ACCESS_WRITE && write->root == s->root &&
            (!subtract(s, write, set) || is_empty(s, *set)))
            return false;
    }
    return true;
}

/* Does @write run only behind the read, in the same iteration and under the same conditions? */
static bool is_behind(const struct search *s, const struct access *write)
{
    const struct access_frame *frame = s->read->frame;

    while (frame && frame->kind == ACCESS_LANES)
        frame = frame->parent;
    return write > s->read && access_is_inside(write->frame, frame);
}

/* May @write come before the first time that the read runs? */
static bool may_precede(const struct search *s, const struct access *write)
{
    if (write->kind != ACCESS_WRITE || write->root != s->root || is_behind(s, write))
        return false;
    if (write < s->read)
        return true;
    for (unsigned level = 0; level < access_common_loops(write, s->read); level++)
        if (!is_private(s->read, level))
            return true;
    return false;
}

static bool is_never_written(const struct search *s)
{
    for (size_t i = 0; i < s->list->count; i++)
        if (may_precede(s, &s->list->items[i]))
            return false;
    return true;
}

/* ---- the search ---- */

static void name(struct search *s, isl_set *left, bool is_exact, struct access_unset *out)
{
    *out = (struct access_unset){.read = s->read, .is_always = !is_exact};
    if (!is_exact)
        return;
    out->vars = s->vars;
    out->var_count = s->points.ndim;
    out->values = points_least(&s->points, left, &out->sizes, &out->size_count);
}

static bool look_at(struct search *s, const struct access *read, struct access_unset *out)
{
    bool is_exact;

    set_read(s, read);
    isl_set *left = iterations(s, &is_exact);
    bool is_found = left && s->points.cache->isl;
    if (is_found)
        left = points_of_sizes(&s->points, left, left);
    is_found = is_found && (is_exact ? leave_unset(s, &left) : is_never_written(s));
    if (is_found) { /* writes may know more symbols than the read */
        left = points_plausible(&s->points, points_of_sizes(&s->points, left, left));
        is_found = !is_empty(s, left);
    }
    if (is_found)
        name(s, left, is_exact, out);
    isl_set_free(left);
    return is_found;
}

/* Does nothing but stores write the buffer, and each element of it by one index? */
static bool is_followed(struct search *s)
{
    if (s->root->strides)
        return false;
    for (size_t i = 0; i < s->list->count; i++) {
        const struct access *access = &s->list->items[i];

        s->has_jumps |= access->effect == ACCESS_JUMP;
        if (access->effect == ACCESS_STRANGE ||
            (access->kind == ACCESS_EXPOSE && access->root == s->root))
            return false;
    }
    return true;
}

struct access_unset access_find_unset(struct access_cache *cache, const struct tir_func *func,
                                      const struct ir_buffer *root)
{
    const struct access_list *list = access_of(cache, func);
    struct search s = {.points = {.cache = cache}, .list = list, .root = root};
    struct access_unset result = {0};

    if (!is_followed(&s))
        return result;
    s.points.relation = access_relation_new(cache, list, list, NULL);
    for (size_t i = 0; i < list->count && !result.read; i++)
        if (list->items[i].kind == ACCESS_READ && list->items[i].root == root &&
            look_at(&s, &list->items[i], &result))
            break;
    array_finish(&s.points.params);
    access_relation_free(s.points.relation);
    return result;
}
