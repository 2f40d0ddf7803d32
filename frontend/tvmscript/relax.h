/*
 * What the files that translate Relax functions share.
 *
 * One struct relax is the translation of one function: where ops are put, and what is needed to say
 * more about a name than that it is not defined.  What returns NULL or false has reported why.
 */
#pragma once

#include "frontend/tvmscript/internal.h"
#include "ir/build.h"

/* Where a name of the function body was bound: to explain a use after its scope has ended. */
struct relax_scope_note {
    const char *name; /* atom */
    struct location loc;
    enum { NOTE_DATAFLOW, NOTE_BRANCH } where;
    struct location output; /* the block's R.output, if it has one */
    struct location last;   /* the block's last statement, when it has ended */
};

struct relax {
    struct frontend *f;
    struct ir_module *module;
    struct ir_function *function;
    struct ir_region *region; /* the body, or the branch */
    struct ir_builder b;      /* b.block is NULL where the next op starts a plain block */
    /* the dataflow block being filled, or NULL; what it outputs */
    struct ir_block *dataflow;
    array(struct ir_value *) outputs;
    array(const struct ast *) lost_outputs; /* names in R.output that were reported */
    struct map output_set;                  /* the same */
    struct location output_loc;             /* of R.output; a zeroed one: there was none */
    struct ast *const *suite;               /* the statements being read, and the one of them */
    unsigned statement, statement_count;
    /* the last binding of the region: what a branch gives */
    const char *last_name;
    struct ir_value *last_value;
    unsigned branch_depth;
    struct ir_value *returned; /* NULL until `return` */
    struct location return_loc;
    const struct ast *return_value; /* NULL: nothing, or no return yet */
    struct location result_loc;     /* of the declared type of the result, if there is one */
    const struct ast
        *chain;      /* the outermost of the methods whose receivers are being read, or NULL */
    bool is_told;    /* what kernels would be given follows from what was reported */
    bool has_failed; /* some statement was reported: what follows from it is not */
    array(struct relax_scope_note) notes;
};

/* A function whose signature was read: what is needed to read its body later. */
struct relax_decl {
    const struct ast *def;
    struct ir_function *function;
    array(struct name) symbols; /* names that the signature binds, apart from the parameters */
    bool is_broken;             /* the signature was reported */
};

/* relax_result.c */

/* The declared result against what is returned, or the result from it. */
void relax_settle_result(struct relax *r);

/* relax_suggest_parts.c */

/* E0260, @target names more or fewer than the @parts of @tuple (or NULL), with the edit that names as many. */
void relax_report_parts(struct relax *r, const struct ast *target, const struct ir_value *tuple,
                        unsigned parts);
/*
 * E0260, where the name @a that nothing binds is one of the parts of a result, and another one names all of it; false: it is
 * none.
 */
bool relax_report_whole(struct relax *r, const struct ast *a);
/* The same of the name @target that was just bound: what is said of it below would follow from that. */
bool relax_report_one_name(struct relax *r, const struct ast *target);
/* The same of @value, that @expr is, which has no parts; false: it may have. */
bool relax_report_single(struct relax *r, const struct ast *target, const struct ast *expr,
                         const struct ir_value *value);

/* The one name that is read behind @place and that nothing binds; NULL: there is none, or another one. */
const struct ast *relax_only_unbound(struct relax *r, struct location place);

/* relax_suggest_return.c */

/*
 * What the last block outputs, `(a, b)`, if that is of the declared type; or the one value of it, if none is declared; else
 * NULL.
 */
const char *relax_outputs_meant(struct relax *r);
/* E0557: @rest begins with an R.output of what is bound behind it, the edit that moves it; false: it is none. */
bool relax_report_early_output(struct relax *r, struct ast *const *rest, unsigned count);
/* E0563: a `return` that ends a dataflow block, in front of that of the function; false: it is none. */
bool relax_report_inner_return(struct relax *r, const struct ast *a);
/* E0566: @value of the statement @a is lost; E0562 where it is the last one, whose `return` is missing. */
void relax_report_dropped(struct relax *r, const struct ast *a, const struct ir_value *value);
/* E0562: what the function @def may return, which returns nothing. */
void relax_help_return(struct relax *r, const struct ast *def, struct diag_message *m);

/* relax_type.c */

/* R.Tensor(..), T.int64, None (no value), ...; names and strings in it must be bound. */
const struct ir_type *relax_type(struct frontend *f, const struct ast *a) MUST_USE;
/* A type, or a list or tuple of them: one gives itself, several a tuple, as in `out_ty=`. */
const struct ir_type *relax_types(struct frontend *f, const struct ast *a) MUST_USE;
/* Is @a a string that is a name alone, as symbols are in shapes? */
bool relax_is_identifier(const struct ast *a);
/* Binds the symbols that the annotations of the parameters of @def define; adds them to @decl. */
void relax_bind_symbols(struct frontend *f, struct relax_decl *decl);
/* "llvm", "llvm:0" and "llvm:0:global" are one device: an atom, in full. */
const char *relax_vdevice(struct frontend *f, const struct ast *string);
/* Does @a look like a type (R.Tensor(..), T.int64)? */
bool relax_is_type(struct frontend *f, const struct ast *a);

