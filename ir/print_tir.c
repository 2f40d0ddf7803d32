/* Kernels: signature and statements. */
#include "ir/module.h"
#include "ir/printer.h"

#include <assert.h>
#include <string.h>

static void put_body(struct printer *p, const struct tir_stmt *stmt);

static const struct tir_stmt *unwrap(const struct tir_stmt *stmt)
{
    while (stmt->kind == TIR_SEQ && stmt->seq.count == 1)
        stmt = stmt->seq.items[0];
    return stmt;
}

static void put_suite(struct printer *p, const struct tir_stmt *stmt)
{
    p->indent++;
    put_body(p, stmt);
    p->indent--;
}

static void enter_loop(struct printer *p, const struct tir_stmt *stmt)
{
    map_set(&p->loops, stmt->loop.var, stmt);
}

static void leave_loop(struct printer *p, const struct tir_stmt *stmt)
{
    map_set(&p->loops, stmt->loop.var, NULL);
}

static bool has_items(const struct ir_attr *dict)
{
    return dict != NULL && dict->count > 0;
}

static bool is_plain_loop(const struct tir_stmt *stmt)
{
    return stmt->kind == TIR_FOR && stmt->loop.kind == TIR_SERIAL &&
           ir_expr_is_int(stmt->loop.min, 0) && stmt->loop.step == NULL &&
           !has_items(stmt->loop.annotations);
}

/* Does the extent of @loop depend on a loop from @first on? */
static bool depends_on_grid(const struct tir_stmt *first, const struct tir_stmt *loop)
{
    for (const struct tir_stmt *l = first; l != loop; l = unwrap(l->loop.body))
        if (ir_expr_uses_var(loop->loop.extent, l->loop.var))
            return true;
    return false;
}

/* How many perfectly nested loops from @stmt on print as one T.grid. */
static unsigned grid_depth(const struct tir_stmt *stmt)
{
    unsigned count = 0;
    for (const struct tir_stmt *l = stmt; is_plain_loop(l) && !depends_on_grid(stmt, l);
         l = unwrap(l->loop.body))
        count++;
    return count;
}

static void put_grid(struct printer *p, const struct tir_stmt *stmt, unsigned depth)
{
    size_t mark = printer_mark(p);
    struct text extents = {0}, *out = p->out;
    const struct tir_stmt *loop = stmt;
    printer_line(p);
    text_puts(p->out, "for ");
    for (unsigned i = 0; i < depth; i++) {
        const struct ir_var *var = loop->loop.var;
        text_printf(out, "%s%s", i > 0 ? ", " : "", printer_define(p, var, var->name, "v"));
        p->out = &extents;
        text_puts(p->out, i > 0 ? ", " : "");
        printer_put_expr(p, loop->loop.extent);
        p->out = out;
        enter_loop(p, loop);
        if (i + 1 < depth)
            loop = unwrap(loop->loop.body);
    }
    text_puts(out, " in ");
    printer_put_tir(p, "grid(");
    text_printf(out, "%s):\n", text_string(&extents));
    text_finish(&extents);
    put_suite(p, loop->loop.body);
    for (const struct tir_stmt *l = stmt;; l = unwrap(l->loop.body)) {
        leave_loop(p, l);
        if (l == loop)
            break;
    }
    printer_release(p, mark);
}

static void put_loop_range(struct printer *p, const struct tir_stmt *stmt)
{
    if (!ir_expr_is_int(stmt->loop.min, 0) || stmt->loop.step != NULL) {
        printer_put_expr(p, stmt->loop.min);
        text_puts(p->out, ", ");
        printer_put_sum(p, stmt->loop.min, stmt->loop.extent);
    } else
        printer_put_expr(p, stmt->loop.extent);
}

