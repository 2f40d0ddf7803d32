/*
 * The partition of a run of pure ops into groups that become one kernel each.
 *
 * The algorithm is the one that the head of TVM's fuse_ops.cc explains: a node joins the group of its
 * immediate post-dominator if the patterns on all paths to it allow that, first reductions and what is
 * elementwise, then what is injective; groups are sets of a union-find forest.
 *
 * Members of a group move to the place of the last one.  So no update in place of storage that a member
 * reads may lie between, except by members: it would turn a last use into an earlier one, and cost a
 * copy.
 */
#pragma once

#include "analysis/pattern.h"
#include "analysis/remark.h"
#include "base/arena.h"
#include "ir/graph.h"

#include <stdint.h>

enum { FUSE_NO_OPERAND = UINT32_MAX };

struct fuse_edge {
    unsigned to;      /* the node that reads */
    unsigned operand; /* .. as this one; FUSE_NO_OPERAND: in a tuple */
    uint8_t pattern;  /* of the reader, as far as this operand goes */
    unsigned next;    /* index + 1 */
};

#define for_each_edge(edge_, graph_, node_)                                                 \
    for (unsigned edge_##_at = (graph_)->nodes.items[node_].edges; edge_##_at;              \
         edge_##_at = (graph_)->edges.items[edge_##_at - 1].next)                           \
        for (const struct fuse_edge *edge_ = &(graph_)->edges.items[edge_##_at - 1]; edge_; \
             edge_ = NULL)

struct fuse_node {
    struct ir_op *op;
    uint8_t pattern; /* enum op_pattern */
    bool is_extern;  /* read outside of the run */
    bool is_closed;  /* in a group of a chain, which only factors join */
    bool
        moves_factor; /* it moves elements for a product, or scales those: free where that reads them */
    unsigned
        widens_to; /* the first of those that make elements wider, to so many bytes; 0: it is none */
    unsigned edges;                  /* index + 1 of the first */
    unsigned edge_tail;              /* index + 1 of the last */
    unsigned first_read, read_count; /* storage that it reads: into graph->reads */
    /* post-dominator tree: index + 1; `jump` is a far ancestor, so that searches take log n steps */
    unsigned parent, jump, depth;
    uint8_t to_parent, to_jump; /* the worst pattern on the way */
    /* union-find, and what is known of a group at its representative */
    unsigned group, count, last;
    uint8_t group_pattern;
    unsigned next, tail; /* members in a list: index + 1; index of the last */
    /* why it is not where its parent is: of the last try, and the node that stands against it */
    enum remark_id why;
    unsigned against;
    /* of a representative: what became of the calls of its group */
    const struct ir_global *made;
    unsigned calls;
    bool is_refused; /* no function could be made of it */
    unsigned stamp;
};

/* An update in place of a piece of storage by a node. */
struct fuse_update {
    unsigned storage, node;
};

struct fuse_graph {
    struct {
        struct fuse_node *items; /* in program order */
        size_t count, capacity;  /* array()s, all of them */
    } nodes;
    struct {
        struct fuse_edge *items;
        size_t count, capacity;
    } edges;
    struct {
        struct fuse_update *items; /* by storage, then by node */
        size_t count, capacity;
    } updates;
    struct {
        unsigned *items;
        size_t count, capacity;
    } reads;
    /* groups that are made first: of each how many members, these, and where they go */
    struct fuse_lists {
        unsigned *items;
        size_t count, capacity;
    } chains, widenings; /* which no others join but factors; which join what reads them */
    unsigned max_depth;  /* members of a group */
    unsigned stamp;
};

/* @edge: all but ->next. */
void fuse_graph_add_edge(struct fuse_graph *graph, unsigned from, const struct fuse_edge *edge);
/* Finds the groups: nodes.items[i].group is then the representative, whose list has the members. */
void fuse_graph_partition(struct fuse_graph *graph);
unsigned fuse_graph_find(struct fuse_graph *graph, unsigned node);
/* Empties the graph, to be used again. */
void fuse_graph_clear(struct fuse_graph *graph);
void fuse_graph_finish(struct fuse_graph *graph);
