/* Statements of kernels: suites, branches, while, return, assert, and statements that are calls. */
#include "frontend/tvmscript/tir.h"

#include <string.h>

/* --- suites --- */

struct tir_stmt *stmt_new(struct frontend *f, enum tir_stmt_kind kind, const struct ast *a)
{
    return tir_stmt_new(f->module, kind, a->loc);
}

void stmt_push(struct frontend *f, struct tir_stmt *stmt)
{
    array_push(&f->tir->stmts, stmt);
}

bool tir_enter(struct frontend *f, struct location loc)
{
    if (f->tir->depth >= AST_DEPTH_LIMIT) {
        diag_report(f->diag, loc, SYNTAX_NESTING, AST_DEPTH_LIMIT);
        return false;
    }
    f->tir->depth++;
    return true;
}

bool stmt_open(struct frontend *f, struct tir_stmt *stmt)
{
    if (!tir_enter(f, stmt->loc))
        return false;
    array_push(&f->tir->frames, (struct tir_frame){stmt, f->tir->stmts.count});
    return true;
}

static struct tir_stmt *take_above(struct frontend *f, size_t mark)
{
    struct tir_state *t = f->tir;
    size_t count = t->stmts.count - mark;

    if (count == 1)
        return array_pop(&t->stmts);
    struct tir_stmt *seq =
        tir_seq(f->module, count ? t->stmts.items + mark : NULL, (unsigned)count);
    if (count)
        seq->loc = t->stmts.items[mark]->loc;
    t->stmts.count = mark;
    return seq;
}

struct tir_stmt *tir_suite_end(struct frontend *f, size_t mark, size_t frame_mark)
{
    struct tir_state *t = f->tir;

    while (t->frames.count > frame_mark) {
        struct tir_frame frame = array_pop(&t->frames);
        struct tir_stmt *body = take_above(f, frame.mark);
        if (frame.stmt->kind == TIR_ATTR)
            frame.stmt->attr.body = body;
        else
            frame.stmt->launch.body = body;
        stmt_push(f, frame.stmt);
        t->depth--;
    }
    return take_above(f, mark);
}

struct tir_stmt *tir_scope(struct frontend *f, struct ast *const *body, unsigned count)
{
    size_t names = scope_push(f), outer_names = f->tir->suite_names;
    size_t mark = f->tir->stmts.count, frames = f->tir->frames.count;

    f->tir->suite_names = names;
    tir_suite(f, body, count);
    struct tir_stmt *stmt = tir_suite_end(f, mark, frames);
    f->tir->suite_names = outer_names;
    scope_pop(f, names);
    return stmt;
}

/* --- control --- */

/* As Python's `if` and `while`: an integer is true unless it is 0. */
static const struct ir_expr *translate_test(struct frontend *f, const struct ast *a)
{
    const struct ir_expr *test = scalar_only(f, a, scalar_translate(f, a, IR_VOID));

    if (!test || !ir_dtype_is_int(test->dtype) || test->kind == IR_EXPR_int)
        return test ? condition_check(f, a, test) : NULL;
    const struct ir_expr *zero = ir_expr_int(f->context, test->dtype, 0);
    return scalar_at(f, a->loc, ir_expr_binary(f->context, IR_EXPR_ne, test, zero));
}

static bool translate_if(struct frontend *f, const struct ast *a)
{
    const struct ast *test = a->items[0];

    if (test->kind == AST_TRUE || test->kind == AST_FALSE) { /* decided while reading */
        bool is_true = test->kind == AST_TRUE;
        tir_suite(f, is_true ? a->body : a->orelse, is_true ? a->body_count : a->orelse_count);
        return true;
    }
    struct tir_stmt *stmt = stmt_new(f, TIR_IF, a);
    stmt->branch.condition = translate_test(f, test);
    if (!tir_enter(f, a->loc))
        return false;
    stmt->branch.then_body = tir_scope(f, a->body, a->body_count);
    if (a->orelse_count)
        stmt->branch.else_body = tir_scope(f, a->orelse, a->orelse_count);
    f->tir->depth--;
    stmt_push(f, stmt);
    return stmt->branch.condition != NULL;
}

static bool check_no_else(struct frontend *f, const struct ast *loop)
{
    if (!loop->name_loc.source)
        return true;
    struct diag_message *m = diag_report(f->diag, loop->name_loc, PYTHON_LOOP_ELSE);
    diag_help(m, "put the statements after the loop");
    return false;
}

