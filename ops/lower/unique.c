/*
 * unique: the slices (of one element where no axis is given) are brought into order, neighbours compared, and each
 * group of equal ones gets a number.  One kernel works this out for as many as there may be, a second one
 * copies what there is; see sized.c.
 */
#include "ops/lower/sort.h"

#include <string.h>

struct unique {
    struct kernel *k;
    bool has_axis; /* slices of more than one element */
    unsigned axis;
    const struct ir_expr *count;   /* of slices */
    const struct ir_buffer *order; /* slices in their order */
    const struct ir_buffer *keys;  /* the elements in their order, without an axis */
    const struct ir_buffer *first, *counts, *inverse;
};

static bool is_asked_for(const struct ir_op *op, unsigned operand)
{
    const struct ir_expr *flag = op_operand_prim(op, operand);

    return flag && !ir_expr_is_int(flag, 0);
}

static const struct ir_expr *at_1(struct kernel *k, const struct ir_buffer *buffer,
                                  const struct ir_expr *i)
{
    return ir_expr_load(k->context, buffer, &i, 1);
}

/* ---- the order of slices ---- */

/* Element @e of slice @i: the other axes in row-major order. */
static const struct ir_expr *slice_element(struct unique *u, const struct ir_expr *i,
                                           const struct ir_expr *e)
{
    struct kernel *k = u->k;
    unsigned ndim = (unsigned)k->operands[0].type->ndim;
    const struct ir_expr **at = kernel_indices(k, ndim);

    for (unsigned d = ndim; d-- > 0;) {
        const struct ir_expr *dim = kernel_input_dim(k, 0, d);
        at[d] = d == u->axis ? i : k_binary(k, IR_EXPR_floormod, e, dim);
        if (d != u->axis)
            e = k_binary(k, IR_EXPR_floordiv, e, dim);
    }
    return kernel_load(k, 0, at);
}

static const struct ir_expr *slice_length(struct unique *u)
{
    const struct ir_expr *length = k_int(u->k, 1);

    for (unsigned d = 0; d < (unsigned)u->k->operands[0].type->ndim; d++)
        if (d != u->axis)
            length = k_mul(u->k, length, kernel_input_dim(u->k, 0, d));
    return length;
}

/* -1, 0 or 1: slice @a stands before, with, behind slice @b. */
static const struct ir_expr *compare_slices(struct unique *u, struct code *code,
                                            const struct ir_expr *a, const struct ir_expr *b)
{
    struct kernel *k = u->k;
    const struct ir_expr *zero = k_int(k, 0);
    const struct ir_buffer *sign = code_scalar(code, "sign", IR_I64, zero);
    struct code body, differ;
    const struct ir_expr *e = code_for(code, &body, "e", slice_length(u));

    code_if(&body, &differ, k_binary(k, IR_EXPR_eq, code_get(k, sign), zero));
    const struct ir_expr *x = code_let(&differ, "x", slice_element(u, a, e));
    const struct ir_expr *y = code_let(&differ, "y", slice_element(u, b, e));
    code_set(&differ, sign,
             k_sub(k, k_cast(k, IR_I64, sort_is_less(k, y, x)),
                   k_cast(k, IR_I64, sort_is_less(k, x, y))));
    code_end(&differ);
    code_end(&body);
    return code_get(k, sign);
}

/* The place of a slice is the number of those that stand before it. */
static void order_slices(struct unique *u)
{
    struct kernel *k = u->k;
    struct nest nest = nest_begin(k, "T_order");
    struct code code = code_begin(k), outer, inner;
    struct ir_buffer *order = kernel_alloc(k, "order", IR_I64, &u->count, 1);

    u->order = order;
    const struct ir_expr *i = code_for(&code, &outer, "i", u->count);
    const struct ir_buffer *place = code_scalar(&outer, "place", IR_I64, k_int(k, 0));
    const struct ir_expr *j = code_for(&outer, &inner, "j", u->count);
    const struct ir_expr *sign = compare_slices(u, &inner, j, i), *zero = k_int(k, 0);
    const struct ir_expr *is_tie = k_binary(k, IR_EXPR_and, k_binary(k, IR_EXPR_eq, sign, zero),
                                            k_binary(k, IR_EXPR_lt, j, i));
    code_count(
        &inner, place,
        k_cast(k, IR_I64, k_binary(k, IR_EXPR_or, k_binary(k, IR_EXPR_lt, sign, zero), is_tie)));
    code_end(&inner);
    const struct ir_expr *to = code_get(k, place);
    code_store(&outer, order, &to, i);
    code_end(&outer);
    nest_code(&nest, &code);
    nest_end(&nest);
}

static void order_elements(struct unique *u)
{
    struct kernel *k = u->k;
    unsigned ndim = (unsigned)k->operands[0].type->ndim;
    bool *all = arena_array(&k->module->arena, bool, ndim + 1);

    for (unsigned d = 0; d < ndim; d++)
        all[d] = true;
    struct sorting s = sort_lines(k, 0, all, false, true);
    u->order = s.order[0];
    u->keys = s.keys[0];
}

