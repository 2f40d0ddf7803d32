/*
 * Statements of kernels that are more than one store in a nest: loops with scalars that change.
 *
 *     struct code code = code_begin(k);
 *     const struct ir_buffer *sum = code_scalar(&code, "total", IR_I64, k_int(k, 0));
 *     struct code body;
 *     const struct ir_expr *i = code_for(&code, &body, "i", extent);
 *     code_set(&body, sum, k_add(k, code_get(k, sum), i));
 *     code_end(&body);
 *     nest_code(&nest, &code);
 *
 * Each begun `for`, `if` and `while` is a code of its own, which code_end() puts into the one around it.
 */
#pragma once

#include "ops/lower/lower.h"

struct code {
    struct kernel *k;
    struct code *around;
    struct tir_stmt *head; /* the `for`, `if` or `while` that this is the body of */
    array(struct tir_stmt *) stmts;
};

struct code code_begin(struct kernel *k);
/* A scalar that changes, visible from here to the end of @code. */
const struct ir_buffer *code_scalar(struct code *code, const char *name, struct ir_dtype dtype,
                                    const struct ir_expr *value);
const struct ir_expr *code_get(struct kernel *k, const struct ir_buffer *scalar);
void code_set(struct code *code, const struct ir_buffer *scalar, const struct ir_expr *value);
/* scalar = scalar + @by (int64) */
void code_count(struct code *code, const struct ir_buffer *scalar, const struct ir_expr *by);
/* @value under a name, which does not change. */
const struct ir_expr *code_let(struct code *code, const char *name, const struct ir_expr *value);
void code_store(struct code *code, const struct ir_buffer *buffer,
                const struct ir_expr *const *indices, const struct ir_expr *value);
void code_assert(struct code *code, const struct ir_expr *condition, const char *message);
/* @body: the code inside, from 0 to @extent - 1; the variable of the loop. */
const struct ir_expr *code_for(struct code *code, struct code *body, const char *name,
                               const struct ir_expr *extent);
void code_if(struct code *code, struct code *body, const struct ir_expr *condition);
/* After code_end() of the body of an `if`: what is done otherwise. */
void code_else(struct code *code, struct code *body);
void code_while(struct code *code, struct code *body, const struct ir_expr *condition);
void code_end(struct code *body);
/* The statements so far become the next ones of the block of @nest. */
void nest_code(struct nest *nest, struct code *code);
