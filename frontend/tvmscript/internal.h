/*
 * What the files of the front end share: the state of one translation, names in scope, and the
 * translators of scalar expressions, attribute values and kernels.
 *
 * Convention: what returns NULL or false has reported why.  A tree with AST_ERROR in it translates
 * to NULL without a further report, and a name that is bound to NAME_ERROR too, so that one mistake
 * makes one message.
 */
#pragma once

#include "base/array.h"
#include "base/map.h"
#include "frontend/frontend.h"
#include "frontend/names.h"
#include "frontend/python/ast.h"
#include "ir/module.h"

enum name_kind {
    NAME_ERROR,     /* its definition was wrong and reported */
    NAME_VALUE,     /* Relax value: value; a scalar parameter has var too, another scalar expr */
    NAME_VAR,       /* scalar variable, shape symbol: var */
    NAME_BUFFER,    /* buffer of a kernel: buffer; is_scalar ones are read by their name */
    NAME_GLOBAL,    /* function of the module (file with bare functions; nested scopes): global */
    NAME_EXPR,      /* stands for a scalar expression: expr (I.meta_var(e)) */
    NAME_NAMESPACE, /* imported: path is its canonical text: "T", "R", "I", "tvm", "T.prim_func" */
    NAME_CLASS,     /* the module's class, `cls`, or another alias of it */
    NAME_REGION,    /* part of a buffer, bound in a kernel: buffer and region */
    NAME_TUPLE,     /* Python tuple of scalars, such as A.shape bound to a name: items */
};

struct name {
    enum name_kind kind;
    const char *text; /* atom */
    struct location loc;
    struct ir_value *value;
    const struct ir_var *var;
    struct ir_buffer *buffer;
    struct ir_global *global;
    const struct ir_expr *expr;
    const char *path; /* atom */
    const struct ast *region;
    const struct ir_expr *const *items;
    unsigned item_count;
    unsigned shadowed; /* internal to scope.c */
    unsigned number;   /* of f->names, counted from 1; 0: none */
};

/* Names in scope: a stack with an index, so that finding one costs the same however many there are. */
struct scope {
    array(struct name) names;
    struct map index; /* atom -> place of its innermost name, + 1 */
};

enum dialect {
    DIALECT_NEW, /* T.sblock; T.alloc_buffer is a statement */
    DIALECT_OLD, /* T.block; T.alloc_buffer belongs to the block */
};

struct frontend {
    struct ir_context *context;
    struct ir_module *module;
    struct diag *diag;
    const struct source *source;
    struct arena arena; /* trees and scopes; freed after parsing */
    struct scope scope;
    struct location short_targets; /* names for the parts of a tuple, of which one is missing */
    uint32_t syntax_error;         /* place of the first: statements from there on may be missing */
    bool imports_old_tir;          /* from tvm.script import tir: the dialect of before 0.24 */
    struct tir_state *tir;         /* of the kernel being translated, or NULL */
    const struct ast *function;    /* whose body is read; NULL: none */
    unsigned depth;                /* of nested expressions */
    struct location cast;          /* the R.match_cast that is read */
    bool is_signature;             /* types of parameters are read */
    size_t part_count;             /* of all values that are tuples */
    array(
        const char *) typevars; /* atoms: X = TypeVar("X"); each function has a symbol of its own */
    array(const char *) lacked_typevars; /* of those: which the file lacks, and was told of */
    struct metadata *metadata;           /* metadata.c; NULL: the file has none */
    struct map moved_symbols; /* kernels whose tir_vars were moved, see relax_special.c */
    /* file_constants.c */
    struct map constants;               /* atom -> const struct ast *, a literal */
    array(const char *) constant_names; /* the same atoms */
    struct map
        reported_constants; /* those that are of a wrong kind, and buffers whose declaration is told */
    struct map
        undefined; /* names -> the kernel that was told of them: its blocks end, and the name is still none */
    struct frontend_options options;
    struct map used_defines;
    struct map lost_functions; /* atoms: were reported where they are defined */
    struct map definitions;    /* atom -> const struct ast *, of a function of the module */
    struct map
        doubtful; /* atoms: functions that return something else than they declare, or declare nothing that is known */
    struct map reported_imports;  /* atoms: names or paths that were told at their import */
    struct frontend_names *names; /* what editors want to know; or NULL */
};

