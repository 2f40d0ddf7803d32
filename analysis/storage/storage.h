/*
 * Who shares storage, and until when: the one place that knows.
 *
 * It says what is so and decides nothing.  Three notions, kept apart:
 *
 *   leaf    a value of tuple type is the list of its non-tuple fields (analysis/leaves.h)
 *   origin  a leaf that is not just another name: a parameter, a result of a call, of `if`, ... 
 * Tuples,
 *           fields, name bindings, match_cast and views are names: a leaf names a *set* of
 * origins, of
 *           which it is one.  Reads are counted for origins, at positions in program order.
 *   root    a piece of storage: of an allocation, a parameter, a constant, or made by code that
 * is not
 *           seen.  An origin lives in one of a set of places, each a root and the region of it.
 *
 * R.memory.view of a value is an origin that is bytes of others: it lives where they live, in the
 * part that the view says, from the beginning and not from where the view stands, so that an
 * update in front of a view is an update of what the view shows.
 *
 * What is not known is the worst for the one who asks: a leaf behind R.Object is all that went
 * in, what is too much to be told apart is ANYTHING, and a region that is not known is all of the
 * root.
 *
 * In-place calls.  The text is obeyed: a result that names an argument lives in its storage.  Who
 * decides whether it may (analysis/inplace.h) gives functions that choose, which are asked in
 * program order, with everything in front of the call settled; where they say no, the result is
 * new storage.
 *
 * Functions.  What a call does is said by the summary of the function that is called.  Summaries
 * are made bottom-up over strongly connected components of the call graph, within one to the
 * least fixed point; those of a component do not change once another asks for them.  There is no
 * limit of depth.
 *
 * A nested function is analysed with the function around it, in one numbering; what it captures
 * is kept from where it is made.  Time and memory are linear in the size of the module, but for
 * the sets.
 */
#pragma once

#include "analysis/access/share.h"
#include "analysis/kernel.h"
#include "analysis/storage/region.h"
#include "analysis/storage/spans.h"
#include "base/array.h"
#include "base/map.h"
#include "ir/module.h"

enum storage_root_kind {
    STORAGE_ALLOCATED,
    STORAGE_PARAMETER,
    STORAGE_CONSTANT,
    STORAGE_OPAQUE, /* made by, or returned from, code that is not seen */
    STORAGE_NONE,   /* of what has no storage: scalars, shapes */
};

struct storage_root {
    enum storage_root_kind kind;
    unsigned parameter, parameter_leaf; /* of a PARAMETER */
    const struct ir_function *home;     /* the function, maybe a nested one, whose storage it is */
    struct location loc;                /* where it comes from */
    const struct ir_expr *bytes;        /* how many; NULL: not known */
    const struct ir_op
        *retained_by;      /* the first op that gave it to code that may keep it, or NULL */
    bool is_overwritten;   /* something updates it in place */
    bool is_written;       /* something may write it for effect */
    array(unsigned) loose; /* origins that may live in it, but for those in trees */
    unsigned trees;        /* of origins whose bytes are multiples of one unit: index + 1 */
};

struct storage_place {
    unsigned root;
    struct storage_region region;
};

/* A read of an origin by the op at @position. */
struct storage_read {
    unsigned position;
    struct ir_op *op;            /* in a block */
    const struct ir_value *name; /* the value through which it was read */
};

struct storage_origin {
    const struct ir_value *value; /* NULL: an inline constant, ANYTHING, nothing */
    unsigned leaf;
    unsigned place_count;
    const struct storage_place *places; /* by root; several regions of one root may be there */
    array(struct storage_read) reads;   /* by position */
    const struct ir_op *view;           /* it is bytes of an operand, seen by this op; or NULL */
    unsigned views;                     /* of it: index + 1 of the first */
};

/* Origin @origin is bytes of another one. */
struct storage_view {
    unsigned origin, next; /* index + 1 */
};

/* Origins that are always there. */
enum {
    STORAGE_NOTHING,  /* of what has no storage */
    STORAGE_ANYTHING, /* may be any origin */
};

/* Origins that a leaf may name: sorted, each once, never empty. */
struct storage_set {
    unsigned count;
    const unsigned *items;
};

/* What a call of a function does to storage. */
struct storage_summary {
    unsigned param_count;
    bool *overwrites;           /* by parameter: a donated one that may be updated in place */
    bool *retains;              /* by parameter: code that is not seen may keep (a part of) it */
    const struct ir_type *type; /* of the result */
    unsigned result_count;      /* leaves of it */
    struct storage_result *results;
};

/* One leaf of a result: everything that it may live in. */
struct storage_result {
    bool is_opaque, is_constant;
    unsigned part_count;
    struct storage_part *parts;
};

/* A leaf of a parameter, or new storage; results with one number may share it. */
struct storage_part {
    bool is_parameter;
    unsigned parameter, leaf;     /* of a parameter */
    unsigned number;              /* of new storage */
    struct storage_region region; /* of it, in the symbols of the callee */
};

