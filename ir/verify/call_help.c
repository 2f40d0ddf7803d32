/*
 * What a call of a kernel should have said, as the kernel and the arguments tell it: the types of its results, which
 * argument each result is, the order of the arguments.
 */
#include "base/array.h"
#include "ir/arith.h"
#include "ir/internal.h"
#include "ir/spelling.h"
#include "ir/verify/given.h"

#include <limits.h>
#include <string.h>

/* ---- which arguments the kernel stores to ---- */

struct stores {
    const struct ir_buffer *buffer;
    bool has_one;
};

static bool look_at(void *state, struct tir_stmt *stmt)
{
    struct stores *stores = state;

    stores->has_one |= stmt->kind == TIR_STORE && stmt->store.buffer == stores->buffer;
    return !stores->has_one;
}

/* The buffer of the @index-th parameter of @kernel that is one. */
static const struct ir_buffer *buffer_of(const struct tir_func *kernel, unsigned index)
{
    for (unsigned i = 0; i < kernel->param_count; i++)
        if (kernel->params[i].buffer && index-- == 0)
            return kernel->params[i].buffer;
    return NULL;
}

bool verify_is_stored(const struct tir_func *kernel, const struct ir_buffer *buffer)
{
    struct stores stores = {.buffer = buffer};

    if (buffer && kernel->body)
        tir_stmt_walk(kernel->body, look_at, &stores);
    return stores.has_one;
}

bool verify_help_update(struct diag_message *m, const struct tir_func *kernel,
                        const struct ir_buffer *output)
{
    const struct ir_buffer *stored = NULL;

    for (unsigned i = 0; buffer_of(kernel, i) && !stored; i++)
        if (verify_is_stored(kernel, buffer_of(kernel, i)))
            stored = buffer_of(kernel, i);
    if (!stored || verify_is_stored(kernel, output))
        return false;
    diag_help(m, "`%s` updates `%s` and leaves `%s`: such a call is R.call_tir_inplace",
              kernel->name, stored->name, output->name);
    return true;
}

const struct ir_buffer *verify_argument_buffer(const struct given *call, unsigned i)
{
    unsigned tensors = 0;

    if (!ir_type_is_tensor(call->values[i]->type))
        return NULL;
    for (unsigned k = 0; k < i; k++)
        tensors += ir_type_is_tensor(call->values[k]->type);
    return buffer_of(call->kernel, tensors);
}

const struct ir_buffer *verify_fresh_buffer(const struct given *call, unsigned at)
{
    unsigned tensors = 0;

    for (unsigned i = 0; i < call->count; i++)
        tensors += ir_type_is_tensor(call->values[i]->type);
    return buffer_of(call->kernel, tensors + at);
}

/* ---- types ---- */

/* The variables of a dimension that nothing is known of yet. */
struct unknown {
    const struct ir_bindings *bindings;
    const struct ir_var *var;
    bool has_others;
};

static bool note_unknown(void *state, const struct ir_expr *a)
{
    struct unknown *unknown = state;

    if (a->kind != IR_EXPR_var || ir_bindings_find(unknown->bindings, a->var))
        return true;
    unknown->has_others |= unknown->var && unknown->var != a->var;
    unknown->var = a->var;
    return true;
}

void verify_bind(struct ir_context *context, struct ir_bindings *bindings,
                 const struct ir_expr *param, const struct ir_expr *value)
{
    struct unknown unknown = {.bindings = bindings};

    ir_expr_walk(param, note_unknown, &unknown);
    if (!unknown.var || unknown.has_others || unknown.var->dtype.lanes != 1)
        return;
    if (param->kind != IR_EXPR_var) { /* n + 1 is 8: n is 7 */
        const struct ir_expr *all = ir_expr_cast(context, IR_I64, param);
        const struct ir_expr *var =
            ir_expr_cast(context, IR_I64, ir_expr_var(context, unknown.var));
        const struct ir_expr *rest =
            ir_simplify(context, ir_expr_binary(context, IR_EXPR_sub, all, var));
        if (ir_expr_uses_var(rest, unknown.var))
            return;
        rest = ir_expr_substitute(context, rest, bindings);
        value = ir_expr_binary(context, IR_EXPR_sub, ir_expr_cast(context, IR_I64, value),
                               ir_expr_cast(context, IR_I64, rest));
        value = ir_simplify(context, value);
    }
    array_push(bindings, (struct ir_binding){unknown.var, value});
}

