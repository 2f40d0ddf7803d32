/* Two accesses as a formula: is there an element, and are there iterations, in which they meet? */
#include "analysis/access/presburger_internal.h"

/* 0 <= index < extent: who is outside ends the run. */
static void add_bounds(struct access_pair *pair, unsigned side, unsigned dim,
                       const struct linear *index)
{
    struct presburger *p = &pair->formulas;
    struct linear zero = linear_constant(0), extent;

    presburger_add(p, presburger_compare(p, IR_EXPR_ge, index, &zero));
    if (presburger_value(p, &pair->sides[side], pair->sides[side].access->root->shape[dim],
                         &extent))
        presburger_add(p, presburger_compare(p, IR_EXPR_lt, index, &extent));
}

static bool index_of(struct access_pair *pair, unsigned side, unsigned dim, struct linear *out)
{
    const struct access *access = pair->sides[side].access;
    bool is_known = access->indices && presburger_value(&pair->formulas, &pair->sides[side],
                                                        access->indices[dim], out);

    if (is_known)
        add_bounds(pair, side, dim, out);
    return is_known;
}

/* The number of the element, where the extents of the root are numbers. */
static bool flat_of(struct access_pair *pair, unsigned side, struct linear *out)
{
    struct presburger *p = &pair->formulas;
    const struct access *access = pair->sides[side].access;
    const struct ir_buffer *root = access->root;

    if (access->flat)
        return presburger_value(p, &pair->sides[side], access->flat, out);
    if (root->elem_offset)
        return false;
    *out = linear_constant(0);
    for (unsigned i = 0; i < root->ndim; i++) {
        int64_t extent;
        struct linear index;

        if (!index_of(pair, side, i, &index) ||
            (i > 0 && (!ir_expr_constant(p->relation->context, root->shape[i], &extent) ||
                       !linear_scale(&p->arena, out, extent, out))) ||
            !linear_add(&p->arena, out, &index, 1, out))
            return false;
    }
    return true;
}

static void add_equal(struct access_pair *pair, bool is_known, const struct linear *a,
                      const struct linear *b)
{
    struct presburger *p = &pair->formulas;

    p->is_exact &= is_known;
    if (is_known)
        presburger_add(p, presburger_compare(p, IR_EXPR_eq, a, b));
}

/* The first byte of the element of @side; *@out_end: the first behind it. */
static bool bytes_of(struct access_pair *pair, unsigned side, struct linear *out,
                     struct linear *out_end)
{
    struct presburger *p = &pair->formulas;
    const struct ir_buffer *root = pair->sides[side].access->root;
    int64_t size = ir_dtype_bytes(root->dtype);
    struct linear bytes = linear_constant(size);

    if (!flat_of(pair, side, out) || !linear_scale(&p->arena, out, size, out) ||
        (side == 1 && __builtin_add_overflow(out->constant, p->relation->shift, &out->constant)))
        return false;
    return linear_add(&p->arena, out, &bytes, 1, out_end);
}

/* They touch one byte. */
static void add_meeting_of_bytes(struct access_pair *pair)
{
    struct presburger *p = &pair->formulas;
    struct linear first, second, first_end, second_end;

    if (bytes_of(pair, 0, &first, &first_end) && bytes_of(pair, 1, &second, &second_end)) {
        presburger_add(p, presburger_compare(p, IR_EXPR_lt, &first, &second_end));
        presburger_add(p, presburger_compare(p, IR_EXPR_lt, &second, &first_end));
    } else {
        p->is_exact = false;
    }
}

/* They touch one element. */
static void add_meeting(struct access_pair *pair)
{
    const struct access *first = pair->sides[0].access, *second = pair->sides[1].access;
    struct linear a, b;

    if (pair->formulas.relation->is_in_bytes) {
        add_meeting_of_bytes(pair);
        return;
    }
    if (first->flat || second->flat) {
        bool is_known = flat_of(pair, 0, &a);

        add_equal(pair, flat_of(pair, 1, &b) && is_known, &a, &b);
        return;
    }
    for (unsigned i = 0; i < first->root->ndim; i++) {
        bool is_known = index_of(pair, 0, i, &a);

        add_equal(pair, index_of(pair, 1, i, &b) && is_known, &a, &b);
    }
}

static bool loop_value(struct access_pair *pair, unsigned side, struct linear *out)
{
    const struct access_relation *r = pair->formulas.relation;
    const struct access_frame *loop = access_loop_at(pair->sides[side].access->frame, r->level);

    return presburger_value(&pair->formulas, &pair->sides[side], ir_expr_var(r->context, loop->var),
                            out);
}

/* The iterations of the loop that is asked about are as the question says. */
static void add_order(struct access_pair *pair)
{
    struct presburger *p = &pair->formulas;
    enum access_order order = p->relation->order;
    enum ir_expr_kind kind = order == ACCESS_LATER     ? IR_EXPR_lt
                             : order == ACCESS_EARLIER ? IR_EXPR_gt
                                                       : IR_EXPR_ne;
    struct linear a, b;

    if (order == ACCESS_ANY_TIME)
        return;
    if (loop_value(pair, 0, &a) && loop_value(pair, 1, &b))
        presburger_add(p, presburger_compare(p, kind, &a, &b));
    else
        p->is_exact = false;
}

void access_pair_add(struct access_pair *pair)
{
    presburger_add_frames(&pair->formulas, &pair->sides[0]);
    presburger_add_frames(&pair->formulas, &pair->sides[1]);
    add_meeting(pair);
    add_order(pair);
}

enum access_answer access_meet_in_sets(struct access_relation *r, const struct access_side *a,
                                       const struct access_side *b)
{
    struct access_pair pair = {.sides = {*a, *b}};

    presburger_start(&pair.formulas, r);
    access_pair_add(&pair);
    presburger_add_facts(&pair.formulas);
    enum presburger_result result = presburger_solve(&pair.formulas, NULL);
    bool is_exact = pair.formulas.is_exact && !r->has_jumps;
    presburger_finish(&pair.formulas);
    if (result == PRESBURGER_EMPTY)
        return ACCESS_NEVER;
    return result == PRESBURGER_SOLUTION && is_exact ? ACCESS_SOMETIMES : ACCESS_UNKNOWN;
}
