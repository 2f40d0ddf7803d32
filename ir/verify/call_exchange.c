/* Calls of kernels in which two things are each what the other one should be: one mistake, and one edit. */
#include "ir/verify/call.h"
#include "ir/verify/given.h"

#include <string.h>

enum { EXCHANGE_LIMIT = 16 }; /* of arguments, and of outputs: all pairs are tried */

/* ---- of arguments, as their dtypes tell ---- */

/* Two tensors; true: there are none, and nothing was said. */
static bool check_tensors(struct call *call)
{
    const struct argument *wrong[2];
    const struct ir_buffer *buffers[2];
    unsigned count = 0;
    size_t tensor = 0;

    for (unsigned i = 0; i < call->kernel->param_count; i++) {
        const struct ir_buffer *buffer = call->kernel->params[i].buffer;
        if (!verify_call_takes_tensor(&call->kernel->params[i]))
            continue;
        const struct argument *a = &call->tensors.items[tensor++];
        if (verify_call_fits(call, a, buffer))
            continue;
        if (count == 2 || a->is_output || a->is_unsupported)
            return true;
        wrong[count] = a;
        buffers[count++] = buffer;
    }
    if (count < 2 || !verify_call_fits(call, wrong[0], buffers[1]) ||
        !verify_call_fits(call, wrong[1], buffers[0]))
        return true;
    struct diag_message *m = verify_report_misfit(call, wrong[0], buffers[0]);
    diag_help(m, "the two arguments are each what the other one should be");
    diag_help_swap(m, verify_call_argument_place(call->op, wrong[0]->number - 1),
                   verify_call_argument_place(call->op, wrong[1]->number - 1));
    return false;
}

/* Two scalars, by their types. */
static bool check_scalars(struct call *call)
{
    const struct argument *wrong[2];
    const struct ir_var *vars[2];
    unsigned count = 0;
    size_t scalar = 0;

    for (unsigned i = 0; i < call->kernel->param_count; i++) {
        if (verify_call_takes_tensor(&call->kernel->params[i]))
            continue;
        const struct argument *a = &call->scalars.items[scalar++];
        const struct ir_var *var = call->kernel->params[i].var;
        if (ir_dtype_equal(a->type->dtype, var->dtype))
            continue;
        if (count == 2)
            return true;
        wrong[count] = a;
        vars[count++] = var;
    }
    if (count < 2 || wrong[0]->number == wrong[1]->number ||
        !ir_dtype_equal(wrong[0]->type->dtype, vars[1]->dtype) ||
        !ir_dtype_equal(wrong[1]->type->dtype, vars[0]->dtype))
        return true;
    struct diag_message *m = verify_report_scalar(call, wrong[0], vars[0]);
    diag_help(m, "the two arguments are each what the other one should be");
    diag_help_swap(m, verify_call_argument_place(call->op, wrong[0]->number - 1),
                   verify_call_argument_place(call->op, wrong[1]->number - 1));
    return false;
}

/* ---- of calls in place, as all of the types tell ---- */

/* A call with a map, as it could have been written. */
struct attempt {
    struct given given;
    struct ir_value *values[EXCHANGE_LIMIT];
    int64_t entries[EXCHANGE_LIMIT];
    const struct ir_type *declared;
    unsigned count; /* of entries */
};

struct pair {
    unsigned first, second;
};

static bool output_fits(const struct attempt *a, unsigned i, unsigned *fresh)
{
    const struct ir_type *output = verify_output_type(a->declared, i), *made;

    if (a->entries[i] >= 0) {
        made = a->values[a->entries[i]]->type;
    } else {
        const struct ir_buffer *buffer = verify_fresh_buffer(&a->given, (*fresh)++);
        made = buffer ? verify_buffer_type(&a->given, buffer) : NULL;
    }
    return made && verify_fits_in_place(a->given.context, output, made);
}

/* Is each argument what its parameter says, and each output what the kernel makes there? */
static bool fits(const struct attempt *a)
{
    unsigned fresh = 0;

    for (unsigned i = 0; i < a->given.count; i++) {
        const struct ir_type *type = a->values[i]->type;
        const struct ir_buffer *buffer = verify_argument_buffer(&a->given, i);
        const struct ir_type *wanted = buffer ? verify_buffer_type(&a->given, buffer) : NULL;
        if (type->kind == IR_TYPE_TENSOR &&
            (!wanted || !verify_fits_in_place(a->given.context, wanted, type)))
            return false;
    }
    for (unsigned i = 0; i < a->count; i++)
        if (!output_fits(a, i, &fresh))
            return false;
    return true;
}

static void swap_values(struct attempt *a, struct pair pair)
{
    struct ir_value *kept = a->values[pair.first];

    a->values[pair.first] = a->values[pair.second];
    a->values[pair.second] = kept;
}

static void swap_entries(struct attempt *a, struct pair pair)
{
    int64_t kept = a->entries[pair.first];

    a->entries[pair.first] = a->entries[pair.second];
    a->entries[pair.second] = kept;
}

/* The only pair of @count things that makes all of @a fit if they change places by @swap; false: none, or several. */
static bool find_pair(struct attempt *a, unsigned count,
                      void (*swap)(struct attempt *a, struct pair pair), struct pair *out)
{
    unsigned found = 0;

    for (unsigned i = 0; i < count; i++)
        for (unsigned k = i + 1; k < count; k++) {
            struct pair pair = {i, k};
            swap(a, pair);
            if (fits(a) && ++found)
                *out = pair;
            swap(a, pair);
        }
    return found == 1;
}

