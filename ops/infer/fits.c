/*
 * What operands and attributes have to be in front of every rule of types: the rows of ops/fits.def.
 *
 * What is not known passes; it is looked at where it is known, when the program is compiled or runs.
 */
#include "ops/fits.h"

#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

static const struct fit {
    enum op_id id;
    enum fit_word word;
    const char *name;    /* of the operand or attribute */
    const char *of;      /* the operand it is compared with; the text of DIMS */
    const char *along;   /* the attribute that says along which axis */
    double low, high;    /* of a number; of a rank */
    unsigned lengths[4]; /* of a list; 0 at the end */
    enum op_domain domain;
    bool has_one; /* one number for all is right, too */
} fits[] = {
#define ROW(op, w, ...)                {.id = OP_##op, .word = FIT_##w, __VA_ARGS__},
#define RANK(op, operand, least, most) ROW(op, RANK, .name = operand, .low = least, .high = most)
#define DIMS(op, text)                 ROW(op, DIMS, .of = text)
#define DTYPE(op, operand, d)          ROW(op, DTYPE, .name = operand, .domain = OP_##d)
#define SAME_DTYPE(op, operand, other) ROW(op, SAME_DTYPE, .name = operand, .of = other)
#define ALONG(op, operand, data, attribute) \
    ROW(op, ALONG, .name = operand, .of = data, .along = attribute)
#define ALONG_OR_ONE(op, operand, data, attribute) \
    ROW(op, ALONG, .name = operand, .of = data, .along = attribute, .has_one = true)
#define AXIS(op, attribute, operand) ROW(op, AXIS, .name = attribute, .of = operand)
#define WITHIN(op, argument, least, most) \
    ROW(op, WITHIN, .name = argument, .low = least, .high = most)
#define LENGTH(op, attribute, ...) ROW(op, LENGTH, .name = attribute, .lengths = {__VA_ARGS__})
#define WHOLE(op, operand)         ROW(op, WHOLE, .name = operand)
#define ANY_KIND(op, operand)      ROW(op, ANY_KIND, .name = operand)
#define SCALAR_TOO(op, operand)    ROW(op, SCALAR_TOO, .name = operand)
#define TENSOR_TOO(op, operand)    ROW(op, TENSOR_TOO, .name = operand)
#include "ops/fits.def"
};

unsigned fit_operand(const struct ir_op_info *info, const char *name)
{
    for (unsigned p = 0; p < info->param_count; p++)
        if (info->params[p].kind < IR_PARAM_INT && strcmp(info->params[p].name, name) == 0)
            return info->params[p].operand_index;
    UNREACHABLE("a row of fits.def names no operand");
}

const struct ir_type *fit_tensor(const struct infer *in, unsigned i)
{
    return i < in->op->operand_count && op_has_operand(in->op, i) &&
                   in->op->operands[i].value->type->kind == IR_TYPE_TENSOR
               ? in->op->operands[i].value->type
               : NULL;
}

/* "rank 2", "rank 2 or more", "rank 1 to 3" */
static const char *rank_text(struct arena *arena, int low, int high)
{
    if (low == high)
        return arena_printf(arena, "rank %d", low);
    return high >= IR_RANK_LIMIT ? arena_printf(arena, "rank %d or more", low)
                                 : arena_printf(arena, "rank %d to %d", low, high);
}

static bool check_rank(const struct infer *in, const struct fit *fit)
{
    const struct ir_type *type = fit_tensor(in, fit_operand(in->op->info, fit->name));

    if (!type || type->ndim == IR_NDIM_UNKNOWN ||
        (type->ndim >= fit->low && type->ndim <= fit->high))
        return true;
    diag_report(in->diag, op_argument_place(in, fit->name), OP_RANK, in->op->info->name, fit->name,
                rank_text(&in->context->arena, (int)fit->low, (int)fit->high),
                op_shape_text(in, type));
    return false;
}

static bool check_dtype(const struct infer *in, const struct fit *fit)
{
    static const struct {
        const char *expected, *dtype;
    } texts[] = {[OP_INTEGER] = {"a tensor of integers", "int64"},
                 [OP_FLOAT] = {"a tensor of floats", "float32"},
                 [OP_NUMBER] = {"a tensor of numbers", "float32"},
                 [OP_ALL] = {"a tensor of bool", "bool"}};
    const struct ir_type *type = fit_tensor(in, fit_operand(in->op->info, fit->name));
    char name[32];

    if (!type || ir_dtype_is_void(type->dtype) ||
        (fit->domain == OP_ALL ? ir_dtype_is_bool(type->dtype)
                               : op_domain_has(fit->domain, type->dtype)))
        return true;
    struct location place = op_argument_place(in, fit->name);
    const char *dtype = texts[fit->domain].dtype;
    struct diag_message *m =
        diag_report(in->diag, place, OP_OPERAND_KIND, in->op->info->name, fit->name,
                    texts[fit->domain].expected,
                    arena_printf(&in->context->arena, "of %s", ir_dtype_name(type->dtype, name)));
    op_label_dtype(in, m, fit_operand(in->op->info, fit->name));
    diag_help(m, "convert it: `R.astype(.., \"%s\")`", dtype);
    if (place.source && place.begin != in->op->loc.begin)
        diag_help_wrap(m, place, "R.astype(",
                       arena_printf(&in->context->arena, ", \"%s\")", dtype));
    return false;
}

