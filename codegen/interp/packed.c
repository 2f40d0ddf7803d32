/* Calls of packed functions. */
#include "codegen/interp/calls.h"
#include "codegen/interp/graph.h"
#include "codegen/interp/storage.h"
#include "runtime/check.h"

bool interp_call_symbol(struct interp_call *call, const struct ir_op *op, const char *symbol,
                        const struct ir_type *type, const struct arguments *args,
                        const struct interp_value **out)
{
    struct interp *run = call->run;
    size_t count = args->items.count;
    struct inlay_value *values = arena_array(&run->arena, struct inlay_value, count + 1);
    struct inlay_value result;
    struct interp_contract watch;
    for (size_t i = 0; i < count; i++)
        if (!interp_export(run, args->items.items[i], &values[i]))
            return false;
    interp_contract_begin(&watch, op, symbol, args);
    int32_t status = inlay_call_packed(run->frame, symbol, values, (int32_t)count, &result,
                                       location_line(run->loc));
    bool is_kept = interp_contract_end(&watch);
    if (status != 0 || !is_kept)
        return false;
    if (!out)
        return true;
    const char *name = arena_printf(&run->arena, "the result of `%s`", symbol);
    if (type && type->kind != IR_TYPE_TUPLE) {
        struct inlay_expected expected = interp_expected(run, type, name);
        if (inlay_check_value(run->frame, INLAY_ERROR_PACKED, location_line(run->loc), &expected,
                              &result) != 0)
            return false;
    }
    if (!interp_contract_find(call, &watch, &result, out))
        return false;
    if (!*out)
        *out = interp_import(run, &result, true);
    if (*out && type && type->kind == IR_TYPE_PRIM && (*out)->kind == INTERP_SCALAR)
        *out = interp_scalar_value(run, interp_cast((*out)->scalar, type->dtype));
    return *out && (!type || interp_match(call, type, *out, INLAY_ERROR_PACKED, name));
}

/* The packed function that @op names: attribute `func`, or operand 0 when that is None. */
static const char *packed_symbol(struct interp_call *call, const struct ir_op *op,
                                 unsigned *out_first)
{
    const struct ir_attr *func = ir_op_attr(op, "func");
    *out_first = 0;
    if (func->kind == IR_ATTR_STRING)
        return func->string;
    const struct interp_value *callee =
        op->operand_count ? interp_value_of(call, op->operands[0].value) : NULL;
    *out_first = 1;
    if (callee && callee->kind == INTERP_FUNCTION && callee->symbol)
        return callee->symbol;
    if (callee && callee->kind == INTERP_FUNCTION && callee->global &&
        callee->global->kind == IR_GLOBAL_EXTERN)
        return callee->global->symbol;
    interp_unsupported(call->run, op->loc, "this callee of a packed call");
    return NULL;
}

const struct interp_value *interp_call_dps_packed(struct interp_call *call, const struct ir_op *op)
{
    struct arguments args = {.run = call->run};
    const struct interp_value *result = NULL;
    unsigned first, count;
    const char *symbol = packed_symbol(call, op, &first);
    if (symbol && interp_push_operands(&args, call, op, first, false)) {
        call->run->loc = op->loc;
        const struct interp_value **outputs = interp_make_outputs(call, op, NULL, &args, &count);
        if (outputs && interp_call_symbol(call, op, symbol, NULL, &args, NULL))
            result = interp_pack_outputs(call->run, op, outputs, count);
    }
    array_finish(&args.items);
    return result;
}

/*
 * The results of R.call_inplace_packed: those in place are the arguments, whatever the function returns; it
 * returns the one that is not.
 */
struct inplace {
    const struct ir_attr *indices; /* NULL: the only result is what the function returns */
    unsigned count;                /* of results */
    unsigned returned;             /* those that the function returns */
    const struct ir_type *type;    /* of the last of these */
};

static struct inplace inplace_of(const struct ir_op *op)
{
    struct inplace inplace = {.count = 1, .returned = 1, .type = op->declared};
    bool is_tuple = op->declared && op->declared->kind == IR_TYPE_TUPLE;
    if (!ir_op_is(op, IR_CORE_call_inplace_packed))
        return inplace;
    inplace.indices = ir_op_attr(op, "inplace_indices");
    inplace.count = inplace.indices->count;
    inplace.returned = 0;
    for (unsigned i = 0; i < inplace.count; i++) {
        if (inplace.indices->items[i]->integer >= 0)
            continue;
        inplace.returned++;
        if (is_tuple)
            inplace.type = op->declared->fields[i];
    }
    return inplace;
}

/* Copies what is updated. */
static bool copy_updated(struct arguments *args, const struct inplace *inplace)
{
    for (unsigned i = 0; inplace->indices && i < inplace->count; i++)
        if (inplace->indices->items[i]->integer >= 0 &&
            !interp_copy_argument(args, (unsigned)inplace->indices->items[i]->integer))
            return false;
    return true;
}

static const struct interp_value *inplace_result(struct interp_call *call, const struct ir_op *op,
                                                 const struct inplace *inplace,
                                                 const struct arguments *args,
                                                 const struct interp_value *returned)
{
    const struct interp_value **outputs =
        arena_array(&call->run->arena, const struct interp_value *, inplace->count + 1);
    bool is_tuple = op->declared && op->declared->kind == IR_TYPE_TUPLE;
    for (unsigned i = 0; i < inplace->count; i++) {
        int64_t index = inplace->indices->items[i]->integer;
        const struct ir_type *type = is_tuple ? op->declared->fields[i] : op->declared;
        outputs[i] = index < 0 ? returned : args->items.items[index];
        if (index >= 0 && type &&
            !interp_match(call, type, outputs[i], INLAY_ERROR_SHAPE, "the output"))
            return NULL;
    }
    return is_tuple ? interp_tuple_value(call->run, outputs, inplace->count) : outputs[0];
}

const struct interp_value *interp_call_packed(struct interp_call *call, const struct ir_op *op)
{
    struct arguments args = {.run = call->run};
    const struct interp_value *result = NULL;
    struct inplace inplace = inplace_of(op);
    unsigned first;
    const char *symbol = packed_symbol(call, op, &first);
    bool is_good = symbol && interp_push_operands(&args, call, op, first, false);
    if (is_good)
        call->run->loc = op->loc;
    if (is_good && inplace.returned > 1)
        is_good =
            interp_unsupported(call->run, op->loc, "more than one new result of a packed function");
    is_good = is_good && copy_updated(&args, &inplace) &&
              interp_call_symbol(call, op, symbol, inplace.returned ? inplace.type : NULL, &args,
                                 inplace.returned ? &result : NULL);
    if (is_good && inplace.indices)
        result = inplace_result(call, op, &inplace, &args, result);
    array_finish(&args.items);
    return is_good ? result : NULL;
}
