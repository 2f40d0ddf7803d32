/* Shared by the files of the checker only. */
#pragma once

#include "analysis/verify_storage/diagram.h"
#include "analysis/verify_storage/extent.h"
#include "analysis/verify_storage/verify_storage.h"
#include "base/map.h"

enum { VS_NONE = 0xffffffffu };

/* ---- storage ---- */

enum vs_root_kind {
    VS_NOWHERE,  /* root 0: values without storage */
    VS_OWN,      /* this function, or one that it called, made it */
    VS_DONATED,  /* a parameter that may be overwritten */
    VS_BORROWED, /* any other, and what a nested function captures */
    VS_CONSTANT,
    VS_OPAQUE, /* opaque code made it, or keeps it */
};

/* Bytes and what they hold. */
struct vs_piece {
    struct extent extent;
    unsigned owner; /* diagram of tags */
};

struct vs_chunk;

/* A list that can be copied fast. */
struct vs_pieces {
    struct vs_chunk **chunks;
    unsigned *ends; /* how many pieces are in a chunk and those in front of it */
    unsigned chunk_count, capacity;
    unsigned count;
};

/* A root at one point of the program; changed only in the branch that made it. */
struct vs_state {
    struct vs_pieces pieces; /* apart from each other, rising unless `is_mixed` */
    unsigned made_in;        /* number of the branch */
    bool has_gaps;           /* bytes are missing in pieces: it is not known what they hold */
    bool has_expression;     /* an end is no number */
    bool is_mixed;           /* ends are multiples of several things: pieces are in no order */
    struct extent_unit unit;
    unsigned kept;                    /* diagram of flags: where opaque code may hold it */
    const struct ir_op *part_dead_by; /* killed what was moved here by another name; or NULL */
    unsigned dead; /* diagram of `no` and the tags of kills: where all of it was killed */
};

struct vs_root {
    enum vs_root_kind kind;
    const struct ir_op *maker;      /* NULL: a parameter */
    bool is_storage;                /* alloc_storage: tensors come and go in it */
    const struct ir_expr *bytes;    /* how many there are, or */
    const struct ir_type *bytes_of; /* as many as a tensor has; or NULL */
    struct vs_state *state;
    unsigned saved_in; /* number of the branch that restores an older state */
    unsigned base;     /* made by vs_write(): the places that it stands for; or 0 */
    bool is_foreign;   /* some of these are no storage of this function */
    unsigned mark;     /* of walks */
    unsigned first_tag, last_spot;
    const struct ir_op *keep; /* what gave it away first */
    bool is_written, is_kept; /* anywhere in the function */
    bool is_filled; /* something wrote it for its effect: what allocations there name has a value */
    unsigned leaf;  /* of a parameter: the number of its leaf; else VS_NONE */
};

enum vs_tag_kind {
    VS_VALUE,
    VS_DEAD,   /* the root was killed */
    VS_ENDED,  /* the tensor was, its storage is alive */
    VS_UNSURE, /* something may have been written there */
    VS_MOVED,  /* overwritten by a result that has a root of its own: see vs_write() */
};

struct vs_tag {
    enum vs_tag_kind kind;
    const struct ir_op *op; /* that made it so; NULL: a parameter */
    unsigned to;            /* of MOVED: the root */
};

/* Bytes of a root. */
struct vs_spot {
    unsigned root, previous; /* spot of the root; 0: none */
    struct extent extent;
};

struct vs_place {
    unsigned spot, tag;
};

/*
 * A value: a tuple of values, or a leaf, which is a diagram of places.  Immutable, shared by
 * names.
 */
struct vs_value {
    struct vs_value **fields; /* NULL: a leaf */
    unsigned count;
    unsigned node;
    unsigned mark;         /* of walks */
    struct vs_value *some; /* of a leaf: what each field of it is, once that was asked */
    bool is_some;          /* this is such a field: one of several tensors */
};

/* ---- what a function does to its caller ---- */

struct vs_leaf_facts {
    bool is_written, is_kept;
};

