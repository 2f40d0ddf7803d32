#include "ops/domain.h"

bool op_domain_has(enum op_domain domain, struct ir_dtype dtype)
{
    switch (domain) {
    case OP_ALL:
        return true;
    case OP_NUMBER:
        return ir_dtype_is_int(dtype) || ir_dtype_is_float(dtype);
    case OP_FLOAT:
    case OP_REAL:
    case OP_MOMENT:
        return ir_dtype_is_float(dtype);
    case OP_BITS:
        return ir_dtype_is_int(dtype) || ir_dtype_is_bool(dtype);
    case OP_INTEGER:
        return ir_dtype_is_int(dtype);
    }
    UNREACHABLE("domain of an operator");
}

static const struct {
    enum op_domain domain;
} domains[OP_COUNT] = {
#define OP(id, name, signature, traits, doc, ...) [OP_##id] = {__VA_ARGS__},
#define DOMAIN(d)                                 .domain = OP_##d,
#include "ops/ops.def"
};

enum op_domain op_domain_of(const struct ir_op *op)
{
    return domains[op_id(op)].domain;
}
