/* What is computed of each element of a product, in the place of the product itself. */
#pragma once

#include "passes/schedule/matmul.h"

struct epilogue {
    const struct ir_buffer *c;
    const struct tir_stmt *store;  /* what is stored, in terms of.. */
    const struct ir_var *vars[16]; /* .. these for the indices of C; NULL: an axis of extent 1 */
    const struct ir_expr *load;    /* of C */
    bool is_mixed;                 /* C is read at several places */
};

/*
 * Is @after, the nest behind the product @product, whose loops are those of @nest, (and behind
 * @before, which set C to zero; or NULL), all that reads C, element by element?
 */
bool epilogue_read(struct schedule *s, const struct nest *nest, struct tir_stmt *product,
                   struct tir_stmt *before, struct tir_stmt *after, struct epilogue *out);

/* The store of what is made of @value, the element C[@at]. */
struct tir_stmt *epilogue_store(struct schedule *s, const struct epilogue *e,
                                const struct ir_expr *const *at, const struct ir_expr *value);

/* Is so much computed of an element that copies of it for each row would be too much code? */
bool epilogue_is_long(const struct epilogue *e);

/* Removes the allocation of @buffer if nothing in the kernel names it. */
void epilogue_drop(struct schedule *s, const struct ir_buffer *buffer);
