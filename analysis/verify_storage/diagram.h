/*
 * Decision diagrams over the branches of a function: what holds on which path.
 *
 * A node is a leaf (a kind and a number) or asks which way a branch went: then, or otherwise.
 * Equal nodes are one node.  Branches are numbered when they end, so an `if` has a larger number
 * than those inside of it and in front of it, larger numbers are asked first, and joining two
 * branches is one new node.
 */
#pragma once

#include "base/array.h"

#include <stdbool.h>
#include <stdint.h>

enum diagram_kind {
    DIAGRAM_PLACE, /* of a value: a number of struct vs_place */
    DIAGRAM_TAG,   /* of bytes: a number of struct vs_tag */
    DIAGRAM_FLAG,  /* 0 or 1 */
};

struct diagram_node {
    unsigned branch; /* 0: a leaf */
    unsigned then;   /* of a leaf: its number */
    unsigned other;  /* of a leaf: its kind */
    unsigned spot;   /* the common spot of all places below; 0: none, or not one */
    unsigned mark;   /* of walks */
};

struct diagram_memo {
    unsigned op, a, b, result; /* op 0: empty */
};

struct diagrams {
    array(struct diagram_node) nodes;
    unsigned *slots; /* of nodes, +1 */
    size_t slot_count;
    struct diagram_memo *memo;
    size_t memo_count, memo_slots;
    unsigned last_op, last_mark;
    size_t steps, step_limit;
    bool is_full; /* too many steps: results mean nothing */
    array(unsigned) worklist;
    array(struct diagram_frame) frames;
};

void diagram_init(struct diagrams *d, size_t step_limit);
void diagram_finish(struct diagrams *d);

/* @spot: of a place; else 0. */
unsigned diagram_leaf(struct diagrams *d, enum diagram_kind kind, unsigned number, unsigned spot);
/* @then where @branch goes that way, else @other; both know only smaller branches. */
unsigned diagram_choose(struct diagrams *d, unsigned branch, unsigned then, unsigned other);

bool diagram_is_leaf(const struct diagrams *d, unsigned node);
/* The number of a leaf. */
unsigned diagram_number(const struct diagrams *d, unsigned node);

/*
 * What @leaf makes of @a and @b along each path: it is called with each leaf of @a and what @b is
 * on the paths to it, which may be a diagram again.  @op stands for @leaf and all that @state
 * holds: results of the same op are kept.
 */
typedef unsigned diagram_leaf_fn(void *state, unsigned leaf, unsigned b);
unsigned diagram_apply(struct diagrams *d, unsigned op, unsigned a, unsigned b,
                       diagram_leaf_fn *leaf, void *state);
unsigned diagram_new_op(struct diagrams *d);

/*
 * The leaves below @node, each once, in an order that is always the same; valid until the next
 * call.
 */
const unsigned *diagram_leaves(struct diagrams *d, unsigned node, size_t *out_count);
