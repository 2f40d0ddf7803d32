/*
 * Calls with another number of arguments or results than the kernel has buffers: which of both it is, and which one is
 * missing or too many, as the types tell.
 */
#include "ir/verify/call.h"

#include <string.h>

enum { MOST = 32 }; /* arguments that are tried */

/* What is given, and what the kernel takes. */
struct count {
    struct call *call;
    const struct ir_buffer *buffers[MOST];
    unsigned params[MOST]; /* which parameter each of them is */
    unsigned buffer_count, scalar_count;
    unsigned results;          /* the last ones that the kernel stores to: what it makes */
    unsigned given, given_out; /* tensors: arguments, results */
};

/* In place, the entries of -1 say how many results are new. */
static bool find_buffers(struct count *count)
{
    bool is_inplace = ir_op_is(count->call->op, IR_CORE_call_tir_inplace);

    const struct tir_func *kernel = count->call->kernel;

    for (unsigned i = 0; i < kernel->param_count; i++) {
        bool is_scalar = !verify_call_takes_tensor(&kernel->params[i]);
        count->scalar_count += is_scalar;
        if (is_scalar)
            continue;
        if (!kernel->params[i].buffer || count->buffer_count == MOST)
            return false;
        count->params[count->buffer_count] = i;
        count->buffers[count->buffer_count++] = kernel->params[i].buffer;
    }
    if (is_inplace)
        count->results = count->given_out;
    for (unsigned i = count->buffer_count; !is_inplace && i > 0; i--, count->results++)
        if (!verify_is_stored(kernel, count->buffers[i - 1]))
            break;
    return is_inplace || count->results > 0;
}

/* Does it fit if argument @i is for the buffer @buffer, as far as sizes are known by those in front of it? */
static bool takes(struct call *call, const struct ir_type *type, const struct ir_buffer *buffer)
{
    if (!ir_dtype_equal(type->dtype, buffer->dtype) || type->ndim != (int)buffer->ndim ||
        !type->dims)
        return false;
    for (unsigned i = 0; i < buffer->ndim; i++)
        verify_bind(call->v->context, &call->bindings, buffer->shape[i], type->dims[i]);
    return verify_call_wrong_dim(call, type, buffer) == buffer->ndim;
}

/* Which operand the tensor @i is. */
static unsigned operand_of(const struct count *count, unsigned i)
{
    return count->call->tensors.items[i].number - 1;
}

/* Do the arguments fit but for argument @skipped (too many) or buffer @missing? */
static bool fits_without(struct count *count, unsigned skipped, unsigned missing)
{
    bool fits = true;

    count->call->bindings.count = 0;
    for (unsigned i = 0, k = 0; fits && i < count->given; i++) {
        if (i == skipped)
            continue;
        k += k == missing;
        fits = takes(count->call, count->call->tensors.items[i].type, count->buffers[k++]);
    }
    return fits;
}

/* How many arguments have the name of their buffer, but for argument @skipped or buffer @missing. */
static unsigned count_names(const struct count *count, unsigned skipped, unsigned missing)
{
    unsigned same = 0;

    for (unsigned i = 0, k = 0; i < count->given; i++) {
        if (i == skipped)
            continue;
        k += k == missing;
        const char *name = count->call->op->operands[operand_of(count, i)].value->name;
        same += name && strcmp(name, count->buffers[k++]->name) == 0;
    }
    return same;
}

/* The one that is missing, or too many, as the types say or else the names; MOST: none, or several. */
static unsigned find_odd(struct count *count, bool is_missing)
{
    unsigned found = MOST, best = 0, wanted = count->buffer_count - count->results;

    for (unsigned i = 0; i < (is_missing ? wanted : count->given); i++) {
        unsigned skipped = is_missing ? MOST : i, missing = is_missing ? i : MOST;
        if (!fits_without(count, skipped, missing))
            continue;
        unsigned names = count_names(count, skipped, missing) + 1;
        found = names == best ? MOST : names > best ? i : found;
        best = names > best ? names : best;
    }
    return found;
}

/* ---- values of the caller ---- */

/* The value named @name that stands in front of @op in its function; NULL: there is none. */
static const struct ir_value *value_named(const struct ir_op *op, const char *name)
{
    const struct ir_region *region = op->block ? op->block->region : NULL;
    const struct ir_function *function = region ? region->function : NULL;

    for (const struct ir_op *at = op->prev; at; at = at->prev)
        if (at->result.name && strcmp(at->result.name, name) == 0)
            return &at->result;
    for (unsigned i = 0; function && i < function->param_count; i++)
        if (strcmp(function->params[i]->name, name) == 0)
            return function->params[i];
    return NULL;
}

