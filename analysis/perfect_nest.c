#include "analysis/perfect_nest.h"

#include "base/array.h"
#include "ir/arith.h"

static bool is_one(const struct ir_expr *a)
{
    return ir_expr_is_int(a, 1);
}

/* The outermost loops of a nest, down to what is no loop. */
struct loop_walk {
    struct arena *arena;
    array(struct nest_axis) loops;
};

static bool read_loops(struct loop_walk *walk, struct tir_stmt **stmt)
{
    while ((*stmt)->kind == TIR_FOR) {
        const struct tir_stmt *loop = *stmt;

        if (loop->loop.kind == TIR_THREAD_BINDING || loop->loop.step || loop->loop.annotations ||
            !ir_expr_is_int(loop->loop.min, 0))
            return false;
        array_push(&walk->loops, (struct nest_axis){loop->loop.var, loop->loop.extent, false});
        *stmt = loop->loop.body;
    }
    return true;
}

/* Each loop is one axis of @block, and each axis a loop or of extent 1. */
static bool read_axes(struct loop_walk *walk, const struct tir_stmt *block,
                      struct perfect_nest *out)
{
    size_t bound = 0;

    out->axis_count = block->block.axis_count;
    out->axes = arena_array(walk->arena, struct nest_axis, block->block.axis_count + 1);
    for (unsigned i = 0; i < block->block.axis_count; i++) {
        const struct tir_axis *axis = &block->block.axes[i];
        bool is_bound = false;

        if (axis->kind != TIR_SPATIAL && axis->kind != TIR_REDUCE)
            return false;
        if (!ir_expr_is_int(axis->min, 0))
            return false;
        for (size_t k = 0; k < walk->loops.count && !is_bound; k++) {
            struct nest_axis *loop = &walk->loops.items[k];

            if (!loop->var || axis->value->kind != IR_EXPR_var || axis->value->var != loop->var)
                continue;
            if (!ir_expr_equal(loop->extent, axis->extent) &&
                !(loop->extent->kind == IR_EXPR_int && axis->extent->kind == IR_EXPR_int &&
                  loop->extent->int_value == axis->extent->int_value))
                return false;
            loop->var = NULL; /* taken */
            is_bound = true;
            bound++;
        }
        if (!is_bound && !is_one(axis->extent))
            return false;
        if (!is_bound && !ir_expr_is_int(axis->value, 0))
            return false;
        out->axes[i] = (struct nest_axis){axis->var, axis->extent, axis->kind == TIR_REDUCE};
    }
    for (size_t k = 0; k < walk->loops.count; k++)
        if (walk->loops.items[k].var && is_one(walk->loops.items[k].extent))
            bound++;
    return bound == walk->loops.count;
}

static bool is_plain_block(const struct tir_stmt *block)
{
    return !block->block.predicate && !block->block.annotations && block->block.alloc_count == 0 &&
           block->block.match_count == 0;
}

static bool is_leaf(const struct tir_stmt *stmt, bool may_let)
{
    return (stmt->kind == TIR_STORE && !stmt->store.predicate) ||
           (may_let && stmt->kind == TIR_LET);
}

static bool read_leaves(struct arena *arena, struct tir_stmt *stmt, struct perfect_nest *out)
{
    if (stmt->kind == TIR_SEQ) {
        out->body = stmt->seq.items;
        out->body_count = stmt->seq.count;
    } else {
        struct tir_stmt **one = arena_new(arena, struct tir_stmt *);
        *one = stmt;
        out->body = one;
        out->body_count = 1;
    }
    for (unsigned i = 0; i < out->body_count; i++)
        if (!is_leaf(out->body[i], true))
            return false;
    return out->body_count > 0;
}

static bool is_init(const struct tir_stmt *init)
{
    if (init->kind != TIR_SEQ)
        return is_leaf(init, false);
    for (unsigned i = 0; i < init->seq.count; i++)
        if (!is_leaf(init->seq.items[i], false))
            return false;
    return true;
}

bool perfect_nest_read(struct arena *arena, struct tir_stmt *stmt, struct perfect_nest *out)
{
    struct loop_walk walk = {.arena = arena};
    bool is_fine = read_loops(&walk, &stmt);

    *out = (struct perfect_nest){0};
    if (is_fine && stmt->kind == TIR_BLOCK) {
        out->block = stmt;
        out->init = stmt->block.init;
        is_fine = is_plain_block(stmt) && read_axes(&walk, stmt, out) &&
                  (!out->init || is_init(out->init));
        stmt = stmt->block.body;
    } else if (is_fine) {
        out->axis_count = (unsigned)walk.loops.count;
        out->axes = arena_array(arena, struct nest_axis, walk.loops.count + 1);
        for (size_t i = 0; i < walk.loops.count; i++)
            out->axes[i] = walk.loops.items[i];
    }
    is_fine = is_fine && read_leaves(arena, stmt, out);
    array_finish(&walk.loops);
    return is_fine;
}

const struct nest_axis *perfect_nest_axis(const struct perfect_nest *nest, const struct ir_var *var)
{
    for (unsigned i = 0; i < nest->axis_count; i++)
        if (nest->axes[i].var == var)
            return &nest->axes[i];
    return NULL;
}

static bool is_no_axis(void *state, const struct ir_expr *a)
{
    return a->kind != IR_EXPR_load && (a->kind != IR_EXPR_var || !perfect_nest_axis(state, a->var));
}

