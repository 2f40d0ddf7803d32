#include "passes/fuse/inline_buffers.h"

#include "analysis/perfect_nest.h"
#include "base/assert.h"
#include "base/map.h"
#include "passes/fuse/fuse_product.h"
#include "passes/fuse/inline_value.h"

#include <string.h>

enum {
    CHEAP = 4,        /* the cost of a value that may be computed again for another use */
    SMALL = 65536,    /* bytes: what is read again and again from there costs little */
    DEPTH_LIMIT = 128 /* of expressions, well below what can be written */
};

/* Who touches a buffer: indices of statements, in no order. */
struct touched {
    array(unsigned) writers;
    array(unsigned) readers;
};

struct inliner {
    struct arena *scratch;
    struct inline_kernel *kernel;
    struct map touched;         /* buffer -> struct touched */
    struct perfect_nest *nests; /* of the statements */
    bool *is_dead;              /* statements */
    struct map locals;          /* buffer of the kernel's own -> where to say that it is gone */
    array(struct touched *) all;
    struct inline_notes notes;
};

static struct touched *touched_of(struct inliner *in, const struct ir_buffer *buffer)
{
    struct touched *touched = map_get(&in->touched, buffer);

    if (touched)
        return touched;
    touched = arena_new(in->scratch, struct touched);
    map_set(&in->touched, buffer, touched);
    array_push(&in->all, touched);
    return touched;
}

/* ---- who reads and writes what ---- */

struct reader {
    struct inliner *in;
    unsigned stmt;
};

static void add_reader(struct touched *touched, unsigned stmt)
{
    for (size_t i = 0; i < touched->readers.count; i++)
        if (touched->readers.items[i] == stmt)
            return;
    array_push(&touched->readers, stmt);
}

static bool note_load(void *state, const struct ir_expr *a)
{
    const struct reader *reader = state;

    if (a->kind == IR_EXPR_load)
        add_reader(touched_of(reader->in, a->buffer), reader->stmt);
    return true;
}

static bool note_below(void *state, const struct ir_expr *a)
{
    return ir_expr_walk(a, note_load, state);
}

static bool note_stmt(void *state, struct tir_stmt *stmt)
{
    struct reader *reader = state;

    if (stmt->kind == TIR_STORE) {
        struct touched *touched = touched_of(reader->in, stmt->store.buffer);

        if (touched->writers.count == 0 || array_last(&touched->writers) != reader->stmt)
            array_push(&touched->writers, reader->stmt);
    }
    return tir_stmt_walk_exprs(stmt, note_below, state);
}

/* ---- is it legal ---- */

static const struct tir_stmt *only_store(const struct perfect_nest *nest)
{
    return nest->body_count == 1 && !nest->init && nest->body[0]->kind == TIR_STORE ? nest->body[0]
                                                                                    : NULL;
}

/* The store that gives @buffer all of its elements; NULL if it is more complicated. */
static const struct tir_stmt *producer_of(const struct inliner *in, const struct ir_buffer *buffer,
                                          const struct touched *touched)
{
    if (touched->writers.count != 1)
        return NULL;
    const struct perfect_nest *nest = &in->nests[touched->writers.items[0]];
    const struct tir_stmt *store = only_store(nest);

    for (unsigned i = 0; i < nest->axis_count; i++)
        if (nest->axes[i].is_reduce && !ir_expr_is_int(nest->axes[i].extent, 1))
            return NULL;
    return store && perfect_nest_covers(in->kernel->module->context, nest, store) ? store : NULL;
}

struct hazard {
    struct inliner *in;
    unsigned producer, reader;
    const struct ir_buffer *own; /* that the reader updates in place at the element that it reads */
    bool is_fine;
};

/* Loads of the producer: nothing may have written there when the reader runs. */
static bool check_load(void *state, const struct ir_expr *a)
{
    struct hazard *h = state;

    if (a->kind != IR_EXPR_load)
        return true;
    const struct touched *touched = map_get(&h->in->touched, a->buffer);
    for (size_t i = 0; touched && i < touched->writers.count; i++) {
        unsigned writer = touched->writers.items[i];

        if (writer <= h->producer || writer > h->reader)
            continue;
        if (writer != h->reader || (h->own && h->own != a->buffer))
            h->is_fine = false;
        h->own = a->buffer;
    }
    return h->is_fine;
}

/* After the move, does the store of @reader still read each element of its own buffer where it writes? */
static bool is_pointwise_after(struct inliner *in, const struct ir_buffer *buffer,
                               const struct tir_stmt *store, unsigned reader,
                               const struct ir_buffer *own)
{
    const struct perfect_nest *nest = &in->nests[reader];
    const struct tir_stmt *to = only_store(nest);

    return to && to->store.buffer == own && perfect_nest_is_injective(nest, to) &&
           inline_value_is_pointwise(in->kernel->module,
                                     &in->nests[touched_of(in, buffer)->writers.items[0]], store,
                                     buffer, to, own);
}

