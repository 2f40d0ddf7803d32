/* Shapes as values and what is made by them: Shape, Reshape, Squeeze, Expand, Range and their like. */
#include "frontend/onnx/families.h"
#include "frontend/onnx/storage.h"

#include <math.h>
#include <string.h>

static bool out_elements(struct onnx_node *n, struct ir_dtype dtype, unsigned rank,
                         const int64_t *dims, const struct ir_expr *const *elements, size_t count)
{
    onnx_value_set_elements(n->m, &n->outputs[0], dtype, rank, dims, elements, count);
    return true;
}

/* The same elements in another shape, where they are followed. */
static bool follow_reshape(struct onnx_node *n, unsigned rank, const int64_t *dims)
{
    struct onnx_value *x = n->inputs[0];

    return onnx_value_is_known(n->m, x) &&
           out_elements(n, x->dtype, rank, dims, x->elements, x->count);
}

/* ---- constants ---- */

static bool constant_numbers(struct onnx_node *n, struct ir_dtype dtype, bool is_list,
                             const void *items, size_t count)
{
    int64_t dims[] = {(int64_t)count};
    return onnx_out(n, 0, onnx_constant(n->m, dtype, dims, is_list, items));
}

bool onnx_constant_node(struct onnx_node *n)
{
    const Onnx__Attribute *a;

    if ((a = onnx_attribute(n, "value")) && a->t) {
        n->outputs[0].stored = onnx_stored(a->t->data_type);
        return onnx_out(n, 0, onnx_tensor(n->m, a->t));
    }
    if ((a = onnx_attribute(n, "sparse_value")) && a->sparse_tensor)
        return onnx_out(n, 0, onnx_sparse_tensor(n->m, a->sparse_tensor));
    if ((a = onnx_attribute(n, "value_float")))
        return constant_numbers(n, IR_F32, false, &a->f, 1);
    if ((a = onnx_attribute(n, "value_int")))
        return constant_numbers(n, IR_I64, false, &a->i, 1);
    if ((a = onnx_attribute(n, "value_floats")))
        return constant_numbers(n, IR_F32, true, a->floats, a->n_floats);
    if ((a = onnx_attribute(n, "value_ints")))
        return constant_numbers(n, IR_I64, true, a->ints, a->n_ints);
    onnx_refuse(n, "it has no value of numbers");
    return false;
}

bool onnx_constant_of_shape(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    const Onnx__Attribute *a = onnx_attribute(n, "value");
    struct ir_value *value = a && a->t ? onnx_tensor(m, a->t) : onnx_scalar(m, IR_F32, 0);
    const struct ir_constant *constant = onnx_constant_of(value);
    size_t rank;
    const struct ir_expr *const *dims = value ? onnx_in_ints(n, 0, &rank) : NULL;
    int64_t sizes[IR_RANK_LIMIT], count = 1;
    bool is_small = true;

    if (!dims)
        return false;
    n->outputs[0].stored = a && a->t ? onnx_stored(a->t->data_type) : 0;
    if (constant->bytes != ir_dtype_bytes(constant->dtype) || rank > IR_RANK_LIMIT) {
        onnx_refuse(n, "its value is no single number, or it has too many dimensions");
        return false;
    }
    for (size_t i = 0; i < rank; i++)
        is_small = is_small && ir_expr_constant(m->context, dims[i], &sizes[i]) && sizes[i] >= 0 &&
                   (count == 0 || sizes[i] <= ONNX_ELEMENT_LIMIT / count) &&
                   (count *= sizes[i], true);
    value = onnx_constant(m, constant->dtype, NULL, 0, constant->data);
    struct onnx_value element = {.tensor = value};
    if (is_small && onnx_value_is_known(m, &element)) {
        const struct ir_expr **elements =
            arena_array(m->arena, const struct ir_expr *, (size_t)count + 1);
        for (int64_t i = 0; i < count; i++)
            elements[i] = element.elements[0];
        return out_elements(n, constant->dtype, (unsigned)rank, sizes, elements, (size_t)count);
    }
    return onnx_out(n, 0, MAKE(&m->b, OP_full, make_shape(&m->b, dims, (unsigned)rank), value));
}

/* ---- shapes of tensors ---- */

