/*
 * Equality and hash of kernels up to the names and identity of variables and buffers.
 *
 * Both kernels are walked in step; a variable or buffer of the one stands for the one of the other
 * that it met first, both ways.  The hash leaves identity out altogether.
 */
#include "base/hash.h"
#include "base/map.h"
#include "ir/module.h"

#include <string.h>

struct equality {
    struct map forward, backward;
};

/* @a and @b are each other's partners, or become so now. */
static bool pair(struct equality *eq, const void *a, const void *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    const void *to = map_get(&eq->forward, a), *from = map_get(&eq->backward, b);
    if (to == NULL && from == NULL) {
        map_set(&eq->forward, a, b);
        map_set(&eq->backward, b, a);
        return true;
    }
    return to == b && from == a;
}

static bool equal_var(struct equality *eq, const struct ir_var *a, const struct ir_var *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return ir_dtype_equal(a->dtype, b->dtype) && pair(eq, a, b);
}

static bool equal_buffer(struct equality *eq, const struct ir_buffer *a, const struct ir_buffer *b);

/* Numbers compare by bits: NaN equals itself, -0.0 differs from 0.0. */
static uint64_t float_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static bool equal_expr(struct equality *eq, const struct ir_expr *a, const struct ir_expr *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    if (a->kind != b->kind || !ir_dtype_equal(a->dtype, b->dtype) ||
        a->operand_count != b->operand_count)
        return false;
    switch (a->kind) {
    case IR_EXPR_var:
    case IR_EXPR_let:
        if (!equal_var(eq, a->var, b->var))
            return false;
        break;
    case IR_EXPR_int:
    case IR_EXPR_shuffle:
        if (a->int_value != b->int_value)
            return false;
        break;
    case IR_EXPR_float:
        if (float_bits(a->float_value) != float_bits(b->float_value))
            return false;
        break;
    case IR_EXPR_string:
    case IR_EXPR_call:
        if (a->string != b->string && strcmp(a->string, b->string) != 0)
            return false;
        break;
    case IR_EXPR_load:
        if (!equal_buffer(eq, a->buffer, b->buffer))
            return false;
        break;
    default:
        break;
    }
    for (unsigned i = 0; i < a->operand_count; i++)
        if (!equal_expr(eq, a->operands[i], b->operands[i]))
            return false;
    return true;
}

static bool equal_exprs(struct equality *eq, const struct ir_expr *const *a,
                        const struct ir_expr *const *b, unsigned count)
{
    if (a == NULL || b == NULL)
        return a == b;
    for (unsigned i = 0; i < count; i++)
        if (!equal_expr(eq, a[i], b[i]))
            return false;
    return true;
}

static bool equal_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool equal_attr(const struct ir_attr *a, const struct ir_attr *b)
{
    return a == b || (a != NULL && b != NULL && ir_attr_equal(a, b));
}

static bool equal_buffer(struct equality *eq, const struct ir_buffer *a, const struct ir_buffer *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    bool known = map_has(&eq->forward, a) || map_has(&eq->backward, b);
    if (!pair(eq, a, b))
        return false;
    if (known)
        return true;
    if (a->data_var != NULL && b->data_var != NULL && !equal_var(eq, a->data_var, b->data_var))
        return false;
    return ir_dtype_equal(a->dtype, b->dtype) && a->ndim == b->ndim &&
           equal_exprs(eq, a->shape, b->shape, a->ndim) &&
           equal_exprs(eq, a->strides, b->strides, a->ndim) &&
           equal_expr(eq, a->elem_offset, b->elem_offset) && equal_expr(eq, a->data, b->data) &&
           equal_buffer(eq, a->data_of, b->data_of) && equal_text(a->scope, b->scope) &&
           a->align == b->align && a->offset_factor == b->offset_factor &&
           equal_attr(a->axis_separators, b->axis_separators) &&
           equal_text(a->buffer_type, b->buffer_type) && a->is_scalar == b->is_scalar;
}

