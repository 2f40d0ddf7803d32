/*
 * Sizes of graphs that are legal and hardly meant: what fits for one size only, and dimensions that belong together and
 * that nothing says to be equal, so that a run is refused.
 */
#include "analysis/lint/lint.h"
#include "base/array.h"
#include "base/text.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "ops/elements.h"
#include "ops/ids.h"
#include "ops/pairs.h"

#include <string.h>

struct check {
    struct ir_module *module;
    struct diag *diag;
};

/* --- reshapes --- */

static const struct ir_expr *elements(struct ir_context *context, const struct ir_type *type)
{
    const struct ir_expr *all = ir_expr_int(context, IR_I64, 1);

    for (int i = 0; i < type->ndim; i++)
        all =
            ir_expr_binary(context, IR_EXPR_mul, all, ir_expr_cast(context, IR_I64, type->dims[i]));
    return ir_simplify(context, all);
}

static void put_shape(const struct ir_type *type, struct text *out)
{
    text_putc(out, '(');
    for (int i = 0; i < type->ndim; i++) {
        text_puts(out, i ? ", " : "");
        ir_expr_print(type->dims[i], out);
    }
    text_puts(out, type->ndim == 1 ? ",)" : ")");
}

static bool check_reshape(const struct check *check, const struct ir_op *op)
{
    struct ir_context *context = check->module->context;
    const struct ir_type *from = op->operands[0].value->type, *to = op->result.type;
    const struct ir_var *var;
    struct text what = {0};
    int64_t size = 0;

    if (from->kind != IR_TYPE_TENSOR || to->kind != IR_TYPE_TENSOR || !from->dims || !to->dims)
        return true;
    const struct ir_expr *before = elements(context, from), *after = elements(context, to);
    const char *names =
        ir_only_size(context, before, after, &var, &size) ? var->name : op_only_empty(context, op);
    if (!names || diag_has(check->diag, DIAG_OP_ELEMENTS))
        return true;
    text_puts(&what, "`R.reshape` of ");
    put_shape(from, &what);
    text_puts(&what, " to ");
    put_shape(to, &what);
    text_puts(&what, " fits");
    struct diag_message *m = diag_report(check->diag, location_argument(op->loc, 1, "shape"),
                                         CALL_ONE_SIZE, text_string(&what), names, (long long)size);
    diag_note(m, "a run with another size ends with an error");
    if (op_help_elements(context, m, op))
        diag_help_unsure(m);
    text_finish(&what);
    return false;
}

/* --- calls of functions --- */

/* Argument @i of shape (n, 4) for a parameter of shape (6, 4). */
static bool check_argument(const struct check *check, const struct ir_op *op,
                           const struct ir_function *function, unsigned i,
                           const struct ir_type *wanted)
{
    struct ir_context *context = check->module->context;
    const struct ir_type *given = op->operands[i].value->type;
    const struct ir_value *param = function->params[i];
    const struct ir_var *var;
    int64_t size;
    int k = 0;

    if (given->kind != IR_TYPE_TENSOR || wanted->kind != IR_TYPE_TENSOR || !given->dims ||
        !wanted->dims || given->ndim != wanted->ndim)
        return true;
    while (k < given->ndim && !ir_only_size(context, wanted->dims[k], given->dims[k], &var, &size))
        k++;
    if (k == given->ndim)
        return true;
    const char *what =
        arena_printf(&context->arena, "argument %u of `%s`, %s, fits parameter `%s`", i + 1,
                     function->name, ir_type_text(context, given), param->name);
    struct diag_message *m = diag_report(check->diag, location_argument(op->loc, i, param->name),
                                         CALL_ONE_SIZE, what, var->name, (long long)size);
    diag_label(m, param->loc, "`%s` is %s", param->name, ir_type_text(context, param->type));
    diag_note(m, "a run with another size ends with an error");
    return false;
}

static bool check_call(const struct check *check, const struct ir_op *op)
{
    const struct ir_global *callee = ir_op_callee(op);
    struct ir_bindings bindings = {0};
    bool is_fine = true;

    if (!callee || callee->kind != IR_GLOBAL_FUNCTION ||
        callee->function->param_count != op->operand_count)
        return true;
    struct ir_context *context = check->module->context;
    struct ir_value *const *params = callee->function->params;
    for (unsigned i = 0; i < op->operand_count; i++)
        ir_type_match(context, params[i]->type, op->operands[i].value->type, &bindings);
    for (unsigned i = 0; is_fine && i < op->operand_count; i++)
        is_fine = check_argument(check, op, callee->function, i,
                                 ir_type_substitute(context, params[i]->type, &bindings));
    array_finish(&bindings);
    return is_fine;
}