/* Facts about a module: kernels and summaries, each worked out once. */
struct storage_module {
    struct ir_module *module;
    struct arena arena;
    struct map kernels; /* kernel -> struct kernel_access */
    struct access_cache accesses;
    struct map shares; /* parameter that is written -> by parameter: struct storage_share * */
    struct map agreed; /* for who decides: struct access_share -> set if the checker agrees */
    struct map nodes;  /* function -> struct storage_node */
    struct storage_node **order; /* callees in front of callers, but for cycles */
    size_t node_count, solved;   /* summaries of the first @solved are final */
    bool has_copies;  /* in-place calls of kernels work on private copies, as in the interpreter */
    bool has_effects; /* some op may write tensors that it is given */
};

/* A function in the graph of calls. */
struct storage_node {
    struct ir_function *function;
    struct storage_summary *summary; /* final, or that of the component in work so far */
    array(struct storage_node *) callees;
    unsigned component;  /* numbered bottom-up */
    bool is_recursive;   /* in a cycle of calls */
    bool is_value;       /* used as a value: not all of its calls are seen */
    bool is_called;      /* by a function of the module */
    unsigned index, low; /* of the search for components; 0: not met */
    bool is_on_stack;
};

struct storage;
/* May output @output of @call, or a call that consumes a donated argument (-1), take @argument? */
typedef bool storage_decide_fn(void *state, struct storage *storage, struct ir_op *call,
                               unsigned argument, int output);

/*
 * The operand that output @output of @call, which asks for none, is to take over; -1: none.  To
 * be taken is its storage as it is: the result then lives there.
 */
typedef int storage_offer_fn(void *state, struct storage *storage, struct ir_op *call, int output);

/* Who chooses; a function that is NULL obeys the text. */
struct storage_choice {
    storage_decide_fn *decide;
    storage_offer_fn *offer;
    void *state;
};

/* The call in work, for those who choose: by operand. */
struct storage_call {
    const struct ir_op *op;
    const struct storage_set **operands; /* of its first leaf */
    bool *is_taken;                      /* decided: in place */
    bool *is_copied;                     /* decided: on a copy */
};

/* Facts about one function and those nested in it. */
struct storage {
    struct storage_module *module;
    struct ir_function *function;
    struct arena arena;
    array(struct storage_origin) origins;
    array(struct storage_root) roots;
    array(struct storage_view) views;
    struct storage_spans spans;
    unsigned *first_leaf;                         /* by value->index: into leaves */
    const struct ir_value *first;                 /* the value of index 0 */
    unsigned *positions;                          /* by result.index of an op in a block */
    array(const struct storage_set *) leaves;     /* of each leaf of each value: what it names */
    array(unsigned) values;                       /* where the leaves of each begin */
    array(const struct storage_set *) singletons; /* by origin */
    struct map constants;                         /* constant -> origin + 1 */
    unsigned value_count, next_position;
    const struct ir_op *maker; /* of the nested function in work, or NULL */
    struct storage_call call;
    struct storage_choice choice;
    bool is_building;
    unsigned *classes; /* union-find over roots, made when first asked for, */
    unsigned *unknown; /* and with it how many of the leaves in front of each are ANYTHING */
    size_t proofs;     /* about regions that were asked for */
};

/* The roots that are always there. */
enum { STORAGE_ROOT_NONE, STORAGE_ROOT_OPAQUE };

/* ---- modules ---- */

/* Summaries of functions are made when asked for. */
void storage_module_init(struct storage_module *facts, struct ir_module *module);
void storage_module_finish(struct storage_module *facts);
/* May some op of @module write tensors that it is given?  For those who ask nothing else. */
bool storage_module_has_effects(struct ir_module *module);
/* Makes all summaries now: for who changes functions while it asks. */
void storage_module_solve(struct storage_module *facts);

/* What a call of @function, which is not nested, does.  Final; NULL if it was made after the
 * init. */
const struct storage_summary *storage_summary(struct storage_module *facts,
                                              struct ir_function *function);
/* Lets the summary of @storage, worked out with decisions made, stand for its function; in no
 * cycle of calls, and of no use to those who have asked before. */
void storage_settle(struct storage *storage);
const struct kernel_access *storage_kernel(struct storage_module *facts,
                                           const struct tir_func *kernel);
/* May parameters @written and @read of @kernel be in one storage, @read @shift bytes behind
 * @written? */
const struct access_share *storage_kernel_share(struct storage_module *facts,
                                                const struct tir_func *kernel, unsigned written,
                                                unsigned read, int64_t shift);

/*
 * May @function overwrite its parameter @param?  Only where relax.inplace_arg donates it and
 * every call is seen: not in nested functions, nor in those that are used as values.
 */
