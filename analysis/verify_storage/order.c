/*
 * Is an element loaded before it is stored to?
 *
 * Both indices, of the load in one iteration and of the store in another, are set equal.  What
 * must then hold of the loops that are around both is found by bounds: in  a * u + rest = 0  u
 * cannot be 1 or more if a + rest is always positive.  If no iteration fits, or only later ones of
 * the store, or the same one with the store further down in the text, the load comes first.
 */
#include "analysis/verify_storage/kernel.h"

#include <string.h>

/* ---- the two accesses ---- */

/* A loop around both, or a quotient or remainder of such: of the load minus of the store. */
struct unknown {
    unsigned atom;
    const struct vs_poly *range; /* it is at most that, and at least minus that; NULL: not known */
    bool is_low, is_high;        /* proved: >= 0, <= 0 */
    bool is_unfolded;            /* of a quotient: what follows from it is an equation */
};

struct term {
    unsigned unknown;
    const struct vs_poly *factor; /* without loops */
};

/* sum of factor * unknown + something between low and high = 0 */
struct equation {
    struct term *terms;
    unsigned count;
    const struct vs_poly *low, *high; /* NULL: not known */
};

struct proof {
    struct vs_polys *p;
    /* load and store are so many bytes long where they are compared by bytes, else 1 */
    int64_t load_size, store_size;
    struct vs_access *load, *store;
    array(struct unknown) unknowns;
    array(struct equation) equations;
    unsigned common; /* how many loops are around both */
    bool is_apart;   /* proved: never the same element */
};

static bool is_zero(const struct unknown *u)
{
    return u->is_low && u->is_high;
}

static const struct vs_poly *negative(struct vs_polys *p, const struct vs_poly *a)
{
    return vs_poly_add(p, vs_poly_number(p, 0), a, -1);
}

static const struct vs_around *skip_to_loop(const struct vs_around *around)
{
    while (around && around->kind != VS_LOOP)
        around = around->outer;
    return around;
}

static const struct vs_around *loop_at(const struct vs_around *around, unsigned depth)
{
    around = skip_to_loop(around);
    while (around && around->depth > depth)
        around = skip_to_loop(around->outer);
    return around;
}

static void count_common(struct proof *proof)
{
    for (unsigned depth = 1;; depth++) {
        const struct vs_around *a = loop_at(proof->load->around, depth);
        const struct vs_around *b = loop_at(proof->store->around, depth);

        if (!a || !b || a->depth != depth || b->depth != depth || a->stmt != b->stmt)
            return;
        proof->common = depth;
    }
}

/* Is all that moves in @a a loop around both accesses? */
static bool is_common(const struct proof *proof, unsigned index)
{
    const struct vs_poly_atom *atom = &proof->p->atoms.items[index];

    if (atom->is_fixed)
        return true;
    if (atom->kind == POLY_LANE)
        return false;
    if (atom->kind == POLY_LOOP) {
        for (unsigned depth = 1; depth <= proof->common; depth++)
            if (loop_at(proof->load->around, depth)->stmt == atom->loop)
                return true;
        return false;
    }
    for (unsigned i = 0; i < atom->inner->count; i++)
        for (unsigned k = 0; k < atom->inner->terms[i].degree; k++)
            if (!is_common(proof, atom->inner->terms[i].atoms[k]))
                return false;
    return true;
}

static const struct vs_poly *range_of(struct vs_polys *p, const struct vs_poly *atom)
{
    const struct vs_poly *low = vs_poly_bound(p, atom, false), *high = vs_poly_bound(p, atom, true);

    return low && high ? vs_poly_add(p, high, low, -1) : NULL;
}

static unsigned unknown_of(struct proof *proof, unsigned atom)
{
    for (unsigned i = 0; i < proof->unknowns.count; i++)
        if (proof->unknowns.items[i].atom == atom)
            return i;
    struct unknown unknown = {.atom = atom,
                              .range = range_of(proof->p, vs_poly_of(proof->p, atom))};

    array_push(&proof->unknowns, unknown);
    return (unsigned)proof->unknowns.count - 1;
}

