/* The rows of the .def files as the operator table of a context. */
#include "base/util.h"
#include "ops/internal.h"
#include "ops/ops.h"

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
#define INFER(f)    .infer = infer_##f,
#define LOWER(f)    .lower = lower_##f,
#define ABSENT(why) .absent = (why),
#include "ops/ops.def"
    };

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
        ir_context_add_op(context, &rows[i]);
}