static bool translate_while(struct frontend *f, const struct ast *a)
{
    struct tir_stmt *stmt = stmt_new(f, TIR_WHILE, a);

    stmt->while_loop.condition = translate_test(f, a->items[0]);
    if (!tir_enter(f, a->loc))
        return false;
    f->tir->loop_depth++;
    stmt->while_loop.body = tir_scope(f, a->body, a->body_count);
    f->tir->loop_depth--;
    f->tir->depth--;
    stmt_push(f, stmt);
    return stmt->while_loop.condition != NULL;
}

static bool push_loop_control(struct frontend *f, const struct ast *a, bool is_break)
{
    if (f->tir->loop_depth == 0) {
        diag_report(f->diag, a->loc, KERNEL_LOOP_CONTROL, is_break ? "break" : "continue");
        return false;
    }
    stmt_push(f, stmt_new(f, is_break ? TIR_BREAK : TIR_CONTINUE, a));
    return true;
}

static bool is_param(const struct tir_func *func, const struct ir_buffer *buffer)
{
    for (unsigned i = 0; i < func->param_count; i++)
        if (func->params[i].buffer == buffer)
            return true;
    return false;
}

/* `return out`, of a buffer: the statement that says nothing goes, where it is the last one. */
static bool report_returned(struct frontend *f, const struct ast *a, const struct ast *value)
{
    const struct ast *def = f->function, *last = def->body[def->body_count - 1];
    const struct name *name = value->kind == AST_NAME ? scope_find(f, value->name) : NULL;
    struct location line = location_whole_line(a->loc);

    if (!name || name->kind != NAME_BUFFER || name->buffer->is_scalar)
        return false;
    struct diag_message *m = diag_report(f->diag, value->loc, KERNEL_SCALAR, "a buffer");
    if (!is_param(f->tir->func, name->buffer)) {
        diag_help(m, "a kernel returns nothing: results are its last parameters, store them there");
        return true;
    }
    diag_help(m, "a kernel returns nothing: `%s` is a result as a parameter", value->name);
    bool is_alone = indentation_of(a->loc).end == a->loc.begin && a == last && def->body_count > 1;
    if (is_alone && location_whole_line(last->loc).begin != location_whole_line(def->loc).begin)
        diag_help_edit(m, line, "%s", "");
    return true;
}

static bool push_return(struct frontend *f, const struct ast *a, const struct ast *value)
{
    struct tir_func *func = f->tir->func;
    struct tir_stmt *stmt = stmt_new(f, TIR_RETURN, a);

    if (value && report_returned(f, a, value))
        return false;
    if (value && value->kind != AST_NONE) {
        struct ir_dtype wanted = func->has_result_annotation ? func->result : IR_VOID;
        stmt->value = scalar_translate(f, value, wanted);
        if (!stmt->value)
            return false;
    }
    stmt_push(f, stmt);
    return true;
}

/* --- assert --- */

static bool add_message_part(struct frontend *f, const struct ast *part, const char **out_message)
{
    if (part->kind != AST_STRING) {
        diag_report(f->diag, part->loc, KERNEL_ARGUMENT, "the message of an assertion",
                    "a string, or (\"Kind\", [\"text\"])");
        return false;
    }
    *out_message = atom_printf(&f->context->atoms, "%s%s", *out_message, part->string);
    return true;
}

/* "text", ["text", ..] or ("Kind", ["text", ..]) */
bool assert_message_translate(struct frontend *f, const struct ast *a, struct tir_stmt *stmt)
{
    const struct ast *parts = a;

    stmt->assertion.message = "";
    if (a->kind == AST_TUPLE && a->item_count == 2 && a->items[0]->kind == AST_STRING) {
        stmt->assertion.kind = a->items[0]->string;
        parts = a->items[1];
    }
    if (parts->kind != AST_LIST && parts->kind != AST_TUPLE)
        return add_message_part(f, parts, &stmt->assertion.message);
    for (unsigned i = 0; i < parts->item_count; i++)
        if (!add_message_part(f, parts->items[i], &stmt->assertion.message))
            return false;
    return true;
}

static bool push_assert(struct frontend *f, const struct ast *a, const struct ast *condition,
                        const struct ast *message)
{
    struct tir_stmt *stmt = stmt_new(f, TIR_ASSERT, a);

    stmt->assertion.condition = scalar_only(f, condition, condition_translate(f, condition));
    if (!stmt->assertion.condition || (message && !assert_message_translate(f, message, stmt)))
        return false;
    stmt_push(f, stmt);
    return true;
}

/* --- calls that are statements --- */

