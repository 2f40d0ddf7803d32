/*
 * Calls of kernels: what the call gives against what the kernel takes.
 *
 * Tensors go to the buffer parameters and scalars to the scalar parameters, each in their order; the
 * outputs that are not in place are the last buffers.  Symbols of the kernel are bound where they stand
 * alone, and the rest is an error if it is provably different; what is not proved is checked when the
 * program runs.
 */
#include "ir/verify/call.h"

#include "ir/arith.h"
#include "ir/build.h"
#include "ir/part_names.h"
#include "ir/print.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

const struct ir_type *verify_output_type(const struct ir_type *declared, unsigned i)
{
    return declared->kind == IR_TYPE_TUPLE ? declared->fields[i] : declared;
}

unsigned verify_output_count(const struct ir_type *declared)
{
    return declared->kind == IR_TYPE_TUPLE ? declared->field_count : 1;
}

static const char *text_of(struct call *call, const struct ir_type *type)
{
    return ir_type_text(call->v->context, type);
}

const char *verify_call_argument_text(struct call *call, const struct argument *a)
{
    return arena_printf(&call->v->context->arena, "%s %u", a->is_output ? "output" : "argument",
                        a->number);
}

/* The parameter as the kernel declares it. */
const char *verify_call_param_text(struct call *call, const struct ir_buffer *buffer)
{
    struct text text = {0};
    char name[32];

    text_puts(&text, "T.Buffer((");
    for (unsigned i = 0; i < buffer->ndim; i++) {
        if (i > 0)
            text_puts(&text, ", ");
        tir_expr_print(buffer->shape[i], &text);
    }
    text_printf(&text, "%s), \"%s\")", buffer->ndim == 1 ? "," : "",
                ir_dtype_name(buffer->dtype, name));
    const char *result = arena_copy_text(&call->v->context->arena, text_string(&text), text.length);
    text_finish(&text);
    return result;
}

/* What a match_cast can say of an argument of which too little is known. */
static const char *wanted_text(struct call *call, const struct ir_buffer *buffer)
{
    return text_of(call, ir_type_tensor(call->v->context, buffer->dtype, NULL,
                                        buffer->ndim ? (int)buffer->ndim : 0));
}

/* "2 buffers and 1 scalar" */
static const char *count_text(struct call *call, unsigned tensors, const char *noun,
                              unsigned scalars)
{
    struct arena *arena = &call->v->context->arena;
    const char *text = arena_printf(arena, "%u %s%s", tensors, noun, tensors == 1 ? "" : "s");

    if (scalars == 0)
        return text;
    return arena_printf(arena, "%s and %u scalar%s", text, scalars, scalars == 1 ? "" : "s");
}

/* Argument @i where the call in the text gives it: in the tuple behind the function, or as it is of `cls.f(a, b)`. */
struct location verify_call_argument_place(const struct ir_op *op, unsigned i)
{
    struct location args = location_argument(op->loc, 1, "args");

    if (op->info->core == IR_CORE_call)
        return location_argument(op->loc, i, NULL);

    if (!op->loc.source || args.begin == op->loc.begin || i >= op->operand_count)
        return op->loc;
    return strchr("([", args.source->text[args.begin]) ? location_argument(args, i, NULL) : args;
}

/* The first dimension that is provably another one; the rank if there is none. */
unsigned verify_call_wrong_dim(struct call *call, const struct ir_type *type,
                               const struct ir_buffer *buffer)
{
    struct ir_context *context = call->v->context;
    unsigned j = 0;

    for (; type->dims && j < buffer->ndim; j++) {
        const struct ir_expr *wanted =
            ir_expr_substitute(context, buffer->shape[j], &call->bindings);
        wanted = ir_expr_cast(context, IR_I64, wanted);
        if (ir_prove_different(context, wanted, ir_expr_cast(context, IR_I64, type->dims[j])))
            break;
    }
    return type->dims ? j : buffer->ndim;
}

bool verify_is_wrong(struct verify *v, const struct ir_value *value)
{
    while (value->def &&
           (ir_op_is(value->def, IR_CORE_tuple_get) || ir_op_is(value->def, IR_CORE_bind)))
        value = value->def->operands[0].value;
    return map_has(&v->wrong, value);
}

static struct location place_of(struct call *call, const struct argument *a)
{
    return a->is_output ? verify_output_place(call->op, a->number - 1)
                        : verify_call_argument_place(call->op, a->number - 1);
}

