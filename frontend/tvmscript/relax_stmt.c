/*
 * Statements of Relax functions: bindings, attributes, R.output, return, nested functions.
 *
 * Rebinding a name makes a new value and hides the old one.  A statement that is wrong binds its
 * names to NAME_ERROR, so that what uses them is not reported again.
 */
#include "base/assert.h"
#include "frontend/tvmscript/relax_block.h"
#include "ir/spelling.h"

#include <string.h>

/* A kind of statement that Relax functions do not have. */
static const char *statement_name(enum ast_kind kind)
{
    switch (kind) {
    case AST_FOR:
    case AST_WHILE:
        return "a loop";
    case AST_AUG_ASSIGN:
        return "an assignment with an operator";
    case AST_CLASS:
        return "a class";
    case AST_ASSERT:
        return "`assert`";
    case AST_BREAK:
    case AST_CONTINUE:
        return "`break` or `continue`";
    case AST_IMPORT:
        return "an import";
    default:
        return "this";
    }
}

/* What the scalar @value is in scalar expressions: `m = n + 1` may be computed with like n. */
static void set_scalar(struct name *name, const struct ir_value *value)
{
    const struct ir_op *op = value->def;
    if (value->type->kind != IR_TYPE_PRIM || !ir_op_is(op, IR_CORE_bind))
        return;
    const struct ir_value *leaf = op->operands[0].value;
    if (ir_value_is_inline(leaf) && ir_op_is(leaf->def, IR_CORE_prim))
        name->expr = ir_op_attr(leaf->def, "value")->expr;
    else
        name->var = leaf->var;
}

void relax_bind_value(struct relax *r, const struct ast *target, struct ir_value *value)
{
    value->name = target->name;
    value->loc = target->loc;
    struct name *name = scope_bind(r->f, NAME_VALUE, target->name, target->loc);
    name->value = value;
    set_scalar(name, value);
    relax_note_binding(r, target->name, target->loc, value);
}

void relax_note_binding(struct relax *r, const char *name, struct location loc,
                        struct ir_value *value)
{
    r->last_name = name;
    r->last_value = value;
    if (r->dataflow != NULL)
        array_push(&r->notes,
                   (struct relax_scope_note){.name = name, .loc = loc, .where = NOTE_DATAFLOW});
    else if (r->branch_depth > 0)
        array_push(&r->notes,
                   (struct relax_scope_note){.name = name, .loc = loc, .where = NOTE_BRANCH});
}

/* Names that a wrong statement would have bound. */
static void bind_errors(struct relax *r, const struct ast *target)
{
    if (target == NULL) /* a bound that a slice leaves out */
        return;
    if (target->kind == AST_NAME) {
        scope_bind(r->f, NAME_ERROR, target->name, target->loc);
        r->last_name = target->name;
        r->last_value = NULL;
    }
    for (unsigned i = 0; target->kind != AST_NAME && i < target->item_count; i++)
        bind_errors(r, target->items[i]);
}

static void fail(struct relax *r, const struct ast *target)
{
    r->has_failed = true;
    if (target != NULL)
        bind_errors(r, target);
}

/* True for operators that cannot be run yet, whose type rules may know less than the script. */
static bool is_unsupported(const struct ir_value *value)
{
    return value->def != NULL && value->def->info->core == IR_CORE_none &&
           value->def->info->lower == NULL && (value->def->info->traits & IR_VIEW) == 0;
}

/*
 * Does an annotation hide something of what an op gives, which its code has to know?  A call of a function
 * takes that from the function, whose type may not be read yet.
 */
static bool says_less(struct ir_context *context, const struct ir_type *type,
                      const struct ir_value *value)
{
    return value->def != NULL && !ir_op_is(value->def, IR_CORE_bind) &&
           !ir_op_is(value->def, IR_CORE_call) &&
           ir_type_check(context, value->type, type) != IR_CHECK_PASS;
}

