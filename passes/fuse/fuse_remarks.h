/* What FuseOps says of calls of @function, if somebody asks: who is in which group, and why others are in none. */
#pragma once

#include "passes/fuse/fuse_graph.h"
#include "passes/fuse/fuse_group.h"

/* The calls of @graph, of whose groups functions were made. */
void fuse_remark_nodes(struct pass_run *run, const char *function, struct fuse_graph *graph);
/* A call that no other op stands beside. */
void fuse_remark_lone(struct pass_run *run, const char *function, const struct ir_op *op);