bool onnx_shape(struct onnx_node *n)
{
    struct ir_value *x = onnx_in(n, 0);
    int64_t start, end, rank = x ? onnx_rank(x) : 0;

    if (!x)
        return false;
    start = onnx_int(n, "start", 0);
    end = onnx_int(n, "end", rank);
    start = start < 0 ? start + rank : start;
    end = end < 0 ? end + rank : end;
    start = start < 0 ? 0 : start > rank ? rank : start;
    end = end < start ? start : end > rank ? rank : end;
    int64_t dims[] = {end - start};
    return out_elements(n, IR_I64, 1, dims, onnx_dims(x) + start, (size_t)dims[0]);
}

bool onnx_size(struct onnx_node *n)
{
    struct ir_value *x = onnx_in(n, 0);
    const struct ir_expr **size = arena_array(n->m->arena, const struct ir_expr *, 1);

    size[0] = onnx_expr(n->m, 1);
    for (int i = 0; x && i < onnx_rank(x); i++)
        size[0] = onnx_op(n->m, IR_EXPR_mul, size[0], onnx_dims(x)[i]);
    return x && out_elements(n, IR_I64, 0, NULL, size, 1);
}

/* All dims are numbers: into @out. */
static bool number_dims(struct onnx_import *m, const struct ir_expr *const *dims, size_t count,
                        int64_t *out)
{
    for (size_t i = 0; i < count; i++)
        if (!ir_expr_constant(m->context, dims[i], &out[i]))
            return false;
    return true;
}

static const struct ir_expr *product(struct onnx_import *m, const struct ir_expr *const *dims,
                                     size_t count)
{
    const struct ir_expr *size = onnx_expr(m, 1);

    for (size_t i = 0; i < count; i++)
        size = onnx_op(m, IR_EXPR_mul, size, dims[i]);
    return size;
}

/* @dims without what both have, so that a quotient stays simple: n * 4 elements as (n, -1). */
static const struct ir_expr *quotient(struct onnx_import *m, const struct ir_value *x,
                                      const struct ir_expr *const *dims, size_t count, size_t open)
{
    bool used[IR_RANK_LIMIT] = {false};
    const struct ir_expr *all = onnx_expr(m, 1), *rest = onnx_expr(m, 1);

    for (size_t i = 0; i < count; i++) {
        int same = -1;
        for (int k = 0; i != open && same < 0 && k < onnx_rank(x); k++)
            if (!used[k] && ir_expr_equal(onnx_dims(x)[k], dims[i]))
                same = k;
        if (same >= 0)
            used[same] = true;
        else if (i != open)
            rest = onnx_op(m, IR_EXPR_mul, rest, dims[i]);
    }
    for (int k = 0; k < onnx_rank(x); k++)
        if (!used[k])
            all = onnx_op(m, IR_EXPR_mul, all, onnx_dims(x)[k]);
    return ir_expr_is_int(rest, 0) ? onnx_expr(m, 0) : onnx_op(m, IR_EXPR_floordiv, all, rest);
}

/*
 * Sizes that only the run knows, as symbols: 0 is the size of the same axis, -1 what is left.  They are worked out
 * with vectors, since no dim is negative.
 */
