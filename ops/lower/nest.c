/* Loop nests, and the expressions inside. */
#include "base/assert.h"
#include "ops/lower/lower.h"

#include <math.h>
#include <string.h>

const struct ir_expr *kernel_expr(struct kernel *k, const struct ir_expr *expr)
{
    return ir_expr_substitute(k->context, expr, &k->symbols);
}

const struct ir_expr *kernel_input_dim(struct kernel *k, unsigned operand, unsigned d)
{
    return kernel_expr(k, k->operands[operand].type->dims[d]);
}

const struct ir_expr *kernel_output_dim(struct kernel *k, unsigned output, unsigned d)
{
    return k->outputs[output]->shape[d];
}

const struct ir_expr **kernel_indices(struct kernel *k, unsigned count)
{
    return arena_array(&k->module->arena, const struct ir_expr *, count + 1);
}

const struct ir_expr **kernel_copy_indices(struct kernel *k, const struct ir_expr *const *from,
                                           unsigned count)
{
    const struct ir_expr **copy = kernel_indices(k, count);

    for (unsigned i = 0; i < count; i++)
        copy[i] = from[i];
    return copy;
}

struct ir_buffer *kernel_alloc(struct kernel *k, const char *name, struct ir_dtype dtype,
                               const struct ir_expr *const *dims, unsigned ndim)
{
    struct ir_buffer *buffer = tir_buffer_new(k->module, name, dtype, dims, ndim);

    array_push(&k->allocs, buffer);
    return buffer;
}

const struct ir_expr *kernel_operand_load(struct kernel *k, const struct kernel_operand *operand,
                                          const struct ir_expr *const *indices)
{
    if (operand->scalar != NULL)
        return operand->scalar;
    return ir_expr_load(k->context, operand->buffer, indices, operand->buffer->ndim);
}

const struct ir_expr *kernel_load(struct kernel *k, unsigned operand,
                                  const struct ir_expr *const *indices)
{
    return kernel_operand_load(k, &k->operands[operand], indices);
}

struct ir_dtype kernel_compute_dtype(struct ir_dtype dtype)
{
    return ir_dtype_is_float(dtype) && dtype.bits == 16 ? IR_F32 : dtype;
}

const struct ir_expr *k_int(struct kernel *k, int64_t value)
{
    return ir_expr_int(k->context, IR_I64, value);
}

/* Range of an integer dtype. */
static double integer_low(struct ir_dtype dtype)
{
    return dtype.code == IR_UINT ? 0 : -ldexp(1, dtype.bits - 1);
}

static int64_t integer_extreme(struct ir_dtype dtype, bool is_low)
{
    if (ir_dtype_is_bool(dtype))
        return !is_low;
    if (dtype.code == IR_UINT)
        return is_low ? 0 : (int64_t)(UINT64_MAX >> (64 - dtype.bits));
    return is_low ? INT64_MIN >> (64 - dtype.bits) : INT64_MAX >> (64 - dtype.bits);
}

/* Like a conversion at run time: integers saturate, NaN is 0, bool is != 0. */
const struct ir_expr *k_number(struct kernel *k, struct ir_dtype dtype, double value)
{
    if (ir_dtype_is_float(dtype))
        return ir_expr_float(k->context, dtype, value);
    if (ir_dtype_is_bool(dtype))
        return ir_expr_int(k->context, dtype, value != 0);
    if (isnan(value))
        return ir_expr_int(k->context, dtype, 0);
    double high = ldexp(1, dtype.bits - (dtype.code == IR_INT));
    if (value >= high)
        return ir_expr_int(k->context, dtype, integer_extreme(dtype, false));
    if (value <= integer_low(dtype))
        return ir_expr_int(k->context, dtype, integer_extreme(dtype, true));
    if (value >= 0x1p63)
        return ir_expr_int(k->context, dtype, (int64_t)(uint64_t)value);
    return ir_expr_int(k->context, dtype, (int64_t)value);
}

