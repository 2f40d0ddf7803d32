/*
 * Dataflow blocks and branches of Relax functions.
 *
 * Both hide their names at their end: a dataflow block shows what R.output lists, a branch its last
 * binding, under the name that both branches give it.
 */
#include "frontend/tvmscript/relax_block.h"

#include <string.h>

void relax_open_block(struct relax *r)
{
    if (r->b.block == NULL)
        r->b.block = ir_block_append(r->module, r->region, false);
}

static bool is_output(const struct relax *r, const struct ir_value *value)
{
    return value != NULL && map_has(&r->output_set, value);
}

static void add_output(struct relax *r, struct ir_value *value)
{
    if (is_output(r, value))
        return;
    map_set(&r->output_set, value, value);
    array_push(&r->outputs, value);
}

void relax_output_used(struct relax *r, struct ir_value *value)
{
    if (value->def == NULL)
        return;
    if (ir_value_is_inline(value))
        for (unsigned i = 0; i < value->def->operand_count; i++)
            relax_output_used(r, value->def->operands[i].value);
    else if (value->def->block == r->dataflow)
        add_output(r, value);
}

/* What R.output cannot show is not missed after the block: it was reported here. */
static void lose_output(struct relax *r, const struct ast *a)
{
    r->has_failed = true;
    if (a->kind == AST_NAME)
        array_push(&r->lost_outputs, a);
}

/* The value of the block whose name is nearly @name; or NULL. */
static struct ir_value *nearest_value(struct relax *r, const char *name)
{
    struct text_nearest nearest = text_nearest_to(name);
    struct ir_value *found = NULL;
    for (size_t i = r->f->scope.names.count; i-- > 0;) {
        const struct name *other = &r->f->scope.names.items[i];
        bool is_own = other->kind == NAME_VALUE && other->value->def != NULL &&
                      other->value->def->block == r->dataflow;
        if (is_own && text_nearest_offer(&nearest, other->text))
            found = other->value;
    }
    return found;
}

void relax_output_name(struct relax *r, const struct ast *a)
{
    const struct name *name = a->kind == AST_NAME ? scope_use(r->f, a) : NULL;
    bool is_reported = a->kind == AST_ERROR || (name != NULL && name->kind == NAME_ERROR);
    struct ir_value *value = name != NULL && name->kind == NAME_VALUE ? name->value : NULL;
    if (!is_reported && value != NULL && value->def != NULL && value->def->block == r->dataflow) {
        add_output(r, value);
        return;
    }
    lose_output(r, a);
    if (is_reported)
        return;
    if (a->kind == AST_NAME && name == NULL) {
        struct ir_value *meant = nearest_value(r, a->name);
        relax_report_undefined(r, a);
        if (meant != NULL) /* what is read of it later is right */
            add_output(r, meant);
        return;
    }
    struct diag_message *m = diag_report(r->f->diag, a->loc, GRAPH_OUTPUT_FOREIGN,
                                         a->kind == AST_NAME ? a->name : "this");
    if (value != NULL)
        diag_label(m, value->loc, "bound here");
    diag_help(m, "what is bound before the block is visible after it anyway");
}

static void skip_target(struct relax *r, const struct ast *target)
{
    if (target->kind == AST_NAME)
        scope_bind(r->f, NAME_ERROR, target->name, target->loc);
    for (unsigned i = 0; target->kind != AST_NAME && i < target->item_count; i++)
        if (target->items[i] != NULL)
            skip_target(r, target->items[i]);
}

