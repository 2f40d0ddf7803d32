/* Operands of an operator that does not take them so, and takes them when two change places. */
#include "frontend/tvmscript/relax.h"
#include "ir/build.h"
#include "ops/ids.h"

/* Would the operator take @operands?  What is said of it is forgotten, and so is the operator. */
static bool is_taken(struct relax *r, const struct ir_op_info *info,
                     struct ir_value *const *operands, unsigned count,
                     const struct ir_attr *const *attrs)
{
    struct ir_builder b = r->b;

    b.diag = diag_create();
    struct ir_op *op = ir_build_declared(&b, info, operands, count, attrs, NULL);
    bool is_fine = op && !diag_error_count(b.diag);
    if (op)
        ir_op_erase(op);
    diag_destroy(b.diag);
    return is_fine;
}

static bool is_tensor(const struct ir_value *value)
{
    return value->type && value->type->kind == IR_TYPE_TENSOR;
}

/* R.matmul has its own help where both are matrices; of sizes that are open it takes nearly anything. */
static bool is_known_better(const struct ir_op_info *info, struct ir_value *const *operands)
{
    if (info->library_id != OP_matmul)
        return false;
    for (unsigned i = 0; i < 2; i++)
        for (int k = 0; is_tensor(operands[i]) && k < operands[i]->type->ndim; k++)
            if (!operands[i]->type->dims || operands[i]->type->dims[k]->kind != IR_EXPR_int)
                return true;
    return is_tensor(operands[0]) && is_tensor(operands[1]) && operands[0]->type->ndim > 1 &&
           operands[1]->type->ndim > 1;
}

void relax_help_exchanged(struct relax *r, const struct ir_op_info *info,
                          const struct ast *const *given, struct ir_value **operands,
                          unsigned count, const struct ir_attr *const *attrs)
{
    enum { MOST = 8 };
    struct location places[MOST] = {{0}};
    unsigned first = 0, second = 0, found = 0;

    for (unsigned i = 0; i < info->param_count && count <= MOST; i++) {
        const struct ir_op_param *param = &info->params[i];
        if (param->kind < IR_PARAM_INT && !param->is_variadic && given[i])
            places[param->operand_index] = given[i]->loc;
    }

    /* what stands in the line of operands itself was erased with the operator */
    for (unsigned i = 0; i < count; i++)
        if (!operands[i] || ir_value_is_inline(operands[i]))
            return;
    if (is_known_better(info, operands))
        return;
    for (unsigned i = 0; i < count && count <= MOST; i++)
        for (unsigned k = i + 1; k < count; k++) {
            struct ir_value *a = operands[i], *b = operands[k];
            if (a == b || !is_tensor(a) || !is_tensor(b) || !places[i].source || !places[k].source)
                continue;
            operands[i] = b;
            operands[k] = a;
            if (is_taken(r, info, operands, count, attrs)) {
                first = i;
                second = k;
                found++;
            }
            operands[i] = a;
            operands[k] = b;
        }
    if (found != 1)
        return;
    struct diag_message *m = diag_doubt(r->f->diag);
    diag_help(m, "the operands fit when they change places");
    bool is_before = places[first].begin < places[second].begin;
    diag_help_swap(m, places[is_before ? first : second], places[is_before ? second : first]);
}
