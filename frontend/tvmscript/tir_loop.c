/* Loops: range, T.grid, T.serial, T.parallel, T.vectorized, T.unroll, T.thread_binding. */
#include "frontend/tvmscript/tir.h"
#include "ir/arith.h"

#include <string.h>

struct loop {
    const struct ir_expr *min, *extent, *step;
};

static const struct {
    const char *name;
    enum tir_for_kind kind;
} loop_kinds[] = {
    {"T.serial", TIR_SERIAL},
    {"T.parallel", TIR_PARALLEL},
    {"T.vectorized", TIR_VECTORIZED},
    {"T.vectorize", TIR_VECTORIZED},
    {"T.unroll", TIR_UNROLLED},
    {"T.unrolled", TIR_UNROLLED},
    {"T.thread_binding", TIR_THREAD_BINDING},
};

/* The loop whose name is right but for what stands in front of it: `grid(..)`, `T.range(..)`, `np.arange(..)`; or NULL. */
static const char *loop_of_word(const struct ast *call)
{
    const struct ast *callee = call->kind == AST_CALL ? call->items[0] : NULL;

    if (!callee || (callee->kind != AST_NAME && callee->kind != AST_ATTRIBUTE))
        return NULL;
    if (strcmp(callee->name, "range") == 0 || strcmp(callee->name, "arange") == 0)
        return "range";
    if (strcmp(callee->name, "grid") == 0)
        return "T.grid";
    for (size_t i = 0; i < ARRAY_SIZE(loop_kinds); i++)
        if (strcmp(callee->name, loop_kinds[i].name + 2) == 0)
            return loop_kinds[i].name;
    return NULL;
}

/* `for i in n`, and names of loops with a slip. */
static void help_loop(struct diag_message *m, const struct ast *a, const char *name)
{
    const char *word =
        a->kind == AST_CALL && a->items[0]->kind == AST_NAME ? a->items[0]->name : "";
    struct text_nearest nearest = text_nearest_to(name ? name : word);

    if (a->kind == AST_INT || a->kind == AST_NAME || a->kind == AST_BINARY) {
        diag_help(m, "write `range(..)`");
        diag_help_wrap(m, a->loc, "range(", ")");
        return;
    }
    const char *meant = loop_of_word(a);
    text_nearest_offer(&nearest, "range");
    text_nearest_offer(&nearest, "T.grid");
    for (size_t i = 0; i < ARRAY_SIZE(loop_kinds); i++)
        text_nearest_offer(&nearest, loop_kinds[i].name);
    if (meant)
        nearest.found = meant;
    if (!nearest.found || a->kind != AST_CALL)
        return;
    diag_help(m, "there is `%s`", nearest.found);
    diag_help_edit(m, a->items[0]->loc, "%s", nearest.found);
}

/* `T.grid((4, 8))`: the extents of so many loops stand in a list. */
static void help_spread(struct diag_message *m, const struct ast *call, unsigned loops)
{
    const struct ast *list = call->item_count == 2 ? call->items[1] : NULL;

    if (!list || (list->kind != AST_TUPLE && list->kind != AST_LIST) || list->item_count != loops)
        return;
    diag_help(m, "the extents stand in no list");
    diag_help_edit(m, list->loc, "%.*s",
                   LOCATION_TEXT(location_join(list->items[0]->loc, list->items[loops - 1]->loc)));
}

/* start:stop as min and extent, of one dtype; @start NULL: 0. */
static bool read_bounds(struct frontend *f, const struct ast *start, const struct ast *stop,
                        struct loop *out)
{
    const struct ir_expr *upper, *lower;

