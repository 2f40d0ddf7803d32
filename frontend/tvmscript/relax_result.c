/*
 * What a function returns against the result that it declares: the words, the part of a tuple that differs, and what
 * mends it.
 */
#include "frontend/tvmscript/relax.h"
#include "ir/spelling.h"
#include "ops/elements.h"

#include <string.h>

/* What declares the type of @value, where a call takes it from what the script says; else NULL. */
static const char *said_type(const struct ir_value *value, struct location *out_loc)
{
    const struct ir_op *op = value->def;
    while (op != NULL && (ir_op_is(op, IR_CORE_tuple_get) || ir_op_is(op, IR_CORE_bind)))
        op = op->operands[0].value->def;
    if (op == NULL || (op->info->core < IR_CORE_call_tir && !ir_op_is(op, IR_CORE_match_cast)))
        return NULL;
    *out_loc = op->loc;
    if (!ir_op_is(op, IR_CORE_call))
        return "this says the type";
    const struct ir_global *callee = ir_op_callee(op);
    bool is_said = callee != NULL && callee->kind == IR_GLOBAL_FUNCTION &&
                   callee->function->is_result_annotated;
    if (is_said)
        *out_loc = callee->function->loc;
    return is_said ? "its result is declared here" : NULL;
}

static bool is_result(struct relax *r, const struct ir_type *declared, const struct ir_type *given)
{
    return ir_type_check(r->f->context, declared, given) != IR_CHECK_FAIL_KIND;
}

/* `return y,`: a comma that makes a tuple of one. */
static bool help_comma(struct relax *r, struct diag_message *m)
{
    const struct ir_type *given = r->returned->type;
    const struct ast *value = r->return_value;

    if (!value || value->kind != AST_TUPLE || value->item_count != 1 ||
        given->kind != IR_TYPE_TUPLE || given->field_count != 1 ||
        !is_result(r, r->function->result, given->fields[0]))
        return false;
    diag_help(m, "the comma makes a tuple of it: write `return %.*s`",
              LOCATION_TEXT(value->items[0]->loc));
    diag_help_edit(m, value->loc, "%s%.*s",
                   value->loc.source->text[value->loc.begin - 1] == ' ' ? "" : " ",
                   LOCATION_TEXT(value->items[0]->loc));
    return true;
}

/* Would the parts fit if @i and @j changed places? */
static bool fits_swapped(struct relax *r, unsigned i, unsigned j)
{
    const struct ir_type *given = r->returned->type, *wanted = r->function->result;

    for (unsigned k = 0; k < wanted->field_count; k++) {
        unsigned from = k == i ? j : k == j ? i : k;
        if (!is_result(r, wanted->fields[k], given->fields[from]))
            return false;
    }
    return true;
}

/* `return (b, a)` where (a, b) is declared.  The declaration may have them the wrong way as well. */
static bool help_order(struct relax *r, struct diag_message *m)
{
    enum { MOST = 32 };
    const struct ir_type *given = r->returned->type, *wanted = r->function->result;
    const struct ast *value = r->return_value;

    if (!value || value->kind != AST_TUPLE || given->kind != IR_TYPE_TUPLE ||
        wanted->kind != IR_TYPE_TUPLE || given->field_count != wanted->field_count ||
        value->item_count != wanted->field_count || wanted->field_count > MOST)
        return false;
    for (unsigned i = 0; i < wanted->field_count; i++)
        for (unsigned j = i + 1; j < wanted->field_count; j++) {
            if (!fits_swapped(r, i, j))
                continue;
            diag_help(m, "they fit in the other order");
            diag_help_swap(m, value->items[i]->loc, value->items[j]->loc);
            diag_help_unsure(m);
            return true;
        }
    return false;
}

/* What is returned, or the part of it that is not what is declared. */
struct misfit {
    const struct ir_type *given, *wanted;
    struct location value, declared; /* nowhere: not seen in the text */
    unsigned part;                   /* from 1; 0: all of it */
};

/* Part @i of what `R.Tuple(A, B)` or `R.Tuple([A, B])` declares; all of it if it is not written like that. */
static struct location declared_part(struct location result, unsigned i)
{
    struct location first = location_argument(result, 0, "fields");
    bool is_list = result.source && first.begin != result.begin &&
                   strchr("([", result.source->text[first.begin]) != NULL;

    return location_argument(is_list ? first : result, i, NULL);
}

/* The one part that does not fit, of as many as are declared; else all of it. */
static struct misfit find_misfit(struct relax *r)
{
    const struct ir_type *given = r->returned->type, *wanted = r->function->result;
    const struct ast *value = r->return_value;
    struct misfit all = {given, wanted, location_text_behind(r->return_loc, "return "),
                         r->result_loc, 0};
    struct misfit found = all;
    unsigned wrong = 0;

    bool is_seen = all.value.source && all.value.begin == r->return_loc.begin &&
                   all.value.end < r->return_loc.end;
    all.value = is_seen ? (struct location){r->return_loc.source, all.value.end, r->return_loc.end}
                        : (struct location){0};
    if (given->kind != IR_TYPE_TUPLE || wanted->kind != IR_TYPE_TUPLE ||
        given->field_count != wanted->field_count)
        return all;
    bool is_written = value && value->kind == AST_TUPLE && value->item_count == given->field_count;
    for (unsigned i = 0; i < given->field_count; i++) {
        if (is_result(r, wanted->fields[i], given->fields[i]))
            continue;
        found = (struct misfit){given->fields[i], wanted->fields[i],
                                is_written ? value->items[i]->loc : (struct location){0},
                                declared_part(r->result_loc, i), i + 1};
        wrong++;
    }
    return wrong == 1 ? found : all;
}

