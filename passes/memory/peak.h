/*
 * Orders of steps, and the most that is held while they run: what ReorderForPeak solves, without a
 * module.
 *
 * A node is a step.  It reads values, makes values, and may let one that it makes take over the
 * bytes of one that it reads for the last time (as many): nothing is held for both then.  A value
 * is held from the node that makes it to the last that reads it, closed at both ends; one that is
 * kept is held to the end, one that nobody makes from the beginning.  Nodes are numbered in the
 * order that there was; edges lead from lower numbers to higher ones.
 *
 * What is held behind a set of nodes depends on the set alone, whatever the order within it was.
 */
#pragma once

#include "base/arena.h"
#include "base/array.h"

#include <stdbool.h>
#include <stdint.h>

enum { PEAK_NONE = ~0U };

/* No value, and no sum of them, is larger. */
#define PEAK_LARGEST ((int64_t)1 << 60)

/* Items of one of the flat arrays. */
struct peak_list {
    unsigned first, count;
};

struct peak_value {
    int64_t bytes;
    unsigned maker; /* PEAK_NONE: it was there before */
    bool is_kept;
    struct peak_list readers; /* in problem->readers */
};

/* A value that a node makes; those whose bytes it may take over, best first. */
struct peak_make {
    unsigned value;
    struct peak_list takes; /* in problem->takes */
};

struct peak_node {
    int64_t extra; /* bytes while it runs */
    int64_t
        least; /* that are held while it runs, whatever stands in front of it; without the base */
    struct peak_list reads, makes, before, after;
    /* Reads nothing for the last time, so it need not run before somebody wants it. */
    bool is_lazy;
};

struct peak_edge {
    unsigned before, after;
};

struct peak_problem {
    int64_t base; /* held all the time */
    array(struct peak_value) values;
    array(struct peak_node) nodes;
    array(struct peak_make) makes;
    array(unsigned) reads;
    array(unsigned) takes;
    array(struct peak_edge) edges;
    unsigned *readers, *before, *after; /* of values; of nodes: in the arena */
    struct arena arena;
    bool is_plain; /* no node has two values that may take something over */
};

/* Building: values, then nodes in order, each with what it reads, makes, and what that may take. */
unsigned peak_add_value(struct peak_problem *problem, int64_t bytes, bool is_kept);
unsigned peak_add_node(struct peak_problem *problem, int64_t extra);
void peak_add_read(struct peak_problem *problem, unsigned value); /* of the last node; each once */
void peak_add_make(struct peak_problem *problem, unsigned value); /* of the last node */
void peak_add_take(struct peak_problem *problem, unsigned value); /* of the last that was made */
void peak_add_edge(struct peak_problem *problem, unsigned before, unsigned after);
/* Nothing is added any more. */
void peak_finish(struct peak_problem *problem);
void peak_release(struct peak_problem *problem);

/* ---- running ---- */

/* What is held in front of, or behind, a node. */
struct peak_run {
    const struct peak_problem *problem;
    unsigned *left; /* by value: readers that did not run */
    int64_t held, peak;
};

/* In front of all nodes; memory in @arena. */
void peak_begin(struct peak_run *run, const struct peak_problem *problem, struct arena *arena);
/* Returns what is held while @node runs. */
int64_t peak_step(struct peak_run *run, unsigned node);
/* The peak of an order of all nodes.  @steps (by place) gets what is held at each, or is NULL. */
int64_t peak_of(const struct peak_problem *problem, const unsigned *order, int64_t *steps);
/* Does every edge lead forward in @order, which has each node once? */
bool peak_is_order(const struct peak_problem *problem, const unsigned *order);
/* No order has a lower peak than this; of which the proof is the largest single step. */
int64_t peak_least(const struct peak_problem *problem);

/*
 * What a node takes over of what dies with it: the bytes that are not held twice.  @dies says
 * whether it is the last reader of a value.
 */
typedef bool peak_dies_fn(const void *state, unsigned value);
int64_t peak_taken(const struct peak_problem *problem, unsigned node, peak_dies_fn *dies,
                   const void *state);

/* ---- orders ---- */

enum peak_list_kind {
    PEAK_LATE,         /* as they stand, but what is lazy when it is wanted */
    PEAK_LEAST_GROWTH, /* of those that can run the one behind which least is held */
    PEAK_DEEP,         /* from the results down, what needs most first */
    PEAK_LIST_COUNT,
};
/* Writes the order of all nodes that this rule makes; near linear. */
void peak_list_order(const struct peak_problem *problem, enum peak_list_kind kind, unsigned *order);

struct peak_found {
    int64_t peak;
    bool is_exact;  /* no order has a lower one, or one below the floor */
    uint64_t tries; /* steps that were looked at */
};

/*
 * Looks for an order with a peak below @below, as low as can be (but not below @floor); writes it
 * to @order and says true.  It goes through the sets of nodes that can have run, one size after the
 * other, each with the least peak by which it is reached; if there are too many for @tries, through
 * the best of them.
 */
bool peak_search(const struct peak_problem *problem, int64_t below, int64_t floor, uint64_t tries,
                 unsigned *order, struct peak_found *out);

/*
 * Lowers the peak of the given order: true if @order, which is written in any case, has a lower
 * one. Where the peak is not, the order stays.  No more than about @tries steps are looked at.
 */
bool peak_order(const struct peak_problem *problem, uint64_t tries, unsigned *order,
                struct peak_found *out);