bool storage_is_donated(const struct storage_module *facts, const struct ir_function *function,
                        unsigned param);

/* Does some function of the module call @function? */
bool storage_is_called(const struct storage_module *facts, const struct ir_function *function);
/* Is @function in a cycle of calls? */
bool storage_is_recursive(const struct storage_module *facts, const struct ir_function *function);

/* ---- functions ---- */

/* Analyses @function, which is not nested, and numbers it; @choice may be NULL: the text is
 * obeyed. */
void storage_init(struct storage *storage, struct storage_module *facts,
                  struct ir_function *function, const struct storage_choice *choice);
void storage_finish(struct storage *storage);
/* Lets @op be the call in work. */
void storage_begin_call(struct storage *storage, const struct ir_op *op);
/* The summary of what was analysed; in the arena of the module's facts. */
struct storage_summary *storage_summarize(struct storage *storage);

/* Place of @op (in a block) in program order; the ops of the branches of an `if` come before it. */
unsigned storage_position(const struct storage *storage, const struct ir_op *op);

/*
 * What leaf @leaf of the result of an op in a block, or of a parameter, names; ANYTHING for a
 * value that was made after the analysis, unless it got the index of one whose place it takes.
 */
const struct storage_set *storage_leaf(const struct storage *storage, const struct ir_value *value,
                                       unsigned leaf);

/* What the leaves of a value name: one set each. */
struct storage_sets {
    const struct storage_set **items;
    size_t count, capacity; /* an array() */
};
/* Appends those of @value, inline or not. */
void storage_sets_of(struct storage *storage, const struct ir_value *value,
                     struct storage_sets *out);

/*
 * The first read of @origin on a path from @op, not counting @op itself; NULL if none.  Reads in
 * the other branch of an `if` around @op are on no path from it.
 */
const struct storage_read *storage_read_after(const struct storage *storage, unsigned origin,
                                              const struct ir_op *op);

/* The first read behind @op of what may live in the places of @origin, its own reads included. */
const struct storage_read *storage_place_read_after(struct storage *storage, unsigned origin,
                                                    const struct ir_op *op);

/* May bytes of @a be bytes of @b? */
bool storage_origins_meet(struct storage *storage, unsigned a, unsigned b);
bool storage_sets_meet(struct storage *storage, const struct storage_set *a,
                       const struct storage_set *b);
/*
 * Where in what @a is the bytes that it has in common with @b begin and end, where both are one
 * region of one root and these are not all of @a; false if they are, or if it is not known.
 */
bool storage_overlap(struct storage *storage, const struct ir_value *a, const struct ir_value *b,
                     const struct ir_expr **out_low, const struct ir_expr **out_high);
/* How many bytes behind the begin of @a does @b begin?  False if that is not one known number. */
bool storage_sets_shift(struct storage *storage, const struct storage_set *a,
                        const struct storage_set *b, int64_t *out);
/* Provably exactly the same bytes? */
bool storage_sets_are_same(struct storage *storage, const struct storage_set *a,
                           const struct storage_set *b);
/* The same of any leaf of one value with any leaf of another. */
bool storage_values_meet(struct storage *storage, const struct ir_value *a,
                         const struct ir_value *b);

/* Is all that @value may live in made by this function, or donated to it, and kept by nobody
 * else? */
bool storage_is_own(struct storage *storage, const struct ir_value *value);

/*
 * Classes of storage, coarser: values of different classes never share any, whatever the order of
 * ops is. A value that has no storage is of class STORAGE_ROOT_NONE.
 */
unsigned storage_class(struct storage *storage, const struct ir_value *value);
bool storage_is_shared(struct storage *storage, const struct ir_value *a, const struct ir_value *b);
/*
 * May a rewrite move a read of a value, or let one value stand for another?  Values are immutable
 * to their readers, so as a rule it may, unless something in the class of @value may be written
 * for effect, or (changed) updated in place as well: only effects change what a read sees, a read
 * that moves behind an update costs a copy.
 */
bool storage_is_written(struct storage *storage, const struct ir_value *value);
bool storage_is_changed(struct storage *storage, const struct ir_value *value);

/* ---- ops and types ---- */

/* True for ops whose result is another name of an operand's storage: they read nothing. */
bool storage_is_name(const struct ir_op *op);
/*
 * Is @value room that was taken, or a part of it, which no value is ever put into under that
 * name: results of kernels in place have names of their own?  Then it holds nothing, and to name
 * it reads nothing.
 */
bool storage_is_room(const struct ir_value *value);
/* Is operand @i of @op such room for a result of it? */
bool storage_is_room_for_result(const struct ir_op *op, unsigned i);
/* May @op write tensors that it is given, by the rules of the language? */
bool storage_has_effect(const struct ir_op *op);
/* May a value of @type hold storage at all?  Not scalars, shapes, strings. */
bool storage_is_in(const struct ir_type *type);
