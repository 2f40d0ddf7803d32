/* Joins of what was cut, in its order. */
#include "ir/arith.h"
#include "ops/ids.h"
#include "passes/memory/concat_plan.h"

/* Of a value in terms of another one: index i of it is index from of that, plus shift. */
struct origin {
    struct ir_value *value;
    const int *from;
    const struct ir_expr *const *shifts; /* of the graph */
};

static struct origin origin_of(struct concat_plan *plan, const struct kernel_call *call,
                               const struct access_piece *piece)
{
    struct ir_context *context = plan->run->module->context;
    unsigned ndim = call->func->params[piece->source].buffer->ndim;
    int operand = call->param_operands[piece->source];
    int *from = arena_array(&plan->run->scratch, int, ndim + 1);
    const struct ir_expr **shifts =
        arena_array(&plan->run->scratch, const struct ir_expr *, ndim + 1);

    for (unsigned i = 0; i < ndim; i++) {
        from[i] = piece->axes[i].from;
        shifts[i] = ir_expr_substitute(context, piece->axes[i].shift, &call->symbols);
    }
    return (struct origin){call->op->operands[operand].value, from, shifts};
}

/* Is @def a view of rows (R.memory.view at a multiple of the bytes of one) of a tensor of its dtype? */
static bool is_view_of_rows(struct concat_plan *plan, const struct ir_op *def, struct origin *out)
{
    struct ir_context *context = plan->run->module->context;

    if (!def || !op_is(def, OP_memory_view) || !def->operands[3].value->def ||
        !ir_op_is(def->operands[3].value->def, IR_CORE_prim))
        return false;
    const struct ir_type *type = def->result.type, *from = def->operands[0].value->type;
    if (type->kind != IR_TYPE_TENSOR || from->kind != IR_TYPE_TENSOR || type->ndim != from->ndim ||
        type->ndim < 1 || !type->dims || !from->dims || !ir_dtype_equal(type->dtype, from->dtype))
        return false;
    const struct ir_expr *row = ir_expr_int(context, IR_I64, ir_dtype_bytes(type->dtype));
    for (int d = 1; d < type->ndim; d++) {
        if (!ir_prove_equal(context, type->dims[d], from->dims[d]))
            return false;
        row = ir_expr_binary(context, IR_EXPR_mul, row, type->dims[d]);
    }
    const struct ir_expr *offset = ir_op_attr(def->operands[3].value->def, "value")->expr;
    const struct ir_expr *first =
        ir_simplify(context, ir_expr_binary(context, IR_EXPR_floordiv, offset, row));
    if (!ir_prove_equal(context, ir_expr_binary(context, IR_EXPR_mul, first, row), offset))
        return false;
    int *dims = arena_array(&plan->run->scratch, int, type->ndim);
    const struct ir_expr **shifts =
        arena_array(&plan->run->scratch, const struct ir_expr *, type->ndim);
    for (int d = 0; d < type->ndim; d++) {
        dims[d] = d;
        shifts[d] = d == 0 ? first : ir_expr_int(context, IR_I64, 0);
    }
    *out = (struct origin){def->operands[0].value, dims, shifts};
    return true;
}

/* What a field of a tuple in the text, or a rename, stands for. */
static const struct ir_value *behind(const struct ir_value *value)
{
    for (;;) {
        const struct ir_op *def = value->def;

        if (def && ir_op_is(def, IR_CORE_bind)) {
            value = def->operands[0].value;
            continue;
        }
        const struct ir_op *tuple =
            def && ir_op_is(def, IR_CORE_tuple_get) ? def->operands[0].value->def : NULL;
        if (!tuple || !ir_op_is(tuple, IR_CORE_tuple))
            return value;
        value = tuple->operands[ir_op_attr(def, "index")->integer].value;
    }
}

