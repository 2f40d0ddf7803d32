/* What was meant by names and operators that graphs do not have. */
#include "frontend/tvmscript/relax.h"

#include <string.h>

static bool names(const struct ast *a, const char *name)
{
    bool is_named = a->kind == AST_NAME && a->name == name;

    for (unsigned i = 0; !is_named && i < a->item_count; i++)
        is_named = a->items[i] && names(a->items[i], name);
    for (unsigned i = 0; !is_named && i < a->body_count; i++)
        is_named = names(a->body[i], name);
    for (unsigned i = 0; !is_named && i < a->orelse_count; i++)
        is_named = names(a->orelse[i], name);
    return is_named;
}

/*
 * The names of the block of @note that the statements from this one on read, `a, b`; they are said to be wrong, so that it is one
 * message for all of them.
 */
static const char *lost_names(struct relax *r, const struct relax_scope_note *note)
{
    const char *all = "";
    struct map seen = {0};

    for (size_t k = 0; k < r->notes.count; k++) {
        const struct relax_scope_note *other = &r->notes.items[k];
        bool is_read = false;
        if (other->where != NOTE_DATAFLOW || other->last.begin != note->last.begin ||
            map_has(&seen, other->name))
            continue;
        for (unsigned i = r->statement; !is_read && i < r->statement_count; i++)
            is_read = names(r->suite[i], other->name);
        const struct name *bound = scope_find(r->f, other->name);
        if (!is_read || (bound && bound->kind != NAME_ERROR))
            continue;
        map_set(&seen, other->name, other);
        all = arena_printf(&r->f->arena, "%s%s%s", all, *all ? ", " : "", other->name);
        scope_bind(r->f, NAME_ERROR, other->name, other->loc);
    }
    map_finish(&seen);
    return all;
}

/* The edit that lets the block output @name: in its R.output, or with one behind its last line. */
static void help_output(struct relax *r, struct diag_message *m,
                        const struct relax_scope_note *note, const char *name)
{
    diag_help(m,
              note->output.source ? "let the block output it: `R.output(.., %s)`"
                                  : "end the block with `R.output(%s)`",
              name);
    if (note->output.end > note->output.begin &&
        note->output.source->text[note->output.end - 1] == ')') {
        struct location bracket = note->output;
        bool is_empty = bracket.source->text[bracket.end - 2] == '(';
        bracket.begin = --bracket.end;
        diag_help_edit(m, bracket, is_empty ? "%s" : ", %s", name);
    } else if (!note->output.source)
        help_line_behind(m, note->last, arena_printf(&r->f->arena, "R.output(%s)", name));
}

void relax_report_undefined(struct relax *r, const struct ast *a)
{
    for (size_t i = r->notes.count; i-- > 0;) {
        const struct relax_scope_note *note = &r->notes.items[i];
        if (note->name != a->name)
            continue;
        scope_bind(r->f, NAME_ERROR, a->name, a->loc); /* one message for all its uses */
        if (a->loc.begin > r->f->syntax_error)         /* the block may have lost what outputs it */
            return;
        if (note->where == NOTE_DATAFLOW) {
            struct diag_message *m = diag_report(r->f->diag, a->loc, GRAPH_DATAFLOW_NAME, a->name);
            diag_label(m, note->loc, "bound in the dataflow block");
            const char *all = lost_names(r, note);
            help_output(r, m, note, *all ? all : a->name);
        } else {
            struct diag_message *m = diag_report(r->f->diag, a->loc, GRAPH_BRANCH_NAME, a->name);
            diag_label(m, note->loc, "bound in the branch");
            diag_help(m, "make it the last binding of both branches");
        }
        return;
    }
    if (r->dataflow != NULL && strcmp(a->name, "print") == 0) {
        struct diag_message *m = diag_report(r->f->diag, a->loc, NAME_UNDEFINED, a->name);
        diag_help(m,
                  "a dataflow block has no effects: `R.print(..)` stands behind it, in a function "
                  "with `pure=False`");
        return;
    }
    if (!relax_report_whole(r, a))
        report_undefined_name(r->f, a);
}

