/*
 * Helpers of type rules.
 *
 * The rules follow Relax: what is provably wrong is an error that names the operator, the operand and
 * what was found; what is not known makes the result less known (rank only, or nothing), never wrong.
 */
#include "base/array.h"
#include "base/assert.h"
#include "ir/part_names.h"
#include "ops/ids.h"
#include "ops/internal.h"

#include <string.h>

struct infer op_infer_begin(struct ir_module *module, struct diag *diag, const struct ir_op *op)
{
    return (struct infer){module, module->context, diag, op, module->pairs};
}

const char *op_operand_name(const struct ir_op_info *info, unsigned i)
{
    const char *last = "";

    for (unsigned p = 0; p < info->param_count; p++) {
        if (info->params[p].kind >= IR_PARAM_INT)
            continue;
        last = info->params[p].name;
        if (info->params[p].operand_index == i)
            break;
    }
    return last;
}

bool op_has_operand(const struct ir_op *op, unsigned i)
{
    if (i >= op->operand_count)
        return false;
    const struct ir_op *def = op->operands[i].value->def;
    return def == NULL || !ir_op_is(def, IR_CORE_null_value);
}

static struct location operand_location(const struct infer *in, unsigned i)
{
    const struct ir_value *value = in->op->operands[i].value;

    return value->def != NULL && ir_op_is_inline(value->def) ? value->def->loc : value->loc;
}

struct location op_said_place(const struct ir_op *op, const char *name)
{
    const struct ir_op_info *info = op->info;

    for (unsigned i = 0; i < info->param_count; i++)
        if (strcmp(info->params[i].name, name) == 0)
            return location_argument(op->loc, i, name);
    return op->loc;
}

struct location op_argument_place(const struct infer *in, const char *name)
{
    return op_said_place(in->op, name);
}

static struct location axis_place(const struct infer *in)
{
    struct location axis = op_argument_place(in, "axis");

    return axis.begin == in->op->loc.begin ? op_argument_place(in, "axes") : axis;
}

/* The @i-th of several. */
static struct location axis_item(const struct infer *in, unsigned i)
{
    struct location axes = axis_place(in);
    bool is_list = axes.source && strchr("([", axes.source->text[axes.begin]);

    return is_list ? location_argument(axes, i, NULL) : axes;
}

/* The operand @i of an operator, `x * y`, where it is a name; all of it where that is not known. */
static struct location operator_operand(const struct infer *in, unsigned i)
{
    const char *name = in->op->operands[i].value->name;
    struct location place = in->op->loc;
    uint32_t length = name != NULL ? (uint32_t)strlen(name) : 0;

    if (length == 0 || place.end - place.begin < 2 * length + 1 || in->op->operand_count != 2 ||
        !place.source)
        return place;
    const char *text = place.source->text;
    if (i == 0)
        place.end = place.begin + length;
    else
        place.begin = place.end - length;
    char beside = i == 0 ? text[place.end] : text[place.begin - 1];
    bool is_there =
        memcmp(text + place.begin, name, length) == 0 && strchr(" +-*/%<>", beside) != NULL;
    return is_there ? place : in->op->loc;
}

struct location op_operand_place(const struct infer *in, unsigned i)
{
    struct location place = op_argument_place(in, op_operand_name(in->op->info, i));
    struct location value = operand_location(in, i);

    /* `a / R.const(2)` names no arguments */
    if (place.begin != in->op->loc.begin || place.end != in->op->loc.end)
        return place;
    if (value.source == place.source && value.begin >= place.begin && value.end <= place.end)
        return value;
    return operator_operand(in, i);
}