static void put_for(struct printer *p, const struct tir_stmt *stmt)
{
    static const char *const kinds[] = {
        [TIR_SERIAL] = "serial",
        [TIR_PARALLEL] = "parallel",
        [TIR_VECTORIZED] = "vectorized",
        [TIR_UNROLLED] = "unroll",
        [TIR_THREAD_BINDING] = "thread_binding",
    };
    unsigned depth = grid_depth(stmt);
    if (depth > 1) {
        put_grid(p, stmt, depth);
        return;
    }
    size_t mark = printer_mark(p);
    bool is_range = stmt->loop.kind == TIR_SERIAL && !has_items(stmt->loop.annotations);
    printer_line(p);
    const char *name = printer_define(p, stmt->loop.var, stmt->loop.var->name, "v");
    text_printf(p->out, "for %s in ", name);
    if (is_range)
        text_puts(p->out, "range");
    else
        printer_put_tir(p, kinds[stmt->loop.kind]);
    text_putc(p->out, '(');
    put_loop_range(p, stmt);
    if (stmt->loop.thread != NULL) {
        text_puts(p->out, ", thread=");
        printer_put_string(p->out, stmt->loop.thread);
    }
    if (has_items(stmt->loop.annotations)) {
        text_puts(p->out, ", annotations=");
        printer_put_attr(p, stmt->loop.annotations);
    }
    if (stmt->loop.step != NULL) {
        text_puts(p->out, is_range ? ", " : ", step=");
        printer_put_expr(p, stmt->loop.step);
    }
    text_puts(p->out, "):\n");
    enter_loop(p, stmt);
    put_suite(p, stmt->loop.body);
    leave_loop(p, stmt);
    printer_release(p, mark);
}

/* An axis that runs over all of one loop: what T.axis.remap can say. */
static bool is_remapped(const struct printer *p, const struct tir_axis *axis)
{
    if (axis->kind != TIR_SPATIAL && axis->kind != TIR_REDUCE)
        return false;
    if (axis->value->kind != IR_EXPR_var)
        return false;
    const struct tir_stmt *loop = map_get(&p->loops, axis->value->var);
    return loop != NULL && ir_expr_equal(loop->loop.min, axis->min) &&
           ir_expr_equal(loop->loop.extent, axis->extent);
}

static void put_axis(struct printer *p, const struct tir_axis *axis)
{
    static const char *const kinds[] = {
        [TIR_SPATIAL] = "axis.spatial(",
        [TIR_REDUCE] = "axis.reduce(",
        [TIR_SCAN] = "axis.scan(",
        [TIR_OPAQUE] = "axis.opaque(",
    };
    struct text rhs = {0}, *out = p->out;
    p->out = &rhs;
    printer_put_tir(p, kinds[axis->kind]);
    if (ir_expr_is_int(axis->min, 0))
        printer_put_expr(p, axis->extent);
    else {
        text_putc(p->out, '(');
        printer_put_expr(p, axis->min);
        text_puts(p->out, ", ");
        printer_put_sum(p, axis->min, axis->extent);
        text_putc(p->out, ')');
    }
    text_puts(p->out, ", ");
    printer_put_expr(p, axis->value);
    text_putc(p->out, ')');
    p->out = out;
    printer_line(p);
    const char *name = printer_define(p, axis->var, axis->var->name, "v");
    text_printf(p->out, "%s = %s\n", name, text_string(&rhs));
    text_finish(&rhs);
}

static void put_remap(struct printer *p, const struct tir_axis *axes, unsigned count)
{
    printer_line(p);
    for (unsigned i = 0; i < count; i++) {
        const struct ir_var *var = axes[i].var;
        text_printf(p->out, "%s%s", i > 0 ? ", " : "", printer_define(p, var, var->name, "v"));
    }
    text_puts(p->out, " = ");
    printer_put_tir(p, "axis.remap(\"");
    for (unsigned i = 0; i < count; i++)
        text_putc(p->out, axes[i].kind == TIR_SPATIAL ? 'S' : 'R');
    text_puts(p->out, "\", [");
    for (unsigned i = 0; i < count; i++) {
        if (i > 0)
            text_puts(p->out, ", ");
        printer_put_expr(p, axes[i].value);
    }
    text_puts(p->out, "])\n");
}

static void put_axes(struct printer *p, const struct tir_stmt *stmt)
{
    const struct tir_axis *axes = stmt->block.axes;
    for (unsigned i = 0; i < stmt->block.axis_count;) {
        unsigned count = 0;
        while (i + count < stmt->block.axis_count && is_remapped(p, &axes[i + count]))
            count++;
        if (count >= 2)
            put_remap(p, &axes[i], count);
        else
            put_axis(p, &axes[i]);
        i += count >= 2 ? count : 1;
    }
}

static void put_regions(struct printer *p, const char *function, const struct tir_region *regions,
                        unsigned count)
{
    printer_line(p);
    printer_put_tir(p, function);
    text_putc(p->out, '(');
    for (unsigned i = 0; i < count; i++) {
        if (i > 0)
            text_puts(p->out, ", ");
        printer_put_region(p, &regions[i]);
    }
    text_puts(p->out, ")\n");
}