static const struct ir_expr *const *read_dims(struct onnx_node *n, struct ir_value *x,
                                              size_t *out_count)
{
    struct onnx_import *m = n->m;
    struct ir_value *given = onnx_in(n, 1);
    struct onnx_value own = {0}, all = {0};
    const struct ir_expr **sizes, **dims, *total = product(m, onnx_dims(x), (size_t)onnx_rank(x));
    int64_t count, axis = 0;

    if (!given)
        return NULL;
    if (onnx_rank(given) != 1 || !ir_expr_constant(m->context, onnx_dims(given)[0], &count) ||
        count > IR_RANK_LIMIT) {
        onnx_refuse(n, "how many axes its result has is not known");
        return NULL;
    }
    sizes = arena_array(m->arena, const struct ir_expr *, (size_t)count + 1);
    dims = arena_array(m->arena, const struct ir_expr *, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        sizes[i] = i < onnx_rank(x) ? onnx_dims(x)[i] : onnx_expr(m, 0);
    onnx_value_set_elements(m, &own, IR_I64, 1, &count, sizes, (size_t)count);
    onnx_value_set_elements(m, &all, IR_I64, 0, NULL, &total, 1);
    struct ir_value *zero = onnx_scalar(m, IR_I64, 0), *to = onnx_cast(m, given, IR_I64);
    if (!onnx_int(n, "allowzero", 0))
        to = MAKE(&m->b, OP_where, MAKE(&m->b, OP_equal, to, zero), onnx_value_tensor(m, &own), to);
    /* the product with the one -1 is that of the others, negated; nothing is divided by 0 */
    struct ir_value *others =
        MAKE(&m->b, OP_negative, to ? onnx_reduce(m, OP_prod, to, &axis, 1, false) : NULL);
    struct ir_value *rest = MAKE(&m->b, OP_divide, onnx_value_tensor(m, &all),
                                 MAKE(&m->b, OP_maximum, others, onnx_scalar(m, IR_I64, 1)));
    to = MAKE(&m->b, OP_where, MAKE(&m->b, OP_less, to, zero), rest, to);
    *out_count = (size_t)count;
    return to && onnx_read_sizes(m, to, (unsigned)count, dims) ? dims : NULL;
}

bool onnx_reshape_node(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);
    size_t count, open = SIZE_MAX;
    bool is_known = onnx_has(n, 1) && onnx_value_is_known(n->m, n->inputs[1]);
    const struct ir_expr *const *given = !x         ? NULL
                                         : is_known ? onnx_in_ints(n, 1, &count)
                                                    : read_dims(n, x, &count);
    const struct ir_expr **dims;
    int64_t sizes[IR_RANK_LIMIT];

    if (!given || count > IR_RANK_LIMIT)
        return false;
    if (!is_known)
        return onnx_out(n, 0, onnx_reshape(m, x, given, (unsigned)count));
    dims = arena_array(m->arena, const struct ir_expr *, count + 1);
    for (size_t i = 0; i < count; i++) {
        dims[i] = given[i];
        if (ir_expr_is_int(given[i], 0) && !onnx_int(n, "allowzero", 0) && (int)i < onnx_rank(x))
            dims[i] = onnx_dims(x)[i];
        if (ir_expr_is_int(given[i], -1))
            open = i;
    }
    if (open != SIZE_MAX)
        dims[open] = quotient(m, x, dims, count, open);
    if (number_dims(m, dims, count, sizes) && follow_reshape(n, (unsigned)count, sizes))
        return true;
    return onnx_out(n, 0, onnx_reshape(m, x, dims, (unsigned)count));
}

bool onnx_flatten(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);
    int64_t axis = onnx_int(n, "axis", 1);

    if (!x)
        return false;
    axis = axis < 0 ? axis + onnx_rank(x) : axis;
    if (axis < 0 || axis > onnx_rank(x)) {
        onnx_refuse(n, "axis %lld is none of %d axes", (long long)axis, onnx_rank(x));
        return false;
    }
    const struct ir_expr *dims[] = {product(m, onnx_dims(x), (size_t)axis),
                                    product(m, onnx_dims(x) + axis, (size_t)(onnx_rank(x) - axis))};
    return onnx_out(n, 0, onnx_reshape(m, x, dims, 2));
}

/* The axes of a node: attribute before opset 13, then an input; NULL in *@out: none were given. */
static bool given_axes(struct onnx_node *n, int rank, const int64_t **out, size_t *out_count)
{
    int64_t *axes;

    *out = NULL;
    *out_count = 0;
    if (onnx_has(n, 1))
        *out = onnx_in_numbers(n, 1, out_count);
    else if (onnx_attribute(n, "axes"))
        *out = onnx_ints(n, "axes", out_count);
    else
        return true;
    if (!*out)
        return false;
    axes = arena_array(n->m->arena, int64_t, *out_count + 1);
    for (size_t i = 0; i < *out_count; i++)
        if (!onnx_axis(n, (*out)[i], rank, &axes[i]))
            return false;
    *out = axes;
    return true;
}

static bool contains(const int64_t *axes, size_t count, int64_t axis)
{
    for (size_t i = 0; i < count; i++)
        if (axes[i] == axis)
            return true;
    return false;
}