/*
 * The first atom of @a that moves and that both accesses have; the count of atoms if there is
 * none.
 */
static unsigned find_common(const struct proof *proof, const struct vs_poly *a)
{
    for (unsigned i = 0; i < a->count; i++)
        for (unsigned k = 0; k < a->terms[i].degree; k++) {
            unsigned atom = a->terms[i].atoms[k];

            if (!proof->p->atoms.items[atom].is_fixed && is_common(proof, atom))
                return atom;
        }
    return (unsigned)proof->p->atoms.count;
}

/*
 * @load = @store as an equation of unknowns: where both have an atom, a * l and b * s, that is
 * (a - b) * l + b * (l - s), or (a - b) * s + a * (l - s) @by_store, and the difference is what
 * matters; everything else counts only by its bounds.  True if it is another one by the store.
 */
static bool add_equation_of(struct proof *proof, const struct vs_poly *load,
                            const struct vs_poly *store, bool by_store)
{
    struct vs_polys *p = proof->p;
    const struct vs_poly *load_rest = vs_poly_number(p, 0), *store_rest = load_rest;
    array(struct term) terms = {0};
    bool is_mixed = false;

    while (load && store) {
        unsigned atom = find_common(proof, load);
        const struct vs_poly *a, *b, *left, *other;

        if (atom == p->atoms.count)
            break;
        if (!vs_poly_split(p, load, atom, &a, &left) ||
            !vs_poly_split(p, store, atom, &b, &other)) {
            load = NULL;
            break;
        }
        if (vs_poly_is_fixed(p, a) && vs_poly_is_fixed(p, b) && b->count) {
            struct term term = {unknown_of(proof, atom), by_store ? a : b};
            const struct vs_poly *more =
                vs_poly_multiply(p, vs_poly_add(p, a, b, -1), vs_poly_of(p, atom));

            array_push(&terms, term);
            if (by_store)
                store_rest = vs_poly_add(p, store_rest, more, -1);
            else
                load_rest = vs_poly_add(p, load_rest, more, 1);
            is_mixed |= more && more->count;
            store = other;
        } else {
            load_rest = vs_poly_add(p, load_rest, vs_poly_add(p, load, left, -1), 1);
        }
        load = left;
    }
    load = vs_poly_add(p, load_rest, load, 1);
    store = vs_poly_add(p, store_rest, store, 1);
    const struct vs_poly *load_low = load ? vs_poly_bound(p, load, false) : NULL;
    const struct vs_poly *load_high = load ? vs_poly_bound(p, load, true) : NULL;
    const struct vs_poly *store_low = store ? vs_poly_bound(p, store, false) : NULL;
    const struct vs_poly *store_high = store ? vs_poly_bound(p, store, true) : NULL;
    /* from the last byte of the load that meets the first of the store to the other way round */
    const struct vs_poly *least = vs_poly_number(p, 1 - proof->store_size);
    const struct vs_poly *most = vs_poly_number(p, proof->load_size - 1);
    struct equation equation = {
        .count = (unsigned)terms.count,
        .terms = arena_array(&p->arena, struct term, terms.count + 1),
        .low = load_low && store_high ? vs_poly_add(p, load_low, store_high, -1) : NULL,
        .high = load_high && store_low ? vs_poly_add(p, load_high, store_low, -1) : NULL};

    equation.low = vs_poly_add(p, equation.low, least, 1);
    equation.high = vs_poly_add(p, equation.high, most, 1);
    if (terms.count)
        memcpy(equation.terms, terms.items, terms.count * sizeof(*terms.items));
    array_finish(&terms);
    if (equation.low || equation.high)
        array_push(&proof->equations, equation);
    return is_mixed;
}