static bool equal_regions(struct equality *eq, const struct tir_region *a,
                          const struct tir_region *b, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!equal_buffer(eq, a[i].buffer, b[i].buffer) ||
            !equal_exprs(eq, a[i].min, b[i].min, a[i].buffer->ndim) ||
            !equal_exprs(eq, a[i].extent, b[i].extent, a[i].buffer->ndim))
            return false;
    return true;
}

static bool equal_block(struct equality *eq, const struct tir_stmt *a, const struct tir_stmt *b)
{
    if (!equal_text(a->block.name, b->block.name) || a->block.axis_count != b->block.axis_count ||
        a->block.read_count != b->block.read_count ||
        a->block.write_count != b->block.write_count ||
        a->block.alloc_count != b->block.alloc_count ||
        a->block.match_count != b->block.match_count || a->block.is_root != b->block.is_root)
        return false;
    for (unsigned i = 0; i < a->block.axis_count; i++) {
        const struct tir_axis *x = &a->block.axes[i], *y = &b->block.axes[i];
        if (x->kind != y->kind || !equal_expr(eq, x->min, y->min) ||
            !equal_expr(eq, x->extent, y->extent) || !equal_expr(eq, x->value, y->value) ||
            !equal_var(eq, x->var, y->var))
            return false;
    }
    for (unsigned i = 0; i < a->block.alloc_count; i++)
        if (!equal_buffer(eq, a->block.allocs[i], b->block.allocs[i]))
            return false;
    for (unsigned i = 0; i < a->block.match_count; i++)
        if (!equal_regions(eq, &a->block.matches[i].source, &b->block.matches[i].source, 1) ||
            !equal_buffer(eq, a->block.matches[i].buffer, b->block.matches[i].buffer))
            return false;
    return equal_expr(eq, a->block.predicate, b->block.predicate) &&
           equal_regions(eq, a->block.reads, b->block.reads, a->block.read_count) &&
           equal_regions(eq, a->block.writes, b->block.writes, a->block.write_count) &&
           equal_attr(a->block.annotations, b->block.annotations);
}

/* All of a statement but the statements in it. */
static bool equal_head(struct equality *eq, const struct tir_stmt *a, const struct tir_stmt *b)
{
    switch (a->kind) {
    case TIR_SEQ:
        return a->seq.count == b->seq.count;
    case TIR_FOR:
        return a->loop.kind == b->loop.kind && equal_expr(eq, a->loop.min, b->loop.min) &&
               equal_expr(eq, a->loop.extent, b->loop.extent) &&
               equal_expr(eq, a->loop.step, b->loop.step) &&
               equal_text(a->loop.thread, b->loop.thread) &&
               equal_attr(a->loop.annotations, b->loop.annotations) &&
               equal_var(eq, a->loop.var, b->loop.var);
    case TIR_BLOCK:
        return equal_block(eq, a, b);
    case TIR_STORE:
        return a->store.index_count == b->store.index_count &&
               equal_buffer(eq, a->store.buffer, b->store.buffer) &&
               equal_exprs(eq, a->store.indices, b->store.indices, a->store.index_count) &&
               equal_expr(eq, a->store.value, b->store.value) &&
               equal_expr(eq, a->store.predicate, b->store.predicate);
    case TIR_LET:
        return equal_expr(eq, a->let.value, b->let.value) && equal_var(eq, a->let.var, b->let.var);
    case TIR_ALLOC:
    case TIR_DECL:
        return equal_buffer(eq, a->alloc.buffer, b->alloc.buffer) &&
               equal_attr(a->alloc.annotations, b->alloc.annotations);
    case TIR_IF:
        return equal_expr(eq, a->branch.condition, b->branch.condition);
    case TIR_WHILE:
        return equal_expr(eq, a->while_loop.condition, b->while_loop.condition);
    case TIR_EVALUATE:
    case TIR_RETURN:
        return equal_expr(eq, a->value, b->value);
    case TIR_ASSERT:
        return equal_expr(eq, a->assertion.condition, b->assertion.condition) &&
               equal_text(a->assertion.kind, b->assertion.kind) &&
               equal_text(a->assertion.message, b->assertion.message);
    case TIR_ATTR:
        return equal_attr(a->attr.node, b->attr.node) && equal_text(a->attr.key, b->attr.key) &&
               equal_expr(eq, a->attr.value, b->attr.value);
    case TIR_LAUNCH_THREAD:
        return equal_text(a->launch.thread, b->launch.thread) &&
               equal_expr(eq, a->launch.extent, b->launch.extent) &&
               equal_var(eq, a->launch.var, b->launch.var);
    case TIR_BREAK:
    case TIR_CONTINUE:
        return true;
    }
    UNREACHABLE("unknown statement");
}

