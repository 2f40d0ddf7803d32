/* Reductions, ArgMax, running sums. */
#include "frontend/onnx/families.h"

#include <math.h>
#include <string.h>

/* Over what a node reduces. */
struct reduction {
    struct onnx_import *m;
    struct ir_value *x;
    int64_t axes[IR_RANK_LIMIT];
    unsigned count;
    bool keeps, is_nothing; /* is_nothing: no axes, and that means none */
};

static bool begin(struct reduction *r, struct onnx_node *n)
{
    size_t count = 0;
    const int64_t *axes = NULL;

    *r = (struct reduction){.m = n->m, .x = onnx_in(n, 0), .keeps = onnx_int(n, "keepdims", 1)};
    if (!r->x || (onnx_has(n, 1) && !(axes = onnx_in_numbers(n, 1, &count))))
        return false;
    if (!onnx_has(n, 1))
        axes = onnx_ints(n, "axes", &count);
    if (count > IR_RANK_LIMIT)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!onnx_axis(n, axes[i], onnx_rank(r->x), &r->axes[i]))
            return false;
    r->count = (unsigned)count;
    if (count == 0) {
        r->is_nothing = onnx_int(n, "noop_with_empty_axes", 0);
        for (int i = 0; i < onnx_rank(r->x); i++)
            r->axes[r->count++] = i;
    }
    return true;
}

static struct ir_value *reduced(struct reduction *r, enum op_id op, struct ir_value *x)
{
    if (!x || r->is_nothing)
        return x;
    return onnx_reduce(r->m, op, x, r->axes, r->count, r->keeps);
}

/* ReduceProd and its like of followed vectors, as models count elements. */
static bool follow(struct onnx_node *n, const struct reduction *r)
{
    static const struct {
        enum op_id op;
        enum ir_expr_kind kind;
    } kinds[] = {{OP_sum, IR_EXPR_add},
                 {OP_prod, IR_EXPR_mul},
                 {OP_max, IR_EXPR_max},
                 {OP_min, IR_EXPR_min}};
    struct onnx_value *x = n->inputs[0];
    const struct ir_expr **result = arena_array(n->m->arena, const struct ir_expr *, 1);
    int64_t dims[] = {1};

    if (!onnx_value_is_known(n->m, x) || x->rank != 1 || x->count == 0 || r->is_nothing ||
        ir_dtype_is_bool(x->dtype))
        return false;
    bool is_float = ir_dtype_is_float(x->dtype);
    for (size_t i = 0; is_float && i < x->count; i++) /* no fraction: those are whole floats */
        if (x->elements[i]->kind != IR_EXPR_int)
            return false;
    for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
        if (kinds[k].op != (enum op_id)n->row->op || (is_float && k < 2))
            continue;
        result[0] = x->elements[0];
        for (size_t i = 1; i < x->count; i++)
            result[0] = onnx_op(n->m, kinds[k].kind, result[0], x->elements[i]);
        onnx_value_set_elements(n->m, &n->outputs[0], x->dtype, r->keeps, dims, result, 1);
        return true;
    }
    return false;
}

bool onnx_reduce_node(struct onnx_node *n)
{
    struct reduction r;
    enum op_id op = (enum op_id)n->row->op;

    if (!begin(&r, n))
        return false;
    if (follow(n, &r))
        return true;
    struct ir_dtype dtype = r.x->type->dtype;
    if (!ir_dtype_is_bool(dtype))
        return onnx_out(n, 0, reduced(&r, op, r.x));
    /* unsigned, so that the largest of nothing is false */
    struct ir_value *wide = reduced(&r, op, onnx_cast(n->m, r.x, IR_DTYPE(IR_UINT, 8)));
    return onnx_out(n, 0, onnx_cast(n->m, wide, dtype));
}

bool onnx_reduce_l1(struct onnx_node *n)
{
    struct reduction r;

    return begin(&r, n) && onnx_out(n, 0, reduced(&r, OP_sum, MAKE(&n->m->b, OP_abs, r.x)));
}

bool onnx_reduce_sum_square(struct onnx_node *n)
{
    struct reduction r;

    return begin(&r, n) &&
           onnx_out(n, 0, reduced(&r, OP_sum, MAKE(&n->m->b, OP_multiply, r.x, r.x)));
}