static bool check_same_dtype(const struct infer *in, const struct fit *fit)
{
    unsigned i = fit_operand(in->op->info, fit->name), other = fit_operand(in->op->info, fit->of);
    const struct ir_type *type = fit_tensor(in, other);

    if (!type || ir_dtype_is_void(type->dtype) || !fit_tensor(in, i))
        return true;
    struct ir_dtype dtype = type->dtype;
    return op_check_same_dtype(in, other, i, &dtype);
}

/* Are the axes that attribute @name gives in a tensor of rank @ndim?  False after a report. */
static bool check_axes(const struct infer *in, const char *name, int ndim)
{
    const struct ir_attr *attr = ir_op_attr(in->op, name);
    unsigned axis;

    if (attr->kind == IR_ATTR_INT)
        return op_check_axis_of(in, name, attr->integer, ndim, &axis);
    return attr->kind != IR_ATTR_LIST || op_check_axes(in, attr, ndim) != NULL;
}

static bool check_axis(const struct infer *in, const struct fit *fit)
{
    const struct ir_type *type = fit_tensor(in, fit_operand(in->op->info, fit->of));

    return !type || type->ndim == IR_NDIM_UNKNOWN || check_axes(in, fit->name, type->ndim);
}

/* One number for each place along an axis of the data. */
static bool check_along(const struct infer *in, const struct fit *fit)
{
    const struct ir_type *data = fit_tensor(in, fit_operand(in->op->info, fit->of));
    const struct ir_type *type = fit_tensor(in, fit_operand(in->op->info, fit->name));
    struct arena *arena = &in->context->arena;
    unsigned axis = 0;

    if (data && data->ndim != IR_NDIM_UNKNOWN &&
        !op_check_axis_of(in, fit->along, op_attr_int(in->op, fit->along, 0), data->ndim, &axis))
        return false;
    if (!type || type->ndim == IR_NDIM_UNKNOWN)
        return true;
    if (type->ndim != 1) {
        diag_report(in->diag, op_argument_place(in, fit->name), OP_RANK, in->op->info->name,
                    fit->name,
                    arena_printf(arena, "rank 1, one number for each place along `%s`", fit->along),
                    op_shape_text(in, type));
        return false;
    }
    if (!data || !data->dims || !type->dims)
        return true;
    struct op_pair pair = {
        .relation = fit->has_one ? OP_DIM_SAME_OR_ONE : OP_DIM_SAME,
        .first = data->dims[axis],
        .first_name = arena_printf(arena, "dimension %u of `%s`", axis, fit->of),
        .second = type->dims[0],
        .second_name = arena_printf(arena, "the length of `%s`", fit->name),
        .operand = fit->name,
    };
    return op_check_pair(in, &pair);
}

/* "must be positive", "must be from 0 to 1" */
static const char *range_text(struct arena *arena, const struct fit *fit)
{
    if (fit->high < FIT_NO_END)
        return arena_printf(arena, "must be from %g to %g", fit->low, fit->high);
    if (fit->low == 1)
        return "must be positive";
    return fit->low == 0 ? "must not be negative"
                         : arena_printf(arena, "must be %g or more", fit->low);
}

/* Are all numbers that argument @name gives as literals from low to high?  NaN is not. */
static bool is_within(const struct infer *in, const struct fit *fit)
{
    if (!ir_attr_param(in->op->info, fit->name)) {
        const struct ir_expr *prim = op_operand_prim(in->op, fit_operand(in->op->info, fit->name));
        int64_t value;
        return !prim || !ir_expr_constant(in->context, prim, &value) ||
               ((double)value >= fit->low && (double)value <= fit->high);
    }
    const struct ir_attr *attr = ir_op_attr(in->op, fit->name);
    const struct ir_attr *const *items = attr->kind == IR_ATTR_LIST ? attr->items : &attr;
    for (unsigned i = 0; i < (attr->kind == IR_ATTR_LIST ? attr->count : 1); i++) {
        bool is_number = items[i]->kind == IR_ATTR_INT || items[i]->kind == IR_ATTR_FLOAT;
        double value = items[i]->kind == IR_ATTR_INT ? (double)items[i]->integer : items[i]->real;
        if (is_number && !(value >= fit->low && value <= fit->high))
            return false;
    }
    return true;
}

