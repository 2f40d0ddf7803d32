/* Calls of kernels: an argument of another dtype, and which of both says it wrong. */
#include "ir/verify/call.h"

#include <stdio.h>

/* Another buffer of the kernel than @buffer that has @dtype? */
static bool has_dtype(const struct call *call, const struct ir_buffer *buffer,
                      struct ir_dtype dtype)
{
    for (unsigned i = 0; i < call->kernel->param_count; i++) {
        const struct ir_buffer *other = call->kernel->params[i].buffer;
        if (other && other != buffer && ir_dtype_equal(other->dtype, dtype))
            return true;
    }
    return false;
}

/* Have all other buffers of the kernel @dtype, and there are some? */
static bool all_have_dtype(const struct call *call, const struct ir_buffer *buffer,
                           struct ir_dtype dtype)
{
    for (unsigned i = 0; i < call->kernel->param_count; i++) {
        const struct ir_buffer *other = call->kernel->params[i].buffer;
        if (other && other != buffer && !ir_dtype_equal(other->dtype, dtype))
            return false;
    }
    return has_dtype(call, buffer, dtype);
}

struct callers {
    const struct tir_func *kernel;
    unsigned count;
};

static bool count_caller(void *state, struct ir_op *op)
{
    struct callers *callers = state;
    const struct ir_global *callee = ir_op_callee(op);

    callers->count += callee && callee->kernel == callers->kernel;
    return true;
}

/* Is this the one call of the kernel?  What another call gives it must go on to fit. */
static bool is_only_call(const struct call *call)
{
    struct callers callers = {.kernel = call->kernel};
    const struct ir_module *module = call->v->module;

    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION && module->globals[i]->function->body)
            ir_region_walk(module->globals[i]->function->body, count_caller, &callers);
    return callers.count == 1;
}

/* Where the dtype of what is named at @name stands, `a: T.Buffer((8,), "float32")`; nowhere if it is not there. */
static struct location dtype_place(struct location name, struct ir_dtype dtype)
{
    char text[32], quoted[40];

    snprintf(quoted, sizeof(quoted), "\"%s\"", ir_dtype_name(dtype, text));
    struct location place = location_text_behind(name, quoted);
    if (!place.source || place.begin == name.begin)
        return (struct location){0};
    struct location between = {place.source, name.end + 1, place.begin};
    struct location colon = location_text_behind(between, ":");
    bool is_next = colon.begin == between.begin || colon.begin > place.begin;
    return is_next ? place : (struct location){0};
}

/* The three that could be meant: the caller's own parameter may say it wrong. */
static void help_parameter(struct call *call, struct diag_message *m, const struct argument *a,
                           struct ir_dtype dtype)
{
    const struct ir_value *value = call->op->operands[a->number - 1].value;
    char name[32];

    if (value->def || !value->parameter_of || value->type->kind != IR_TYPE_TENSOR)
        return;
    struct location said = dtype_place(value->loc, value->type->dtype);
    if (!said.source)
        return;
    diag_help(m, "let `%s` be %s", value->name, ir_dtype_name(dtype, name));
    diag_help_edit(m, said, "\"%s\"", ir_dtype_name(dtype, name));
    diag_help_unsure(m);
}

/* Output @i of @op goes, as it is, into what the function is declared to return: another place that says its dtype. */
static bool is_declared(const struct ir_op *op, unsigned i, struct ir_dtype dtype)
{
    const struct ir_function *function = ir_op_function(op);
    const struct ir_op *end =
        function && function->body && function->body->last ? function->body->last->last : NULL;

    if (!end || !ir_op_is(end, IR_CORE_return) || !end->operand_count ||
        !function->is_result_annotated)
        return false;
    const struct ir_value *all = end->operands[0].value;
    bool is_tuple = all->def && ir_op_is(all->def, IR_CORE_tuple) &&
                    function->result->kind == IR_TYPE_TUPLE &&
                    function->result->field_count == all->def->operand_count;
    for (unsigned k = 0; k < (is_tuple ? all->def->operand_count : 1); k++) {
        const struct ir_value *value = is_tuple ? all->def->operands[k].value : all;
        const struct ir_type *said = is_tuple ? function->result->fields[k] : function->result;
        bool is_part = value->def && ir_op_is(value->def, IR_CORE_tuple_get);
        unsigned index = is_part ? (unsigned)ir_op_attr(value->def, "index")->integer : 0;
        if (is_part)
            value = value->def->operands[0].value;
        if (value == &op->result && index == i && said->kind == IR_TYPE_TENSOR &&
            ir_dtype_equal(said->dtype, dtype))
            return true;
    }
    return false;
}