/* Is @a a tensor, as far as its text tells? */
static bool is_tensor(struct relax *r, const struct ast *a)
{
    const struct name *name = a->kind == AST_NAME ? scope_find(r->f, a->name) : NULL;
    const char *callee = callee_name(r->f, a);

    if (name)
        return name->kind == NAME_VALUE && name->value->type->kind == IR_TYPE_TENSOR;
    return callee && strncmp(callee, "R.", 2) == 0 && operator_of_word(r->f, callee + 2);
}

/* T.float32(x), T.Cast("float32", x) */
static bool is_conversion(struct relax *r, const struct ast *call, const char *name)
{
    struct ir_dtype dtype;
    bool is_plain = call_positional_count(call) + 1 == call->item_count;

    return is_plain && ((call->item_count == 2 &&
                         dtype_of_name(arena_printf(&r->f->arena, "T.%s", name), &dtype)) ||
                        (call->item_count == 3 && strcmp(name, "Cast") == 0));
}

bool relax_report_scalar_call(struct relax *r, const struct ast *call, const char *name)
{
    const char *word = strncmp(name, "nn.", 3) == 0 ? name + 3 : name;
    const char *meant = strcmp(word, "max") == 0   ? "maximum"
                        : strcmp(word, "min") == 0 ? "minimum"
                                                   : operator_of_word(r->f, word);
    bool has_tensor = word != name;

    for (unsigned i = 1; !has_tensor && i < call->item_count; i++)
        has_tensor = is_tensor(r, call->items[i]);
    if (!has_tensor)
        return false;
    struct diag_message *m = diag_report(r->f->diag, call->items[0]->loc, GRAPH_FORM,
                                         arena_printf(&r->f->arena, "T.%s", name),
                                         "is of kernels and scalars, and this is a tensor");
    if (is_conversion(r, call, name)) {
        const struct ast *value = call->items[call->item_count - 1];
        const char *dtype =
            call->item_count == 2
                ? arena_printf(&r->f->arena, "\"%s\"", name)
                : arena_printf(&r->f->arena, "%.*s", LOCATION_TEXT(call->items[1]->loc));
        diag_help(m, "the operator is `R.astype`");
        diag_help_edit(m, call->loc, "R.astype(%.*s, %s)", LOCATION_TEXT(value->loc), dtype);
    } else if (meant) {
        diag_help(m, "the operator is `R.%s`", meant);
        diag_help_edit(m, call->items[0]->loc, "R.%s", meant);
    }
    return true;
}

static const char *const operator_hints[][2] = {
    {"==", "R.equal(a, b)"},
    {"!=", "R.not_equal(a, b)"},
    {"@", "R.matmul(a, b)"},
    {"<<", "R.left_shift(a, b)"},
    {">>", "R.right_shift(a, b)"},
    {"&", "R.bitwise_and(a, b)"},
    {"|", "R.bitwise_or(a, b)"},
    {"^", "R.bitwise_xor(a, b)"},
    {"~", "R.bitwise_not(a)"},
    {"not", "R.logical_not(a)"},
    {"and", "R.logical_and(a, b)"},
    {"or", "R.logical_or(a, b)"},
    {"if", "R.where(condition, a, b)"},
};

/* The edit that makes @form, such as "R.equal(a, b)", of the operands of @a. */
static void help_call(struct diag_message *m, const struct ast *a, const char *form)
{
    int length = (int)strcspn(form, "(");

    if (a->item_count == 1)
        diag_help_edit(m, a->loc, "%.*s(%.*s)", length, form, LOCATION_TEXT(a->items[0]->loc));
    else if (a->item_count == 2)
        diag_help_edit(m, a->loc, "%.*s(%.*s, %.*s)", length, form, LOCATION_TEXT(a->items[0]->loc),
                       LOCATION_TEXT(a->items[1]->loc));
    else if (a->kind == AST_TERNARY)
        diag_help_edit(m, a->loc, "%.*s(%.*s, %.*s, %.*s)", length, form,
                       LOCATION_TEXT(a->items[0]->loc), LOCATION_TEXT(a->items[1]->loc),
                       LOCATION_TEXT(a->items[2]->loc));
}

