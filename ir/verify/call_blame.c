/*
 * Calls of kernels whose arguments say different sizes for one symbol: the first one binds it, and where all others
 * agree on another size, it is the first that is wrong.
 */
#include "ir/print.h"
#include "ir/verify/call.h"

/* The buffers that the tensors of @call are for, in their order. */
static const struct ir_buffer *buffer_for(struct call *call, size_t tensor)
{
    for (unsigned i = 0; i < call->kernel->param_count; i++)
        if (verify_call_takes_tensor(&call->kernel->params[i]) && tensor-- == 0)
            return call->kernel->params[i].buffer;
    return NULL;
}

/* Does the declared type of an output in place fit the buffer that it is in? */
static bool fits_output(struct call *call, const struct ir_attr *inplace, unsigned i)
{
    const struct ir_type *all = call->op->declared;
    const struct ir_type *type = all->kind == IR_TYPE_TUPLE ? all->fields[i] : all;
    int64_t index = inplace->items[i]->kind == IR_ATTR_INT ? inplace->items[i]->integer : -1;

    for (size_t k = 0; index >= 0 && type->kind == IR_TYPE_TENSOR && k < call->tensors.count; k++) {
        struct argument *a = &call->tensors.items[k];
        struct argument output = {.type = type};
        if (!a->is_output && a->number == index + 1)
            return verify_call_fits(call, &output, buffer_for(call, k));
    }
    return true;
}

/* How much of @call does not fit; the last argument of it goes to @out_last. */
static unsigned count_misfits(struct call *call, const struct ir_attr *inplace, size_t *out_last)
{
    const struct ir_type *all = call->op->declared;
    unsigned outputs = !all ? 0 : all->kind == IR_TYPE_TUPLE ? all->field_count : 1, count = 0;

    for (size_t k = 0; k < call->tensors.count; k++)
        if (!verify_call_fits(call, &call->tensors.items[k], buffer_for(call, k))) {
            *out_last = k;
            count++;
        }
    for (unsigned i = 0; inplace && i < inplace->count && i < outputs; i++)
        count += !fits_output(call, inplace, i);
    return count;
}

/* Scalars keep what they are bound to; of the tensors @last has its say behind the others. */
static void bind_last(struct call *call, size_t scalars, size_t last)
{
    call->bindings.count = scalars;
    for (size_t k = 0; k < call->tensors.count; k++)
        if (k != last)
            verify_call_bind_tensor(call, &call->tensors.items[k], buffer_for(call, k));
    verify_call_bind_tensor(call, &call->tensors.items[last], buffer_for(call, last));
}

/* How many of the bindings are of scalars, which stand among those of tensors: they are put in front. */
static size_t scalars_first(struct call *call)
{
    size_t count = 0;

    for (unsigned i = 0; i < call->kernel->param_count; i++) {
        const struct tir_param *param = &call->kernel->params[i];
        for (size_t k = count; !verify_call_takes_tensor(param) && k < call->bindings.count; k++) {
            struct ir_binding binding = call->bindings.items[k];
            if (binding.var != param->var)
                continue;
            call->bindings.items[k] = call->bindings.items[count];
            call->bindings.items[count++] = binding;
            break;
        }
    }
    return count;
}

void verify_call_blame(struct call *call, const struct ir_attr *inplace)
{
    size_t wrong = 0;

    if (call->tensors.count < 2 || count_misfits(call, inplace, &wrong) < 2)
        return;
    size_t scalars = scalars_first(call);
    for (size_t k = 0; k < call->tensors.count; k++) {
        if (call->tensors.items[k].is_output || !call->tensors.items[k].type->dims)
            continue;
        bind_last(call, scalars, k);
        if (count_misfits(call, inplace, &wrong) == 1 && wrong == k) {
            call->is_blamed = true;
            return;
        }
    }
    call->bindings.count = 0;
    (void)verify_call_bind_arguments(call);
}

static bool is_symbol(void *state, const struct ir_expr *e)
{
    const struct ir_var **var = state;

    if (e->kind == IR_EXPR_var && !*var)
        *var = e->var;
    return true;
}

/* Has @buffer a dim that is @var alone? */
static bool says(const struct ir_buffer *buffer, const struct ir_var *var, unsigned *out_dim)
{
    for (unsigned i = 0; buffer && i < buffer->ndim; i++)
        if (buffer->shape[i]->kind == IR_EXPR_var && buffer->shape[i]->var == var) {
            *out_dim = i;
            return true;
        }
    return false;
}

static const char *text_of(struct call *call, const struct ir_expr *e)
{
    struct text text = {0};

    tir_expr_print(e, &text);
    const char *copy = arena_copy_text(&call->v->context->arena, text_string(&text), text.length);
    text_finish(&text);
    return copy;
}

void verify_call_label_symbol(struct call *call, struct diag_message *m, const struct argument *a,
                              const struct ir_expr *dim)
{
    const struct ir_var *var = NULL;
    unsigned i;

    ir_expr_walk(dim, is_symbol, &var);
    const struct ir_expr *value = var ? ir_bindings_find(&call->bindings, var) : NULL;
    for (size_t k = 0; value && k < call->tensors.count; k++) {
        const struct argument *other = &call->tensors.items[k];
        if (other == a || other->is_output || !says(buffer_for(call, k), var, &i) ||
            !verify_call_fits(call, other, buffer_for(call, k)))
            continue;
        struct location place = verify_call_argument_place(call->op, other->number - 1);
        if (place.begin > call->op->loc.begin)
            diag_label(m, place, "with this, `%s` of the kernel is %s", var->name,
                       text_of(call, other->type->dims[i]));
        return;
    }
}
