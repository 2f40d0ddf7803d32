/* Two accesses side by side: which questions are trivial, and who is asked the others. */
#include "analysis/access/relation.h"

#include "analysis/access/index.h"
#include "analysis/access/relation_internal.h"

struct access_relation *access_relation_new(struct access_cache *cache,
                                            const struct access_list *first,
                                            const struct access_list *second,
                                            const struct access_overlap *overlaps)
{
    struct arena arena = {0};
    struct access_relation *r = arena_new(&arena, struct access_relation);

    r->arena = arena;
    r->cache = cache;
    r->func = first->func;
    r->context = first->func->module->context;
    r->first = first;
    r->second = second;
    r->overlaps = overlaps;
    r->has_jumps = first->has_jumps || second->has_jumps;
    return r;
}

static void forget_level(struct access_relation *r)
{
    map_finish(&r->names);
    map_finish(&r->renamed);
    map_finish(&r->sides);
}

void access_relation_free(struct access_relation *r)
{
    struct arena arena = r->arena;

    forget_level(r);
    map_finish(&r->twins);
    array_finish(&r->twins_in_ranges);
    array_finish(&r->ranges);
    arena_finish(&arena);
}

void access_relation_be_cheap(struct access_relation *r)
{
    r->is_cheap = true;
}

void access_relation_limit(struct access_relation *r, unsigned count)
{
    r->has_limit = true;
    r->questions_left = count;
}

void access_relation_be_thorough(struct access_relation *r)
{
    r->is_thorough = true;
}

/* ---- storage ---- */

void access_relation_shift(struct access_relation *r, unsigned a, unsigned b, int64_t shift)
{
    r->has_shifted = true;
    r->shifted[0] = a;
    r->shifted[1] = b;
    r->shifted_by = shift;
}

static bool is_param(const struct access_relation *r, unsigned param, const struct ir_buffer *root)
{
    return r->func->params[param].buffer == root;
}

static struct access_overlap shifted(const struct access_relation *r, const struct ir_buffer *a,
                                     const struct ir_buffer *b)
{
    if (is_param(r, r->shifted[0], a) && is_param(r, r->shifted[1], b))
        return (struct access_overlap){ACCESS_SHIFTED, r->shifted_by};
    if (is_param(r, r->shifted[0], b) && is_param(r, r->shifted[1], a))
        return (struct access_overlap){ACCESS_SHIFTED, -r->shifted_by};
    return (struct access_overlap){ACCESS_APART, 0};
}

/* How two parameters, or other roots, lie to each other. */
static struct access_overlap overlap_of(const struct access_relation *r, const struct ir_buffer *a,
                                        const struct ir_buffer *b)
{
    if (a == b)
        return (struct access_overlap){ACCESS_SHIFTED, 0};
    if (r->has_shifted)
        return shifted(r, a, b);
    int i = access_param_of(r->func, a), k = access_param_of(r->func, b);
    return r->overlaps && i >= 0 && k >= 0
               ? r->overlaps[(unsigned)i * r->func->param_count + (unsigned)k]
               : (struct access_overlap){ACCESS_APART, 0};
}

static bool may_share(const struct access_relation *r, const struct ir_buffer *a,
                      const struct ir_buffer *b)
{
    return overlap_of(r, a, b).kind != ACCESS_APART;
}

static bool writes(const struct access_relation *r, const struct access_list *list,
                   const struct ir_buffer *root)
{
    if (!r->overlaps && !r->has_shifted)
        return map_has(&list->written, root);
    for (size_t i = 0; i < list->count; i++) {
        const struct access *access = &list->items[i];

        if ((access->kind == ACCESS_WRITE || access->kind == ACCESS_EXPOSE) &&
            may_share(r, access->root, root))
            return true;
    }
    return false;
}

static bool is_stable(void *state, const struct ir_expr *a)
{
    const struct access_relation *r = state;

    if (a->kind != IR_EXPR_load)
        return true;
    return !writes(r, r->first, access_root(r->first, a->buffer)) &&
           !writes(r, r->second, access_root(r->second, a->buffer));
}

bool access_is_stable(struct access_relation *r, const struct ir_expr *a)
{
    return ir_expr_walk(a, is_stable, r);
}

/* ---- sides ---- */

bool access_is_shared(const struct access_relation *r, const struct access_frame *frame)
{
    return frame->depth <= r->level && frame->kind != ACCESS_LANES;
}

/* The variable of @frame on the second side. */
static const struct ir_var *name_of(struct access_relation *r, const struct access_frame *frame)
{
    const struct ir_var *var = map_get(&r->names, frame->var);

    if (!var) {
        var = ir_var_new(r->context, frame->var->name, frame->var->dtype);
        map_set(&r->names, frame->var, var);
    }
    return var;
}

