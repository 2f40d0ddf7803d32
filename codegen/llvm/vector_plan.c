/*
 * Can the iterations of a loop run as the lanes of vectors?
 *
 * They are independent of each other (analysis/access/loop.h), so each statement may run for all lanes before the
 * next one does.  The plan says which variables differ between the lanes and how, and whether there is a
 * form for all that is inside:
 *
 *   - statements: stores, lets, ifs (under masks where lanes differ), blocks, serial loops whose bounds
 *     are the same in all lanes, small allocations (one for each lane), indexed alike in all lanes;
 *   - stores go to different places in different lanes;
 *   - no vectors in the text, no jumps, no other looks at storage.
 *
 * A loop with a vectorized loop inside is left serial, so that the inner one is vectorized.
 */
#include "codegen/llvm/kernel.h"

#include <string.h>

enum {
    PRIVATE_LIMIT = 256, /* bytes of allocations inside, for one lane */
    CALL_WORK = 20,      /* of a call of the C library */
    STRIDE_LIMIT = 1 << 20,
};

struct planner {
    struct cg_body *body;
    struct cg_vector *plan;
    struct remark *why; /* there is no form: what was met first */
};

static bool refuse(struct planner *p, struct location loc, struct remark why)
{
    if (p->why->id == REMARK_NONE) {
        *p->why = why;
        p->why->first = (struct remark_place){loc, "here"};
    }
    return false;
}

/* --- how expressions differ between lanes --- */

static const struct cg_variation uniform = {CG_UNIFORM, 0}, varying = {CG_VARYING, 0};

static struct cg_variation linear(int64_t stride)
{
    bool is_small = stride > -STRIDE_LIMIT && stride < STRIDE_LIMIT;
    return is_small ? (struct cg_variation){CG_LINEAR, stride} : varying;
}

static struct cg_variation of_var(struct cg_body *body, const struct ir_var *var)
{
    const struct cg_varying *known = map_get(&body->vector->varying, var);
    if (!known)
        return uniform;
    return known->is_linear ? linear(known->stride) : varying;
}

/* Sums and products of one dtype: where they wrap, so does first + lane * stride. */
static struct cg_variation of_arithmetic(struct cg_body *body, const struct ir_expr *e)
{
    struct cg_variation a = cg_variation_of(body, e->operands[0]);
    struct cg_variation b = cg_variation_of(body, e->operands[1]);
    if (a.kind == CG_UNIFORM && b.kind == CG_UNIFORM)
        return uniform;
    if (a.kind == CG_VARYING || b.kind == CG_VARYING || !ir_dtype_is_int(e->dtype) ||
        e->dtype.bits < 32)
        return varying;
    if (e->kind == IR_EXPR_add)
        return linear(a.stride + b.stride);
    if (e->kind == IR_EXPR_sub)
        return linear(a.stride - b.stride);
    const struct ir_expr *factor = a.kind == CG_LINEAR ? e->operands[1] : e->operands[0];
    int64_t stride = a.kind == CG_LINEAR ? a.stride : b.stride;
    if (factor->kind != IR_EXPR_int || factor->int_value <= -STRIDE_LIMIT ||
        factor->int_value >= STRIDE_LIMIT)
        return varying;
    return linear(stride * factor->int_value);
}

static struct cg_variation of_cast(struct cg_body *body, const struct ir_expr *e)
{
    const struct ir_expr *from = e->operands[0];
    struct cg_variation variation = cg_variation_of(body, from);
    if (variation.kind != CG_LINEAR)
        return variation;
    bool is_exact = ir_dtype_is_int(e->dtype) && e->dtype.bits >= 32 && from->dtype.bits >= 32 &&
                    cg_does_not_wrap(body, e);
    return is_exact ? variation : varying;
}

struct cg_variation cg_variation_of(struct cg_body *body, const struct ir_expr *e)
{
    switch (e->kind) {
    case IR_EXPR_var:
        return of_var(body, e->var);
    case IR_EXPR_add:
    case IR_EXPR_sub:
    case IR_EXPR_mul:
        return of_arithmetic(body, e);
    case IR_EXPR_cast:
        return of_cast(body, e);
    default:
        for (unsigned i = 0; i < e->operand_count; i++)
            if (cg_variation_of(body, e->operands[i]).kind != CG_UNIFORM)
                return varying;
        return e->kind == IR_EXPR_load && map_has(&body->vector->privates, e->buffer) ? varying
                                                                                      : uniform;
    }
}