/* `a if True else b`, `a if n > 4 else b`: what is decided while reading, or by a statement. */
static void help_ternary(struct relax *r, struct diag_message *m, const struct ast *a)
{
    const struct ast *condition = a->items[0];
    if (condition->kind == AST_TRUE || condition->kind == AST_FALSE) {
        diag_help(m, "the condition is known: write the value alone");
        diag_help_edit(m, a->loc, "%.*s",
                       LOCATION_TEXT(a->items[condition->kind == AST_TRUE ? 1 : 2]->loc));
    } else
        diag_help(m, "a scalar decides in a statement: `if n > 4:`, with `else`");
}

/* A number with a point, or a name of a tensor of such: they have no bits. */
static bool is_float(struct relax *r, const struct ast *a)
{
    const struct name *name = a->kind == AST_NAME ? scope_find(r->f, a->name) : NULL;

    if (!name || name->kind != NAME_VALUE)
        return a->kind == AST_FLOAT;
    return name->value->type->kind == IR_TYPE_TENSOR && ir_dtype_is_float(name->value->type->dtype);
}

struct ir_value *relax_no_operator(struct relax *r, const struct ast *a, const char *sign)
{
    struct diag_message *m = diag_report(r->f->diag, a->loc, TYPE_OPERATOR, sign, "Relax values");

    if (a->kind == AST_TERNARY && relax_is_scalar(r, a->items[0])) {
        help_ternary(r, m, a);
        return NULL;
    }
    bool is_power =
        strcmp(sign, "^") == 0 && (is_float(r, a->items[0]) || is_float(r, a->items[1]));
    for (size_t i = 0; i < ARRAY_SIZE(operator_hints); i++)
        if (strcmp(operator_hints[i][0], sign) == 0 && !is_power) {
            diag_help(m, "write %s", operator_hints[i][1]);
            help_call(m, a, operator_hints[i][1]);
        }
    if (strcmp(sign, "^") == 0 && a->items[0]->kind != AST_BINARY &&
        a->items[1]->kind != AST_BINARY) { /* two edits: the author has to say which is meant */
        diag_help(m, "a power is written `a ** b`");
        diag_help_edit(m, a->loc, "%.*s ** %.*s", LOCATION_TEXT(a->items[0]->loc),
                       LOCATION_TEXT(a->items[1]->loc));
    }
    return NULL;
}

/* A string as an operand: the number in it, if it holds one. */
struct ir_value *relax_not_a_number(struct relax *r, const struct ast *a)
{
    struct diag_message *m = diag_report(r->f->diag, a->loc, TYPE_NOT_VALUE, "a string operand");

    help_unquoted(m, a);
    return NULL;
}

struct ir_value *relax_wrong_form(struct relax *r, const struct ast *call, const struct ast *wrong,
                                  const char *needs)
{
    diag_report(r->f->diag, wrong != NULL ? wrong->loc : call->items[0]->loc, GRAPH_FORM,
                callee_name(r->f, call), needs);
    return NULL;
}

/* Is @first what was meant by @name: the same word in another folder, or nearer than @second by far? */
bool relax_is_clearly(const char *name, const char *first, const char *second)
{
    const char *dot = strrchr(first, '.');

    if (dot && strcmp(dot + 1, name) == 0)
        return true;
    return text_distance(name, strlen(name), first, strlen(first)) == 1 &&
           text_distance(name, strlen(name), second, strlen(second)) > 1;
}

