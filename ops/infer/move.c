/* Types of views: the operators that give the elements of a tensor another shape. */
#include "ops/elements.h"
#include "ops/internal.h"

#include <string.h>

/* Where the one -1 of a reshape stands, -1 if there is none, or -2 after a report. */
static int open_dim(const struct infer *in, const struct ir_type *shape)
{
    const char *why = NULL;
    int open = -1;

    for (int d = 0; d < shape->ndim; d++) {
        int64_t value;
        if (!ir_expr_constant(in->context, shape->dims[d], &value) || value >= 0)
            continue;
        if (value < -1)
            why = "has a negative dimension other than -1";
        else if (open >= 0)
            why = "has -1 twice";
        open = d;
    }
    if (why == NULL)
        return open;
    diag_report(in->diag, op_argument_place(in, "shape"), OP_ATTRIBUTE, in->op->info->name, "shape",
                why);
    return -2;
}

/* Dim @d of the shape of a reshape, 0 for that of the operand; NULL if not known. */
static const struct ir_expr *reshape_dim(const struct infer *in, const struct ir_type *type,
                                         const struct ir_type *shape, int d)
{
    int64_t value;

    if (!ir_expr_constant(in->context, shape->dims[d], &value) || value != 0)
        return shape->dims[d];
    if (type->ndim != IR_NDIM_UNKNOWN && d >= type->ndim)
        return shape->dims[d];
    return type->dims != NULL ? type->dims[d] : NULL;
}

/* The dims of a reshape with 0 and -1 worked out; NULL if not known or, *out_failed, after a report. */
static const struct ir_expr **reshape_dims(const struct infer *in, const struct ir_type *type,
                                           const struct ir_type *shape, bool *out_failed)
{
    const struct ir_expr **dims = op_dims(in, (unsigned)shape->ndim);
    const struct ir_expr *rest = op_int(in, 1);
    int open = open_dim(in, shape);
    int64_t divisor;

    *out_failed = open == -2;
    if (*out_failed)
        return NULL;
    for (int d = 0; d < shape->ndim; d++) {
        if (d == open)
            continue;
        dims[d] = reshape_dim(in, type, shape, d);
        if (dims[d] == NULL)
            return NULL;
        rest = dim_mul(in->context, rest, dims[d]);
    }
    if (open < 0)
        return dims;
    if (type->dims == NULL)
        return NULL;
    const struct ir_expr *total = dim_product(in->context, type->dims, (unsigned)type->ndim);
    if (ir_expr_constant(in->context, rest, &divisor) && divisor == 0)
        dims[open] = op_int(in, 0);
    else
        dims[open] =
            ir_simplify(in->context, ir_expr_binary(in->context, IR_EXPR_floordiv, total, rest));
    return dims;
}

/* Reports if the two provably differ in the number of elements. */
static bool check_elements(const struct infer *in, const struct ir_type *type,
                           const struct ir_expr *const *dims, unsigned count)
{
    const struct ir_expr *before, *after;

    if (type->dims == NULL || dims == NULL)
        return true;
    before = dim_product(in->context, type->dims, (unsigned)type->ndim);
    after = dim_product(in->context, dims, count);
    if (!ir_prove_different(in->context, before, after))
        return true;
    struct diag_message *m =
        diag_report(in->diag, op_argument_place(in, "shape"), OP_ELEMENTS, in->op->info->name,
                    op_shape_text(in, type),
                    op_shape_text(in, ir_type_tensor(in->context, IR_VOID, dims, (int)count)));
    diag_note(m, "the first has %s elements, the second %s", op_dim_text(in, before),
              op_dim_text(in, after));
    return false;
}

/* --- as many elements for no size but 0 --- */

/* A number of elements that is a number times symbols. */
struct product {
    const struct ir_var *vars[IR_RANK_LIMIT];
    unsigned count;
    int64_t factor;
    bool is_other;
};

static bool add_factor(void *state, const struct ir_expr *e)
{
    struct product *product = state;
    bool is_known = e->kind == IR_EXPR_mul;

    if (e->kind == IR_EXPR_int)
        is_known = !__builtin_mul_overflow(product->factor, e->int_value, &product->factor);
    for (unsigned i = 0; e->kind == IR_EXPR_var && i < product->count; i++)
        is_known |= product->vars[i] == e->var;
    if (e->kind == IR_EXPR_var && !is_known && product->count < IR_RANK_LIMIT) {
        product->vars[product->count++] = e->var;
        is_known = true;
    }
    product->is_other |= !is_known;
    return true;
}

