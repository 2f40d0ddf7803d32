/*
 * Calls of functions against their parameters: an argument that does not fit, is missing or too many, and what mends it.
 */
#include "base/array.h"
#include "ir/build.h"
#include "ir/internal.h"
#include "ir/module.h"

#include <string.h>

/* `R.const(0, "int64")` for a scalar: a number alone is one. */
static void help_scalar(struct diag_message *m, struct location given)
{
    struct location number = location_argument(given, 0, "value");

    if (!given.source || strncmp(given.source->text + given.begin, "R.const(", 8) != 0 ||
        number.begin == given.begin)
        return;
    diag_help(m, "a scalar is a number alone");
    diag_help_edit(m, given, "%.*s", LOCATION_TEXT(number));
}

/* Does @op, whose arguments begin at @first, fit @callee when @i and @j change places? */
static bool fits_swapped(struct ir_module *module, const struct ir_op *op,
                         const struct ir_type *callee, unsigned first, unsigned i, unsigned j)
{
    struct ir_bindings bindings = {0};
    bool fits = true;

    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned k = 0; k < callee->field_count; k++) {
            unsigned from = k == i ? j : k == j ? i : k;
            const struct ir_type *given = op->operands[first + from].value->type;
            const struct ir_type *wanted = callee->fields[k];
            if (pass == 0)
                ir_type_match(module->context, wanted, given, &bindings);
            else if (ir_type_check(module->context,
                                   ir_type_substitute(module->context, wanted, &bindings),
                                   given) < IR_CHECK_FAIL_VALUE)
                fits = false;
        }
    array_finish(&bindings);
    return fits;
}

/* Is argument @i, which does not fit, one of two that are each what the other one should be?  Says so. */
static bool help_swapped(struct ir_module *module, struct diag_message *m, const struct ir_op *op,
                         const struct ir_type *callee, unsigned first, unsigned i)
{
    enum { MOST = 32 }; /* arguments that are tried */

    for (unsigned j = i + 1; j < callee->field_count && j < MOST; j++) {
        if (!fits_swapped(module, op, callee, first, i, j))
            continue;
        diag_help(m, "the two arguments are each what the other one should be");
        diag_help_swap(m, location_argument(op->loc, i, NULL), location_argument(op->loc, j, NULL));
        return true;
    }
    return false;
}

/* The name of parameter @i of what @op calls; NULL: not known. */
static const char *param_name(const struct ir_op *op, unsigned i)
{
    const struct ir_global *callee = ir_op_callee(op);
    bool is_known = callee != NULL && callee->function != NULL && i < callee->function->param_count;

    return is_known ? callee->function->params[i]->name : NULL;
}

void ir_help_scalar(struct diag_message *m, struct location place, struct ir_dtype dtype)
{
    char name[32];
    const char *text = place.source ? place.source->text + place.begin : "";
    size_t length = place.end - place.begin;

    ir_dtype_name(dtype, name);
    if (length > 0 && strspn(text, "-0123456789") == length) {
        diag_help(m, "a number of that type is `T.%s(%.*s)`", name, (int)length, text);
        diag_help_edit(m, place, "T.%s(%.*s)", name, (int)length, text);
    } else {
        diag_help(m, "convert it: `T.Cast(\"%s\", ..)`", name);
        if (length > 0)
            diag_help_edit(m, place, "T.Cast(\"%s\", %.*s)", name, (int)length, text);
        diag_help_unsure(m);
    }
}

/* ---- the number of arguments ---- */

enum { NO_ARGUMENT = 0xffff };

/* The first pass over the arguments binds what the parameters name, the second asks whether @given is @wanted then. */
static bool fits_in_pass(struct ir_module *module, unsigned pass, const struct ir_type *wanted,
                         const struct ir_type *given, struct ir_bindings *bindings)
{
    struct ir_context *context = module->context;

    if (pass > 0)
        return ir_type_check(context, ir_type_substitute(context, wanted, bindings), given) >=
               IR_CHECK_FAIL_VALUE;
    ir_type_match(context, wanted, given, bindings);
    return true;
}

/* Do the arguments fit but for argument @skipped (too many) or parameter @missing? */
static bool fits_without(struct ir_module *module, const struct ir_op *op,
                         const struct ir_type *callee, unsigned first, unsigned skipped,
                         unsigned missing)
{
    struct ir_bindings bindings = {0};
    unsigned count = op->operand_count - first;
    bool fits = true;

    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned i = 0, k = 0; fits && i < count; i++) {
            if (i == skipped)
                continue;
            k += k == missing;
            const struct ir_type *given = op->operands[first + i].value->type;
            const struct ir_type *wanted = callee->fields[k++];
            fits = fits_in_pass(module, pass, wanted, given, &bindings);
        }
    array_finish(&bindings);
    return fits;
}

