/* What the files of the verifier share. */
#pragma once

#include "base/map.h"
#include "ir/verify.h"

enum { VERIFY_DEPTH_LIMIT = 512 }; /* of inline tuples, branches and nested functions */

/* One run over a module, a function or a kernel. */
struct verify {
    struct ir_module *module;
    struct ir_context *context;
    struct diag *diag;
    bool is_fine;
    struct arena arena;
    struct map use_counts;       /* value -> how many operands read it, as found by walking */
    struct map value_regions;    /* value -> region that it is visible in, once defined */
    struct map symbol_regions;   /* symbol -> region that it is visible in, once defined */
    struct map active_regions;   /* region -> itself while the walk is inside */
    struct map symbol_functions; /* symbol -> outermost function that it belongs to */
    struct map unsupported;      /* values that come from operators without loops, to themselves */
    struct map reported;         /* symbols that were reported: once is enough */
    struct map wrong;            /* results of calls that were reported, to their ops */
    struct ir_function *function;
    struct ir_block *block; /* of the op that is looked at */
    struct ir_region *region;
    unsigned depth;
};

void verify_init(struct verify *v, struct ir_module *module, struct diag *diag);
bool verify_finish(struct verify *v); /* true if nothing was wrong */

/* Something that no script can cause: a bug in a pass. */
void verify_broken(struct verify *v, struct location loc, const char *format, ...) PRINTF(3, 4);

/* Checks that the scalars of @type are defined here, and are integers. */
void verify_type_symbols(struct verify *v, const struct ir_type *type, struct location loc);

bool verify_is_forced_pure(const struct ir_function *function);

/* region.c: regions, blocks, ops */
void verify_region(struct verify *v, struct ir_region *region);
void verify_function_body(struct verify *v, struct ir_function *function);

/* result.c: E0254, what @end of @function returns is not what it declares */
void verify_report_result(struct verify *v, const struct ir_function *function,
                          const struct ir_op *end);

/* call.c: call_tir against its kernel; map.c: in-place index maps */
bool verify_is_wrong(struct verify *v,
                     const struct ir_value *value); /* it was reported what makes it */
void verify_kernel_call(struct verify *v, struct ir_op *op);
bool verify_inplace_map(struct verify *v, struct ir_op *op); /* true if the map is fine */

/* call_help.c: edits for such calls */
/* Where the call @op says the type of result @i. */
struct location verify_output_place(const struct ir_op *op, unsigned i);
/* Lets the one symbol of the kernel that @param has, and that is not bound yet, be what makes @param @value. */
void verify_bind(struct ir_context *context, struct ir_bindings *bindings,
                 const struct ir_expr *param, const struct ir_expr *value);
/* R.call_tir of a kernel that updates an argument, and does not store to @output, which is to be a result. */
bool verify_help_update(struct diag_message *m, const struct tir_func *kernel,
                        const struct ir_buffer *output);
/* The arguments at @first and @second should change places. */
/* Result @i is what the kernel makes in @buffer. */
void verify_help_output(struct verify *v, struct diag_message *m, const struct ir_op *op,
                        unsigned i, const struct ir_buffer *buffer);
/* Argument @i of @op, which has another shape than @buffer, may be a parameter that says it wrong: help with an edit. */
void verify_help_shape(struct verify *v, struct diag_message *m, const struct ir_op *op, unsigned i,
                       const struct ir_buffer *buffer);
/* Is it a new tensor that an entry of the map means which names @argument?  Its kernel reads that alone, and a buffer is left. */
bool verify_is_fresh(struct verify *v, const struct ir_op *op, unsigned argument);
/* Has the map of @op as many entries as its kernel writes buffers? */
bool verify_map_fits(struct verify *v, const struct ir_op *op);
/* Does @kernel store to @buffer? */
bool verify_is_stored(const struct tir_func *kernel, const struct ir_buffer *buffer);
/* Where @op says the types of all results; nowhere if it does not. */
struct location verify_results_place(const struct ir_op *op);
/* The types of all results, as the kernel makes them: help with an edit. */
void verify_help_all_types(struct verify *v, struct diag_message *m, const struct ir_op *op);
/* Result @i, of type @output, is not of the type of the argument whose storage it is to have. */
struct diag_message *verify_report_inplace(struct verify *v, const struct ir_op *op, unsigned i,
                                           unsigned argument, const struct ir_type *output,
                                           bool *out_is_mended);
void verify_help_results(struct verify *v, struct diag_message *m, const struct ir_op *op);
void verify_help_map(struct verify *v, struct diag_message *m, const struct ir_op *op);
/*
 * E0305: the kernel has as many results as the map of @op has entries, and one that is new is given an argument by it.
 * False: it is not so.
 */
bool verify_report_map(struct verify *v, const struct ir_op *op);
/* The map of a call whose kernel writes what it is given; false: it writes new outputs, or it is not known. */
bool verify_help_written(struct verify *v, struct diag_message *m, const struct ir_op *op);

/* contract.c: what is said of functions outside of the module */
void verify_contracts(struct verify *v);
void verify_contract_call(struct verify *v, struct ir_op *op);

/* symbols.c */
void verify_define_symbols(struct verify *v, const struct ir_type *type);
void verify_define_param_symbols(struct verify *v, struct ir_function *function);
void verify_op_symbols(struct verify *v, struct ir_op *op);
