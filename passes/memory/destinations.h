/* Calls of kernels whose every output names the storage that it is written to. */
#pragma once

#include "passes/pass.h"

/* Outputs of @call, a call_tir or call_tir_inplace. */
unsigned destination_count(const struct ir_op *call);
/* The operand whose storage output @output takes; -1: new storage. */
int64_t destination_index(const struct ir_op *call, unsigned output);

/* Storage for output @output of @call, taken in front of @before.  NULL after a report. */
struct ir_value *destination_new(struct pass_run *run, const struct ir_op *call, unsigned output,
                                 struct ir_op *before);
/* The same for a tensor of @type that @call gives, whatever it calls. */
struct ir_value *destination_of_type(struct pass_run *run, const struct ir_op *call,
                                     const struct ir_type *type, struct ir_op *before);
/*
 * @value as room for output @output of @call, a call or the op that takes storage: itself if it
 * has the type, else its bytes from
 * @offset on, seen in front of @before.  NULL after a report.
 */
struct ir_value *destination_in(struct pass_run *run, const struct ir_op *call, unsigned output,
                                struct ir_value *value, int64_t offset, struct ir_op *before);

/*
 * Puts a call_tir_inplace in the place of @call that has a further operand for each output which
 * took new storage: the value in @destinations, by output, or else (or if it is NULL) an
 * alloc_tensor in front of the call.  Returns the new call; NULL after a report.
 */
struct ir_op *destinations_set(struct pass_run *run, struct ir_op *call,
                               struct ir_value *const *destinations);
/* Gives output @output of @call, made so, new storage instead.  False after a report. */
bool destinations_renew(struct pass_run *run, struct ir_op *call, unsigned output);