/*
 * Gives @value the type of its annotation, unless that contradicts it.  Dimensions that are not proved
 * to be those of the annotation become a match_cast, which checks them when the program runs.
 */
static struct ir_value *annotate(struct relax *r, const struct ast *annotation,
                                 const struct ast *expr, struct ir_value *value)
{
    struct ir_context *context = r->f->context;
    const struct ir_type *type = relax_type(r->f, annotation);
    if (type == NULL)
        return NULL;
    enum ir_check check = ir_type_check(context, type, value->type);
    if (check == IR_CHECK_FAIL_KIND) {
        struct diag_message *m =
            diag_report(r->f->diag, annotation->loc, TYPE_ANNOTATION, ir_type_text(context, type),
                        ir_type_text(context, value->type));
        diag_label(m, expr->loc, "this is %s", ir_type_text(context, value->type));
        const struct ast *target = r->suite[r->statement]->items[0];
        if (relax_help_declared_parts(r, m, annotation, target, type, value))
            return NULL;
        diag_help(m, "leave the annotation out, or say what it is");
        diag_help_edit(m, annotation->loc, "%s",
                       ir_type_spelled(context, annotation->loc, type, value->type));
        return NULL;
    }
    if (check == IR_CHECK_FAIL_VALUE && !is_unsupported(value))
        return relax_emit_core(relax_at(r, expr->loc), IR_CORE_match_cast, &value, 1, NULL, type);
    if (check == IR_CHECK_PASS && says_less(context, type, value))
        value = relax_emit_core(relax_at(r, expr->loc), IR_CORE_bind, &value, 1, NULL, NULL);
    if (value == NULL)
        return NULL;
    value->type = type;
    value->is_annotated = true;
    return value;
}

/* `x: T.int64 = 1` is a scalar; without the annotation a number is a tensor. */
static struct ir_value *bindable(struct relax *r, const struct ast *expr,
                                 const struct ast *annotation)
{
    const struct ir_type *type = NULL;
    if (relax_is_number(expr) && annotation != NULL && relax_is_type(r->f, annotation))
        type = relax_type(r->f, annotation);
    if (type == NULL || type->kind != IR_TYPE_PRIM)
        return relax_bindable(r, expr);
    const struct ir_expr *scalar = scalar_translate(r->f, expr, type->dtype);
    if (scalar == NULL)
        return NULL;
    struct ir_value *leaf =
        ir_inline_prim(r->module, ir_expr_cast(r->f->context, type->dtype, scalar));
    return relax_emit_core(relax_at(r, expr->loc), IR_CORE_bind, &leaf, 1, NULL, NULL);
}

static bool bind_name(struct relax *r, const struct ast *target, const struct ast *expr,
                      const struct ast *annotation)
{
    struct ir_value *value = bindable(r, expr, annotation);
    if (value != NULL && annotation != NULL)
        value = annotate(r, annotation, expr, value);
    if (value == NULL)
        return false;
    relax_bind_value(r, target, value);
    return true;
}

/* `cls = Module`, and `x = I.meta_var(e)`: names without a value.  True if @statement is one. */
static bool bind_alias(struct relax *r, const struct ast *target, const struct ast *expr)
{
    if (expr->kind == AST_NAME) {
        const struct name *name = scope_use(r->f, expr);
        if (name == NULL || name->kind != NAME_CLASS)
            return false;
        struct name class = *name;
        struct name *alias = scope_bind(r->f, NAME_CLASS, target->name, target->loc);
        alias->path = class.path;
        return true;
    }
    if (!is_dotted(r->f, expr, "I.meta_var") || expr->kind != AST_CALL || expr->item_count != 2)
        return false;
    const struct ast *inner = expr->items[1];
    if (relax_is_scalar(r, inner)) {
        const struct ir_expr *scalar = scalar_translate(r->f, inner, IR_I64);
        if (scalar == NULL)
            fail(r, target);
        else
            scope_bind(r->f, NAME_EXPR, target->name, target->loc)->expr = scalar;
        return true;
    }
    struct ir_value *value = relax_bindable(r, inner);
    if (value == NULL)
        fail(r, target);
    else
        scope_bind(r->f, NAME_VALUE, target->name, target->loc)->value = value;
    return true;
}