/* "1, 0, 2": the axes of @rank in order, with two of them swapped. */
static const char *swapped_axes(struct relax *r, int rank, int64_t first, int64_t second)
{
    const char *axes = "";

    for (int64_t i = 0; i < rank; i++)
        axes = arena_printf(&r->f->arena, "%s%s%lld", axes, i ? ", " : "",
                            (long long)(i == first    ? second
                                        : i == second ? first
                                                      : i));
    return axes;
}

bool relax_help_transpose(struct relax *r, struct diag_message *m, const struct ast *call,
                          const char *word)
{
    int64_t first, second;

    if (strcmp(word, "transpose") != 0 || call->item_count != 4 ||
        !ast_int_literal(call->items[2], &first) || !ast_int_literal(call->items[3], &second))
        return false;
    const struct ast *value = call->items[1];
    const struct name *name = value->kind == AST_NAME ? scope_find(r->f, value->name) : NULL;
    bool is_tensor = name && name->kind == NAME_VALUE && name->value->type->kind == IR_TYPE_TENSOR;
    int rank = is_tensor ? name->value->type->ndim : 0;

    diag_help(m, "`R.permute_dims(x, axes)` takes the order of all axes");
    first += first < 0 ? rank : 0;
    second += second < 0 ? rank : 0;
    if (first >= 0 && second >= 0 && first < rank && second < rank)
        diag_help_edit(m, call->loc, "R.permute_dims(%s, (%s))", value->name,
                       swapped_axes(r, rank, first, second));
    return true;
}

/* Two letters that changed places are one slip. */
static bool is_turned(const char *a, const char *b)
{
    size_t length = strlen(a), at = 0;

    while (at < length && a[at] == b[at])
        at++;
    return length == strlen(b) && at + 1 < length && a[at] == b[at + 1] && a[at + 1] == b[at] &&
           strcmp(a + at + 2, b + at + 2) == 0;
}

const char *relax_nearest_form(struct relax *r, const char *name, const char *const *forms)
{
    const char *ops[3];
    unsigned count = ir_nearest_ops(r->f->context, name, ops, ARRAY_SIZE(ops));

    for (unsigned i = 0; forms[i]; i++) {
        bool is_near = text_distance(name, strlen(name), forms[i], strlen(forms[i])) == 1;
        for (unsigned k = 0; k < count && is_near; k++)
            is_near = text_distance(name, strlen(name), ops[k], strlen(ops[k])) > 1;
        if (is_turned(name, forms[i]) || is_near)
            return forms[i];
    }
    return NULL;
}

/* A name, or names alone in brackets. */
static bool is_target(const struct ast *a)
{
    if (a->kind != AST_TUPLE && a->kind != AST_LIST)
        return a->kind == AST_NAME;
    for (unsigned i = 0; i < a->item_count; i++)
        if (a->items[i]->kind != AST_NAME)
            return false;
    return a->item_count > 0;
}

const struct ast *relax_report_compared(struct relax *r, const struct ast *a)
{
    unsigned others = a->kind == AST_TUPLE && a->item_count ? a->item_count - 1 : 0;
    const struct ast *compared = others ? a->items[others] : a;

    if (compared->kind != AST_COMPARE || compared->item_count != 2 || compared->ops[0] != AST_EQ ||
        !is_target(compared->items[0]))
        return NULL;
    for (unsigned i = 0; i < others; i++)
        if (a->items[i]->kind != AST_NAME)
            return NULL;
    bool is_one = !others && compared->items[0]->kind == AST_NAME;
    struct diag_message *m = diag_report(r->f->diag, a->loc, TYPE_OPERATOR, "==", "Relax values");
    struct location sign = location_text_behind(location_behind(compared->items[0]->loc), "==");
    diag_help(m, is_one ? "a name is bound with one `=`" : "names are bound with one `=`");
    if (sign.begin < compared->items[1]->loc.begin)
        diag_help_edit(m, sign, "=");
    return compared;
}