static void note_variable(struct planner *p, const struct ir_var *var, const struct ir_expr *value,
                          bool may_be_linear)
{
    struct cg_variation variation = cg_variation_of(p->body, value);
    if (variation.kind == CG_UNIFORM)
        return;
    struct cg_varying *entry = arena_new(&p->body->cg->arena, struct cg_varying);
    entry->is_linear = variation.kind == CG_LINEAR && may_be_linear && var->dtype.bits >= 32 &&
                       ir_dtype_equal(var->dtype, value->dtype);
    entry->stride = entry->is_linear ? variation.stride : 0;
    map_set(&p->plan->varying, var, entry);
}

bool cg_bind_first(struct cg_body *body, const struct ir_var *var, const struct ir_expr *e)
{
    struct cg_varying *entry = body->vector ? map_get(&body->vector->varying, var) : NULL;
    if (!entry || !entry->is_linear)
        return true;
    body->vector->wants_first = true;
    entry->first = cg_expr(body, e);
    body->vector->wants_first = false;
    return entry->first != NULL;
}

/* --- is there a form for it? --- */

static bool is_uniform(struct planner *p, const struct ir_expr *e)
{
    return !e || cg_variation_of(p->body, e).kind == CG_UNIFORM;
}

static unsigned register_bytes(struct ir_dtype dtype)
{
    if (ir_dtype_is_bool(dtype))
        return 1;
    return ir_dtype_is_float(dtype) && dtype.bits == 16 ? 4 : ir_dtype_bytes(dtype);
}

static bool is_library_call(const struct ir_expr *e)
{
    if (e->kind == IR_EXPR_mod)
        return ir_dtype_is_float(e->dtype);
    return e->kind == IR_EXPR_call && !cg_intrinsic_has_lanes(e->name, e->operand_count);
}

static bool is_harmless(void *state, const struct ir_expr *e)
{
    return !is_library_call(e);
}

bool cg_calls_library(const struct ir_expr *e)
{
    return !ir_expr_walk(e, is_harmless, NULL);
}

/* By what is no literal: machines have no instruction for vectors of it. */
static bool is_division(const struct ir_expr *e)
{
    bool divides = e->kind == IR_EXPR_div || e->kind == IR_EXPR_mod ||
                   e->kind == IR_EXPR_floordiv || e->kind == IR_EXPR_floormod;
    return divides && ir_dtype_is_int(e->dtype) && e->operands[1]->kind != IR_EXPR_int;
}

bool cg_row_index(struct cg_body *body, const struct ir_buffer *buffer,
                  const struct ir_expr *const *indices, struct cg_row *out)
{
    struct ir_context *ir = body->cg->ir;
    const struct ir_expr *row = NULL;
    int64_t total = 1;
    unsigned first = 0;
    while (first < buffer->ndim && cg_variation_of(body, indices[first]).kind == CG_UNIFORM)
        first++;
    if (buffer->strides || first + 2 > buffer->ndim)
        return false;
    struct ir_dtype dtype = indices[first]->dtype;
    for (unsigned i = first; i < buffer->ndim; i++) {
        const struct ir_expr *extent = buffer->shape[i], *index = indices[i];
        if (extent->kind != IR_EXPR_int || extent->int_value < 1 ||
            !ir_dtype_equal(index->dtype, dtype) ||
            __builtin_mul_overflow(total, extent->int_value, &total) || total > INT32_MAX)
            return false;
        const struct ir_expr *size = ir_expr_int(ir, dtype, extent->int_value);
        row =
            row ? ir_expr_binary(ir, IR_EXPR_add, ir_expr_binary(ir, IR_EXPR_mul, row, size), index)
                : index;
    }
    row = ir_simplify_in(ir, &body->ranges, row);
    *out = (struct cg_row){.first = first, .total = total, .index = row};
    return cg_variation_of(body, row).kind == CG_LINEAR;
}