/* Is one of the arguments @pair called as the parameter of the other one? */
static bool names_tell(const struct attempt *a, struct pair pair)
{
    const struct ir_buffer *first = verify_argument_buffer(&a->given, pair.first);
    const struct ir_buffer *second = verify_argument_buffer(&a->given, pair.second);
    const char *names[] = {a->values[pair.first]->name, a->values[pair.second]->name};

    return first && second && names[0] && names[1] &&
           (strcmp(names[0], second->name) == 0 || strcmp(names[1], first->name) == 0);
}

/* Arguments in their order, and then new tensors: as such a map is written. */
static bool is_usual(const struct attempt *a)
{
    for (unsigned i = 1; i < a->count; i++)
        if (a->entries[i] >= 0 && a->entries[i] < a->entries[i - 1])
            return false;
        else if (a->entries[i] >= 0 && a->entries[i - 1] < 0)
            return false;
    return true;
}

/* The first output that is not of the type of the argument that it takes the place of; -1: all are. */
static int wrong_output(const struct attempt *a)
{
    for (unsigned i = 0; i < a->count; i++)
        if (a->entries[i] >= 0 &&
            !verify_fits_in_place(a->given.context, verify_output_type(a->declared, i),
                                  a->values[a->entries[i]]->type))
            return (int)i;
    return -1;
}

/* The call as it is; false: it is none whose pairs are tried. */
static bool make_attempt(struct call *call, const struct ir_attr *inplace, struct attempt *a)
{
    const struct ir_op *op = call->op;

    a->given = verify_given(call->v, op);
    a->declared = op->declared;
    a->count = inplace->count;
    if (a->given.count > EXCHANGE_LIMIT || a->count > EXCHANGE_LIMIT || !op->declared ||
        a->count != verify_output_count(op->declared))
        return false;
    for (unsigned i = 0; i < a->given.count; i++) {
        a->values[i] = a->given.values[i];
        if (verify_is_wrong(call->v, a->values[i]))
            return false;
    }
    a->given.values = a->values;
    for (unsigned i = 0; i < a->count; i++) {
        a->entries[i] = inplace->items[i]->kind == IR_ATTR_INT ? inplace->items[i]->integer : -2;
        if (a->entries[i] < -1 || a->entries[i] >= a->given.count)
            return false;
    }
    return true;
}

static struct diag_message *report(struct call *call, const struct attempt *a, unsigned output,
                                   struct location place)
{
    struct ir_context *context = call->v->context;
    int64_t entry = a->entries[output];
    struct diag_message *m =
        diag_report(call->v->diag, place, INPLACE_FIT, output, (long long)entry,
                    ir_type_text(context, verify_output_type(a->declared, output)),
                    ir_type_text(context, a->values[entry]->type));

    diag_note(m, "an output in place is the argument's storage with new numbers");
    call->v->is_fine = false;
    return m;
}

static void help_arguments(struct call *call, struct diag_message *m, struct pair pair)
{
    diag_help(m, "the two arguments are each what the other one should be");
    diag_help_swap(m, verify_call_argument_place(call->op, pair.first),
                   verify_call_argument_place(call->op, pair.second));
}

static void help_map(struct call *call, struct diag_message *m, struct pair pair)
{
    diag_help(m, "the two entries are each what the other one should be");
    diag_help_swap(m, ir_inplace_entry(call->op, pair.first),
                   ir_inplace_entry(call->op, pair.second));
}

static void help_types(struct call *call, struct diag_message *m, struct pair pair)
{
    diag_help(m, "the two types are each what the other one should be");
    diag_help_swap(m, verify_output_place(call->op, pair.first),
                   verify_output_place(call->op, pair.second));
}

/* An output is not of the type of its argument, and all fits if two things change places. */
static bool check_inplace(struct call *call, const struct ir_attr *inplace)
{
    struct attempt a;
    struct pair values, entries;
    int output = make_attempt(call, inplace, &a) ? wrong_output(&a) : -1;

    if (output < 0)
        return true;
    bool has_values = find_pair(&a, a.given.count, swap_values, &values);
    bool has_entries = find_pair(&a, a.count, swap_entries, &entries);
    bool is_map = has_entries && !is_usual(&a);
    if (has_values && names_tell(&a, values))
        has_entries = false;
    else if (is_map)
        has_values = false;
    if (!has_values && !has_entries)
        return true;
    struct location place = has_values
                                ? verify_call_argument_place(call->op, (unsigned)a.entries[output])
                            : is_map ? ir_inplace_entry(call->op, (unsigned)output)
                                     : verify_output_place(call->op, (unsigned)output);
    struct diag_message *m = report(call, &a, (unsigned)output, place);
    if (place.begin != verify_output_place(call->op, (unsigned)output).begin)
        diag_label(m, verify_output_place(call->op, (unsigned)output), "output %d", output);
    if (has_values)
        help_arguments(call, m, values);
    if (has_entries)
        (is_map ? help_map : help_types)(call, m, entries);
    return false;
}

bool verify_call_order(struct call *call, const struct ir_attr *inplace)
{
    return check_tensors(call) && check_scalars(call) && (!inplace || check_inplace(call, inplace));
}
