/* Dependence between the iterations of loops: all accesses of one side against all of the other. */
#include "analysis/access/loop.h"

#include "analysis/access/index.h"
#include "base/array.h"
#include "ir/print.h"

enum { ACCESS_LIMIT = 96 }; /* different ones; beyond, pairs are too many to look at */

/* ---- sides ---- */

/* Elements that are touched in the same way again and again: x * x, s = s + x. */
struct place {
    const struct access *first, *write; /* the first access, and the first that writes, or NULL */
};

/* The accesses of a statement, or of the body of the loop that it is. */
struct side {
    const struct access_list *list;
    array(struct place) items; /* of memory */
    bool is_opaque;            /* does something that accesses do not say */
};

static unsigned depth_of(const struct access_frame *frame)
{
    return frame ? frame->depth : 0;
}

/* Does @access, no access of memory, matter outside of the loops inside of the side? */
static bool has_effect(const struct access *access, unsigned depth)
{
    bool is_jump = access->effect == ACCESS_JUMP && access->stmt->kind != TIR_RETURN;

    return !is_jump || depth_of(access->frame) <= depth;
}

static bool same_frames(const struct access_frame *a, const struct access_frame *b)
{
    for (; a && b && a != b; a = a->parent, b = b->parent)
        if (a->kind != ACCESS_GUARD || b->kind != ACCESS_GUARD || !a->condition || !b->condition ||
            a->is_negated != b->is_negated || !ir_expr_equal(a->condition, b->condition))
            return false;
    return a == b;
}

static bool same_place(const struct access *a, const struct access *b)
{
    if (a->root != b->root || !a->indices || !b->indices || !same_frames(a->frame, b->frame))
        return false;
    for (unsigned i = 0; i < a->root->ndim; i++)
        if (!ir_expr_equal(a->indices[i], b->indices[i]))
            return false;
    return true;
}

static void add_access(struct side *side, const struct access *access)
{
    const struct access *write = access->kind == ACCESS_WRITE ? access : NULL;

    for (size_t i = 0; i < side->items.count; i++) {
        struct place *place = &side->items.items[i];

        if (!same_place(place->first, access))
            continue;
        if (!place->write)
            place->write = write;
        return;
    }
    if (side->items.count <= ACCESS_LIMIT)
        array_push(&side->items, ((struct place){access, write}));
}

/* Does @access touch what each iteration of the loop with @depth loops, itself included, has for itself? */
static bool is_private(const struct access *access, unsigned depth)
{
    return depth_of(access->home) >= depth;
}

/*
 * @depth: of loops around what counts; @only: the buffer that is asked about, or NULL; @is_loop: iterations are compared,
 * so what each has for itself is left out.  Attention has dozens of tiles and sums in registers, and few operands.
 */
static void fill_side(struct side *side, const struct access_list *list, unsigned depth,
                      const struct ir_buffer *only, bool is_loop)
{
    *side = (struct side){.list = list};
    for (size_t i = 0; i < list->count; i++) {
        const struct access *access = &list->items[i];

        if (depth_of(access->frame) < depth)
            continue; /* of a bound of the loop, evaluated before it runs */
        if (access->kind == ACCESS_EXPOSE || access->kind == ACCESS_EFFECT)
            side->is_opaque |= access->kind == ACCESS_EXPOSE || has_effect(access, depth);
        else if ((!only || access->root == only) && !(is_loop && is_private(access, depth)))
            add_access(side, access);
    }
}

static bool is_small(const struct side *side)
{
    return side->items.count <= ACCESS_LIMIT;
}

/* ---- questions ---- */

struct question {
    const struct tir_func *func;
    const struct tir_stmt *first, *second;
    enum access_order order; /* of the second's iterations; ACCESS_ANY_TIME: no loop is compared */
    const struct ir_buffer *only;
    const struct access_overlap *overlaps;
    bool is_cheap;                  /* see relation.h */
    bool is_lanes;                  /* statements keep their order */
    struct loop_obstacle *obstacle; /* to be filled in, or NULL */
};

/* ---- what stands against it ---- */

static struct loop_access describe(const struct tir_func *func, const struct access *access)
{
    struct loop_access out = {.stmt = access->stmt,
                              .buffer = access->buffer,
                              .loc = access->loc,
                              .is_write = access->kind == ACCESS_WRITE};
    struct text text = {0};

    if (!access->buffer)
        return out;
    text_puts(&text, access->buffer->name);
    for (unsigned i = 0; access->indices && i < access->root->ndim; i++) {
        text_puts(&text, i ? ", " : "[");
        tir_expr_print(access->indices[i], &text);
    }
    if (access->indices)
        text_putc(&text, ']');
    out.text = atom_intern_text(&func->module->context->atoms, text_string(&text));
    text_finish(&text);
    return out;
}