/* ---- groups ---- */

/* Is what stands at place @p of the order another one than that in front of it? */
static const struct ir_expr *begins_group(struct unique *u, struct code *code,
                                          const struct ir_expr *p)
{
    struct kernel *k = u->k;
    const struct ir_expr *one = k_int(k, 1), *zero = k_int(k, 0);
    const struct ir_expr *before = k_binary(k, IR_EXPR_max, k_sub(k, p, one), zero);
    const struct ir_expr *differs;

    if (u->has_axis)
        differs = k_binary(k, IR_EXPR_ne,
                           compare_slices(u, code, at_1(k, u->order, before), at_1(k, u->order, p)),
                           zero);
    else
        differs = sort_is_less(k, at_1(k, u->keys, before), at_1(k, u->keys, p));
    return k_binary(k, IR_EXPR_or, k_binary(k, IR_EXPR_eq, p, zero), differs);
}

/* Numbers the groups in their order; the number of them, as the last output. */
static void number_groups(struct unique *u)
{
    struct kernel *k = u->k;
    struct nest nest = nest_begin(k, "T_groups");
    struct code code = code_begin(k), body, next;
    const struct ir_expr *one = k_int(k, 1), *zero = k_int(k, 0);
    const struct ir_buffer *count = code_scalar(&code, "count", IR_I64, zero);
    const struct ir_expr *p = code_for(&code, &body, "p", u->count);
    const struct ir_expr *member = code_let(&body, "member", at_1(k, u->order, p));

    code_if(&body, &next, begins_group(u, &body, p));
    const struct ir_expr *group = code_get(k, count);
    code_store(&next, u->first, &group, member);
    code_store(&next, u->counts, &group, zero);
    code_count(&next, count, one);
    code_end(&next);
    const struct ir_expr *now = code_let(&body, "group", k_sub(k, code_get(k, count), one));
    code_store(&body, u->inverse, &member, now);
    code_store(&body, u->counts, &now, k_add(k, at_1(k, u->counts, now), one));
    code_end(&body);
    code_store(&code, k->outputs[3], &zero, code_get(k, count));
    nest_code(&nest, &code);
    nest_end(&nest);
}

/* Numbers them again, by their first members; these become the outputs. */
static void number_again(struct unique *u)
{
    struct kernel *k = u->k;
    struct ir_buffer *number = kernel_alloc(k, "number", IR_I64, &u->count, 1);
    struct nest nest = nest_begin(k, "T_first_occurrences");
    struct code code = code_begin(k), body, first;
    const struct ir_buffer *next = code_scalar(&code, "next", IR_I64, k_int(k, 0));
    const struct ir_expr *i = code_for(&code, &body, "i", u->count);
    const struct ir_expr *group = code_let(&body, "group", at_1(k, u->inverse, i));

    code_if(&body, &first, k_binary(k, IR_EXPR_eq, at_1(k, u->first, group), i));
    const struct ir_expr *to = code_get(k, next);
    code_store(&first, number, &group, to);
    code_store(&first, k->outputs[0], &to, i);
    code_store(&first, k->outputs[2], &to, at_1(k, u->counts, group));
    code_count(&first, next, k_int(k, 1));
    code_end(&first);
    code_store(&body, k->outputs[1], &i, at_1(k, number, group));
    code_end(&body);
    nest_code(&nest, &code);
    nest_end(&nest);
}

/* ---- the two kernels ---- */

static bool find_axis(const struct ir_op *op, unsigned *out_axis)
{
    const struct ir_type *type = op->operands[0].value->type;
    const struct ir_expr *axis = op_operand_prim(op, 5);

    if (!axis || type->ndim < 1)
        return false;
    *out_axis = op_axis(axis->int_value, (unsigned)type->ndim);
    return type->ndim > 1;
}

/* What is asked for is known at compile time; false after a report. */
static bool check_flags(struct diag *diag, const struct ir_op *op)
{
    for (unsigned i = 1; i <= 5; i++) {
        const struct ir_expr *flag = op_operand_prim(op, i);
        if (!op_has_operand(op, i) || (flag && flag->kind == IR_EXPR_int))
            continue;
        diag_report(diag, op_said_place(op, op_operand_name(op->info, i)), LOWER_OPERAND,
                    op->info->name, op_operand_name(op->info, i), "is no literal");
        return false;
    }
    return true;
}

