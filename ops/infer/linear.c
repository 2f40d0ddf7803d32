/* Types of products: matmul and its relatives. */
#include "ops/internal.h"

#include <ctype.h>
#include <string.h>

/* The dtype of a product: out_dtype, or that of both operands; false after a report. */
static bool product_dtype(const struct infer *in, bool has_attr, struct ir_dtype *out)
{
    struct ir_dtype dtype = has_attr ? op_attr_dtype(in->op, "out_dtype", IR_VOID) : IR_VOID;

    *out = in->op->operands[0].value->type->kind == IR_TYPE_TENSOR
               ? in->op->operands[0].value->type->dtype
               : IR_VOID;
    if (!ir_dtype_is_void(dtype)) {
        *out = dtype;
        return true;
    }
    return op_check_same_dtype(in, 0, 1, out);
}

/* Operands that fit when they change places. */
static void help_exchanged(const struct infer *in, struct diag_message *m, const struct ir_type *a,
                           const struct ir_type *b)
{
    if (!ir_prove_equal(in->context, a->dims[0], b->dims[1]))
        return;
    diag_help(m, "the operands fit when they change places");
    diag_help_swap(m, op_operand_place(in, 0), op_operand_place(in, 1));
}

/* Is operand @i a parameter that nothing else reads? */
static bool is_only_use(const struct infer *in, unsigned i)
{
    const struct ir_value *value = in->op->operands[i].value;

    for (const struct ir_use *use = value->uses; use; use = use->next)
        if (use->user != in->op)
            return false;
    return !value->def;
}

/* Of matrices the one that fits when it is transposed, if it is only one; else -1. */
static int transposed(const struct infer *in, const struct ir_type *a, const struct ir_type *b)
{
    if (a->ndim != 2 || b->ndim != 2)
        return -1;
    bool is_first = ir_prove_equal(in->context, a->dims[0], b->dims[0]);
    bool is_second = ir_prove_equal(in->context, a->dims[1], b->dims[1]);

    return is_first == is_second ? -1 : is_second;
}

/* `R.permute_dims(w, axes=[0, 1])`, which moves nothing: the order that does; false: operand @i is none such. */
static bool help_axes_order(const struct infer *in, struct diag_message *m, unsigned i)
{
    const struct ir_op *def = in->op->operands[i].value->def;
    const struct ir_attr *axes =
        def && op_is(def, OP_permute_dims) ? ir_op_attr(def, "axes") : NULL;
    struct location place = axes ? op_said_place(def, "axes") : (struct location){0};
    bool is_kept = axes && axes->kind == IR_ATTR_LIST && axes->count == 2;

    for (unsigned k = 0; is_kept && k < 2; k++)
        is_kept = axes->items[k]->kind == IR_ATTR_INT && axes->items[k]->integer == k;
    if (!is_kept || !place.source || place.begin <= def->loc.begin)
        return false;
    diag_help(m, "this order moves no axis");
    diag_help_edit(m, place, place.source->text[place.begin] == '(' ? "(1, 0)" : "[1, 0]");
    return true;
}

static void help_transposed(const struct infer *in, struct diag_message *m, unsigned is_second,
                            const struct ir_type *a, const struct ir_type *b)
{
    if (help_axes_order(in, m, is_second))
        return;
    diag_help(m, "`%s` fits when it is transposed: `R.permute_dims`",
              op_operand_name(in->op->info, is_second));
    op_help_wrap(in, m, is_second, "R.permute_dims(", ")");
    if (is_only_use(in, is_second)) /* or its type is the mistake */
        diag_help_unsure(m);
    help_exchanged(in, m, a, b);
}

static bool check_inner(const struct infer *in, const struct ir_type *a, const struct ir_type *b)
{
    unsigned a_axis = (unsigned)a->ndim - 1;
    unsigned b_axis = b->ndim == 1 ? 0 : (unsigned)b->ndim - 2;

    if (!ir_prove_different(in->context, a->dims[a_axis], b->dims[b_axis]))
        return true;
    int wrong = transposed(in, a, b);
    struct location place = wrong < 0 ? in->op->loc : op_operand_place(in, (unsigned)wrong);
    struct diag_message *m = diag_report(in->diag, place, OP_DIMS, in->op->info->name,
                                         arena_printf(&in->context->arena, "dimension %u of `%s`",
                                                      a_axis, op_operand_name(in->op->info, 0)),
                                         op_dim_text(in, a->dims[a_axis]),
                                         arena_printf(&in->context->arena, "dimension %u of `%s`",
                                                      b_axis, op_operand_name(in->op->info, 1)),
                                         op_dim_text(in, b->dims[b_axis]));
    diag_note(m, "the shapes are %s and %s", op_shape_text(in, a), op_shape_text(in, b));
    if (wrong >= 0)
        help_transposed(in, m, (unsigned)wrong, a, b);
    return false;
}