    if (start) {
        if (!operands_translate(f, start, stop, &lower, &upper))
            return false;
    } else {
        upper = scalar_translate(f, stop, IR_VOID);
        lower = upper ? ir_expr_int(f->context, upper->dtype, 0) : NULL;
    }
    if (!upper || !lower)
        return false;
    if (!ir_dtype_is_int(upper->dtype) || !ir_dtype_is_int(lower->dtype)) {
        bool is_upper = !start || !ir_dtype_is_int(upper->dtype);
        report_not_integer(f, is_upper ? stop : start, "the bound of a loop",
                           is_upper ? upper->dtype : lower->dtype);
        return false;
    }
    if (!scalar_only(f, stop, upper) || (start && !scalar_only(f, start, lower)) ||
        !tir_match(f, stop->loc, &lower, &upper))
        return false;
    out->min = lower;
    out->extent =
        ir_expr_is_int(lower, 0)
            ? upper
            : ir_simplify(f->context, ir_expr_binary(f->context, IR_EXPR_sub, upper, lower));
    return true;
}

/* `range(n - 1, -1, -1)` goes through `range(n)`, the other way round. */
static void help_upwards(struct diag_message *m, const struct ast *call, int64_t step)
{
    const struct ast *start = call->item_count == 4 ? call->items[1] : NULL;
    int64_t first, stop, one;

    if (!start || call->items[0]->kind != AST_NAME || call_positional_count(call) != 3 ||
        step >= 0 || !ast_int_literal(call->items[2], &stop))
        return;
    struct location all = location_join(start->loc, call->items[3]->loc);
    bool is_last = start->kind == AST_BINARY && start->op == AST_SUB &&
                   ast_int_literal(start->items[1], &one) && one == 1;
    diag_help(m, "the same indices in rising order; what counts down is written `last - i`");
    if (is_last && stop == -1 && step == -1)
        diag_help_edit(m, all, "%.*s", LOCATION_TEXT(start->items[0]->loc));
    else if (ast_int_literal(start, &first) && first > stop && first < 1000000 && stop > -1000000 &&
             step > -1000000) {
        int64_t lowest = first + (first - stop - 1) / -step * step;
        if (step == -1 && lowest == 0)
            diag_help_edit(m, all, "%lld", (long long)first + 1);
        else if (step == -1)
            diag_help_edit(m, all, "%lld, %lld", (long long)lowest, (long long)first + 1);
        else
            diag_help_edit(m, all, "%lld, %lld, %lld", (long long)lowest, (long long)first + 1,
                           (long long)-step);
    }
    diag_help_unsure(m); /* the order may matter */
}

/* @call: of the loop, whose step is @step. */
static bool read_step(struct frontend *f, const struct ast *call, const struct ast *step,
                      struct loop *out)
{
    if (!step || step->kind == AST_NONE)
        return true;
    const struct ir_expr *value = scalar_translate(f, step, out->extent->dtype);
    if (!value || !ir_dtype_is_int(value->dtype)) {
        if (value)
            diag_report(f->diag, step->loc, KERNEL_INDEX_TYPE, "the step of a loop",
                        dtype_text(f, value->dtype));
        return false;
    }
    if (!scalar_only(f, step, value))
        return false;
    if (value->kind == IR_EXPR_int && value->int_value < 1) {
        help_upwards(diag_report(f->diag, step->loc, KERNEL_STEP, (long long)value->int_value),
                     call, value->int_value);
        return false;
    }
    if (!ir_expr_is_int(value, 1))
        out->step = tir_convert(f, value, out->extent->dtype);
    return true;
}

static const struct ir_var *loop_var(struct frontend *f, const struct ast *target,
                                     const struct loop *loop)
{
    struct ir_var *var = ir_symbol_new(f->context, target->name, loop->extent->dtype);

    var->is_symbol = false;
    var->loc = target->loc;
    array_push(&f->tir->loops, (struct tir_loop){var, loop->min, loop->extent});
    return var;
}

static struct tir_stmt *new_loop(struct frontend *f, const struct ast *a, const struct ir_var *var,
                                 const struct loop *loop, enum tir_for_kind kind)
{
    struct tir_stmt *stmt = stmt_new(f, TIR_FOR, a);

    stmt->loop.var = var;
    stmt->loop.min = loop->min;
    stmt->loop.extent = loop->extent;
    stmt->loop.step = loop->step;
    stmt->loop.kind = kind;
    return stmt;
}

