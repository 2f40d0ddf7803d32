/* What a function returns that returns nothing, and R.output in front of what it outputs. */
#include "frontend/tvmscript/relax_block.h"

#include <string.h>

static bool is_result(struct relax *r, const struct ir_type *declared, const struct ir_type *given)
{
    return ir_type_check(r->f->context, declared, given) != IR_CHECK_FAIL_KIND;
}

/* The R.output that the last block of the function ends with; NULL: it has none. */
static const struct ast *last_output(struct relax *r)
{
    const struct ast *def = r->f->function;
    unsigned count = def->body_count;

    if (count && def->body[count - 1]->kind == AST_RETURN)
        count--;
    const struct ast *block = count ? def->body[count - 1] : NULL;
    if (!block || block->kind != AST_WITH || !block->body_count)
        return NULL;
    const struct ast *last = block->body[block->body_count - 1];
    return last->kind == AST_EXPR && is_dotted(r->f, last->items[0], "R.output") ? last->items[0]
                                                                                 : NULL;
}

static const struct ir_type *type_of(struct relax *r, const struct ast *a)
{
    const struct name *name = a->kind == AST_NAME ? scope_find(r->f, a->name) : NULL;

    return name && name->kind == NAME_VALUE && name->value ? name->value->type : NULL;
}

const char *relax_outputs_meant(struct relax *r)
{
    const struct ast *output = last_output(r);
    const struct ir_type *wanted = r->function->is_result_annotated ? r->function->result : NULL;
    unsigned count = output ? output->item_count - 1 : 0;
    bool is_tuple = wanted && wanted->kind == IR_TYPE_TUPLE;
    const char *text = "";

    if (count == 0 || (is_tuple ? wanted->field_count != count : count != 1))
        return NULL;
    for (unsigned i = 0; i < count; i++) {
        const struct ir_type *given = type_of(r, output->items[i + 1]);
        const struct ir_type *part = is_tuple ? wanted->fields[i] : wanted;
        if (!given || (part && !is_result(r, part, given)))
            return NULL;
        text =
            arena_printf(&r->f->arena, "%s%s%s", text, i ? ", " : "", output->items[i + 1]->name);
    }
    return is_tuple ? arena_printf(&r->f->arena, count == 1 ? "(%s,)" : "(%s)", text) : text;
}

/* What the last statement binds is returned, as far as anybody can tell. */
void relax_help_return(struct relax *r, const struct ast *def, struct diag_message *m)
{
    const struct ir_value *value = r->last_value;
    const char *meant = relax_outputs_meant(r);
    if (meant != NULL) {
        const struct ast *block = def->body[def->body_count - 1];
        diag_help(m, "return what the block outputs: `return %s`", meant);
        help_line_after(m, block->body[block->body_count - 1]->loc, block->loc,
                        arena_printf(&r->f->arena, "return %s", meant));
        return;
    }
    const struct name *name = r->last_name != NULL ? scope_find(r->f, r->last_name) : NULL;
    if (name == NULL || name->kind != NAME_VALUE || name->value != value ||
        strcmp(r->last_name, "_") == 0)
        return;
    if (r->function->is_result_annotated &&
        ir_type_check(r->f->context, r->function->result, value->type) == IR_CHECK_FAIL_KIND)
        return;
    diag_help(m, "return what it makes: `return %s`", r->last_name);
    const struct ast *last = def->body[def->body_count - 1];
    struct location end = last->loc;
    for (const struct ast *a = last; a->body_count > 0 || a->orelse_count > 0; end = a->loc)
        a = a->orelse_count > 0 ? a->orelse[a->orelse_count - 1] : a->body[a->body_count - 1];
    help_line_after(m, end, last->loc, arena_printf(&r->f->arena, "return %s", r->last_name));
}

/* Is the statement that is read the last one of the function? */
static bool is_last(const struct relax *r)
{
    return r->suite == r->f->function->body && r->statement + 1 == r->statement_count;
}