/* Always false: what is asked does not hold. */
static bool found(const struct question *q, enum loop_obstacle_kind kind, const struct access *x,
                  const struct access *y)
{
    if (q->obstacle)
        *q->obstacle =
            (struct loop_obstacle){.kind = kind,
                                   .first = x ? describe(q->func, x) : (struct loop_access){0},
                                   .second = y ? describe(q->func, y) : (struct loop_access){0}};
    return false;
}

/* The first of @list, below @depth loops, that is no access. */
static const struct access *find_effect(const struct access_list *list, unsigned depth)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct access *access = &list->items[i];

        if (depth_of(access->frame) >= depth &&
            (access->kind == ACCESS_EXPOSE ||
             (access->kind == ACCESS_EFFECT && has_effect(access, depth))))
            return access;
    }
    return NULL;
}

static bool found_side(const struct question *q, const struct side *side, unsigned depth)
{
    const struct access *effect = side->is_opaque ? find_effect(side->list, depth) : NULL;

    return found(q, side->is_opaque ? LOOP_EFFECT : LOOP_ACCESSES, effect, NULL);
}

/* Whoever wants to hear it is told for certain, if that can be known. */
static bool found_pair(const struct question *q, struct access_relation *relation,
                       const struct access *x, const struct access *y, unsigned level,
                       enum access_order order)
{
    enum access_answer answer = ACCESS_UNKNOWN;

    if (q->obstacle) {
        access_relation_be_thorough(relation);
        answer = access_may_meet(relation, x, y, level, order);
    }
    return found(q, answer == ACCESS_SOMETIMES ? LOOP_MEETS : LOOP_MAY_MEET, x, y);
}

/* Does no access of @a touch what one of @b does, if one of them writes? */
static bool are_apart(const struct question *q, struct access_relation *relation,
                      const struct side *a, const struct side *b, unsigned level)
{
    enum access_order order = q->order;
    unsigned depth = level + (order != ACCESS_ANY_TIME);

    if (a->is_opaque || !is_small(a))
        return found_side(q, a, depth);
    if (b->is_opaque || !is_small(b))
        return found_side(q, b, depth);
    /* Two iterations of one loop: who is later does not matter, so each pair is asked about once. */
    bool is_one = q->first == q->second && order == ACCESS_OTHER_TIME;
    for (size_t i = 0; i < a->items.count; i++)
        for (size_t k = is_one ? i : 0; k < b->items.count; k++) {
            const struct place *p = &a->items.items[i], *r = &b->items.items[k];
            const struct access *x = r->write ? p->first : p->write;
            const struct access *y = r->write ? r->write : r->first;

            if (x && access_may_meet(relation, x, y, level, order) != ACCESS_NEVER)
                return found_pair(q, relation, x, y, level, order);
        }
    return true;
}

/* In which iterations @y, not in front of @x in the text, may not touch what @x does. */
static enum access_order lanes_order(const struct access *x, const struct access *y, unsigned level)
{
    return x != y && access_common_loops(x, y) == level + 1 ? ACCESS_EARLIER : ACCESS_OTHER_TIME;
}

/* Is it in front of the loop, or does nothing to memory that iterations have in common? */
static bool is_left_out(const struct access *access, unsigned level)
{
    return depth_of(access->frame) <= level || access->kind == ACCESS_EFFECT ||
           is_private(access, level + 1);
}

/* Does no access touch what one further up in the text does in a later iteration, if one of them
 * writes? */
static bool is_in_order(const struct question *q, struct access_relation *relation,
                        const struct access_list *list, unsigned level)
{
    struct side all;

    fill_side(&all, list, level + 1, NULL, true);
    bool is_fine = (!all.is_opaque && is_small(&all)) || found_side(q, &all, level + 1);
    array_finish(&all.items);
    for (size_t i = 0; i < list->count && is_fine; i++)
        for (size_t k = i; k < list->count && is_fine; k++) {
            const struct access *x = &list->items[i], *y = &list->items[k];

            if (is_left_out(x, level) || is_left_out(y, level) ||
                (x->kind != ACCESS_WRITE && y->kind != ACCESS_WRITE))
                continue;
            enum access_order order = lanes_order(x, y, level);
            is_fine = access_may_meet(relation, x, y, level, order) == ACCESS_NEVER ||
                      found_pair(q, relation, x, y, level, order);
        }
    return is_fine;
}

static bool ask(const struct question *q)
{
    struct access_cache cache = {0};
    /* Of statements that are not in the kernel, less is known: their surroundings count as fixed.
     */
    const struct access_list *first = access_of_stmt(&cache, q->func, q->first, q->first);
    const struct access_list *second =
        q->first == q->second ? first : access_of_stmt(&cache, q->func, q->first, q->second);
    struct access_relation *relation = access_relation_new(&cache, first, second, q->overlaps);
    if (q->is_cheap)
        access_relation_be_cheap(relation);
    unsigned level = depth_of(first->outer);
    bool is_loop = q->order != ACCESS_ANY_TIME;
    unsigned depth = level + is_loop;
    struct side a, b;

    fill_side(&a, first, depth, q->only, is_loop);
    fill_side(&b, second, depth, q->only, is_loop);
    bool result = q->is_lanes ? is_in_order(q, relation, first, level)
                              : are_apart(q, relation, &a, &b, level);
    array_finish(&a.items);
    array_finish(&b.items);
    access_relation_free(relation);
    access_cache_finish(&cache);
    return result;
}