/* scope.c */

/* A mark to go back to: names that are bound after it end with scope_pop(mark). */
size_t scope_push(struct frontend *f);
void scope_pop(struct frontend *f, size_t mark);
/* Binds @text, hiding an outer name.  Fill in the payload of the result (valid until the next). */
struct name *scope_bind(struct frontend *f, enum name_kind kind, const char *text,
                        struct location loc);
/* The innermost name, or NULL.  @text must be an atom of the context. */
struct name *scope_find(const struct frontend *f, const char *text);
/* The same for the name @a, which is used there. */
struct name *scope_use(struct frontend *f, const struct ast *a);
void scope_finish(struct frontend *f);

/* suggest.c */

/* E0201: `X` is not defined in TVMScript; with what was meant as help. */
void report_undefined_name(struct frontend *f, const struct ast *a);
/* The same, of what can only be a scalar: in a graph it is a symbol. */
void report_undefined_scalar(struct frontend *f, const struct ast *a);
/*
 * E0408: @what is @a, of the dtype @dtype, and must be an integer.  Where a constant of the file says so, that is told
 * once, with the edit where it stands.
 */
void report_not_integer(struct frontend *f, const struct ast *a, const char *what,
                        struct ir_dtype dtype);
/* `4.0` or `N / 2` for a whole number: at @place, where it stands. */
void help_whole(struct frontend *f, struct diag_message *m, struct location place);
/*
 * suggest_bound.c: says where the function binds the name @a, which is not known where it stands; false: nowhere.
 */
bool help_bound_elsewhere(struct frontend *f, struct diag_message *m, const struct ast *a);
/* E0206: the name @a is bound below; the edit that moves the line, where that alone mends it.  False: it is not. */
bool report_bound_below(struct frontend *f, const struct ast *a);
/* Names the value that nothing reads, which @a may be the misspelt name of, or the other way round; false: there is none. */
bool help_unread(struct frontend *f, struct diag_message *m, const struct ast *a);
/* The same of a parameter that differs in one letter. */
bool help_unread_parameter(struct frontend *f, struct diag_message *m, const struct ast *a);
/* @place stands outside of a block: names the block in front of it, which it may have left. */
void label_left_block(struct frontend *f, struct diag_message *m, struct location place);
/* suggest_with.c: the line that begins a block is missing where @place begins one; false: it begins none. */
bool help_block_missing(struct frontend *f, struct diag_message *m, struct location place);
/* suggest_storage.c: @a is used as a buffer, and nothing allocates it; false: it is not used so. */
bool help_storage(struct frontend *f, struct diag_message *m, const struct ast *a);
/* suggest_names.c: is @name what @typed is with one letter more? */
bool has_one_more(const char *name, const char *typed);
/* `RR.exp`, `clsother`, `ow` of `row`; false: it is none of these. */
bool help_slip(struct frontend *f, struct diag_message *m, const struct ast *a);
/* `Treu`, `Flase`; false: it is no such. */
bool help_literal(struct diag_message *m, const struct ast *a);
/* `RTensor(..)`, where a type is wanted. */
bool help_type_dot(struct diag_message *m, const struct ast *a);
/* @near, which is like the unknown name @a, is read nowhere, and @a more than once: the edit where it is bound.  Else false. */
bool help_binding(struct frontend *f, struct diag_message *m, const struct ast *a,
                  const char *near);
/* The same of a function of the module, where it is defined. */
bool help_definition(struct frontend *f, struct diag_message *m, const struct ast *a,
                     const char *near);
/* suggest_call.c */