/* @type without its last @cut dims. */
static const struct ir_type *batch_of(const struct infer *in, const struct ir_type *type, int cut)
{
    int ndim = type->ndim > cut ? type->ndim - cut : 0;

    return ir_type_tensor(
        in->context, type->dtype,
        type->dims != NULL || ndim == 0 ? (type->dims != NULL ? type->dims : op_dims(in, 0)) : NULL,
        ndim);
}

const struct ir_type *infer_matmul(struct ir_module *module, struct diag *diag,
                                   const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *a = op_tensor(&in, 0), *b = op_tensor(&in, 1);
    const struct ir_expr *const *batch;
    struct ir_dtype dtype;
    int ndim;

    if (a == NULL || b == NULL || !product_dtype(&in, true, &dtype))
        return NULL;
    if (a->ndim == 0 || b->ndim == 0) {
        diag_report(diag, op->loc, OP_RANK, op->info->name, op_operand_name(op->info, a->ndim != 0),
                    "rank 1 or more", "()");
        return NULL;
    }
    if (a->ndim == IR_NDIM_UNKNOWN || b->ndim == IR_NDIM_UNKNOWN)
        return op_result_type(&in, dtype, NULL, IR_NDIM_UNKNOWN);
    if (a->dims != NULL && b->dims != NULL && !check_inner(&in, a, b))
        return NULL;
    const struct ir_type *batches[2] = {batch_of(&in, a, 2), batch_of(&in, b, 2)};
    if (!op_broadcast(&in, batches, 2, &batch, &ndim))
        return NULL;
    int result_ndim = ndim + (a->ndim > 1) + (b->ndim > 1);
    if (batch == NULL || a->dims == NULL || b->dims == NULL)
        return op_result_type(&in, dtype, NULL, result_ndim);
    const struct ir_expr **dims = op_dims(&in, (unsigned)result_ndim);
    int count = 0;
    for (int d = 0; d < ndim; d++)
        dims[count++] = batch[d];
    if (a->ndim > 1)
        dims[count++] = a->dims[a->ndim - 2];
    if (b->ndim > 1)
        dims[count++] = b->dims[b->ndim - 1];
    return op_result_type(&in, dtype, dims, result_ndim);
}

/* The bias is broadcast to the product, of @dims, not the other way round. */
static bool check_bias(const struct infer *in, const struct ir_expr *const *dims, int ndim)
{
    const struct ir_type *bias = op_has_operand(in->op, 2) ? op_tensor(in, 2) : NULL;
    struct arena *arena = &in->context->arena;

    if (!bias || bias->ndim == IR_NDIM_UNKNOWN)
        return true;
    if (bias->ndim > ndim) {
        diag_report(in->diag, op_argument_place(in, "bias"), OP_RANK, in->op->info->name, "bias",
                    arena_printf(arena, "rank %d or less, as the product", ndim),
                    op_shape_text(in, bias));
        return false;
    }
    for (int d = 0; bias->dims && d < bias->ndim; d++) {
        int axis = ndim - bias->ndim + d;
        struct op_pair pair = {
            .relation = OP_DIM_SAME_OR_ONE,
            .first = dims[axis],
            .first_name = arena_printf(arena, "dimension %d of the product", axis),
            .second = bias->dims[d],
            .second_name = arena_printf(arena, "dimension %d of `bias`", d),
            .operand = "bias",
        };
        if (!op_check_pair(in, &pair))
            return false;
    }
    return true;
}

const struct ir_type *infer_linear(struct ir_module *module, struct diag *diag,
                                   const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *data = op_tensor(&in, 0), *weight = op_tensor(&in, 1);
    struct ir_dtype dtype;

    if (data == NULL || weight == NULL || !product_dtype(&in, true, &dtype))
        return NULL;
    if (data->dims && weight->dims && data->ndim > 0 && weight->ndim == 2 &&
        !op_check_same(&in, data->dims[data->ndim - 1],
                       arena_printf(&in.context->arena, "dimension %d of `data`", data->ndim - 1),
                       weight->dims[1], "dimension 1 of `weight`", "weight"))
        return NULL;
    if (data->dims == NULL || weight->dims == NULL || data->ndim < 1 || weight->ndim != 2)
        return op_result_type(&in, dtype, NULL,
                              weight->ndim == 2 && data->ndim > 0 ? data->ndim : IR_NDIM_UNKNOWN);
    const struct ir_expr **dims = op_dims(&in, (unsigned)data->ndim);
    memcpy(dims, data->dims, sizeof(dims[0]) * (unsigned)data->ndim);
    dims[data->ndim - 1] = weight->dims[0];
    return check_bias(&in, dims, data->ndim) ? op_result_type(&in, dtype, dims, data->ndim) : NULL;
}