static bool is_legal(struct inliner *in, const struct ir_buffer *buffer,
                     const struct touched *touched, const struct tir_stmt *store)
{
    for (size_t i = 0; i < touched->readers.count; i++) {
        struct hazard hazard = {.in = in,
                                .producer = touched->writers.items[0],
                                .reader = touched->readers.items[i],
                                .is_fine = true};

        if (hazard.reader <= hazard.producer)
            return false;
        (void)ir_expr_walk(store->store.value, check_load, &hazard);
        if (!hazard.is_fine ||
            (hazard.own && !is_pointwise_after(in, buffer, store, hazard.reader, hazard.own)))
            return false;
    }
    return true;
}

/* ---- is it worth it ---- */

/* C[..] = C[..] + x * y in the nest that writes @a's buffer. */
static bool is_no_product(void *state, const struct ir_expr *a)
{
    struct inliner *in = state;
    const struct touched *touched =
        a->kind == IR_EXPR_load ? map_get(&in->touched, a->buffer) : NULL;
    const struct ir_expr *x, *y;

    return !touched || touched->writers.count != 1 ||
           !fuse_read_product(&in->nests[touched->writers.items[0]], NULL, &x, &y);
}

static bool is_small(const struct inliner *in, const struct ir_buffer *buffer)
{
    int64_t left = SMALL / ir_dtype_bytes(buffer->dtype), extent;

    for (unsigned i = 0; i < buffer->ndim; i++) {
        if (!ir_expr_constant(in->kernel->module->context, buffer->shape[i], &extent) || extent < 1)
            return false;
        left /= extent;
    }
    return left > 0;
}

/*
 * Is @buffer decided upon once all that it is made of is in its store?  Else steps of a chain that cost little each would be
 * computed in each iteration of what reads the last of them.  (Large ones are factors that products pack.)
 */
static bool is_late(struct inliner *in, const struct ir_buffer *buffer,
                    const struct touched *touched)
{
    struct inline_uses uses = {0};

    for (size_t i = 0; i < touched->readers.count; i++)
        inline_value_uses(&in->nests[touched->readers.items[i]], buffer, &uses);
    return uses.is_repeated && is_small(in, buffer);
}

static bool is_worth(struct inliner *in, const struct ir_buffer *buffer,
                     const struct touched *touched, const struct tir_stmt *store,
                     struct remark *out_why)
{
    unsigned cost = inline_value_cost(store->store.value);
    struct inline_uses uses = {0};

    for (size_t i = 0; i < touched->readers.count; i++)
        inline_value_uses(&in->nests[touched->readers.items[i]], buffer, &uses);
    unsigned limit = uses.is_repeated ? INLINE_CHEAPEST : CHEAP;
    /* What several nests read is computed once where a product's element is stored (passes/schedule/epilogue.c). */
    if (!uses.is_repeated && touched->readers.count > 1 &&
        !ir_expr_walk(store->store.value, is_no_product, in)) {
        *out_why = (struct remark){.id = REMARK_FU_OF_PRODUCT};
        return false;
    }
    *out_why = (struct remark){.id = REMARK_FU_USED_AGAIN, .a = cost, .b = limit};
    return cost <= limit || (!uses.is_repeated && !uses.is_several);
}

/* ---- the change ---- */

static void forget_reader(struct inliner *in, unsigned from)
{
    for (size_t i = 0; i < in->all.count; i++) {
        struct touched *touched = in->all.items[i];

        for (size_t k = 0; k < touched->readers.count; k++)
            if (touched->readers.items[k] == from)
                touched->readers.items[k--] = touched->readers.items[--touched->readers.count];
    }
}

/* Why the value of @buffer stays in it; REMARK_NONE: it need not. */
static struct remark why_buffer(struct inliner *in, const struct ir_buffer *buffer,
                                const struct touched *touched, const struct tir_stmt *store)
{
    struct remark why;

    if (!store)
        return (struct remark){.id = REMARK_FU_NOT_ONE_STORE};
    if (touched->readers.count == 0)
        return (struct remark){0};
    if (!is_legal(in, buffer, touched, store))
        return (struct remark){.id = REMARK_FU_HAZARD};
    if (!is_worth(in, buffer, touched, store, &why))
        return why;
    for (size_t i = 0; i < touched->readers.count; i++)
        if (!inline_value_fits(&in->nests[touched->readers.items[i]], buffer, store, DEPTH_LIMIT))
            return (struct remark){.id = REMARK_FU_TOO_DEEP};
    return (struct remark){0};
}