static struct product product_of(struct ir_context *context, const struct ir_type *type)
{
    struct product product = {.factor = 1};

    ir_expr_walk(dim_product(context, type->dims, (unsigned)type->ndim), add_factor, &product);
    return product;
}

static bool has_dims(const struct ir_type *type)
{
    return type->kind == IR_TYPE_TENSOR && type->dims;
}

const char *op_only_empty(struct ir_context *context, const struct ir_op *op)
{
    const struct ir_type *from = op->operands[0].value->type, *to = op->result.type;
    const char *names = NULL;

    if (!has_dims(from) || !has_dims(to))
        return NULL;
    struct product first = product_of(context, from), second = product_of(context, to);
    if (first.is_other || second.is_other || first.factor == second.factor || !first.factor ||
        !second.factor || first.count != second.count)
        return NULL;
    const struct ir_expr *left =
        ir_expr_binary(context, IR_EXPR_mul, dim_product(context, from->dims, (unsigned)from->ndim),
                       ir_expr_int(context, IR_I64, second.factor));
    const struct ir_expr *right =
        ir_expr_binary(context, IR_EXPR_mul, dim_product(context, to->dims, (unsigned)to->ndim),
                       ir_expr_int(context, IR_I64, first.factor));
    if (!ir_prove_equal(context, left, right))
        return NULL;
    for (unsigned i = 0; i < first.count; i++)
        names = names ? arena_printf(&context->arena, "%s` or `%s", names, first.vars[i]->name)
                      : first.vars[i]->name;
    return names;
}

/* The number that dim @axis of @to would be for as many elements as @from has; 0: there is none. */
static int64_t meant_dim(struct ir_context *context, const struct ir_type *from,
                         const struct ir_type *to, int axis)
{
    struct product first = product_of(context, from), second = product_of(context, to);
    int64_t said, meant;

    if (!ir_expr_constant(context, to->dims[axis], &said) || !second.factor ||
        __builtin_mul_overflow(said, first.factor, &meant) || meant % second.factor)
        return 0;
    return meant / second.factor;
}

bool op_help_elements(struct ir_context *context, struct diag_message *m, const struct ir_op *op)
{
    const struct ir_type *from = op->operands[0].value->type, *to = op->result.type;
    struct location shape = location_argument(op->loc, 1, "shape");
    int64_t number = 0;
    int found = -1;

    if (!op_only_empty(context, op) || shape.begin == op->loc.begin ||
        !strchr("([", shape.source->text[shape.begin]))
        return false;
    for (int axis = 0; axis < to->ndim; axis++) {
        int64_t meant = meant_dim(context, from, to, axis);
        if (meant <= 0)
            continue;
        if (found >= 0)
            return false;
        found = axis;
        number = meant;
    }
    struct location place = found < 0 ? shape : location_argument(shape, (unsigned)found, NULL);
    if (found < 0 ||
        strspn(place.source->text + place.begin, "0123456789") != place.end - place.begin)
        return false;
    diag_help(m, "with %lld there are as many elements", (long long)number);
    diag_help_edit(m, place, "%lld", (long long)number);
    return true;
}

bool op_report_elements(struct ir_module *module, struct diag *diag, const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const char *names = op_is(op, OP_reshape) ? op_only_empty(module->context, op) : NULL;

    if (!names)
        return false;
    const struct ir_type *from = op->operands[0].value->type, *to = op->result.type;
    struct diag_message *m =
        diag_report(diag, op_argument_place(&in, "shape"), OP_ELEMENTS, op->info->name,
                    op_shape_text(&in, from), op_shape_text(&in, to));
    diag_note(m, "they have as many elements only where `%s` is 0", names);
    op_help_elements(module->context, m, op);
    return true;
}

const struct ir_type *infer_reshape(struct ir_module *module, struct diag *diag,
                                    const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);
    const struct ir_type *shape = op_shape(&in, 1);
    bool has_failed = false;

    if (type == NULL || shape == NULL)
        return NULL;
    if (shape->dims == NULL)
        return op_result_type(&in, type->dtype, NULL, shape->ndim);
    const struct ir_expr **dims = reshape_dims(&in, type, shape, &has_failed);
    if (has_failed || !check_elements(&in, type, dims, (unsigned)shape->ndim))
        return NULL;
    return op_result_type(&in, type->dtype, dims, shape->ndim);
}

