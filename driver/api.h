/*
 * What stands behind include/inlay/inlay.h: shared by api_*.c only.
 *
 * Every public function that does anything works under the guard of its session (api_enter), so what
 * it calls may run out of memory or meet a bug: the session is no good after that, and says so.
 */
#pragma once

#include "base/guard.h"
#include "driver/driver.h"
#include "include/inlay/inlay.h"
#include "runtime/frame.h"

struct inlay_session {
    struct guard guard;
    struct inlay_options options;
    struct driver_options driver_options;
    struct driver *driver; /* and all below lies under the guard */
    struct inlay_pool *pool;
    struct inlay_memory *memory;  /* that calls leave to the next one */
    struct inlay_module *modules; /* first of a list */
    struct inlay_frame *frame;    /* for the next inlay_module_call_into(), or NULL */
    struct arena listed;          /* the diagnostics that were asked for last */
    struct text text;             /* ... as text */
    struct inlay_diagnostic end;  /* what a session says that cannot go on */
    char end_text[512];
};

struct api_entry {
    const struct ir_function *function;
    inlay_entry_fn *entry;
    const bool *is_own; /* by result: it is made in storage of its own */
};

struct inlay_module {
    struct inlay_session *session;
    struct inlay_module *next, *prev;
    const struct source *source;
    struct ir_module *ir;            /* NULL after an error in a pass */
    array(const char *) ran;         /* pipelines, in memory of the driver */
    struct codegen *code;            /* NULL: not compiled */
    array(struct api_entry) entries; /* of its code that were looked up */
    array(bool) is_told;             /* by result of the call in work: it is given no memory */
    struct inplace_decisions made;
    struct inlay_run *runs; /* first of a list */
    struct arena decisions, leaves;
    struct inlay_signature signature;
    struct text text;
};

struct inlay_run {
    struct inlay_module *module;
    struct inlay_run *next, *prev;
    struct inlay_frame *frame; /* NULL: the call did not begin */
    struct inlay_value *results;
    size_t result_count;
};

/* Calls @call under the guard; false if it did not come to its end. */
bool api_enter(struct inlay_session *session, void (*call)(void *state), void *state);

/* The place of @location, or none. */
struct inlay_place api_place(struct location location);

/* api_run.c: what a session is for its runs. */
struct inlay_host api_host(const struct inlay_session *session);
/* api_run.c: the code of @function of a compiled module, looked up once; NULL after a report. */
inlay_entry_fn *api_find_entry(struct inlay_module *module, const struct ir_function *function);
/* ... and of each result whether it is made in storage of its own, never in an argument. */
const bool *api_own_results(struct inlay_module *module, const struct ir_function *function);
/* api_run.c: frees the run's frame and takes it out of the list of its module. */
void api_run_drop(struct inlay_run *run);
/*
 * api_apart.c: if the checker of storage refused the code of @module: makes the module and its code again
 * without what it did not believe.  Messages from the @first_message-th on are replaced by a warning then.
 */
bool api_compile_apart(struct inlay_module *module, const struct codegen_options *options,
                       size_t first_message);
/* api_module.c: all but what lies under the guard, which may be in no order. */
void api_module_drop(struct inlay_module *module);