/* The body below @innermost, with the names that are bound since @mark. */
static bool finish_loop(struct frontend *f, const struct ast *a, struct tir_stmt *outermost,
                        struct tir_stmt *innermost, size_t names, size_t loops)
{
    if (!tir_enter(f, a->loc))
        return false;
    f->tir->loop_depth++;
    innermost->loop.body = tir_scope(f, a->body, a->body_count);
    f->tir->loop_depth--;
    f->tir->depth--;
    scope_pop(f, names);
    f->tir->loops.count = loops;
    stmt_push(f, outermost);
    return true;
}

/* --- one loop --- */

static bool read_annotations(struct frontend *f, const struct ast *call, struct tir_stmt *stmt)
{
    const struct ast *annotations = call_arg(call, UINT16_MAX, "annotations");
    const struct ast *unroll = call_arg(call, UINT16_MAX, "unroll");
    const struct ir_attr *value;

    if (annotations && annotations->kind != AST_NONE) {
        if (annotations->kind != AST_DICT) {
            diag_report(f->diag, annotations->loc, KERNEL_ARGUMENT, "`annotations`", "a dict");
            return false;
        }
        if (!(stmt->loop.annotations = attr_translate(f, annotations)))
            return false;
    }
    if (!unroll || unroll->kind == AST_NONE)
        return true;
    if (!(value = attr_translate(f, unroll)))
        return false;
    bool is_off = unroll->kind == AST_FALSE;
    stmt->loop.annotations = ir_attr_dict_with(f->context, stmt->loop.annotations,
                                               is_off ? "disable_unroll" : "pragma_unroll",
                                               is_off ? ir_attr_bool(f->context, true) : value);
    return true;
}

static bool read_thread(struct frontend *f, const struct ast *call, const struct ast *thread,
                        struct tir_stmt *stmt)
{
    if (!thread || thread->kind != AST_STRING) {
        diag_report(f->diag, call->loc, KERNEL_ARGUMENT, "`thread`",
                    "a name such as \"threadIdx.x\"");
        return false;
    }
    stmt->loop.thread = thread->string;
    return true;
}

static bool single_loop(struct frontend *f, const struct ast *a, enum tir_for_kind kind,
                        bool is_range)
{
    static const char *const names[] = {"start", "stop",   "thread", "annotations",
                                        "step",  "unroll", "dtype",  NULL};
    const struct ast *call = a->items[1], *target = a->items[0];
    const struct ast *start = call_arg(call, 0, "start"), *stop = call_arg(call, 1, "stop");
    const struct ast *thread = call_arg(call, 2, "thread");
    size_t mark = scope_push(f), loops = f->tir->loops.count;
    struct loop loop = {0};

    if (!call_check_args(f, call, is_range || kind == TIR_THREAD_BINDING ? 3 : 2, names))
        return false;
    if (stop && stop->kind == AST_STRING && !thread) { /* T.thread_binding(n, "threadIdx.x") */
        thread = stop;
        stop = NULL;
    }
    if (!start) {
        diag_report(f->diag, call->loc, ARG_MISSING, "stop");
        return false;
    }
    if (target->kind != AST_NAME) {
        struct diag_message *m = diag_report(f->diag, target->loc, KERNEL_LOOP_TARGETS,
                                             target->item_count, PLURAL(target->item_count), 1, "");
        bool is_from_zero = start->kind == AST_INT && start->integer == 0;
        if (call_positional_count(call) == target->item_count && !is_from_zero) {
            diag_help(m, "several loops are a T.grid");
            diag_help_edit(m, call->items[0]->loc, "T.grid");
        }
        return false;
    }
    if (!read_bounds(f, stop ? start : NULL, stop ? stop : start, &loop) ||
        !read_step(f, call,
                   is_range ? call_arg(call, 2, "step") : call_arg(call, UINT16_MAX, "step"),
                   &loop))
        loop.extent = NULL;
    if (!loop.extent) { /* the body is read for its own mistakes */
        loop.min = ir_expr_int(f->context, IR_I32, 0);
        loop.extent = ir_expr_int(f->context, IR_I32, 1);
        f->tir->has_failed = true;
    }
    const struct ir_var *var = loop_var(f, target, &loop);
    struct tir_stmt *stmt = new_loop(f, a, var, &loop, kind);
    scope_bind(f, NAME_VAR, target->name, target->loc)->var = var;
    bool done = read_annotations(f, call, stmt) &&
                (kind != TIR_THREAD_BINDING || read_thread(f, call, thread, stmt));
    return finish_loop(f, a, stmt, stmt, mark, loops) && done;
}