bool onnx_squeeze(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);
    const int64_t *axes;
    const struct ir_expr *dims[IR_RANK_LIMIT];
    int64_t sizes[IR_RANK_LIMIT];
    size_t axis_count;
    unsigned count = 0;

    if (!x || !given_axes(n, onnx_rank(x), &axes, &axis_count))
        return false;
    for (int i = 0; i < onnx_rank(x); i++) {
        bool goes = axes ? contains(axes, axis_count, i) : ir_expr_is_int(onnx_dims(x)[i], 1);
        if (goes && ir_prove_different(m->context, onnx_dims(x)[i], onnx_expr(m, 1))) {
            onnx_refuse(n, "axis %d has not the extent 1", i);
            return false;
        }
        if (!goes)
            dims[count++] = onnx_dims(x)[i];
    }
    if (number_dims(m, dims, count, sizes) && follow_reshape(n, count, sizes))
        return true;
    return onnx_out(n, 0, onnx_reshape(m, x, dims, count));
}

bool onnx_unsqueeze(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);
    const int64_t *axes, *unused;
    const struct ir_expr *dims[IR_RANK_LIMIT];
    int64_t sizes[IR_RANK_LIMIT];
    size_t axis_count;
    unsigned count = 0, next = 0;

    if (!x)
        return false;
    unused =
        onnx_has(n, 1) ? onnx_in_numbers(n, 1, &axis_count) : onnx_ints(n, "axes", &axis_count);
    if (!unused || axis_count > IR_RANK_LIMIT / 2 ||
        !given_axes(n, onnx_rank(x) + (int)axis_count, &axes, &axis_count))
        return false;
    for (count = 0; count < (unsigned)onnx_rank(x) + axis_count && count < IR_RANK_LIMIT; count++)
        dims[count] = contains(axes, axis_count, count) || next == (unsigned)onnx_rank(x)
                          ? onnx_expr(m, 1)
                          : onnx_dims(x)[next++];
    if (number_dims(m, dims, count, sizes) && follow_reshape(n, count, sizes))
        return true;
    return onnx_out(n, 0, onnx_reshape(m, x, dims, count));
}

/* ---- by shapes ---- */

bool onnx_expand(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);
    size_t count;
    const struct ir_expr *const *shape = x ? onnx_in_ints(n, 1, &count) : NULL;
    const struct ir_expr *dims[IR_RANK_LIMIT];
    int64_t sizes[IR_RANK_LIMIT];

    if (!shape || count > IR_RANK_LIMIT)
        return false;
    int rank = (int)count > onnx_rank(x) ? (int)count : onnx_rank(x);
    for (int i = 0; i < rank; i++) {
        int in_x = i - (rank - onnx_rank(x)), in_shape = i - (rank - (int)count);
        dims[i] = in_x < 0 ? shape[in_shape]
                  : in_shape < 0
                      ? onnx_dims(x)[in_x]
                      : onnx_common_dim(m, onnx_dims(x)[in_x], shape[in_shape], shape[in_shape]);
    }
    struct onnx_value *value = n->inputs[0];
    if (onnx_value_is_known(m, value) && value->count == 1 && rank <= 1 &&
        number_dims(m, dims, (size_t)rank, sizes) && (rank == 0 || sizes[0] <= IR_RANK_LIMIT)) {
        size_t total = rank ? (size_t)sizes[0] : 1;
        const struct ir_expr **same = arena_array(m->arena, const struct ir_expr *, total + 1);
        for (size_t i = 0; i < total; i++)
            same[i] = value->elements[0];
        return out_elements(n, value->dtype, (unsigned)rank, sizes, same, total);
    }
    return onnx_out(n, 0, onnx_broadcast(m, x, dims, (unsigned)rank));
}