static void note(const struct inliner *in, const struct ir_buffer *buffer,
                 const struct tir_stmt *stmt, struct remark why)
{
    struct remark_item item = {.topic = REMARK_FU,
                               .function = in->notes.function,
                               .subject = buffer->name,
                               .loc = stmt->loc};

    if (!in->notes.items)
        return;
    if (why.id == REMARK_NONE)
        why.id = REMARK_FU_IN_REGISTERS;
    remark_add_part(&item, NULL, in->notes.pass, why);
    array_push(in->notes.items, item);
}

/* A buffer whose nests are not of one store was not looked at. */
static void note_unread(struct inliner *in, const struct ir_buffer *buffer)
{
    const struct touched *touched = map_get(&in->touched, buffer);

    for (size_t i = 0; touched && i < touched->writers.count; i++)
        if (only_store(&in->nests[touched->writers.items[i]]))
            return;
    if (touched && touched->writers.count > 0)
        note(in, buffer, in->kernel->stmts[touched->writers.items[0]],
             (struct remark){.id = REMARK_FU_NOT_ONE_STORE});
}

static bool try_inline(struct inliner *in, const struct ir_buffer *buffer,
                       const struct tir_stmt *stmt)
{
    struct touched *touched = touched_of(in, buffer);
    const struct tir_stmt *store = producer_of(in, buffer, touched);
    struct remark why = why_buffer(in, buffer, touched, store);

    note(in, buffer, stmt, why);
    if (why.id != REMARK_NONE)
        return false;
    unsigned producer = touched->writers.items[0];
    for (size_t i = 0; i < touched->readers.count; i++) {
        unsigned reader = touched->readers.items[i];
        struct reader loads = {in, reader};

        inline_value(in->kernel->module, &in->nests[producer], store, buffer, &in->nests[reader]);
        (void)tir_stmt_walk_exprs(store, note_below, &loads);
    }
    in->is_dead[producer] = true;
    forget_reader(in, producer);
    return true;
}

static void remove_dead(struct inliner *in, const bool *is_gone)
{
    size_t kept = 0;

    for (size_t i = 0; i < in->kernel->stmt_count; i++)
        if (!in->is_dead[i])
            in->kernel->stmts[kept++] = in->kernel->stmts[i];
    in->kernel->stmt_count = kept;
    kept = 0;
    for (size_t i = 0; i < in->kernel->local_count; i++)
        if (!is_gone[i])
            in->kernel->locals[kept++] = in->kernel->locals[i];
    in->kernel->local_count = kept;
}

void inline_buffers(struct arena *scratch, struct inline_kernel *kernel, struct inline_notes notes)
{
    struct inliner in = {.scratch = scratch, .kernel = kernel, .notes = notes};
    bool *is_gone = arena_array(scratch, bool, kernel->local_count + 1);

    in.nests = arena_array(scratch, struct perfect_nest, kernel->stmt_count + 1);
    in.is_dead = arena_array(scratch, bool, kernel->stmt_count + 1);
    for (unsigned i = 0; i < kernel->stmt_count; i++) {
        struct reader reader = {&in, i};
        bool is_nest = perfect_nest_read(scratch, kernel->stmts[i], &in.nests[i]);

        assert(is_nest);
        (void)is_nest;
        (void)tir_stmt_walk(kernel->stmts[i], note_stmt, &reader);
    }
    for (size_t i = 0; i < kernel->local_count; i++) {
        map_set(&in.locals, kernel->locals[i], &is_gone[i]);
        is_gone[i] = !map_has(&in.touched, kernel->locals[i]);
    }
    /* last producers first: by then what reads a buffer in several nests may be one nest */
    bool *is_put_off = arena_array(scratch, bool, kernel->stmt_count + 1);
    for (int round = 0; round < 2; round++) {
        for (size_t i = kernel->stmt_count; i-- > 0;) {
            const struct tir_stmt *store = only_store(&in.nests[i]);
            const struct ir_buffer *buffer = store ? store->store.buffer : NULL;
            bool *is_own_gone = store ? map_get(&in.locals, buffer) : NULL;

            if (!is_own_gone || (round == 1 && !is_put_off[i]))
                continue;
            is_put_off[i] = round == 0 && is_late(&in, buffer, touched_of(&in, buffer));
            if (!is_put_off[i])
                *is_own_gone = try_inline(&in, buffer, store);
        }
    }
    for (size_t i = 0; i < kernel->local_count; i++)
        if (!is_gone[i])
            note_unread(&in, kernel->locals[i]);
    remove_dead(&in, is_gone);
    for (size_t i = 0; i < in.all.count; i++) {
        array_finish(&in.all.items[i]->writers);
        array_finish(&in.all.items[i]->readers);
    }
    array_finish(&in.all);
    map_finish(&in.touched);
    map_finish(&in.locals);
}