void relax_report_dropped(struct relax *r, const struct ast *a, const struct ir_value *value)
{
    const char *type = ir_type_text(r->f->context, value->type);
    bool is_result =
        !r->function->is_result_annotated ||
        ir_type_check(r->f->context, r->function->result, value->type) != IR_CHECK_FAIL_KIND;

    if (is_last(r) && is_result) {
        struct diag_message *m =
            diag_report(r->f->diag, a->loc, GRAPH_RETURN_MISSING, r->function->name);
        diag_primary(m, "a value that is lost");
        diag_help(m, "return it");
        diag_help_edit(m, location_before(a->loc), "return ");
        return;
    }
    struct diag_message *m = diag_report(r->f->diag, a->loc, GRAPH_VALUE_DROPPED, type);
    bool is_name = a->kind == AST_NAME;
    const struct ast *unbound = is_name ? NULL : relax_only_unbound(r, a->loc);
    if (unbound) {
        diag_label(m, unbound->loc, "`%s` is read here, and nothing binds it", unbound->name);
        diag_help(m, "bind it: `%s = ...`", unbound->name);
        diag_help_edit(m, location_before(a->loc), "%s = ", unbound->name);
        scope_bind(r->f, NAME_ERROR, unbound->name, unbound->loc);
        return;
    }
    diag_help(m, is_name ? "return it" : "bind it: `_ = ...`");
    diag_help_edit(m, location_before(a->loc), is_name ? "return " : "_ = ");
}

/* --- R.output --- */

/* Does one of @statements bind @a, a name? */
static const struct ast *bound_in(const struct ast *a, struct ast *const *statements,
                                  unsigned count)
{
    for (unsigned i = 0; i < count && a->kind == AST_NAME; i++) {
        bool is_binding =
            statements[i]->kind == AST_ASSIGN || statements[i]->kind == AST_ANN_ASSIGN;
        const struct ast *target = is_binding ? statements[i]->items[0] : NULL;
        for (unsigned k = 0; target && target->kind == AST_TUPLE && k < target->item_count; k++)
            if (target->items[k]->kind == AST_NAME && target->items[k]->name == a->name)
                return target->items[k];
        if (target && target->kind == AST_NAME && target->name == a->name)
            return target;
    }
    return NULL;
}

bool relax_report_early_output(struct relax *r, struct ast *const *rest, unsigned count)
{
    const struct ast *call = rest[0]->items[0], *bound = NULL, *last = rest[count - 1];

    for (unsigned i = 1; i < count; i++)
        if (rest[i]->kind == AST_RETURN ||
            (rest[i]->kind == AST_EXPR && is_dotted(r->f, rest[i]->items[0], "R.output")))
            return false;
    for (unsigned i = 1; i < call->item_count && !bound; i++)
        bound = bound_in(call->items[i], rest + 1, count - 1);
    if (!bound)
        return false;
    struct diag_message *m = diag_report(r->f->diag, call->loc, GRAPH_AFTER_OUTPUT);
    struct location own = location_whole_line(call->loc), behind;
    behind = (struct location){own.source, location_whole_line(rest[1]->loc).begin,
                               location_whole_line(location_behind(last->loc)).end};
    own.end = behind.begin;
    diag_label(m, bound->loc, "`%s`, which it outputs, is bound here", bound->name);
    diag_help(m, "it is the last statement of the block");
    if (own.source->text[behind.end - 1] == '\n')
        diag_help_edit(m, location_join(own, behind), "%.*s%.*s", LOCATION_TEXT(behind),
                       LOCATION_TEXT(own));
    r->has_failed = true;
    return true;
}