/* A function of floats, in float64 for integers. */
static struct ir_value *of_floats(struct onnx_import *m, enum op_id op, struct ir_value *x)
{
    struct ir_dtype dtype = x ? x->type->dtype : IR_F32;
    bool is_float = ir_dtype_is_float(dtype);

    x = MAKE(&m->b, op, is_float ? x : onnx_cast(m, x, IR_F64));
    return onnx_cast(m, x, dtype);
}

bool onnx_reduce_l2(struct onnx_node *n)
{
    struct reduction r;

    if (!begin(&r, n))
        return false;
    struct ir_value *sum = reduced(&r, OP_sum, MAKE(&n->m->b, OP_multiply, r.x, r.x));
    return onnx_out(n, 0, of_floats(n->m, OP_sqrt, sum));
}

bool onnx_reduce_log_sum(struct onnx_node *n)
{
    struct reduction r;

    return begin(&r, n) && onnx_out(n, 0, of_floats(n->m, OP_log, reduced(&r, OP_sum, r.x)));
}

/* log(sum(exp(x - max))) + max, with 0 for a maximum that is not finite. */
bool onnx_reduce_log_sum_exp(struct onnx_node *n)
{
    struct reduction r;
    struct ir_builder *b = &n->m->b;

    if (!begin(&r, n))
        return false;
    struct ir_dtype dtype = r.x->type->dtype;
    struct ir_dtype wide = ir_dtype_is_float(dtype) ? dtype : IR_F64;
    struct ir_value *x = onnx_cast(n->m, r.x, wide), *zero = onnx_scalar(n->m, wide, 0);
    if (r.is_nothing)
        return onnx_out(n, 0, onnx_cast(n->m, MAKE(b, OP_log, MAKE(b, OP_exp, x)), dtype));
    struct ir_value *top = onnx_reduce(n->m, OP_max, x, r.axes, r.count, true);
    top = MAKE(b, OP_where, MAKE(b, OP_isfinite, top), top, zero);
    struct ir_value *sum = reduced(&r, OP_sum, MAKE(b, OP_exp, MAKE(b, OP_subtract, x, top)));
    struct ir_value *log = MAKE(b, OP_log, sum);
    if (log)
        top = onnx_reshape(n->m, top, onnx_dims(log), (unsigned)onnx_rank(log));
    return onnx_out(n, 0, onnx_cast(n->m, MAKE(b, OP_add, log, top), dtype));
}

bool onnx_arg_extreme(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);
    bool keeps = onnx_int(n, "keepdims", 1), is_last = onnx_int(n, "select_last_index", 0);
    int64_t axis;

    if (!x || !onnx_axis(n, onnx_int(n, "axis", 0), onnx_rank(x), &axis))
        return false;
    const struct ir_expr *extent = onnx_dims(x)[axis];
    if (is_last)
        x = MAKE_WITH(&m->b, OP_flip, ((struct make_attr){"axis", onnx_attr_int(m, axis)}), x);
    struct make_attr attrs[] = {{"axis", onnx_attr_int(m, axis)},
                                {"keepdims", ir_attr_bool(m->context, keeps)}};
    struct ir_value *found = x ? make_op(&m->b, n->row->op, &x, 1, attrs, 2) : NULL;
    if (is_last) {
        struct onnx_value last = {0};
        const struct ir_expr *end = onnx_op(m, IR_EXPR_sub, extent, onnx_expr(m, 1));
        onnx_value_set_elements(m, &last, IR_I64, 0, NULL, &end, 1);
        found = MAKE(&m->b, OP_subtract, onnx_value_tensor(m, &last), found);
    }
    return onnx_out(n, 0, found);
}

bool onnx_cumulate(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);
    bool is_reverse = onnx_int(n, "reverse", 0);
    double given;
    int64_t axis;

    if (!x || !onnx_in_number(n, 1, &given) || !onnx_axis(n, (int64_t)given, onnx_rank(x), &axis))
        return false;
    struct make_attr flip = {"axis", onnx_attr_int(m, axis)};
    struct make_attr attrs[] = {
        flip, {"exclusive", ir_attr_bool(m->context, onnx_int(n, "exclusive", 0))}};
    if (is_reverse)
        x = make_op(&m->b, OP_flip, &x, 1, &flip, 1);
    x = x ? make_op(&m->b, n->row->op, &x, 1, attrs, 2) : NULL;
    if (is_reverse && x)
        x = make_op(&m->b, OP_flip, &x, 1, &flip, 1);
    return onnx_out(n, 0, x);
}
