/*
 * Dims that belong together: compared where a type is worked out, and noted for those who have to look again, since only a
 * run knows them.  The lowering asserts what is noted here, and the interpreter asks the rules again with the sizes of its run.
 */
#include "ops/pairs.h"

#include "base/assert.h"
#include "ops/internal.h"

#include <string.h>

static const struct ir_expr *times(const struct infer *in, const struct op_pair *pair)
{
    const struct ir_expr *whole =
        ir_expr_binary(in->context, IR_EXPR_floordiv, pair->first, pair->second);

    return dim_mul(in->context, whole, pair->second);
}

static bool is_number(const struct infer *in, const struct ir_expr *dim, int64_t number)
{
    int64_t value;

    return ir_expr_constant(in->context, dim, &value) && value == number;
}

static bool is_proved(const struct infer *in, const struct op_pair *pair)
{
    struct ir_context *context = in->context;

    if (ir_prove_equal(context, pair->first, pair->second))
        return true;
    switch (pair->relation) {
    case OP_DIM_SAME:
        return false;
    case OP_DIM_SAME_OR_ONE:
        return is_number(in, pair->second, 1);
    case OP_DIM_EITHER_ONE:
        return is_number(in, pair->first, 1) || is_number(in, pair->second, 1);
    case OP_DIM_AT_MOST:
        return ir_prove_ge(context, NULL, pair->first, pair->second);
    case OP_DIM_DIVIDES:
        return is_number(in, pair->first, 0) ||
               (ir_prove_ge(context, NULL, pair->second, op_int(in, 1)) &&
                ir_prove_equal(context, pair->first, times(in, pair)));
    }
    UNREACHABLE("a relation of dims");
}

/* No run can let them fit. */
static bool is_wrong(const struct infer *in, const struct op_pair *pair)
{
    struct ir_context *context = in->context;
    int64_t first, second;

    switch (pair->relation) {
    case OP_DIM_SAME:
        return ir_prove_different(context, pair->first, pair->second);
    case OP_DIM_SAME_OR_ONE:
        return ir_prove_different(context, pair->first, pair->second) &&
               ir_prove_different(context, pair->second, op_int(in, 1));
    case OP_DIM_EITHER_ONE:
        return ir_prove_different(context, pair->first, pair->second) &&
               ir_prove_different(context, pair->first, op_int(in, 1)) &&
               ir_prove_different(context, pair->second, op_int(in, 1));
    case OP_DIM_AT_MOST:
        return ir_prove_ge(context, NULL, pair->second,
                           dim_add(context, pair->first, op_int(in, 1)));
    case OP_DIM_DIVIDES:
        return ir_expr_constant(context, pair->first, &first) &&
               ir_expr_constant(context, pair->second, &second) &&
               (second > 0 ? first % second != 0 : first != second);
    }
    UNREACHABLE("a relation of dims");
}

static const char *failure(const struct infer *in, const struct op_pair *pair)
{
    static const char *const words[] = {[OP_DIM_SAME] = "is not",
                                        [OP_DIM_SAME_OR_ONE] = "is neither 1 nor",
                                        [OP_DIM_EITHER_ONE] = "cannot be broadcast with",
                                        [OP_DIM_AT_MOST] = "is more than",
                                        [OP_DIM_DIVIDES] = "does not divide"};

    return arena_printf(&in->context->arena, "%s %s %s", pair->second_name, words[pair->relation],
                        pair->first_name);
}

static void note(const struct infer *in, const struct op_pair *pair)
{
    struct op_pairs *pairs = in->pairs;

    if (pairs->count == pairs->capacity) {
        unsigned capacity = pairs->capacity ? 2 * pairs->capacity : 8;
        struct op_pair *items = arena_array(&in->context->arena, struct op_pair, capacity);
        if (pairs->count)
            memcpy(items, pairs->items, pairs->count * sizeof(*items));
        pairs->items = items;
        pairs->capacity = capacity;
    }
    pairs->items[pairs->count] = *pair;
    pairs->items[pairs->count++].message = failure(in, pair);
}

bool op_pair_fits(const struct infer *in, const struct op_pair *pair)
{
    if (is_proved(in, pair))
        return true;
    if (!in->pairs)
        return !is_wrong(in, pair);
    note(in, pair);
    return true;
}

/* Both in words: "dimension 1 of `data`, the most that it can be," and "that of `key`, which divides it,". */
static void name_both(const struct infer *in, const struct op_pair *pair, const char **out_first,
                      const char **out_second)
{
    struct arena *arena = &in->context->arena;
    const char *most = pair->relation == OP_DIM_AT_MOST ? ", the most that it can be," : "";
    const char *divides = pair->relation == OP_DIM_DIVIDES ? ", which divides it," : "";

    *out_first = arena_printf(arena, "%s%s", pair->first_name, most);
    *out_second = arena_printf(arena, "%s%s", pair->second_name, divides);
}

bool op_check_pair(const struct infer *in, const struct op_pair *pair)
{
    const char *first, *second;

    if (op_pair_fits(in, pair))
        return true;
    name_both(in, pair, &first, &second);
    struct diag_message *m =
        diag_report(in->diag, op_argument_place(in, pair->operand), OP_DIMS, in->op->info->name,
                    first, op_dim_text(in, pair->first), second, op_dim_text(in, pair->second));
    if (pair->relation == OP_DIM_SAME_OR_ONE)
        diag_note(m, "it is as long, or 1: one for all");
    return false;
}

/* Has it elements in any case? */
static bool has_elements(const struct infer *in, const struct ir_type *type)
{
    int64_t dim;

    for (int d = 0; type->dims && d < type->ndim; d++)
        if (!ir_expr_constant(in->context, type->dims[d], &dim) || dim <= 0)
            return false;
    return type->dims != NULL;
}

bool op_check_some(const struct infer *in, const struct ir_type *result, const struct ir_expr *dim,
                   unsigned axis, const char *operand)
{
    if (in->pairs || !is_number(in, dim, 0) || !has_elements(in, result)) /* code asks each index */
        return true;
    diag_report(in->diag, op_argument_place(in, operand), OP_DIMS, in->op->info->name,
                arena_printf(&in->context->arena, "dimension %u of `%s`", axis, operand), "0",
                "what is read of it", "1 at least");
    return false;
}

bool op_check_same(const struct infer *in, const struct ir_expr *first, const char *first_name,
                   const struct ir_expr *second, const char *second_name, const char *operand)
{
    struct op_pair pair = {.first = first,
                           .second = second,
                           .first_name = first_name,
                           .second_name = second_name,
                           .operand = operand};

    return op_check_pair(in, &pair);
}

void op_find_pairs(struct ir_module *module, struct diag *diag, const struct ir_op *op,
                   struct op_pairs *out)
{
    size_t before = diag_message_count(diag);

    *out = (struct op_pairs){0};
    if (!op->info->library_id || !op->info->infer)
        return;
    module->pairs = out;
    (void)op->info->infer(module, diag, op);
    module->pairs = NULL;
    diag_truncate(diag,
                  before); /* what does not fit at all was said when the type was worked out */
}