/* R.output in front of which the block ends, or that stands in none. */
static void output_outside(struct relax *r, const struct ast *call)
{
    const struct ast *before = r->statement > 0 ? r->suite[r->statement - 1] : NULL;
    bool is_behind = before != NULL && before->kind == AST_WITH && before->body_count > 0 &&
                     is_dotted(r->f, before->items[0], "R.dataflow");
    r->has_failed = true;
    for (unsigned i = 1; is_behind && i < call->item_count; i++)
        skip_target(r, call->items[i]);       /* what it would have shown */
    if (call->loc.begin > r->f->syntax_error) /* its block may be lost */
        return;
    struct diag_message *m = diag_report(r->f->diag, call->loc, GRAPH_OUTPUT_OUTSIDE);
    if (!is_behind) {
        diag_help(m, "outside of a dataflow block all names are visible: remove it");
        diag_help_edit(m, location_whole_line(call->loc), "%s", "");
        return;
    }
    diag_label(m, before->items[0]->loc, "the block in front of it");
    diag_help(m, "indent it: it is the last statement of the block");
    diag_help_edit(m, indentation_of(call->loc), "%.*s",
                   LOCATION_TEXT(indentation_of(before->body[0]->loc)));
}

void relax_output(struct relax *r, const struct ast *call)
{
    if (r->dataflow == NULL) {
        output_outside(r, call);
        return;
    }
    if (r->output_loc.source != NULL) {
        struct diag_message *m = diag_report(r->f->diag, call->loc, GRAPH_OUTPUT_TWICE);
        diag_label(m, r->output_loc, "the first one");
        if (r->output_loc.end - r->output_loc.begin == call->loc.end - call->loc.begin &&
            memcmp(call->loc.source->text + r->output_loc.begin,
                   call->loc.source->text + call->loc.begin,
                   call->loc.end - call->loc.begin) == 0) {
            diag_help(m, "remove it");
            diag_help_edit(m, location_whole_line(call->loc), "%s", "");
        }
        r->has_failed = true;
    } else
        r->output_loc = call->loc;
    const struct ast *only = call->item_count == 2 ? call->items[1] : NULL;
    if (only != NULL && (only->kind == AST_TUPLE || only->kind == AST_LIST)) {
        struct diag_message *m =
            diag_report(r->f->diag, only->loc, GRAPH_OUTPUT_FOREIGN, "a tuple");
        struct location inside = {only->loc.source, only->loc.begin + 1, only->loc.end - 1};
        diag_help(m, "R.output takes the names one by one");
        diag_help_edit(m, only->loc, "%.*s", LOCATION_TEXT(inside));
        call = only;
    }
    for (unsigned i = call == only ? 0 : 1; i < call->item_count; i++)
        relax_output_name(r, call->items[i]);
}

/* What a block that is not read would have bound is not missed afterwards. */
static void skip_suite(struct relax *r, struct ast *const *body, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        relax_skip(r, body[i]);
}

void relax_skip(struct relax *r, const struct ast *a)
{
    r->has_failed = true;
    switch (a->kind) {
    case AST_ASSIGN:
    case AST_ANN_ASSIGN:
    case AST_AUG_ASSIGN:
        skip_target(r, a->items[0]);
        break;
    case AST_DEF:
        scope_bind(r->f, NAME_ERROR, a->name, a->name_loc);
        break;
    case AST_FOR:
        skip_target(r, a->items[0]);
        skip_suite(r, a->body, a->body_count);
        skip_suite(r, a->orelse, a->orelse_count);
        break;
    case AST_WHILE:
    case AST_IF:
    case AST_WITH:
        skip_suite(r, a->body, a->body_count);
        skip_suite(r, a->orelse, a->orelse_count);
        break;
    default:
        break;
    }
}