static void put_block_allocs(struct printer *p, const struct tir_stmt *stmt)
{
    for (unsigned i = 0; i < stmt->block.alloc_count; i++) {
        printer_line(p);
        text_printf(p->out, "%s = ", printer_define_buffer(p, stmt->block.allocs[i]));
        printer_put_buffer_call(p, "sblock_alloc_buffer", NULL, stmt->block.allocs[i], NULL);
        text_putc(p->out, '\n');
    }
}

static bool is_true(const struct ir_expr *predicate)
{
    return predicate == NULL || (predicate->kind == IR_EXPR_int && predicate->int_value != 0);
}

static void put_block_head(struct printer *p, const struct tir_stmt *stmt)
{
    put_axes(p, stmt);
    if (!is_true(stmt->block.predicate)) {
        printer_line(p);
        printer_put_tir(p, "where(");
        printer_put_expr(p, stmt->block.predicate);
        text_puts(p->out, ")\n");
    }
    put_regions(p, "reads", stmt->block.reads, stmt->block.read_count);
    put_regions(p, "writes", stmt->block.writes, stmt->block.write_count);
    if (has_items(stmt->block.annotations)) {
        printer_line(p);
        printer_put_tir(p, "sblock_attr(");
        printer_put_attr(p, stmt->block.annotations);
        text_puts(p->out, ")\n");
    }
    put_block_allocs(p, stmt);
    for (unsigned i = 0; i < stmt->block.match_count; i++) {
        const struct tir_match *match = &stmt->block.matches[i];
        printer_line(p);
        text_printf(p->out, "%s = ", printer_define_buffer(p, match->buffer));
        printer_put_buffer_call(p, "match_buffer", &match->source, match->buffer, NULL);
        text_putc(p->out, '\n');
    }
}

static void put_block(struct printer *p, const struct tir_stmt *stmt)
{
    size_t mark = printer_mark(p);
    printer_line(p);
    text_puts(p->out, "with ");
    printer_put_tir(p, "sblock(");
    printer_put_string(p->out, stmt->block.name != NULL ? stmt->block.name : "");
    text_puts(p->out, "):\n");
    p->indent++;
    put_block_head(p, stmt);
    if (stmt->block.init != NULL) {
        printer_line(p);
        text_puts(p->out, "with ");
        printer_put_tir(p, "init():\n");
        put_suite(p, stmt->block.init);
    }
    put_body(p, stmt->block.body);
    p->indent--;
    printer_release(p, mark);
}

static void put_store(struct printer *p, const struct tir_stmt *stmt)
{
    const struct ir_buffer *buffer = stmt->store.buffer;
    printer_line(p);
    text_puts(p->out, printer_buffer(p, buffer));
    if (stmt->store.predicate != NULL) {
        text_puts(p->out, ".vstore([");
        for (unsigned i = 0; i < stmt->store.index_count; i++) {
            if (i > 0)
                text_puts(p->out, ", ");
            printer_put_expr(p, stmt->store.indices[i]);
        }
        text_puts(p->out, "], ");
        printer_put_expr(p, stmt->store.value);
        text_puts(p->out, ", predicate=");
        printer_put_expr(p, stmt->store.predicate);
        text_puts(p->out, ")\n");
        return;
    }
    if (!buffer->is_scalar)
        printer_put_indices(p, stmt->store.indices, stmt->store.index_count);
    text_puts(p->out, " = ");
    printer_put_expr(p, stmt->store.value);
    text_putc(p->out, '\n');
}

static void put_let(struct printer *p, const struct tir_stmt *stmt)
{
    struct text rhs = {0}, *out = p->out;
    char dtype[32];
    p->out = &rhs;
    printer_put_expr(p, stmt->let.value);
    p->out = out;
    const struct ir_var *var = stmt->let.var;
    printer_line(p);
    text_printf(p->out, "%s: ", printer_define(p, var, var->name, "v"));
    printer_put_tir(p, "let[");
    printer_put_tir(p, ir_dtype_name(var->dtype, dtype));
    text_printf(p->out, "] = %s\n", text_string(&rhs));
    text_finish(&rhs);
}

static bool is_not_load_of(void *state, const struct ir_expr *a)
{
    return a->kind != IR_EXPR_load || a->buffer != *(const struct ir_buffer **)state;
}

