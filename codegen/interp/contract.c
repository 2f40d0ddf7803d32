/*
 * Contracts at run time: does a function outside of the module do what is said of it?
 *
 * What it may not write is compared with what it was before the call, and what it returns is looked up
 * among its arguments.
 */
#include "ir/contract.h"

#include "base/memory.h"
#include "codegen/interp/calls.h"

#include <string.h>

static const struct inlay_tensor *tensor_at(const struct arguments *args, size_t i)
{
    const struct interp_value *value = args->items.items[i];

    return value->kind == INTERP_TENSOR ? value->tensor : NULL;
}

static size_t bytes_of(const struct inlay_tensor *tensor)
{
    return (size_t)inlay_tensor_elements(tensor) * ir_dtype_bytes(interp_tensor_dtype(tensor));
}

static bool meet(const struct inlay_tensor *a, const struct inlay_tensor *b)
{
    const char *x = interp_data(a), *y = interp_data(b);

    return x < y + bytes_of(b) && y < x + bytes_of(a);
}

static bool is_within(const struct inlay_tensor *a, const struct inlay_tensor *b)
{
    const char *x = interp_data(a), *y = interp_data(b);

    return x >= y && x + bytes_of(a) <= y + bytes_of(b);
}

/* Results of call_dps_packed are arguments that are there to be written. */
static bool may_write(const struct ir_op *op, const struct ir_contract *contract, size_t argument)
{
    return (ir_op_is(op, IR_CORE_call_dps_packed) &&
            argument + contract->first >= op->operand_count) ||
           ir_contract_mutates(contract, (unsigned)argument);
}

/* May bytes of argument @i change, by any name? */
static bool may_change(const struct ir_op *op, const struct ir_contract *contract,
                       const struct arguments *args, size_t i)
{
    bool may = false;

    for (size_t k = 0; k < args->items.count && !may; k++)
        may = may_write(op, contract, k) && tensor_at(args, k) &&
              meet(tensor_at(args, i), tensor_at(args, k));
    return may;
}

void interp_contract_begin(struct interp_contract *watch, const struct ir_op *op,
                           const char *symbol, const struct arguments *args)
{
    struct ir_contract contract = ir_contract_of(op);

    *watch = (struct interp_contract){.op = op, .symbol = symbol, .args = args};
    if (!contract.attr)
        return;
    watch->before = memory_new(sizeof(void *), args->items.count + 1);
    for (size_t i = 0; i < args->items.count; i++) {
        const struct inlay_tensor *tensor = tensor_at(args, i);

        if (!tensor || may_change(op, &contract, args, i))
            continue;
        watch->before[i] = memory_new(1, bytes_of(tensor) + 1);
        memcpy(watch->before[i], interp_data(tensor), bytes_of(tensor));
    }
}

bool interp_contract_end(struct interp_contract *watch)
{
    struct interp *run = watch->args->run;
    bool is_kept = true;

    for (size_t i = 0; watch->before && i < watch->args->items.count; i++) {
        const struct inlay_tensor *tensor = tensor_at(watch->args, i);

        if (watch->before[i] && memcmp(watch->before[i], interp_data(tensor), bytes_of(tensor)))
            is_kept = interp_fail(run, INLAY_ERROR_PACKED,
                                  "the packed function `%s` wrote its argument %lld, which its "
                                  "contract does not let it",
                                  watch->symbol, (long long)i);
        memory_free(watch->before[i]);
    }
    memory_free(watch->before);
    return is_kept;
}

/* ---- what is returned ---- */

static bool is_listed(const struct ir_contract_places *places, int64_t argument)
{
    for (unsigned i = 0; i < places->count; i++)
        if (places->items[i]->integer == argument)
            return true;
    return false;
}

/* @returned as a part of argument @value. */
static const struct interp_value *view_of(struct interp *run, const struct interp_value *value,
                                          const struct inlay_tensor *returned)
{
    const char *data = interp_data(returned), *start = interp_data(value->tensor);

    return interp_tensor_view(run, value, data - start, interp_tensor_dtype(returned),
                              returned->shape, (unsigned)returned->ndim);
}

bool interp_contract_find(struct interp_call *call, const struct interp_contract *watch,
                          const struct inlay_value *returned, const struct interp_value **out)
{
    struct ir_contract contract = ir_contract_of(watch->op);
    struct ir_contract_places places = ir_contract_result(&contract, 0);
    long long other = -1;

    *out = NULL;
    if (returned->kind != INLAY_TENSOR || places.is_unknown)
        return true;
    for (size_t i = 0; i < watch->args->items.count && !*out; i++) {
        const struct inlay_tensor *tensor = tensor_at(watch->args, i);

        if (!tensor || !meet(tensor, returned->tensor))
            continue;
        if (is_listed(&places, (int64_t)i) && is_within(returned->tensor, tensor))
            *out = view_of(call->run, watch->args->items.items[i], returned->tensor);
        else
            other = (long long)i;
    }
    if (*out)
        return true;
    if (other >= 0)
        return interp_fail(call->run, INLAY_ERROR_PACKED,
                           "the packed function `%s` returned storage of its argument %lld, of "
                           "which its contract says nothing",
                           watch->symbol, other);
    if (places.count == 0 || is_listed(&places, -1) || bytes_of(returned->tensor) == 0)
        return true;
    return interp_fail(call->run, INLAY_ERROR_PACKED,
                       "the packed function `%s` returned other storage than its contract says",
                       watch->symbol);
}