/* --- dimensions that are open --- */

static bool is_one(const struct check *check, const struct ir_expr *dim)
{
    int64_t extent;

    return ir_expr_constant(check->module->context, dim, &extent) && extent == 1;
}

static bool has_dims(const struct ir_type *type)
{
    return type->kind == IR_TYPE_TENSOR && type->ndim >= 0 && (type->dims || type->ndim == 0);
}

/* A dimension of an operand, in words. */
struct dim {
    const char *operand;
    const struct ir_type *type;
    int axis;
};

static const char *dim_name(const struct check *check, const struct dim *dim)
{
    return arena_printf(&check->module->context->arena, "dimension %d of `%s`", dim->axis,
                        dim->operand);
}

static const char *dim_text(const struct check *check, const struct ir_expr *dim)
{
    struct text text = {0};

    ir_expr_print(dim, &text);
    const char *copy =
        arena_copy_text(&check->module->context->arena, text_string(&text), text.length);
    text_finish(&text);
    return copy;
}

static void note_open(struct diag_message *m)
{
    diag_note(m, "code is made only for dimensions that are known to be equal");
    diag_help(m, "let them be one symbol, or check it when the program runs: `R.match_cast(..)`");
}

/* n and n + 1: no size lets them be equal, and what says that they are equal does not help. */
static bool note_apart(const struct check *check, struct diag_message *m, const struct ir_expr *a,
                       const struct ir_expr *b)
{
    struct ir_context *context = check->module->context;
    const struct ir_expr *apart =
        ir_simplify(context, ir_expr_binary(context, IR_EXPR_sub, ir_expr_cast(context, IR_I64, a),
                                            ir_expr_cast(context, IR_I64, b)));
    int64_t number;

    if (!ir_expr_constant(context, apart, &number) || number == 0)
        return false;
    diag_note(m, "they differ by %lld for every size", (long long)(number < 0 ? -number : number));
    return true;
}

static struct diag_message *report_open(const struct check *check, const struct ir_op *op,
                                        struct location place, struct dim a, struct dim b)
{
    struct diag_message *m =
        diag_report(check->diag, place, OP_DIMS_OPEN, op->info->name, dim_name(check, &a),
                    dim_text(check, a.type->dims[a.axis]), dim_name(check, &b),
                    dim_text(check, b.type->dims[b.axis]));

    if (!note_apart(check, m, a.type->dims[a.axis], b.type->dims[b.axis]))
        note_open(m);
    return m;
}

static void label_operands(struct diag_message *m, const struct ir_op *op)
{
    for (unsigned i = 0; i < op->operand_count; i++) {
        const struct ir_value *value = op->operands[i].value;
        if (value->name && value->def && value->def->loc.source == op->loc.source &&
            value->def->loc.end <= op->loc.begin)
            diag_label(m, value->def->loc, "`%s`", value->name);
    }
}

/* (edges, 4) beside (edges,): the axes that the second one has not, at one place only. */
static bool help_new_axis(const struct check *check, struct diag_message *m, const struct ir_op *op)
{
    const struct ir_type *a = op->operands[0].value->type, *b = op->operands[1].value->type;
    bool is_first = a->ndim < b->ndim;
    unsigned i = is_first ? 0 : 1;
    const char *axes = op_missing_axes(check->module->context, is_first ? a : b, is_first ? b : a);
    struct location place = location_argument(op->loc, i, op->info->params[i].name);

    if (!axes)
        return false;
    if (place.begin > op->loc.begin)
        diag_label(m, place, "this is %s",
                   ir_type_text(check->module->context, op->operands[i].value->type));
    diag_help(m, "`%s` fits with an axis of 1 at %s", op->info->params[i].name, axes);
    if (place.begin > op->loc.begin) {
        diag_help_wrap(m, place, "R.expand_dims(",
                       arena_printf(&check->module->context->arena, ", axis=[%s])", axes));
        diag_help_unsure(m);
    }
    return true;
}