static bool has_scope(const struct ir_buffer *buffer, const char *scope)
{
    return buffer->scope != NULL && strcmp(buffer->scope, scope) == 0;
}

/* A scalar that is not local has no annotation that says where it is. */
static void put_shared_scalar(struct printer *p, const struct ir_buffer *buffer)
{
    printer_line(p);
    text_printf(p->out, "%s = ", printer_define_buffer(p, buffer));
    printer_put_tir(p, "shared_scalar(");
    printer_put_dtype(p->out, buffer->dtype);
    text_puts(p->out, ")\n");
}

/* `x: T.int32`, with ` = e` where the next statement sets it; true if it does. */
static bool put_scalar(struct printer *p, const struct tir_stmt *stmt, const struct tir_stmt *next)
{
    const struct ir_buffer *buffer = stmt->alloc.buffer;
    char dtype[32];
    if (has_scope(buffer, "shared")) {
        put_shared_scalar(p, buffer);
        return false;
    }
    printer_line(p);
    text_printf(p->out, "%s: ", printer_define_buffer(p, buffer));
    printer_put_tir(p, ir_dtype_name(buffer->dtype, dtype));
    bool is_set = next != NULL && next->kind == TIR_STORE && next->store.buffer == buffer &&
                  next->store.predicate == NULL &&
                  ir_expr_walk(next->store.value, is_not_load_of, (void *)&buffer);
    if (is_set) {
        text_puts(p->out, " = ");
        printer_put_expr(p, next->store.value);
    }
    text_putc(p->out, '\n');
    return is_set;
}

static void put_alloc(struct printer *p, const struct tir_stmt *stmt)
{
    const struct ir_buffer *buffer = stmt->alloc.buffer;
    const char *method = stmt->kind == TIR_DECL        ? "decl_buffer"
                         : has_scope(buffer, "local")  ? "alloc_local"
                         : has_scope(buffer, "shared") ? "alloc_shared"
                                                       : "alloc_buffer";
    printer_line(p);
    text_printf(p->out, "%s = ", printer_define_buffer(p, buffer));
    printer_put_buffer_call(p, method, NULL, buffer, stmt->alloc.annotations);
    text_putc(p->out, '\n');
}

static void put_branch(struct printer *p, const struct tir_stmt *stmt)
{
    printer_line(p);
    text_puts(p->out, "if ");
    printer_put_expr(p, stmt->branch.condition);
    text_puts(p->out, ":\n");
    put_suite(p, stmt->branch.then_body);
    if (stmt->branch.else_body == NULL)
        return;
    printer_line(p);
    text_puts(p->out, "else:\n");
    put_suite(p, stmt->branch.else_body);
}

static void put_assert(struct printer *p, const struct tir_stmt *stmt)
{
    printer_line(p);
    text_puts(p->out, "assert ");
    printer_put_expr(p, stmt->assertion.condition);
    if (stmt->assertion.kind != NULL) {
        text_puts(p->out, ", (");
        printer_put_string(p->out, stmt->assertion.kind);
        text_puts(p->out, ", [");
        if (stmt->assertion.message != NULL)
            printer_put_string(p->out, stmt->assertion.message);
        text_puts(p->out, "])");
    } else if (stmt->assertion.message != NULL) {
        text_puts(p->out, ", ");
        printer_put_string(p->out, stmt->assertion.message);
    }
    text_putc(p->out, '\n');
}

/* A statement that holds the rest of its suite is written without a suite of its own. */
static void put_scoped_body(struct printer *p, const struct tir_stmt *body, bool is_last)
{
    if (is_last) {
        text_putc(p->out, '\n');
        put_body(p, body);
        return;
    }
    text_puts(p->out, ":\n");
    put_suite(p, body);
}

static void put_attr(struct printer *p, const struct tir_stmt *stmt, bool is_last)
{
    printer_line(p);
    text_puts(p->out, is_last ? "" : "with ");
    printer_put_tir(p, "attr(");
    printer_put_attr(p, stmt->attr.node);
    text_puts(p->out, ", ");
    printer_put_string(p->out, stmt->attr.key);
    text_puts(p->out, ", ");
    printer_put_expr(p, stmt->attr.value);
    text_putc(p->out, ')');
    put_scoped_body(p, stmt->attr.body, is_last);
}