static bool is_step_of_one(struct cg_variation variation)
{
    return variation.kind == CG_LINEAR && (variation.stride == 1 || variation.stride == -1);
}

/* Are the lanes beside each other, or all the same? */
static bool is_row(struct planner *p, const struct ir_buffer *buffer,
                   const struct ir_expr *const *indices, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct cg_variation variation = cg_variation_of(p->body, indices[i]);
        bool is_beside = i + 1 == count && !buffer->strides && is_step_of_one(variation);
        if (variation.kind == CG_UNIFORM || is_beside)
            continue;
        struct cg_row row;
        return variation.kind == CG_VARYING && count == buffer->ndim &&
               cg_row_index(p->body, buffer, indices, &row) &&
               is_step_of_one(cg_variation_of(p->body, row.index));
    }
    return true;
}

static void count_access(struct planner *p, const struct ir_buffer *buffer,
                         const struct ir_expr *const *indices, unsigned count)
{
    unsigned bytes = ir_dtype_bytes(buffer->dtype);
    p->plan->has_single_lanes |= !is_row(p, buffer, indices, count);
    if (!p->plan->narrowest || bytes < p->plan->narrowest)
        p->plan->narrowest = bytes;
}

static void count_value(struct planner *p, const struct ir_expr *e)
{
    if (is_uniform(p, e))
        return;
    unsigned bytes = register_bytes(e->dtype);
    if (bytes > p->plan->widest)
        p->plan->widest = bytes;
    bool calls_library = is_library_call(e);
    p->plan->has_single_lanes |= calls_library || is_division(e);
    p->plan->work += calls_library ? CALL_WORK : 1;
}

static bool plan_expr(struct planner *p, const struct ir_expr *e, bool is_index);

static bool plan_load(struct planner *p, const struct ir_expr *e)
{
    bool is_private = map_has(&p->plan->privates, e->buffer);
    const char *name = e->buffer->name;
    for (unsigned i = 0; i < e->operand_count; i++) {
        if (!plan_expr(p, e->operands[i], true))
            return false;
        if (is_private && !is_uniform(p, e->operands[i]))
            return refuse(p, e->loc, (struct remark){.id = REMARK_LP_PRIVATE_INDEX, .name = name});
    }
    count_access(p, e->buffer, e->operands, e->operand_count);
    return e->buffer->dtype.lanes == 1 ||
           refuse(p, e->loc, (struct remark){.id = REMARK_LP_TEXT_VECTOR});
}

/*
 * A side of T.if_then_else with calls runs only if a lane wants it (expr.c).  It may be there for the rarest
 * of arguments, so it has no say in how many lanes there are.
 */
static bool plan_side(struct planner *p, const struct ir_expr *e, bool is_index)
{
    struct cg_vector before = *p->plan;
    if (!plan_expr(p, e, is_index))
        return false;
    if (!is_index && cg_calls_library(e)) {
        p->plan->has_single_lanes = before.has_single_lanes;
        p->plan->widest = before.widest;
        p->plan->work = before.work;
        p->plan->has_skipped_calls = true;
    }
    return true;
}

static bool plan_operands(struct planner *p, const struct ir_expr *e, bool is_index)
{
    bool is_choice =
        e->kind == IR_EXPR_call && e->operand_count == 3 && strcmp(e->name, "if_then_else") == 0;
    for (unsigned i = 0; i < e->operand_count; i++)
        if (!(is_choice && i > 0 ? plan_side : plan_expr)(p, e->operands[i], is_index))
            return false;
    return true;
}

static bool plan_expr(struct planner *p, const struct ir_expr *e, bool is_index)
{
    if (e->kind == IR_EXPR_string || e->dtype.lanes != 1 || e->kind == IR_EXPR_ramp ||
        e->kind == IR_EXPR_broadcast || e->kind == IR_EXPR_shuffle)
        return refuse(p, e->loc, (struct remark){.id = REMARK_LP_TEXT_VECTOR});
    if (e->kind == IR_EXPR_load) {
        if (!plan_load(p, e))
            return false;
    } else if (e->kind == IR_EXPR_let) {
        if (!plan_expr(p, e->operands[0], is_index))
            return false;
        note_variable(p, e->var, e->operands[0], false);
        if (!plan_expr(p, e->operands[1], is_index))
            return false;
    } else if (!plan_operands(p, e, is_index)) {
        return false;
    }
    if (!is_index)
        count_value(p, e);
    return true;
}