static bool equal_stmt(struct equality *eq, const struct tir_stmt *a, const struct tir_stmt *b)
{
    if (a->kind != b->kind || !equal_head(eq, a, b))
        return false;
    for (unsigned i = 0;; i++) {
        const struct tir_stmt *x = tir_stmt_child(a, i), *y = tir_stmt_child(b, i);
        if (x == NULL || y == NULL)
            return x == y;
        if (!equal_stmt(eq, x, y))
            return false;
    }
}

static bool equal_params(struct equality *eq, const struct tir_func *a, const struct tir_func *b)
{
    if (a->param_count != b->param_count)
        return false;
    for (unsigned i = 0; i < a->param_count; i++)
        if (!equal_buffer(eq, a->params[i].buffer, b->params[i].buffer) ||
            !equal_var(eq, a->params[i].var, b->params[i].var))
            return false;
    return true;
}

bool tir_func_equal(const struct tir_func *a, const struct tir_func *b)
{
    struct equality eq = {0};
    bool equal = ir_dtype_equal(a->result, b->result) && a->is_s_tir == b->is_s_tir &&
                 equal_attr(a->attrs, b->attrs) && equal_attr(a->decorator, b->decorator) &&
                 equal_params(&eq, a, b) && equal_stmt(&eq, a->body, b->body);
    map_finish(&eq.forward);
    map_finish(&eq.backward);
    return equal;
}

static void mix(uint64_t *hash, uint64_t value)
{
    *hash = hash_mix(*hash, value);
}

static void mix_dtype(uint64_t *hash, struct ir_dtype dtype)
{
    mix(hash, ir_dtype_key(dtype));
}

static bool hash_expr(void *state, const struct ir_expr *a)
{
    mix(state, a->kind);
    mix_dtype(state, a->dtype);
    mix(state, a->operand_count);
    if (a->kind == IR_EXPR_int)
        mix(state, (uint64_t)a->int_value);
    if (a->kind == IR_EXPR_float)
        mix(state, float_bits(a->float_value));
    return true;
}

static bool hash_root(void *state, const struct ir_expr *a)
{
    return ir_expr_walk(a, hash_expr, state);
}

static bool hash_stmt(void *state, struct tir_stmt *stmt)
{
    mix(state, stmt->kind);
    return tir_stmt_walk_exprs(stmt, hash_root, state);
}

uint64_t tir_func_hash(const struct tir_func *a)
{
    uint64_t hash = a->param_count;
    for (unsigned i = 0; i < a->param_count; i++) {
        const struct ir_buffer *buffer = a->params[i].buffer;
        mix_dtype(&hash, buffer != NULL ? buffer->dtype : a->params[i].var->dtype);
        mix(&hash, buffer != NULL ? buffer->ndim + 1 : 0);
        for (unsigned k = 0; buffer != NULL && k < buffer->ndim; k++)
            hash_root(&hash, buffer->shape[k]);
    }
    tir_stmt_walk(a->body, hash_stmt, &hash);
    return hash;
}