bool relax_report_inner_return(struct relax *r, const struct ast *a)
{
    const struct ast *def = r->f->function, *value = a->item_count ? a->items[0] : NULL;
    const struct ast *last = def->body[def->body_count - 1];
    bool is_list = value && value->kind == AST_TUPLE;

    if (!r->dataflow || r->output_loc.source || r->statement + 1 != r->statement_count || !value ||
        last->kind != AST_RETURN || last == a || (!is_list && value->kind != AST_NAME))
        return false;
    struct diag_message *m = diag_report(r->f->diag, a->loc, GRAPH_AFTER_RETURN);
    struct location inside = value->loc;
    if (is_list && inside.source->text[inside.begin] == '(') {
        inside.begin++;
        inside.end--;
    }
    diag_label(m, last->loc, "the function returns here");
    diag_help(m, "a dataflow block ends with R.output");
    diag_help_edit(m, a->loc, "R.output(%.*s)", LOCATION_TEXT(inside));
    for (unsigned i = 0; i < (is_list ? value->item_count : 1); i++)
        relax_output_name(r, is_list ? value->items[i] : value);
    r->output_loc = a->loc;
    r->has_failed = true;
    return true;
}

/* --- what a function that calls itself is declared to return --- */

/* How many parts a tuple has that @def binds to @name where it writes one out; 0: it does not. */
static unsigned parts_bound(struct ast *const *body, unsigned count, const char *name)
{
    unsigned parts = 0;

    for (unsigned i = 0; i < count && !parts; i++) {
        const struct ast *a = body[i];
        if (a->kind == AST_ASSIGN && a->items[0]->kind == AST_NAME && a->items[0]->name == name &&
            a->items[1]->kind == AST_TUPLE)
            return a->items[1]->item_count;
        parts = parts_bound(a->body, a->body_count, name);
        if (!parts)
            parts = parts_bound(a->orelse, a->orelse_count, name);
    }
    return parts;
}

/* Has @type no symbol, so that it is written in a signature as in a body? */
static bool is_plain(const struct ir_type *type)
{
    bool is_tensor = type->kind == IR_TYPE_TENSOR && type->dims;

    for (int i = 0; is_tensor && i < type->ndim; i++)
        is_tensor = type->dims[i]->kind == IR_EXPR_int;
    return is_tensor || type->kind == IR_TYPE_PRIM;
}

bool relax_help_declared_parts(struct relax *r, struct diag_message *m,
                               const struct ast *annotation, const struct ast *target,
                               const struct ir_type *type, const struct ir_value *value)
{
    const struct ir_global *callee =
        value->def && ir_op_is(value->def, IR_CORE_call) ? ir_op_callee(value->def) : NULL;
    const struct ast *def = r->f->function;
    const struct ir_type *given = value->type;
    const char *more = "";

    if (!callee || !def || callee->name != def->name || !def->returns || !target ||
        type->kind != IR_TYPE_TUPLE || given->kind != IR_TYPE_TUPLE ||
        given->field_count >= type->field_count || annotation->kind != AST_CALL ||
        annotation->item_count != type->field_count + 1 ||
        parts_bound(def->body, def->body_count, target->name) != type->field_count)
        return false;
    for (unsigned i = 0; i < given->field_count; i++)
        if (!is_result(r, type->fields[i], given->fields[i]))
            return false;
    bool has_plain = true;
    for (unsigned i = given->field_count; i < type->field_count; i++) {
        has_plain &= is_plain(type->fields[i]);
        more = arena_printf(&r->f->arena, "%s, %.*s", more,
                            LOCATION_TEXT(annotation->items[i + 1]->loc));
    }
    struct location end = location_behind(def->returns->loc);
    end.begin = --end.end;
    diag_label(m, def->returns->loc, "declared here");
    diag_help(m, "`%s` is a tuple of %u elsewhere, too: declare what `%s` returns", target->name,
              type->field_count, def->name);
    if (has_plain && end.source->text[end.begin] == ')')
        diag_help_edit(m, end, "%s", more);
    diag_help_unsure(m);
    return true;
}
