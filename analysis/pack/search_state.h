/* Where a search stands: what is placed, what that says of the rest, and how to go back. */
#pragma once

#include "analysis/pack/search.h"
#include "base/array.h"

/* A part that the search places. */
struct member {
    uint32_t first, last; /* sections, from the first of the search on */
    uint32_t part;        /* in the problem */
    uint32_t rank;
    bool is_placed;
    int64_t size, padded, alignment;
    int64_t rest;  /* where it would rest on what is placed */
    int64_t least; /* no plan of this branch has it lower; at least `rest` */
};

struct extent {
    int64_t offset, top;
};

/* To be undone, last first. */
struct change {
    enum { CHANGED_LEAST, CHANGED_SECTION, CHANGED_PLACE } kind;
    uint32_t index, lowest;
    int64_t value, rest;
};

struct state {
    uint32_t count, sections;
    struct member *members;
    uint32_t *neighbor_begin, *neighbors; /* of a member: whom it meets */
    uint32_t *alive_begin, *alive;        /* of a section: who lives in it */
    uint32_t *fixed_begin;                /* of a member: */
    struct extent *fixed;                 /* the fixed parts that it meets, by rising offset */
    int64_t *floor;     /* of a section: the least `least` of those still to come */
    uint32_t *lowest;   /* and whose that is, or PACK_NOBODY */
    int64_t *remaining; /* padded bytes still to come in it */
    uint32_t *crossing; /* of a section: those still to come that began in front of it */
    array(struct change) trail;
    int64_t capacity, grain;
    int64_t height; /* the capacity with the padding of what is on top */
    uint64_t work;
};

/* False: the lists would be too long. */
bool state_init(struct state *state, const struct pack_problem *problem, uint32_t begin,
                uint32_t end, struct arena *scratch);
void state_finish(struct state *state);

/* All members to come; false if the capacity is too small for one or for a section. */
bool state_start(struct state *state, int64_t capacity);

/* Places @index at its rest.  False: then there is no plan; what was done must be undone all the same. */
bool state_place(struct state *state, uint32_t index);

/* The branch in which @index, whose least offset is the lowest, is not placed there.  As above. */
bool state_raise(struct state *state, uint32_t index);

/* Back to a trail of @length. */
void state_undo(struct state *state, size_t length);