/* `a, b = x, y`: all right-hand sides are read before any name is bound. */
static bool unpack_items(struct relax *r, const struct ast *target, const struct ast *expr)
{
    struct ir_value **values = arena_array(&r->f->arena, struct ir_value *, target->item_count + 1);
    for (unsigned i = 0; i < target->item_count; i++) {
        values[i] = relax_bindable(r, expr->items[i]);
        if (values[i] == NULL)
            return false;
    }
    for (unsigned i = 0; i < target->item_count; i++)
        relax_bind_value(r, target->items[i], values[i]);
    return true;
}

static bool unpack_tuple(struct relax *r, const struct ast *target, const struct ast *expr)
{
    struct ir_value *tuple = report_sizes(r->f, target, expr) ? NULL : relax_operand(r, expr);
    if (tuple == NULL)
        return false;
    if (relax_report_single(r, target, expr, tuple))
        return false;
    if (tuple->type->kind == IR_TYPE_TUPLE && tuple->type->field_count != target->item_count) {
        relax_report_parts(r, target, tuple, tuple->type->field_count);
        bind_lost(r->f, target);
        return false;
    }
    for (unsigned i = 0; i < target->item_count; i++) {
        bool is_last = i + 1 == target->item_count; /* a leaf has one user */
        struct ir_value *whole = is_last ? tuple : ir_inline_copy(r->module, tuple);
        struct ir_value *item = relax_bound(r, expr, relax_tuple_get(r, expr->loc, whole, i));
        if (item == NULL)
            return false;
        relax_bind_value(r, target->items[i], item);
    }
    return true;
}

static bool unpack(struct relax *r, const struct ast *target, const struct ast *expr)
{
    for (unsigned i = 0; i < target->item_count; i++)
        if (target->items[i]->kind != AST_NAME) {
            if (target->items[i]->kind != AST_ERROR)
                diag_report(r->f->diag, target->items[i]->loc, SYNTAX_EXPECTED, "a name",
                            "something else");
            return false;
        }
    if (expr->kind != AST_TUPLE && expr->kind != AST_LIST)
        return unpack_tuple(r, target, expr);
    if (expr->item_count != target->item_count) {
        relax_report_parts(r, target, NULL, expr->item_count);
        return false;
    }
    return unpack_items(r, target, expr);
}

static void assign(struct relax *r, const struct ast *statement)
{
    const struct ast *target = statement->items[0], *expr = statement->items[1];
    if (symbols_declare(r->f, statement))
        return;
    bool ok;
    switch (target->kind) {
    case AST_NAME:
        if (bind_alias(r, target, expr))
            return;
        ok = bind_name(r, target, expr, NULL) && !relax_report_one_name(r, target);
        break;
    case AST_TUPLE:
    case AST_LIST:
        ok = unpack(r, target, expr);
        break;
    default:
        if (target->kind != AST_ERROR)
            help_update(
                r->f, diag_report(r->f->diag, target->loc, GRAPH_STATEMENT, "assigning to a part"),
                target, expr);
        ok = false;
    }
    if (!ok)
        fail(r, target);
}

static void assign_annotated(struct relax *r, const struct ast *statement)
{
    const struct ast *target = statement->items[0], *expr = statement->items[2];
    if (expr != NULL && symbols_declare(r->f, statement))
        return;
    if (expr == NULL || target->kind != AST_NAME) {
        struct diag_message *m =
            diag_report(r->f->diag, statement->loc, GRAPH_STATEMENT, "a declaration without value");
        const char *type = dotted_name(r->f, statement->items[1]);
        if (type != NULL && target->kind == AST_NAME && strcmp(type, "T.int64") == 0) {
            diag_help(m, "a symbol is declared by `%s = T.int64()`", target->name);
            diag_help_edit(m, statement->loc, "%s = %.*s()", target->name,
                           LOCATION_TEXT(statement->items[1]->loc));
        }
        fail(r, target);
        return;
    }
    if (!bind_name(r, target, expr, statement->items[1]))
        fail(r, target);
}

