/*
 * ToMixedPrecision: float32 programs with matrix products and convolutions of float16 or bfloat16.
 *
 *     y = R.matmul(x, w); z = R.nn.relu(y); return R.sum(z)
 *  =>
 *     y = R.matmul(R.astype(x, "float16"), R.astype(w, "float16"), out_dtype="float32")
 *     z = R.nn.relu(R.astype(y, "float16")); return R.sum(R.astype(z, "float32"))
 *
 * The columns NARROW and FOLLOWS of an operator (ops/ops.def) say whether it computes with fewer
 * bits always or where its operands do.  All others never do: sums and other reductions,
 * normalisations, softmax, and the functions whose results leave the range of float16 (exp, power)
 * or lose their meaning with its digits (log, sqrt, sin, division; floor, round and sign, which
 * jump).  TVM lets all elementwise functions follow, and pooling by averages, whose sums lose digits
 * as other reductions do; and it casts the bias of attention, where -1e9 in a row of float16 becomes
 * -inf, and softmax of such a row NaN (so may values of nn.pad).  Attention takes its softmax and
 * sums in float32 whatever its operands are.  Sums of products are taken in out_dtype.
 *
 * Each value has one place where it is cast, right behind its definition, so two users share a cast;
 * a value that was widened from the narrow dtype is used as it was.  What functions take and return
 * keeps its type, and so does what goes into anything that is no operator of the library: calls,
 * kernels, branches.
 *
 * Values that ops with effects may write are left alone: a cast would be of their old content.
 */
#include "analysis/storage/storage.h"
#include "base/array.h"
#include "ir/edit/make.h"
#include "ir/edit/rewrite.h"
#include "ops/ids.h"
#include "passes/pass.h"

#include <math.h>

static const struct policy {
    unsigned narrow; /* how many operands are narrow, whatever they are made of */
    bool follows;
} policies[OP_COUNT] = {
#define OP(id, name, signature, traits, doc, ...) [OP_##id] = {__VA_ARGS__},
#define NARROW(count)                             .narrow = (count),
#define FOLLOWS                                   .follows = true,
#include "ops/ops.def"
};

struct mixed {
    struct pass_run *run;
    struct ir_dtype narrow, sum; /* of operands; of sums of products */
    struct storage storage;
    struct map is_narrow; /* values that come of narrow computations, whatever their dtype */
    struct map casts;     /* value -> the same in the other dtype */
    bool is_changed, is_fine;
};

static bool is_tensor_of(const struct ir_value *value, struct ir_dtype dtype)
{
    return value->type->kind == IR_TYPE_TENSOR && ir_dtype_equal(value->type->dtype, dtype);
}

static bool is_inline_tuple(const struct ir_value *value)
{
    return ir_value_is_inline(value) && ir_op_is(value->def, IR_CORE_tuple);
}

/* ---- casts ---- */

/* Behind the definition of @value: where its casts go. */
static struct ir_builder builder_behind(struct mixed *m, const struct ir_value *value)
{
    struct ir_builder b = {.module = m->run->module, .diag = m->run->diag, .loc = value->loc};
    struct ir_function *function = value->parameter_of;

    if (function) {
        b.block = function->body->first;
        b.before = b.block->first;
    } else {
        b.block = value->def->block;
        b.before = value->def->next;
    }
    return b;
}

static struct ir_value *make_cast(struct ir_builder *b, struct ir_value *value,
                                  struct ir_dtype dtype)
{
    const struct ir_attr *attr = ir_attr_dtype(b->module->context, dtype);

    return MAKE_WITH(b, OP_astype, ((struct make_attr){"dtype", attr}), value);
}

/* What @value was before it was widened from @narrow; NULL if it was not. */
static struct ir_value *before_widening(const struct ir_value *value, struct ir_dtype narrow)
{
    const struct ir_op *def = value->def;

    if (!def || (!op_is(def, OP_astype) && !op_is(def, OP_wrap_param)))
        return NULL;
    struct ir_value *source = def->operands[0].value;
    return is_tensor_of(source, narrow) && !ir_value_is_inline(source) ? source : NULL;
}

/* @value, a tensor of float32 or the narrow dtype, in @dtype, to be read by @user; NULL after a report. */
static struct ir_value *cast_for(struct mixed *m, struct ir_op *user, struct ir_value *value,
                                 struct ir_dtype dtype)
{
    if (is_tensor_of(value, dtype))
        return value;
    if (ir_value_is_inline(value)) {
        struct ir_builder b = {.module = m->run->module,
                               .diag = m->run->diag,
                               .block = user->block,
                               .before = user,
                               .loc = user->loc};
        return make_cast(&b, value, dtype);
    }
    struct ir_value *cast =
        ir_dtype_equal(dtype, m->narrow) ? before_widening(value, m->narrow) : NULL;
    if (!cast)
        cast = map_get(&m->casts, value);
    if (!cast) {
        struct ir_builder b = builder_behind(m, value);

        cast = make_cast(&b, value, dtype);
        if (!cast)
            return NULL;
        cast->index = value->index; /* its place in the tables */
        map_set(&m->casts, value, cast);
    }
    if (cast->def && cast->def->block != user->block)
        rewrite_make_visible(m->run->module, cast);
    return cast;
}