/* Ends the dataflow block: nothing but its outputs stays visible. */
static void close_dataflow(struct relax *r, const struct ast *with, size_t mark)
{
    struct location loc = with->items[0]->loc;
    struct ir_block *block = r->dataflow;
    struct location end = r->output_loc.source != NULL ? r->output_loc : loc;
    scope_pop(r->f, mark);
    if (block->first == NULL)
        ir_block_erase(block);
    else
        relax_emit_core(relax_at(r, end), IR_CORE_output, r->outputs.items,
                        (unsigned)r->outputs.count, NULL, NULL);
    r->dataflow = NULL;
    r->b.block = NULL;
    for (size_t i = r->notes.count;
         i-- > 0 && r->notes.items[i].where == NOTE_DATAFLOW && !r->notes.items[i].last.source;) {
        r->notes.items[i].output = r->output_loc;
        r->notes.items[i].last = with->body[with->body_count - 1]->loc;
    }
    for (size_t i = 0; i < r->lost_outputs.count; i++) {
        const struct ast *lost = r->lost_outputs.items[i];
        scope_bind(r->f, NAME_ERROR, lost->name, lost->loc);
    }
    bool is_last_visible = is_output(r, r->last_value);
    for (size_t i = 0; i < r->outputs.count; i++) {
        struct ir_value *value = r->outputs.items[i];
        if (value->name == NULL)
            continue;
        scope_bind(r->f, NAME_VALUE, value->name, value->loc)->value = value;
        if (r->branch_depth > 0)
            array_push(&r->notes, (struct relax_scope_note){.name = value->name,
                                                            .loc = value->loc,
                                                            .where = NOTE_BRANCH});
        if (!is_last_visible) {
            r->last_name = value->name;
            r->last_value = value;
        }
    }
}

/* `with R.datflow():`, `with dataflow():`, `with R.dataflow() as block:` */
static void help_with(struct frontend *f, struct diag_message *m, const struct ast *with)
{
    static const char *const names[] = {"dataflow", NULL};
    const struct ast *a = with->items[0], *bound = with->items[1];
    if (bound != NULL && is_dotted(f, a, "R.dataflow")) {
        diag_help(m, "the block has no name");
        diag_help_edit(m, (struct location){a->loc.source, a->loc.end, bound->loc.end}, "%s", "");
        return;
    }
    const struct ast *callee = a->kind == AST_CALL ? a->items[0] : a;
    bool is_bare = callee->kind == AST_NAME;
    if (is_bare && strcmp(callee->name, names[0]) == 0) {
        diag_help(m, "there is `R.dataflow`");
        diag_help_edit(m, callee->loc, "R.dataflow");
    } else if (callee->kind == AST_ATTRIBUTE && dotted_name(f, callee) != NULL)
        help_nearest(m, callee->name_loc, callee->name, names, "R.");
}

void relax_dataflow(struct relax *r, const struct ast *with)
{
    if (r->dataflow != NULL) {
        struct diag_message *m =
            diag_report(r->f->diag, with->items[0]->loc, GRAPH_NESTED_DATAFLOW);
        diag_label(m, r->dataflow->loc, "the block around");
        relax_skip(r, with);
        return;
    }
    if (!is_dotted(r->f, with->items[0], "R.dataflow") || with->items[1] != NULL) {
        if (with->items[0]->kind != AST_ERROR)
            help_with(r->f, diag_report(r->f->diag, with->items[0]->loc, GRAPH_WITH), with);
        relax_skip(r, with);
        return;
    }
    if (with->items[0]->kind != AST_CALL) {
        report_uncalled(r->f, with->items[0], "R.dataflow");
        r->has_failed = true;
    }
    r->has_failed |= !call_check_form(r->f, with->items[0]);
    r->dataflow = ir_block_append(r->module, r->region, true);
    r->dataflow->loc = with->items[0]->loc;
    r->b.block = r->dataflow;
    r->outputs.count = 0;
    r->lost_outputs.count = 0;
    map_finish(&r->output_set);
    r->output_loc = (struct location){0};
    size_t mark = scope_push(r->f);
    relax_suite(r, with->body, with->body_count);
    close_dataflow(r, with, mark);
}

/* What @r is filling, put aside while a branch is read. */
struct place {
    struct ir_region *region;
    struct ir_block *block;
};

/*
 * What a branch that ends with @value yields.  `z = x` at its end only names the value of the branch, as
 * the printer does where x has another name: x is yielded itself, or each parse of a printed module
 * would add a name that passes take away again.
 */