/* Each axis taken apart: (r, d), repeated along r. */
bool onnx_tile(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);
    size_t count;
    const struct ir_expr *const *repeats = x ? onnx_in_ints(n, 1, &count) : NULL;
    const struct ir_expr *split[IR_RANK_LIMIT], *wide[IR_RANK_LIMIT], *dims[IR_RANK_LIMIT];

    if (!repeats)
        return false;
    if ((int)count != onnx_rank(x) || count > IR_RANK_LIMIT / 2) {
        onnx_refuse(n, "it has %zu repeats for %d axes", count, onnx_rank(x));
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        split[2 * i] = onnx_expr(m, 1);
        wide[2 * i] = repeats[i];
        split[2 * i + 1] = wide[2 * i + 1] = onnx_dims(x)[i];
        dims[i] = onnx_op(m, IR_EXPR_mul, repeats[i], onnx_dims(x)[i]);
    }
    struct ir_value *apart = onnx_reshape(m, x, split, 2 * (unsigned)count);
    return onnx_out(n, 0,
                    onnx_reshape(m, onnx_broadcast(m, apart, wide, 2 * (unsigned)count), dims,
                                 (unsigned)count));
}

/* ---- rows of numbers ---- */

static bool follow_range(struct onnx_node *n, double start, double limit, double delta)
{
    struct ir_dtype dtype = n->inputs[0]->dtype;
    double exact = ceil((limit - start) / delta);
    int64_t count = exact > 0 ? (int64_t)exact : 0, dims[] = {count};
    const struct ir_expr **elements;

    if (delta == 0 || exact > (double)ONNX_ELEMENT_LIMIT || ir_dtype_is_float(dtype))
        return false;
    elements = arena_array(n->m->arena, const struct ir_expr *, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        elements[i] = onnx_expr(n->m, (int64_t)(start + (double)i * delta));
    return out_elements(n, dtype, 1, dims, elements, (size_t)count);
}

bool onnx_range(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    const struct ir_expr *parts[3];
    size_t count;
    struct ir_dtype dtype;

    for (unsigned i = 0; i < 3; i++) {
        const struct ir_expr *const *one = onnx_in_ints(n, i, &count);
        if (!one || count != 1)
            return false;
        parts[i] = one[0];
    }
    dtype = n->inputs[0]->dtype;
    bool are_numbers = true;
    double numbers[3] = {0};
    for (unsigned i = 0; i < 3; i++) {
        are_numbers =
            are_numbers && (parts[i]->kind == IR_EXPR_int || parts[i]->kind == IR_EXPR_float);
        if (are_numbers)
            numbers[i] =
                parts[i]->kind == IR_EXPR_int ? (double)parts[i]->int_value : parts[i]->float_value;
    }
    if (are_numbers && follow_range(n, numbers[0], numbers[1], numbers[2]))
        return true;
    /* In int64, or as float literals; then of the dtype that is asked for. */
    struct ir_value *operands[3];
    for (unsigned i = 0; i < 3; i++)
        operands[i] = ir_inline_prim(m->module, are_numbers && ir_dtype_is_float(dtype)
                                                    ? ir_expr_float(m->context, dtype, numbers[i])
                                                    : parts[i]);
    struct make_attr attr = {
        "dtype",
        ir_attr_dtype(m->context, ir_dtype_is_float(dtype) && are_numbers ? dtype : IR_I64)};
    return onnx_out(n, 0, onnx_cast(m, make_op(&m->b, OP_arange, operands, 3, &attr, 1), dtype));
}

bool onnx_eye_like(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);
    int64_t type = onnx_int(n, "dtype", 0);
    struct ir_dtype dtype;

    if (!x)
        return false;
    dtype = x->type->dtype;
    if (type && !(type < 100 && onnx_dtype((int32_t)type, &dtype))) {
        onnx_refuse(n, "data type %lld is not supported", (long long)type);
        return false;
    }
    struct ir_value *k = ir_inline_prim(m->module, onnx_expr(m, onnx_int(n, "k", 0)));
    return onnx_out(n, 0,
                    MAKE_WITH(&m->b, OP_eye_like,
                              ((struct make_attr){"dtype", ir_attr_dtype(m->context, dtype)}), x,
                              k));
}

bool onnx_trilu(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);
    const struct ir_expr *zero = onnx_expr(m, 0), *const *k = &zero;
    size_t count = 1;

    if (!x || (onnx_has(n, 1) && !(k = onnx_in_ints(n, 1, &count))) || count != 1)
        return false;
    return onnx_out(n, 0,
                    MAKE(&m->b, onnx_int(n, "upper", 1) ? OP_triu : OP_tril, x,
                         ir_inline_prim(m->module, k[0])));
}