struct diag_message *verify_report_misfit(struct call *call, const struct argument *a,
                                          const struct ir_buffer *buffer)
{
    struct diag_message *m = diag_report(
        call->v->diag, place_of(call, a), CALL_ARGUMENT, verify_call_argument_text(call, a),
        call->name, text_of(call, a->type), buffer->name, verify_call_param_text(call, buffer));

    diag_label(m, buffer->loc.source ? buffer->loc : call->kernel->loc, "the parameter");
    call->v->is_fine = false;
    return m;
}

static struct diag_message *report_fit(struct call *call, const struct argument *a,
                                       const struct ir_buffer *buffer)
{
    struct diag_message *m = verify_report_misfit(call, a, buffer);
    bool is_fresh = a->is_output && ir_op_is(call->op, IR_CORE_call_tir);

    if (!a->is_output && ir_help_crossed(m, call->op->operands[a->number - 1].value))
        ;
    else if (is_fresh && verify_help_update(m, call->kernel, buffer))
        ;
    else if (verify_help_dtype(call, m, a, buffer, place_of(call, a)))
        ;
    else if (a->is_output)
        verify_help_output(call->v, m, call->op, a->number - 1, buffer);
    return m;
}

static const struct ir_expr *scalar_of(const struct ir_value *value)
{
    if (value->def && ir_op_is(value->def, IR_CORE_prim)) {
        const struct ir_attr *attr = ir_op_attr(value->def, "value");
        return attr->kind == IR_ATTR_EXPR ? attr->expr : NULL;
    }
    return NULL;
}

static void add_shape(struct call *call, const struct argument *a)
{
    /* Scalars of scripts up to 0.25: tir_vars, a shape. */
    for (int i = 0; a->type->dims && i < a->type->ndim; i++) {
        struct argument dim = *a;
        dim.type = ir_type_prim(call->v->context, IR_I64);
        dim.scalar = a->type->dims[i];
        array_push(&call->scalars, dim);
    }
}

/* Sorts the operands into tensors and scalars; false if one is neither. */
bool verify_call_collect_arguments(struct call *call)
{
    bool is_fine = true;

    for (unsigned i = 0; i < call->op->operand_count; i++) {
        struct ir_value *value = call->op->operands[i].value;
        struct argument a = {.type = value->type,
                             .scalar = scalar_of(value),
                             .number = i + 1,
                             .is_unsupported = map_has(&call->v->unsupported, value)};

        if (!a.scalar && value->var)
            a.scalar = ir_expr_var(call->v->context, value->var);
        if (a.type->kind == IR_TYPE_TENSOR) {
            array_push(&call->tensors, a);
        } else if (a.type->kind == IR_TYPE_PRIM) {
            array_push(&call->scalars, a);
        } else if (a.type->kind == IR_TYPE_SHAPE && a.type->dims) {
            add_shape(call, &a);
        } else {
            struct diag_message *m =
                diag_report(call->v->diag, verify_call_argument_place(call->op, i),
                            CALL_ARGUMENT_KIND, i + 1, call->name, text_of(call, a.type));
            if (a.type->kind == IR_TYPE_ANY)
                diag_help(m, "say what it is: `R.match_cast(.., R.Tensor(..))`");
            is_fine = false;
        }
    }
    call->v->is_fine &= is_fine;
    return is_fine;
}

/* The type of output @i leaves something open; where it is the only one, the kernel knows it. */
static void report_open(struct call *call, unsigned i, const struct ir_type *type)
{
    struct diag_message *m = diag_report(call->v->diag, verify_output_place(call->op, i),
                                         CALL_OUTPUT_OPEN, i + 1, call->name, text_of(call, type));
    const struct tir_func *kernel = call->kernel;
    const struct ir_buffer *last =
        kernel->param_count ? kernel->params[kernel->param_count - 1].buffer : NULL;

    if (last && call->op->declared->kind == IR_TYPE_TENSOR && ir_op_is(call->op, IR_CORE_call_tir))
        verify_help_output(call->v, m, call->op, i, last);
}

/* Adds the outputs that the kernel gets as further buffers; false if one has no shape. */
bool verify_call_collect_outputs(struct call *call, const struct ir_type *declared,
                                 const struct ir_attr *inplace)
{
    bool is_fine = true;

    for (unsigned i = 0; i < verify_output_count(declared); i++) {
        const struct ir_type *type = verify_output_type(declared, i);
        struct argument a = {.type = type, .number = i + 1, .is_output = true};

        if (type->kind != IR_TYPE_TENSOR || !type->dims || ir_dtype_is_void(type->dtype)) {
            report_open(call, i, type);
            is_fine = false;
        } else if (!inplace || i >= inplace->count || inplace->items[i]->kind != IR_ATTR_INT ||
                   inplace->items[i]->integer < 0) {
            array_push(&call->tensors, a);
        }
    }
    call->v->is_fine &= is_fine;
    return is_fine;
}

