/*
 * What has a type and cannot be compiled: E0621 of a shape, E0622 of a dtype.
 *
 * `inlay check` asks the lowerings, too, so that these are messages of scripts: they mark the operand, and show how the
 * script is mended.
 */
#include "ops/lower/lower.h"

enum { FAR = 64 }; /* how many values without a kernel are looked through */

static bool is_open(const struct ir_type *type)
{
    return type->kind == IR_TYPE_ANY ||
           (type->kind == IR_TYPE_TENSOR && !type->dims && type->ndim != 0);
}

static bool is_told(const struct ir_value *value, unsigned far);

/* What op @def makes is not known because an operator in front of it was refused, which was said. */
static bool is_told_of(const struct ir_op *def, unsigned far)
{
    if (def->info->lower)
        return true;
    for (unsigned i = 0; i < def->operand_count; i++)
        if (is_told(def->operands[i].value, far))
            return true;
    for (unsigned i = 0; i < def->region_count; i++) {
        const struct ir_region *region = def->regions[i];
        const struct ir_op *last = region && region->last ? region->last->last : NULL;
        if (last && last->operand_count && is_told(last->operands[0].value, far))
            return true;
    }
    return false;
}

static bool is_told(const struct ir_value *value, unsigned far)
{
    return far && value->def && (is_open(value->type) || value->type->kind == IR_TYPE_TUPLE) &&
           is_told_of(value->def, far - 1);
}

/* The first operand whose shape is not known; the number of operands if all are. */
static unsigned open_operand(const struct ir_op *op)
{
    unsigned i = 0;

    while (i < op->operand_count &&
           !(op_has_operand(op, i) && is_open(op->operands[i].value->type)))
        i++;
    return i;
}

/* `R.Tensor((n, m), "float32")`, as a match_cast would say it of a tensor of which so much is known. */
static const char *wanted_type(struct kernel *k, const struct ir_type *type)
{
    static const char *const texts[] = {"()", "(n,)", "(n, m)", "(n, m, k)", "(n, m, k, l)"};
    bool is_tensor = type->kind == IR_TYPE_TENSOR;
    int ndim = is_tensor && type->ndim >= 0 && type->ndim < (int)ARRAY_SIZE(texts) ? type->ndim : 2;
    bool has_dtype = is_tensor && !ir_dtype_is_void(type->dtype);
    char name[32];

    return arena_printf(&k->context->arena, "R.Tensor(%s, \"%s\")", texts[ndim],
                        has_dtype ? ir_dtype_name(type->dtype, name) : "float32");
}

/* R.split into sections of an extent that is open: where they begin can be said. */
static void help_sections(const struct infer *in, struct diag_message *m)
{
    const struct ir_type *type = in->op->operands[0].value->type;
    int64_t axis = op_attr_int(in->op, "axis", 0);
    const struct ir_expr *extent = type->dims[axis + (axis < 0 ? type->ndim : 0)];
    struct location place = op_argument_place(in, "indices_or_sections");
    int64_t count = op_attr_int(in->op, "indices_or_sections", 0);
    bool is_written = extent->kind == IR_EXPR_var && place.begin > in->op->loc.begin;
    const char *text = "", *name = is_written ? extent->var->name : "";

    diag_note(m, "sections are of an extent that is a number, or a multiple of them");
    diag_help(m, "say where the parts begin: a list of sizes");
    for (int64_t i = 1; is_written && i < count && count <= 8; i++)
        text = arena_printf(&in->context->arena,
                            i > 1 ? "%s, (%s + %lld) // %lld * %lld" : "%s(%s + %lld) // %lld",
                            text, name, (long long)count - 1, (long long)count, (long long)i);
    if (*text)
        diag_help_edit(m, place, "[%s]", text);
}

bool kernel_refuse_shape(struct kernel *k, const struct ir_type *type, const char *what)
{
    struct infer in = op_infer_begin(k->module, k->diag, k->op);
    unsigned open = open_operand(k->op);
    bool is_operand = open < k->op->operand_count;

    for (unsigned i = 0; i < k->op->operand_count; i++)
        if (is_told(k->op->operands[i].value, FAR))
            return false;
    struct location place = is_operand ? op_operand_place(&in, open) : k->op->loc;
    struct diag_message *m = diag_report(k->diag, place, LOWER_SHAPE, k->op->info->name, what);
    if (is_operand) {
        type = k->op->operands[open].value->type;
        diag_primary(m, "this is %s", ir_type_text(k->context, type));
    }
    if (op_is(k->op, OP_strided_slice) && !is_operand)
        diag_help(m, "bounds are numbers and sizes; others are for `R.dynamic_strided_slice`, and "
                     "one row at a scalar index is `R.take(x, i, axis=0)`");
    else if (op_is(k->op, OP_split) && !is_operand)
        help_sections(&in, m);
    else
        diag_help(m, "give the shape first: `R.match_cast(.., %s)`", wanted_type(k, type));
    return false;
}

