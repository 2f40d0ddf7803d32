/* Statements of kernels: scalars, lets, loops, branches. */
#include "ops/lower/code.h"

#include "base/assert.h"

struct code code_begin(struct kernel *k)
{
    return (struct code){.k = k};
}

static struct tir_stmt *push(struct code *code, enum tir_stmt_kind kind)
{
    struct tir_stmt *stmt = tir_stmt_new(code->k->module, kind, code->k->op->loc);

    array_push(&code->stmts, stmt);
    return stmt;
}

const struct ir_buffer *code_scalar(struct code *code, const char *name, struct ir_dtype dtype,
                                    const struct ir_expr *value)
{
    struct kernel *k = code->k;
    const struct ir_expr *one = ir_expr_int(k->context, IR_I32, 1);
    struct tir_stmt *stmt = push(code, TIR_ALLOC);
    struct ir_buffer *buffer =
        tir_buffer_new(k->module, atom_intern_text(&k->context->atoms, name), dtype, &one, 1);

    buffer->is_scalar = true;
    buffer->scope = atom_intern_text(&k->context->atoms, "local");
    stmt->alloc.buffer = buffer;
    code_set(code, buffer, value);
    return buffer;
}

static const struct ir_expr *zero(struct kernel *k)
{
    return ir_expr_int(k->context, IR_I32, 0);
}

const struct ir_expr *code_get(struct kernel *k, const struct ir_buffer *scalar)
{
    const struct ir_expr *index = zero(k);

    return ir_expr_load(k->context, scalar, &index, 1);
}

void code_store(struct code *code, const struct ir_buffer *buffer,
                const struct ir_expr *const *indices, const struct ir_expr *value)
{
    struct kernel *k = code->k;
    struct tir_stmt *stmt = tir_store(k->module, buffer, indices, k_cast(k, buffer->dtype, value));

    stmt->loc = k->op->loc;
    array_push(&code->stmts, stmt);
}

void code_set(struct code *code, const struct ir_buffer *scalar, const struct ir_expr *value)
{
    const struct ir_expr *index = zero(code->k);

    code_store(code, scalar, &index, value);
}

void code_count(struct code *code, const struct ir_buffer *scalar, const struct ir_expr *by)
{
    code_set(code, scalar, k_binary(code->k, IR_EXPR_add, code_get(code->k, scalar), by));
}

const struct ir_expr *code_let(struct code *code, const char *name, const struct ir_expr *value)
{
    struct ir_context *context = code->k->context;
    struct tir_stmt *stmt = push(code, TIR_LET);

    stmt->let.var = ir_var_new(context, atom_intern_text(&context->atoms, name), value->dtype);
    stmt->let.value = value;
    return ir_expr_var(context, stmt->let.var);
}

void code_assert(struct code *code, const struct ir_expr *condition, const char *message)
{
    struct atoms *atoms = &code->k->context->atoms;
    struct tir_stmt *stmt = push(code, TIR_ASSERT);

    stmt->assertion.condition = condition;
    stmt->assertion.kind = atom_intern_text(atoms, "ValueError");
    stmt->assertion.message = atom_intern_text(atoms, message);
}

static void open_body(struct code *code, struct code *body, struct tir_stmt *head)
{
    *body = (struct code){.k = code->k, .around = code, .head = head};
}

const struct ir_expr *code_for(struct code *code, struct code *body, const char *name,
                               const struct ir_expr *extent)
{
    struct kernel *k = code->k;
    const struct ir_var *var =
        ir_var_new(k->context, atom_intern_text(&k->context->atoms, name), IR_I64);
    struct tir_stmt *stmt = tir_for(k->module, var, extent, NULL);

    stmt->loc = k->op->loc;
    array_push(&code->stmts, stmt);
    open_body(code, body, stmt);
    return ir_expr_var(k->context, var);
}

void code_if(struct code *code, struct code *body, const struct ir_expr *condition)
{
    struct tir_stmt *stmt = push(code, TIR_IF);

    stmt->branch.condition = condition;
    open_body(code, body, stmt);
}

void code_else(struct code *code, struct code *body)
{
    struct tir_stmt *stmt = code->stmts.items[code->stmts.count - 1];

    assert(stmt->kind == TIR_IF && stmt->branch.then_body);
    open_body(code, body, stmt);
}

void code_while(struct code *code, struct code *body, const struct ir_expr *condition)
{
    struct tir_stmt *stmt = push(code, TIR_WHILE);

    stmt->while_loop.condition = condition;
    open_body(code, body, stmt);
}

void code_end(struct code *body)
{
    struct tir_stmt *head = body->head;
    struct tir_stmt *seq = tir_seq(body->k->module, body->stmts.items, (unsigned)body->stmts.count);

    if (head->kind == TIR_FOR)
        head->loop.body = seq;
    else if (head->kind == TIR_WHILE)
        head->while_loop.body = seq;
    else if (!head->branch.then_body)
        head->branch.then_body = seq;
    else
        head->branch.else_body = seq;
    array_finish(&body->stmts);
}

void nest_code(struct nest *nest, struct code *code)
{
    for (size_t i = 0; i < code->stmts.count; i++)
        array_push(&nest->body, code->stmts.items[i]);
    array_finish(&code->stmts);
}