/* How an operator whose arguments are @names (NULL ends them) calls what others call @word; NULL: not known. */
const char *argument_of_word(const char *word, const char *const *names);
/*
 * What an edit that names the operator of @call replaces: what is called, and with `()` behind it where the operator is
 * made first, `nn.ReLU()(x)`; nowhere where it is made of arguments.
 */
struct location callee_place(const struct ast *call);
/* The operator, without its R., that is called @word here or elsewhere; NULL: not known. */
const char *operator_of_word(struct frontend *f, const char *word);
/* Says how @word of other libraries differs from R.@function; false: it does not, as far as is known. */
bool help_different(struct diag_message *m, const char *word, const char *function,
                    const struct ast *call);
/* `np.exp`, `torch.exp`: reports the callee of @call, a function of a module that is not known, and says what it is here; false: it is none. */
bool report_library(struct frontend *f, const struct ast *call);
/* `np.inf`, `math.pi`: reports @a, a number of such a module, and says how it is written here; false: it is none. */
bool report_library_number(struct frontend *f, const struct ast *a);
/* `x[i] = @value` in a graph, of the part @a of a tensor. */
void help_update(struct frontend *f, struct diag_message *m, const struct ast *a,
                 const struct ast *value);
/* `float("inf")` in a graph. */
void report_float(struct frontend *f, const struct ast *call);
/* `x.shape[0]`, `x.ndim`, `x.dtype` of a value of a graph: what is known of it. */
void help_member(struct frontend *f, struct diag_message *m, const struct ast *a);
/* `b, s, _ = x.shape` of the names @target: where these are symbols, they are declared as such.  False: @a is no shape. */
bool report_sizes(struct frontend *f, const struct ast *target, const struct ast *a);
/* `R.linspace`: an operator that is near to it, and what differs; false: none is known. */
bool help_near(struct diag_message *m, const char *word);
/* x.mean(), x.T: the operator that is meant.  @call: of the attribute, or NULL; @chain: the outermost of `x.abs().max()`, or NULL. */
void help_method(struct frontend *f, struct diag_message *m, const struct ast *attribute,
                 const struct ast *call, const struct ast *chain);

/* "f" for cls.f */
void help_kernel_name(struct frontend *f, struct diag_message *m, const struct ast *string);
/* suggest_argument.c */

/* The one item of the list or tuple @a; NULL: it is something else. */
const struct ast *only_item(const struct ast *a);
/* R.permute_dims(x, 1, 0): the numbers, behind the first of @count arguments, are one argument, a list. */
void help_first_list(struct frontend *f, struct diag_message *m, const struct ir_op_info *info,
                     const struct ast *call);
void help_list(struct frontend *f, struct diag_message *m, const struct ir_op_info *info,
               const struct ast *call, unsigned count);
/* "0" for 0. */
void help_unquoted(struct diag_message *m, const struct ast *string);
/* The edit that gives @call, of the operator @info, its argument @param where everybody means the same. */
void help_missing(struct frontend *f, struct diag_message *m, const struct ast *call,
                  const struct ir_op_info *info, const char *param);
/* The edit that makes @a, an argument of an operator, of the kind that is wanted. */
void help_argument(struct frontend *f, struct diag_message *m, const struct ast *a,
                   enum ir_param_kind kind);
/* The only one of @words that has @typed in it, or that is in @typed: "nearest", "bilinear"; or NULL. */
const char *only_containing(const char *typed, const char *const *words);
/* None for an argument @param that has a default: the default, from the signature of @info. */
void help_default(struct frontend *f, struct diag_message *m, const struct ir_op_info *info,
                  const char *param);
/* @keyword is called @meant here, one of the parameters of @info, of which @given are there already. */
void help_renamed(struct frontend *f, struct diag_message *m, const struct ast *keyword,
                  const char *meant, const struct ir_op_info *info, const struct ast *const *given);
/* suggest_operands.c */

