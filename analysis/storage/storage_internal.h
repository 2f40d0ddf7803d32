/* Shared by the files of analysis/storage only. */
#pragma once

#include "analysis/storage/storage.h"

/* More origins of a leaf than this are ANYTHING, more places of an origin are opaque. */
enum { STORAGE_SET_LIMIT = 64 };
/* More regions of one root that an origin may be are the bytes around all of them. */
enum { STORAGE_REGION_LIMIT = 8 };
/* Proofs about regions for each value of a function. */
enum { STORAGE_PROOFS = 32 };

unsigned storage_origin_new(struct storage *storage, const struct ir_value *value, unsigned leaf);
unsigned storage_root_new(struct storage *storage, enum storage_root_kind kind,
                          struct location loc);

/* --- sets.c --- */
const struct storage_set *storage_single(struct storage *storage, unsigned origin);
/* The union of @sets. */
const struct storage_set *storage_union(struct storage *storage,
                                        const struct storage_set *const *sets, size_t count);
/*
 * What the leaves of a value of type @to name where it is another name of one of type @from,
 * whose leaves name @sets: leaf by leaf where the tuples correspond, all of the part where they
 * do not.
 */
void storage_map_leaves(struct storage *storage, const struct ir_type *from,
                        const struct storage_set *const *sets, const struct ir_type *to,
                        struct storage_sets *out);
/* Says that @origin lives in @places (any order, may repeat). */
void storage_set_places(struct storage *storage, unsigned origin,
                        const struct storage_place *places, size_t count);
/* Says that it lives in @root alone, somewhere. */
void storage_set_root(struct storage *storage, unsigned origin, unsigned root);

/* Says that it is all of @root, which has @bytes (may be NULL). */
void storage_set_whole(struct storage *storage, unsigned origin, unsigned root,
                       const struct ir_expr *bytes);
/* Says that @origin, the result of @op, is bytes of what operand 0 is. */
void storage_add_view(struct storage *storage, unsigned origin, const struct ir_op *op);

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

/* --- parts.c --- */
/* Is the result of @op bytes of operand 0, with what they hold? */
bool storage_is_view(const struct ir_op *op);
/*
 * The region of the result of @op, which is a part of operand 0; @is_one: of @within, else of one
 * of several leaves.
 */
struct storage_region storage_part_region(struct storage *storage, const struct ir_op *op,
                                          bool is_one, const struct storage_region *within);

/* --- liveness.c --- */
/* Notes for questions about reads that @origin may be at @place. */
void storage_note_place(struct storage *storage, unsigned origin,
                        const struct storage_place *place);

/* --- roots.c --- */
/* Finds in program order where origins live; asks the decide function. */
void storage_find_roots(struct storage *storage);
/* New storage that leaf @leaf of the result of @op is. */
struct storage_place storage_new_place(struct storage *storage, const struct ir_op *op,
                                       unsigned leaf);
/* Leaf @leaf of the result of @op is new storage, or lives where operand @operand of the call
 * in work does. */
void storage_set_fresh(struct storage *storage, const struct ir_op *op, unsigned leaf);
void storage_set_taken(struct storage *storage, const struct ir_op *op, unsigned leaf,
                       unsigned operand);
/* Asks whether its operand @argument may be updated where it is. */
bool storage_take(struct storage *storage, struct ir_op *op, unsigned argument, int output);
/* Notes that everything @value may live in is updated, or written for effect. */
void storage_mark(struct storage *storage, const struct ir_value *value, bool is_written);
void storage_retain_root(struct storage *storage, unsigned root, const struct ir_op *op);
/* Everything that @value may live in is kept from @op on. */
void storage_retain(struct storage *storage, const struct ir_value *value, const struct ir_op *op);

/* --- opaque.c --- */
/* A call of code that is not seen. */
void storage_visit_opaque(struct storage *storage, struct ir_op *op);
