/* The rows of the .def files as the operator table of a context. */
#include "base/util.h"
#include "ops/internal.h"
#include "ops/ops.h"

#define lower_none NULL

void ops_register(struct ir_context *context)
{
    static const struct ir_op_row rows[] = {
#define OP(id_, name_, signature_, traits_, rule_, lowering_, doc_) \
    {.name = (name_),                                               \
     .signature = (signature_),                                     \
     .traits = (traits_),                                           \
     .infer = infer_##rule_,                                        \
     .lower = lower_##lowering_,                                    \
     .doc = (doc_)},
#include "ops/ops.def"
#define ELEMENTWISE(id_, name_, signature_, domain_, result_, traits_, sem_, doc_) \
    {.name = (name_),                                                              \
     .signature = (signature_),                                                    \
     .traits = IR_PURE | IR_ELEMENTWISE | (traits_),                               \
     .infer = infer_##id_,                                                         \
     .lower = lower_##id_,                                                         \
     .doc = (doc_)},
#include "ops/elementwise.def"
#define REDUCTION(id_, name_, domain_, init_, step_, finish_, doc_)      \
    {.name = (name_),                                                    \
     .signature = "x: Expr, axis: ints? = None, keepdims: bool = False", \
     .traits = IR_PURE,                                                  \
     .infer = infer_##id_,                                               \
     .lower = lower_##id_,                                               \
     .doc = (doc_)},
#include "ops/reduce.def"
    };

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
        ir_context_add_op(context, &rows[i]);
}