static struct ir_value *yielded(struct ir_value *value)
{
    struct ir_op *op = value->def;
    if (op == NULL || !ir_op_is(op, IR_CORE_bind) || op->block == NULL || op->block->is_dataflow)
        return value;
    struct ir_value *source = op->operands[0].value;
    if (value->uses != NULL || ir_value_is_inline(source) || source->type != value->type)
        return value;
    ir_op_erase(op);
    return source;
}

static bool read_branch(struct relax *r, struct ir_op *op, unsigned i, struct ast *const *body,
                        unsigned count, struct relax_branch *out)
{
    struct place outer = {r->region, r->b.block};
    size_t mark = scope_push(r->f);
    bool had_failed = r->has_failed;
    r->region = op->regions[i] = ir_region_new(r->module, r->function, op);
    r->b.block = NULL;
    r->last_name = NULL;
    r->last_value = NULL;
    r->has_failed = false;
    r->branch_depth++;
    relax_suite(r, body, count);
    r->branch_depth--;
    bool ok = !r->has_failed;
    *out = (struct relax_branch){r->last_name, r->last_value, {0}};
    if (ok && r->last_value != NULL) {
        out->loc = r->last_value->loc;
        struct ir_value *value = yielded(r->last_value);
        relax_emit_core(relax_at(r, out->loc), IR_CORE_yield, &value, 1, NULL, NULL);
    } else if (ok) {
        diag_report(r->f->diag, count > 0 ? body[0]->loc : op->loc, GRAPH_BRANCH_EMPTY,
                    i == 0 ? "first" : "second");
        ok = false;
    }
    r->has_failed = had_failed || !ok;
    scope_pop(r->f, mark);
    r->region = outer.region;
    r->b.block = outer.block;
    return ok;
}

/* `if n` and `if R.prim_value(t - n)`: as in Python, what is not 0 is true. */
static void help_not_zero(struct relax *r, struct diag_message *m, const struct ast *a)
{
    bool is_call = a->kind == AST_CALL && a->item_count == 2 && is_dotted(r->f, a, "R.prim_value");
    const struct ast *value = is_call ? a->items[1] : a;

    if (value->kind == AST_NAME || value->kind == AST_BINARY)
        diag_help_wrap(m, value->loc, "", " != 0");
}

/* `if mask:` of several bools, or of one in brackets. */
static void help_all(struct diag_message *m, const struct ast *a, const struct ir_value *condition)
{
    const struct ir_type *type = condition->type;
    bool is_one = type->dims != NULL;

    for (int i = 0; is_one && i < type->ndim; i++)
        is_one = ir_expr_is_int(type->dims[i], 1);
    if (condition->parameter_of && !condition->def && condition->loc.source)
        diag_label(m, condition->loc, "the parameter");
    diag_help(m, is_one ? "`R.min(..)` makes rank 0 of it" : "`R.min(..)` is true where all are");
    diag_help_wrap(m, a->loc, "R.min(", ")");
    if (is_one)
        return;
    diag_help(m, "`R.max(..)` is true where one is");
    diag_help_wrap(m, a->loc, "R.max(", ")");
}

/* A branch is taken by one bool; what is not known to be something else is looked at when the program runs. */
static bool check_condition(struct relax *r, const struct ast *a, const struct ir_value *condition)
{
    const struct ir_type *type = condition->type;
    bool is_tensor = type->kind == IR_TYPE_TENSOR;
    bool has_dtype = (is_tensor || type->kind == IR_TYPE_PRIM) && !ir_dtype_is_void(type->dtype);
    bool is_bool = !has_dtype || ir_dtype_is_bool(type->dtype);
    bool is_one = !is_tensor || type->ndim == IR_NDIM_UNKNOWN || type->ndim == 0;

    if (type->kind == IR_TYPE_ANY ||
        ((is_tensor || type->kind == IR_TYPE_PRIM) && is_bool && is_one))
        return true;
    struct diag_message *m =
        diag_report(r->f->diag, a->loc, GRAPH_CONDITION, ir_type_text(r->f->context, type));
    if (is_tensor && is_one) {
        diag_help(m, "as in Python, what is not 0 is true: `R.astype(.., \"bool\")`");
        diag_help_wrap(m, a->loc, "R.astype(", ", \"bool\")");
    } else if (is_tensor && is_bool)
        help_all(m, a, condition);
    else if (is_tensor)
        diag_help(
            m, "compare the tensor, and say whether all count (`R.min(..)`) or one (`R.max(..)`)");
    else if (has_dtype) {
        diag_help(m, "compare it: `.. != 0`");
        help_not_zero(r, m, a);
    }
    return false;
}

