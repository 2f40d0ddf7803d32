/*
 * What the files that translate kernels share.
 *
 * One struct tir_state is the translation of one kernel.  Statements are collected on one stack: a
 * suite remembers where it began and takes what is above.  Statements whose scope is "the rest of
 * the suite" (T.attr, T.launch_thread) are open frames: what follows them in the suite becomes their
 * body when the suite ends.
 */
#pragma once

#include "frontend/tvmscript/internal.h"

/* A loop around, for T.axis.remap. */
struct tir_loop {
    const struct ir_var *var;
    const struct ir_expr *min, *extent;
};

/* x = T.env_thread("threadIdx.x") */
struct tir_thread {
    const struct ir_var *var;
    const char *tag; /* atom */
};

/* The block whose statements are being read. */
struct tir_block {
    struct tir_block *outer;
    struct tir_stmt *stmt;
    const struct ast *ast;
    array(struct tir_axis) axes;
    array(struct ir_buffer *) allocs;
    array(struct tir_match) matches;
    struct location where, reads, writes, init; /* the first of each; zeroed: none */
    bool has_body;                              /* a statement of the body was seen */
};

struct tir_frame {
    struct tir_stmt *stmt;
    size_t mark; /* where its body begins on the stack */
};

struct tir_state {
    struct tir_func *func;
    const struct ast *def;
    enum dialect dialect;
    struct tir_block *block; /* innermost; NULL at the level of the function */
    array(struct tir_stmt *) stmts;
    array(struct tir_frame) frames;
    array(struct tir_loop) loops;
    array(struct tir_thread) threads;
    array(struct ir_buffer *) root_allocs;
    size_t suite_names;     /* names bound in the suite that is read: from here on */
    struct ir_dtype stored; /* of the buffer that the value which is read is stored to; or void */
    const struct ast
        *lost_block; /* the first statement of one whose `with` is missing, which was told */
    bool in_init;
    bool has_block;  /* some block was read: the kernel gets a root block */
    bool has_failed; /* some statement was reported and left out */
    unsigned depth;  /* of statements, open frames included */
    unsigned loop_depth;
};

/* suggest_axes.c: the kinds of the axes @target that the block's first store tells, if @kinds are not as many */
void help_axis_count(struct frontend *f, struct diag_message *m, const struct ast *target,
                     const struct ast *kinds);
/* The same of one axis, @target, that @callee, `T.axis`, does not say the kind of. */
void help_axis_kind(struct frontend *f, struct diag_message *m, const struct ast *target,
                    const struct ast *callee);

/* 'S' or 'R': what the axis @name of @block is, by what the block sets; 0: nothing tells. */
char axis_letter(struct frontend *f, const struct ast *block, const char *name);

/* suggest_block.c */

/*
 * The name @a, which is not known, is an axis of the block that is read, and a loop is left for it.  @is_near: there is
 * a name that is nearly the same.  false: nothing speaks for it.
 */
bool help_axis_missing(struct frontend *f, struct diag_message *m, const struct ast *a,
                       bool is_near);
/* All loops are taken: @a stands where one axis of the block alone can. */
bool help_axis_other(struct frontend *f, struct diag_message *m, const struct ast *a);
/* `vi = T.axis.spatial(4)`, with the extent @domain: its value. */
bool help_axis_value(struct frontend *f, struct diag_message *m, const struct ast *target,
                     const struct ast *domain);
/* T.axis.remap whose list @values lacks a loop, and that whose @target lacks an axis. */
bool help_remap_values(struct frontend *f, struct diag_message *m, const struct ast *target,
                       const struct ast *values);
bool help_remap_targets(struct frontend *f, struct diag_message *m, const struct ast *target,
                        const struct ast *values);

/* suggest_element.c: the indices that go through all of @buffer here, `vi, vj`; NULL: not known */
const char *indices_meant(struct frontend *f, const struct ir_buffer *buffer);
/* suggest_kernel.c */

