/* Statements with a scope: with ..: and the calls that open the rest of their suite. */
#include "frontend/tvmscript/tir.h"

#include <string.h>

/* --- T.attr --- */

static bool read_attr(struct frontend *f, const struct ast *call, struct tir_stmt *stmt)
{
    static const char *const names[] = {"node", "attr_key", "value", NULL};
    const struct ast *node = call_arg(call, 0, "node"), *key = call_arg(call, 1, "attr_key");
    const struct ast *value = call_arg(call, 2, "value");

    if (!call_check_args(f, call, 3, names))
        return false;
    if (!node || !key || key->kind != AST_STRING || !value) {
        diag_report(f->diag, call->loc, KERNEL_ARGUMENT, "T.attr",
                    "given a node, a key (a string) and a value");
        return false;
    }
    stmt->attr.node = attr_translate(f, node);
    stmt->attr.key = key->string;
    stmt->attr.value =
        value->kind == AST_STRING
            ? ir_expr_at(f->context, value->loc, ir_expr_string(f->context, value->string))
            : scalar_translate(f, value, IR_VOID);
    return stmt->attr.node && stmt->attr.value;
}

bool attr_stmt_translate(struct frontend *f, const struct ast *a, const struct ast *call)
{
    struct tir_stmt *stmt = stmt_new(f, TIR_ATTR, a);

    return read_attr(f, call, stmt) && stmt_open(f, stmt);
}

/* --- T.launch_thread --- */

static const struct ir_var *thread_var(struct frontend *f, const struct ast *thread,
                                       const struct ast *target, struct ir_dtype dtype,
                                       const char **out_tag)
{
    if (thread->kind == AST_STRING) {
        bool is_named = target && target->kind == AST_NAME;
        struct ir_var *var = ir_symbol_new(f->context, is_named ? target->name : "v", dtype);
        var->is_symbol = false;
        var->loc = is_named ? target->loc : thread->loc;
        *out_tag = thread->string;
        return var;
    }
    const struct name *name = thread->kind == AST_NAME ? scope_use(f, thread) : NULL;
    for (size_t i = 0; name && i < f->tir->threads.count; i++)
        if (f->tir->threads.items[i].var == name->var) {
            *out_tag = f->tir->threads.items[i].tag;
            return name->var;
        }
    diag_report(f->diag, thread->loc, KERNEL_ARGUMENT, "the thread",
                "a name such as \"threadIdx.x\", or a T.env_thread(..)");
    return NULL;
}

static bool read_launch(struct frontend *f, const struct ast *call, const struct ast *target,
                        struct tir_stmt *stmt)
{
    static const char *const names[] = {"thread", "extent", NULL};
    const struct ast *thread = call_arg(call, 0, "thread"), *extent = call_arg(call, 1, "extent");

    if (!call_check_args(f, call, 2, names))
        return false;
    if (!thread || !extent) {
        diag_report(f->diag, call->loc, ARG_MISSING, thread ? "extent" : "thread");
        return false;
    }
    stmt->launch.extent = index_translate(f, extent);
    if (!stmt->launch.extent)
        return false;
    stmt->launch.var =
        thread_var(f, thread, target, stmt->launch.extent->dtype, &stmt->launch.thread);
    if (!stmt->launch.var)
        return false;
    stmt->launch.extent = tir_convert(f, stmt->launch.extent, stmt->launch.var->dtype);
    if (target && target->kind == AST_NAME)
        scope_bind(f, NAME_VAR, target->name, target->loc)->var = stmt->launch.var;
    return true;
}

bool launch_translate(struct frontend *f, const struct ast *a, const struct ast *target,
                      const struct ast *call)
{
    struct tir_stmt *stmt = stmt_new(f, TIR_LAUNCH_THREAD, a);

    return read_launch(f, call, target, stmt) && stmt_open(f, stmt);
}

/* --- with --- */

/* with T.attr(..): and with T.launch_thread(..) as v: the body is the suite. */
static bool with_scope(struct frontend *f, const struct ast *a, enum tir_stmt_kind kind)
{
    struct tir_stmt *stmt = stmt_new(f, kind, a);
    size_t names = scope_push(f);
    bool done = kind == TIR_ATTR ? read_attr(f, a->items[0], stmt)
                                 : read_launch(f, a->items[0], a->items[1], stmt);

    if (!tir_enter(f, a->loc))
        return false;
    struct tir_stmt *body = tir_scope(f, a->body, a->body_count);
    f->tir->depth--;
    scope_pop(f, names);
    if (kind == TIR_ATTR)
        stmt->attr.body = body;
    else
        stmt->launch.body = body;
    stmt_push(f, stmt);
    return done;
}

/* What is visible in the suite only, but is no statement with a body in the IR. */
static bool with_flat(struct frontend *f, const struct ast *a,
                      bool (*open)(struct frontend *, const struct ast *))
{
    size_t names = scope_push(f);
    bool done = open(f, a);

    if (!tir_enter(f, a->loc))
        return false;
    size_t frames = f->tir->frames.count;
    tir_suite(f, a->body, a->body_count);
    if (f->tir->frames.count > frames) { /* they end with this suite */
        size_t mark = f->tir->frames.items[frames].mark;
        stmt_push(f, tir_suite_end(f, mark, frames));
    }
    f->tir->depth--;
    scope_pop(f, names);
    return done;
}

