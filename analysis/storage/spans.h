/*
 * Search trees of spans: which live origins of a root have a byte between low and high?
 *
 * Of all spans of one root whose ends are multiples of one unit, by low end, balanced (AVL).  Each node
 * knows the highest end and the last read of all below it, so that a search goes only where something
 * is both near and still to be read: a root cut into many parts costs each question the logarithm of
 * their number.
 */
#pragma once

#include "base/array.h"

#include <stdbool.h>
#include <stdint.h>

struct ir_expr;

struct storage_span {
    int64_t low, high;
    unsigned origin, last_read; /* position + 1; 0: never read */
    int64_t highest;            /* of all below, with itself */
    unsigned latest;
    unsigned height, left, right; /* index + 1 */
};

/* One tree of a root. */
struct storage_tree {
    const struct ir_expr *unit;
    unsigned top;  /* span: index + 1 */
    unsigned next; /* tree of the same root: index + 1 */
};

struct storage_spans {
    array(struct storage_span) items;
    array(struct storage_tree) trees;
};

/* Puts a span into the tree below @top; returns the new top. */
unsigned storage_spans_add(struct storage_spans *spans, unsigned top, struct storage_span span);

/*
 * Calls @visit with the origin of each span below @top that is read behind @position and meets low to
 * high, in the order of their low ends, until it returns true (then so does this).
 */
typedef bool storage_span_fn(void *state, unsigned origin);
bool storage_spans_find(const struct storage_spans *spans, unsigned top, int64_t low, int64_t high,
                        unsigned position, storage_span_fn *visit, void *state);
void storage_spans_finish(struct storage_spans *spans);