/* Casts the tensors among the first @count operands of @op that are of float32 or the narrow dtype. */
static void cast_operands(struct mixed *m, struct ir_op *op, unsigned count, struct ir_op *user,
                          struct ir_dtype dtype)
{
    for (unsigned i = 0; i < count; i++) {
        struct ir_value *value = op->operands[i].value;

        if (is_inline_tuple(value)) {
            cast_operands(m, value->def, value->def->operand_count, user, dtype);
            m->is_fine &= ir_op_infer(m->run->module, m->run->diag, value->def);
        } else if (is_tensor_of(value, IR_F32) || is_tensor_of(value, m->narrow)) {
            struct ir_value *cast = cast_for(m, user, value, dtype);

            if (!cast)
                m->is_fine = false;
            else if (cast != value)
                ir_op_set_operand(op, i, cast);
        }
    }
}

/* Gives operands from @first on what the script's own type was: values that this pass made narrow are widened. */
static void widen_operands(struct mixed *m, struct ir_op *op, unsigned first, struct ir_op *user)
{
    for (unsigned i = first; i < op->operand_count; i++) {
        struct ir_value *value = op->operands[i].value;

        if (is_inline_tuple(value)) {
            widen_operands(m, value->def, 0, user);
            m->is_fine &= ir_op_infer(m->run->module, m->run->diag, value->def);
        } else if (is_tensor_of(value, m->narrow) && map_has(&m->is_narrow, value)) {
            struct ir_value *cast = cast_for(m, user, value, IR_F32);

            if (cast)
                ir_op_set_operand(op, i, cast);
            else
                m->is_fine = false;
        }
    }
}

/* ---- decisions ---- */

/* Does every element of the constant fit the narrow dtype? */
static bool is_in_range(struct mixed *m, const struct ir_constant *constant)
{
    const float *data = constant->data;

    if (m->narrow.code == IR_BFLOAT)
        return true;
    for (size_t i = 0; i < constant->bytes / sizeof(*data); i++)
        if (isfinite(data[i]) && fabsf(data[i]) > 65504.0F)
            return false;
    return true;
}

/* Likewise of a scalar: a bound of `clip`, which counts even where no element reaches it. */
static bool is_scalar_in_range(struct mixed *m, const struct ir_value *value)
{
    if (m->narrow.code == IR_BFLOAT || !ir_dtype_is_float(value->type->dtype))
        return true;
    if (!value->def || !ir_op_is(value->def, IR_CORE_prim))
        return false;
    const struct ir_expr *e = ir_op_attr(value->def, "value")->expr;

    return e->kind == IR_EXPR_float && (!isfinite(e->float_value) || fabs(e->float_value) <= 65504);
}

/* May operand @value be narrow?  *@out_any: some operand comes of a narrow computation. */
static bool can_follow(struct mixed *m, const struct ir_value *value, bool *out_any)
{
    const struct ir_type *type = value->type;

    if (is_inline_tuple(value)) {
        for (unsigned i = 0; i < value->def->operand_count; i++)
            if (!can_follow(m, value->def->operands[i].value, out_any))
                return false;
        return true;
    }
    if (type->kind == IR_TYPE_PRIM)
        return is_scalar_in_range(m, value);
    if (type->kind == IR_TYPE_SHAPE || (value->def && ir_op_is(value->def, IR_CORE_null_value)))
        return true;
    if (type->kind != IR_TYPE_TENSOR || ir_dtype_is_void(type->dtype))
        return false;
    if (!ir_dtype_is_float(type->dtype))
        return true;
    if (is_tensor_of(value, IR_F32) && value->def && ir_op_is(value->def, IR_CORE_constant))
        return is_in_range(m, ir_op_attr(value->def, "data")->constant);
    if (!map_has(&m->is_narrow, value) || storage_is_written(&m->storage, value))
        return false;
    *out_any = true;
    return true;
}

static bool follows(struct mixed *m, const struct ir_op *op)
{
    bool is_any = false;

    for (unsigned i = 0; i < op->operand_count; i++)
        if (!can_follow(m, op->operands[i].value, &is_any))
            return false;
    if (!is_any || op->result.type->kind == IR_TYPE_TENSOR)
        return is_any && is_tensor_of(&op->result, IR_F32);
    ir_for_each_use (use, &op->result) /* a tuple: only if it is taken apart */
        if (!ir_op_is(use->user, IR_CORE_tuple_get) && !ir_op_is(use->user, IR_CORE_output))
            return false;
    return true;
}