static bool translate_func_attr(struct frontend *f, const struct ast *call)
{
    struct tir_func *func = f->tir->func;
    const struct ast *dict = call_arg(call, 0, "attrs");
    const struct ir_attr *attrs;

    if (f->tir->stmts.count || f->tir->block || f->tir->has_block || f->tir->root_allocs.count) {
        diag_report(f->diag, call->loc, KERNEL_FUNC_ATTR);
        return false;
    }
    if (!dict || dict->kind != AST_DICT) {
        help_dict(f,
                  diag_report(f->diag, call->loc, KERNEL_ARGUMENT, "the argument of T.func_attr",
                              "a dict"),
                  call);
        return false;
    }
    if (!(attrs = attr_translate(f, dict)))
        return false;
    for (unsigned i = 0; i < attrs->count; i++) {
        const struct ir_attr *value = attrs->items[i];
        if (func->attrs && ir_attr_dict_get(func->attrs, attrs->keys[i])) {
            diag_report(f->diag, dict->items[2 * i]->loc, GRAPH_ATTR_TWICE, attrs->keys[i]);
            return false;
        }
        if (strcmp(attrs->keys[i], "s_tir") == 0)
            func->is_s_tir = true;
        else if (strcmp(attrs->keys[i], "global_symbol") != 0 || value->kind != IR_ATTR_STRING ||
                 value->string != func->name)
            func->attrs = ir_attr_dict_with(f->context, func->attrs, attrs->keys[i], value);
    }
    return true;
}

static bool push_evaluate(struct frontend *f, const struct ast *a, const struct ast *value)
{
    bool is_break = is_dotted(f, value, "T.break_loop");

    if (value->kind == AST_CALL && (is_break || is_dotted(f, value, "T.continue_loop")))
        return push_loop_control(f, a, is_break);
    if (value->kind == AST_CALL && is_dotted(f, value, "T.ret") && value->item_count == 2)
        return push_return(f, a, value->items[1]);
    struct tir_stmt *stmt = stmt_new(f, TIR_EVALUATE, a);

    if (value->kind == AST_STRING)
        stmt->value = ir_expr_at(f->context, value->loc, ir_expr_string(f->context, value->string));
    else
        stmt->value = scalar_translate(f, value, IR_VOID);
    if (!stmt->value)
        return false;
    stmt_push(f, stmt);
    return true;
}

/* `A[i] == e` for `A[i] = e`: a value without T.evaluate is computed for nothing. */
static bool report_no_effect(struct frontend *f, const struct ast *a, const struct ast *value)
{
    if (value->kind == AST_ERROR ||
        (value->kind != AST_STRING && !scalar_translate(f, value, IR_VOID)))
        return false;
    struct diag_message *m = diag_report(f->diag, a->loc, KERNEL_NO_EFFECT);
    const struct ast *left = value->kind == AST_COMPARE ? value->items[0] : NULL;
    if (left && value->item_count == 2 && value->ops[0] == AST_EQ &&
        (left->kind == AST_SUBSCRIPT || left->kind == AST_NAME)) {
        struct location sign = {a->loc.source, left->loc.end, value->items[1]->loc.begin};
        while (sign.begin < sign.end && sign.source->text[sign.begin] != '=')
            sign.begin++;
        sign.end = sign.begin + 2;
        diag_help(m, "a store is written with one `=`");
        diag_help_edit(m, sign, "=");
    } else {
        diag_help(m, "store it, `A[i] = ..`, or say that it is meant: `T.evaluate(..)`");
    }
    return false;
}

/* A.vstore([i], value), T.buffer_store(A, value, [i]) */
static bool translate_store_call(struct frontend *f, const struct ast *a, const struct ast *call,
                                 bool is_method)
{
    const struct ast *target = is_method ? call->items[0]->items[0] : call_arg(call, 0, "buffer");
    const struct ast *value = call_arg(call, 1, "value");
    const struct ast *begin = call_arg(call, is_method ? 0 : 2, is_method ? "begin" : "indices");
    const struct ast *predicate = call_arg(call, is_method ? 2 : 3, "predicate");
    struct ir_buffer *buffer = target ? buffer_of(f, target) : NULL;
    struct ast *subscript;

    if (!buffer || !value || !begin) {
        diag_report(f->diag, call->loc, KERNEL_ARGUMENT, "a store",
                    "given a buffer, indices and a value");
        return false;
    }
    bool is_list = begin->kind == AST_LIST || begin->kind == AST_TUPLE;
    subscript = arena_new(&f->arena, struct ast);
    *subscript = (struct ast){.kind = AST_SUBSCRIPT, .loc = call->loc};
    subscript->item_count = 1 + (is_list ? begin->item_count : 1);
    subscript->items = arena_array(&f->arena, struct ast *, subscript->item_count);
    memcpy(&subscript->items[0], &target, sizeof(struct ast *));
    if (is_list)
        memcpy(subscript->items + 1, begin->items, begin->item_count * sizeof(struct ast *));
    else
        memcpy(&subscript->items[1], &begin, sizeof(struct ast *));
    return store_translate(f, a, subscript, value, predicate);
}