/* The function that @op, which may not be in it yet, stands in; NULL: not known. */
static const struct ir_function *caller_of(const struct ir_op *op, unsigned first)
{
    for (unsigned i = first; i < op->operand_count; i++) {
        const struct ir_value *value = op->operands[i].value;
        if (value->parameter_of)
            return value->parameter_of;
        if (value->def && value->def->block)
            return value->def->block->region->function;
    }
    return NULL;
}

/* A parameter of the caller with the name and the type of the one that is missing is it; the edit puts it in. */
static void help_missing(struct ir_module *module, struct diag_message *m, const struct ir_op *op,
                         const struct ir_type *callee, unsigned first, unsigned missing)
{
    const char *name = param_name(op, missing);
    const struct ir_function *caller = caller_of(op, first);
    unsigned count = op->operand_count - first;
    const struct ir_value *value = NULL;

    if (name) {
        diag_label(m, ir_op_callee(op)->function->params[missing]->loc,
                   "no argument is given for it");
        diag_help(m, "`%s` is missing, argument %u", name, missing + 1);
    } else
        diag_help(m, "argument %u is missing", missing + 1);
    for (unsigned i = 0; name && caller && i < caller->param_count; i++)
        if (caller->params[i]->name && strcmp(caller->params[i]->name, name) == 0)
            value = caller->params[i];
    struct location beside =
        location_argument(op->loc, missing < count ? missing : count - 1, NULL);
    if (!value || !count || beside.begin == op->loc.begin ||
        ir_type_check(module->context, callee->fields[missing], value->type) < IR_CHECK_FAIL_VALUE)
        return;
    if (missing < count)
        diag_help_edit(m, location_before(beside), "%s, ", name);
    else
        diag_help_edit(m, location_behind(beside), ", %s", name);
    if (caller == ir_op_callee(op)->function)
        diag_help_unsure(
            m); /* a turn hands on what the next one goes by, which may be another value */
}

static void help_surplus(struct diag_message *m, const struct ir_op *op, unsigned surplus,
                         unsigned count)
{
    struct location place = location_argument(op->loc, surplus, NULL);

    diag_help(m, "argument %u is for none of its parameters", surplus + 1);
    if (count < 2 || place.begin == op->loc.begin)
        return;
    if (surplus > 0)
        place.begin = location_argument(op->loc, surplus - 1, NULL).end;
    else
        place.end = location_argument(op->loc, 1, NULL).begin;
    diag_help_edit(m, place, "%s", "");
}

/* Counts the variables of an expression, and remembers one. */
struct named {
    const struct ir_var *var;
    unsigned count;
};

static bool note_var(void *state, const struct ir_expr *e)
{
    struct named *named = state;

    named->count += e->kind == IR_EXPR_var;
    named->var = e->kind == IR_EXPR_var ? e->var : named->var;
    return true;
}

/* The name of @value, or `step` of `step + 1`; NULL: it has none. */
static const char *name_within(const struct ir_value *value)
{
    struct named named = {0};

    if (value->name || !value->def || !ir_op_is(value->def, IR_CORE_prim))
        return value->name;
    ir_expr_walk(ir_op_attr(value->def, "value")->expr, note_var, &named);
    return named.count == 1 ? named.var->name : NULL;
}

/* How many arguments have the name of their parameter, but for argument @skipped or parameter @missing. */
static unsigned count_names(const struct ir_op *op, unsigned first, unsigned skipped,
                            unsigned missing)
{
    unsigned count = op->operand_count - first, same = 0;

    for (unsigned i = 0, k = 0; i < count; i++) {
        if (i == skipped)
            continue;
        k += k == missing;
        const char *name = param_name(op, k++);
        const char *given = name_within(op->operands[first + i].value);
        same += name && given && strcmp(name, given) == 0;
    }
    return same;
}

/* ---- tuples that are given in parts, and parts that are given as a tuple ---- */

/*
 * Do the arguments fit if the @parts from the @at-th on are a tuple for that parameter?  Or, if @is_whole, if the argument @at
 * is a tuple whose parts are for the parameters from there on?
 */
