/* What greedy plans are made with: who meets whom, holes, and layers. */
#pragma once

#include "analysis/pack/pack_internal.h"

/* A set of parts that is asked who in it meets a part. */
struct crowd {
    const struct pack_problem *problem;
    uint32_t *
        last; /* a tree over the parts: the latest end in it; node k has the children 2k and 2k + 1 */
    size_t leaves;
    uint64_t work;
};

void crowd_init(struct crowd *crowd, const struct pack_problem *problem, struct arena *scratch);
void crowd_clear(struct crowd *crowd);
void crowd_add(struct crowd *crowd, uint32_t part);
void crowd_remove(struct crowd *crowd, uint32_t part);

/* Writes to out_parts[] who of the set meets @part, itself among them if it is in the set. */
size_t crowd_list(struct crowd *crowd, const struct pack_part *part, uint32_t *out_parts);

/* The parts in an order: rank 0 first. */
typedef double pack_key_fn(const struct pack_problem *problem, const struct pack_part *part);

/*
 * Two ways to place them all.  Each returns the height, INT64_MAX if a part lies above PACK_LARGEST, and
 * sets its offsets.
 */
struct holes; /* each part in its turn goes into the first hole that holds it, or the tightest */
struct holes *holes_create(const struct pack_problem *problem, struct arena *scratch);
int64_t holes_fill(struct holes *holes, const uint32_t *order, bool is_tight);
const int64_t *holes_offsets(const struct holes *holes);
uint64_t holes_work(const struct holes *holes);

struct layers; /* whoever can go lowest goes there; the order decides between equals */
struct layers *layers_create(const struct pack_problem *problem, struct arena *scratch);
int64_t layers_fill(struct layers *layers, const uint32_t *order);
const int64_t *layers_offsets(const struct layers *layers);
uint64_t layers_work(const struct layers *layers);
