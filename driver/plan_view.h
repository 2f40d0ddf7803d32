/*
 * A plan of memory to be shown: boxes of steps and bytes.  Made from a table (plan_table.h) or from what the text of a
 * function says (plan_report.h); printed by plan_print.c and drawn by plan_svg.c.
 */
#pragma once

#include "analysis/pack/pack.h"
#include "base/array.h"
#include "base/source.h"
#include "base/text.h"

/* A value that lives in a storage from a step on: the one in front of it has ended there, or is seen by it. */
struct plan_owner {
    const char *name;
    int64_t from;
};

struct plan_box {
    const char *name;
    struct pack_item item;           /* of open size: 0 bytes */
    const char *size;                /* of an open one: the expression; else NULL */
    const char *offset;              /* the same */
    bool is_apart;                   /* has storage of its own, and so no offset */
    struct location loc;             /* of what takes it; or nowhere */
    struct location end;             /* of what ends it; or nowhere */
    const char *result;              /* "result", "parameter": where it ends; or NULL */
    array(struct plan_owner) owners; /* in order */
};

struct plan_view {
    const char *name; /* of the function; NULL: a table */
    array(struct plan_box) boxes;
    int64_t arena_bytes;     /* the piece of storage that has the boxes with offsets; 0: none */
    int64_t apart_bytes;     /* the most that the others hold at one step */
    int64_t lower_bound;     /* no plan has less: of all boxes */
    int64_t unplanned_bytes; /* if each value had storage of its own, to the end */
    int64_t inplace_bytes;   /* of values that took over the storage of another */
    bool is_proved;          /* no plan is lower */
    unsigned open;           /* boxes whose size is not known */
    int64_t stack_bytes;     /* a call has on the stack of the run at most; -1: that is no number */
    const char *stack;       /* what it is instead: an expression; or NULL: there is no bound, */
    const char *stack_why;   /* for this reason */
    unsigned stack_line;     /* of the script; 0: none */
    /* Of an open plan, where all sizes are expressions: what it takes at one step, and of that the pieces
     * of storage, and what no plan is below; or NULL. */
    const char *bytes, *arena, *bound;
    bool is_open; /* there are some, or a piece of storage is one: sums are without them */
};

enum plan_format { PLAN_TEXT, PLAN_JSON, PLAN_CSV };

/* The most that the plan takes at one step: arena and others. */
int64_t plan_view_bytes(const struct plan_view *view);

void plan_view_put(const struct plan_view *views, size_t count, enum plan_format format,
                   struct text *out);
/* One panel a function. */
void plan_view_put_svg(const struct plan_view *views, size_t count, struct text *out);
void plan_view_finish(struct plan_view *view);