/* Operands that broadcast: their dimensions from the last one on. */
static bool check_broadcast(const struct check *check, const struct ir_op *op)
{
    const struct ir_type *a = op->operands[0].value->type, *b = op->operands[1].value->type;

    for (int i = 1; i <= a->ndim && i <= b->ndim; i++) {
        struct dim first = {op->info->params[0].name, a, a->ndim - i};
        struct dim second = {op->info->params[1].name, b, b->ndim - i};
        const struct ir_expr *left = a->dims[first.axis], *right = b->dims[second.axis];
        if (is_one(check, left) || is_one(check, right) ||
            ir_prove_equal(check->module->context, left, right))
            continue;
        bool is_number = left->kind == IR_EXPR_int || right->kind == IR_EXPR_int;
        struct diag_message *m =
            diag_report(check->diag, op->loc, OP_DIMS_OPEN, op->info->name, dim_name(check, &first),
                        dim_text(check, left), dim_name(check, &second), dim_text(check, right));
        if (note_apart(check, m, left, right))
            label_operands(m, op);
        else if (!is_number || !help_new_axis(check, m, op))
            note_open(m);
        return false;
    }
    return true;
}

/* The same where the second one is a R.permute_dims that does not change the last two axes. */
static bool help_axes_swapped(const struct check *check, struct diag_message *m,
                              const struct ir_op *op)
{
    struct arena *arena = &check->module->context->arena;
    const struct ir_type *a = op->operands[0].value->type, *b = op->operands[1].value->type;
    const struct ir_op *made = op->operands[1].value->def;
    const struct ir_attr *order =
        made && op_is(made, OP_permute_dims) ? ir_op_attr(made, "axes") : NULL;
    struct location place = order ? location_argument(made->loc, 1, "axes") : (struct location){0};
    const char *axes = "";

    if (!order || order->kind != IR_ATTR_LIST || order->count != (unsigned)b->ndim || b->ndim < 2 ||
        !place.source || place.begin == made->loc.begin ||
        !ir_prove_equal(check->module->context, a->dims[a->ndim - 1], b->dims[b->ndim - 1]))
        return false;
    for (unsigned i = 0; i < order->count; i++) {
        unsigned from = i + 2 < order->count ? i : 2 * order->count - 3 - i;
        axes = arena_printf(arena, "%s%s%lld", axes, i ? ", " : "",
                            (long long)order->items[from]->integer);
    }
    diag_help(m, "`x2` fits for all sizes with its last two axes in the other order");
    diag_help_edit(m, place, "[%s]", axes);
    diag_help_unsure(m);
    return true;
}

/* (m, 8) by (n, 8): transposed, the second one fits. */
static void help_transposed(const struct check *check, struct diag_message *m,
                            const struct ir_op *op, const struct ir_type *a,
                            const struct ir_type *b)
{
    struct arena *arena = &check->module->context->arena;
    const char *axes = "";

    if (help_axes_swapped(check, m, op) || b->ndim < 2 ||
        !ir_prove_equal(check->module->context, a->dims[a->ndim - 1], b->dims[b->ndim - 1]))
        return;
    for (int i = 0; i < b->ndim - 2; i++)
        axes = arena_printf(arena, "%s%d, ", axes, i);
    axes = b->ndim == 2 ? ""
                        : arena_printf(arena, ", axes=[%s%d, %d]", axes, b->ndim - 1, b->ndim - 2);
    diag_help(m, "`x2` fits for all sizes when it is transposed: `R.permute_dims`");
    diag_help_wrap(m, location_argument(op->loc, 1, "x2"), "R.permute_dims(",
                   arena_printf(arena, "%s)", axes));
    diag_help_unsure(m);
}

/* (4, 8) by (n, 4): the operands changed places. */
static bool check_matmul(const struct check *check, const struct ir_op *op)
{
    struct ir_context *context = check->module->context;
    const struct ir_type *a = op->operands[0].value->type, *b = op->operands[1].value->type;

    if (!has_dims(a) || !has_dims(b) || a->ndim < 1 || b->ndim < 1)
        return true;
    struct dim first = {op->info->params[0].name, a, a->ndim - 1};
    struct dim second = {op->info->params[1].name, b, b->ndim == 1 ? 0 : b->ndim - 2};
    if (ir_prove_equal(context, a->dims[first.axis], b->dims[second.axis]))
        return true;
    struct diag_message *m = report_open(check, op, op->loc, first, second);
    if (a->ndim == 2 && b->ndim == 2 && ir_prove_equal(context, b->dims[1], a->dims[0])) {
        diag_help(m, "the operands fit for all sizes when they change places");
        diag_help_swap(m, location_argument(op->loc, 0, "x1"), location_argument(op->loc, 1, "x2"));
    } else {
        help_transposed(check, m, op, a, b);
    }
    return false;
}

/* Where the text of @op has the argument @name; all of it if it has none. */
static struct location place_of(const struct ir_op *op, const char *name)
{
    for (unsigned i = 0; i < op->info->param_count; i++)
        if (strcmp(op->info->params[i].name, name) == 0)
            return location_argument(op->loc, i, name);
    return op->loc;
}

