/*
 * Measuring, for all who do it: `race`, `bench`, `tune`.
 *
 * A runner is what a pipeline made of a script, ready to run; several stand side by side.  They are
 * measured in rounds: in each, all of them, in an order that changes from round to round, so that
 * what disturbs the machine for a while meets all of them.  A time is the mean of as many runs as
 * last long enough for the clock, behind a run that does not count where others ran in between.
 */
#pragma once

#include "driver/kernel_notes.h"
#include "driver/session.h"

struct runner {
    const char *name;
    struct session *session;
    struct ir_module *module;
    bool is_twin;
    struct kernel_notes notes;
    struct codegen *code;
    struct ir_function *function; /* the entry */
    inlay_entry_fn *entry;
    struct inlay_memory *memory;
    struct given given;
    struct inplace_decisions decisions;
    struct run_cost cost;
    unsigned code_error;          /* of the message that stands against it */
    bool is_ready;                /* passes and code generation went well */
    bool is_out;                  /* not measured any more */
    bool is_close;                /* its results are those that are expected */
    double difference;            /* from them, the largest */
    unsigned batch;               /* runs that make one time */
    bool is_warmed;               /* a run that does not count goes in front of them */
    double measured_ms;           /* in all */
    array(double) times;          /* ms of one run, one a round that it was in */
    struct inlay_profile profile; /* of the last run, if it tells of its kernels */
};

/* What runs are given, and what has to come of them. */
struct runner_case {
    struct session *session;
    struct inlay_value *given, *expected;
    struct inlay_value *args; /* the same as given, for a run to use up */
    const char *how;          /* the expected results were made: "as the interpreter computes it" */
};

/*
 * Makes the expected results of the session's script: by the interpreter if that takes about a
 * second at most, else by plain code.  False after a report.  The session keeps the script then:
 * session_fresh().
 */
bool runner_case_make(struct runner_case *out, struct session *session);
/* The same without expected results: nothing is compared. */
void runner_case_bare(struct runner_case *out, struct session *session);
void runner_case_finish(struct runner_case *of);

/*
 * Runs @passes on the script, compiles, and compares the results of a first run.  False after a
 * report, and finish it in any case.
 */
bool runner_make(struct runner *runner, const struct runner_case *of, const char *passes,
                 const struct pass_watch *watch);
/* The same in two steps: in between one may look at the module. */
bool runner_make_module(struct runner *runner, const struct runner_case *of, const char *passes,
                        const struct pass_watch *watch);
bool runner_make_code(struct runner *runner, const struct runner_case *of);
/* Another one of the same module, which @runner keeps; its runs tell of their kernels. */
bool runner_make_twin(struct runner *twin, const struct runner *runner,
                      const struct runner_case *of);
void runner_finish(struct runner *runner);

/* One run: its time goes to *@ms.  False after a report. */
bool runner_run(struct runner *runner, const struct runner_case *of, double *ms);

/* How long to measure. */
struct runner_rounds {
    unsigned rounds;             /* so many; 0: as long as the next two say */
    double least_ms;             /* that each is to be measured for */
    uint64_t seed;               /* of the orders */
    void (*behind)(void *state); /* each round; or NULL */
    void *state;
};
enum { RUNNER_LEAST_ROUNDS = 10, RUNNER_MOST_ROUNDS = 1000 };
#define RUNNER_LEAST_MS 300.0

/* One round of all that are ready and not out; false after a report. */
bool runner_round(struct runner *const *runners, size_t count, const struct runner_case *of,
                  uint64_t *random);
/* As many as @how says; *@out_rounds is how many there were. */
bool runner_measure(struct runner *const *runners, size_t count, const struct runner_case *of,
                    const struct runner_rounds *how, unsigned *out_rounds);