/* A handle without a buffer takes a tensor of which the kernel says nothing. */
bool verify_call_takes_tensor(const struct tir_param *param)
{
    return param->buffer || param->var->dtype.code == IR_HANDLE;
}

bool verify_fits_in_place(struct ir_context *context, const struct ir_type *output,
                          const struct ir_type *argument)
{
    if (output->kind != IR_TYPE_TENSOR || argument->kind != IR_TYPE_TENSOR ||
        !ir_dtype_equal(output->dtype, argument->dtype) || output->ndim != argument->ndim ||
        !output->dims || !argument->dims)
        return false;
    for (int i = 0; i < output->ndim; i++) {
        if (!ir_prove_equal(context, output->dims[i], argument->dims[i]))
            return false;
    }
    return true;
}

/* An entry of the map names an argument for an output that is a new tensor: that is told, and not what it lacks then. */
static bool is_entry_wrong(struct call *call)
{
    const struct ir_op *op = call->op;
    const struct ir_attr *map =
        ir_op_is(op, IR_CORE_call_tir_inplace) ? ir_op_attr(op, "inplace_indices") : NULL;

    for (unsigned i = 0; map && i < map->count && i < verify_output_count(op->declared); i++) {
        int64_t index = map->items[i]->kind == IR_ATTR_INT ? map->items[i]->integer : -1;
        if (index >= 0 && index < op->operand_count &&
            verify_is_fresh(call->v, op, (unsigned)index) &&
            !verify_fits_in_place(call->v->context, verify_output_type(op->declared, i),
                                  op->operands[index].value->type))
            return true;
    }
    return false;
}

/* Lets the kernel's symbols be what the call gives; false if the numbers of parameters differ. */
bool verify_call_bind_arguments(struct call *call)
{
    const struct tir_func *kernel = call->kernel;
    size_t tensor = 0;
    size_t scalar = 0;
    unsigned buffers = 0;
    unsigned scalars = 0;

    for (unsigned i = 0; i < kernel->param_count; i++) {
        if (verify_call_takes_tensor(&kernel->params[i]))
            buffers++;
        else
            scalars++;
    }

    if (buffers != call->tensors.count || scalars != call->scalars.count) {
        if (is_entry_wrong(call) || verify_report_count(call) || verify_report_scalars(call))
            return false;
        bool is_plain = call->op->info->core == IR_CORE_call; /* `cls.f(a, b)` */
        struct location place =
            is_plain ? call->op->loc : location_argument(call->op->loc, 1, "args");
        struct diag_message *m = diag_report(call->v->diag, place, CALL_ARITY, call->name,
                                             count_text(call, buffers, "buffer", scalars),
                                             count_text(call, (unsigned)call->tensors.count,
                                                        "tensor", (unsigned)call->scalars.count));
        diag_label(m, kernel->loc, "defined here");
        if (!is_plain)
            diag_note(m, "outputs that are not in place are buffers of the kernel, after the "
                         "arguments");
        else if (buffers > call->tensors.count && scalars == call->scalars.count)
            verify_help_results(call->v, m, call->op);
        call->v->is_fine = false;
        return false;
    }
    for (unsigned i = 0; i < kernel->param_count; i++) {
        const struct ir_buffer *buffer = kernel->params[i].buffer;
        if (!verify_call_takes_tensor(&kernel->params[i])) {
            const struct argument *a = &call->scalars.items[scalar++];
            if (a->scalar && kernel->params[i].var &&
                ir_dtype_equal(a->type->dtype, kernel->params[i].var->dtype))
                array_push(&call->bindings, (struct ir_binding){kernel->params[i].var, a->scalar});
            continue;
        }
        verify_call_bind_tensor(call, &call->tensors.items[tensor++], buffer);
    }
    return true;
}

void verify_call_bind_tensor(struct call *call, const struct argument *a,
                             const struct ir_buffer *buffer)
{
    for (unsigned j = 0;
         buffer && j < buffer->ndim && a->type->dims && a->type->ndim == (int)buffer->ndim; j++)
        verify_bind(call->v->context, &call->bindings, buffer->shape[j], a->type->dims[j]);
}