/* A tuple where one of its parts is wanted; what R.nn.batch_norm gives besides is hardly meant. */
static void help_part(const struct infer *in, struct diag_message *m, unsigned i)
{
    const struct ir_value *value = in->op->operands[i].value;
    struct location place = op_operand_place(in, i);

    if (value->type->fields[0]->kind == IR_TYPE_PRIM) {
        op_help_numbers(in, m, i);
        return;
    }
    if (value->name == NULL || place.end - place.begin != strlen(value->name))
        return;
    diag_help(m, "take a part of the tuple: `%s[0]`", value->name);
    if (value->def != NULL &&
        (op_is(value->def, OP_nn_batch_norm) || op_is(value->def, OP_nn_dropout)))
        diag_help_edit(m, place, "%s[0]", value->name);
}

void op_report_kind(const struct infer *in, unsigned i, const char *expected)
{
    const struct ir_type *type = in->op->operands[i].value->type;
    struct diag_message *m =
        diag_report(in->diag, op_argument_place(in, op_operand_name(in->op->info, i)),
                    OP_OPERAND_KIND, in->op->info->name, op_operand_name(in->op->info, i), expected,
                    ir_type_text(in->context, type));

    diag_label(m, operand_location(in, i), "this is %s", ir_type_text(in->context, type));
    if (type->kind == IR_TYPE_TUPLE && type->field_count > 0)
        help_part(in, m, i);
    op_help_shape(in, m, i, expected);
}

static const struct ir_type *unknown_tensor(const struct infer *in)
{
    return ir_type_tensor(in->context, IR_VOID, NULL, IR_NDIM_UNKNOWN);
}

const struct ir_type *op_tensor(const struct infer *in, unsigned i)
{
    const struct ir_type *type = in->op->operands[i].value->type;

    if (type->kind == IR_TYPE_TENSOR)
        return type;
    if (type->kind == IR_TYPE_ANY && op_has_operand(in->op, i))
        return unknown_tensor(in);
    op_report_kind(in, i, "a tensor");
    return NULL;
}

bool op_tensors(const struct infer *in, unsigned i, const struct ir_type *const **out_types,
                unsigned *out_count)
{
    const struct ir_type *type = in->op->operands[i].value->type;

    *out_types = NULL;
    *out_count = 0;
    if (type->kind == IR_TYPE_ANY)
        return true;
    if (type->kind == IR_TYPE_TENSOR) { /* one tensor stands for a list of one */
        const struct ir_type **one = arena_array(&in->module->arena, const struct ir_type *, 1);
        one[0] = type;
        *out_types = one;
        *out_count = 1;
        return true;
    }
    if (type->kind != IR_TYPE_TUPLE) {
        op_report_kind(in, i, "a tuple of tensors");
        return false;
    }
    const struct ir_type **types =
        arena_array(&in->module->arena, const struct ir_type *, type->field_count);
    for (unsigned f = 0; f < type->field_count; f++) {
        types[f] = type->fields[f];
        if (types[f]->kind == IR_TYPE_ANY)
            types[f] = unknown_tensor(in);
        if (types[f]->kind != IR_TYPE_TENSOR) {
            op_report_kind(in, i, "a tuple of tensors");
            return false;
        }
    }
    *out_types = types;
    *out_count = type->field_count;
    return true;
}

const struct ir_type *op_shape(const struct infer *in, unsigned i)
{
    const struct ir_type *type = in->op->operands[i].value->type;

    if (type->kind == IR_TYPE_SHAPE)
        return type;
    if (type->kind == IR_TYPE_ANY && op_has_operand(in->op, i))
        return ir_type_shape(in->context, NULL, IR_NDIM_UNKNOWN);
    op_report_kind(in, i, "a shape");
    return NULL;
}

/* The op that makes @value, looking through other names of it; NULL for a parameter. */
const struct ir_op *op_value_def(const struct ir_value *value)
{
    while (value->def != NULL && ir_op_is(value->def, IR_CORE_bind))
        value = value->def->operands[0].value;
    return value->def;
}