static bool plan_stmt(struct planner *p, const struct tir_stmt *stmt);

static bool plan_alloc(struct planner *p, const struct ir_buffer *buffer)
{
    int64_t bytes = stack_small_bytes(p->body->cg->ir, buffer);
    if (bytes < 0)
        return refuse(p, buffer->loc,
                      (struct remark){.id = REMARK_LP_PRIVATE_OPEN, .name = buffer->name});
    if (buffer->dtype.lanes != 1)
        return refuse(p, buffer->loc, (struct remark){.id = REMARK_LP_TEXT_VECTOR});
    p->plan->private_bytes += (unsigned)bytes;
    map_set(&p->plan->privates, buffer, p->plan);
    unsigned element = register_bytes(buffer->dtype);
    if (element > p->plan->widest)
        p->plan->widest = element;
    return p->plan->private_bytes <= PRIVATE_LIMIT ||
           refuse(p, buffer->loc,
                  (struct remark){.id = REMARK_LP_PRIVATE_BYTES,
                                  .a = p->plan->private_bytes,
                                  .b = PRIVATE_LIMIT});
}

static bool plan_store(struct planner *p, const struct tir_stmt *stmt)
{
    bool is_same = true;
    const struct ir_buffer *buffer = stmt->store.buffer;
    for (unsigned i = 0; i < stmt->store.index_count; i++) {
        if (!plan_expr(p, stmt->store.indices[i], true))
            return false;
        is_same &= is_uniform(p, stmt->store.indices[i]);
    }
    if (map_has(&p->plan->privates, buffer) != is_same)
        return refuse(
            p, stmt->loc,
            (struct remark){.id = is_same ? REMARK_LP_SAME_ELEMENT : REMARK_LP_PRIVATE_INDEX,
                            .name = buffer->name});
    if (stmt->store.predicate && !plan_expr(p, stmt->store.predicate, false))
        return false;
    count_access(p, buffer, stmt->store.indices, stmt->store.index_count);
    unsigned bytes = register_bytes(buffer->dtype);
    if (bytes > p->plan->widest)
        p->plan->widest = bytes;
    if (buffer->dtype.lanes != 1)
        return refuse(p, stmt->loc, (struct remark){.id = REMARK_LP_TEXT_VECTOR});
    return plan_expr(p, stmt->store.value, false);
}

static bool plan_for(struct planner *p, const struct tir_stmt *stmt)
{
    const struct ir_expr *bounds[] = {stmt->loop.min, stmt->loop.extent, stmt->loop.step};
    const char *name = stmt->loop.var->name;
    if (stmt->loop.kind == TIR_THREAD_BINDING)
        return refuse(p, stmt->loc,
                      (struct remark){.id = REMARK_LP_STATEMENT, .name = "a T.thread_binding"});
    if (stmt->loop.kind == TIR_VECTORIZED)
        return refuse(p, stmt->loc, (struct remark){.id = REMARK_LP_INNER_LANES, .name = name});
    for (size_t i = 0; i < ARRAY_SIZE(bounds); i++) {
        if (bounds[i] && !plan_expr(p, bounds[i], true))
            return false;
        if (!is_uniform(p, bounds[i]))
            return refuse(p, stmt->loc,
                          (struct remark){.id = REMARK_LP_INNER_BOUNDS, .name = name});
    }
    return plan_stmt(p, stmt->loop.body);
}