/* `R.func_attr("key", value)`, `R.func_attr(key=value)` */
static void help_pair(struct frontend *f, struct diag_message *m, const struct ast *call)
{
    if (call_positional_count(call) == 0)
        help_dict(f, m, call);
    if (call_positional_count(call) != 2 || call->items[1]->kind != AST_STRING)
        return;
    struct location all = location_join(call->items[1]->loc, call->items[2]->loc);
    diag_help(m, "key and value stand in a dict");
    diag_help_edit(m, all, "{%.*s: %.*s}", LOCATION_TEXT(call->items[1]->loc),
                   LOCATION_TEXT(call->items[2]->loc));
}

static void set_attrs(struct relax *r, const struct ast *call)
{
    struct ir_context *context = r->f->context;
    const struct ast *dict = call_arg(call, 0, "attrs");
    const struct ast *more = dict && call->item_count > 2 ? call->items[2] : NULL;
    const struct ir_attr *attrs = dict != NULL ? attr_translate(r->f, dict) : NULL;
    if (attrs == NULL || attrs->kind != IR_ATTR_DICT) {
        if (dict == NULL || attrs != NULL)
            help_pair(r->f,
                      diag_report(r->f->diag, dict != NULL ? dict->loc : call->items[0]->loc,
                                  GRAPH_FORM, callee_name(r->f, call),
                                  "needs a dict of attributes"),
                      call);
        fail(r, NULL);
        return;
    }
    if (more) {
        diag_report(r->f->diag, more->loc, GRAPH_FORM, callee_name(r->f, call),
                    "takes one dict of attributes");
        r->has_failed = true;
    }
    for (unsigned i = 0; i < attrs->count; i++) {
        const char *key = attrs->keys[i];
        struct location loc = dict->items[2 * i]->loc;
        bool is_symbol = strcmp(key, "global_symbol") == 0;
        if (r->function->attrs != NULL && ir_attr_dict_get(r->function->attrs, key) != NULL) {
            diag_report(r->f->diag, loc, GRAPH_ATTR_TWICE, key);
            r->has_failed = true;
        } else if (is_symbol && r->function->is_private) {
            diag_report(r->f->diag, loc, GRAPH_PRIVATE_SYMBOL);
            r->has_failed = true;
        } else if (!is_symbol || attrs->items[i]->kind != IR_ATTR_STRING ||
                   attrs->items[i]->string != r->function->name)
            r->function->attrs =
                ir_attr_dict_with(context, r->function->attrs, key, attrs->items[i]);
    }
}

/* A call for its effect: its result is no value. */
static void call_statement(struct relax *r, const struct ast *a)
{
    struct ir_value *value = relax_bindable(r, a);
    if (value == NULL) {
        fail(r, NULL);
        return;
    }
    if (!ir_type_is_void(value->type)) {
        relax_report_dropped(r, a, value);
        fail(r, NULL);
        return;
    }
    value->name = atom_intern_text(&r->f->context->atoms, "_");
    relax_note_binding(r, value->name, a->loc, value);
}

/* `f == R.exp(x)` as a statement binds `f`, with a sign too many. */
static bool refuse_compared(struct relax *r, const struct ast *a)
{
    const struct ast *compared = relax_report_compared(r, a);

    for (unsigned i = 0; compared && compared != a && i + 1 < a->item_count; i++)
        fail(r, a->items[i]);
    if (compared)
        fail(r, compared->items[0]);
    return compared != NULL;
}

/* Whatever the block binds may be read behind it: its mistake was reported. */
static void output_all(struct relax *r)
{
    for (size_t i = 0; i < r->f->scope.names.count; i++)
        if (r->f->scope.names.items[i].kind == NAME_VALUE)
            relax_output_used(r, r->f->scope.names.items[i].value);
}