const struct ir_expr *k_lowest(struct kernel *k, struct ir_dtype dtype)
{
    return ir_dtype_is_float(dtype) ? ir_expr_float(k->context, dtype, (double)-INFINITY)
                                    : ir_expr_int(k->context, dtype, integer_extreme(dtype, true));
}

const struct ir_expr *k_highest(struct kernel *k, struct ir_dtype dtype)
{
    return ir_dtype_is_float(dtype) ? ir_expr_float(k->context, dtype, (double)INFINITY)
                                    : ir_expr_int(k->context, dtype, integer_extreme(dtype, false));
}

const struct ir_expr *k_binary(struct kernel *k, enum ir_expr_kind kind, const struct ir_expr *a,
                               const struct ir_expr *b)
{
    return ir_expr_binary(k->context, kind, a, b);
}

const struct ir_expr *k_call(struct kernel *k, const char *name, const struct ir_expr *a)
{
    return ir_expr_call(k->context, a->dtype, atom_intern_text(&k->context->atoms, name), &a, 1);
}

const struct ir_expr *k_cast(struct kernel *k, struct ir_dtype dtype, const struct ir_expr *a)
{
    if (a->kind == IR_EXPR_float && !ir_dtype_is_float(dtype))
        return k_number(k, dtype, a->float_value);
    return ir_expr_cast(k->context, dtype, a);
}

static bool is_in_range(struct kernel *k, const struct ir_expr *count, struct ir_dtype dtype)
{
    int64_t value;

    return dtype.bits == 64 ||
           (ir_expr_constant(k->context, count, &value) && value <= INT64_MAX >> (64 - dtype.bits));
}

const struct ir_expr *k_share(struct kernel *k, const struct ir_expr *sum,
                              const struct ir_expr *count)
{
    struct ir_dtype dtype = sum->dtype;

    count = ir_simplify(k->context, count);
    if (ir_dtype_is_int(dtype) && !is_in_range(k, count, dtype)) {
        sum = k_cast(k, IR_I64, sum);
        return k_cast(k, dtype, k_binary(k, IR_EXPR_div, sum, count));
    }
    return k_binary(k, IR_EXPR_div, sum, k_cast(k, dtype, count));
}

const struct ir_expr *k_extreme(struct kernel *k, enum ir_expr_kind kind, const struct ir_expr *a,
                                const struct ir_expr *b)
{
    if (ir_dtype_is_bool(a->dtype))
        kind = kind == IR_EXPR_max ? IR_EXPR_or : IR_EXPR_and;
    return k_binary(k, kind, a, b);
}

const struct ir_expr *k_add(struct kernel *k, const struct ir_expr *a, const struct ir_expr *b)
{
    if (ir_expr_is_int(a, 0))
        return b;
    if (ir_expr_is_int(b, 0))
        return a;
    return k_binary(k, IR_EXPR_add, a, b);
}

const struct ir_expr *k_sub(struct kernel *k, const struct ir_expr *a, const struct ir_expr *b)
{
    if (ir_expr_is_int(b, 0))
        return a;
    return k_binary(k, IR_EXPR_sub, a, b);
}

const struct ir_expr *k_mul(struct kernel *k, const struct ir_expr *a, const struct ir_expr *b)
{
    if (ir_expr_is_int(a, 1) || ir_expr_is_int(b, 0))
        return b;
    if (ir_expr_is_int(b, 1) || ir_expr_is_int(a, 0))
        return a;
    return k_binary(k, IR_EXPR_mul, a, b);
}

const struct ir_expr *k_and(struct kernel *k, const struct ir_expr *a, const struct ir_expr *b)
{
    return a == NULL ? b : k_binary(k, IR_EXPR_and, a, b);
}

const struct ir_expr *k_inside(struct kernel *k, const struct ir_expr *a, const struct ir_expr *at,
                               const struct ir_expr *extent)
{
    a = k_and(k, a, k_binary(k, IR_EXPR_le, k_int(k, 0), at));
    return k_and(k, a, k_binary(k, IR_EXPR_lt, at, extent));
}

