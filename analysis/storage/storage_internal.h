/* Shared by the files of analysis/storage only. */
#pragma once

#include "analysis/storage/storage.h"

/* More origins of a leaf than this are ANYTHING, more places of an origin are opaque. */
enum { STORAGE_SET_LIMIT = 64 };

unsigned storage_origin_new(struct storage *storage, const struct ir_value *value, unsigned leaf);
unsigned storage_root_new(struct storage *storage, enum storage_root_kind kind,
                          struct location loc);

/* --- sets.c --- */
const struct storage_set *storage_single(struct storage *storage, unsigned origin);
/* The union of @sets. */
const struct storage_set *storage_union(struct storage *storage,
                                        const struct storage_set *const *sets, size_t count);
/*
 * What the leaves of a value of type @to name where it is another name of one of type @from, whose leaves
 * name @sets: leaf by leaf where the tuples correspond, all of the part where they do not.
 */
void storage_map_leaves(struct storage *storage, const struct ir_type *from,
                        const struct storage_set *const *sets, const struct ir_type *to,
                        struct storage_sets *out);
/* Says that @origin lives in @places (any order, may repeat). */
void storage_set_places(struct storage *storage, unsigned origin,
                        const struct storage_place *places, size_t count);
/* Says that it lives in @root alone. */
void storage_set_root(struct storage *storage, unsigned origin, unsigned root);

struct storage_places {
    struct storage_place *items;
    size_t count, capacity; /* an array() */
};
/* Appends the places of the origins of @set. */
void storage_push_places(const struct storage *storage, const struct storage_set *set,
                         struct storage_places *out);

/* --- names.c --- */
/* Numbers the function and finds origins, what names them, and reads. */
void storage_find_names(struct storage *storage);

/* --- roots.c --- */
/* Finds in program order where origins live; asks the decide function. */
void storage_find_roots(struct storage *storage);
/* Everything that @value may live in is kept from @op on. */
void storage_retain(struct storage *storage, const struct ir_value *value, const struct ir_op *op);