static bool fits_grouped(struct ir_module *module, const struct ir_op *op,
                         const struct ir_type *callee, unsigned first, unsigned at, unsigned parts,
                         bool is_whole)
{
    struct ir_bindings bindings = {0};
    unsigned count = op->operand_count - first, flat = is_whole ? callee->field_count : count;
    bool fits = true;

    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned i = 0; fits && i < flat; i++) {
            bool is_in = i >= at && i < at + parts;
            unsigned one = i < at + parts ? (i < at ? i : at) : i + 1 - parts;
            const struct ir_type *given = op->operands[first + (is_whole ? one : i)].value->type;
            const struct ir_type *wanted = callee->fields[is_whole ? i : one];
            if (is_in && is_whole)
                given = given->fields[i - at];
            else if (is_in)
                wanted = wanted->fields[i - at];
            fits = fits_in_pass(module, pass, wanted, given, &bindings);
        }
    array_finish(&bindings);
    return fits;
}

/* The one argument or parameter that fits so, with the others beside it; NO_ARGUMENT: none does. */
static unsigned find_tuple(struct ir_module *module, const struct ir_op *op,
                           const struct ir_type *callee, unsigned first, bool is_whole)
{
    unsigned count = op->operand_count - first, wanted = callee->field_count;
    unsigned parts = is_whole ? wanted - count + 1 : count - wanted + 1;

    for (unsigned i = 0; i < (is_whole ? count : wanted); i++) {
        const struct ir_type *type =
            is_whole ? op->operands[first + i].value->type : callee->fields[i];
        if (type->kind == IR_TYPE_TUPLE && type->field_count == parts &&
            fits_grouped(module, op, callee, first, i, parts, is_whole))
            return i;
    }
    return NO_ARGUMENT;
}

/* E0233 of `f(x, w, b)` where f takes (w, b) as a tuple, or of `f(x, p)` where it takes the parts of p; false: it is no such. */
static bool report_tuple(struct ir_module *module, struct diag *diag, const struct ir_op *op,
                         const struct ir_type *callee, unsigned first, const char *name)
{
    enum { MOST = 32 }; /* arguments that are tried */
    unsigned count = op->operand_count - first, wanted = callee->field_count;
    bool is_whole = count < wanted;
    unsigned at = count > MOST || wanted > MOST || count == wanted
                      ? NO_ARGUMENT
                      : find_tuple(module, op, callee, first, is_whole);

    if (at == NO_ARGUMENT)
        return false;
    unsigned parts = is_whole ? wanted - count + 1 : count - wanted + 1;
    struct location place = location_argument(op->loc, at, NULL);
    struct location last = is_whole ? place : location_argument(op->loc, at + parts - 1, NULL);
    if (place.begin == op->loc.begin || last.begin == op->loc.begin)
        return false;
    place = location_join(place, last);
    struct diag_message *m = diag_report(diag, place, TYPE_CALL_ARITY, name, wanted, count);
    const struct ir_value *value = op->operands[first + at].value;
    if (param_name(op, at))
        diag_label(m, ir_op_callee(op)->function->params[at]->loc,
                   is_whole ? "takes one part" : "a tuple of %u", parts);
    diag_help(m, is_whole ? "its %u parts are arguments of their own" : "%u of them are one tuple",
              parts);
    if (!is_whole)
        diag_help_wrap(m, place, "(", parts == 1 ? ",)" : ")");
    else if (value->name && value->name[0] != '_') {
        const char *text = "";
        for (unsigned i = 0; i < parts; i++)
            text = arena_printf(&module->context->arena, "%s%s%.*s[%u]", text, i ? ", " : "",
                                LOCATION_TEXT(place), i);
        diag_help_edit(m, place, "%s", text);
    }
    return true;
}

/* One argument is missing, or one too many: the types say which, or else the names. */
static void help_count(struct ir_module *module, struct diag_message *m, const struct ir_op *op,
                       const struct ir_type *callee, unsigned first)
{
    enum { MOST = 32 }; /* arguments that are tried */
    unsigned count = op->operand_count - first, wanted = callee->field_count;
    bool is_missing = count + 1 == wanted;
    unsigned found = NO_ARGUMENT, best = 0;

    if (count > MOST || (!is_missing && count != wanted + 1))
        return;
    for (unsigned i = 0; i < (is_missing ? wanted : count); i++) {
        unsigned skipped = is_missing ? NO_ARGUMENT : i, missing = is_missing ? i : NO_ARGUMENT;
        if (!fits_without(module, op, callee, first, skipped, missing))
            continue;
        unsigned names = count_names(op, first, skipped, missing) + 1;
        found = names == best ? NO_ARGUMENT : names > best ? i : found;
        best = names > best ? names : best;
    }
    if (found == NO_ARGUMENT)
        return;
    if (is_missing)
        help_missing(module, m, op, callee, first, found);
    else
        help_surplus(m, op, found, count);
}