/* What an operator that is defined for @domain takes in place of another dtype. */
static const char *wanted_dtype(const struct ir_op *op, enum op_domain domain)
{
    bool is_activation = op_is(op, OP_nn_relu) || op_is(op, OP_nn_relu6);
    bool is_counted = op_is(op, OP_sum) || op_is(op, OP_prod) ||
                      ((op->info->traits & IR_ELEMENTWISE) && !is_activation);

    if (domain == OP_BITS || domain == OP_INTEGER)
        return "int32";
    return domain == OP_NUMBER && is_counted ? "int64" : "float32";
}

static bool is_tensor_of(const struct ir_op *op, unsigned i, struct ir_dtype dtype)
{
    const struct ir_type *type = op->operands[i].value->type;

    return type->kind == IR_TYPE_TENSOR && ir_dtype_equal(type->dtype, dtype);
}

/* The operands of @dtype, each converted to @wanted: one edit, from the first of them to the last. */
static void help_convert(const struct infer *in, struct diag_message *m, struct ir_dtype dtype,
                         const char *wanted)
{
    struct arena *arena = &in->context->arena;
    struct location whole = {0};
    const char *text = "";

    for (unsigned i = 0; i < in->op->operand_count; i++) {
        struct location place = op_operand_place(in, i);
        if (!is_tensor_of(in->op, i, dtype))
            continue;
        if (!place.source || place.begin == in->op->loc.begin ||
            (whole.source && place.begin < whole.end))
            return; /* where it stands is not known */
        struct location between = {place.source, whole.source ? whole.end : place.begin,
                                   place.begin};
        text = arena_printf(arena, "%s%.*sR.astype(%.*s, \"%s\")", text, LOCATION_TEXT(between),
                            LOCATION_TEXT(place), wanted);
        whole = whole.source ? location_join(whole, place) : place;
    }
    if (whole.source)
        diag_help_edit(m, whole, "%s", text);
}

static unsigned operand_of(const struct ir_op *op, struct ir_dtype dtype)
{
    unsigned i = 0;

    while (i < op->operand_count && !is_tensor_of(op, i, dtype))
        i++;
    return i;
}

bool kernel_refuse_dtype(struct kernel *k, enum op_domain domain, struct ir_dtype dtype)
{
    struct infer in = op_infer_begin(k->module, k->diag, k->op);
    unsigned i = operand_of(k->op, dtype);
    bool is_operand = i < k->op->operand_count;
    const char *wanted = wanted_dtype(k->op, domain);
    char name[32];

    struct diag_message *m = diag_report(
        k->diag, is_operand ? op_operand_place(&in, i) : op_said_place(k->op, "out_dtype"),
        LOWER_DTYPE, k->op->info->name,
        ir_dtype_is_void(dtype) ? "an unknown dtype" : ir_dtype_name(dtype, name));
    if (is_operand)
        diag_primary(m, "this is %s", ir_type_text(k->context, k->op->operands[i].value->type));
    if (dtype.lanes > 1)
        diag_help(m, "an operator takes tensors of scalars: make the %u lanes a dimension",
                  dtype.lanes);
    if (!is_operand || dtype.lanes > 1)
        return false;
    if (ir_dtype_is_void(dtype)) {
        diag_help(m, "say it: `R.match_cast(.., %s)`",
                  wanted_type(k, k->op->operands[i].value->type));
        return false;
    }
    op_label_dtype(&in, m, i);
    diag_help(m, "convert it first: `R.astype(.., \"%s\")`", wanted);
    help_convert(&in, m, dtype, wanted);
    return false;
}

bool kernel_check_domain(struct kernel *k, enum op_domain domain, struct ir_dtype dtype)
{
    return op_domain_has(domain, dtype) || kernel_refuse_dtype(k, domain, dtype);
}