/* T.Tensor(..), R.Tensor(..) or T.Buffer[..] as the type of a parameter; false: it is none of them. */
bool help_buffer_type(struct frontend *f, struct diag_message *m, const struct ast *type);
/* `T.float32[0]` */
bool help_number_brackets(struct frontend *f, struct diag_message *m, const struct ast *a);
/* The element @a of @buffer has not as many indices as that: those that are meant. */
void help_indices(struct frontend *f, struct diag_message *m, const struct ast *a,
                  const struct ir_buffer *buffer);
/* The function of @call is none: words for what there is. */
bool help_known_function(struct frontend *f, struct diag_message *m, const struct ast *call);
/* suggest_loop.c: `for i, j in T.grid(n)`, @loop, which has a name more than extents */
void help_grid_extent(struct frontend *f, struct diag_message *m, const struct ast *loop);

/* constant.c: Python's arithmetic on literals, which Python does before TVM sees it */

struct constant {
    bool is_float;
    bool is_wide; /* needs uint64 */
    int64_t integer;
    double real;
};

/*
 * Evaluates @a if it is made of number literals only.  False without a report if it is not, and
 * with one (then *@out_failed) where the result does not exist: division by zero, too large.
 */
bool constant_evaluate(struct frontend *f, const struct ast *a, struct constant *out,
                       bool *out_failed);
/*
 * The constant as Python hands it over: float32, or int32 (int64 where it needs it); shapes of Relax
 * functions are int64.
 */
struct ir_dtype constant_dtype(const struct frontend *f, const struct constant *constant);
/* As a literal of @dtype; NULL after a report if it does not fit. */
const struct ir_expr *constant_literal(struct frontend *f, struct location loc,
                                       const struct constant *constant, struct ir_dtype dtype);

/* tir_type.c */

/* The dtype that operands of @a and @b are brought to, by TVM's rules; false if there is none. */
bool tir_promote(struct ir_dtype a, struct ir_dtype b, struct ir_dtype *out_dtype);
/* Brings both to one dtype and number of lanes; false after a report at @loc. */
bool tir_match(struct frontend *f, struct location loc, const struct ir_expr **a,
               const struct ir_expr **b);
/* @a in @dtype: as it is, a converted literal, or a cast. */
const struct ir_expr *tir_convert(struct frontend *f, const struct ir_expr *a,
                                  struct ir_dtype dtype);
const char *dtype_text(struct frontend *f, struct ir_dtype dtype);

/* What @type, T.handle("float32", "shared"), says of a pointer; the text keeps it. */
void pointer_describe(struct ir_var *var, const struct ast *type);
/* The same from a value that tells: the address of an element, A.data. */
void pointer_describe_value(struct frontend *f, struct ir_var *var, const struct ir_expr *value);

/* suggest_value.c */

/* The edit of `T.inf`; false: it is something else. */
bool help_infinity(struct frontend *f, struct diag_message *m, const struct ast *a);
/* What says that the scalar @buffer is of @dtype, where its first value or its type says an integer; false: it is none. */
bool help_scalar_type(struct frontend *f, struct diag_message *m, const struct ir_buffer *buffer,
                      struct ir_dtype dtype);
/* The edit of `b[i * 8 + j]` for a @buffer of two dimensions; false: it is something else. */
bool help_flat_index(struct frontend *f, struct diag_message *m, const struct ast *a,
                     const struct ir_buffer *buffer);

/* suggest_declaration.c */

/* The edit of the dtype of the parameter @buffer, of which the calls give integers; false: they do not, or nobody knows. */
bool help_declared_dtype(struct frontend *f, struct diag_message *m,
                         const struct ir_buffer *buffer);
/* The edit of its shape, where the calls give one of @indices axes. */
bool help_declared_shape(struct frontend *f, struct diag_message *m, const struct ir_buffer *buffer,
                         unsigned indices);

/* tir_lanes.c */

/* False after a report if an operand of @expr has another number of lanes than its place. */
bool lanes_check(struct frontend *f, struct location loc, const struct ir_expr *expr);
/* @expr, written as @a; NULL if it is, or after a report if it is a vector. */
const struct ir_expr *scalar_only(struct frontend *f, const struct ast *a,
                                  const struct ir_expr *expr) MUST_USE;

/* tir_scalar.c */

