/* Builder: makes ops at a place, with their types inferred; the parser and the passes use it alike. */
#pragma once

#include "base/diag.h"
#include "ir/module.h"

struct ir_builder {
    struct ir_module *module;
    struct diag *diag;
    struct ir_block *block;
    struct ir_op *before; /* NULL: append to block */
    struct location loc;  /* given to the ops that are made */
};

/*
 * Makes an op of @info at the place of @b and infers its type; NULL after a report.  @attrs has
 * info->attr_count entries, or is NULL for all defaults.  Inline infos make inline ops.
 */
struct ir_op *ir_build(struct ir_builder *b, const struct ir_op_info *info,
                       struct ir_value *const *operands, unsigned operand_count,
                       const struct ir_attr *const *attrs);
/* As ir_build(), with the declared type (out_ty, ty_args, the type of match_cast) set first. */
struct ir_op *ir_build_declared(struct ir_builder *b, const struct ir_op_info *info,
                                struct ir_value *const *operands, unsigned operand_count,
                                const struct ir_attr *const *attrs, const struct ir_type *declared);
/* The same of the library (ops/ids.h), all attributes at their defaults. */
struct ir_value *ir_build_op(struct ir_builder *b, unsigned library_id,
                             struct ir_value *const *operands, unsigned operand_count);

/* call_tir of @kernel with @declared as out type (a tuple for several outputs). */
struct ir_value *ir_build_call_tir(struct ir_builder *b, struct ir_global *kernel,
                                   struct ir_value *const *args, unsigned arg_count,
                                   const struct ir_type *declared);
/* Also folds tuple_get of a tuple that is visible. */
struct ir_value *ir_build_tuple_get(struct ir_builder *b, struct ir_value *tuple, unsigned index);

/* Infers the type of @op again (its operands changed): declared type, core rule or info->infer. */
bool ir_op_infer(struct ir_module *module, struct diag *diag, struct ir_op *op);
/* False after the report that @type is too large to be worked with; see ir/type.h. */
bool ir_type_is_within_limits(struct diag *diag, struct location loc, const struct ir_type *type);

/*
 * Copies within a module: of ops of one function, with their regions, to be put into another one.
 * What is neither in @values nor copied stands for itself, and so do symbols that are not in @symbols.
 */
struct ir_copy {
    struct ir_module *module;
    struct ir_function *function; /* that the copies will be in */
    struct map values;            /* struct ir_value: old -> new; each copy is added */
    struct ir_bindings symbols;   /* an array() */
};
struct ir_op *ir_copy_op(struct ir_copy *copy, const struct ir_op *op);

/* A copy of the kernel @from as another global, of that name or one like it; its buffers are its own. */
struct ir_global *ir_kernel_copy(struct ir_module *module, const struct ir_global *from,
                                 const char *name);

/* A copy of the kernel @from of another module of the same context, as ir_kernel_copy() names it. */
struct ir_global *ir_kernel_take(struct ir_module *module, const struct ir_module *owner,
                                 const struct ir_global *from, const char *name);

/* Deep copies.  Symbols are shared unless @fresh_symbols; used by round trips, inlining and tests. */
struct ir_module *ir_module_clone(const struct ir_module *module);

/* infer.c: the edit that makes a scalar of @dtype of the one at @place; of what is no number its author has to say that it fits. */
void ir_help_scalar(struct diag_message *m, struct location place, struct ir_dtype dtype);