static const struct ir_expr *rename_var(void *state, const struct ir_expr *a)
{
    const struct access_relation *r = state;
    const struct ir_var *name = a->kind == IR_EXPR_var ? map_get(&r->names, a->var) : NULL;

    return name ? ir_expr_var(r->context, name) : a;
}

static const struct ir_expr *named(struct access_relation *r, const struct ir_expr *a,
                                   bool is_second)
{
    return is_second ? ir_expr_rewrite(r->context, a, rename_var, r) : a;
}

static unsigned count_frames(const struct access_frame *frame)
{
    unsigned count = 0;

    for (; frame; frame = frame->parent)
        count++;
    return count;
}

/* Ranges of variables around, from the outside.  All variables get their names, ranges or not. */
static void add_ranges(struct access_relation *r, struct ir_ranges *ranges,
                       const struct access_frame *frame, bool is_second)
{
    if (!frame)
        return;
    add_ranges(r, ranges, frame->parent, is_second);
    if (!frame->var)
        return;
    const struct ir_var *var = frame->var;
    if (is_second && !access_is_shared(r, frame))
        var = name_of(r, frame);
    if (frame->extent && access_is_stable(r, frame->min) && access_is_stable(r, frame->extent))
        ranges->items[ranges->count++] = (struct ir_range){var, named(r, frame->min, is_second),
                                                           named(r, frame->extent, is_second)};
}

void access_add_ranges(struct access_relation *r, struct arena *arena, struct access_side *side)
{
    const struct access_frame *frame = side->access->frame;

    side->ranges.items = arena_array(arena, struct ir_range, count_frames(frame) + 1);
    add_ranges(r, &side->ranges, frame, false);
}

static struct access_side *make_side(struct access_relation *r, const struct access *access,
                                     bool is_second)
{
    struct access_side *side = arena_new(&r->arena, struct access_side);

    side->access = access;
    side->ranges.items = arena_array(&r->arena, struct ir_range, count_frames(access->frame) + 1);
    add_ranges(r, &side->ranges, access->frame, is_second);
    if (access->flat && access_is_stable(r, access->flat))
        side->flat = named(r, access->flat, is_second);
    side->indices = arena_array(&r->arena, const struct ir_expr *, access->root->ndim + 1);
    for (unsigned i = 0; access->indices && i < access->root->ndim; i++)
        if (!access->is_indirect || access_is_stable(r, access->indices[i]))
            side->indices[i] = named(r, access->indices[i], is_second);
    return side;
}

static struct access_side *side_of(struct access_relation *r, const struct access *access,
                                   bool is_second)
{
    struct map *known = is_second ? &r->renamed : &r->sides;
    struct access_side *side = map_get(known, access);

    if (!side) {
        side = make_side(r, access, is_second);
        map_set(known, access, side);
    }
    return side;
}

/* ---- questions ---- */

void access_relation_ask(struct access_relation *r, unsigned level, enum access_order order)
{
    if (r->level != level)
        forget_level(r);
    r->level = level;
    r->order = order;
}

/* Notes the loop whose iterations are compared; false if it is not around both. */
static bool set_loop(struct access_relation *r, const struct access *a, const struct access *b,
                     enum access_order order)
{
    const struct access_frame *first = access_loop_at(a->frame, r->level);
    const struct access_frame *second = access_loop_at(b->frame, r->level);

    r->v = r->v2 = NULL;
    if (order == ACCESS_ANY_TIME)
        return true;
    if (!first || !second || first->step != second->step)
        return false;
    r->v = first->var;
    r->v2 = name_of(r, second);
    r->step = first->step;
    return true;
}

static void set_ranges(struct access_relation *r, const struct access_side *a,
                       const struct access_side *b)
{
    r->ranges.count = 0;
    r->twins_in_ranges.count = 0;
    for (size_t i = 0; i < a->ranges.count; i++)
        array_push(&r->ranges, a->ranges.items[i]);
    for (size_t i = 0; i < b->ranges.count; i++)
        array_push(&r->ranges, b->ranges.items[i]);
}

static bool is_private(const struct access_relation *r, const struct access *a)
{
    const struct access_frame *loop = access_loop_at(a->frame, r->level);

    return a->home && loop && access_is_inside(a->home, loop);
}

static const struct ir_expr *as_int64(struct access_relation *r, const struct ir_expr *a)
{
    return ir_expr_cast(r->context, IR_I64, a);
}

/* Do equal indices mean equal places, and places equal indices? */
static bool same_layout(struct access_relation *r, const struct ir_buffer *a,
                        const struct ir_buffer *b)
{
    bool is_same = !a->strides && !b->strides;

    if (a == b)
        return is_same;
    is_same = is_same && a->ndim == b->ndim && !a->elem_offset && !b->elem_offset &&
              ir_dtype_bytes(a->dtype) == ir_dtype_bytes(b->dtype) && r->shift == 0;
    for (unsigned i = 0; is_same && i < a->ndim; i++)
        is_same = ir_prove_equal(r->context, as_int64(r, a->shape[i]), as_int64(r, b->shape[i]));
    return is_same;
}