const struct ir_expr *op_value_prim(const struct ir_value *value)
{
    const struct ir_op *def = op_value_def(value);

    return def != NULL && ir_op_is(def, IR_CORE_prim) ? ir_op_attr(def, "value")->expr : NULL;
}

const struct ir_expr *op_operand_prim(const struct ir_op *op, unsigned i)
{
    return i < op->operand_count ? op_value_prim(op->operands[i].value) : NULL;
}

bool op_operand_prims(struct ir_module *module, const struct ir_op *op, unsigned i,
                      const struct ir_expr *const **out_items, unsigned *out_count)
{
    const struct ir_value *value = op->operands[i].value;

    if (value->type->kind == IR_TYPE_SHAPE && value->type->dims != NULL) {
        *out_items = value->type->dims;
        *out_count = (unsigned)value->type->ndim;
        return true;
    }
    const struct ir_op *def = op_value_def(value);
    if (def == NULL || !ir_op_is(def, IR_CORE_tuple))
        return false;
    unsigned count = def->operand_count;
    const struct ir_expr **items = arena_array(&module->arena, const struct ir_expr *, count + 1);
    for (unsigned f = 0; f < count; f++) {
        items[f] = op_value_prim(def->operands[f].value);
        if (items[f] == NULL || !ir_dtype_is_int(items[f]->dtype))
            return false;
        items[f] = ir_expr_cast(module->context, IR_I64, items[f]);
    }
    *out_items = items;
    *out_count = count;
    return true;
}

static const char *operand_device(const struct ir_type *type)
{
    const char *device = NULL;

    if (type->kind == IR_TYPE_TENSOR)
        return type->vdevice;
    for (unsigned f = 0; type->kind == IR_TYPE_TUPLE && device == NULL && f < type->field_count;
         f++)
        if (type->fields[f]->kind == IR_TYPE_TENSOR)
            device = type->fields[f]->vdevice;
    return device;
}

const struct ir_type *op_result_type(const struct infer *in, struct ir_dtype dtype,
                                     const struct ir_expr *const *dims, int ndim)
{
    const char *device = NULL;

    for (unsigned i = 0; i < in->op->operand_count && device == NULL; i++)
        device = operand_device(in->op->operands[i].value->type);
    return ir_type_tensor_full(in->context, dtype, dims, ndim, NULL, device);
}

const struct ir_expr **op_dims(const struct infer *in, unsigned count)
{
    return arena_array(&in->module->arena, const struct ir_expr *, count + 1);
}

const struct ir_expr *op_int(const struct infer *in, int64_t value)
{
    return ir_expr_int(in->context, IR_I64, value);
}

const struct ir_expr *dim_add(struct ir_context *context, const struct ir_expr *a,
                              const struct ir_expr *b)
{
    return ir_simplify(context, ir_expr_binary(context, IR_EXPR_add, a, b));
}

const struct ir_expr *dim_sub(struct ir_context *context, const struct ir_expr *a,
                              const struct ir_expr *b)
{
    return ir_simplify(context, ir_expr_binary(context, IR_EXPR_sub, a, b));
}

const struct ir_expr *dim_mul(struct ir_context *context, const struct ir_expr *a,
                              const struct ir_expr *b)
{
    return ir_simplify(context, ir_expr_binary(context, IR_EXPR_mul, a, b));
}

const struct ir_expr *dim_ceildiv(struct ir_context *context, const struct ir_expr *a, int64_t b)
{
    const struct ir_expr *divisor = ir_expr_int(context, IR_I64, b);

    assert(b > 0);
    a = dim_add(context, a, ir_expr_int(context, IR_I64, b - 1));
    return ir_simplify(context, ir_expr_binary(context, IR_EXPR_floordiv, a, divisor));
}

const struct ir_expr *dim_at_least(struct ir_context *context, const struct ir_expr *a, int64_t low)
{
    const struct ir_expr *bound = ir_expr_int(context, IR_I64, low);

    if (ir_prove_ge(context, NULL, a, bound))
        return a;
    return ir_simplify(context, ir_expr_binary(context, IR_EXPR_max, a, bound));
}