static void put_launch(struct printer *p, const struct tir_stmt *stmt, bool is_last)
{
    size_t mark = printer_mark(p);
    struct text call = {0}, *out = p->out;
    p->out = &call;
    printer_put_tir(p, "launch_thread(");
    printer_put_string(p->out, stmt->launch.thread);
    text_puts(p->out, ", ");
    printer_put_expr(p, stmt->launch.extent);
    text_putc(p->out, ')');
    p->out = out;
    const struct ir_var *var = stmt->launch.var;
    const char *name = printer_define(p, var, var->name, "v");
    printer_line(p);
    if (is_last)
        text_printf(p->out, "%s = %s", name, text_string(&call));
    else
        text_printf(p->out, "with %s as %s", text_string(&call), name);
    text_finish(&call);
    put_scoped_body(p, stmt->launch.body, is_last);
    printer_release(p, mark);
}

static void put_evaluate(struct printer *p, const struct tir_stmt *stmt)
{
    printer_line(p);
    if (stmt->value->kind == IR_EXPR_call)
        printer_put_expr(p, stmt->value);
    else {
        printer_put_tir(p, "evaluate(");
        printer_put_expr(p, stmt->value);
        text_putc(p->out, ')');
    }
    text_putc(p->out, '\n');
}

static void put_simple(struct printer *p, const struct tir_stmt *stmt)
{
    printer_line(p);
    switch (stmt->kind) {
    case TIR_WHILE:
        text_puts(p->out, "while ");
        printer_put_expr(p, stmt->while_loop.condition);
        text_puts(p->out, ":\n");
        put_suite(p, stmt->while_loop.body);
        return;
    case TIR_RETURN:
        text_puts(p->out, stmt->value != NULL ? "return " : "return");
        if (stmt->value != NULL)
            printer_put_expr(p, stmt->value);
        break;
    case TIR_BREAK:
        text_puts(p->out, "break");
        break;
    case TIR_CONTINUE:
        text_puts(p->out, "continue");
        break;
    default:
        UNREACHABLE("statement kind");
    }
    text_putc(p->out, '\n');
}

static void put_stmt(struct printer *p, const struct tir_stmt *stmt, bool is_last)
{
    switch (stmt->kind) {
    case TIR_SEQ:
        put_body(p, stmt);
        return;
    case TIR_FOR:
        put_for(p, stmt);
        return;
    case TIR_BLOCK:
        put_block(p, stmt);
        return;
    case TIR_STORE:
        put_store(p, stmt);
        return;
    case TIR_LET:
        put_let(p, stmt);
        return;
    case TIR_ALLOC:
    case TIR_DECL:
        if (stmt->alloc.buffer->is_scalar && stmt->kind == TIR_ALLOC)
            put_scalar(p, stmt, NULL);
        else
            put_alloc(p, stmt);
        return;
    case TIR_IF:
        put_branch(p, stmt);
        return;
    case TIR_EVALUATE:
        put_evaluate(p, stmt);
        return;
    case TIR_ASSERT:
        put_assert(p, stmt);
        return;
    case TIR_ATTR:
        put_attr(p, stmt, is_last);
        return;
    case TIR_LAUNCH_THREAD:
        put_launch(p, stmt, is_last);
        return;
    case TIR_WHILE:
    case TIR_RETURN:
    case TIR_BREAK:
    case TIR_CONTINUE:
        put_simple(p, stmt);
        return;
    }
}

static void put_sequence(struct printer *p, const struct tir_stmt *stmt)
{
    for (unsigned i = 0; i < stmt->seq.count; i++) {
        const struct tir_stmt *item = stmt->seq.items[i];
        const struct tir_stmt *next = i + 1 < stmt->seq.count ? stmt->seq.items[i + 1] : NULL;
        if (item->kind == TIR_ALLOC && item->alloc.buffer->is_scalar)
            i += put_scalar(p, item, next) ? 1 : 0;
        else
            put_stmt(p, item, next == NULL);
    }
    if (stmt->seq.count == 0) {
        printer_line(p);
        text_puts(p->out, "pass\n");
    }
}

static void put_body(struct printer *p, const struct tir_stmt *stmt)
{
    size_t mark = printer_mark(p);
    if (stmt->kind == TIR_SEQ)
        put_sequence(p, stmt);
    else
        put_stmt(p, stmt, true);
    printer_release(p, mark);
}

static bool is_no_block(void *state, struct tir_stmt *stmt)
{
    return stmt->kind != TIR_BLOCK;
}

