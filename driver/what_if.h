/*
 * What if the script were changed: which single edit would save the most bytes?
 *
 * Nothing is guessed: each edit is made on a copy of the script, the pipeline decides again, and what is
 * missed then is compared with what is missed now.  Edits that stand against most bytes are tried first, and
 * only as many as the size of the module allows.
 */
#pragma once

#include "driver/decide.h"
#include "driver/totals.h"

struct what_if_edit {
    const char *text;      /* "donate `x` of `main`", in the driver's arena */
    struct location place; /* the parameter, or the op that is moved */
    struct byte_sum saved;
};

struct what_if_edits {
    struct what_if_edit *items; /* that save something, most first */
    size_t count, capacity;     /* an array() */
};

/* @decisions are those of @pipeline on @script, which is not changed. */
void what_if(struct driver *driver, const struct ir_module *script, const char *pipeline,
             enum inplace_mode mode, const struct pass_watch *watch, struct sizes *sizes,
             const struct inplace_decisions *decisions, struct what_if_edits *out);
void what_if_put(struct sizes *sizes, const struct what_if_edits *edits, struct text *out);
/* A JSON array: edit, line, bytes. */
void what_if_put_json(struct sizes *sizes, const struct what_if_edits *edits, struct text *out);