const struct ir_expr *dim_at_most(struct ir_context *context, const struct ir_expr *a,
                                  const struct ir_expr *high)
{
    if (ir_prove_ge(context, NULL, high, a))
        return a;
    if (ir_prove_ge(context, NULL, a, high))
        return high;
    return ir_simplify(context, ir_expr_binary(context, IR_EXPR_min, a, high));
}

const struct ir_expr *dim_product(struct ir_context *context, const struct ir_expr *const *dims,
                                  unsigned count)
{
    const struct ir_expr *product = ir_expr_int(context, IR_I64, 1);

    for (unsigned i = 0; i < count; i++)
        product = ir_expr_binary(context, IR_EXPR_mul, product, dims[i]);
    return ir_simplify(context, product);
}

const char *op_dim_text(const struct infer *in, const struct ir_expr *dim)
{
    const struct ir_type *shape = ir_type_shape(in->context, &dim, 1);
    const char *text = ir_type_text(in->context, shape); /* R.Shape([n]) */
    size_t length = 0;

    while (text[length] != '\0')
        length++;
    return length < 11 ? text : arena_copy_text(&in->context->arena, text + 9, length - 11);
}

const char *op_shape_text(const struct infer *in, const struct ir_type *type)
{
    if (type->ndim == IR_NDIM_UNKNOWN)
        return "unknown rank";
    if (type->dims == NULL)
        return arena_printf(&in->context->arena, "rank %d", type->ndim);
    const char *text =
        ir_type_text(in->context, ir_type_shape(in->context, type->dims, type->ndim));
    size_t length = 0;
    while (text[length] != '\0')
        length++;
    if (length < 11) /* not R.Shape([..]) */
        return text;
    return arena_printf(&in->context->arena, "(%.*s%s)", (int)(length - 11), text + 9,
                        type->ndim == 1 ? "," : "");
}

enum { NEAREST = -2 };

/* @meant: the axis that is to stand there, -1 if that is not known, or the NEAREST there is. */
static bool check_axis(const struct infer *in, struct location place, int64_t axis, int ndim,
                       int meant, unsigned *out_axis)
{
    if (axis < -(int64_t)ndim || axis >= ndim) {
        struct diag_message *m =
            diag_report(in->diag, place, OP_AXIS, in->op->info->name, (long long)axis, ndim);
        /* counted from 1 */
        op_help_axis(in, m, place, axis, ndim,
                     meant >= -1             ? meant
                     : ndim == 1 || axis < 0 ? 0
                                             : ndim - 1);
        return false;
    }
    *out_axis = (unsigned)(axis < 0 ? axis + ndim : axis);
    return true;
}

bool op_check_axis(const struct infer *in, int64_t axis, int ndim, unsigned *out_axis)
{
    return check_axis(in, axis_place(in), axis, ndim, NEAREST, out_axis);
}

bool op_check_axis_of(const struct infer *in, const char *name, int64_t axis, int ndim,
                      unsigned *out_axis)
{
    return check_axis(in, op_argument_place(in, name), axis, ndim, NEAREST, out_axis);
}

const bool *op_check_axes(const struct infer *in, const struct ir_attr *axes, int ndim)
{
    bool *flags = arena_array(&in->module->arena, bool, (unsigned)ndim + 1);

    for (unsigned i = 0; i < axes->count; i++) {
        unsigned axis;
        int meant = axes->count == 1 ? NEAREST : op_axis_of_entry(in, axes, i, ndim);
        if (!check_axis(in, axis_item(in, i), axes->items[i]->integer, ndim, meant, &axis))
            return NULL;
        if (flags[axis]) {
            struct diag_message *m =
                diag_report(in->diag, axis_item(in, i), OP_AXIS_TWICE, in->op->info->name, axis);
            op_help_axis(in, m, axis_item(in, i), axes->items[i]->integer, ndim,
                         op_axis_of_entry(in, axes, i, ndim));
            return NULL;
        }
        flags[axis] = true;
    }
    return flags;
}