/* A value of another dtype than the declared one: converted, it is that. */
static void help_conversion(struct relax *r, struct diag_message *m, const struct misfit *misfit)
{
    const struct ir_type *given = misfit->given, *wanted = misfit->wanted;
    const struct ir_type *meant =
        given->kind == IR_TYPE_TENSOR && wanted->kind == IR_TYPE_TENSOR
            ? ir_type_tensor(r->f->context, wanted->dtype, given->dims, given->ndim)
            : NULL;

    if (!meant || ir_dtype_is_void(wanted->dtype) || !misfit->value.source ||
        ir_type_check(r->f->context, wanted, meant) == IR_CHECK_FAIL_KIND)
        return;
    char dtype[32];
    const char *behind =
        arena_printf(&r->f->arena, ", \"%s\")", ir_dtype_name(wanted->dtype, dtype));
    diag_help(m, "convert what it returns");
    diag_help_wrap(m, misfit->value, "R.astype(", behind);
    diag_help_unsure(m);
}

/* What the last block outputs is what is declared: two that say so, against one. */
static bool help_outputs(struct relax *r, struct diag_message *m, const struct misfit *misfit)
{
    const char *outputs = relax_outputs_meant(r);

    if (!outputs || !misfit->value.source)
        return false;
    diag_help(m, "return all that the block outputs: `return %s`", outputs);
    diag_help_edit(m, misfit->part ? r->return_value->loc : misfit->value, "%s", outputs);
    return true;
}

/* The only value of the body that nothing reads, which is of the declared type: that was to be returned. */
static bool help_unread_result(struct relax *r, struct diag_message *m, const struct misfit *misfit)
{
    const struct ir_value *found = NULL;
    unsigned count = 0;

    if (misfit->part || !misfit->value.source)
        return false;
    for (const struct ir_block *block = r->region->first; block; block = block->next)
        for (const struct ir_op *op = block->first; op; op = op->next) {
            const struct ir_value *value = &op->result;
            if (!value->name || value->uses || value == r->returned ||
                !is_result(r, misfit->wanted, value->type))
                continue;
            found = value;
            count++;
        }
    const struct name *name = count == 1 ? scope_find(r->f, found->name) : NULL;
    if (!name || name->kind != NAME_VALUE || name->value != found)
        return false;
    diag_label(m, found->loc, "nothing reads `%s`", found->name);
    diag_help(m, "`%s` is of the declared type", found->name);
    diag_help_edit(m, misfit->value, "%s", found->name);
    return true;
}

/* The edit that declares what it returns. */
static void help_declared(struct relax *r, struct diag_message *m, const struct misfit *misfit)
{
    diag_help_edit(m, misfit->declared, "%s",
                   ir_type_spelled(r->f->context, misfit->declared, misfit->wanted, misfit->given));
}

/*
 * Of two declarations that differ nobody knows which is wrong; and what a public function gives is what others rely on: it is
 * for its author to change.
 */
static void help_result(struct relax *r, struct diag_message *m, const struct misfit *misfit)
{
    struct location loc;
    const struct ir_op *tuple = misfit->part ? r->returned->def : NULL;
    const struct ir_value *part = tuple && ir_op_is(tuple, IR_CORE_tuple)
                                      ? tuple->operands[misfit->part - 1].value
                                      : r->returned;
    const char *said = said_type(part, &loc);
    if (said != NULL)
        diag_label(m, loc, "%s", said);
    if (said != NULL && part == r->returned) {
        diag_help(m, "one of the two is wrong");
        help_declared(r, m, misfit);
        diag_help_unsure(m);
        return;
    }
    if (help_comma(r, m) || help_outputs(r, m, misfit) || help_order(r, m) ||
        help_unread_result(r, m, misfit))
        return;
    help_conversion(r, m, misfit);
    diag_help(m, "declare what it returns, or leave the annotation out");
    help_declared(r, m, misfit);
    if (!r->function->is_private)
        diag_help_unsure(m);
}

static void report(struct relax *r, const struct misfit *misfit)
{
    const char *text = ir_type_text(r->f->context, misfit->given);
    bool is_seen = misfit->part && misfit->value.source;

    if (misfit->part)
        text = arena_printf(&r->f->arena, "%s as part %u", text, misfit->part - 1);
    struct diag_message *m =
        diag_report(r->f->diag, is_seen ? misfit->value : r->return_loc, TYPE_RETURN,
                    r->function->name, text, ir_type_text(r->f->context, misfit->wanted));
    diag_label(m, misfit->declared, "declared here");
    help_result(r, m, misfit);
}

/* What is returned comes from a reshape that no size lets be: that is the mistake. */
static bool report_reshape(struct relax *r, const struct misfit *misfit)
{
    const struct ir_op *op = r->returned->def;

    if (op && misfit->part && ir_op_is(op, IR_CORE_tuple))
        op = op->operands[misfit->part - 1].value->def;
    return op && op->info->core == IR_CORE_none && op_report_elements(r->module, r->f->diag, op);
}

/* The declared result against what is returned, or the result from it. */
void relax_settle_result(struct relax *r)
{
    struct ir_function *function = r->function;
    const struct ir_type *given = r->returned->type;
    if (function->is_result_annotated) {
        if (ir_type_check(r->f->context, function->result, given) == IR_CHECK_FAIL_KIND) {
            struct misfit misfit = find_misfit(r);
            if (!report_reshape(r, &misfit))
                report(r, &misfit);
            map_set(&r->f->doubtful, function->name, function);
            r->has_failed = true;
        }
        return;
    }
    function->result = ir_function_declared(function, given);
}
