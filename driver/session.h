/*
 * One script on its way to results: loaded, given inputs, passed, compiled, run.  What `run`, `race`
 * and the other commands that run something are made of.
 */
#pragma once

#include "driver/driver.h"
#include "driver/given.h"
#include "driver/inputs.h"
#include "driver/kept.h"
#include "driver/packed.h"
#include "driver/results.h"
#include "driver/stats.h"

struct session {
    const struct driver_options *options;
    struct driver *driver;
    const struct source *source;
    struct ir_module *module;  /* what the passes make of the script */
    struct ir_module *script;  /* as it was read; NULL unless session_keep_script() */
    struct ir_function *entry; /* of the script as it was read, before any pass */
    struct inputs inputs;      /* of that entry */
    bool *is_donated;          /* each input */
    struct packed packed;
    struct inplace_decisions decisions; /* of the passes that ran last */
    struct inlay_frame *frame;          /* of the run that was last; owns its results */
    struct inlay_memory *memory;   /* that runs leave to the next one; NULL: each starts afresh */
    struct inlay_pool *pool;       /* of --threads */
    struct inlay_profile *profile; /* that runs tell their kernels; or NULL */
    struct given given;            /* to runs of compiled code */
    struct kept kept;              /* compiled code that is from a record, if it is there */
    kept_data_array constants;     /* of the script as it was read */
    struct results results;
    struct run_cost cost;
    bool keeps_assembly;         /* of compiled code, for who shows it */
    uint64_t *interpreted_steps; /* that may be left to the interpreter, and are then; NULL: all */
};

/*
 * Makes inputs for the entry of @source (NULL: it could not be read), as the options of @driver say;
 * false after a report.
 */
bool session_open(struct session *s, struct driver *driver, const struct source *source);
/* Frees all but the driver, with what it has to say, and the module. */
void session_close(struct session *s);

/* For several pipelines: keeps the script as it is, and makes a module of it, again with each call. */
void session_keep_script(struct session *s);
void session_fresh(struct session *s);
/* Gives back what the last run had and what its results lie in: they are gone. */
void session_forget_run(struct session *s);

/* Runs @passes (NULL: those of the options) on the module, which changes it, and the code generator on what they leave; both add
 * their time to the cost.  False after a report. */
bool session_run_passes(struct session *s, const char *passes, const struct pass_watch *watch);
bool session_compile(struct session *s);

/* How code of the session is made. */
struct codegen_options session_code_options(const struct session *s);

/*
 * Both from a record, or false: then they are to be run.  And what they made into the record, if it can be described.
 * Under a record there is but one pipeline.
 */
bool session_restore(struct session *s, struct record *record);
void session_keep(struct session *s, struct record *record);
/* Adds what is known of cost without a run. */
void session_count(struct session *s);

/*
 * The entry of @module, which passes made from the script's: by name, NULL after a report.  Its
 * parameters may be fewer (some were bound), but each must be one of the script's.
 */
struct ir_function *session_entry(struct session *s, struct ir_module *module);

/*
 * One run in a new frame: @entry, or the interpreter of @function if that is NULL.  @args are those of
 * the script's entry; @function takes what it has of them, by name.  False after a report.
 */
bool session_execute(struct session *s, struct ir_function *function, inlay_entry_fn *entry,
                     const struct inlay_value *args);