unsigned op_axis(int64_t axis, unsigned ndim)
{
    return (unsigned)(axis < 0 ? axis + (int64_t)ndim : axis);
}

bool op_check_same_dtype(const struct infer *in, unsigned i, unsigned j,
                         struct ir_dtype *inout_dtype)
{
    const struct ir_type *type = in->op->operands[j].value->type;
    char first[32], second[32];

    if (type->kind != IR_TYPE_TENSOR && type->kind != IR_TYPE_PRIM)
        return true;
    /* A bare number takes the dtype of the tensor that it stands beside. */
    if (type->kind == IR_TYPE_PRIM && op_operand_prim(in->op, j) != NULL &&
        op_operand_prim(in->op, j)->operand_count == 0 &&
        op_operand_prim(in->op, j)->kind != IR_EXPR_var)
        return true;
    /* Of two that must be equal, the known one is the dtype of both. */
    if (ir_dtype_is_void(*inout_dtype))
        *inout_dtype = type->dtype;
    if (ir_dtype_is_void(type->dtype) || ir_dtype_equal(type->dtype, *inout_dtype))
        return true;
    struct diag_message *m =
        diag_report(in->diag, op_operand_place(in, j), OP_DTYPES, in->op->info->name,
                    op_operand_name(in->op->info, i), ir_dtype_name(*inout_dtype, first),
                    op_operand_name(in->op->info, j), ir_dtype_name(type->dtype, second));
    op_label_dtype(in, m, i);
    op_label_dtype(in, m, j);
    op_help_dtypes(in, m, i, j, *inout_dtype, type->dtype);
    return false;
}

bool op_check_domain(const struct infer *in, unsigned i, enum op_domain domain)
{
    const struct ir_type *type = in->op->operands[i].value->type;
    char name[32];

    if (type->kind != IR_TYPE_TENSOR || domain != OP_FLOAT || ir_dtype_is_void(type->dtype) ||
        op_domain_has(domain, type->dtype))
        return true;
    struct diag_message *m = diag_report(in->diag, op_operand_place(in, i), OP_DTYPE,
                                         in->op->info->name, ir_dtype_name(type->dtype, name));
    diag_label(m, operand_location(in, i), "this is %s", ir_type_text(in->context, type));
    diag_help(m, "convert it first: `R.astype(.., \"float32\")`");
    op_help_astype(in, m, i, "float32");
    return false;
}

/* One dim of a broadcast; NULL where it is not known.  False if the two never fit. */
static bool broadcast_dim(const struct infer *in, const struct ir_expr *a, const struct ir_expr *b,
                          const struct ir_expr **out)
{
    int64_t first, second;
    bool has_first = ir_expr_constant(in->context, a, &first);
    bool has_second = ir_expr_constant(in->context, b, &second);

    *out = NULL;
    if (has_second && second == 1)
        *out = a;
    else if ((has_first && first == 1) || ir_prove_equal(in->context, a, b))
        *out = b;
    return *out != NULL || !has_first || !has_second;
}

static void report_broadcast(const struct infer *in, const struct ir_type *const *types, unsigned i,
                             unsigned j)
{
    struct diag_message *m = diag_report(
        in->diag, in->op->loc, OP_BROADCAST, in->op->info->name, op_operand_name(in->op->info, i),
        op_shape_text(in, types[i]), op_operand_name(in->op->info, j), op_shape_text(in, types[j]));

    if (i < in->op->operand_count)
        diag_label(m, operand_location(in, i), "shape %s", op_shape_text(in, types[i]));
    if (j < in->op->operand_count)
        diag_label(m, operand_location(in, j), "shape %s", op_shape_text(in, types[j]));
    diag_note(m, "from the last dimension on, each two must be equal, or one of them 1");
    if (i >= in->op->operand_count || j >= in->op->operand_count)
        return;
    if (ir_help_crossed(m, in->op->operands[i].value) ||
        ir_help_crossed(m, in->op->operands[j].value))
        return;
    if (!op_help_other_axis(in, m, types, i, j) && !op_help_other_axis(in, m, types, j, i))
        op_help_new_axis(in, m, types[i], types[j], i, j);
}