/* --- T.grid --- */

struct extents {
    struct loop *items;
    size_t count, capacity;
};

static bool add_extent(struct frontend *f, const struct ast *a, struct extents *out)
{
    struct loop loop = {0};
    bool is_pair = a->kind == AST_TUPLE && a->item_count == 2;

    if (a->kind == AST_STARRED) { /* T.grid(*A.shape) */
        const struct ir_expr *const *items;
        unsigned count;
        if (!scalars_translate(f, a->items[0], IR_VOID, &items, &count))
            return false;
        for (unsigned i = 0; i < count; i++) {
            loop = (struct loop){ir_expr_int(f->context, items[i]->dtype, 0), items[i], NULL};
            array_push(out, loop);
        }
        return true;
    }
    if (is_pair) { /* (start, extent) */
        loop.min = index_translate(f, a->items[0]);
        loop.extent = index_translate(f, a->items[1]);
        if (!loop.min || !loop.extent || !tir_match(f, a->loc, &loop.min, &loop.extent))
            return false;
    } else if (!read_bounds(f, NULL, a, &loop)) {
        return false;
    }
    array_push(out, loop);
    return true;
}

/* The name of loop @i of @count: a tuple names them one by one, one name all of them. */
static void bind_grid(struct frontend *f, const struct ast *target, const struct ir_var **vars,
                      unsigned count)
{
    if (target->kind == AST_NAME && count != 1) {
        const struct ir_expr **items = arena_array(&f->arena, const struct ir_expr *, count + 1);
        for (unsigned i = 0; i < count; i++)
            items[i] = ir_expr_var(f->context, vars[i]);
        struct name *name = scope_bind(f, NAME_TUPLE, target->name, target->loc);
        name->items = items;
        name->item_count = count;
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        const struct ast *one = target->kind == AST_NAME ? target : target->items[i];
        scope_bind(f, NAME_VAR, one->name, one->loc)->var = vars[i];
    }
}

static bool build_grid(struct frontend *f, const struct ast *a, const struct extents *extents)
{
    const struct ast *target = a->items[0];
    unsigned count = (unsigned)extents->count;
    size_t mark = scope_push(f), loops = f->tir->loops.count;
    const struct ir_var **vars = arena_array(&f->arena, const struct ir_var *, count + 1);
    struct tir_stmt *outermost = NULL, *innermost = NULL;

    for (unsigned i = 0; i < count; i++) {
        const struct ast *one = target->kind == AST_NAME ? target : target->items[i];
        struct ast named = *one;
        if (target->kind == AST_NAME && count > 1)
            named.name = atom_printf(&f->context->atoms, "%s_%u", target->name, i);
        vars[i] = loop_var(f, &named, &extents->items[i]);
        struct tir_stmt *stmt = new_loop(f, a, vars[i], &extents->items[i], TIR_SERIAL);
        if (innermost)
            innermost->loop.body = stmt;
        else
            outermost = stmt;
        innermost = stmt;
    }
    bind_grid(f, target, vars, count);
    f->tir->depth += count;
    bool done = finish_loop(f, a, outermost, innermost, mark, loops);
    f->tir->depth -= count;
    return done;
}

