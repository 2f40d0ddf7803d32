/* Shared by the files that look at the pieces of roots: access.c, take.c, kill.c. */
#pragma once

#include "analysis/verify_storage/internal.h"

/* A diagram of places is looked at for one root, and there for one piece. */
struct vs_look {
    struct vs_replay *r;
    unsigned root, tag;
    const struct extent *piece;
};

enum extent_relation vs_relation(struct vs_replay *r, const struct extent *a,
                                 const struct extent *b);
/*
 * The first piece of @state that may meet @extent; is the @i-th one there, and may it still do so?
 */
unsigned vs_first_piece(const struct vs_state *state, const struct extent *extent);
bool vs_is_near(const struct vs_state *state, unsigned i, const struct extent *extent);

/* The bytes of all places of @node belong to @tag from now on, on the paths that lead there. */
void vs_take(struct vs_replay *r, unsigned node, unsigned tag);