/* Bounds that are evaluated once, and no threads of a GPU. */
static bool is_plain_loop(const struct tir_stmt *loop)
{
    return loop->kind == TIR_FOR && loop->loop.kind != TIR_THREAD_BINDING &&
           index_is_fixed(loop->loop.min) && index_is_fixed(loop->loop.extent) &&
           (!loop->loop.step || index_is_fixed(loop->loop.step));
}

static bool runs_once(struct ir_context *context, const struct tir_stmt *loop)
{
    return ir_interval_of(context, NULL, loop->loop.extent).high <= 1;
}

/* Of @loop with itself. */
static struct question between_iterations(const struct tir_func *func, const struct tir_stmt *loop)
{
    return (struct question){
        .func = func, .first = loop, .second = loop, .order = ACCESS_OTHER_TIME};
}

/* LOOP_BOUNDS where it is no plain loop. */
static bool is_plain_or(const struct question *q)
{
    return is_plain_loop(q->first) || found(q, LOOP_BOUNDS, NULL, NULL);
}

bool loop_is_independent_or(const struct tir_func *func, const struct tir_stmt *loop,
                            const struct access_overlap *overlaps, struct loop_obstacle *out)
{
    struct question question = between_iterations(func, loop);

    question.overlaps = overlaps;
    question.obstacle = out;
    return is_plain_or(&question) && (runs_once(func->module->context, loop) || ask(&question));
}

bool loop_is_independent(const struct tir_func *func, const struct tir_stmt *loop,
                         const struct access_overlap *overlaps)
{
    return loop_is_independent_or(func, loop, overlaps, NULL);
}

bool loop_has_lanes_or(const struct tir_func *func, const struct tir_stmt *loop,
                       const struct access_overlap *overlaps, struct loop_obstacle *out)
{
    struct question question = between_iterations(func, loop);

    question.overlaps = overlaps;
    question.is_lanes = true;
    question.obstacle = out;
    return is_plain_or(&question) && ask(&question);
}

bool loop_has_lanes(const struct tir_func *func, const struct tir_stmt *loop,
                    const struct access_overlap *overlaps)
{
    return loop_has_lanes_or(func, loop, overlaps, NULL);
}

bool loop_has_private(const struct tir_func *func, const struct tir_stmt *loop,
                      const struct ir_buffer *buffer)
{
    struct question question = between_iterations(func, loop);

    question.only = buffer;
    return is_plain_loop(loop) && ask(&question);
}

bool loop_have_same_range(struct ir_context *context, const struct tir_stmt *a,
                          const struct tir_stmt *b)
{
    if (!ir_dtype_equal(a->loop.var->dtype, b->loop.var->dtype) || !a->loop.step != !b->loop.step)
        return false;
    return ir_prove_equal(context, a->loop.min, b->loop.min) &&
           ir_prove_equal(context, a->loop.extent, b->loop.extent) &&
           (!a->loop.step || ir_prove_equal(context, a->loop.step, b->loop.step));
}

static bool can_fuse(const struct tir_func *func, const struct tir_stmt *first,
                     const struct tir_stmt *second, enum access_order order)
{
    struct question question = {.func = func, .first = first, .second = second, .order = order};

    return is_plain_loop(first) && is_plain_loop(second) &&
           loop_have_same_range(func->module->context, first, second) && ask(&question);
}

bool loop_can_fuse(const struct tir_func *func, const struct tir_stmt *first,
                   const struct tir_stmt *second)
{
    return can_fuse(func, first, second, ACCESS_EARLIER);
}

bool loop_can_fuse_independently(const struct tir_func *func, const struct tir_stmt *first,
                                 const struct tir_stmt *second)
{
    return can_fuse(func, first, second, ACCESS_OTHER_TIME);
}

bool loop_has_few_accesses(const struct tir_func *func, const struct tir_stmt *loop)
{
    struct access_cache cache = {0};
    const struct access_list *list = access_of_stmt(&cache, func, loop, loop);
    struct side side;

    fill_side(&side, list, depth_of(list->outer) + 1, NULL, true);
    bool result = is_small(&side);
    array_finish(&side.items);
    access_cache_finish(&cache);
    return result;
}

bool loop_can_swap(const struct tir_func *func, const struct tir_stmt *first,
                   const struct tir_stmt *second)
{
    struct question question = {
        .func = func, .first = first, .second = second, .order = ACCESS_ANY_TIME, .is_cheap = true};

    return ask(&question);
}