const struct ir_expr *k_if(struct kernel *k, const struct ir_expr *condition,
                           const struct ir_expr *value, const struct ir_expr *otherwise)
{
    const struct ir_expr *args[] = {condition, value, otherwise};

    if (condition == NULL)
        return value;
    return ir_expr_call(k->context, value->dtype, "if_then_else", args, 3);
}

const struct ir_expr *k_select(struct kernel *k, const struct ir_expr *condition,
                               const struct ir_expr *a, const struct ir_expr *b)
{
    return ir_expr_select(k->context, condition, a, b);
}

struct nest nest_begin(struct kernel *k, const char *name)
{
    return (struct nest){.k = k, .name = atom_intern_text(&k->context->atoms, name)};
}

const struct ir_expr *nest_axis(struct nest *nest, enum tir_axis_kind kind,
                                const struct ir_expr *extent)
{
    struct ir_context *context = nest->k->context;
    const char *stem = kind == TIR_REDUCE ? "k" : "ax";
    unsigned i = kind == TIR_REDUCE ? nest->reduce_count++ : nest->spatial_count++;
    const struct ir_var *loop =
        ir_var_new(context, atom_printf(&context->atoms, "%s%u", stem, i), IR_I64);
    const struct ir_var *axis =
        ir_var_new(context, atom_printf(&context->atoms, "v_%s%u", stem, i), IR_I64);
    struct tir_axis row = {.var = axis,
                           .kind = kind,
                           .min = ir_expr_int(context, IR_I64, 0),
                           .extent = extent,
                           .value = ir_expr_var(context, loop)};

    array_push(&nest->axes, row);
    array_push(&nest->loops, loop);
    return ir_expr_var(context, axis);
}

const struct ir_expr **nest_axes_of(struct nest *nest, const struct ir_buffer *buffer)
{
    const struct ir_expr **axes = kernel_indices(nest->k, buffer->ndim);

    for (unsigned d = 0; d < buffer->ndim; d++)
        axes[d] = nest_axis(nest, TIR_SPATIAL, buffer->shape[d]);
    return axes;
}

void nest_reduction_axes(struct nest *nest, const struct kernel_operand *operand,
                         const bool *reduced, const struct ir_expr **out)
{
    unsigned ndim = (unsigned)operand->type->ndim;
    bool is_last_kept = ndim > 0 && !reduced[ndim - 1];

    for (unsigned d = 0; d < ndim; d++)
        if (!reduced[d] && !(is_last_kept && d == ndim - 1))
            out[d] = nest_axis(nest, TIR_SPATIAL, kernel_expr(nest->k, operand->type->dims[d]));
    for (unsigned d = 0; d < ndim; d++)
        if (reduced[d])
            out[d] = nest_axis(nest, TIR_REDUCE, kernel_expr(nest->k, operand->type->dims[d]));
    if (is_last_kept)
        out[ndim - 1] =
            nest_axis(nest, TIR_SPATIAL, kernel_expr(nest->k, operand->type->dims[ndim - 1]));
}

const struct ir_expr *nest_load(struct nest *nest, const struct ir_buffer *buffer,
                                const struct ir_expr *const *indices)
{
    return ir_expr_load(nest->k->context, buffer, indices, buffer->ndim);
}

static struct tir_stmt *store(struct nest *nest, const struct ir_buffer *buffer,
                              const struct ir_expr *const *indices, const struct ir_expr *value)
{
    struct kernel *k = nest->k;
    struct tir_stmt *stmt = tir_store(k->module, buffer, indices, k_cast(k, buffer->dtype, value));

    stmt->loc = k->op->loc; /* the debugger stops at the operator */
    return stmt;
}

void nest_init(struct nest *nest, const struct ir_buffer *buffer,
               const struct ir_expr *const *indices, const struct ir_expr *value)
{
    array_push(&nest->init, store(nest, buffer, indices, value));
}

void nest_store(struct nest *nest, const struct ir_buffer *buffer,
                const struct ir_expr *const *indices, const struct ir_expr *value)
{
    array_push(&nest->body, store(nest, buffer, indices, value));
}