/* `T.grid([4, 8])`; true after a report. */
static bool report_listed(struct frontend *f, const struct ast *target, const struct ast *call)
{
    const struct ast *list = call->item_count == 2 ? call->items[1] : NULL;
    unsigned names = target->kind == AST_TUPLE || target->kind == AST_LIST ? target->item_count : 1;

    if (!list || list->kind != AST_LIST || names != list->item_count)
        return false;
    help_spread(diag_report(f->diag, list->loc, KERNEL_ARGUMENT, "T.grid",
                            "given the extents of its loops"),
                call, names);
    return true;
}

static bool grid(struct frontend *f, const struct ast *a)
{
    const struct ast *target = a->items[0], *call = a->items[1];
    unsigned positional = call_positional_count(call);
    struct extents extents = {0};
    bool done = true;

    if (report_listed(f, target, call))
        return false;
    for (unsigned i = 0; i < positional && done; i++)
        done = add_extent(f, call->items[i + 1], &extents);
    if (done && (extents.count == 0 || positional + 1 != call->item_count)) {
        diag_report(f->diag, call->loc, KERNEL_ARGUMENT, "T.grid",
                    "given the extents of its loops");
        done = false;
    }
    bool is_list = target->kind != AST_NAME;
    unsigned names = is_list ? target->item_count : 1;
    if (done && is_list && names != extents.count) {
        struct diag_message *m =
            diag_report(f->diag, target->loc, KERNEL_LOOP_TARGETS, names, PLURAL(names),
                        (unsigned)extents.count, PLURAL(extents.count));
        help_spread(m, call, names);
        help_grid_extent(f, m, a);
        done = false;
    }
    if (done && extents.count + f->tir->depth >= AST_DEPTH_LIMIT) {
        diag_report(f->diag, call->loc, SYNTAX_NESTING, AST_DEPTH_LIMIT);
        done = false;
    }
    done = done && build_grid(f, a, &extents);
    array_finish(&extents);
    return done;
}

/* What the loops behind count on: the target is a name, or a tuple or a list of names. */
static bool check_names(struct frontend *f, const struct ast *target)
{
    bool is_list = target->kind == AST_TUPLE || target->kind == AST_LIST;

    for (unsigned i = 0; i < (is_list ? target->item_count : 1); i++) {
        const struct ast *one = is_list ? target->items[i] : target;
        if (one->kind != AST_NAME) {
            diag_report(f->diag, one->loc, SYNTAX_EXPECTED, "the name of the loop's variable",
                        describe_ast(one));
            return false;
        }
    }
    return true;
}

bool for_translate(struct frontend *f, const struct ast *a)
{
    const struct ast *call = a->items[1];
    const char *name = callee_name(f, call);

    if (!check_names(f, a->items[0]))
        return false;

    if (call->kind == AST_CALL && call->items[0]->kind == AST_NAME &&
        strcmp(call->items[0]->name, "range") == 0 && !scope_use(f, call->items[0]))
        return single_loop(f, a, TIR_SERIAL, true);
    if (name && strcmp(name, "T.grid") == 0)
        return grid(f, a);
    for (size_t i = 0; name && i < ARRAY_SIZE(loop_kinds); i++)
        if (strcmp(name, loop_kinds[i].name) == 0)
            return single_loop(f, a, loop_kinds[i].kind, false);
    struct diag_message *m = diag_report(f->diag, call->loc, KERNEL_LOOP, describe_ast(call));
    help_loop(m, call, name);
    diag_help(m, "loops run over range(n), T.grid(m, n), T.serial(n), T.parallel(n), "
                 "T.vectorized(n), T.unroll(n) or T.thread_binding(n, thread=\"threadIdx.x\")");
    return false;
}