/* R.ouput(y), or R.output without brackets: it was meant to end the block, which has what it names. */
static bool refuse_output(struct relax *r, const struct ast *a)
{
    const struct ast *callee = a->kind == AST_CALL ? a->items[0] : a;
    const char *name = dotted_name(r->f, callee);

    if (r->dataflow == NULL || callee->kind != AST_ATTRIBUTE || name == NULL ||
        strncmp(name, "R.", 2) != 0)
        return false;
    struct text_nearest nearest = text_nearest_to(name + 2);
    text_nearest_offer(&nearest, "output");
    if (nearest.found == NULL || ir_find_op(r->f->context, name + 2) != NULL) {
        if (strcmp(name, "R.output") != 0 || a->kind == AST_CALL)
            return false;
    }
    if (a->kind == AST_CALL) {
        struct diag_message *m = diag_report(r->f->diag, callee->loc, OP_UNKNOWN, name + 2);
        diag_help_nearest(m, callee->name_loc, "R.", &nearest);
        relax_output(r, a);
    } else {
        struct diag_message *m = diag_report(r->f->diag, a->loc, SYNTAX_EXPECTED, "`R.output(..)`",
                                             "the function itself");
        diag_help(m, "name what the block gives: `R.output(y)`");
        r->output_loc = a->loc;
        output_all(r);
    }
    r->has_failed = true;
    return true;
}

static void expression(struct relax *r, const struct ast *a)
{
    if (a->kind == AST_STRING || refuse_compared(r, a))
        return;
    if (a->kind == AST_CALL && is_dotted(r->f, a, "R.func_attr"))
        set_attrs(r, a);
    else if (a->kind == AST_CALL && is_dotted(r->f, a, "R.output"))
        relax_output(r, a);
    else if (!refuse_output(r, a))
        call_statement(r, a);
}

static void return_value(struct relax *r, const struct ast *statement)
{
    if (r->branch_depth > 0) {
        struct diag_message *m = diag_report(r->f->diag, statement->loc, GRAPH_RETURN_IN_BRANCH);
        diag_help(m, "bind the value to one name in both branches and return that after them");
        r->has_failed = true;
        return;
    }
    r->return_loc = statement->loc;
    r->return_value = statement->item_count ? statement->items[0] : NULL;
    if (statement->item_count == 0 || statement->items[0] == NULL)
        r->returned = ir_inline_tuple(r->module, NULL, 0);
    else
        r->returned = relax_operand(r, statement->items[0]);
    if (r->returned == NULL)
        r->has_failed = true;
    else if (r->dataflow != NULL)
        relax_output_used(r, r->returned);
}

/* A function inside a function: visible in its own body, so that it can call itself. */
static void nested_function(struct relax *r, const struct ast *def)
{
    for (unsigned i = 0; i < def->decorator_count; i++)
        if (is_dotted(r->f, def->decorators[i], "T.prim_func")) {
            diag_report(r->f->diag, def->name_loc, GRAPH_NESTED_KERNEL, def->name);
            scope_bind(r->f, NAME_ERROR, def->name, def->name_loc);
            r->has_failed = true;
            return;
        }
    struct relax_decl decl;
    relax_declare(r->f, &decl, def);
    decl.function->is_private = true;
    const struct ir_attr *attrs[] = {ir_attr_function(r->f->context, decl.function)};
    struct ir_value *value =
        relax_emit_core(relax_at(r, def->loc), IR_CORE_function, NULL, 0, attrs, NULL);
    assert(value != NULL);
    value->name = def->name;
    value->loc = def->name_loc;
    scope_bind(r->f, NAME_VALUE, def->name, def->name_loc)->value = value;
    relax_note_binding(r, def->name, def->name_loc, value);
    if (!relax_define(r->f, &decl, r->function))
        r->has_failed = true;
    else
        value->type = ir_function_type(decl.function);
    relax_decl_finish(&decl);
}