static bool check_within(const struct infer *in, const struct fit *fit)
{
    if (is_within(in, fit))
        return true;
    diag_report(in->diag, op_argument_place(in, fit->name), OP_ATTRIBUTE, in->op->info->name,
                fit->name, range_text(&in->context->arena, fit));
    return false;
}

bool op_check_least(const struct infer *in, const char *name, int64_t least)
{
    struct fit fit = {.name = name, .low = (double)least, .high = FIT_NO_END};

    return check_within(in, &fit);
}

bool op_check_as(const struct infer *in, unsigned i, const struct ir_type *expected,
                 const char *what)
{
    const struct ir_type *type = fit_tensor(in, i);
    const char *name = op_operand_name(in->op->info, i);
    struct arena *arena = &in->context->arena;

    if (!type || type->ndim == IR_NDIM_UNKNOWN || expected->ndim == IR_NDIM_UNKNOWN)
        return true;
    if (type->ndim != expected->ndim) {
        diag_report(in->diag, op_argument_place(in, name), OP_RANK, in->op->info->name, name,
                    arena_printf(arena, "rank %d, as %s", expected->ndim, what),
                    op_shape_text(in, type));
        return false;
    }
    for (int d = 0; type->dims && expected->dims && d < type->ndim; d++) {
        const char *first = arena_printf(arena, "dimension %d of %s", d, what);
        const char *second = arena_printf(arena, "dimension %d of `%s`", d, name);
        if (!op_check_same(in, expected->dims[d], first, type->dims[d], second, name))
            return false;
    }
    return true;
}

bool op_check_length(const struct infer *in, const char *name, const unsigned *lengths,
                     unsigned count)
{
    const struct ir_attr *attr = ir_op_attr(in->op, name);
    struct arena *arena = &in->context->arena;
    const char *text = "has";

    for (unsigned i = 0; i < count && lengths[i]; i++) {
        if (attr->kind != IR_ATTR_LIST || attr->count == lengths[i])
            return true;
        bool is_last = i + 1 == count || !lengths[i + 1];
        text = arena_printf(arena, "%s%s%u", text,
                            i == 0    ? " "
                            : is_last ? " or "
                                      : ", ",
                            lengths[i]);
    }
    diag_report(in->diag, op_argument_place(in, name), OP_ATTRIBUTE, in->op->info->name, name,
                arena_printf(arena, "%s numbers, not %u", text, attr->count));
    return false;
}

static bool check_length(const struct infer *in, const struct fit *fit)
{
    return op_check_length(in, fit->name, fit->lengths, ARRAY_SIZE(fit->lengths));
}

static bool is_whole(const struct ir_type *type)
{
    return type->kind == IR_TYPE_ANY || type->kind == IR_TYPE_SHAPE ||
           ((type->kind == IR_TYPE_PRIM || type->kind == IR_TYPE_TENSOR) &&
            (ir_dtype_is_int(type->dtype) || ir_dtype_is_void(type->dtype)));
}

/* A scalar, or the scalars of a tuple, are integers. */
static bool check_whole(const struct infer *in, const struct fit *fit)
{
    unsigned i = fit_operand(in->op->info, fit->name);
    const struct ir_type *type = in->op->operands[i].value->type;
    bool is_tuple = type->kind == IR_TYPE_TUPLE, is_right = is_tuple || is_whole(type);

    if (!op_has_operand(in->op, i))
        return true;
    for (unsigned f = 0; is_tuple && f < type->field_count; f++)
        is_right = is_right && is_whole(type->fields[f]);
    if (!is_right)
        op_report_kind(in, i, is_tuple ? "integers" : "an integer");
    return is_right;
}

static bool check_dims(const struct infer *in, const struct fit *fit)
{
    return fit_dims(in, fit->of);
}

static bool check_nothing(const struct infer *in, const struct fit *fit)
{
    return true;
}

typedef bool check_fn(const struct infer *in, const struct fit *fit);

static check_fn *const checks[] = {
    [FIT_RANK] = check_rank,          [FIT_DIMS] = check_dims,
    [FIT_DTYPE] = check_dtype,        [FIT_SAME_DTYPE] = check_same_dtype,
    [FIT_ALONG] = check_along,        [FIT_AXIS] = check_axis,
    [FIT_WITHIN] = check_within,      [FIT_LENGTH] = check_length,
    [FIT_WHOLE] = check_whole,        [FIT_ANY_KIND] = check_nothing,
    [FIT_SCALAR_TOO] = check_nothing, [FIT_TENSOR_TOO] = check_nothing,
};

