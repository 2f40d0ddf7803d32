/*
 * Nested lists of plain numbers, read where they stand in the text: a tensor of millions of them in R.const makes
 * neither a token nor a node for each.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NUMBERS_NDIM_LIMIT = 8 };

struct numbers {
    const char *end; /* behind the last bracket */
    unsigned ndim;
    int64_t shape[NUMBERS_NDIM_LIMIT];
    bool has_float;
};

/* One of them. */
struct plain_number {
    bool is_float, is_negative;
    uint64_t magnitude; /* of an integer */
    double real;
    const char *begin, *end;
};

/* False: at @text, which ends in a byte that is 0, stands something else, or it is empty, ragged, or not plain. */
bool numbers_measure(const char *text, struct numbers *out);

/* The number behind @at, which numbers_measure() saw; returns its end. */
const char *numbers_next(const char *at, struct plain_number *out);