/* Are they two compact buffers, so that each element is at a known byte? */
static bool has_bytes(const struct ir_buffer *a, const struct ir_buffer *b)
{
    return a != b && !a->strides && !b->strides && !a->elem_offset && !b->elem_offset;
}

struct fixed {
    const struct access_relation *relation;
    const struct access_frame *frame;
};

/* A variable that is the same on both sides. */
static bool is_fixed(void *state, const struct ir_expr *a)
{
    const struct fixed *fixed = state;

    if (a->kind != IR_EXPR_var)
        return true;
    for (const struct access_frame *frame = fixed->frame; frame; frame = frame->parent)
        if (frame->var == a->var)
            return access_is_shared(fixed->relation, frame);
    return true;
}

static bool has_own_guard(const struct access_relation *r, const struct access_frame *frame)
{
    for (; frame; frame = frame->parent)
        if (frame->kind == ACCESS_GUARD && frame->depth > r->level)
            return true;
    return false;
}

/* One element, for whatever iterations: nothing is gained by sets. */
static bool is_one_element(struct access_relation *r, const struct access *a,
                           const struct access *b)
{
    struct fixed fixed = {r, a->frame};
    bool is_same = a->indices && b->indices && !a->is_indirect && !b->is_indirect;

    for (unsigned i = 0; is_same && i < a->root->ndim; i++)
        is_same = ir_expr_equal(a->indices[i], b->indices[i]) &&
                  ir_expr_walk(a->indices[i], is_fixed, &fixed);
    return is_same;
}

/* @a in the first iteration of all loops that are not the same for both sides. */
static const struct ir_expr *at_start(struct access_relation *r, const struct access_frame *frame,
                                      const struct ir_expr *a)
{
    for (; frame; frame = frame->parent) {
        struct ir_binding one = {frame->var, frame->min};
        struct ir_bindings bindings = {&one, 1, 1};

        if (frame->var && frame->min && !access_is_shared(r, frame) &&
            ir_expr_uses_var(a, frame->var))
            a = ir_expr_substitute(r->context, a, &bindings);
    }
    return as_int64(r, a);
}

/* Do all loops begin with the same element? */
static bool meet_at_start(struct access_relation *r, const struct access *a, const struct access *b)
{
    bool is_same = r->order == ACCESS_ANY_TIME && a->indices && b->indices && !a->is_indirect &&
                   !b->is_indirect;

    for (unsigned i = 0; is_same && i < a->root->ndim; i++)
        is_same = ir_prove_equal(r->context, at_start(r, a->frame, a->indices[i]),
                                 at_start(r, b->frame, b->indices[i]));
    return is_same;
}

static bool is_plainly_one(struct access_relation *r, const struct access *a,
                           const struct access *b)
{
    return !has_own_guard(r, a->frame) && !has_own_guard(r, b->frame) &&
           (is_one_element(r, a, b) || meet_at_start(r, a, b));
}

static bool never_runs(struct access_relation *r, const struct access_frame *frame)
{
    int64_t extent;

    for (; frame; frame = frame->parent)
        if (frame->extent && ir_expr_constant(r->context, frame->extent, &extent) && extent < 1)
            return true;
    return false;
}

enum access_answer access_may_meet(struct access_relation *r, const struct access *a,
                                   const struct access *b, unsigned level, enum access_order order)
{
    if (!a->root || !b->root)
        return ACCESS_UNKNOWN;
    struct access_overlap overlap = overlap_of(r, a->root, b->root);
    if (overlap.kind == ACCESS_APART || never_runs(r, a->frame) || never_runs(r, b->frame))
        return ACCESS_NEVER;
    access_relation_ask(r, level, order);
    if (a->kind == ACCESS_EXPOSE || b->kind == ACCESS_EXPOSE || !set_loop(r, a, b, order))
        return ACCESS_UNKNOWN;
    if (order != ACCESS_ANY_TIME && a->root == b->root && is_private(r, a))
        return ACCESS_NEVER;
    r->shift = overlap.shift;
    r->is_in_bytes = !same_layout(r, a->root, b->root);
    if (overlap.kind == ACCESS_ANYWHERE ||
        (r->is_in_bytes ? !has_bytes(a->root, b->root)
                        : !r->is_thorough && is_plainly_one(r, a, b)))
        return ACCESS_UNKNOWN;
    const struct access_side *first = side_of(r, a, false), *second = side_of(r, b, true);
    set_ranges(r, first, second);
    if (r->is_in_bytes ? access_bytes_are_apart(r, first, second)
                       : access_are_apart(r, first, second))
        return ACCESS_NEVER;
    if (r->is_cheap || (r->has_limit && r->questions_left == 0))
        return ACCESS_UNKNOWN;
    r->questions_left -= r->has_limit;
    return access_meet_in_sets(r, first, side_of(r, b, false));
}
