/*
 * A compiled program in a record (record.h): code, the constants that it refers to, and what a run of it asks of the
 * module that passes made, which is not there any more.
 *
 * Only programs whose entry has parameters of fixed shapes are kept: what a run is given is numbers then.
 */
#pragma once

#include "driver/given.h"
#include "driver/record.h"
#include "driver/stats.h"

typedef array(int) place_array;

/* Constants of the script before passes changed it: they need not be kept. */
struct kept_data {
    const void *data;
    size_t bytes;
};
typedef array(struct kept_data) kept_data_array;
void kept_note_constants(const struct ir_module *module, kept_data_array *out);

struct kept {
    bool is_there;
    place_array places; /* of the leaves of its parameters, among the script's inputs */
    struct given_plan given;
    struct run_cost cost; /* what is known without a run */
    struct record_view view;
};

/* Can a run of @function be described by numbers? */
bool kept_is_possible(const struct ir_function *function);
/* Keeps @kept and the code of @driver; @script: constants that the next one who reads the script has, too. */
void kept_write(struct record *record, const struct kept *kept, const kept_data_array *script);
/*
 * Makes @kept of what @record holds, and loads its code with @options.  @module is the script, and
 * must outlive it.  False: nothing is known.
 */
bool kept_read(struct record *record, const struct ir_module *module, size_t input_count,
               size_t result_count, const struct codegen_options *options, struct kept *kept);
void kept_finish(struct kept *kept);