/* The axis that @index is, plus what does not change in the nest; NULL: just the latter. */
static bool read_index(const struct perfect_nest *nest, const struct ir_expr *index,
                       const struct nest_axis **out)
{
    union {
        const struct perfect_nest *in;
        void *out;
    } state = {nest};

    *out = index->kind == IR_EXPR_var ? perfect_nest_axis(nest, index->var) : NULL;
    if (*out || ir_expr_walk(index, is_no_axis, state.out))
        return true;
    if (index->kind != IR_EXPR_add && index->kind != IR_EXPR_sub)
        return false;
    for (unsigned i = 0; i < (index->kind == IR_EXPR_add ? 2 : 1); i++) {
        const struct ir_expr *a = index->operands[i];

        *out = a->kind == IR_EXPR_var ? perfect_nest_axis(nest, a->var) : NULL;
        if (*out)
            return ir_expr_walk(index->operands[1 - i], is_no_axis, state.out);
    }
    return false;
}

/* Is @index of the form axis * n + phase, for a phase below n? Then both tell elements apart. */
static bool read_phases(const struct perfect_nest *nest, const struct ir_expr *index,
                        const struct nest_axis *out[2])
{
    if (index->kind != IR_EXPR_add)
        return false;
    const struct ir_expr *product = index->operands[0], *phase = index->operands[1];

    if (product->kind != IR_EXPR_mul || product->operands[0]->kind != IR_EXPR_var ||
        product->operands[1]->kind != IR_EXPR_int || phase->kind != IR_EXPR_var)
        return false;
    out[0] = perfect_nest_axis(nest, product->operands[0]->var);
    out[1] = perfect_nest_axis(nest, phase->var);
    if (out[0] && out[1] && out[0] != out[1] && out[1]->extent->kind == IR_EXPR_int &&
        out[1]->extent->int_value <= product->operands[1]->int_value)
        return true;
    out[0] = out[1] = NULL;
    return false;
}

/* The axes of more than one iteration that @index has; false: of an unknown form. */
static bool index_axes(const struct perfect_nest *nest, const struct ir_expr *index,
                       const struct nest_axis *out[2])
{
    out[0] = out[1] = NULL;
    if (!read_phases(nest, index, out) && !read_index(nest, index, &out[0]))
        return false;
    for (unsigned i = 0; i < 2; i++)
        if (out[i] && is_one(out[i]->extent))
            out[i] = NULL;
    return true;
}

bool perfect_nest_is_injective(const struct perfect_nest *nest, const struct tir_stmt *store)
{
    for (unsigned i = 0; i < store->store.index_count; i++) {
        const struct nest_axis *axes[2];

        if (!index_axes(nest, store->store.indices[i], axes) || (axes[0] && axes[0]->is_reduce) ||
            (axes[1] && axes[1]->is_reduce))
            return false;
    }
    for (unsigned n = 0; n < nest->axis_count; n++) {
        const struct nest_axis *axis = &nest->axes[n], *axes[2];
        unsigned found = 0;

        if (axis->is_reduce || is_one(axis->extent))
            continue;
        for (unsigned i = 0; i < store->store.index_count; i++) {
            (void)index_axes(nest, store->store.indices[i], axes);
            found += axes[0] == axis || axes[1] == axis;
        }
        if (found != 1)
            return false;
    }
    return true;
}

bool perfect_nest_covers(struct ir_context *context, const struct perfect_nest *nest,
                         const struct tir_stmt *store)
{
    if (!perfect_nest_is_injective(nest, store))
        return false;
    for (unsigned i = 0; i < store->store.index_count; i++) {
        const struct ir_expr *index = store->store.indices[i];
        const struct ir_expr *dim = store->store.buffer->shape[i];
        const struct nest_axis *axis =
            index->kind == IR_EXPR_var ? perfect_nest_axis(nest, index->var) : NULL;

        if (!axis && ir_expr_is_int(index, 0) && is_one(dim))
            continue;
        if (!axis || !ir_prove_equal(context, ir_expr_cast(context, IR_I64, axis->extent),
                                     ir_expr_cast(context, IR_I64, dim)))
            return false;
    }
    return true;
}

static bool add_nests(struct arena *arena, struct tir_stmt *stmt, struct perfect_nests *out)
{
    struct perfect_nest nest;

    if (stmt->kind == TIR_SEQ) {
        for (unsigned i = 0; i < stmt->seq.count; i++)
            if (!add_nests(arena, stmt->seq.items[i], out))
                return false;
        return true;
    }
    if (stmt->kind == TIR_ALLOC)
        return !stmt->alloc.annotations && !stmt->alloc.buffer->is_scalar &&
               !stmt->alloc.buffer->strides && !stmt->alloc.buffer->elem_offset;
    if (!perfect_nest_read(arena, stmt, &nest))
        return false;
    array_push(out, nest);
    return true;
}

bool perfect_nests_of(struct arena *arena, const struct tir_func *func, struct perfect_nests *out)
{
    struct tir_stmt *body = func->body;

    if (body->kind == TIR_BLOCK && body->block.is_root) {
        if (body->block.annotations || body->block.match_count > 0 || body->block.init ||
            body->block.axis_count > 0 || body->block.predicate)
            return false;
        for (unsigned i = 0; i < body->block.alloc_count; i++)
            if (body->block.allocs[i]->strides || body->block.allocs[i]->elem_offset)
                return false;
        body = body->block.body;
    }
    return add_nests(arena, body, out);
}