/* `x += y` */
static void help_written_out(struct diag_message *m, const struct ast *a)
{
    const struct ast *target = a->items[0], *value = a->items[1];
    struct location sign = {a->loc.source, target->loc.end, value->loc.begin};
    bool is_simple = value->kind == AST_NAME || value->kind == AST_INT ||
                     value->kind == AST_FLOAT || value->kind == AST_CALL;

    while (sign.begin < sign.end && sign.source->text[sign.begin] == ' ')
        sign.begin++;
    while (sign.end > sign.begin && sign.source->text[sign.end - 1] != '=')
        sign.end--;
    diag_help(m, "write it out: `x = x + y`");
    if (target->kind == AST_NAME && sign.end > sign.begin)
        diag_help_edit(m, location_join(target->loc, value->loc), "%s = %s %.*s %s%.*s%s",
                       target->name, target->name, (int)(sign.end - sign.begin) - 1,
                       sign.source->text + sign.begin, is_simple ? "" : "(",
                       LOCATION_TEXT(value->loc), is_simple ? "" : ")");
}

static void statement(struct relax *r, const struct ast *a)
{
    switch (a->kind) {
    case AST_ASSIGN:
        assign(r, a);
        break;
    case AST_ANN_ASSIGN:
        assign_annotated(r, a);
        break;
    case AST_EXPR:
        expression(r, a->items[0]);
        break;
    case AST_RETURN:
        if (!relax_report_inner_return(r, a))
            return_value(r, a);
        break;
    case AST_WITH:
        relax_dataflow(r, a);
        break;
    case AST_IF:
        relax_if(r, a);
        break;
    case AST_DEF:
        nested_function(r, a);
        break;
    case AST_PASS:
        break;
    case AST_ERROR:
        r->has_failed = true;
        break;
    default: {
        struct diag_message *m =
            diag_report(r->f->diag, a->loc, GRAPH_STATEMENT, statement_name(a->kind));
        if (a->kind == AST_AUG_ASSIGN)
            help_written_out(m, a);
        else if (a->kind == AST_FOR || a->kind == AST_WHILE)
            relax_help_loop(r, m, a);
        else if (a->kind == AST_ASSERT)
            diag_help(m, "use R.assert_op(condition, format=\"..\")");
        relax_skip(r, a);
    }
    }
}

static void suite(struct relax *r, struct ast *const *body, unsigned count)
{
    for (unsigned i = 0; i < count && !diag_is_full(r->f->diag); i++) {
        const struct ast *a = body[i];
        r->statement = i;
        if (a->kind == AST_PASS)
            continue;
        if (r->return_loc.source != NULL) {
            struct diag_message *m = diag_report(r->f->diag, a->loc, GRAPH_AFTER_RETURN);
            diag_label(m, r->return_loc, "returned here");
            r->has_failed = true;
            return;
        }
        bool is_output = a->kind == AST_EXPR && is_dotted(r->f, a->items[0], "R.output");
        if (r->dataflow != NULL && r->output_loc.source != NULL && !is_output &&
            a->kind != AST_RETURN) {
            struct diag_message *m = diag_report(r->f->diag, a->loc, GRAPH_AFTER_OUTPUT);
            diag_label(m, r->output_loc, "the block ends here");
            r->has_failed = true;
            return;
        }
        if (is_output && r->dataflow != NULL && count - i > 1 &&
            relax_report_early_output(r, body + i, count - i)) {
            suite(r, body + i + 1, count - i - 1);
            statement(r, a);
            return;
        }
        statement(r, a);
    }
}

void relax_suite(struct relax *r, struct ast *const *body, unsigned count)
{
    struct ast *const *outer = r->suite;
    unsigned outer_statement = r->statement, outer_count = r->statement_count;

    r->suite = body;
    r->statement_count = count;
    suite(r, body, count);
    r->suite = outer;
    r->statement = outer_statement;
    r->statement_count = outer_count;
}