/* The largest rank; IR_NDIM_UNKNOWN if one is not known. */
static int broadcast_rank(const struct ir_type *const *types, unsigned count)
{
    int ndim = 0;

    for (unsigned i = 0; i < count; i++) {
        if (types[i]->kind != IR_TYPE_TENSOR)
            continue; /* a scalar */
        if (types[i]->ndim == IR_NDIM_UNKNOWN)
            return IR_NDIM_UNKNOWN;
        if (types[i]->ndim > ndim)
            ndim = types[i]->ndim;
    }
    return ndim;
}

/*
 * Joins type @i into the @ndim dims so far; @from says which type each came from.  NULL dims are not
 * known.  False after a report.
 */
static bool broadcast_type(const struct infer *in, const struct ir_type *const *types, unsigned i,
                           const struct ir_expr **dims, unsigned *from, int ndim)
{
    int shift = ndim - types[i]->ndim;

    for (int d = 0; d < types[i]->ndim; d++) {
        const struct ir_expr *dim = dims[shift + d], *joined = NULL;
        if (dim == NULL)
            continue;
        if (types[i]->dims != NULL && !broadcast_dim(in, dim, types[i]->dims[d], &joined)) {
            report_broadcast(in, types, from[shift + d], i);
            return false;
        }
        if (joined != dim)
            from[shift + d] = i;
        dims[shift + d] = joined;
    }
    return true;
}

bool op_broadcast(const struct infer *in, const struct ir_type *const *types, unsigned count,
                  const struct ir_expr *const **out_dims, int *out_ndim)
{
    int ndim = broadcast_rank(types, count);
    bool is_known = true;

    *out_dims = NULL;
    *out_ndim = ndim;
    if (ndim == IR_NDIM_UNKNOWN)
        return true;
    const struct ir_expr **dims = op_dims(in, (unsigned)ndim);
    unsigned *from = arena_array(&in->module->arena, unsigned, (unsigned)ndim + 1);
    for (int d = 0; d < ndim; d++)
        dims[d] = op_int(in, 1);
    for (unsigned i = 0; i < count; i++)
        if (types[i]->kind == IR_TYPE_TENSOR && !broadcast_type(in, types, i, dims, from, ndim))
            return false;
    for (int d = 0; d < ndim; d++)
        is_known = is_known && dims[d] != NULL;
    if (is_known)
        *out_dims = dims;
    return true;
}

struct ir_dtype op_attr_dtype(const struct ir_op *op, const char *name, struct ir_dtype otherwise)
{
    const struct ir_attr *attr = ir_op_attr(op, name);

    return attr->kind == IR_ATTR_DTYPE && !ir_dtype_is_void(attr->dtype) ? attr->dtype : otherwise;
}

int64_t op_attr_int(const struct ir_op *op, const char *name, int64_t otherwise)
{
    const struct ir_attr *attr = ir_op_attr(op, name);

    return attr->kind == IR_ATTR_INT ? attr->integer : otherwise;
}

double op_attr_float(const struct ir_op *op, const char *name)
{
    const struct ir_attr *attr = ir_op_attr(op, name);

    return attr->kind == IR_ATTR_INT ? (double)attr->integer : attr->real;
}

bool op_attr_is_none(const struct ir_op *op, const char *name)
{
    return ir_op_attr(op, name)->kind == IR_ATTR_NONE;
}