/* R.add(a + b) and R.add((a, b)): of @call, of the operator @info, which wants two. */
void help_joined(struct diag_message *m, const struct ast *call, const struct ir_op_info *info);
/* R.max(a, b): the operator of two tensors; true after a report. */
bool report_two_operands(struct frontend *f, const struct ast *call, const struct ir_op_info *info);
/* suggest_form.c */

/* The names of @target that nothing is bound to stand for what was reported. */
void bind_lost(struct frontend *f, const struct ast *target);
/* "True", true or 1 for True. */
void help_flag(struct diag_message *m, const struct ast *a);
/* `i. j` for `i, j` among the arguments or indices of @a. */
void help_loose_dot(struct diag_message *m, const struct ast *a);
/* `R.Tensor("n", 8, "float32")`: the dimensions stand in no list; true after a report. */
bool report_loose_dims(struct frontend *f, const struct ast *call);
/* The edit that makes a dict of the arguments of @call, all of which are given by name. */
void help_dict(struct frontend *f, struct diag_message *m, const struct ast *call);
/* suggest_module.c */

/* `T.prim_func(private=True)` as a statement: its `@` was forgotten. */
bool is_bare_decorator(struct frontend *f, const struct ast *a);
/* E0151: the statement @a of a file, or of a module. */
void report_file_statement(struct frontend *f, const struct ast *a, bool is_module);
/* Are the parameters of @def those of a graph, and it is to be a kernel, or the other way round? */
bool has_other_parameters(struct frontend *f, const struct ast *def, bool is_kernel);
/* Behind the last of the lines that import something, of which @at is behind one. */
uint32_t imports_end(const char *text, uint32_t at);
/* E0153: @def, a class or a function, has no decorator that it can have.  @like: a function in front of it, or NULL. */
void report_decorator(struct frontend *f, const struct ast *def, const struct ast *like);
/* E0153 where two decorators of @def say what it is; false: there is one. */
bool report_second_decorator(struct frontend *f, const struct ast *def);
/* E0159 where the decorator of @def is of a name that an import in @root gives something else; once an import. */
bool report_import(struct frontend *f, const struct ast *root, const struct ast *def);
/* suggest_index.c: x[i], x[:, 1:3] of a tensor, @a: the operators that are meant. */
void help_row(struct frontend *f, struct diag_message *m, const struct ast *a);
/* `top.indices` of a result of @count parts. */
void help_part_name(struct diag_message *m, const struct ast *a, unsigned count);
/* `top[1]` of what was told to give one of its two results; false: @value is none such. */
bool help_both(struct diag_message *m, const struct ir_value *value);

/* Help and edit for @typed at @place: the nearest of @names (NULL at their end), shown behind @before. */
void help_nearest(struct diag_message *m, struct location place, const char *typed,
                  const char *const *names, const char *before);
/* The same for `cls.name` and the functions of the module, and for `T.name` in kernels. */
void help_module_function(struct frontend *f, struct diag_message *m, const struct ast *a);
void help_kernel_function(struct diag_message *m, const struct ast *callee);
/* T.clamp(a, low, high), which kernels write as T.min(T.max(a, low), high); false: it is none. */
bool help_clamp(struct diag_message *m, const struct ast *call);
/* The edit that puts @text on a line of its own behind the statement @last, indented like it. */
void help_line_behind(struct diag_message *m, struct location last, const char *text);
/* The same behind @last, indented like @like. */
void help_line_after(struct diag_message *m, struct location last, struct location like,
                     const char *text);
/* The blanks in front of the line of @loc. */
struct location indentation_of(struct location loc);
/* @a as the script has it, in backquotes; "this" if that is long. */
const char *source_text(struct frontend *f, const struct ast *a);

/*
 * The canonical text of a dotted name that starts at a namespace: "T.axis.remap", "R.nn.relu",
 * whatever T and R were imported as (tvm.script.tir too); an atom.  NULL if @a is no such name.
 * T, R and I need no import, unless something else has that name.
 */
