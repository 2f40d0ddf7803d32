/*
 * The lattice of types: is one a base of the other, at which of four levels not, and the least type
 * above two.
 *
 * Both follow Relax with two exceptions, both towards caution: dimensions that provably differ fail at
 * level 0 also when they are symbolic (n and n + 1), and the join of two different function types has
 * unknown parameters (Relax joins the parameters, which would accept arguments that neither takes).
 */
#include "base/array.h"
#include "ir/arith.h"
#include "ir/module.h"
#include "ir/type.h"

static enum ir_check worst(enum ir_check a, enum ir_check b)
{
    return a < b ? a : b;
}

static enum ir_check check_dims(struct ir_context *context, const struct ir_type *base,
                                const struct ir_type *derived)
{
    enum ir_check result = IR_CHECK_PASS;

    for (int i = 0; i < base->ndim; i++) {
        const struct ir_expr *a = base->dims[i];
        const struct ir_expr *b = derived->dims[i];

        if (ir_expr_equal(a, b) || ir_prove_equal(context, a, b))
            continue;
        if (ir_prove_different(context, a, b))
            return IR_CHECK_FAIL_KIND;
        result = IR_CHECK_FAIL_VALUE;
    }
    return result;
}

/* Rank and dimensions of two shapes or tensors. */
static enum ir_check check_shape(struct ir_context *context, const struct ir_type *base,
                                 const struct ir_type *derived)
{
    if (base->ndim != IR_NDIM_UNKNOWN && base->ndim != derived->ndim)
        return derived->ndim == IR_NDIM_UNKNOWN ? IR_CHECK_FAIL_KNOWN : IR_CHECK_FAIL_KIND;
    if (base->shape_var)
        return base->shape_var == derived->shape_var ? IR_CHECK_PASS : IR_CHECK_FAIL_VALUE;
    if (!base->dims)
        return IR_CHECK_PASS;
    return derived->dims ? check_dims(context, base, derived) : IR_CHECK_FAIL_VALUE;
}

static enum ir_check check_tensor(struct ir_context *context, const struct ir_type *base,
                                  const struct ir_type *derived)
{
    enum ir_check result = IR_CHECK_PASS;

    if (!ir_dtype_is_void(base->dtype) && !ir_dtype_equal(base->dtype, derived->dtype)) {
        if (!ir_dtype_is_void(derived->dtype))
            return IR_CHECK_FAIL_KIND;
        result = IR_CHECK_FAIL_KNOWN;
    }
    if (base->vdevice && base->vdevice != derived->vdevice) {
        if (derived->vdevice)
            return IR_CHECK_FAIL_KIND;
        result = IR_CHECK_FAIL_KNOWN;
    }
    return worst(result, check_shape(context, base, derived));
}

static enum ir_check check_fields(struct ir_context *context, const struct ir_type *base,
                                  const struct ir_type *derived)
{
    enum ir_check result = IR_CHECK_PASS;

    if (base->field_count != derived->field_count)
        return IR_CHECK_FAIL_KIND;
    for (unsigned i = 0; i < base->field_count && result != IR_CHECK_FAIL_KIND; i++)
        result = worst(result, ir_type_check(context, base->fields[i], derived->fields[i]));
    return result;
}

/* True if renaming the symbols that the parameters of @from bind makes @to of it. */
static bool renames_to(struct ir_context *context, const struct ir_type *from,
                       const struct ir_type *to)
{
    struct ir_bindings bindings = {0};

    for (unsigned i = 0; i < from->field_count; i++)
        ir_type_match(context, from->fields[i], to->fields[i], &bindings);
    bool result = ir_type_substitute(context, from, &bindings) == to;
    array_finish(&bindings);
    return result;
}

/* The same function type up to the names of its symbols: both ways, so that (n, m) is not (k, k). */
static bool same_func(struct ir_context *context, const struct ir_type *a, const struct ir_type *b)
{
    return a == b || (!a->is_opaque && !b->is_opaque && a->field_count == b->field_count &&
                      renames_to(context, a, b) && renames_to(context, b, a));
}

static enum ir_check check_func(struct ir_context *context, const struct ir_type *base,
                                const struct ir_type *derived)
{
    if (base->is_pure && !derived->is_pure)
        return IR_CHECK_FAIL_KIND;
    if (base->is_opaque) {
        if (base->derive)
            return base->derive == derived->derive ? IR_CHECK_PASS : IR_CHECK_FAIL_VALUE;
        return ir_type_check(context, base->result, derived->result);
    }
    if (derived->is_opaque)
        return IR_CHECK_FAIL_VALUE;
    /* Purity aside: a pure function may stand where an impure one is wanted. */
    const struct ir_type *same_purity = ir_type_func(context, derived->fields, derived->field_count,
                                                     derived->result, base->is_pure);
    if (same_func(context, base, same_purity))
        return IR_CHECK_PASS;
    enum ir_check params = check_fields(context, base, derived);
    if (params == IR_CHECK_FAIL_KNOWN)
        params = IR_CHECK_FAIL_VALUE;
    return worst(params, ir_type_check(context, base->result, derived->result));
}