/* Bytes of an argument, or of storage that was made; ends may use the symbols of the callee. */
struct vs_part {
    unsigned leaf; /* of the parameters; 0 for storage that was made */
    struct extent extent;
    struct vs_part *next;
};

/* Where a leaf of the result may lie: any of these. */
struct vs_outcome {
    struct vs_part *params;
    unsigned
        group; /* storage that was made for it, leaves of one group may share it; VS_NONE: not */
    struct vs_part *parts; /* of the group's */
    bool is_constant, is_opaque;
};

struct vs_result {
    struct vs_result **fields; /* NULL: a leaf */
    unsigned count;
    struct vs_outcome *outcome;
    bool is_some; /* as in values */
};

struct vs_results { /* an array() */
    struct vs_result **items;
    size_t count, capacity;
};

struct vs_summary {
    struct ir_function *function;
    struct vs_value **params; /* leaves: node is the number of the leaf */
    struct vs_leaf_facts *leaves;
    unsigned leaf_count;
    struct vs_result *result; /* NULL: never returns, as far as is known */
    unsigned group_count;
    bool is_cyclic;      /* calls itself, perhaps through others */
    unsigned order, low; /* of the search for cycles */
    bool is_open;        /* on its stack */
    array(struct vs_summary *) callees;
};

/* ---- one check ---- */

struct vs_kernel;
struct vs_replay;

typedef void vs_replay_fn(struct vs_replay *r, struct ir_op *op);

struct vs_module {
    struct ir_module *module;
    struct ir_context *context;
    enum verify_storage_mode mode;
    struct verify_storage_refusals *refusals;
    struct arena arena;     /* summaries, facts of kernels */
    struct map summaries;   /* ir_function -> vs_summary */
    struct map kernels;     /* tir_func -> vs_kernel */
    vs_replay_fn **replays; /* by id of an operator: those that say something about memory */
    array(struct vs_summary *) functions;
    array(struct vs_kernel *) kernel_list;
    array(struct ir_function *) nested; /* still to be replayed */
};

struct vs_change {
    unsigned root;
    struct vs_state *state;
    unsigned saved_in;
};

struct vs_replay {
    struct vs_module *m;
    struct ir_function *function;
    struct vs_summary *summary;
    bool is_reporting;
    unsigned reported;
    struct arena arena;
    struct diagrams d;
    array(struct vs_root) roots;
    array(struct vs_tag) tags;
    array(struct vs_spot) spots;
    array(struct vs_place) places;
    struct map place_of; /* (spot, tag) -> place */
    struct map values;   /* ir_value -> vs_value */
    array(struct vs_change) trail;
    unsigned branch,
        last_branch;         /* the one in work, and the number of the last that began; 0: none */
    unsigned last_decision;  /* number in diagrams */
    unsigned last_mark;      /* of values */
    const struct ir_op *op;  /* in work */
    bool has_fault;          /* it was refused */
    unsigned nowhere;        /* the node of no storage */
    unsigned yes, no;        /* the nodes of flags */
    unsigned constant_place; /* the node of all constants; 0: none yet */
    unsigned check_op;       /* of reads of one spot; see diagram_apply() */
    enum vs_root_kind fresh_kind;
    unsigned leaf_count; /* of parameters */
    array(unsigned) scratch;
    array(unsigned) lost; /* roots whose storage somebody else has taken */
    bool has_moved;       /* some root has a base */
};

/* replay.c */
/* True if more is known now than @summary said. */
bool vs_replay_function(struct vs_module *m, struct vs_summary *summary, bool is_reporting);
void vs_refuse(struct vs_replay *r, enum verify_storage_fault fault, const struct ir_value *value,
               const struct ir_op *because);
struct vs_value *vs_value_of(struct vs_replay *r, struct ir_value *value);
/* The next number for diagrams: of an `if`, or of which of several places a call returned. */
unsigned vs_new_decision(struct vs_replay *r);

const struct ir_expr *vs_root_bytes(struct vs_replay *r, const struct vs_root *root);