/* The one axis of the data that its scale fits. */
static void help_axis(const struct check *check, struct diag_message *m, const struct ir_op *op,
                      const struct op_pair *pair)
{
    bool is_list = ir_attr_param(op->info, "axes") != NULL;
    const char *name = is_list ? "axes" : "axis";
    const struct ir_type *data = op->operands[0].value->type;
    struct location place = place_of(op, name);
    int found = 0, axis = 0;

    for (int i = 0; data->kind == IR_TYPE_TENSOR && data->dims && i < data->ndim; i++)
        if (ir_prove_equal(check->module->context, data->dims[i], pair->second)) {
            found++;
            axis = i;
        }
    if (found != 1 || (is_list && ir_op_attr(op, name)->count != 1) || place.begin == op->loc.begin)
        return;
    diag_help(m, "axis %d of `data` is %s", axis, dim_text(check, pair->second));
    diag_help_edit(m, place, is_list ? "[%d]" : "%d", axis);
}

/* Does @pair compare a vector with the axis that it stands along? */
static bool is_along(const struct ir_op *op, const struct op_pair *pair)
{
    for (unsigned i = 0; ir_attr_param(op->info, "axis") && i < op->info->param_count; i++)
        if (strcmp(op->info->params[i].name, pair->operand) == 0)
            return op->info->params[i].kind == IR_PARAM_EXPR &&
                   op->operands[op->info->params[i].operand_index].value->type->ndim == 1;
    return false;
}

/* What the rules of types say to be equal: a run of a norm is refused, and others are looked at when they run. */
static bool check_pairs(const struct check *check, const struct ir_op *op)
{
    struct ir_context *context = check->module->context;
    bool is_norm = op_is(op, OP_nn_layer_norm) || op_is(op, OP_nn_rms_norm);
    struct op_pairs pairs;
    const struct ir_var *var;
    int64_t size;

    op_find_pairs(check->module, check->diag, op, &pairs);
    for (unsigned i = 0; i < pairs.count; i++) {
        const struct op_pair *pair = &pairs.items[i];
        const char *first = dim_text(check, pair->first), *second = dim_text(check, pair->second);
        struct location place = place_of(op, pair->operand);
        bool is_one =
            (pair->relation == OP_DIM_SAME || (pair->relation == OP_DIM_SAME_OR_ONE &&
                                               ir_expr_constant(context, pair->second, &size))) &&
            ir_only_size(context, pair->first, pair->second, &var, &size);
        if (is_norm) {
            struct diag_message *m =
                diag_report(check->diag, place, OP_DIMS_OPEN, op->info->name, pair->first_name,
                            first, pair->second_name, second);
            note_open(m);
            help_axis(check, m, op, pair);
            return false;
        }
        if (!is_one)
            continue;
        const char *what =
            arena_printf(&context->arena, "`R.%s`: %s is %s, and %s is %s: that fits",
                         op->info->name, pair->first_name, first, pair->second_name, second);
        struct diag_message *m =
            diag_report(check->diag, place, CALL_ONE_SIZE, what, var->name, (long long)size);
        diag_note(m, "a run with another size ends with an error");
        if (is_along(op, pair))
            help_axis(check, m, op, pair);
        return false;
    }
    return true;
}

/* What is joined has the same dimensions but for one. */
static bool check_concat(const struct check *check, const struct ir_op *op)
{
    const struct ir_type *all = op->operands[0].value->type;
    const struct ir_attr *axis = ir_op_attr(op, "axis");
    struct location place = location_argument(op->loc, 0, "tensors");

    if (all->kind != IR_TYPE_TUPLE || axis->kind != IR_ATTR_INT)
        return true;
    for (unsigned i = 1; i < all->field_count; i++) {
        const struct ir_type *a = all->fields[0], *b = all->fields[i];
        if (!has_dims(a) || !has_dims(b) || a->ndim != b->ndim)
            return true;
        for (int k = 0; k < a->ndim; k++) {
            struct dim first = {"tensors[0]", a, k};
            struct dim second = {arena_printf(&check->module->context->arena, "tensors[%u]", i), b,
                                 k};
            if (k == (axis->integer < 0 ? axis->integer + a->ndim : axis->integer) ||
                ir_prove_equal(check->module->context, a->dims[k], b->dims[k]))
                continue;
            report_open(check, op, place, first, second);
            return false;
        }
    }
    return true;
}