static bool translate_call(struct frontend *f, const struct ast *a, const struct ast *call)
{
    const char *name = callee_name(f, call);
    const struct ast *callee = call->items[0];

    if (!call_check_form(f, call))
        return false;
    if (!name && callee->kind == AST_ATTRIBUTE && strcmp(callee->name, "vstore") == 0)
        return translate_store_call(f, a, call, true);
    if (!name)
        return push_evaluate(f, a, call);
    if (strcmp(name, "T.func_attr") == 0)
        return translate_func_attr(f, call);
    if (is_block_signature(f, call))
        return block_signature_translate(f, call);
    if (strcmp(name, "T.evaluate") == 0 && call_arg(call, 0, "value"))
        return push_evaluate(f, a, call_arg(call, 0, "value"));
    if (strcmp(name, "T.ret") == 0 || strcmp(name, "T.Return") == 0)
        return push_return(f, a, call_arg(call, 0, "value"));
    if (strcmp(name, "T.attr") == 0)
        return attr_stmt_translate(f, a, call);
    if (strcmp(name, "T.launch_thread") == 0)
        return launch_translate(f, a, NULL, call);
    if (strcmp(name, "T.Assert") == 0 && call_arg(call, 0, "condition"))
        return push_assert(f, a, call_arg(call, 0, "condition"), call_arg(call, 1, "message"));
    if (strcmp(name, "T.bind") == 0 || strcmp(name, "T.Bind") == 0 ||
        (strcmp(name, "T.LetStmt") == 0 && call_arg(call, UINT16_MAX, "var")))
        return bind_translate(f, a, call_arg(call, UINT16_MAX, "var"), call);
    if (strcmp(name, "T.buffer_store") == 0)
        return translate_store_call(f, a, call, false);
    return push_evaluate(f, a, call);
}

/* --- all of them --- */

static bool report_statement(struct frontend *f, const struct ast *a, const char *what)
{
    struct location loc = a->name_loc.source ? a->name_loc : a->loc;

    diag_report(f->diag, loc, KERNEL_STATEMENT, what);
    return false;
}

/* Statements that describe the block, or declare, leave its body empty. */
static bool is_body_statement(struct frontend *f, const struct ast *a)
{
    if (a->kind == AST_ASSIGN && a->items[1]->kind == AST_CALL)
        return a->items[0]->kind == AST_SUBSCRIPT;
    if (a->kind == AST_WITH)
        return !is_dotted(f, a->items[0], "T.init");
    return a->kind == AST_FOR || a->kind == AST_WHILE || a->kind == AST_IF ||
           a->kind == AST_AUG_ASSIGN || a->kind == AST_ASSIGN;
}

static bool translate_statement(struct frontend *f, const struct ast *a)
{
    bool has_no_else;

    switch (a->kind) {
    case AST_EXPR:
        if (a->items[0]->kind == AST_STRING) /* a docstring */
            return true;
        if (a->items[0]->kind == AST_CALL)
            return translate_call(f, a, a->items[0]);
        return report_no_effect(f, a, a->items[0]);
    case AST_ASSIGN:
    case AST_ANN_ASSIGN:
    case AST_AUG_ASSIGN:
        return assign_translate(f, a);
    case AST_FOR: /* both, to say all that is wrong */
        has_no_else = check_no_else(f, a);
        return for_translate(f, a) && has_no_else;
    case AST_WHILE:
        has_no_else = check_no_else(f, a);
        return translate_while(f, a) && has_no_else;
    case AST_IF:
        return translate_if(f, a);
    case AST_WITH:
        return with_translate(f, a);
    case AST_RETURN:
        return push_return(f, a, a->items[0]);
    case AST_ASSERT:
        return push_assert(f, a, a->items[0], a->items[1]);
    case AST_BREAK:
    case AST_CONTINUE:
        return push_loop_control(f, a, a->kind == AST_BREAK);
    case AST_PASS:
        return true;
    case AST_DEF:
        return report_statement(f, a, "a function");
    case AST_CLASS:
        return report_statement(f, a, "a class");
    default:
        return report_statement(f, a, "this");
    }
}

void tir_suite(struct frontend *f, struct ast *const *body, unsigned count)
{
    for (unsigned i = 0; i < count && !diag_is_full(f->diag); i++) {
        if (!translate_statement(f, body[i]))
            f->tir->has_failed = true;
        if (f->tir->block && is_body_statement(f, body[i]))
            f->tir->block->has_body = true;
    }
}