static struct ir_op *read_branches(struct relax *r, const struct ast *a, struct relax_branch *out)
{
    struct ir_value *condition = relax_operand(r, a->items[0]);
    const struct ir_op_info *info = ir_core_op(r->f->context, IR_CORE_if);
    if (condition != NULL && !check_condition(r, a->items[0], condition))
        condition = NULL;
    struct ir_op *op = ir_op_new(r->module, info, &condition, condition != NULL ? 1 : 0);
    op->loc = a->items[0]->loc;
    /* In its place before its branches are read: what they join asks which symbols stand in front. */
    relax_open_block(r);
    ir_op_append(r->b.block, op);
    op->regions = arena_array(&r->module->arena, struct ir_region *, 2);
    op->region_count = 2;
    bool ok = read_branch(r, op, 0, a->body, a->body_count, &out[0]);
    ok = read_branch(r, op, 1, a->orelse, a->orelse_count, &out[1]) && ok;
    if (!ok || condition == NULL) {
        r->has_failed = true;
        return NULL;
    }
    if (out[0].name != out[1].name && r->f->syntax_error != UINT32_MAX) {
        r->has_failed = true; /* the last binding may be what was lost */
        return NULL;
    }
    if (out[0].name != out[1].name) {
        struct diag_message *m =
            diag_report(r->f->diag, out[1].loc, GRAPH_BRANCH_BINDING, out[0].name, out[1].name);
        diag_label(m, out[0].loc, "the first branch ends with `%s`", out[0].name);
        diag_note(m, "the value of a branch is its last binding");
        relax_help_one_name(r, m, a, out);
        r->has_failed = true;
        return NULL;
    }
    return op;
}

void relax_if(struct relax *r, const struct ast *a)
{
    if (r->dataflow == NULL && a->is_partial && (a->body_count == 0 || a->orelse_count == 0)) {
        relax_skip(r, a); /* what was told of may have had what is missing */
        return;
    }
    if (r->dataflow != NULL || a->orelse_count == 0) {
        struct diag_message *m;
        if (r->dataflow != NULL) {
            m = diag_report(r->f->diag, a->loc, GRAPH_IF_IN_DATAFLOW);
            diag_label(m, r->dataflow->loc, "the dataflow block");
            diag_help(m, "end the dataflow block before the branch");
        } else {
            m = diag_report(r->f->diag, a->loc, GRAPH_ELSE_MISSING);
            relax_help_else(r, m, a);
        }
        relax_skip(r, a);
        return;
    }
    if (relax_report_returns(r, a)) {
        relax_skip(r, a);
        return;
    }
    struct relax_branch branches[2] = {0};
    struct ir_op *op = read_branches(r, a, branches);
    if (op == NULL) {
        for (unsigned i = 0; i < 2; i++)
            if (branches[i].name != NULL)
                scope_bind(r->f, NAME_ERROR, branches[i].name, a->loc);
        r->last_name = branches[0].name;
        r->last_value = NULL;
        return;
    }
    bool ok =
        ir_op_infer(r->module, r->f->diag, op) && relax_count_parts(r, op->result.type, op->loc);
    r->has_failed = r->has_failed || !ok;
    struct name *name = scope_bind(r->f, ok ? NAME_VALUE : NAME_ERROR, branches[0].name, a->loc);
    name->value = &op->result;
    op->result.name = branches[0].name;
    op->result.loc = branches[0].loc;
    relax_note_binding(r, op->result.name, op->result.loc, &op->result);
}
