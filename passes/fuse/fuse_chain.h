/*
 * Chains of products over the same rows, as attention is when it is spelled out in operators.
 *
 *     s = R.matmul(q, k)              each row of y takes one row of p, of t, of s and of q:
 *     t = R.add(s, mask)              one kernel may compute some rows of all of them,
 *     p = R.nn.softmax(t)             and what lies between the products stays in the cache
 *     y = R.matmul(p, v)              (passes/schedule/rows.c)
 *
 * All that reads what a member of the chain makes is a member, but for what reads the last one.  No sum is added in
 * another order for being in one kernel.
 */
#pragma once

#include "base/map.h"
#include "passes/fuse/fuse_graph.h"

struct fuse_chains {
    struct arena *scratch;
    struct map kernels; /* what was asked of each */
};

/* Finds the chains among the nodes of @graph, whose edges are there, and notes them in graph->chains. */
void fuse_chains_find(struct fuse_chains *chains, struct fuse_graph *graph);
void fuse_chains_finish(struct fuse_chains *chains);