static struct tir_stmt *make_block(struct nest *nest, struct tir_stmt *init, struct tir_stmt *body)
{
    struct kernel *k = nest->k;
    struct tir_stmt *stmt = tir_stmt_new(k->module, TIR_BLOCK, k->op->loc);

    stmt->block.name = nest->name;
    stmt->block.axis_count = (unsigned)nest->axes.count;
    stmt->block.axes = arena_array(&k->module->arena, struct tir_axis, nest->axes.count + 1);
    if (nest->axes.count > 0)
        memcpy(stmt->block.axes, nest->axes.items, nest->axes.count * sizeof(nest->axes.items[0]));
    stmt->block.init = init;
    stmt->block.body = body;
    tir_block_infer_regions(k->module, stmt);
    stmt->block.has_reads = stmt->block.has_writes = true;
    for (size_t i = nest->loops.count; i-- > 0;) {
        stmt = tir_for(k->module, nest->loops.items[i], nest->axes.items[i].extent, stmt);
        stmt->loc = k->op->loc;
    }
    return stmt;
}

/* True if the reduction loops surely run: only then does T.init. */
static bool runs_reduction(const struct nest *nest)
{
    struct ir_context *context = nest->k->context;
    const struct ir_expr *one = ir_expr_int(context, IR_I64, 1);

    for (size_t i = 0; i < nest->axes.count; i++)
        if (nest->axes.items[i].kind == TIR_REDUCE &&
            !ir_prove_ge(context, NULL, nest->axes.items[i].extent, one))
            return false;
    return true;
}

/* The stores of T.init as a nest of their own, over the spatial axes. */
static void init_apart(struct nest *nest)
{
    struct kernel *k = nest->k;
    struct nest first = nest_begin(k, arena_printf(&k->context->arena, "%s_init", nest->name));
    struct ir_bindings axes = {0};

    for (size_t i = 0; i < nest->axes.count; i++) {
        const struct tir_axis *axis = &nest->axes.items[i];
        if (axis->kind != TIR_SPATIAL)
            continue;
        struct ir_binding binding = {axis->var, nest_axis(&first, TIR_SPATIAL, axis->extent)};
        array_push(&axes, binding);
    }
    for (size_t i = 0; i < nest->init.count; i++) {
        const struct tir_stmt *from = nest->init.items[i];
        const struct ir_expr **indices = kernel_indices(k, from->store.index_count);
        for (unsigned d = 0; d < from->store.index_count; d++)
            indices[d] = ir_expr_substitute(k->context, from->store.indices[d], &axes);
        nest_store(&first, from->store.buffer, indices,
                   ir_expr_substitute(k->context, from->store.value, &axes));
    }
    array_finish(&axes);
    nest_end(&first);
}

void nest_end(struct nest *nest)
{
    struct kernel *k = nest->k;
    struct tir_stmt *init = NULL;
    struct tir_stmt *body = tir_seq(k->module, nest->body.items, (unsigned)nest->body.count);

    if (nest->init.count > 0 && nest->reduce_count > 0 && runs_reduction(nest)) {
        init = tir_seq(k->module, nest->init.items, (unsigned)nest->init.count);
    } else if (nest->init.count > 0) {
        init_apart(nest);
    }
    struct tir_stmt *stmt = make_block(nest, init, body);
    array_push(&k->stmts, stmt);
    array_finish(&nest->axes);
    array_finish(&nest->loops);
    array_finish(&nest->init);
    array_finish(&nest->body);
}

const struct ir_expr **kernel_broadcast(struct kernel *k, const struct ir_type *type,
                                        const struct ir_expr *const *outer,
                                        const struct ir_expr *const *outer_dims,
                                        unsigned outer_ndim)
{
    unsigned ndim = (unsigned)type->ndim, shift = outer_ndim - ndim;
    const struct ir_expr **indices = kernel_indices(k, ndim);

    assert(type->ndim >= 0 && ndim <= outer_ndim);
    for (unsigned d = 0; d < ndim; d++) {
        indices[d] = kernel_spread(k, kernel_expr(k, type->dims[d]), outer_dims[shift + d],
                                   outer[shift + d]);
    }
    return indices;
}