static void add_equation(struct proof *proof, const struct vs_poly *load,
                         const struct vs_poly *store)
{
    if (add_equation_of(proof, load, store, false))
        add_equation_of(proof, load, store, true);
}

/* ---- what follows ---- */

static bool is_rising(const struct vs_polys *p, const struct vs_poly *factor)
{
    return vs_poly_is_least(p, factor, 1);
}

/* The least (or largest) value of @term: what is proved of its unknown counts. */
static const struct vs_poly *term_bound(const struct proof *proof, const struct term *term,
                                        bool is_high)
{
    struct vs_polys *p = proof->p;
    const struct unknown *u = &proof->unknowns.items[term->unknown];
    bool is_up = is_rising(p, term->factor);

    if (!is_up && !is_rising(p, negative(p, term->factor)))
        return NULL;
    /* the end of the unknown that is asked for: its upper one if both or neither turn it round */
    bool is_upper = is_up == is_high;

    if (is_upper ? u->is_high : u->is_low)
        return vs_poly_number(p, 0);
    if (!u->range)
        return NULL;
    return vs_poly_multiply(p, term->factor, is_upper ? u->range : negative(p, u->range));
}

/* The bound of all of @equation but term @except (its count: of all). */
static const struct vs_poly *rest_bound(const struct proof *proof, const struct equation *equation,
                                        unsigned except, bool is_high)
{
    const struct vs_poly *sum = is_high ? equation->high : equation->low;

    for (unsigned i = 0; i < equation->count && sum; i++)
        if (i != except)
            sum = vs_poly_add(proof->p, sum, term_bound(proof, &equation->terms[i], is_high), 1);
    return sum;
}

static bool is_positive(const struct vs_polys *p, const struct vs_poly *a)
{
    return a && vs_poly_is_least(p, a, 1);
}

/* Learns of the unknown of term @at; true if that is new. */
static bool learn(struct proof *proof, const struct equation *equation, unsigned at)
{
    struct vs_polys *p = proof->p;
    struct unknown *u = &proof->unknowns.items[equation->terms[at].unknown];
    const struct vs_poly *factor = equation->terms[at].factor;
    bool was_low = u->is_low, was_high = u->is_high, is_up = is_rising(p, factor);

    if (!is_up && !is_rising(p, negative(p, factor)))
        return false;
    const struct vs_poly *low = rest_bound(proof, equation, at, false);
    const struct vs_poly *high = rest_bound(proof, equation, at, true);
    /* factor * u >= 1 * factor is too much, factor * u <= -factor too little */
    const struct vs_poly *step = is_up ? factor : negative(p, factor);
    bool not_above = low && is_positive(p, vs_poly_add(p, low, step, 1));
    bool not_below = high && is_positive(p, vs_poly_add(p, step, high, -1));

    u->is_high |= is_up ? not_above : not_below;
    u->is_low |= is_up ? not_below : not_above;
    return u->is_low != was_low || u->is_high != was_high;
}

static bool is_impossible(const struct proof *proof, const struct equation *equation)
{
    const struct vs_poly *low = rest_bound(proof, equation, equation->count, false);
    const struct vs_poly *high = rest_bound(proof, equation, equation->count, true);

    return is_positive(proof->p, low) || (high && is_positive(proof->p, negative(proof->p, high)));
}

static const struct vs_poly_atom *atom_of(const struct proof *proof, const struct unknown *u)
{
    return &proof->p->atoms.items[u->atom];
}

/* Is the remainder that belongs to the quotient @q proved to be the same, too? */
static bool has_remainder(const struct proof *proof, const struct vs_poly_atom *q)
{
    for (size_t i = 0; i < proof->unknowns.count; i++) {
        const struct vs_poly_atom *r = atom_of(proof, &proof->unknowns.items[i]);

        if (r->kind == POLY_REMAINDER && r->divisor == q->divisor &&
            vs_poly_equal(r->inner, q->inner))
            return is_zero(&proof->unknowns.items[i]);
    }
    return false;
}