static void bind_arguments(const struct given *call, struct ir_bindings *bindings)
{
    for (unsigned i = 0; i < call->count; i++) {
        const struct ir_type *type = call->values[i]->type;
        const struct ir_buffer *buffer = verify_argument_buffer(call, i);
        for (unsigned k = 0;
             buffer && type->dims && type->ndim == (int)buffer->ndim && k < buffer->ndim; k++)
            verify_bind(call->context, bindings, buffer->shape[k], type->dims[k]);
    }
}

static bool is_bound(void *bindings, const struct ir_expr *a)
{
    return a->kind != IR_EXPR_var || ir_bindings_find(bindings, a->var);
}

const struct ir_type *verify_buffer_type(const struct given *call, const struct ir_buffer *buffer)
{
    const struct ir_expr **dims =
        arena_array(&call->context->arena, const struct ir_expr *, buffer->ndim + 1);
    const struct ir_type *type = NULL;
    struct ir_bindings bindings = {0};
    unsigned i = 0;

    bind_arguments(call, &bindings);
    for (; i < buffer->ndim && ir_expr_walk(buffer->shape[i], is_bound, &bindings); i++) {
        const struct ir_expr *dim = ir_expr_substitute(call->context, buffer->shape[i], &bindings);
        dims[i] = ir_simplify(call->context, ir_expr_cast(call->context, IR_I64, dim));
    }
    if (i == buffer->ndim)
        type = ir_type_tensor(call->context, buffer->dtype, dims, (int)buffer->ndim);
    array_finish(&bindings);
    return type;
}

/* ---- what is written for all of it ---- */

/* "[A, B]", or an item alone where @is_list is not wanted. */
static const char *list_of(const struct given *call, const char *items, bool is_list)
{
    return is_list ? arena_printf(&call->context->arena, "[%s]", items) : items;
}

static const char *join(const struct given *call, const char *items, const char *item)
{
    return *items ? arena_printf(&call->context->arena, "%s, %s", items, item) : item;
}

const char *ir_kernel_map(struct ir_context *context, const struct tir_func *kernel,
                          struct ir_value *const *values, unsigned count, unsigned *out_count)
{
    struct given call = {context, kernel, values, count};
    const char *items = "";

    *out_count = 0;
    for (unsigned i = 0; i < count; i++)
        if (verify_is_stored(kernel, verify_argument_buffer(&call, i))) {
            items = join(&call, items, arena_printf(&context->arena, "%u", i));
            (*out_count)++;
        }
    if (!*out_count)
        return NULL;
    for (unsigned at = 0; verify_fresh_buffer(&call, at); at++, (*out_count)++)
        items = join(&call, items, "-1");
    return list_of(&call, items, true);
}

/* The type of @value, as its parameter says it; symbols in quotes are for signatures. */
static const char *text_of_value(struct ir_context *context, const struct ir_value *value)
{
    bool is_param = !value->def && value->parameter_of;
    struct location said = is_param ? ir_annotation_place(value->loc) : (struct location){0};
    struct location shape = location_argument(said, 0, "shape");
    bool is_quoted = shape.source &&
                     memchr(shape.source->text + shape.begin, '"', shape.end - shape.begin) != NULL;

    return is_param && !is_quoted ? ir_type_spelled(context, said, value->type, value->type)
                                  : ir_type_text(context, value->type);
}

const char *ir_kernel_results(struct ir_context *context, const struct tir_func *kernel,
                              struct ir_value *const *values, unsigned count, bool is_inplace)
{
    struct given call = {context, kernel, values, count};
    const char *items = "";
    unsigned found = 0;

    for (unsigned i = 0; is_inplace && i < count; i++)
        if (verify_is_stored(kernel, verify_argument_buffer(&call, i))) {
            items = join(&call, items, text_of_value(context, values[i]));
            found++;
        }
    for (unsigned at = 0; verify_fresh_buffer(&call, at); at++, found++) {
        const struct ir_type *type = verify_buffer_type(&call, verify_fresh_buffer(&call, at));
        if (!type)
            return NULL;
        items = join(&call, items, ir_type_text(context, type));
    }
    return found ? list_of(&call, items, found > 1) : NULL;
}