/* A tensor of another dtype alone: converted, it fits. */
static void help_conversion(struct ir_module *module, struct diag_message *m, struct location place,
                            const struct ir_type *wanted, const struct ir_type *given)
{
    char dtype[32];

    if (wanted->kind != IR_TYPE_TENSOR || given->kind != IR_TYPE_TENSOR ||
        ir_dtype_is_void(wanted->dtype) || ir_dtype_equal(wanted->dtype, given->dtype))
        return;
    const struct ir_type *meant =
        ir_type_tensor(module->context, wanted->dtype, given->dims, given->ndim);
    if (ir_type_check(module->context, wanted, meant) < IR_CHECK_FAIL_VALUE)
        return;
    ir_dtype_name(wanted->dtype, dtype);
    diag_help(m, "convert it: `R.astype(.., \"%s\")`", dtype);
    if (place.source)
        diag_help_wrap(m, place, "R.astype(",
                       arena_printf(&module->context->arena, ", \"%s\")", dtype));
    if (!ir_dtype_is_float(wanted->dtype) || !ir_dtype_is_float(given->dtype))
        diag_help_unsure(m);
}

/* ---- arguments ---- */

bool ir_check_arguments(struct ir_module *module, struct diag *diag, const struct ir_op *op,
                        const struct ir_type *callee, unsigned first)
{
    const char *name = ir_op_callee(op) != NULL                    ? ir_op_callee(op)->name
                       : first == 1 && op->operands[0].value->name ? op->operands[0].value->name
                                                                   : "function";
    unsigned count = op->operand_count - first;
    if (report_tuple(module, diag, op, callee, first, name))
        return false;
    if (count != callee->field_count) {
        struct diag_message *m =
            diag_report(diag, op->loc, TYPE_CALL_ARITY, name, callee->field_count, count);
        if (ir_op_callee(op) != NULL)
            diag_label(m, ir_op_callee(op)->loc, "defined here");
        help_count(module, m, op, callee, first);
        return false;
    }
    struct ir_bindings bindings = {0};
    for (unsigned i = 0; i < count; i++)
        ir_type_match(module->context, callee->fields[i], op->operands[first + i].value->type,
                      &bindings);
    bool ok = true;
    for (unsigned i = 0; i < count; i++) {
        const struct ir_type *given = op->operands[first + i].value->type;
        const struct ir_type *wanted =
            ir_type_substitute(module->context, callee->fields[i], &bindings);
        enum ir_check check = ir_type_check(module->context, wanted, given);
        if (check >= IR_CHECK_FAIL_VALUE)
            continue;
        struct location place = location_argument(op->loc, i, param_name(op, i));
        struct diag_message *m = diag_report(diag, place, TYPE_CALL_ARGUMENT, i + 1, name,
                                             ir_type_text(module->context, given),
                                             ir_type_text(module->context, callee->fields[i]));
        if (param_name(op, i))
            diag_label(m, ir_op_callee(op)->function->params[i]->loc, "the parameter");
        if (check == IR_CHECK_FAIL_KNOWN)
            diag_help(m, "check it when the program runs: `R.match_cast(.., %s)`",
                      ir_type_text(module->context, callee->fields[i]));
        if (wanted->kind == IR_TYPE_PRIM && given->kind == IR_TYPE_PRIM)
            ir_help_scalar(m, place, wanted->dtype);
        else if (wanted->kind == IR_TYPE_PRIM)
            help_scalar(m, place);
        bool is_first = ok;
        ok = false;
        if (is_first && help_swapped(module, m, op, callee, first, i))
            break;
        if (place.begin > op->loc.begin)
            help_conversion(module, m, place, wanted, given);
        if (wanted->kind == IR_TYPE_TENSOR && given->kind == IR_TYPE_TENSOR &&
            (ir_dtype_equal(wanted->dtype, given->dtype) || !ir_dtype_is_float(wanted->dtype)))
            ir_help_parameter(m, module->context, op->operands[first + i].value, param_name(op, i),
                              wanted);
    }
    array_finish(&bindings);
    return ok;
}