/* relax_func.c */

/* Reads the signature of @def, so that calls of it can be typed before its body is read. */
void relax_declare(struct frontend *f, struct relax_decl *decl, const struct ast *def);
/* Reads the body.  False after reports; the function is then not complete. */
bool relax_define(struct frontend *f, struct relax_decl *decl, struct ir_function *parent) MUST_USE;
void relax_decl_finish(struct relax_decl *decl);
/* The value of keyword @name of decorator @text of @def: True or False; @fallback if not given. */
bool decorator_flag(struct frontend *f, const struct ast *def, const char *name, bool fallback);

/* relax_stmt.c */
void relax_suite(struct relax *r, struct ast *const *body, unsigned count);

/* relax_expr.c */

/* The value of @a, to be an operand: a name's value, a leaf (inline), or a new op without a name. */
struct ir_value *relax_operand(struct relax *r, const struct ast *a) MUST_USE;
/* The value of @a as the result of an op of its own that stands in the block and has no name yet. */
struct ir_value *relax_bindable(struct relax *r, const struct ast *a) MUST_USE;
/* The same of @value, the operand that @a gives; or NULL. */
struct ir_value *relax_bound(struct relax *r, const struct ast *a, struct ir_value *value) MUST_USE;
/* The items of a tuple or list as operands; false after a report. */
bool relax_operands(struct relax *r, struct ast *const *items, unsigned count,
                    struct ir_value **out_values);
/* relax_arguments.c */

/*
 * The arguments of @call in the order of the parameters of the function @def, by whose names they may be given (NULL:
 * it has none); false after a report.
 */
bool relax_call_operands(struct relax *r, const struct ast *call, const struct ast *def,
                         struct ir_value ***out_values, unsigned *out_count);
/* Reports the argument @a, `*x` or `name=x`, of what takes none such. */
void relax_refuse_argument(struct relax *r, const struct ast *a);
/* `[*p]`, at @list, where the tuple `p` alone is meant: true after a report. */
bool relax_report_spread_list(struct relax *r, struct ast *const *items, unsigned count,
                              struct location list);

/* A literal number, with or without sign. */
bool relax_is_number(const struct ast *a);
/* True if @a is a scalar expression: symbols, numbers, T.*(..) and what is made of them. */
bool relax_is_scalar(struct relax *r, const struct ast *a);
/* The place of the next op that is made; @r itself. */
struct relax *relax_at(struct relax *r, struct location loc);
/* Puts an op at the end of the block; its type is inferred.  NULL after a report. */
struct ir_value *relax_emit(struct relax *r, const struct ir_op_info *info,
                            struct ir_value *const *operands, unsigned count,
                            const struct ir_attr *const *attrs, const struct ir_type *declared);
/* relax_suggest.c: is @first meant by @name rather than @second? */
bool relax_is_clearly(const char *name, const char *first, const char *second);
/* R.transpose(x, 0, 1) as in PyTorch, whose axes change places: here all are listed. */
bool relax_help_transpose(struct relax *r, struct diag_message *m, const struct ast *call,
                          const char *word);
/*
 * The one of @forms, calls with a form of their own, that @name is with two letters turned, or with one other letter where
 * no operator is as near; NULL.
 */
const char *relax_nearest_form(struct relax *r, const char *name, const char *const *forms);
/* relax_exchange.c: what the operator @info does not take, which was said, it may take when two operands change places. */
void relax_help_exchanged(struct relax *r, const struct ir_op_info *info,
                          const struct ast *const *given, struct ir_value **operands,
                          unsigned count, const struct ir_attr *const *attrs);
struct ir_value *relax_emit_core(struct relax *r, enum ir_core core,
                                 struct ir_value *const *operands, unsigned count,
                                 const struct ir_attr *const *attrs,
                                 const struct ir_type *declared);
/* The inline tuple of @items. */
struct ir_value *relax_tuple(struct relax *r, struct ast *const *items, unsigned count,
                             struct location loc);
/* Counts the parts of a new value's type; false after the report that all together are too many. */
bool relax_count_parts(struct relax *r, const struct ir_type *type, struct location loc);
/* Item @index of @tuple; that of a tuple in the text is what stands there. */
struct ir_value *relax_tuple_get(struct relax *r, struct location loc, struct ir_value *tuple,
                                 int64_t index);
/* Starts a plain block unless one is open. */
void relax_open_block(struct relax *r);

/* relax_suggest.c */