static bool plan_block(struct planner *p, const struct tir_stmt *stmt)
{
    if (stmt->block.match_count)
        return refuse(p, stmt->loc, (struct remark){.id = REMARK_LP_MATCH});
    for (unsigned i = 0; i < stmt->block.axis_count; i++) {
        const struct tir_axis *axis = &stmt->block.axes[i];
        if (!plan_expr(p, axis->value, true))
            return false;
        if (!is_uniform(p, axis->min) || !is_uniform(p, axis->extent))
            return refuse(p, stmt->loc,
                          (struct remark){.id = REMARK_LP_INNER_AXIS, .name = axis->var->name});
        note_variable(p, axis->var, axis->value, true);
    }
    for (unsigned i = 0; i < stmt->block.alloc_count; i++)
        if (!plan_alloc(p, stmt->block.allocs[i]))
            return false;
    return (!stmt->block.predicate || plan_expr(p, stmt->block.predicate, false)) &&
           (!stmt->block.init || plan_stmt(p, stmt->block.init)) && plan_stmt(p, stmt->block.body);
}

static bool plan_let(struct planner *p, const struct tir_stmt *stmt)
{
    if (!plan_expr(p, stmt->let.value, false))
        return false;
    note_variable(p, stmt->let.var, stmt->let.value, true);
    return true;
}

static bool refuse_stmt(struct planner *p, const struct tir_stmt *stmt)
{
    return refuse(p, stmt->loc,
                  (struct remark){.id = REMARK_LP_STATEMENT, .name = remark_statement(stmt)});
}

static bool plan_stmt(struct planner *p, const struct tir_stmt *stmt)
{
    switch (stmt->kind) {
    case TIR_SEQ:
        for (unsigned i = 0; i < stmt->seq.count; i++)
            if (!plan_stmt(p, stmt->seq.items[i]))
                return false;
        return true;
    case TIR_FOR:
        return plan_for(p, stmt);
    case TIR_BLOCK:
        return plan_block(p, stmt);
    case TIR_STORE:
        return plan_store(p, stmt);
    case TIR_LET:
        return plan_let(p, stmt);
    case TIR_ALLOC:
        return plan_alloc(p, stmt->alloc.buffer);
    case TIR_IF:
        return plan_expr(p, stmt->branch.condition, false) &&
               plan_stmt(p, stmt->branch.then_body) &&
               (!stmt->branch.else_body || plan_stmt(p, stmt->branch.else_body));
    case TIR_EVALUATE:
        return stmt->value->kind == IR_EXPR_int || stmt->value->kind == IR_EXPR_float ||
               refuse_stmt(p, stmt);
    case TIR_ATTR:
        if (strncmp(stmt->attr.key, "pragma_", 7) != 0)
            return refuse_stmt(p, stmt);
        return plan_stmt(p, stmt->attr.body);
    default:
        return refuse_stmt(p, stmt);
    }
}

bool cg_vector_plan(struct cg_body *body, const struct tir_stmt *stmt, struct cg_vector *plan,
                    struct remark *why)
{
    struct planner p = {body, plan, why};
    int64_t step = 1;
    bool is_known = !stmt->loop.step || ir_expr_constant(body->cg->ir, stmt->loop.step, &step);
    if (!is_known || step < 1 || step >= STRIDE_LIMIT)
        return refuse(&p, stmt->loc, (struct remark){.id = REMARK_LP_STEP});
    if (stmt->loop.var->dtype.bits < 32)
        return refuse(&p, stmt->loc, (struct remark){.id = REMARK_LP_NARROW_VARIABLE});
    struct cg_varying *entry = arena_new(&body->cg->arena, struct cg_varying);
    *entry = (struct cg_varying){.is_linear = true, .stride = step};
    map_set(&plan->varying, stmt->loop.var, entry);
    /* What lies in a row is seen where it is known that nothing wraps. */
    struct cg_facts facts = cg_facts_mark(body);
    cg_facts_add_range(body, stmt->loop.var, stmt->loop.min, stmt->loop.extent);
    body->vector = plan;
    bool is_possible = plan_stmt(&p, stmt->loop.body);
    body->vector = NULL;
    cg_facts_reset(body, facts);
    return is_possible &&
           (plan->widest > 0 || refuse(&p, stmt->loc, (struct remark){.id = REMARK_LP_ALL_ALIKE}));
}

void cg_vector_finish(struct cg_vector *plan)
{
    map_finish(&plan->varying);
    map_finish(&plan->privates);
}