/* (first members, numbers, counts, how many), as long as there may be groups. */
static struct ir_value *find_groups(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    const struct ir_type *type = op->operands[0].value->type, *fields[4];
    const struct ir_expr *one = ir_expr_int(module->context, IR_I64, 1);
    struct unique u = {0};
    struct kernel k;

    if (!check_flags(diag, op))
        return NULL;
    if (type->kind != IR_TYPE_TENSOR || (!type->dims && type->ndim != 0)) {
        diag_report(diag, op->loc, LOWER_SHAPE, op->info->name, "`x`");
        return NULL;
    }
    u.has_axis = find_axis(op, &u.axis);
    const struct ir_expr *count =
        u.has_axis ? type->dims[u.axis]
                   : dim_product(module->context, type->dims, (unsigned)type->ndim);
    for (unsigned i = 0; i < 3; i++)
        fields[i] = ir_type_tensor(module->context, IR_I64, &count, 1);
    fields[3] = ir_type_tensor(module->context, IR_I64, &one, 1);
    if (!kernel_begin_as(&k, module, diag, op, 1u, ir_type_tuple(module->context, fields, 4), NULL,
                         0))
        return NULL;
    k.name = "unique_groups";
    u.k = &k;
    u.count = k.outputs[0]->shape[0];
    if (u.has_axis)
        order_slices(&u);
    else
        order_elements(&u);
    bool is_sorted = is_asked_for(op, 1) || !op_has_operand(op, 1);
    const struct ir_buffer **parts[] = {&u.first, &u.inverse, &u.counts};
    static const char *const names[] = {"firsts", "numbers", "counts"};
    for (unsigned i = 0; i < 3; i++)
        *parts[i] = is_sorted ? k.outputs[i] : kernel_alloc(&k, names[i], IR_I64, &u.count, 1);
    number_groups(&u);
    if (!is_sorted)
        number_again(&u);
    return kernel_finish(&k);
}

/* The type of the result with @count distinct slices. */
static const struct ir_type *sized_type(struct ir_module *module, const struct ir_op *op,
                                        const struct ir_expr *count, const struct ir_type *inverse)
{
    const struct ir_type *type = op->operands[0].value->type, *fields[4];
    unsigned axis, field_count = 1;

    fields[0] = ir_type_tensor(module->context, type->dtype, &count, 1);
    if (find_axis(op, &axis)) {
        const struct ir_expr **dims =
            arena_array(&module->arena, const struct ir_expr *, (unsigned)type->ndim);
        memcpy(dims, type->dims, sizeof(dims[0]) * (unsigned)type->ndim);
        dims[axis] = count;
        fields[0] = ir_type_tensor(module->context, type->dtype, dims, type->ndim);
    }
    for (unsigned i = 2; i <= 4; i++)
        if (is_asked_for(op, i))
            fields[field_count++] =
                i == 3 ? inverse : ir_type_tensor(module->context, IR_I64, &count, 1);
    return field_count == 1 ? fields[0] : ir_type_tuple(module->context, fields, field_count);
}

/* The first members' slices are the distinct ones. */
static void copy_values(struct kernel *k)
{
    const struct ir_type *type = k->operands[0].type;
    unsigned axis = 0;
    bool has_axis = find_axis(k->op, &axis);
    struct ir_buffer *out = k->outputs[0];
    struct nest nest = nest_begin(k, "T_unique");
    const struct ir_expr **at = nest_axes_of(&nest, out);
    const struct ir_expr **from = kernel_indices(k, (unsigned)type->ndim);
    const struct ir_expr *member = kernel_operand_load(k, &k->more[0], &at[axis]);

    for (unsigned d = (unsigned)type->ndim; d-- > 0;) {
        const struct ir_expr *dim = kernel_input_dim(k, 0, d);
        if (has_axis) {
            from[d] = d == axis ? member : at[d];
        } else {
            from[d] = d > 0 ? k_binary(k, IR_EXPR_floormod, member, dim) : member;
            member = k_binary(k, IR_EXPR_floordiv, member, dim);
        }
    }
    nest_store(&nest, out, at, kernel_load(k, 0, from));
    nest_end(&nest);
}

struct ir_value *lower_unique(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct ir_value *groups = find_groups(module, diag, op), *parts[4];
    struct ir_builder b = {module, diag, op->block, op, op->loc};
    struct kernel k;
    unsigned output = 1;

    if (!groups)
        return NULL;
    for (unsigned i = 0; i < 4; i++)
        parts[i] = ir_build_tuple_get(&b, groups, i);
    const struct ir_expr *count = kernel_bind_sizes(module, diag, op, parts[3], 1)[0];
    if (!kernel_begin_as(&k, module, diag, op, 1u, sized_type(module, op, count, parts[1]->type),
                         parts, 3))
        return NULL;
    copy_values(&k);
    for (unsigned i = 2; i <= 4; i++) {
        if (!is_asked_for(op, i))
            continue;
        struct ir_buffer *out = k.outputs[output++];
        struct nest nest = nest_begin(&k, "T_copy");
        const struct ir_expr **at = nest_axes_of(&nest, out);
        nest_store(&nest, out, at, kernel_operand_load(&k, &k.more[i - 2], at));
        nest_end(&nest);
    }
    return kernel_finish(&k);
}