/* Is @value, all of it, copied from a box of something, or a view of it?  Then *@out says how. */
static bool is_cut(struct concat_plan *plan, const struct ir_value *value, struct origin *out)
{
    struct kernel_call call;
    unsigned output;
    const struct ir_op *maker = concat_plan_maker(value, &output);
    const struct access_pieces *pieces = NULL;

    if (is_view_of_rows(plan, behind(value)->def, out))
        return true;
    if (!maker)
        return false;
    if (kernel_call_read(plan->run->module, &plan->run->scratch, maker, &call) &&
        output < call.output_count)
        pieces = concat_pieces(plan, call.func, call.output_params[output]);
    bool is_one = pieces && pieces->count == 1 && pieces->is_complete &&
                  pieces->items[0].source >= 0 && pieces->items[0].axes;
    if (is_one)
        *out = origin_of(plan, &call, pieces->items);
    kernel_call_finish(&call);
    return is_one;
}

/* Is index @i of the value in @inner's terms that of @outer's? */
static bool is_index(struct concat_plan *plan, const struct origin *outer,
                     const struct origin *inner, int i)
{
    struct ir_context *context = plan->run->module->context;
    int middle = inner ? inner->from[i] : i;

    if (middle < 0 || outer->from[middle] != i)
        return false;
    const struct ir_expr *shift = outer->shifts[middle];
    if (inner)
        shift = ir_expr_binary(context, IR_EXPR_add, shift, inner->shifts[i]);
    return ir_expr_is_int(ir_simplify(context, shift), 0);
}

/* Does the piece keep each index of @outer's value, or of what that is cut out of (@inner)? */
static bool is_in_place(struct concat_plan *plan, const struct origin *outer,
                        const struct origin *inner)
{
    const struct ir_type *type = inner ? inner->value->type : outer->value->type;

    for (int i = 0; i < type->ndim; i++)
        if (!is_index(plan, outer, inner, i))
            return false;
    return true;
}

static bool is_same_type(struct ir_context *context, const struct ir_type *a,
                         const struct ir_type *b)
{
    if (a->kind != IR_TYPE_TENSOR || b->kind != IR_TYPE_TENSOR || a->ndim != b->ndim || !a->dims ||
        !b->dims || !ir_dtype_equal(a->dtype, b->dtype))
        return false;
    for (int i = 0; i < a->ndim; i++)
        if (!ir_prove_equal(context, a->dims[i], b->dims[i]))
            return false;
    return true;
}

/* What @piece copies, or what that is cut out of (@is_cut_out), to where it is there; NULL: no such
 * thing. */
static struct ir_value *same_piece(struct concat_plan *plan, const struct join *join,
                                   const struct access_piece *piece, bool is_cut_out)
{
    if (piece->source < 0 || !piece->axes)
        return NULL;
    struct origin inner, outer = origin_of(plan, &join->call, piece);
    if (!is_cut_out)
        return is_in_place(plan, &outer, NULL) ? outer.value : NULL;
    return is_cut(plan, outer.value, &inner) && is_in_place(plan, &outer, &inner) ? inner.value
                                                                                  : NULL;
}

static struct ir_value *same_as(struct concat_plan *plan, const struct join *join, bool is_cut_out)
{
    struct ir_value *found = NULL;

    for (unsigned i = 0; i < join->pieces.count; i++) {
        struct ir_value *value = same_piece(plan, join, &join->pieces.items[i], is_cut_out);

        if (!value || (found && found != value))
            return NULL;
        found = value;
    }
    return found && is_same_type(plan->run->module->context, found->type, join->op->result.type)
               ? found
               : NULL;
}

struct ir_value *concat_plan_same(struct concat_plan *plan, struct ir_op *op)
{
    struct join join;

    if (!concat_read_join(plan, op, &join))
        return NULL;
    struct ir_value *value = NULL;
    for (unsigned is_cut_out = 0; join.pieces.is_complete && !value && is_cut_out < 2; is_cut_out++)
        value = same_as(plan, &join, is_cut_out);
    kernel_call_finish(&join.call);
    return value;
}
