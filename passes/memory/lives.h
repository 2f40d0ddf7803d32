/*
 * Lives of storage: where what a function takes is used for the last time, and by which names it can be
 * given back there.
 */
#pragma once

#include "analysis/storage/storage.h"

/* Does @op give storage back? */
bool lives_is_end(const struct ir_op *op);

/* Leaf @leaf of @value is to end behind @after, which is in the region of @value. */
struct life_end {
    struct ir_op *after;
    struct ir_value *value;
    unsigned leaf;
    bool is_joined; /* in one op with the end in front of it: they may be the same storage */
};

struct life_ends {
    struct life_end *items;
    size_t count, capacity; /* an array() */
};

/*
 * Appends the ends of what the function analysed by @storage takes, in the order in which it is taken, but
 * with those that belong together beside each other.  Not among them: what leaves the function, what is
 * kept by code that is not seen, what has an end in the text, and what is reached only by names that may
 * be somebody else's.
 */
void lives_find(struct storage *storage, struct arena *scratch, struct life_ends *out);