/* Gives @expr its place, and refuses what is nested too deep, and operands whose lanes do not fit:
 * NULL then, or if @expr is. */
const struct ir_expr *scalar_at(struct frontend *f, struct location loc,
                                const struct ir_expr *expr) MUST_USE;
/*
 * Two operands that are to be brought to one type.  Where one is made of literals, it has that type
 * already, without rounding in between.
 */
bool operands_translate(struct frontend *f, const struct ast *left, const struct ast *right,
                        const struct ir_expr **out_left, const struct ir_expr **out_right);
/* The operator on expressions; what it needs is checked. */
const struct ir_expr *scalar_binary(struct frontend *f, const struct ast *a, enum ast_op op,
                                    const struct ir_expr *left,
                                    const struct ir_expr *right) MUST_USE;
/* A condition: bool, or a report. */
const struct ir_expr *condition_translate(struct frontend *f, const struct ast *a) MUST_USE;
/* The same for what is translated already. */
const struct ir_expr *condition_check(struct frontend *f, const struct ast *a,
                                      const struct ir_expr *condition) MUST_USE;
/* An extent or bound: an integer, or a report. */
const struct ir_expr *index_translate(struct frontend *f, const struct ast *a) MUST_USE;
/* An index: the same, or a vector of integers. */
const struct ir_expr *index_lanes_translate(struct frontend *f, const struct ast *a) MUST_USE;
/* What @a is, for messages: "a list", "a string". */
const char *describe_ast(const struct ast *a);

/* tir_call.c: T.<function>(..) and calls of functions of the module, as an expression */
const struct ir_expr *call_translate(struct frontend *f, const struct ast *call,
                                     struct ir_dtype wanted) MUST_USE;

/* True if @call has @count positional arguments and none by name but `dtype`, which is ignored. */
bool call_check_count(struct frontend *f, const struct ast *call, unsigned count);
/* "`T.exp` takes @takes, not .."; returns NULL. */
const struct ir_expr *call_report_count(struct frontend *f, const struct ast *call,
                                        const char *name, const char *takes);

/* tir_intrinsic.c */
struct ir_intrinsic;
const struct ir_expr *intrinsic_translate(struct frontend *f, const struct ast *call,
                                          const struct ir_intrinsic *intrinsic) MUST_USE;
/* Is T.<name> an instruction of some processor, such as ptx.cp_async? */
bool is_device_function(const char *name);
const struct ir_expr *device_call_translate(struct frontend *f, const struct ast *call,
                                            const char *name) MUST_USE;
/* Arguments of what is called by name: strings are strings, a buffer is its data. */
bool arguments_translate(struct frontend *f, struct ast *const *items, unsigned count,
                         const struct ir_expr **out_args) MUST_USE;

/* tir_method.c */

/* The name of the function of the module that @callee names, or NULL. */
const char *global_callee(struct frontend *f, const struct ast *callee);
const struct ir_expr *global_call_translate(struct frontend *f, const struct ast *call,
                                            const char *name) MUST_USE;
/* A method of a buffer or a scalar; *@out_is_method false without a report if it is none. */
const struct ir_expr *method_translate(struct frontend *f, const struct ast *call,
                                       bool *out_is_method) MUST_USE;

/* tir_access.c */

/* b[i][j]: what is meant; @first is b[i]. */
void help_brackets(struct diag_message *m, const struct ast *first);
/* A[i, j] (slices are ramps), A.shape[0], A.strides[0] */
const struct ir_expr *subscript_translate(struct frontend *f, const struct ast *a) MUST_USE;
/* A.data, A.elem_offset */
const struct ir_expr *attribute_translate(struct frontend *f, const struct ast *a) MUST_USE;
/* The buffer that @a names, or NULL without a report. */
struct ir_buffer *buffer_of(struct frontend *f, const struct ast *a);
/* The indices of the subscript @a of @buffer, for a load or store. */
const struct ir_expr **indices_translate(struct frontend *f, const struct ast *a,
                                         const struct ir_buffer *buffer,
                                         unsigned *out_count) MUST_USE;
