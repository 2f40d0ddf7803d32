/*
 * Copies of kernel bodies in other kernels: parameters become buffers of the new kernel, symbols its
 * expressions, and all that the body defines is defined anew.
 */
#pragma once

#include "base/array.h"
#include "base/map.h"
#include "ir/module.h"

struct splice {
    struct ir_module *module;
    struct map buffers;               /* buffer -> the one that stands for it */
    struct map stored;                /* the same for stores, where that is another one */
    struct map vars;                  /* variable -> expression */
    array(struct ir_buffer *) allocs; /* that the body had, as copies */
    array(struct tir_stmt *) stmts;   /* the copied nests */
};

/* Appends the nests of @func (see analysis/perfect_nest.h; it must have nothing else). */
void splice_body(struct splice *splice, const struct tir_func *func);
const struct ir_expr *splice_expr(struct splice *splice, const struct ir_expr *a);
void splice_forget(struct splice *splice); /* what stands for what: before the next kernel */
void splice_finish(struct splice *splice);
