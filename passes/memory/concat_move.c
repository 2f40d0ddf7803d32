/*
 * Joins whose operand is a parameter with room for the whole, but not its beginning: along an inner axis,
 * or with something in front.  The elements are moved within the storage, the last first.
 *
 *     k = R.call_tir(cls.concat, (past, new), ..)
 *  =>
 *     k_dest = R.memory.view(past, R.shape([4, n + 1, d]), ..)
 *     k = R.call_tir_inplace(cls.concat_backwards, (past, new, k_dest), .., inplace_indices=[2])
 *
 * Each element moves to a place that is not in front of its own, so that nothing is overwritten before
 * it is read, if the loops run backwards.  That is asked of the kernel, like everywhere; what cannot be
 * shown is left as it is.
 */
#include "analysis/access/share.h"
#include "analysis/verify_storage/verify_storage.h"
#include "ir/arith.h"
#include "passes/loop/loop.h"
#include "passes/memory/concat_plan.h"

/* Statement @nest of those that the kernel does one after the other, or the only one. */
static const struct tir_stmt *nest_at(const struct tir_func *func, unsigned nest)
{
    const struct tir_stmt *stmt = func->body;

    while (stmt && stmt->kind == TIR_BLOCK && !stmt->block.init)
        stmt = stmt->block.body;
    if (!stmt || stmt->kind != TIR_SEQ)
        return nest == 0 ? stmt : NULL;
    return nest < stmt->seq.count ? stmt->seq.items[nest] : NULL;
}

/* What stands around nothing but @stmt, or in it if that stands around something. */
static const struct tir_stmt *within(const struct tir_stmt *stmt)
{
    if (stmt->kind == TIR_FOR)
        return stmt->loop.body;
    if (stmt->kind == TIR_BLOCK && !stmt->block.init)
        return stmt->block.body;
    return stmt->kind == TIR_SEQ && stmt->seq.count == 1 ? stmt->seq.items[0] : NULL;
}

/* Loop number @level of @nest; NULL: there is none. */
static const struct tir_stmt *loop_at(const struct tir_func *func, unsigned nest, unsigned level)
{
    for (const struct tir_stmt *stmt = nest_at(func, nest); stmt; stmt = within(stmt))
        if (stmt->kind == TIR_FOR && level-- == 0)
            return stmt;
    return NULL;
}

/* The nest that has nothing but @store in it; false if there is none. */
static bool find_nest(const struct tir_func *func, const struct tir_stmt *store, unsigned *out)
{
    const struct tir_stmt *stmt;

    for (*out = 0; (stmt = nest_at(func, *out)) != NULL; ++*out)
        for (; stmt; stmt = within(stmt))
            if (stmt == store)
                return true;
    return false;
}

/* The kernel of @join with the @count outermost loops around @store backwards; NULL: it cannot be. */
static struct ir_global *turned(const struct join *join, const struct tir_stmt *store,
                                unsigned count)
{
    struct tir_func *func = ir_op_callee(join->op)->kernel;
    unsigned nest;

    if (!find_nest(func, store, &nest) || !loop_at(func, nest, 0))
        return NULL;
    struct ir_global *global = loop_add_turned(func, loop_at(func, nest, 0));
    for (unsigned level = 1; global && level < count; level++) {
        const struct tir_stmt *loop = loop_at(global->kernel, nest, level);
        struct tir_stmt *body = loop ? loop_turn_round(global->kernel, loop) : NULL;

        if (!body) {
            ir_module_remove(func->module, global);
            return NULL;
        }
        global->kernel->body = body;
    }
    return global;
}

/* A loop that becomes another one with the same body. */
struct change {
    const struct tir_stmt *loop;
    struct tir_stmt *to;
    bool is_done;
};

static struct tir_stmt *change_stmt(struct loop_map *map, struct tir_stmt *stmt)
{
    struct change *change = map->state;

    if (stmt != change->loop)
        return loop_map_parts(map, stmt);
    change->is_done = true;
    return change->to;
}

/* Puts a copy of @loop, a loop of @kernel, in its place, and returns it; NULL: it is not there. */
static struct tir_stmt *changed(struct tir_func *kernel, const struct tir_stmt *loop)
{
    struct change change = {loop, NULL, false};
    struct loop_map map = {.module = kernel->module, .state = &change, .stmt = change_stmt};

    if (!loop)
        return NULL;
    change.to = tir_stmt_new(kernel->module, TIR_FOR, loop->loc);
    *change.to = *loop;
    kernel->body = change_stmt(&map, kernel->body);
    return change.is_done ? change.to : NULL;
}