/* Attention has none: its result has the dtype of its operands. */
static bool has_out_dtype(const struct ir_op *op)
{
    return ir_attr_param(op->info, "out_dtype") != NULL;
}

/* May the first @count operands of the product @op be narrow? */
static bool can_always(struct mixed *m, const struct ir_op *op, unsigned count)
{
    const struct ir_attr *dtype = has_out_dtype(op) ? ir_op_attr(op, "out_dtype") : NULL;

    if (dtype && dtype->kind == IR_ATTR_DTYPE && !ir_dtype_equal(dtype->dtype, IR_F32))
        return false;
    for (unsigned i = 0; i < count; i++) {
        const struct ir_value *value = op->operands[i].value;
        bool was_f32 = is_tensor_of(value, IR_F32) || map_has(&m->is_narrow, value);

        if (!was_f32 || (!ir_value_is_inline(value) && storage_is_written(&m->storage, value)))
            return false;
    }
    return true;
}

/* ---- the sweep ---- */

/* Infers the type of @op again, whatever the script said. */
static void change_type(struct mixed *m, struct ir_op *op)
{
    m->is_fine &= ir_op_infer(m->run->module, m->run->diag, op);
    map_set(&m->is_narrow, &op->result, op);
    m->is_changed = true;
}

static void visit_op(struct mixed *m, struct ir_op *op)
{
    const struct policy *policy = &policies[op_id(op)];

    if (policy->narrow && can_always(m, op, policy->narrow)) {
        cast_operands(m, op, policy->narrow, op, m->narrow);
        widen_operands(m, op, policy->narrow, op);
        if (has_out_dtype(op))
            ir_op_set_attr(op, "out_dtype", ir_attr_dtype(m->run->module->context, m->sum));
        change_type(m, op);
    } else if (policy->follows && follows(m, op)) {
        cast_operands(m, op, op->operand_count, op, m->narrow);
        change_type(m, op);
    } else if (ir_op_is(op, IR_CORE_tuple_get) && map_has(&m->is_narrow, op->operands[0].value)) {
        change_type(m, op);
    } else if (!ir_op_is(op, IR_CORE_output)) {
        widen_operands(m, op, 0, op);
    }
}

static void visit_region(struct mixed *m, struct ir_region *region)
{
    ir_for_each_block(block, region)
    {
        ir_for_each_op (op, block) {
            for (unsigned i = 0; i < op->region_count; i++)
                visit_region(m, op->regions[i]);
            if (ir_op_is(op, IR_CORE_function))
                visit_region(m, ir_op_attr(op, "function")->function->body);
            if (m->is_fine)
                visit_op(m, op);
        }
    }
}

static bool report_dtype(struct pass_run *run, const char *option, const char *problem)
{
    diag_report(run->diag, (struct location){0}, PASS_OPTION_VALUE, option, run->pass->name,
                problem);
    return false;
}

static bool read_options(struct mixed *m)
{
    struct pass_run *run = m->run;

    if (!ir_dtype_parse(pass_option_string(run, "dtype"), &m->narrow) ||
        (!ir_dtype_equal(m->narrow, IR_F16) && !ir_dtype_equal(m->narrow, IR_BF16)))
        return report_dtype(run, "dtype", "is neither \"float16\" nor \"bfloat16\"");
    if (!ir_dtype_parse(pass_option_string(run, "out_dtype"), &m->sum) ||
        (!ir_dtype_equal(m->sum, IR_F32) && !ir_dtype_equal(m->sum, m->narrow)))
        return report_dtype(run, "out_dtype", "is neither \"float32\" nor the value of `dtype`");
    return true;
}

enum pass_result pass_to_mixed_precision(struct pass_run *run)
{
    struct mixed m = {.run = run, .is_fine = true};

    if (!read_options(&m))
        return PASS_FAILED;
    struct storage_module facts;

    storage_module_init(&facts, run->module);
    storage_module_solve(&facts);
    for (size_t i = 0; i < run->module->global_count && m.is_fine; i++) {
        struct ir_function *function = run->module->globals[i]->function;

        if (run->module->globals[i]->kind != IR_GLOBAL_FUNCTION)
            continue;
        storage_init(&m.storage, &facts, function, NULL);
        visit_region(&m, function->body);
        storage_finish(&m.storage);
        map_finish(&m.is_narrow);
        map_finish(&m.casts);
    }
    storage_module_finish(&facts);
    if (!m.is_fine)
        return PASS_FAILED;
    return m.is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