/* `t: T.int32` where the caller gives an int64: the kernel may say it wrong. */
static void help_scalar_parameter(struct call *call, struct diag_message *m,
                                  const struct argument *a, const struct ir_var *var)
{
    char given[32], wanted[32];
    struct arena *arena = &call->v->context->arena;
    const char *said = arena_printf(arena, ": T.%s", ir_dtype_name(var->dtype, wanted));
    size_t length = strlen(said);

    if (!var->loc.source || var->loc.end + length > var->loc.source->length ||
        memcmp(var->loc.source->text + var->loc.end, said, length) != 0)
        return;
    struct location place = {var->loc.source, var->loc.end + 2, var->loc.end + (uint32_t)length};
    diag_help(m, "let the kernel take %s", ir_dtype_name(a->type->dtype, given));
    diag_help_edit(m, place, "T.%s", given);
    diag_help_unsure(m);
}

struct diag_message *verify_report_scalar(struct call *call, const struct argument *a,
                                          const struct ir_var *var)
{
    char given[32], wanted[32];
    struct diag_message *m = diag_report(
        call->v->diag, verify_call_argument_place(call->op, a->number - 1), CALL_SCALAR,
        verify_call_argument_text(call, a), call->name, ir_dtype_name(a->type->dtype, given),
        var->name, ir_dtype_name(var->dtype, wanted));

    if (var->loc.source)
        diag_label(m, var->loc, "the parameter");
    call->v->is_fine = false;
    return m;
}

static void check_scalar(struct call *call, const struct argument *a, const struct ir_var *var)
{
    if (ir_dtype_equal(a->type->dtype, var->dtype))
        return;
    struct diag_message *m = verify_report_scalar(call, a, var);
    if (ir_dtype_is_int(var->dtype) && ir_dtype_is_int(a->type->dtype))
        ir_help_scalar(m, verify_call_argument_place(call->op, a->number - 1), var->dtype);
    help_scalar_parameter(call, m, a, var);
}

static bool has_other_kind(const struct ir_type *type, const struct ir_buffer *buffer)
{
    return !ir_dtype_equal(type->dtype, buffer->dtype) || type->ndim != (int)buffer->ndim;
}

bool verify_call_fits(struct call *call, const struct argument *a, const struct ir_buffer *buffer)
{
    return !buffer || (!has_other_kind(a->type, buffer) &&
                       verify_call_wrong_dim(call, a->type, buffer) == buffer->ndim);
}

static void check_tensor(struct call *call, const struct argument *a,
                         const struct ir_buffer *buffer)
{
    const struct ir_type *type = a->type;

    if (a->is_unsupported && (ir_dtype_is_void(type->dtype) || type->ndim == IR_NDIM_UNKNOWN))
        return;
    if (!a->is_output && verify_is_wrong(call->v, call->op->operands[a->number - 1].value))
        return; /* it follows from what was reported there */
    if (has_other_kind(type, buffer)) {
        struct diag_message *m = report_fit(call, a, buffer);
        if (ir_dtype_is_void(type->dtype) || type->ndim == IR_NDIM_UNKNOWN)
            diag_help(m, "say what it is: `R.match_cast(.., %s)`", wanted_text(call, buffer));
        else if (!a->is_output && type->ndim != (int)buffer->ndim)
            verify_help_shape(call->v, m, call->op, a->number - 1, buffer);
    } else if (!verify_call_fits(call, a, buffer)) {
        struct diag_message *m = report_fit(call, a, buffer);
        unsigned dim = verify_call_wrong_dim(call, type, buffer);
        diag_note(m, "dimension %u differs", dim);
        verify_call_label_symbol(call, m, a, buffer->shape[dim]);
        if (!a->is_output && !call->is_blamed)
            verify_help_shape(call->v, m, call->op, a->number - 1, buffer);
    }
}

static void check_arguments(struct call *call)
{
    size_t tensor = 0;
    size_t scalar = 0;

    for (unsigned i = 0; i < call->kernel->param_count; i++) {
        const struct tir_param *param = &call->kernel->params[i];
        if (verify_call_takes_tensor(param)) {
            if (param->buffer)
                check_tensor(call, &call->tensors.items[tensor], param->buffer);
            tensor++;
        } else {
            check_scalar(call, &call->scalars.items[scalar++], param->var);
        }
    }
}