/*
 * The elements of the first row in front of the dimension that is longer stay where they are: without them
 * each element moves by a row or more, so that rows can be moved forwards.  They are those of the last
 * iteration of a loop, if only one dimension in front has more than one element.
 */
static bool leave_first(struct tir_func *kernel, unsigned nest, const struct access_piece *piece,
                        unsigned axis)
{
    unsigned level = axis;
    int64_t count = 0;

    for (unsigned d = 0; d + 1 < axis; d++) {
        if (ir_expr_is_int(piece->box.extent[d], 1))
            continue;
        if (level < axis ||
            !ir_expr_constant(kernel->module->context, piece->box.extent[d], &count))
            return false;
        level = d;
    }
    const struct tir_stmt *loop = level < axis ? loop_at(kernel, nest, level) : NULL;
    if (!loop || count < 2 || !ir_expr_is_int(loop->loop.extent, count))
        return false;
    struct tir_stmt *shorter = changed(kernel, loop);
    if (shorter)
        shorter->loop.extent =
            ir_expr_int(kernel->module->context, loop->loop.extent->dtype, count - 1);
    return shorter != NULL;
}

/* Rows are moved in lanes: schedules would have them move at the same time, which they cannot. */
static void use_lanes(struct tir_func *kernel, unsigned nest, unsigned axis)
{
    unsigned level = axis;

    while (loop_at(kernel, nest, level + 1))
        level++;
    const struct tir_stmt *loop = loop_at(kernel, nest, level);
    struct tir_stmt *row =
        loop && loop->loop.extent->kind == IR_EXPR_int ? changed(kernel, loop) : NULL;
    if (row)
        row->loop.kind = TIR_VECTORIZED;
}

/* The dimension of the whole that is longer than @piece, counted from 1; 0: none is. */
static unsigned axis_of(const struct join *join, const struct access_piece *piece)
{
    const struct ir_buffer *out = join->pieces.func->params[join->pieces.param].buffer;

    for (unsigned d = 0; d < out->ndim; d++)
        if (!ir_prove_equal(
                join->pieces.func->module->context, piece->box.extent[d],
                ir_expr_cast(join->pieces.func->module->context, IR_I64, out->shape[d])))
            return d + 1;
    return 0;
}

static bool is_right(struct concat_plan *plan, struct tir_func *kernel, unsigned written,
                     unsigned read)
{
    struct access_share share = access_may_share(&plan->cache, kernel, written, read);

    return access_share_is_legal(&share) &&
           verify_storage_may_share(plan->run->module, kernel, written, read, 0);
}

/* The kernel with so many loops backwards, if that makes it right on one storage; NULL: it does not. */
static struct ir_global *tried(struct concat_plan *plan, const struct join *join,
                               const struct access_piece *piece, unsigned count, bool has_rows)
{
    struct ir_global *kernel = turned(join, piece->write->stmt, count);
    unsigned nest;

    if (kernel && has_rows && find_nest(join->call.func, piece->write->stmt, &nest)) {
        (void)leave_first(kernel->kernel, nest, piece, count);
        use_lanes(kernel->kernel, nest, count);
    }
    if (!kernel ||
        is_right(plan, kernel->kernel, join->call.output_params[0], (unsigned)piece->source))
        return kernel;
    ir_module_remove(plan->run->module, kernel);
    return NULL;
}

static bool is_given_once(const struct ir_op *op, const struct ir_value *value)
{
    unsigned count = 0;

    for (unsigned i = 0; i < op->operand_count; i++)
        count += op->operands[i].value == value;
    return count == 1;
}

bool concat_move(struct concat_plan *plan, struct join *join, const struct access_piece *piece,
                 const struct append *append)
{
    struct home other;
    unsigned axis = axis_of(join, piece);

    if (axis == 0 || append->home.whole != &join->op->result || join->moved ||
        concat_append_of(plan, &join->op->result) || !is_given_once(join->op, append->home.value))
        return false;
    for (unsigned i = 0; i < join->op->operand_count; i++)
        if (concat_plan_home(plan, join->op->operands[i].value, &other) &&
            other.whole != &join->op->result)
            return false;
    struct ir_global *kernel = tried(plan, join, piece, axis, true);
    for (unsigned count = axis; !kernel && count <= (unsigned)append->home.whole->type->ndim;
         count++)
        kernel = tried(plan, join, piece, count, false);
    if (!kernel)
        return false;
    join->moved = kernel;
    join->append = *append;
    return true;
}