/* A quotient and a remainder that are the same say that what they are of is. */
static bool unfold(struct proof *proof)
{
    bool is_new = false;

    for (size_t i = 0; i < proof->unknowns.count; i++) {
        struct unknown *u = &proof->unknowns.items[i];
        const struct vs_poly_atom *q = atom_of(proof, u);

        if (q->kind != POLY_QUOTIENT || u->is_unfolded || !is_zero(u) || !has_remainder(proof, q))
            continue;
        u->is_unfolded = is_new = true;
        add_equation(proof, q->inner, q->inner);
    }
    return is_new;
}

static void conclude(struct proof *proof)
{
    bool is_new = true;

    while (is_new && !proof->is_apart) {
        is_new = false;
        for (size_t i = 0; i < proof->equations.count; i++) {
            struct equation equation = proof->equations.items[i];

            proof->is_apart |= is_impossible(proof, &equation);
            for (unsigned at = 0; at < equation.count; at++)
                is_new |= learn(proof, &equation, at);
        }
        is_new |= unfold(proof);
    }
}

/* ---- the order ---- */

static struct unknown *unknown_of_loop(struct proof *proof, const struct vs_around *loop)
{
    for (size_t i = 0; i < proof->unknowns.count; i++) {
        const struct vs_poly_atom *atom = atom_of(proof, &proof->unknowns.items[i]);

        if (atom->kind == POLY_LOOP && atom->loop == loop->stmt)
            return &proof->unknowns.items[i];
    }
    return NULL;
}

static bool is_first(const struct vs_access *access, const struct vs_around *loop)
{
    for (const struct vs_first *f = access->first; f; f = f->next)
        if (f->var == loop->var)
            return true;
    return false;
}

/* How many iterations come after the first, -1: none runs; false if that is no number. */
static bool rest_of(struct vs_polys *p, const struct vs_around *loop, int64_t *out)
{
    const struct vs_poly *rest =
        loop->low && loop->high ? vs_poly_add(p, loop->high, loop->low, -1) : NULL;

    return rest && vs_poly_is_number(rest, out);
}

static bool runs_once(const struct proof *proof, const struct vs_around *loop)
{
    int64_t rest;

    return rest_of(proof->p, loop, &rest) && rest == 0;
}

static bool never_runs(struct vs_polys *p, const struct vs_access *access)
{
    int64_t rest;

    for (const struct vs_around *a = skip_to_loop(access->around); a; a = skip_to_loop(a->outer))
        if (rest_of(p, a, &rest) && rest < 0)
            return true;
    return false;
}

bool vs_is_serial(const struct tir_stmt *loop)
{
    return loop->kind == TIR_WHILE || (loop->kind == TIR_FOR && (loop->loop.kind == TIR_SERIAL ||
                                                                 loop->loop.kind == TIR_UNROLLED));
}

bool vs_is_in_order(const struct tir_stmt *loop, bool is_last)
{
    return vs_is_serial(loop) ||
           (is_last && loop->kind == TIR_FOR && loop->loop.kind == TIR_VECTORIZED);
}

/*
 * From the outermost loop around both: an earlier iteration of the load settles it, if they have an
 * order, a later one would be wrong, the same one leaves it to the loops inside, and at last to the
 * text.
 */
static bool is_ordered(struct proof *proof)
{
    bool is_in_text = proof->load->order <= proof->store->order;

    for (unsigned depth = 1; depth <= proof->common && !proof->is_apart; depth++) {
        const struct vs_around *loop = loop_at(proof->load->around, depth);
        struct unknown *u = loop->var ? unknown_of_loop(proof, loop) : NULL;
        bool is_same = (u && is_zero(u)) || (loop->var && runs_once(proof, loop));
        bool is_earlier = (u && u->is_high) || (loop->var && is_first(proof->load, loop));

        if (is_same)
            continue;
        if (!is_earlier || !vs_is_in_order(loop->stmt, depth == proof->common && is_in_text))
            return false;
        if (!u)
            continue;
        /* the case that is left is that it is the same iteration */
        u->is_low = u->is_high = true;
        conclude(proof);
    }
    return proof->is_apart || is_in_text;
}

