/* Statements of kernels. */
#include "base/assert.h"
#include "ir/module.h"
#include "ir/print/printer.h"

#include <string.h>

const struct tir_stmt *printer_unwrap(const struct tir_stmt *stmt)
{
    while (stmt->kind == TIR_SEQ && stmt->seq.count == 1)
        stmt = stmt->seq.items[0];
    return stmt;
}

bool printer_has_items(const struct ir_attr *dict)
{
    return dict != NULL && dict->count > 0;
}

bool printer_is_true(const struct ir_expr *predicate)
{
    return predicate == NULL || (predicate->kind == IR_EXPR_int && predicate->int_value != 0);
}

void printer_put_suite(struct printer *p, const struct tir_stmt *stmt)
{
    p->indent++;
    printer_put_body(p, stmt);
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

static bool is_plain_loop(const struct tir_stmt *stmt)
{
    return stmt->kind == TIR_FOR && stmt->loop.kind == TIR_SERIAL &&
           ir_expr_is_int(stmt->loop.min, 0) && stmt->loop.step == NULL &&
           !printer_has_items(stmt->loop.annotations);
}

/* Does the extent of @loop depend on a loop from @first on? */
static bool depends_on_grid(const struct tir_stmt *first, const struct tir_stmt *loop)
{
    for (const struct tir_stmt *l = first; l != loop; l = printer_unwrap(l->loop.body))
        if (ir_expr_uses_var(loop->loop.extent, l->loop.var))
            return true;
    return false;
}

/* How many perfectly nested loops from @stmt on print as one T.grid. */
static unsigned grid_depth(const struct tir_stmt *stmt)
{
    unsigned count = 0;
    for (const struct tir_stmt *l = stmt; is_plain_loop(l) && !depends_on_grid(stmt, l);
         l = printer_unwrap(l->loop.body))
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
            loop = printer_unwrap(loop->loop.body);
    }
    text_puts(out, " in ");
    printer_put_tir(p, "grid(");
    text_printf(out, "%s):\n", text_string(&extents));
    text_finish(&extents);
    printer_put_suite(p, loop->loop.body);
    for (const struct tir_stmt *l = stmt;; l = printer_unwrap(l->loop.body)) {
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
    bool is_range = stmt->loop.kind == TIR_SERIAL && !printer_has_items(stmt->loop.annotations);
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
    if (printer_has_items(stmt->loop.annotations)) {
        text_puts(p->out, ", annotations=");
        printer_put_attr(p, stmt->loop.annotations);
    }
    if (stmt->loop.step != NULL) {
        text_puts(p->out, is_range ? ", " : ", step=");
        printer_put_expr(p, stmt->loop.step);
    }
    text_puts(p->out, "):\n");
    enter_loop(p, stmt);
    printer_put_suite(p, stmt->loop.body);
    leave_loop(p, stmt);
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
    if (!buffer->is_scalar || printer_is_old(p))
        printer_put_indices(p, stmt->store.indices, stmt->store.index_count);
    text_puts(p->out, " = ");
    printer_put_expr(p, stmt->store.value);
    text_putc(p->out, '\n');
}

static void put_let(struct printer *p, const struct tir_stmt *stmt)
{
    struct text rhs = {0}, *out = p->out;
    p->out = &rhs;
    printer_put_expr(p, stmt->let.value);
    p->out = out;
    const struct ir_var *var = stmt->let.var;
    printer_line(p);
    text_printf(p->out, "%s: ", printer_define(p, var, var->name, "v"));
    if (!printer_is_old(p)) /* where no name is mutable, all are lets */
        printer_put_tir(p, "let[");
    printer_put_tir(p, printer_var_type(p, var));
    text_printf(p->out, "%s = %s\n", printer_is_old(p) ? "" : "]", text_string(&rhs));
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
    printer_put_suite(p, stmt->branch.then_body);
    if (stmt->branch.else_body == NULL)
        return;
    printer_line(p);
    text_puts(p->out, "else:\n");
    printer_put_suite(p, stmt->branch.else_body);
}

static void put_assert(struct printer *p, const struct tir_stmt *stmt)
{
    printer_line(p);
    text_puts(p->out, "assert ");
    printer_put_expr(p, stmt->assertion.condition);
    if (stmt->assertion.kind != NULL && !printer_is_old(p)) {
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
        printer_put_body(p, body);
        return;
    }
    text_puts(p->out, ":\n");
    printer_put_suite(p, body);
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
        printer_put_suite(p, stmt->while_loop.body);
        return;
    case TIR_RETURN:
        if (stmt->value != NULL && printer_is_old(p)) {
            printer_put_tir(p, "ret(");
            printer_put_expr(p, stmt->value);
            text_putc(p->out, ')');
            break;
        }
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
        printer_put_body(p, stmt);
        return;
    case TIR_FOR:
        put_for(p, stmt);
        return;
    case TIR_BLOCK:
        printer_put_block(p, stmt);
        return;
    case TIR_STORE:
        put_store(p, stmt);
        return;
    case TIR_LET:
        put_let(p, stmt);
        return;
    case TIR_ALLOC:
    case TIR_DECL:
        if (stmt->alloc.buffer->is_scalar && stmt->kind == TIR_ALLOC && !printer_is_old(p))
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
        assert(item != NULL);
        const struct tir_stmt *next = i + 1 < stmt->seq.count ? stmt->seq.items[i + 1] : NULL;
        if (item->kind == TIR_ALLOC && item->alloc.buffer->is_scalar && !printer_is_old(p))
            i += put_scalar(p, item, next) ? 1 : 0;
        else
            put_stmt(p, item, next == NULL);
    }
    if (stmt->seq.count == 0) {
        printer_line(p);
        text_puts(p->out, "pass\n");
    }
}

void printer_put_body(struct printer *p, const struct tir_stmt *stmt)
{
    size_t mark = printer_mark(p);
    if (stmt->kind == TIR_SEQ)
        put_sequence(p, stmt);
    else
        put_stmt(p, stmt, true);
    printer_release(p, mark);
}
