/*
 * How much a kernel computes and moves, from its loops as they stand: what a measured time is held
 * against.
 *
 * An operation is one of arithmetic on elements (a sum, a product, a function such as exp);
 * indices, conditions and conversions are none.  Bytes are those of the elements of its parameters
 * that are touched, each once: what has to come from memory and go there at least, if nothing of it
 * is in a cache.
 */
#pragma once

#include "ir/module.h"

enum { KERNEL_NUMBERS = 12 };

/*
 * The variables of @func that decide about its loops: its scalars and the symbols of its shapes, in
 * an order that only its parameters decide.  Fills in at most KERNEL_NUMBERS; returns how many.
 */
unsigned kernel_numbers(const struct tir_func *func, const struct ir_var *out[KERNEL_NUMBERS]);

struct kernel_work {
    double operations, bytes;
    bool
        is_most; /* there are branches, which count as if all were taken, or ends that only a run knows */
};

/* Of a call in which those variables have the values @numbers. */
struct kernel_work kernel_work(const struct tir_func *func, const int64_t *numbers);