/* Is the outermost block one that reading the text without it brings back? */
static bool is_implied_root(const struct tir_stmt *stmt)
{
    if (stmt->kind != TIR_BLOCK || !stmt->block.is_root || stmt->block.axis_count > 0 ||
        !is_true(stmt->block.predicate) || has_items(stmt->block.annotations) ||
        stmt->block.match_count > 0 || stmt->block.read_count > 0 || stmt->block.write_count > 0 ||
        stmt->block.init != NULL)
        return false;
    struct tir_stmt *body = stmt->block.body;
    if (stmt->block.alloc_count > 0)
        return true;
    if (unwrap(body)->kind == TIR_BLOCK)
        return unwrap(body)->block.axis_count > 0;
    return !tir_stmt_walk(body, is_no_block, NULL);
}

static void put_kernel_body(struct printer *p, const struct tir_stmt *body)
{
    const struct tir_stmt *root = unwrap(body);
    if (!is_implied_root(root)) {
        put_body(p, body);
        return;
    }
    size_t mark = printer_mark(p);
    p->uses_tir = true;
    printer_line(p);
    text_puts(p->out, "# with T.sblock(\"root\"):\n");
    put_block_allocs(p, root);
    put_body(p, root->block.body);
    printer_release(p, mark);
}

static void put_kernel_decorator(struct printer *p, const struct tir_func *func)
{
    struct text arguments = {0}, *out = p->out;
    if (func->is_private)
        text_puts(&arguments, ", private=True");
    if (func->is_s_tir)
        text_puts(&arguments, ", s_tir=True");
    if (func->skip_well_formed)
        text_puts(&arguments, ", check_well_formed=False");
    p->out = &arguments;
    for (unsigned i = 0; func->decorator != NULL && i < func->decorator->count; i++) {
        text_printf(&arguments, ", %s=", func->decorator->keys[i]);
        printer_put_attr(p, func->decorator->items[i]);
    }
    p->out = out;
    printer_line(p);
    text_putc(p->out, '@');
    printer_put_tir(p, "prim_func");
    if (arguments.length > 0)
        text_printf(p->out, "(%s)", text_string(&arguments) + strlen(", "));
    text_putc(p->out, '\n');
    text_finish(&arguments);
}

static void put_kernel_signature(struct printer *p, const struct tir_func *func)
{
    char dtype[32];
    for (unsigned i = 0; i < func->param_count; i++) {
        const struct ir_var *var = func->params[i].var;
        if (func->params[i].buffer == NULL)
            printer_define(p, var, var->name, "v");
    }
    printer_line(p);
    text_printf(p->out, "def %s(", func->name);
    for (unsigned i = 0; i < func->param_count; i++) {
        const struct tir_param *param = &func->params[i];
        text_puts(p->out, i > 0 ? ", " : "");
        if (param->buffer != NULL) {
            printer_put_buffer_param(p, param->buffer);
            continue;
        }
        text_printf(p->out, "%s: ", printer_find(p, param->var));
        printer_put_tir(p, ir_dtype_name(param->var->dtype, dtype));
        map_set(&p->frame->symbols, param->var, param->var);
    }
    text_putc(p->out, ')');
    if (!ir_dtype_is_void(func->result)) {
        text_puts(p->out, " -> ");
        printer_put_tir(p, ir_dtype_name(func->result, dtype));
    }
    text_puts(p->out, ":\n");
}

void printer_put_kernel(struct printer *p, const struct tir_func *func)
{
    size_t mark = printer_mark(p);
    struct printer_frame frame = {.indent = p->indent + 1, .is_kernel = true, .outer = p->frame};
    bool was_kernel = p->is_kernel;
    p->frame = &frame;
    p->is_kernel = true;
    put_kernel_decorator(p, func);
    put_kernel_signature(p, func);
    struct text body = {0}, *out = p->out;
    if (has_items(func->attrs)) {
        p->out = &frame.prelude;
        printer_put_indent(p->out, frame.indent);
        printer_put_tir(p, "func_attr(");
        printer_put_attr(p, func->attrs);
        text_puts(p->out, ")\n");
    }
    p->out = &body;
    p->indent++;
    put_kernel_body(p, func->body);
    p->indent--;
    p->out = out;
    text_puts(out, text_string(&frame.prelude));
    text_append(out, text_string(&body), body.length);
    text_finish(&body);
    text_finish(&frame.prelude);
    map_finish(&frame.symbols);
    p->is_kernel = was_kernel;
    p->frame = frame.outer;
    printer_release(p, mark);
}
