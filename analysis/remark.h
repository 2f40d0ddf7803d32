/*
 * Remarks: what was decided about loops, fusion and memory, and why.
 *
 * A remark is written by the code that decides, at the moment it does: by passes while they run, by code
 * generation for what is emitted.  Nothing is worked out anew for readers, and nothing is recorded unless somebody
 * asks: the recorder of a run is NULL else.
 *
 * A remark is a value: places, names and numbers, which outlive the module.  Sentences are made from it
 * when somebody reads (remark_text()), by the table remark.def.
 */
#pragma once

#include "analysis/access/loop.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/map.h"
#include "ir/module.h"

enum remark_topic { REMARK_LP, REMARK_FU, REMARK_ME, REMARK_TOPICS };
extern const char *const remark_topics[];  /* "LP" */
extern const char *const remark_options[]; /* "loops": how `inlay why` is asked for them */

enum remark_verdict { REMARK_DONE, REMARK_MISSED, REMARK_NOTE };

enum remark_id {
    REMARK_NONE,
#define REMARK(topic, number, id, verdict, text, help) REMARK_##topic##_##id,
#include "analysis/remark.def"
    REMARK_COUNT
};

/* A row of remark.def. */
struct remark_info {
    enum remark_topic topic;
    unsigned number; /* 11 of LP011 */
    enum remark_verdict verdict;
    const char *text, *help;
};
extern const struct remark_info remark_table[REMARK_COUNT];
/* "LP011", as an atom of @context. */
const char *remark_code(struct ir_context *context, enum remark_id id);

/* Does it tell of a nest what it tells of one of its loops?  Then once is enough. */
bool remark_is_of_nest(enum remark_id id);

/* A place that belongs to it. */
struct remark_place {
    struct location loc;
    const char *text; /* of the label; NULL: there is none */
};

/* Texts are atoms or literals. */
struct remark {
    enum remark_id id;
    const char *name, *other; /* {name}, {other} */
    int64_t a, b;             /* {a}, {b} */
    struct remark_place first, second;
    const char *touches[2]; /* `A[i + 1]`: what they touch; or NULL */
};

/* What was decided about one loop: by ScheduleCPU about vectors and threads, then what became of it. */
struct remark_loop {
    const char *pass;             /* that decided about `lanes` and `threads` */
    struct remark lanes, threads; /* why not; REMARK_NONE: nobody looked, or it is so */
    struct remark made;           /* by code generation */
    struct remark made_lanes,
        made_threads; /* why code generation did not do what the loop asks for */
};

/* One of the parts of an item: what became of it, or why not something else. */
struct remark_part {
    const char *role; /* NULL: what became of it; "lanes", "threads", ..: why there are none */
    const char *pass; /* that decided */
    struct remark remark;
};

enum { REMARK_PARTS = 8 };

/* A loop, a pair of calls, a value: what remarks are about. */
struct remark_item {
    enum remark_topic topic;
    const char *function; /* the kernel, or the function of the graph */
    const char *subject;  /* "i" */
    struct location loc;
    unsigned depth; /* of a loop, in others */
    struct remark_part parts[REMARK_PARTS];
    unsigned part_count;
};

struct remark_items {
    struct remark_item *items;
    size_t count, capacity; /* an array() */
};

/* Who asks.  Zeroed but for the context it is empty and ready. */
struct remarks {
    struct ir_context *context;
    struct arena arena;
    struct map loops;          /* variable of a loop -> struct remark_loop */
    struct map by_text;        /* the same by name and place, for loops that passes copied */
    struct map kernels;        /* struct tir_func -> struct remark: of all its loops */
    struct remark_items items; /* on fusion */
    const char *looker; /* the pass that looked for vectors or threads, the last one; NULL: none */
};

void remarks_finish(struct remarks *remarks);

/* @pass looks for vectors or threads from here on. */
void remarks_looked(struct remarks *remarks, const char *pass);
void remark_add_part(struct remark_item *item, const char *role, const char *pass,
                     struct remark remark);

/* The record of @loop, made if there is none; NULL if nobody asks. */
struct remark_loop *remarks_of_loop(struct remarks *remarks, const struct tir_stmt *loop);
/* The record of @loop, or of the one that it is a copy of; NULL: none. */
const struct remark_loop *remarks_find_loop(const struct remarks *remarks,
                                            const struct tir_stmt *loop);
/* The same of all loops of @kernel. */
void remarks_of_kernel(struct remarks *remarks, const struct tir_func *kernel,
                       struct remark remark);
const struct remark *remarks_find_kernel(const struct remarks *remarks,
                                         const struct tir_func *kernel);

/* What stands against another order of iterations, as a remark. */
struct remark remark_of_obstacle(const struct loop_obstacle *obstacle);
/* Warns that @loop, marked T.vectorized or T.parallel, runs one iteration after the other. */
void remark_warn(struct diag *diag, const struct tir_stmt *loop, struct remark why);
/* "a `while`", for {name}. */
const char *remark_statement(const struct tir_stmt *stmt);

/* The sentence. */
void remark_put(const struct remark *remark, struct text *out);