/* A[i, 0:16] or A as a region. */
bool region_translate(struct frontend *f, const struct ast *a, struct tir_region *out) MUST_USE;
/* The variable that A.data names. */
const struct ir_var *buffer_data_var(struct frontend *f, struct ir_buffer *buffer);
/* A.shape, (a, b), [a, b], or one expression: as a list of scalars. */
bool scalars_translate(struct frontend *f, const struct ast *a, struct ir_dtype wanted,
                       const struct ir_expr *const **out_items, unsigned *out_count) MUST_USE;

/* tir_buffer.c */

enum buffer_form { BUFFER_ANNOTATION, BUFFER_MATCH, BUFFER_ALLOC, BUFFER_DECL };
/*
 * The buffer that a call of T.Buffer, T.match_buffer, T.alloc_buffer, ... describes.  In an
 * annotation, names in strings that are not bound are symbols: they get bound.
 */
struct ir_buffer *buffer_translate(struct frontend *f, const struct ast *call, const char *name,
                                   enum buffer_form form) MUST_USE;

/* tir_func.c: the dtype that the kernel gives symbol @text, in a parameter or `n = T.int64()` */
struct ir_dtype symbol_dtype(struct frontend *f, const char *text);
/* A = T.match_buffer(a, ..) of parameter a: folds it into the parameter. */
bool match_param_translate(struct frontend *f, const struct ast *target, const struct ast *call);

/* tir_stmt.c */
void tir_suite(struct frontend *f, struct ast *const *body, unsigned count);
/* The statements above @mark as one; frames above @frame_mark are closed. */
struct tir_stmt *tir_suite_end(struct frontend *f, size_t mark, size_t frame_mark);
/* A suite with names of its own, as one statement. */
struct tir_stmt *tir_scope(struct frontend *f, struct ast *const *body, unsigned count);
struct tir_stmt *stmt_new(struct frontend *f, enum tir_stmt_kind kind, const struct ast *a);
void stmt_push(struct frontend *f, struct tir_stmt *stmt);
/* @stmt takes the rest of the suite as its body. */
bool stmt_open(struct frontend *f, struct tir_stmt *stmt);
/* One more level of statements; false after a report. */
bool tir_enter(struct frontend *f, struct location loc);

/* tir_assign.c */
bool assign_translate(struct frontend *f, const struct ast *a);
/* @target = T.bind(e), or T.bind(e, var=target): an immutable let. */
bool bind_translate(struct frontend *f, const struct ast *a, const struct ast *target,
                    const struct ast *call);
/* @target (a subscript) = @value, where @predicate (or NULL) is true. */
bool store_translate(struct frontend *f, const struct ast *a, const struct ast *target,
                     const struct ast *value, const struct ast *predicate);

/* tir_alloc.c: X = T.alloc_buffer(..) and the like; false without report if @call is none */
bool is_allocation(struct frontend *f, const struct ast *call);
bool allocation_translate(struct frontend *f, const struct ast *a, const struct ast *target,
                          const struct ast *call);

/* tir_loop.c */
bool for_translate(struct frontend *f, const struct ast *a);

/* tir_block.c */
bool block_translate(struct frontend *f, const struct ast *a);
/* tir_stmt.c: the message of an assertion, into @stmt */
bool assert_message_translate(struct frontend *f, const struct ast *a, struct tir_stmt *stmt);
bool init_translate(struct frontend *f, const struct ast *a);
bool is_axis_call(struct frontend *f, const struct ast *a);
bool axis_translate(struct frontend *f, const struct ast *target, const struct ast *call);
/* T.reads, T.writes, T.where, T.sblock_attr as statements; false if @call is none of them. */
bool is_block_signature(struct frontend *f, const struct ast *call);
bool block_signature_translate(struct frontend *f, const struct ast *call);
bool block_match_translate(struct frontend *f, const struct ast *target, const struct ast *call);

/* tir_with.c: T.attr, T.launch_thread, T.env_thread, T.allocate, T.LetStmt, T.Assert, ... */
bool with_translate(struct frontend *f, const struct ast *a);
bool attr_stmt_translate(struct frontend *f, const struct ast *a, const struct ast *call);
bool launch_translate(struct frontend *f, const struct ast *a, const struct ast *target,
                      const struct ast *call);