const struct ir_type *infer_flatten(struct ir_module *module, struct diag *diag,
                                    const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);

    if (type == NULL)
        return NULL;
    if (type->dims == NULL)
        return op_result_type(&in, type->dtype, NULL, 1);
    const struct ir_expr *dim = dim_product(in.context, type->dims, (unsigned)type->ndim);
    return op_result_type(&in, type->dtype, &dim, 1);
}

const struct ir_type *infer_batch_flatten(struct ir_module *module, struct diag *diag,
                                          const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);
    const struct ir_expr *dims[2];

    if (type == NULL)
        return NULL;
    if (type->ndim != IR_NDIM_UNKNOWN && type->ndim < 1) {
        diag_report(diag, op->loc, OP_RANK, op->info->name, "data", "rank 1 or more",
                    op_shape_text(&in, type));
        return NULL;
    }
    if (type->dims == NULL)
        return op_result_type(&in, type->dtype, NULL, 2);
    dims[0] = type->dims[0];
    dims[1] = dim_product(in.context, type->dims + 1, (unsigned)type->ndim - 1);
    return op_result_type(&in, type->dtype, dims, 2);
}

const struct ir_type *infer_expand_dims(struct ir_module *module, struct diag *diag,
                                        const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);
    const struct ir_attr *axes = ir_op_attr(op, "axis");

    if (type == NULL)
        return NULL;
    if (type->ndim == IR_NDIM_UNKNOWN)
        return op_result_type(&in, type->dtype, NULL, IR_NDIM_UNKNOWN);
    unsigned ndim = (unsigned)type->ndim + axes->count;
    const bool *flags = op_check_axes(&in, axes, (int)ndim);
    if (flags == NULL)
        return NULL;
    if (type->dims == NULL)
        return op_result_type(&in, type->dtype, NULL, (int)ndim);
    const struct ir_expr **dims = op_dims(&in, ndim);
    for (unsigned d = 0, from = 0; d < ndim; d++)
        dims[d] = flags[d] ? op_int(&in, 1) : type->dims[from++];
    return op_result_type(&in, type->dtype, dims, (int)ndim);
}

/* squeeze of all axes of extent 1; of symbols, which may be 1 in some runs, no axis goes. */
static const struct ir_type *squeeze_all(const struct infer *in, const struct ir_type *type)
{
    if (type->dims == NULL)
        return op_result_type(in, type->dtype, NULL, IR_NDIM_UNKNOWN);
    const struct ir_expr **dims = op_dims(in, (unsigned)type->ndim);
    unsigned count = 0;
    for (int d = 0; d < type->ndim; d++) {
        int64_t extent;
        if (ir_expr_constant(in->context, type->dims[d], &extent) && extent == 1)
            continue;
        dims[count++] = type->dims[d];
    }
    return op_result_type(in, type->dtype, dims, (int)count);
}

const struct ir_type *infer_squeeze(struct ir_module *module, struct diag *diag,
                                    const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);
    const struct ir_attr *axes = ir_op_attr(op, "axis");

    if (type == NULL)
        return NULL;
    if (axes->kind != IR_ATTR_LIST)
        return squeeze_all(&in, type);
    if (type->ndim == IR_NDIM_UNKNOWN)
        return op_result_type(&in, type->dtype, NULL, IR_NDIM_UNKNOWN);
    const bool *flags = op_check_axes(&in, axes, type->ndim);
    if (flags == NULL)
        return NULL;
    if (type->dims == NULL)
        return op_result_type(&in, type->dtype, NULL, type->ndim - (int)axes->count);
    const struct ir_expr **dims = op_dims(&in, (unsigned)type->ndim);
    int count = 0;
    for (int d = 0; d < type->ndim; d++) {
        int64_t extent;
        /* As in PyTorch and TVM, an axis of another extent stays. */
        bool is_other = ir_expr_constant(in.context, type->dims[d], &extent) && extent != 1;
        if (!flags[d] || is_other)
            dims[count++] = type->dims[d];
    }
    return op_result_type(&in, type->dtype, dims, count);
}