enum ir_check ir_type_check(struct ir_context *context, const struct ir_type *base,
                            const struct ir_type *derived)
{
    if (base == derived || base->kind == IR_TYPE_ANY)
        return IR_CHECK_PASS;
    if (base->kind != derived->kind)
        return derived->kind == IR_TYPE_ANY ? IR_CHECK_FAIL_KNOWN : IR_CHECK_FAIL_KIND;
    switch (base->kind) {
    case IR_TYPE_ANY:
    case IR_TYPE_PACKED:
        return IR_CHECK_PASS;
    case IR_TYPE_PRIM:
        return ir_dtype_equal(base->dtype, derived->dtype) ? IR_CHECK_PASS : IR_CHECK_FAIL_KIND;
    case IR_TYPE_SHAPE:
        return check_shape(context, base, derived);
    case IR_TYPE_TENSOR:
        return check_tensor(context, base, derived);
    case IR_TYPE_TUPLE:
        return check_fields(context, base, derived);
    case IR_TYPE_FUNC:
        return check_func(context, base, derived);
    }
    UNREACHABLE("type kind");
}

static bool same_dims(struct ir_context *context, const struct ir_type *a, const struct ir_type *b)
{
    return a->ndim == b->ndim && a->dims && b->dims && check_dims(context, a, b) == IR_CHECK_PASS;
}

static const struct ir_type *join_tensor(struct ir_context *context, const struct ir_type *a,
                                         const struct ir_type *b)
{
    struct ir_dtype dtype = ir_dtype_equal(a->dtype, b->dtype) ? a->dtype : IR_VOID;

    return ir_type_tensor_full(context, dtype, same_dims(context, a, b) ? a->dims : NULL,
                               a->ndim == b->ndim ? a->ndim : IR_NDIM_UNKNOWN,
                               a->shape_var == b->shape_var ? a->shape_var : NULL,
                               a->vdevice == b->vdevice ? a->vdevice : NULL);
}

static const struct ir_type *join_tuple(struct ir_context *context, const struct ir_type *a,
                                        const struct ir_type *b)
{
    if (a->field_count != b->field_count)
        return ir_type_any(context);
    const struct ir_type **fields =
        arena_array(&context->arena, const struct ir_type *, a->field_count);
    for (unsigned i = 0; i < a->field_count; i++)
        fields[i] = ir_type_join(context, a->fields[i], b->fields[i]);
    return ir_type_tuple(context, fields, a->field_count);
}

static bool no_var(void *state, const struct ir_var *var)
{
    return false;
}

static const struct ir_type *join_func(struct ir_context *context, const struct ir_type *a,
                                       const struct ir_type *b)
{
    bool is_pure = a->is_pure && b->is_pure;

    if (same_func(context, a, b))
        return a;
    if (a->is_opaque && b->is_opaque && a->derive != b->derive)
        return ir_type_func_opaque(context, NULL, is_pure, NULL);
    /* Symbols of a result are bound by its parameters, which are gone. */
    const struct ir_type *result = ir_type_join(context, a->result, b->result);
    return ir_type_func_opaque(context, ir_type_erase(context, result, no_var, NULL), is_pure,
                               a->derive == b->derive ? a->derive : NULL);
}

const struct ir_type *ir_type_join(struct ir_context *context, const struct ir_type *a,
                                   const struct ir_type *b)
{
    if (a == b)
        return a;
    if (a->kind != b->kind)
        return ir_type_any(context);
    switch (a->kind) {
    case IR_TYPE_ANY:
    case IR_TYPE_PACKED:
    case IR_TYPE_PRIM: /* of one dtype they are one type */
        return ir_type_any(context);
    case IR_TYPE_SHAPE:
        return ir_type_shape(context, same_dims(context, a, b) ? a->dims : NULL,
                             a->ndim == b->ndim ? a->ndim : IR_NDIM_UNKNOWN);
    case IR_TYPE_TENSOR:
        return join_tensor(context, a, b);
    case IR_TYPE_TUPLE:
        return join_tuple(context, a, b);
    case IR_TYPE_FUNC:
        return join_func(context, a, b);
    }
    UNREACHABLE("type kind");
}