/* Reports that name @a is not defined, and says where it was if its scope has ended. */
void relax_report_undefined(struct relax *r, const struct ast *a);
/* `T.exp(x)` of a tensor, T.<name>: says which operator it is; false: it is of a scalar. */
bool relax_report_scalar_call(struct relax *r, const struct ast *call, const char *name);
/* Operator @sign at @a has no meaning; NULL. */
struct ir_value *relax_no_operator(struct relax *r, const struct ast *a, const char *sign);
/*
 * `f == R.exp(x)`, `(a, b) == p` and `a, b == p` as the statement @a, which are meant to bind: the comparison, after a
 * report; NULL: it is something else.
 */
const struct ast *relax_report_compared(struct relax *r, const struct ast *a);
/*
 * relax_suggest_return.c: the annotation of @target has parts that a function which calls itself does not declare, and gives
 * elsewhere; false: it is something else.
 */
bool relax_help_declared_parts(struct relax *r, struct diag_message *m,
                               const struct ast *annotation, const struct ast *target,
                               const struct ir_type *type, const struct ir_value *value);
/* relax_unknown.c: E0650 of @call, of the operator @name, which is not there; NULL. */
struct ir_value *relax_unknown_operator(struct relax *r, const struct ast *call, const char *name);
/* @call, of a form of its own, needs something: at the argument @wrong, or (NULL) it is missing; NULL. */
struct ir_value *relax_wrong_form(struct relax *r, const struct ast *call, const struct ast *wrong,
                                  const char *needs);
/* A string as an operand: the number in it, if it holds one; NULL. */
struct ir_value *relax_not_a_number(struct relax *r, const struct ast *a);

/* How a branch ends. */
struct relax_branch {
    const char *name;
    struct ir_value *value;
    struct location loc;
};
/* The branches @ends of @a bind different names last: the one that is read behind them, or else the first, is meant. */
void relax_help_one_name(struct relax *r, struct diag_message *m, const struct ast *a,
                         const struct relax_branch ends[2]);
/* relax_suggest_branch.c: @a, an `if` without `else`: it keeps what its last name is in front of it. */
void relax_help_else(struct relax *r, struct diag_message *m, const struct ast *a);
/*
 * @a is a loop in a graph: a `while` with an `else` whose last binding calls the function it stands in asks once, since that
 * call is the next turn.
 */
void relax_help_loop(struct relax *r, struct diag_message *m, const struct ast *a);
/* Do both branches of @a end with a return?  Says so. */
bool relax_report_returns(struct relax *r, const struct ast *a);

/* relax_call.c: R.<operator>(..) by the table; @name is what stands behind "R.". */
struct ir_value *relax_library_call(struct relax *r, const struct ast *call,
                                    const char *name) MUST_USE;
/* An argument where an operand is wanted; @dtype (void: unknown) is what bare numbers become. */
struct ir_value *relax_argument(struct relax *r, const struct ast *a,
                                struct ir_dtype dtype) MUST_USE;
/* @attr as parameter @param of @info wants it; NULL after a report at @a. */
const struct ir_attr *relax_convert_attr(struct relax *r, const struct ast *a,
                                         const struct ir_op_info *info,
                                         const struct ir_op_param *param) MUST_USE;

/* relax_special.c: R.call_tir(..), R.call_packed(..), ...: calls with a form of their own. */
typedef struct ir_value *relax_special_fn(struct relax *r, const struct ast *call,
                                          enum ir_core core);
/* The function for R.<name>, or NULL. */
relax_special_fn *relax_find_special(const char *name, enum ir_core *out_core);

/* relax_leaf.c: R.const(..), R.shape(..), R.prim_value(..): calls that make leaves. */
struct ir_value *relax_leaf(struct relax *r, const struct ast *call, const char *name,
                            bool *out_is_leaf) MUST_USE;
/* A number as a tensor constant without dimensions. */
struct ir_value *relax_number_constant(struct relax *r, const struct ast *a,
                                       struct ir_dtype dtype) MUST_USE;

/* relax_const.c: R.const of numbers and nested lists; @dtype void: NumPy's choice, 32 bits wide. */
struct ir_constant *relax_constant(struct frontend *f, const struct ast *a,
                                   struct ir_dtype dtype) MUST_USE;

/* suggest_padding.c */

/* A call of an operator as far as it is read. */
struct padding_call {
    const struct ir_op_info *info;
    const struct ast *const *given; /* by parameter; NULL: not given */
    struct ir_value *const *operands;
    unsigned operand_count;
};
/* @word is "same" or "valid" where `padding` takes numbers: these, of convolutions whose window is known. */
void help_padding(struct frontend *f, struct diag_message *m, const struct padding_call *call,
                  const struct ast *word);

/* metadata.c */

/* Reads `metadata = tvm.ir.load_json("..")`; false after a report. */
bool metadata_read(struct frontend *f, const struct ast *assign);
/* metadata["relax.expr.Constant"][i]; NULL after a report. */
const struct ir_constant *metadata_constant(struct frontend *f, const struct ast *a) MUST_USE;
void metadata_finish(struct frontend *f);
/* Is @a metadata[..][..]? */
bool metadata_is_reference(const struct ast *a);