/* ---- which equations ---- */

static bool has_layout(const struct ir_buffer *buffer)
{
    return buffer->strides || buffer->elem_offset;
}

/* Are indices of both buffers of the same element the same? */
static bool has_same_places(struct vs_polys *p, const struct ir_buffer *a,
                            const struct ir_buffer *b)
{
    if (a->ndim != b->ndim || ir_dtype_bytes(a->dtype) != ir_dtype_bytes(b->dtype))
        return false;
    for (unsigned i = 1; i < a->ndim; i++) {
        const struct vs_poly *x = vs_index(p, NULL, a->shape[i]);
        const struct vs_poly *y = vs_index(p, NULL, b->shape[i]);

        if (!x || !y || !vs_poly_equal(x, y))
            return false;
    }
    return true;
}

/* Worked out once. */
static const struct vs_poly *index_of(struct vs_polys *p, struct vs_access *access, unsigned i)
{
    if (!access->polys) {
        access->polys = arena_array(&p->arena, const struct vs_poly *, access->index_count + 1);
        for (unsigned k = 0; k < access->index_count; k++)
            access->polys[k] = vs_index(p, access->around, access->indices[k]);
    }
    return access->polys[i];
}

/* The number of the element in a compact buffer. */
static const struct vs_poly *flat_index(struct vs_polys *p, struct vs_access *access)
{
    const struct vs_poly *sum = vs_poly_number(p, 0);

    for (unsigned i = 0; i < access->index_count && sum; i++) {
        sum = vs_poly_multiply(p, sum, vs_index(p, NULL, access->buffer->shape[i]));
        sum = vs_poly_add(p, sum, index_of(p, access, i), 1);
    }
    return sum;
}

static void add_equations(struct proof *proof, int64_t distance)
{
    struct vs_polys *p = proof->p;
    struct vs_access *load = proof->load, *store = proof->store;

    if (distance == 0 && has_same_places(p, load->buffer, store->buffer)) {
        for (unsigned i = 0; i < load->index_count; i++)
            add_equation(proof, index_of(p, load, i), index_of(p, store, i));
        return;
    }
    int64_t size = ir_dtype_bytes(load->buffer->dtype);
    const struct vs_poly *from = flat_index(p, load), *to = flat_index(p, store);

    if (size == ir_dtype_bytes(store->buffer->dtype) && size && distance % size == 0) {
        add_equation(proof, vs_poly_add(p, from, vs_poly_number(p, distance / size), 1), to);
        return;
    }
    proof->load_size = size;
    proof->store_size = ir_dtype_bytes(store->buffer->dtype);
    from = vs_poly_multiply(p, from, vs_poly_number(p, proof->load_size));
    to = vs_poly_multiply(p, to, vs_poly_number(p, proof->store_size));
    add_equation(proof, vs_poly_add(p, from, vs_poly_number(p, distance), 1), to);
}

bool vs_is_before(struct vs_kernel *kernel, struct vs_access *load, struct vs_access *store,
                  int64_t distance)
{
    struct proof proof = {
        .p = &kernel->polys, .load = load, .store = store, .load_size = 1, .store_size = 1};

    count_common(&proof);
    if (never_runs(proof.p, load) || never_runs(proof.p, store) ||
        (proof.common == 0 && load->order <= store->order))
        return true;
    if (has_layout(load->buffer) || has_layout(store->buffer) ||
        load->index_count != load->buffer->ndim || store->index_count != store->buffer->ndim)
        return false;
    add_equations(&proof, distance);
    conclude(&proof);
    bool is_before = is_ordered(&proof) || vs_never_sees(kernel, load, store, distance);
    array_finish(&proof.unknowns);
    array_finish(&proof.equations);
    return is_before;
}