/* room.c: what the storage of parameter @value of the function holds, in bytes; NULL: its elements */
const struct ir_expr *vs_room(struct vs_replay *r, const struct ir_value *value);
/* May storage of a parameter of @function hold more than its elements? */
bool vs_may_have_room(const struct ir_function *function);
/* The upper bound that the function says of symbols that are called @name; or NULL. */
const struct ir_expr *vs_upper_bound(struct vs_replay *r, const char *name);

/* bound.c: the most that @a, a size, is in any run; NULL: not known */
const struct ir_expr *vs_most(struct vs_replay *r, const struct ir_expr *a);

/* root.c: roots, tags, places */
void vs_roots_init(struct vs_replay *r);
unsigned vs_root_new(struct vs_replay *r, enum vs_root_kind kind);
unsigned vs_tag_new(struct vs_replay *r, enum vs_tag_kind kind);
/* The node of the bytes @extent of @root under @tag. */
unsigned vs_place(struct vs_replay *r, unsigned root, struct extent extent, unsigned tag);
/* A root with one tag for all of it. */
unsigned vs_fresh(struct vs_replay *r, enum vs_root_kind kind);
const struct vs_place *vs_place_at(const struct vs_replay *r, unsigned leaf);
const struct vs_spot *vs_spot_at(const struct vs_replay *r, unsigned leaf);
struct vs_root *vs_root_at(struct vs_replay *r, unsigned leaf);
/* The state of @root, to be changed. */
struct vs_state *vs_change(struct vs_replay *r, unsigned root);
void vs_add_piece(struct vs_replay *r, struct vs_state *state, unsigned at, struct vs_piece piece);
/* Notes that bytes @extent are a piece. */
void vs_note_extent(struct vs_state *state, const struct extent *extent);
/* The roots that @node leads to, each once, in r->scratch. */
size_t vs_roots_of(struct vs_replay *r, unsigned node);

/* pieces.c: lists of pieces */
/* A list of its own for @pieces, which are those of another state. */
void vs_pieces_copy(struct vs_replay *r, struct vs_pieces *pieces);
const struct vs_piece *vs_piece_at(const struct vs_pieces *pieces, unsigned i);
struct vs_piece *vs_piece_to_change(struct vs_replay *r, struct vs_pieces *pieces, unsigned i);
void vs_pieces_insert(struct vs_replay *r, struct vs_pieces *pieces, unsigned i,
                      const struct vs_piece *piece);
void vs_pieces_append(struct vs_replay *r, struct vs_pieces *pieces, const struct vs_piece *piece);
/* Pieces @first to @last - 1. */
void vs_pieces_remove(struct vs_replay *r, struct vs_pieces *pieces, unsigned first, unsigned last);
/* How many pieces from @i of @a and @k of @b on are the very same memory; 0 is always right. */
unsigned vs_pieces_shared(const struct vs_pieces *a, unsigned i, const struct vs_pieces *b,
                          unsigned k);
/* Appends those from @i of @from on that vs_pieces_shared() counted. */
void vs_pieces_share(struct vs_replay *r, struct vs_pieces *to, const struct vs_pieces *from,
                     unsigned i);

/* access.c: what ops may do; @value is for messages */
void vs_read(struct vs_replay *r, unsigned node, const struct ir_value *value);
/* The same of what is to be overwritten: room that nothing was put into by this name only has
 * to be there. */
void vs_read_target(struct vs_replay *r, unsigned node, const struct ir_value *value);
/* May this function write there?  Refuses if not. */
bool vs_check_writable(struct vs_replay *r, unsigned node, const struct ir_value *value,
                       bool is_effect);
bool vs_is_kept(struct vs_replay *r, unsigned node, unsigned root);
/* May both lie in the same bytes, on one path? */
bool vs_may_overlap(struct vs_replay *r, unsigned a, unsigned b);

/* take.c: what changes */
/* All bytes of @node are overwritten; where the new value lies. */
unsigned vs_write(struct vs_replay *r, unsigned node);
/* The same for a tensor that is put into storage: its place stays what @node is. */
unsigned vs_put(struct vs_replay *r, unsigned node);
void vs_keep(struct vs_replay *r, unsigned node);
/* @node with what was moved by vs_write() seen as where it came from. */
unsigned vs_unmoved(struct vs_replay *r, unsigned node);
/* @node moved into the part @part of each of its ranges. */
unsigned vs_part(struct vs_replay *r, unsigned node, struct extent part);