/* "(a, b)" of the arguments in the text without @skipped, and with @added in front of @at; NULL: they are not seen. */
static const char *arguments_text(struct count *count, unsigned skipped, unsigned at,
                                  const char *added)
{
    struct arena *arena = &count->call->v->context->arena;
    const struct ir_op *op = count->call->op;
    const char *text = "";
    unsigned items = 0;

    for (unsigned i = 0; i <= op->operand_count; i++) {
        struct location place =
            i < op->operand_count ? verify_call_argument_place(op, i) : (struct location){0};
        if (i == at && added)
            text = arena_printf(arena, "%s%s%s", text, items++ ? ", " : "", added);
        if (i == op->operand_count || i == skipped)
            continue;
        if (!place.source || place.begin == op->loc.begin)
            return NULL;
        text = arena_printf(arena, "%s%s%.*s", text, items++ ? ", " : "", LOCATION_TEXT(place));
    }
    return arena_printf(arena, items == 1 ? "(%s,)" : "(%s)", text);
}

static void help_missing(struct count *count, struct diag_message *m, struct location place)
{
    unsigned missing =
        count->given + 1 == count->buffer_count - count->results ? find_odd(count, true) : MOST;
    if (missing == MOST)
        return;
    const struct ir_buffer *buffer = count->buffers[missing];
    const struct ir_value *value = value_named(count->call->op, buffer->name);
    unsigned at = count->params[missing];
    if (buffer->loc.source)
        diag_label(m, buffer->loc, "no argument is given for it");
    diag_help(m, "`%s` is missing, argument %u", buffer->name, at + 1);
    if (!value || value->type->kind != IR_TYPE_TENSOR || !place.source ||
        place.source->text[place.begin] != '(')
        return;
    fits_without(count, MOST, missing);
    const char *text = takes(count->call, value->type, buffer)
                           ? arguments_text(count, MOST, at, value->name)
                           : NULL;
    if (text)
        diag_help_edit(m, place, "%s", text);
}

static void help_surplus(struct count *count, struct diag_message *m, struct location place)
{
    unsigned wanted = count->buffer_count - count->results;
    unsigned odd = count->given == wanted + 1 ? find_odd(count, false) : MOST;
    const char *text = odd == MOST || !place.source || place.source->text[place.begin] != '('
                           ? NULL
                           : arguments_text(count, operand_of(count, odd), MOST, NULL);

    if (odd == MOST)
        return;
    diag_help(m, "argument %u is for none of its buffers", operand_of(count, odd) + 1);
    if (text && wanted > 0)
        diag_help_edit(m, place, "%s", text);
}

/* ---- words ---- */

static const char *counted(struct count *count, unsigned number, const char *noun)
{
    return arena_printf(&count->call->v->context->arena, "%u %s%s", number, noun,
                        number == 1 ? "" : "s");
}

static void report_results(struct count *count)
{
    struct call *call = count->call;
    struct location place = verify_results_place(call->op);
    struct diag_message *m =
        diag_report(call->v->diag, place.source ? place : call->op->loc, CALL_ARITY, call->name,
                    arena_printf(&call->v->context->arena, "%s and makes %s",
                                 counted(count, count->given, "argument"),
                                 counted(count, count->results, "result")),
                    arena_printf(&call->v->context->arena, "the type%s of %u",
                                 count->given_out == 1 ? "" : "s", count->given_out));

    diag_label(m, call->kernel->loc, "defined here");
    verify_help_all_types(call->v, m, call->op);
}

static void report_arguments(struct count *count)
{
    struct call *call = count->call;
    struct location place = location_argument(call->op->loc, 1, "args");
    unsigned wanted = count->buffer_count - count->results;
    struct diag_message *m = diag_report(
        call->v->diag, place, CALL_ARITY, call->name,
        counted(count, wanted + count->scalar_count, "argument"),
        arena_printf(&call->v->context->arena, "%u", count->given + count->scalar_count));

    diag_label(m, call->kernel->loc, "defined here");
    if (count->given < wanted)
        help_missing(count, m, place);
    else
        help_surplus(count, m, place);
    call->bindings.count = 0;
}

bool verify_report_count(struct call *call)
{
    struct count count = {.call = call};

    if (call->op->info->core == IR_CORE_call)
        return false;
    if (verify_report_map(call->v, call->op)) {
        call->v->is_fine = false;
        return true;
    }
    for (size_t i = 0; i < call->tensors.count; i++)
        count.given_out += call->tensors.items[i].is_output;
    if (!find_buffers(&count) || count.scalar_count != call->scalars.count)
        return false;
    count.given = (unsigned)call->tensors.count - count.given_out;
    if (count.given > MOST || count.given + count.scalar_count != call->op->operand_count)
        return false;
    if (count.given_out == count.results)
        report_arguments(&count);
    else if (!count.scalar_count && count.given + count.results == count.buffer_count)
        report_results(&count);
    else
        return false;
    call->v->is_fine = false;
    return true;
}
