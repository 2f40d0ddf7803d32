/*
 * Calls by the table ir/intrinsics.def, and of what is kept as it is written.
 *
 * An argument that is a dtype becomes the dtype of the call; the others are brought to one dtype where
 * the row says so.
 */
#include "frontend/tvmscript/tir.h"
#include "ir/intrinsics.h"

#include <string.h>

/* An argument of an intrinsic: strings are strings, a buffer is its data. */
static const struct ir_expr *translate_argument(struct frontend *f, const struct ast *a)
{
    struct ir_buffer *buffer = buffer_of(f, a);

    if (a->kind == AST_STRING)
        return ir_expr_at(f->context, a->loc, ir_expr_string(f->context, a->string));
    if (buffer && !buffer->is_scalar)
        return ir_expr_at(f->context, a->loc, ir_expr_var(f->context, buffer_data_var(f, buffer)));
    return scalar_translate(f, a, IR_VOID);
}

bool arguments_translate(struct frontend *f, struct ast *const *items, unsigned count,
                         const struct ir_expr **out_args)
{
    bool done = true;

    for (unsigned i = 0; i < count; i++) {
        out_args[i] = translate_argument(f, items[i]);
        done = done && out_args[i];
    }
    return done;
}

/* Functions of numbers do not take the data of a buffer: an index was forgotten. */
static bool refuse_buffers(struct frontend *f, struct ast *const *items, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct ir_buffer *buffer = buffer_of(f, items[i]);
        if (buffer && !buffer->is_scalar && !scalar_translate(f, items[i], IR_VOID))
            return false;
    }
    return true;
}

/* Brings all arguments to one dtype. */
static bool match_arguments(struct frontend *f, const struct ast *call, const struct ir_expr **args,
                            unsigned count)
{
    if (count == 2)
        return operands_translate(f, call->items[1], call->items[2], &args[0], &args[1]) &&
               tir_match(f, call->loc, &args[0], &args[1]);
    for (unsigned round = 0; round < 2; round++) /* the first dtype may grow */
        for (unsigned i = 1; i < count; i++)
            if (!tir_match(f, call->loc, &args[0], &args[i]))
                return false;
    return true;
}

static struct ir_dtype result_of(const struct ir_intrinsic *intrinsic, struct ir_dtype given,
                                 const struct ir_expr *const *args, unsigned count)
{
    struct ir_dtype first = count ? args[0]->dtype : IR_VOID;
    struct ir_dtype boolean = {IR_BOOL, 8, count ? first.lanes : 1};

    switch (intrinsic->result) {
    case IR_RESULT_FIRST:
    case IR_RESULT_MATCH:
        return first;
    case IR_RESULT_SECOND:
        return count > 1 ? args[1]->dtype : first;
    case IR_RESULT_GIVEN:
        return given;
    case IR_RESULT_BOOL:
        return boolean;
    case IR_RESULT_INT32:
        return IR_I32;
    case IR_RESULT_UINT32:
        return IR_DTYPE(IR_UINT, 32);
    case IR_RESULT_VOID:
        return IR_VOID;
    case IR_RESULT_HANDLE:
        return IR_PTR;
    }
    UNREACHABLE("result of an intrinsic");
}

static void report_intrinsic_count(struct frontend *f, const struct ast *call,
                                   const struct ir_intrinsic *intrinsic, unsigned count)
{
    const char *text = intrinsic->least == intrinsic->most
                           ? arena_printf(&f->arena, "%u argument%s", intrinsic->least,
                                          intrinsic->least == 1 ? "" : "s")
                           : arena_printf(&f->arena, "%u arguments or more", intrinsic->least);

    help_decimal_comma(
        diag_report(f->diag, call->loc, KERNEL_CALL_COUNT, callee_name(f, call), text, count), call,
        intrinsic->most);
}

/* Finds the dtype among the arguments; *@first and *@count become the others. */
static bool take_dtype(struct frontend *f, const struct ast *call,
                       const struct ir_intrinsic *intrinsic, unsigned *first, unsigned *count,
                       struct ir_dtype *out_dtype)
{
    const struct ast *named = call_arg(call, UINT16_MAX, "dtype");
    const struct ast *a = named;