/* kill.c */
void vs_kill(struct vs_replay *r, unsigned node, const struct ir_value *value);
/* Storage of which nothing is dead, for a tensor that is put there. */
bool vs_check_alive(struct vs_replay *r, unsigned node, const struct ir_value *value);

/* join.c */
typedef array(struct vs_change) vs_changes;
/* Takes back what a branch did since the trail was @mark long; *@out says what that was. */
void vs_take_back(struct vs_replay *r, size_t mark, vs_changes *out);
/* What holds behind the `if` whose branches did this. */
void vs_join(struct vs_replay *r, unsigned decision, const vs_changes *then,
             const vs_changes *other);

/* value.c */
struct vs_value *vs_leaf(struct arena *arena, unsigned node);
struct vs_value *vs_tuple(struct arena *arena, struct vs_value **fields, unsigned count);
struct vs_value *vs_field(struct vs_replay *r, struct vs_value *tuple, unsigned i);
struct vs_value *vs_join_values(struct vs_replay *r, unsigned decision, struct vs_value *then,
                                struct vs_value *other);
/* Calls @visit with the node of each leaf, each shared part once. */
typedef void vs_leaf_fn(void *state, unsigned node);
void vs_each_leaf(struct vs_replay *r, struct vs_value *value, vs_leaf_fn *visit, void *state);
/* One node for all that @value holds: any of it. */
unsigned vs_collapse(struct vs_replay *r, struct vs_value *value);
/* By the fields of a tuple type; a leaf for each other type, or for all if there were too many. */
typedef unsigned vs_make_leaf_fn(void *state, const struct ir_type *type);
struct vs_value *vs_value_of_type(struct arena *arena, const struct ir_type *type,
                                  vs_make_leaf_fn *make, void *state);
bool vs_has_storage(const struct ir_type *type);
/* For messages: as the text names it. */
const char *vs_name_of(struct arena *arena, const struct ir_value *value,
                       const struct ir_function *function);

/* library.c, kernel_call.c, call.c: ops */
void vs_library_init(struct vs_module *m);
void vs_replay_library(struct vs_replay *r, struct ir_op *op);
void vs_replay_kernel_call(struct vs_replay *r, struct ir_op *op, struct tir_func *kernel);
void vs_replay_call(struct vs_replay *r, struct ir_op *op, struct ir_function *callee);
void vs_read_operands(struct vs_replay *r, struct ir_op *op);
void vs_read_value(struct vs_replay *r, struct ir_value *value);
void vs_replay_opaque(struct vs_replay *r, struct ir_op *op);
void vs_set(struct vs_replay *r, const struct ir_op *op, struct vs_value *value);
/* A result for which storage is made: a root for each leaf. */
struct vs_value *vs_fresh_value(struct vs_replay *r, const struct ir_type *type,
                                enum vs_root_kind kind);

/* outside.c */
void vs_replay_outside(struct vs_replay *r, struct ir_op *op);
/* Does a contract say that @op writes what it is given? */
bool vs_says_outside(const struct ir_op *op);

/* summary.c */
struct vs_summary *vs_summary_new(struct vs_module *m, struct ir_function *function);
bool vs_is_donated(const struct ir_function *function, unsigned param);
/* Notes what the replay found; true if that is more than was known. */
bool vs_summarize(struct vs_replay *r, struct vs_value *result);

/* kernel.c */
struct vs_kernel *vs_kernel_of(struct vs_module *m, struct tir_func *func);
bool vs_kernel_writes(const struct vs_kernel *kernel, unsigned param);
bool vs_kernel_keeps(const struct vs_kernel *kernel, unsigned param); /* hands it to other code */
/*
 * If parameters @read and @written are one storage, @read beginning @distance bytes behind
 * @written: is each element of @read loaded before the kernel stores to these bytes?
 */
bool vs_kernel_reads_first(struct vs_module *m, struct vs_kernel *kernel, unsigned read,
                           unsigned written, int64_t distance);
void vs_kernels_finish(struct vs_module *m);