/* In-place outputs are the argument's buffer, so they have its type. */
static void check_inplace_outputs(struct call *call, const struct ir_attr *inplace)
{
    for (unsigned i = 0; i < inplace->count && i < verify_output_count(call->op->declared); i++) {
        int64_t index = inplace->items[i]->kind == IR_ATTR_INT ? inplace->items[i]->integer : -1;
        if (index < 0 || index >= call->op->operand_count)
            continue;
        const struct ir_type *output = verify_output_type(call->op->declared, i);
        const struct ir_type *argument = call->op->operands[index].value->type;
        if (verify_fits_in_place(call->v->context, output, argument))
            continue;
        bool is_said;
        struct diag_message *m =
            verify_report_inplace(call->v, call->op, i, (unsigned)index, output, &is_said);
        if (!is_said && argument->kind == IR_TYPE_TENSOR &&
            ir_type_check(call->v->context, output, argument) >= IR_CHECK_FAIL_KNOWN)
            diag_help(m,
                      "if they are the same, check it when the program runs: "
                      "`R.match_cast(.., %s)`",
                      text_of(call, output));
        else if (!is_said && argument->kind == IR_TYPE_TENSOR)
            diag_help(m, "let the output be fresh: -1 in its place of inplace_indices");
        call->v->is_fine = false;
    }
}

static const char *global_kind(const struct ir_global *global)
{
    static const char *const names[] = {
        [IR_GLOBAL_DECLARED] = "not defined",
        [IR_GLOBAL_FUNCTION] = "a Relax function",
        [IR_GLOBAL_KERNEL] = "a kernel",
        [IR_GLOBAL_EXTERN] = "an external function",
    };

    return names[global->kind];
}

void verify_kernel_call(struct verify *v, struct ir_op *op)
{
    const struct ir_global *callee = ir_op_callee(op);
    bool has_outputs = op->info->core != IR_CORE_call;
    struct call call = {.v = v, .op = op, .name = callee ? callee->name : op->info->name};
    const struct ir_attr *inplace =
        ir_op_is(op, IR_CORE_call_tir_inplace) ? ir_op_attr(op, "inplace_indices") : NULL;

    if (!callee || callee->kind != IR_GLOBAL_KERNEL) {
        if (!has_outputs || (callee && callee->kind == IR_GLOBAL_DECLARED))
            return;
        struct diag_message *m = diag_report(v->diag, op->loc, CALL_NO_KERNEL, op->info->name,
                                             call.name, callee ? global_kind(callee) : "none");
        if (callee)
            diag_help(m, "call it as `cls.%s(..)`", callee->name);
        v->is_fine = false;
        return;
    }
    call.kernel = callee->kernel;
    bool was_fine = v->is_fine;
    v->is_fine = true; /* of this call */
    if (verify_call_collect_arguments(&call) &&
        (!has_outputs || verify_call_collect_outputs(&call, op->declared, inplace))) {
        bool is_bound = verify_call_bind_arguments(&call);
        if (is_bound)
            verify_call_blame(&call, inplace);
        bool is_ordered = !is_bound || verify_call_order(&call, inplace);
        if (is_bound && is_ordered)
            check_arguments(&call);
        if (inplace && is_ordered && v->is_fine) /* else it may follow from that */
            check_inplace_outputs(&call, inplace);
    }
    if (!v->is_fine)
        map_set(&v->wrong, &op->result, op);
    v->is_fine &= was_fine;
    array_finish(&call.bindings);
    array_finish(&call.tensors);
    array_finish(&call.scalars);
}

/* Is too little known of an operand for a judgement? */
static bool is_open(const struct ir_op *op)
{
    for (unsigned i = 0; i < op->operand_count; i++) {
        const struct ir_type *type = op->operands[i].value->type;
        if (type->kind == IR_TYPE_ANY ||
            (type->kind == IR_TYPE_TENSOR &&
             (type->ndim == IR_NDIM_UNKNOWN || ir_dtype_is_void(type->dtype))))
            return true;
    }
    return false;
}

bool ir_verify_kernel_call(struct ir_module *module, struct ir_op *op, struct diag *diag)
{
    const struct ir_global *callee = ir_op_callee(op);
    struct verify v;

    if (!callee || callee->kind != IR_GLOBAL_KERNEL || !callee->kernel || is_open(op))
        return true;
    verify_init(&v, module, diag);
    if (verify_inplace_map(&v, op))
        verify_kernel_call(&v, op);
    else
        v.is_fine = false;
    return verify_finish(&v);
}
