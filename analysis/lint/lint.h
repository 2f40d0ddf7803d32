/*
 * What is legal and hardly meant: warnings of `inlay check`.
 *
 * Each rule says only what it can prove, so that a warning is worth reading; one that is meant is
 * silenced by `# inlay: allow(E0321)` on its line or the line before.
 */
#pragma once

#include "base/diag.h"
#include "ir/arith.h"
#include "ir/module.h"

/* All rules; reports warnings, and as an error what code generation refuses of a kernel (E0681).  @module is verified. */
void lint_check(struct ir_module *module, struct diag *diag);

/* indices.c: E0442 an index that is out of range whenever it is computed, or at an end of its loops;
 * E0443 an axis of a block whose domain is not what its loops give it.  True: there is one such. */
bool lint_check_indices(const struct tir_func *kernel, struct diag *diag);
/* loop_help.c: the edit of @loop, whose extent is a number and @wants that of what it indexes; @other: the variable of the
 * loop in its line with which it changes places, or NULL.  False: there is no edit. */
bool lint_help_loop(struct diag_message *m, const struct ir_range *loop,
                    const struct ir_expr *wants, const struct ir_var *other);
/* @extent as the script writes it, if that is one word; NULL: it is not, or a string that declares it. */
const char *lint_extent_word(const struct ir_expr *extent, unsigned *out_length);
/* Where the extent of the loop of @var stands; nowhere: not in its line. */
struct location lint_loop_extent(const struct ir_var *var);
/* The same of where the loop ends: the last argument of `range`. */
struct location lint_loop_stop(const struct ir_var *var);
/* Where the one argument of `range(n)` stands, or of `T.serial(n)`; nowhere: it has two, or it is a grid. */
struct location lint_range_stop(const struct ir_var *var);
/* The extents of the @count loops @vars, all of one line, in another order: the i-th takes that of the @from[i]-th. */
bool lint_help_order(struct diag_message *m, const struct ir_var *const *vars, const unsigned *from,
                     unsigned count);
/* loops.c: E0462, E0463 a loop marked T.vectorized or T.parallel whose iterations depend on each other. */
void lint_check_loops(const struct tir_func *kernel, struct diag *diag);
/* scalars.c: E0574 a name of a kernel that is given a value, and that nothing reads. */
void lint_check_scalars(const struct tir_func *kernel, struct diag *diag);
/* unread.c: E0574 a value that nothing reads, and its op has no effect. */
void lint_check_unread(struct ir_function *function, struct diag *diag);
/* branches.c: E0576 a branch whose value is provably not what the function is declared to return. */
void lint_check_branches(struct ir_function *function, struct diag *diag);
/* values.c: E0578 branches of two ranks or dtypes, E0579 R.clip with min above max, E0613 R.squeeze of an axis that stays, E0615 R.take of a tensor as a vector. */
void lint_check_values(struct ir_function *function, struct diag *diag);
/* Those of them that stand in front of @until, behind the first error of @function: it may follow from them. */
void lint_check_front(struct ir_function *function, uint32_t until, struct diag *diag);
/* The same in front of the first error from the @from-th message on: the module was read, and breaks a rule. */
void lint_check_refused(struct ir_module *module, const struct source *source, size_t from,
                        struct diag *diag);
/* sizes.c: E0516 what fits for one size only, E0614 dimensions that nothing says to be equal.  False: @op has one of them. */
bool lint_check_sizes(struct ir_module *module, struct ir_op *op, struct diag *diag);
void lint_check_result_sizes(struct ir_function *function, struct diag *diag);
/* crossed.c: E0517 arguments and results whose names stand in each other's place. */
void lint_check_crossed(struct ir_function *function, struct diag *diag);
/* attributes.c: E0575 an attribute of Relax that has no meaning here; one that is nearly written so is named. */
void lint_check_attributes(const struct ir_function *function, struct diag *diag);
void lint_check_module_attributes(const struct ir_module *module, struct diag *diag);
/* axis_stores.c: E0454 a reduce axis that tells apart what is stored, E0455 a spatial one that does not, E0456 T.init of
 * another element.  True: there is one such, from which others follow. */
bool lint_check_stores(const struct tir_func *kernel, struct diag *diag);
/*
 * blocks.c: E0444 a reduction that does not read what it accumulates into, E0445 loop variables in a block with axes;
 * regions.c: E0446 T.reads or T.writes of @block that do not cover what it touches.
 */
void lint_check_blocks(const struct tir_func *kernel, struct diag *diag);
void lint_check_regions(const struct tir_func *kernel, const struct tir_stmt *block,
                        bool is_conditional, struct diag *diag);
/* lint.c: calls @visit with @state for each expression of @kernel, while *@loc is the place of its statement. */
void lint_walk_exprs(const struct tir_func *kernel, ir_expr_visit_fn *visit, void *state,
                     struct location *loc);
/* amounts.c: E0447 shifts by all the bits there are, E0448 divisions by the number 0. */
void lint_check_amounts(const struct tir_func *kernel, struct diag *diag);
/* open.c: E0685 and E0620 of a @module whose operators are lowered: what code generation would refuse. */
void lint_check_lowered(struct ir_module *module, struct diag *diag);
/* numbers.c: E0618 an index of R.take that is outside, E0619 a float that divides integers. */
void lint_check_numbers(struct ir_module *module, const struct ir_op *op, struct diag *diag);
/* intrinsics.c: E0681 functions that are not defined for what they are given. */
void lint_check_intrinsics(const struct tir_func *kernel, struct diag *diag);
/* narrow.c: E0457 a product of narrow integers that is converted, by nobody's hand, when it has wrapped. */
void lint_check_narrow(const struct tir_func *kernel, struct diag *diag);
/* symbols.c: E0459 a symbol of a kernel that stands once, and is nearly called as another one. */
void lint_check_symbols(const struct tir_func *kernel, struct diag *diag);
/* gpu.c: E0680 what a kernel that is called has of GPUs. */
void lint_check_gpu(struct ir_module *module, struct diag *diag);
/* turns.c: E0580 a function that calls itself under a condition that the call does not change, E0581 or whose end it counts away from. */
void lint_check_turns(struct ir_function *function, struct diag *diag);
void lint_check_operands(struct ir_function *function, struct diag *diag);
/* bounds.c: E0577 an upper or lower bound of a symbol that the function does not have. */
void lint_check_bounds(const struct ir_function *function, struct diag *diag);
