/* The table of operators.def; each family of converters is a file op_<family>.c. */
#include "frontend/onnx/families.h"

const struct onnx_row onnx_rows[] = {
#define ONNX(name, since, until, convert, op, note) \
    {"", #name, since, until, onnx_##convert, OP_##op, note},
#define OTHER(domain, name, since, until, convert, op, note) \
    {domain, #name, since, until, onnx_##convert, OP_##op, note},
#include "frontend/onnx/operators.def"
};
const size_t onnx_row_count = ARRAY_SIZE(onnx_rows);