/* Is there a row of @word for the operand that @param names? */
static bool is_said(const struct ir_op_info *info, const struct ir_op_param *param,
                    enum fit_word word)
{
    for (size_t i = 0; i < ARRAY_SIZE(fits); i++)
        if (fits[i].word == word && fits[i].id == (enum op_id)info->library_id &&
            strcmp(fits[i].name, param->name) == 0)
            return true;
    return false;
}

/* A tensor without axes, or one of which nobody knows whether it has some. */
static bool is_number(const struct ir_type *type)
{
    return type->kind == IR_TYPE_TENSOR && type->ndim <= 0;
}

/* "a string", "None", or a type, where a value of another kind is asked for; NULL if it is right. */
static const char *wrong_kind(const struct infer *in, const struct ir_op_param *param)
{
    bool is_given =
        param->operand_index < in->op->operand_count; /* builders may leave trailing ones out */
    const struct ir_value *value = is_given ? in->op->operands[param->operand_index].value : NULL;
    const struct ir_op *def = value ? op_value_def(value) : NULL;

    if (!value)
        return NULL;
    if (def && ir_op_is(def, IR_CORE_null_value))
        return param->is_optional ? NULL : "None";
    bool is_word = strcmp(param->name, "dtype") == 0 || strcmp(param->name, "storage_scope") == 0;
    if (def && ir_op_is(def, IR_CORE_string))
        return is_word ? NULL : "a string";
    if (param->kind == IR_PARAM_PRIM)
        return value->type->kind == IR_TYPE_PRIM || value->type->kind == IR_TYPE_ANY ||
                       (is_number(value->type) && is_said(in->op->info, param, FIT_TENSOR_TOO))
                   ? NULL
                   : ir_type_text(in->context, value->type);
    if (param->kind != IR_PARAM_EXPR || value->type->kind == IR_TYPE_TENSOR ||
        value->type->kind == IR_TYPE_ANY ||
        (value->type->kind == IR_TYPE_PRIM &&
         ((in->op->info->traits & IR_ELEMENTWISE) || is_said(in->op->info, param, FIT_SCALAR_TOO))))
        return NULL;
    return ir_type_text(in->context, value->type);
}

/* Is the operand a value of the kind that the signature says? */
static bool check_kind(const struct infer *in, const struct ir_op_param *param)
{
    static const char *const expected[] = {[IR_PARAM_EXPR] = "a tensor",
                                           [IR_PARAM_EXPRS] = "a tuple of tensors",
                                           [IR_PARAM_SHAPE] = "a shape",
                                           [IR_PARAM_PRIM] = "a scalar"};
    const char *found = wrong_kind(in, param);

    bool is_string = found && strcmp(found, "a string") == 0;
    if (!found || (!is_string && is_said(in->op->info, param, FIT_ANY_KIND)))
        return true;
    if (found[0] == 'R' || found[0] == 'T') { /* a type */
        op_report_kind(in, param->operand_index, expected[param->kind]);
        return false;
    }
    diag_report(in->diag, op_argument_place(in, param->name), OP_OPERAND_KIND, in->op->info->name,
                param->name, expected[param->kind], found);
    return false;
}

/* A dim below 0 comes of a window that is larger than the data, of a negative number in a shape, .. */
static bool check_result(const struct infer *in, const struct ir_type *type)
{
    int64_t dim;

    for (unsigned f = 0; type->kind == IR_TYPE_TUPLE && f < type->field_count; f++)
        if (!check_result(in, type->fields[f]))
            return false;
    for (int d = 0; type->kind == IR_TYPE_TENSOR && type->dims && d < type->ndim; d++) {
        if (!ir_expr_constant(in->context, type->dims[d], &dim) || dim >= 0)
            continue;
        diag_report(in->diag, in->op->loc, OP_RESULT, in->op->info->name, op_shape_text(in, type));
        return false;
    }
    return true;
}

static bool check_all(const struct infer *in)
{
    const struct ir_op_info *info = in->op->info;

    for (unsigned p = 0; p < info->param_count; p++)
        if (info->params[p].kind < IR_PARAM_INT && !info->params[p].is_variadic &&
            !check_kind(in, &info->params[p]))
            return false;
    for (size_t i = 0; i < ARRAY_SIZE(fits); i++)
        if (fits[i].id == op_id(in->op) && !checks[fits[i].word](in, &fits[i]))
            return false;
    return true;
}

const struct ir_type *op_infer_fitting(const struct infer *in, ir_infer_fn *rule)
{
    const struct ir_type *type = check_all(in) ? rule(in->module, in->diag, in->op) : NULL;

    return type && check_result(in, type) ? type : NULL;
}