/* ---- help for calls that are there ---- */

static int64_t meant(const struct ir_op *op);

struct given verify_given(struct verify *v, const struct ir_op *op)
{
    struct ir_value **values = arena_array(&v->arena, struct ir_value *, op->operand_count + 1);

    for (unsigned i = 0; i < op->operand_count; i++)
        values[i] = op->operands[i].value;
    return (struct given){v->context, ir_op_callee(op)->kernel, values, op->operand_count};
}

/* Where @op says the types of all results; its own place if it does not. */
static struct location all_types(const struct ir_op *op)
{
    unsigned index = ir_op_is(op, IR_CORE_call_tir_inplace) ? 3 : 2;
    struct location types = location_argument(op->loc, index, "out_ty");

    if (op->loc.source && types.begin == op->loc.begin)
        types = location_argument(op->loc, UINT_MAX, "out_sinfo");
    return types;
}

struct location verify_results_place(const struct ir_op *op)
{
    struct location types = all_types(op);

    return !op->loc.source || types.begin == op->loc.begin ? (struct location){0} : types;
}

void verify_help_all_types(struct verify *v, struct diag_message *m, const struct ir_op *op)
{
    struct given call = verify_given(v, op);
    const char *types = ir_kernel_results(v->context, call.kernel, call.values, call.count, false);
    struct location place = verify_results_place(op);

    if (!types || !place.source)
        return;
    diag_help(m, "the kernel makes `%s`", types);
    diag_help_edit(m, place, "%s", types);
}

struct location verify_output_place(const struct ir_op *op, unsigned i)
{
    struct location type = all_types(op);

    if (!op->loc.source || type.begin == op->loc.begin)
        return op->loc;
    bool is_list = strchr("([", type.source->text[type.begin]) ||
                   (op->declared && op->declared->kind == IR_TYPE_TUPLE);
    return is_list ? location_argument(type, i, NULL) : type;
}

/* What @op says of result @i; NULL: nothing. */
static const struct ir_type *said_type(const struct ir_op *op, unsigned i)
{
    const struct ir_type *all = op->declared;

    if (!all || all->kind != IR_TYPE_TUPLE)
        return all;
    return i < all->field_count ? all->fields[i] : NULL;
}

/* Help and edit: result @i of @op is of @type, or NULL. */
static void help_type(struct verify *v, struct diag_message *m, const struct ir_op *op, unsigned i,
                      const struct ir_type *type)
{
    struct location place = verify_output_place(op, i);

    if (!type || !place.source || place.begin == op->loc.begin)
        return;
    const char *text = ir_type_spelled(v->context, place, said_type(op, i), type);
    diag_help(m, "the kernel makes `%s`", text);
    diag_help_edit(m, place, "%s", text);
}

void verify_help_output(struct verify *v, struct diag_message *m, const struct ir_op *op,
                        unsigned i, const struct ir_buffer *buffer)
{
    struct given call = verify_given(v, op);

    help_type(v, m, op, i, verify_buffer_type(&call, buffer));
}

void verify_help_shape(struct verify *v, struct diag_message *m, const struct ir_op *op, unsigned i,
                       const struct ir_buffer *buffer)
{
    struct given call = verify_given(v, op);
    const struct ir_type *type = verify_buffer_type(&call, buffer);

    if (type)
        ir_help_parameter(m, v->context, op->operands[i].value, buffer->name, type);
}

bool verify_is_fresh(struct verify *v, const struct ir_op *op, unsigned argument)
{
    struct given call = verify_given(v, op);
    const struct ir_attr *map = ir_op_attr(op, "inplace_indices");
    unsigned buffers = 0, given = 0;

    for (unsigned i = 0; i < call.kernel->param_count; i++)
        buffers += call.kernel->params[i].buffer != NULL;
    for (unsigned i = 0; i < map->count; i++)
        given += map->items[i]->kind == IR_ATTR_INT && map->items[i]->integer == -1;
    for (unsigned i = 0; i < op->operand_count; i++)
        given += ir_type_is_tensor(op->operands[i].value->type);
    const struct ir_buffer *buffer = verify_argument_buffer(&call, argument);
    return given + 1 == buffers && buffer && !verify_is_stored(call.kernel, buffer);
}