const struct ir_type *infer_permute_dims(struct ir_module *module, struct diag *diag,
                                         const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);
    const struct ir_attr *axes = ir_op_attr(op, "axes");

    if (type == NULL)
        return NULL;
    if (type->ndim == IR_NDIM_UNKNOWN)
        return op_result_type(&in, type->dtype, NULL,
                              axes->kind == IR_ATTR_LIST ? (int)axes->count : IR_NDIM_UNKNOWN);
    if (axes->kind == IR_ATTR_LIST) {
        if (op_check_axes(&in, axes, type->ndim) == NULL)
            return NULL;
        if (axes->count != (unsigned)type->ndim) {
            diag_report(diag, op_argument_place(&in, "axes"), OP_ATTRIBUTE, op->info->name, "axes",
                        arena_printf(&in.context->arena, "has %u entries for a tensor of rank %d",
                                     axes->count, type->ndim));
            return NULL;
        }
    }
    if (type->dims == NULL)
        return op_result_type(&in, type->dtype, NULL, type->ndim);
    unsigned ndim = (unsigned)type->ndim;
    const struct ir_expr **dims = op_dims(&in, ndim);
    for (unsigned d = 0; d < ndim; d++)
        dims[d] = type->dims[axes->kind == IR_ATTR_LIST ? op_axis(axes->items[d]->integer, ndim)
                                                        : ndim - 1 - d];
    return op_result_type(&in, type->dtype, dims, type->ndim);
}

/* Can dimension @b of @narrow, @dim, be spread over dimension @a of @wide, @extent, as far as is known? */
static bool can_spread(const struct infer *in, const char *wide, int a,
                       const struct ir_expr *extent, const char *narrow, int b,
                       const struct ir_expr *dim)
{
    struct arena *arena = &in->context->arena;
    struct op_pair pair = {
        .relation = OP_DIM_SAME_OR_ONE,
        .first = extent,
        .first_name = arena_printf(arena, "dimension %d of `%s`", a, wide),
        .second = dim,
        .second_name = arena_printf(arena, "dimension %d of `%s`", b, narrow),
        .operand = narrow,
    };

    return op_pair_fits(in, &pair);
}

const struct ir_type *infer_broadcast_to(struct ir_module *module, struct diag *diag,
                                         const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);
    const struct ir_type *shape = op_shape(&in, 1);

    if (type == NULL || shape == NULL)
        return NULL;
    bool fits = type->ndim == IR_NDIM_UNKNOWN || shape->ndim == IR_NDIM_UNKNOWN ||
                type->ndim <= shape->ndim;
    for (int d = 0; fits && type->dims != NULL && shape->dims != NULL && d < type->ndim; d++) {
        int to = shape->ndim - type->ndim + d;
        fits = can_spread(&in, "shape", to, shape->dims[to], "x", d, type->dims[d]);
    }
    if (!fits) {
        diag_report(diag, op->loc, OP_BROADCAST, op->info->name, "x", op_shape_text(&in, type),
                    "shape", op_shape_text(&in, shape));
        return NULL;
    }
    return op_result_type(&in, type->dtype, shape->dims, shape->ndim);
}

/* @target is what can be broadcast to the data. */
static const struct ir_type *collapsed(const struct infer *in, const struct ir_type *target)
{
    const struct ir_type *type = op_tensor(in, 0);
    const char *name = op_operand_name(in->op->info, 1);

    if (type == NULL || target == NULL)
        return NULL;
    bool fits = type->ndim == IR_NDIM_UNKNOWN || target->ndim == IR_NDIM_UNKNOWN ||
                target->ndim <= type->ndim;
    for (int d = 0; fits && type->dims && target->dims && d < target->ndim; d++) {
        int of = type->ndim - target->ndim + d;
        fits = can_spread(in, "data", of, type->dims[of], name, d, target->dims[d]);
    }
    if (fits)
        return op_result_type(in, type->dtype, target->dims, target->ndim);
    diag_report(in->diag, op_argument_place(in, name), OP_BROADCAST, in->op->info->name, name,
                op_shape_text(in, target), op_operand_name(in->op->info, 0),
                op_shape_text(in, type));
    return NULL;
}

const struct ir_type *infer_collapse_sum_like(struct ir_module *module, struct diag *diag,
                                              const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);

    return collapsed(&in, op_tensor(&in, 1));
}

const struct ir_type *infer_collapse_sum_to(struct ir_module *module, struct diag *diag,
                                            const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);

    return collapsed(&in, op_shape(&in, 1));
}
