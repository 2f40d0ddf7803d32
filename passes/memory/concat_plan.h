/*
 * Which values are better made where a later kernel would copy them to: what ElideConcat does.
 *
 * A kernel that assembles its result of pieces (analysis/access/pieces.h) is a *join*, whether it
 * concatenates, stacks or pads.  A value that it copies whole may instead have its *home* in the result:
 * its maker then writes it there, and all who read it read it there.  A join whose result has a home in
 * another one is a part of that.
 */
#pragma once

#include "analysis/access/pieces.h"
#include "analysis/kernel_call.h"
#include "base/array.h"
#include "base/map.h"
#include "ir/capacity.h"
#include "passes/pass.h"

/* Where a value lies in another one. */
struct home {
    struct ir_value *value;
    struct ir_value *whole;
    const int *dims;                      /* by dimension of the value: that of the whole, or -1 */
    const struct ir_expr *const *offsets; /* by dimension of the whole */
};

/* A donated parameter whose storage has room for the whole. */
struct append {
    struct home home;
    const struct ir_region *region; /* of the join */
    struct ir_capacity capacity;
    unsigned first; /* number of the first op that reads it out of the whole */
};

/* Of joins, as they stand in the functions of a module. */
struct concat_numbers {
    bool *items;
    size_t count, capacity; /* an array() */
};

struct join {
    struct ir_op *op;
    size_t number; /* of all joins of the module */
    struct kernel_call call;
    struct access_pieces pieces;
    const unsigned *copies; /* by parameter of the kernel: pieces that are copied from it */
    unsigned home_count;    /* pieces whose sources have their home in the result */
    const struct access_piece **homes; /* those */
    struct ir_global
        *moved; /* its kernel backwards, if it works in the storage of an operand; or NULL */
    struct append append; /* ... which that is */
};

struct concat_plan {
    struct pass_run *run;
    const struct concat_numbers *left_out; /* joins that get no parts; concat_weigh.h */
    struct access_cache cache;
    struct map pieces; /* buffer -> struct access_pieces, or none */
    struct map plain;  /* kernel -> bool by parameter: all accesses to it are plain and inside */
    struct map sums;   /* kernel -> itself if it adds up what it writes, or NULL */
    struct map joins;  /* op -> struct join */
    struct map fields; /* call -> by output: its one name, or NULL */
    struct map homes;  /* value -> struct home */
    array(struct join *) all;
    array(struct append) appends;
    array(struct join *) moves;     /* joins of the function in work that are to be moved */
    array(struct ir_value *) homed; /* had a home when it was chosen */
    enum inplace_evidence evidence; /* of the parameter that was judged last */
    int parameter;                  /* ... its position, if it is to be said; else -1 */
    struct location reader;         /* ... and of who reads it too late, or none */
    struct map used;                /* globals that something in the module names (set) */
    bool has_used;                  /* ... is filled */
    bool notes_computed; /* parts that kernels compute where they are get a record, too */
};

/*
 * Before that: joins that are equal to a value become it, and values get one name each.  Kernels that are
 * called less are added to @replaced.  True if something changed.
 */
bool concat_tidy(struct concat_plan *plan, struct ir_function *function, struct map *replaced);
/* Is there a join in @function? */
bool concat_plan_has_joins(struct concat_plan *plan, struct ir_function *function);
/* Adds the joins and homes of @function. */
void concat_plan_find(struct concat_plan *plan, struct ir_function *function);
void concat_plan_finish(struct concat_plan *plan);

/* The call of a kernel of which @value is output *@out_output; NULL if it is none. */
struct ir_op *concat_plan_maker(const struct ir_value *value, unsigned *out_output);
/* The field of the tuple that @call makes; NULL if there is none, or more than one of them. */
struct ir_value *concat_plan_field(struct concat_plan *plan, const struct ir_op *call,
                                   unsigned output);

/* A value that the result of @op is equal to, as its pieces are those of that value, in their order. */
struct ir_value *concat_plan_same(struct concat_plan *plan, struct ir_op *op);

/* Where @value lies in the outermost whole; false if it has no home. */
bool concat_plan_home(struct concat_plan *plan, struct ir_value *value, struct home *out);
/* The append that @value, an operand of @op, is the beginning of, where @op is; or NULL. */
const struct append *concat_append_for(struct concat_plan *plan, const struct ir_op *op,
                                       const struct ir_value *value);
/* The one whose storage @whole is in; or NULL. */
const struct append *concat_append_of(struct concat_plan *plan, const struct ir_value *whole);
/* All of a tensor. */
struct home concat_plan_all_of(struct concat_plan *plan, struct ir_value *value);

/* ---- within ---- */

/* The pieces of an output; NULL if they are not known. */
const struct access_pieces *concat_pieces(struct concat_plan *plan, const struct tir_func *func,
                                          unsigned param);
/* Is @op a join?  Then kernel_call_finish(&out->call) is to be called some time. */
bool concat_read_join(struct concat_plan *plan, struct ir_op *op, struct join *out);

/*
 * Is each access to parameter @param of @func at plain indices that are proved to be inside?  Where it
 * is a part of something larger, an index outside would not be found when it runs.
 */
bool concat_is_plain(struct concat_plan *plan, const struct tir_func *func, unsigned param);
/* What stands against @value, the source of @piece, being made in the result of @join; or IP_PROVED. */
enum inplace_code concat_judge(struct concat_plan *plan, const struct join *join,
                               const struct access_piece *piece, const struct ir_value *value);
/* May the whole lie in the storage of @home's value, a parameter, the source of @piece?  Then it does. */
enum inplace_code concat_append(struct concat_plan *plan, struct join *join,
                                const struct access_piece *piece, const struct home *home);
/* The same where the elements have to be moved; true if the kernel can do it, and will. */
bool concat_move(struct concat_plan *plan, struct join *join, const struct access_piece *piece,
                 const struct append *append);
/* Is @piece all of its source, which the join copies nowhere else? */
bool concat_is_all_of(const struct join *join, const struct access_piece *piece);
/* Does @op read operand @i, and can it be told to read that elsewhere? */
bool concat_can_read_elsewhere(struct concat_plan *plan, struct ir_op *op, unsigned operand);
/* Does @op, which reads a part of the result of @join, add up another part of it? */
bool concat_adds_beside(struct concat_plan *plan, const struct join *join, const struct ir_op *op);
/* Does a call of a kernel update it? */
bool concat_is_updated(const struct ir_value *value);
/* Has @var a value as soon as @function has its arguments? */
bool concat_is_of_params(const struct ir_function *function, const struct ir_var *var);
/* Can the whole be allocated where @value is made, and the value's place in it be told? */
bool concat_knows_sizes(const struct ir_value *value, const struct home *home);