struct diag_message *verify_report_inplace(struct verify *v, const struct ir_op *op, unsigned i,
                                           unsigned argument, const struct ir_type *output,
                                           bool *out_is_mended)
{
    struct given call = verify_given(v, op);
    const struct ir_type *type = call.values[argument]->type;
    bool is_fresh = verify_is_fresh(v, op, argument);
    bool is_meant =
        !is_fresh &&
        (meant(op) < 0 || verify_is_stored(call.kernel, verify_argument_buffer(&call, argument)));
    struct location place = is_meant ? verify_output_place(op, i) : ir_inplace_entry(op, i);
    struct diag_message *m =
        diag_report(v->diag, place, INPLACE_FIT, i, (long long)argument,
                    ir_type_text(v->context, output), ir_type_text(v->context, type));

    diag_note(m, "an output in place is the argument's storage with new numbers");
    if (is_fresh) {
        diag_help(
            m, "the kernel reads that argument alone, and has one buffer more: a new tensor is -1");
        if (place.begin > op->loc.begin)
            diag_help_edit(m, place, "-1");
        *out_is_mended = true;
        return m;
    }
    *out_is_mended = is_meant ? ir_type_check(v->context, output, type) == IR_CHECK_FAIL_KIND
                              : ir_inplace_help(m, op, i);
    if (is_meant && *out_is_mended)
        help_type(v, m, op, i, type);
    return m;
}

/* `cls.f(x)` of a kernel that has results: R.call_tir makes them. */
void verify_help_results(struct verify *v, struct diag_message *m, const struct ir_op *op)
{
    struct given call = verify_given(v, op);
    const char *results =
        ir_kernel_results(v->context, call.kernel, call.values, call.count, false);
    const char *text = op->loc.source ? op->loc.source->text : NULL;
    const char *open = text ? memchr(text + op->loc.begin, '(', op->loc.end - op->loc.begin) : NULL;

    diag_help(m, "`R.call_tir` gives a kernel new tensors for its results");
    if (!results || !open || text[op->loc.end - 1] != ')' || call.count == 0)
        return;
    uint32_t inside = (uint32_t)(open - text) + 1, end = op->loc.end - 1;
    diag_help_edit(m, op->loc, "R.call_tir(%.*s, (%.*s%s), out_ty=%s)",
                   (int)(inside - 1 - op->loc.begin), text + op->loc.begin, (int)(end - inside),
                   text + inside, call.count == 1 ? "," : "", results);
}

/* The map is right, the types are not as many. */
static void help_types(struct verify *v, struct diag_message *m, const struct ir_op *op,
                       const struct given *call)
{
    const char *results =
        ir_kernel_results(v->context, call->kernel, call->values, call->count, true);
    struct location place = all_types(op);

    if (!results || place.begin == op->loc.begin)
        return;
    diag_help(m, "the kernel makes `%s`", results);
    diag_help_edit(m, place, "%s", results);
}

bool verify_map_fits(struct verify *v, const struct ir_op *op)
{
    const struct ir_global *callee = ir_op_callee(op);
    unsigned count;

    if (!callee || callee->kind != IR_GLOBAL_KERNEL)
        return false;
    struct given call = verify_given(v, op);
    return ir_kernel_map(v->context, callee->kernel, call.values, call.count, &count) &&
           count == ir_op_attr(op, "inplace_indices")->count;
}

void verify_help_map(struct verify *v, struct diag_message *m, const struct ir_op *op)
{
    struct location place = location_argument(op->loc, UINT_MAX, "inplace_indices");
    const struct ir_global *callee = ir_op_callee(op);
    unsigned count;

    if (!callee || callee->kind != IR_GLOBAL_KERNEL || !op->declared ||
        place.begin == op->loc.begin)
        return;
    struct given call = verify_given(v, op);
    const char *map = ir_kernel_map(v->context, callee->kernel, call.values, call.count, &count);
    bool is_tuple = op->declared->kind == IR_TYPE_TUPLE;
    if (map && count == ir_op_attr(op, "inplace_indices")->count)
        return help_types(v, m, op, &call);
    if (!map || count != (is_tuple ? op->declared->field_count : 1))
        return;
    diag_help(m, "the kernel writes the arguments `%s`", map);
    diag_help_edit(m, place, "%s", map);
}