const struct ir_type *infer_outer(struct ir_module *module, struct diag *diag,
                                  const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *types[2] = {op_tensor(&in, 0), op_tensor(&in, 1)};
    const struct ir_expr *dims[2];
    struct ir_dtype dtype;

    if (types[0] == NULL || types[1] == NULL || !product_dtype(&in, false, &dtype))
        return NULL;
    for (unsigned i = 0; i < 2; i++) {
        if (types[i]->ndim != IR_NDIM_UNKNOWN && types[i]->ndim != 1) {
            diag_report(diag, op->loc, OP_RANK, op->info->name, op_operand_name(op->info, i),
                        "rank 1", op_shape_text(&in, types[i]));
            return NULL;
        }
    }
    if (types[0]->dims == NULL || types[1]->dims == NULL)
        return op_result_type(&in, dtype, NULL, 2);
    dims[0] = types[0]->dims[0];
    dims[1] = types[1]->dims[0];
    return op_result_type(&in, dtype, dims, 2);
}

/* The dim that @letter names in the operands' subscripts @text; NULL if it names none. */
static const struct ir_expr *einsum_dim(const char *text, char letter,
                                        const struct ir_type *const *types, unsigned count)
{
    unsigned operand = 0;
    int axis = 0;

    for (; *text != '\0' && *text != '-' && operand < count; text++) {
        if (*text == ',') {
            operand++;
            axis = 0;
        } else if (*text == letter) {
            return types[operand]->dims != NULL && axis < types[operand]->ndim
                       ? types[operand]->dims[axis]
                       : NULL;
        } else if (*text != ' ') {
            axis++;
        }
    }
    return NULL;
}

const char *op_einsum_result(struct ir_context *context, const char *text)
{
    const char *arrow = strstr(text, "->");
    char *letters = arena_array(&context->arena, char, 2 * 26 + 1);
    unsigned count = 0;

    if (arrow != NULL)
        return arrow + 2;
    for (int letter = 'A'; letter <= 'z'; letter++) {
        const char *at = strchr(text, letter);
        if (isalpha(letter) && at != NULL && strchr(at + 1, letter) == NULL)
            letters[count++] = (char)letter;
    }
    return letters;
}

/* Has each operand a letter for each of its axes, and each letter one extent?  False after a report. */
static bool check_subscripts(const struct infer *in, const char *text,
                             const struct ir_type *const *types, unsigned count)
{
    struct arena *arena = &in->context->arena;
    const struct ir_expr *extents['z' + 1] = {0};
    unsigned operand = 0;

    for (;; text++, operand++) {
        int axis = 0;
        const struct ir_type *type = operand < count ? types[operand] : NULL;
        for (; *text != '\0' && *text != ',' && *text != '-'; text++) {
            if (!isalpha((unsigned char)*text))
                continue;
            const struct ir_expr *dim =
                type && type->dims && axis < type->ndim ? type->dims[axis] : NULL;
            const struct ir_expr **extent = &extents[(unsigned char)*text];
            axis++;
            if (dim && *extent &&
                !op_check_same(in, *extent, arena_printf(arena, "what `%c` stands for", *text), dim,
                               arena_printf(arena, "dimension %d of operand %u", axis - 1, operand),
                               "subscripts"))
                return false;
            if (!*extent)
                *extent = dim;
        }
        if (type && type->ndim != IR_NDIM_UNKNOWN && type->ndim != axis) {
            diag_report(in->diag, op_argument_place(in, "subscripts"), OP_RANK, in->op->info->name,
                        arena_printf(arena, "operands[%u]", operand),
                        arena_printf(arena, "rank %d, one for each letter", axis),
                        op_shape_text(in, type));
            return false;
        }
        if (*text != ',')
            break;
    }
    bool is_open = in->op->operands[0].value->type->kind == IR_TYPE_ANY;
    if (is_open || operand + 1 == count)
        return true;
    diag_report(in->diag, op_argument_place(in, "subscripts"), OP_ATTRIBUTE, in->op->info->name,
                "subscripts",
                arena_printf(arena, "has letters for %u operand%s, not for %u", operand + 1,
                             operand == 0 ? "" : "s", count));
    return false;
}

/* Only subscripts of letters are worked out; `...` leaves the shape open. */
const struct ir_type *infer_einsum(struct ir_module *module, struct diag *diag,
                                   const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const char *text = ir_op_attr(op, "subscripts")->string;
    const struct ir_type *const *types;
    unsigned count;
    int ndim = 0;

    if (!op_tensors(&in, 0, &types, &count))
        return NULL;
    struct ir_dtype dtype = count > 0 ? types[0]->dtype : IR_VOID;
    if (strchr(text, '.') != NULL)
        return op_result_type(&in, dtype, NULL, IR_NDIM_UNKNOWN);
    if (!check_subscripts(&in, text, types, count))
        return NULL;
    const char *result = op_einsum_result(in.context, text);
    const struct ir_expr **dims = op_dims(&in, (unsigned)strlen(result));
    bool is_known = true;
    for (const char *at = result; *at != '\0'; at++) {
        if (!isalpha((unsigned char)*at))
            continue;
        dims[ndim] = einsum_dim(text, *at, types, count);
        is_known = is_known && dims[ndim] != NULL;
        ndim++;
    }
    return op_result_type(&in, dtype, is_known ? dims : NULL, ndim);
}