static bool open_allocation(struct frontend *f, const struct ast *a)
{
    const struct ast *target = a->items[1];

    if (!target || target->kind != AST_NAME) {
        diag_report(f->diag, a->items[0]->loc, SYNTAX_EXPECTED, "`as` and a name", "none");
        return false;
    }
    return allocation_translate(f, a, target, a->items[0]);
}

/* with T.LetStmt(e) as v: */
static bool open_let(struct frontend *f, const struct ast *a)
{
    const struct ast *value = call_arg(a->items[0], 0, "value"), *target = a->items[1];
    const struct ir_expr *expr = value ? scalar_translate(f, value, IR_VOID) : NULL;
    const struct ast *bound = call_arg(a->items[0], UINT16_MAX, "var");

    if (bound && bound->kind == AST_NAME)
        target = bound;
    else
        bound = NULL; /* var=T.handle("float32"): its type, which the value has anyway */
    if (!value || !target || target->kind != AST_NAME) {
        diag_report(f->diag, a->items[0]->loc, SYNTAX_EXPECTED, "a value, `as` and a name", "less");
        return false;
    }
    if (!expr) {
        scope_bind(f, NAME_ERROR, target->name, target->loc);
        return false;
    }
    struct tir_stmt *stmt = stmt_new(f, TIR_LET, a);
    struct ir_var *var = ir_symbol_new(f->context, target->name, expr->dtype);
    const struct name *declared = bound ? scope_use(f, bound) : NULL;
    var->is_symbol = false;
    var->loc = target->loc;
    pointer_describe_value(f, var, expr);
    stmt->let.var = declared && declared->kind == NAME_VAR ? declared->var : var;
    stmt->let.value = expr;
    stmt_push(f, stmt);
    scope_bind(f, NAME_VAR, target->name, target->loc)->var = stmt->let.var;
    return true;
}

static bool open_assert(struct frontend *f, const struct ast *a)
{
    const struct ast *call = a->items[0];
    struct tir_stmt *stmt = stmt_new(f, TIR_ASSERT, a);
    const struct ast *condition = call_arg(call, 0, "condition");
    const struct ast *message = call_arg(call, 1, "message");

    if (!condition) {
        diag_report(f->diag, call->loc, ARG_MISSING, "condition");
        return false;
    }
    stmt->assertion.condition = scalar_only(f, condition, condition_translate(f, condition));
    if (!stmt->assertion.condition || (message && !assert_message_translate(f, message, stmt)))
        return false;
    stmt_push(f, stmt);
    return true;
}

bool with_translate(struct frontend *f, const struct ast *a)
{
    const struct ast *call = a->items[0];
    const char *name = callee_name(f, call);

    f->tir->has_failed |= !call_check_form(f, call);
    if (name && (strcmp(name, "T.sblock") == 0 || strcmp(name, "T.block") == 0)) {
        if (!a->items[1])
            return block_translate(f, a);
        diag_report(f->diag, a->items[1]->loc, SYNTAX_EXPECTED, "`:`", "`as`");
        return false;
    }
    if (is_dotted(f, call, "T.init") && call->kind != AST_CALL) {
        report_uncalled(f, call, "T.init");
        f->tir->has_failed = true;
        return init_translate(f, a);
    }
    if (name && strcmp(name, "T.init") == 0)
        return init_translate(f, a);
    if (name && strcmp(name, "T.attr") == 0)
        return with_scope(f, a, TIR_ATTR);
    if (name && strcmp(name, "T.launch_thread") == 0)
        return with_scope(f, a, TIR_LAUNCH_THREAD);
    if (name && (strcmp(name, "T.LetStmt") == 0 || strcmp(name, "T.let") == 0 ||
                 strcmp(name, "T.Bind") == 0))
        return with_flat(f, a, open_let);
    if (name && strcmp(name, "T.Assert") == 0)
        return with_flat(f, a, open_assert);
    if (is_allocation(f, call))
        return with_flat(f, a, open_allocation);
    struct diag_message *m =
        diag_report(f->diag, call->loc, KERNEL_WITH, name ? name : describe_ast(call));
    const struct ast *callee = call->kind == AST_CALL ? call->items[0] : NULL;
    const char *typed = name ? name
                        : callee && callee->kind == AST_NAME
                            ? arena_printf(&f->arena, "T.%s", callee->name)
                        : callee && callee->kind == AST_ATTRIBUTE
                            ? arena_printf(&f->arena, "T.%s", callee->name) /* Ts.sblock */
                            : "";
    struct text_nearest nearest = text_nearest_to(typed);
    static const char *const opened[] = {"T.sblock", "T.init", "T.attr", "T.launch_thread"};
    for (size_t i = 0; i < ARRAY_SIZE(opened); i++)
        text_nearest_offer(&nearest, opened[i]);
    if (call->kind == AST_CALL)
        diag_help_nearest(m, call->items[0]->loc, "", &nearest);
    diag_help(m, "`with` opens T.sblock(..), T.init(), T.attr(..) or T.launch_thread(..)");
    return false;
}