bool verify_report_map(struct verify *v, const struct ir_op *op)
{
    struct location place = location_argument(op->loc, UINT_MAX, "inplace_indices");
    const struct ir_global *callee = ir_op_callee(op);
    unsigned count, fresh = 0, said = 0;

    if (!callee || callee->kind != IR_GLOBAL_KERNEL || !ir_op_is(op, IR_CORE_call_tir_inplace) ||
        place.begin == op->loc.begin)
        return false;
    struct given call = verify_given(v, op);
    const struct ir_attr *map = ir_op_attr(op, "inplace_indices");
    const char *text = ir_kernel_map(v->context, callee->kernel, call.values, call.count, &count);
    while (verify_fresh_buffer(&call, fresh) &&
           verify_is_stored(callee->kernel, verify_fresh_buffer(&call, fresh)))
        fresh++;
    for (unsigned i = 0; i < map->count; i++)
        said += map->items[i]->kind == IR_ATTR_INT && map->items[i]->integer == -1;
    if (!text || count != map->count || verify_fresh_buffer(&call, fresh) || said >= fresh)
        return false;
    const char *name = verify_fresh_buffer(&call, fresh - 1)->name;
    struct diag_message *m = diag_report(
        v->diag, place, INPLACE_INDEX, op->info->name,
        arena_printf(&v->context->arena, "`%s` of `%s` is a new result, whose entry would be -1",
                     name, callee->name));
    diag_label(m, verify_fresh_buffer(&call, fresh - 1)->loc, "no argument is given for `%s`",
               name);
    diag_help(m, "the kernel writes the arguments `%s`", text);
    diag_help_edit(m, place, "%s", text);
    return true;
}

bool verify_help_written(struct verify *v, struct diag_message *m, const struct ir_op *op)
{
    struct location place = location_argument(op->loc, UINT_MAX, "inplace_indices");
    const struct ir_global *callee = ir_op_callee(op);
    unsigned count;

    if (!callee || callee->kind != IR_GLOBAL_KERNEL || place.begin == op->loc.begin)
        return false;
    struct given call = verify_given(v, op);
    const char *map = ir_kernel_map(v->context, callee->kernel, call.values, call.count, &count);
    if (!map || count != ir_op_attr(op, "inplace_indices")->count ||
        strpbrk(map, "0123456789") == NULL || strstr(map, "-1"))
        return false;
    diag_help(m, "the kernel writes the arguments `%s`", map);
    diag_help_edit(m, place, "%s", map);
    return true;
}

/* ---- one entry of the map ---- */

static bool is_named(const struct ir_attr *map, int64_t argument)
{
    for (unsigned i = 0; i < map->count; i++)
        if (map->items[i]->kind == IR_ATTR_INT && map->items[i]->integer == argument)
            return true;
    return false;
}

/* The one argument that the kernel stores to and that no entry names; -1: none, or several. */
static int64_t meant(const struct ir_op *op)
{
    const struct ir_global *callee = ir_op_callee(op);
    const struct ir_attr *map = ir_op_attr(op, "inplace_indices");
    unsigned tensors = 0;
    int64_t found = -1;

    if (!callee || callee->kind != IR_GLOBAL_KERNEL)
        return -1;
    for (unsigned i = 0; i < op->operand_count; i++) {
        if (!ir_type_is_tensor(op->operands[i].value->type) ||
            !verify_is_stored(callee->kernel, buffer_of(callee->kernel, tensors++)) ||
            is_named(map, i))
            continue;
        if (found >= 0)
            return -1;
        found = i;
    }
    return found;
}

struct location ir_inplace_entry(const struct ir_op *op, unsigned entry)
{
    struct location list = location_argument(op->loc, UINT_MAX, "inplace_indices");

    if (!op->loc.source || list.begin == op->loc.begin || list.source->text[list.begin] != '[')
        return list;
    return location_argument(list, entry, NULL);
}

bool ir_inplace_help(struct diag_message *m, const struct ir_op *op, unsigned entry)
{
    int64_t argument = meant(op);
    struct location place = ir_inplace_entry(op, entry);

    if (argument < 0)
        return false;
    diag_help(m, "the kernel writes argument %lld, which no entry names", (long long)argument);
    if (place.end > place.begin && place.begin > op->loc.begin)
        diag_help_edit(m, place, "%lld", (long long)argument);
    return true;
}