    *out_dtype = IR_VOID;
    if (!a && intrinsic->dtype != IR_DTYPE_NONE && *count > 0) {
        bool is_first = intrinsic->dtype == IR_DTYPE_FIRST;
        a = call->items[is_first ? 1 : *count];
        *first += is_first;
        *count -= 1;
    }
    if (intrinsic->result != IR_RESULT_GIVEN)
        return true;
    if (a)
        return dtype_translate(f, a, out_dtype);
    diag_report(f->diag, call->loc, ARG_MISSING, "dtype");
    return false;
}

/* T.bitwise_and, T.shift_left, ..: what the operators refuse they refuse. */
static bool check_bits(struct frontend *f, const struct ast *call, const char *name,
                       const struct ir_expr *const *args, unsigned count)
{
    bool is_of_bits = strncmp(name, "bitwise_", 8) == 0 || strncmp(name, "shift_", 6) == 0;

    for (unsigned i = 0; is_of_bits && i < count; i++) {
        struct ir_dtype dtype = args[i]->dtype;
        if (ir_dtype_is_int(dtype) || ir_dtype_is_bool(dtype))
            continue;
        diag_report(f->diag, call->loc, KERNEL_OPERATOR, name, dtype_text(f, dtype));
        return false;
    }
    return true;
}

const struct ir_expr *intrinsic_translate(struct frontend *f, const struct ast *call,
                                          const struct ir_intrinsic *intrinsic)
{
    unsigned first = 1, count = call_positional_count(call);
    struct ir_dtype given;

    for (unsigned i = count + 1; i < call->item_count; i++)
        if (strcmp(call->items[i]->name, "dtype") != 0) {
            diag_report(f->diag, call->items[i]->name_loc, ARG_UNKNOWN, call->items[i]->name);
            return NULL;
        }
    if (!take_dtype(f, call, intrinsic, &first, &count, &given))
        return NULL;
    if (count < intrinsic->least || (intrinsic->most != UINT8_MAX && count > intrinsic->most)) {
        report_intrinsic_count(f, call, intrinsic, count);
        return NULL;
    }
    const struct ir_expr **args = arena_array(&f->arena, const struct ir_expr *, count + 1);
    bool is_match = intrinsic->result == IR_RESULT_MATCH;
    if (intrinsic->result == IR_RESULT_FIRST && !refuse_buffers(f, call->items + first, count))
        return NULL;
    if (!(is_match && count == 2) && !arguments_translate(f, call->items + first, count, args))
        return NULL;
    if ((is_match && !match_arguments(f, call, args, count)) ||
        !check_bits(f, call, intrinsic->name, args, count))
        return NULL;
    return ir_expr_call(f->context, result_of(intrinsic, given, args, count), intrinsic->name, args,
                        count);
}

/* Instructions of graphics processors have a namespace each; they are kept as they are written. */
bool is_device_function(const char *name)
{
    static const char *const spaces[] = {"ptx.",         "ptx_legacy.", "ptx_",   "simdgroup_",
                                         "make_filled_", "cuda.",       "metal.", "s_tir.",
                                         "webgpu.",      "nvshmem."};

    for (size_t i = 0; i < ARRAY_SIZE(spaces); i++)
        if (strncmp(name, spaces[i], strlen(spaces[i])) == 0)
            return true;
    return false;
}

const struct ir_expr *device_call_translate(struct frontend *f, const struct ast *call,
                                            const char *name)
{
    unsigned count = call->item_count - 1;
    const struct ir_expr **args = arena_array(&f->arena, const struct ir_expr *, count + 1);

    if (call_positional_count(call) != count) {
        const struct ast *keyword = call->items[call_positional_count(call) + 1];
        diag_report(f->diag, keyword->name_loc, ARG_UNKNOWN, keyword->name);
        return NULL;
    }
    if (!arguments_translate(f, call->items + 1, count, args))
        return NULL;
    return ir_expr_call(f->context, IR_VOID, name, args, count);
}
