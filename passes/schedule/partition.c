/*
 * Reductions that are all of a nest, in parts that threads can share.
 *
 *     for k0, k1 in T.grid(1024, 1000):              for c in range(61):
 *         s = s + x[k0, k1]                 ==>          part[c] = 0
 *                                                        for i, k1 in T.grid(min(17, 1024 - c * 17), 1000):
 *                                                            part[c] = part[c] + x[c * 17 + i, k1]
 *                                                    for c in range(61): s = s + part[c]
 *
 *     for k, j in T.grid(1024, 1000):                for jo in range(4): for k in range(1024):
 *         s[j] = s[j] + x[k, j]             ==>          for ji in range(min(256, 1000 - jo * 256)):
 *                                                            s[j] = s[j] + x[k, j]      where j is jo * 256 + ji
 *
 * The parts depend on the extents alone, and are added in their order: the same bits for any number of
 * threads.  Column sums keep the order of each sum.  Loops inside other loops are left alone: those
 * around them are what threads share.
 */
#include "analysis/access/index.h"
#include "analysis/access/loop.h"
#include "passes/schedule/schedule.h"

enum {
    PART = 16384,        /* elements of a part, as many as a thread takes of an elementwise loop */
    COLUMNS = 256,       /* columns of a part, of four bytes or more */
    LEAST_WORK = 200000, /* additions; less is done before a second thread wakes up */
};

/* Loops of known extents around one store that reduces. */
struct nest {
    struct tir_stmt *outer, *inner;
    struct reduction reduction;
    double inside; /* iterations for one of the outermost loop */
};

static bool read_nest(struct schedule *s, struct tir_stmt *stmt, struct nest *out)
{
    int64_t extent;

    *out = (struct nest){.outer = stmt, .inner = stmt, .inside = 1};
    for (;; out->inner = out->inner->loop.body) {
        if (!sch_is_plain_loop(out->inner) || !sch_constant(s, out->inner->loop.extent, &extent) ||
            extent < 1)
            return false;
        if (out->inner != stmt)
            out->inside *= (double)extent;
        if (out->inner->loop.body->kind != TIR_FOR)
            break;
    }
    struct tir_stmt *store = out->inner->loop.body;
    if (store->kind != TIR_STORE || store->store.predicate ||
        store->store.value->dtype.lanes != 1 || !sch_is_pure(store->store.value) ||
        !sch_read_reduction(store, &out->reduction))
        return false;
    for (unsigned i = 0; i < store->store.index_count; i++)
        if (!sch_is_fixed(store->store.indices[i]))
            return false;
    return sch_work(s, stmt) >= (double)LEAST_WORK;
}

static bool moves(const struct tir_stmt *store, const struct tir_stmt *loop)
{
    for (unsigned i = 0; i < store->store.index_count; i++)
        if (ir_expr_uses_var(store->store.indices[i], loop->loop.var))
            return true;
    return false;
}

/* A loop over @extent cut into pieces of @size. */
struct cut {
    const struct ir_var *outer, *inner;
    const struct ir_expr *count, *length, *index; /* pieces, iterations of one, the old variable */
};

static struct cut cut(struct schedule *s, const struct tir_stmt *loop, int64_t size,
                      const char *name)
{
    struct ir_dtype dtype = loop->loop.var->dtype;
    struct cut c = {.outer = sch_var(s, name, dtype), .inner = sch_var(s, "i", dtype)};
    const struct ir_expr *extent = loop->loop.extent;
    const struct ir_expr *start =
        ir_expr_binary(s->context, IR_EXPR_mul, sch_use(s, c.outer), sch_int(s, dtype, size));

    c.count = sch_ceil_div(s, extent, size);
    c.length = sch_int(s, dtype, size);
    c.index = ir_expr_binary(s->context, IR_EXPR_add, start, sch_use(s, c.inner));
    if (!ir_prove_equal(s->context, sch_mul(s, c.count, size), extent))
        c.length = sch_min(s, c.length, sch_sub(s, extent, start));
    return c;
}