/* What a kernel stores to a buffer. */
struct stored {
    const struct ir_buffer *buffer;
    struct ir_dtype dtype;
    bool has_one, has_other;
};

static bool look_at_store(void *state, struct tir_stmt *stmt)
{
    struct stored *stored = state;

    if (stmt->kind != TIR_STORE || stmt->store.buffer != stored->buffer)
        return true;
    const struct ir_expr *value = stmt->store.value;
    bool is_literal = value->kind == IR_EXPR_int || value->kind == IR_EXPR_float;
    bool is_meant =
        value->kind == IR_EXPR_cast && ir_dtype_equal(value->operands[0]->dtype, stored->dtype);
    stored->has_one |= is_meant;
    stored->has_other |= !is_meant && !is_literal;
    return true;
}

/* Does the kernel store values of @dtype to @buffer, and literals, which are converted for that? */
static bool stores_only(const struct call *call, const struct ir_buffer *buffer,
                        struct ir_dtype dtype)
{
    struct stored stored = {.buffer = buffer, .dtype = dtype};

    if (call->kernel->body)
        tir_stmt_walk(call->kernel->body, look_at_store, &stored);
    return stored.has_one && !stored.has_other;
}

/*
 * Only the dtype of @a, at @place, is another one than that of @buffer: where all the rest of the kernel has the one that is
 * given, the kernel has the mistake.  It is mended there if nobody else calls it.
 */
bool verify_help_dtype(struct call *call, struct diag_message *m, const struct argument *a,
                       const struct ir_buffer *buffer, struct location place)
{
    char given[32], wanted[32];
    struct location said = dtype_place(buffer->loc, buffer->dtype);

    if (ir_dtype_equal(a->type->dtype, buffer->dtype) || ir_dtype_is_void(a->type->dtype) ||
        a->type->ndim != (int)buffer->ndim ||
        verify_call_wrong_dim(call, a->type, buffer) < buffer->ndim)
        return false;
    /* the kernel's own mistake; but sums of small integers are wide ones */
    bool is_sum = a->is_output && ir_dtype_is_int(buffer->dtype) &&
                  ir_dtype_is_int(a->type->dtype) && buffer->dtype.bits > a->type->dtype.bits;
    bool is_alone = !is_sum && all_have_dtype(call, buffer, a->type->dtype);
    bool is_float = ir_dtype_is_float(buffer->dtype) && ir_dtype_is_float(a->type->dtype);
    ir_dtype_name(a->type->dtype, given);
    ir_dtype_name(buffer->dtype, wanted);
    bool is_sure = is_alone && is_only_call(call);
    if (said.source && (is_alone || (!a->is_output && !has_dtype(call, buffer, buffer->dtype)) ||
                        (!a->is_output && !is_float && is_only_call(call)))) {
        diag_help(m, "let the kernel take %s", given);
        if (is_sure || !is_float)
            diag_help_edit(m, said, "\"%s\"", given);
        if (!is_sure)
            diag_help_unsure(m);
    }
    if (a->is_output && !is_alone && said.source && stores_only(call, buffer, a->type->dtype)) {
        diag_help(m, "what the kernel stores there is %s: let it be that", given);
        diag_help_edit(m, said, "\"%s\"", given);
        if (!is_only_call(call))
            diag_help_unsure(m);
        return true;
    }
    if (a->is_output && !is_alone && said.source &&
        is_declared(call->op, a->number - 1, a->type->dtype)) {
        diag_help(m, "the function is declared to return %s: let the kernel make it", given);
        diag_help_edit(m, said, "\"%s\"", given);
        diag_help_unsure(m);
        return true;
    }
    if (a->is_output || is_alone)
        return said.source && is_alone;
    diag_help(m, "convert the argument: `R.astype(.., \"%s\")`", wanted);
    if (place.end - place.begin < call->op->loc.end - call->op->loc.begin) {
        diag_help_wrap(m, place, "R.astype(",
                       arena_printf(&call->v->context->arena, ", \"%s\")", wanted));
        if (!is_float)
            diag_help_unsure(m);
    }
    if (!is_float)
        help_parameter(call, m, a, buffer->dtype);
    return true;
}