const char *dotted_name(struct frontend *f, const struct ast *a);
/* The dotted name of a call's callee, NULL if @a is no call of one. */
const char *callee_name(struct frontend *f, const struct ast *a);
/* Is @a that dotted name, with or without call parentheses? */
bool is_dotted(struct frontend *f, const struct ast *a, const char *text);

/* Records the names that AST_IMPORT brings in. */
void scope_import(struct frontend *f, const struct ast *import);

/* Arguments of a call by position or name: the index-th positional, or the keyword, or NULL. */
const struct ast *call_arg(const struct ast *call, unsigned index, const char *keyword);
unsigned call_positional_count(const struct ast *call);
/* Reports `*t` behind a keyword, which has no name; false after a report. */
bool call_refuse_unnamed(struct frontend *f, const struct ast *call);
/*
 * Reports a keyword that is none of the NULL-terminated @names, a keyword given twice or also by
 * position (names are in the order of the positions), more than @most positional arguments, and
 * `*t` behind a keyword.
 */
bool call_check_args(struct frontend *f, const struct ast *call, unsigned most,
                     const char *const *names);

/* call_forms.c: has @call the arguments that its row in call_forms.def says?  Without a row it has; false after a report. */
bool call_check_form(struct frontend *f, const struct ast *call);
/* Of an argument more than @most: `0,5` for a number with decimals. */
void help_decimal_comma(struct diag_message *m, const struct ast *call, unsigned most);
/* Where its comma is, which is what is marked then; else @other. */
struct location decimal_comma_place(const struct ast *call, unsigned most, struct location other);

/* tir_scalar.c */

/*
 * A scalar expression of a shape or a kernel.  Literals without a type of their own get @wanted
 * (void: int32, float32); the result is not cast to it.  A string is parsed as an expression.  In
 * Relax functions integer literals of shapes are wanted as int64.
 */
const struct ir_expr *scalar_translate(struct frontend *f, const struct ast *a,
                                       struct ir_dtype wanted) MUST_USE;
/* As above, and the result is int64: what a dimension of a Relax shape must be. */
const struct ir_expr *dim_translate(struct frontend *f, const struct ast *a) MUST_USE;
/* The arguments of a decorator are the keywords @flags, up to NULL; false after a report. */
bool decorator_check(struct frontend *f, const struct ast *decorator,
                     const char *const *flags) MUST_USE;
/* `with T.init:` for `with T.init():`; says so, with the edit.  @name is how it is called. */
void report_uncalled(struct frontend *f, const struct ast *a, const char *name);
/* "float32" as a string, T.float32 or R.dtype("float32"). */
bool dtype_translate(struct frontend *f, const struct ast *a, struct ir_dtype *out_dtype) MUST_USE;
/* T.int64, T.handle: the dtype that a dotted name (or a call of it) names; false without report. */
bool dtype_of_name(const char *dotted, struct ir_dtype *out_dtype);
/* `n = T.int64()`, `m, n = T.int64(), T.int64()`, `n = T.int64(is_size_var=True)`: binds the symbols
 * (those already bound to a variable of that type stay) and returns true; false without report if
 * @statement is no such declaration. */
bool symbols_declare(struct frontend *f, const struct ast *statement);
/* A literal int, with its sign; false without report. */
bool ast_int_literal(const struct ast *a, int64_t *out_value);

/* tir_attr.c: a value of an attribute: literal, list, tuple, dict, T.int64(..), dtype, call. */
const struct ir_attr *attr_translate(struct frontend *f, const struct ast *a) MUST_USE;

/* tir_func.c: has the kernel @def a parameter @name, or a symbol of that name that is no int64? */
bool tir_declares(struct frontend *f, const struct ast *def, const char *name);
/* A kernel, not yet added to the module.  @def is AST_DEF with @T.prim_func. */
struct tir_func *tir_translate(struct frontend *f, const struct ast *def) MUST_USE;