static bool cut_sum(struct schedule *s, struct tir_stmt **slot, struct nest *nest)
{
    const struct tir_stmt *loop = nest->outer;
    struct reduction r = nest->reduction;
    struct tir_stmt *store = r.store;
    int64_t extent, parts, rows = 1;

    for (const struct tir_stmt *at = loop; at->kind == TIR_FOR; at = at->loop.body)
        if (moves(store, at))
            return false;
    if (nest->inside < (double)PART)
        rows = (PART + (int64_t)nest->inside - 1) / (int64_t)nest->inside;
    if (!sch_constant(s, loop->loop.extent, &extent) || extent < 2 * rows)
        return false;
    struct cut c = cut(s, loop, rows, "c");
    if (!sch_constant(s, c.count, &parts))
        return false;
    struct ir_buffer *part = sch_buffer(s, "part", store->store.buffer->dtype, "global", &parts, 1);
    const struct ir_expr *place = sch_use(s, c.outer);

    nest->inner->loop.body =
        sch_reduce_to(s, &r, part, place, loop->loop.var, sch_use(s, loop->loop.var));
    struct tir_stmt *body = sch_copy(s, loop->loop.body, loop->loop.var, c.index);
    struct tir_stmt *one[] = {sch_store(s, part, &place, sch_neutral(s, &r)),
                              sch_for(s, TIR_SERIAL, c.inner, c.length, body)};
    one[0]->loc = store->loc;

    const struct ir_var *last = sch_var(s, "c", loop->loop.var->dtype);
    const struct ir_expr *from = sch_use(s, last);
    struct tir_stmt *total = sch_store(
        s, store->store.buffer, store->store.indices,
        ir_expr_binary(s->context, r.kind, sch_load(s, store->store.buffer, store->store.indices),
                       sch_load(s, part, &from)));
    total->loc = store->loc;
    struct tir_stmt *all[] = {sch_alloc(s, part),
                              sch_for(s, TIR_SERIAL, c.outer, c.count, sch_seq(s, one, 2)),
                              sch_for(s, TIR_SERIAL, last, c.count, total)};
    *slot = sch_seq(s, all, 3);
    return true;
}

static int64_t columns_of(const struct tir_stmt *store)
{
    unsigned bytes = ir_dtype_bytes(store->store.buffer->dtype);

    return bytes < 4 ? COLUMNS * 4 / bytes : COLUMNS;
}

static bool cut_columns(struct schedule *s, struct tir_stmt **slot, struct nest *nest)
{
    struct tir_stmt *loop = nest->inner, *above = nest->outer, *store = nest->reduction.store;
    int64_t extent, stride, columns = columns_of(store);

    if (above == loop || !sch_constant(s, loop->loop.extent, &extent) || extent < 2 * columns ||
        !index_stride(s->context, store->store.buffer, store->store.indices,
                      store->store.index_count, loop->loop.var, &stride) ||
        stride != 1 || !loop_is_independent(s->func, loop, NULL))
        return false;
    for (; above != loop; above = above->loop.body)
        if (moves(store, above))
            return false;
    struct cut c = cut(s, loop, columns, "jo");
    for (above = nest->outer; above->loop.body != loop;)
        above = above->loop.body;
    above->loop.body =
        sch_for(s, TIR_SERIAL, c.inner, c.length, sch_copy(s, store, loop->loop.var, c.index));
    *slot = sch_for(s, TIR_SERIAL, c.outer, c.count, nest->outer);
    return true;
}

bool schedule_partitions(struct schedule *s, struct tir_stmt **slot)
{
    struct tir_stmt *stmt = *slot;
    struct nest nest;
    bool is_changed = false;

    if (stmt->kind == TIR_SEQ)
        for (unsigned i = 0; i < stmt->seq.count; i++)
            is_changed |= schedule_partitions(s, &stmt->seq.items[i]);
    if (stmt->kind != TIR_FOR || !read_nest(s, stmt, &nest))
        return is_changed;
    return cut_sum(s, slot, &nest) || cut_columns(s, slot, &nest);
}
