/* The rows of the .def files as the operator table of a context. */
#include "base/util.h"
#include "ops/fits.h"
#include "ops/ops.h"

static const struct {
    ir_infer_fn *infer;
} rules[OP_COUNT] = {
#define OP(id, name, signature, traits, doc, ...) [OP_##id] = {__VA_ARGS__},
#define INFER(f)                                  .infer = infer_##f,
#include "ops/ops.def"
};

/* What does not fit is no matter of rules. */
static const struct ir_type *infer_row(struct ir_module *module, struct diag *diag,
                                       const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);

    return op_infer_fitting(&in, rules[op_id(op)].infer);
}

void ops_register(struct ir_context *context)
{
    static const struct ir_op_row rows[] = {
#define OP(id_, name_, signature_, traits_, doc_, ...) \
    {.library_id = OP_##id_,                           \
     .name = (name_),                                  \
     .signature = (signature_),                        \
     .traits = (traits_),                              \
     .doc = (doc_),                                    \
     __VA_ARGS__},
#define INFER(f)    .infer = infer_row,
#define LOWER(f)    .lower = lower_##f,
#define ABSENT(why) .absent = (why),
#include "ops/ops.def"
    };

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
        ir_context_add_op(context, &rows[i]);
}