static bool check_open(const struct check *check, const struct ir_op *op)
{
    if (op->info->core == IR_CORE_none && !check_pairs(check, op))
        return false;
    if (op_is(op, OP_matmul))
        return check_matmul(check, op);
    if (op->result.type->kind != IR_TYPE_TENSOR || op->result.type->dims ||
        op->result.type->ndim == 0)
        return true;
    if (op_is(op, OP_concat))
        return check_concat(check, op);
    bool is_pair = (op->info->traits & IR_ELEMENTWISE) && op->operand_count == 2 &&
                   has_dims(op->operands[0].value->type) && has_dims(op->operands[1].value->type);
    return !is_pair || check_broadcast(check, op);
}

bool lint_check_sizes(struct ir_module *module, struct ir_op *op, struct diag *diag)
{
    struct check check = {.module = module, .diag = diag};

    return ir_check_call_sizes(module, op, diag) &&
           (!op_is(op, OP_reshape) || check_reshape(&check, op)) &&
           (!ir_op_is(op, IR_CORE_call) || check_call(&check, op)) && check_open(&check, op);
}

/* --- results --- */

/* `n` where T.max(n - 1, 0) is returned: they are equal for the size 0, at which a slice has nothing to leave out. */
static bool only_empty_slice(struct ir_context *context, const struct ir_expr *given,
                             const struct ir_expr *wanted, const struct ir_expr **out_meant)
{
    const struct ir_var *var = wanted->kind == IR_EXPR_var ? wanted->var : NULL;
    int64_t number;

    if (given->kind != IR_EXPR_max || !var ||
        !ir_expr_constant(context, given->operands[1], &number) || number != 0)
        return false;
    const struct ir_expr *inside = ir_expr_cast(context, IR_I64, given->operands[0]);
    const struct ir_expr *less =
        ir_simplify(context, ir_expr_binary(context, IR_EXPR_sub,
                                            ir_expr_cast(context, IR_I64, wanted), inside));
    *out_meant = given->operands[0];
    return ir_expr_constant(context, less, &number) && number > 0;
}

/* The edit of the one place where the declared result has `n`, as it is or within quotes. */
static void help_declared(const struct check *check, struct diag_message *m,
                          const struct ir_function *function, const struct ir_var *var,
                          const struct ir_expr *meant)
{
    struct location place = location_word(function->result_loc, var->name);

    if (!place.source)
        return;
    diag_label(m, place, "declared here");
    diag_help(m, "declare what it returns");
    diag_help_edit(m, place, "%s", dim_text(check, meant));
    diag_help_unsure(m);
}

/* (4, n) where (n, 4) is declared: the parts one by one. */
static bool check_result(const struct check *check, const struct ir_function *function,
                         const struct ir_type *given, const struct ir_type *wanted,
                         struct location place)
{
    struct ir_context *context = check->module->context;
    const struct ir_var *var;
    int64_t size;

    if (given->kind == IR_TYPE_TUPLE && wanted->kind == IR_TYPE_TUPLE &&
        given->field_count == wanted->field_count) {
        bool is_fine = true;
        for (unsigned i = 0; is_fine && i < given->field_count; i++)
            is_fine = check_result(check, function, given->fields[i], wanted->fields[i], place);
        return is_fine;
    }
    if (!has_dims(given) || !has_dims(wanted) || given->ndim != wanted->ndim)
        return true;
    for (int k = 0; k < given->ndim; k++) {
        const struct ir_expr *meant = NULL;
        bool is_slice = only_empty_slice(context, given->dims[k], wanted->dims[k], &meant);
        if (is_slice) {
            var = wanted->dims[k]->var;
            size = 0;
        } else if (!ir_only_size(context, wanted->dims[k], given->dims[k], &var, &size)) {
            continue;
        }
        const char *what =
            arena_printf(&context->arena, "what `%s` returns, %s, is %s", function->name,
                         ir_type_text(context, given), ir_type_text(context, wanted));
        struct diag_message *m =
            diag_report(check->diag, place, CALL_ONE_SIZE, what, var->name, (long long)size);
        diag_note(m, "a run with another size ends with an error");
        if (is_slice)
            help_declared(check, m, function, var, meant);
        return false;
    }
    return true;
}

void lint_check_result_sizes(struct ir_function *function, struct diag *diag)
{
    const struct ir_block *last = function->body ? function->body->last : NULL;
    const struct ir_op *end = last ? last->last : NULL;
    struct check check = {.module = function->module, .diag = diag};

    if (end && end->operand_count && function->result && function->is_result_annotated &&
        end->operands[0].value->type)
        check_result(&check, function, end->operands[0].value->type, function->result, end->loc);
}
