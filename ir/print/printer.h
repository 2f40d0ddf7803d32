/*
 * What the files of the printer share.
 *
 * A printer writes into @out.  Names are given when something is defined and taken back when its
 * scope ends, so a name of one branch is free again in the other; a name that is in use gets _1, _2
 * behind it.  Declarations of symbols and `cls = Module` stand at the head of a function but are
 * only known once its body was printed: they collect in the frame's prelude.
 *
 * A fragment (one op, a type in a message) has no scopes: it shows the names as they are.
 */
#pragma once

#include "base/array.h"
#include "base/map.h"
#include "ir/print.h"

struct printer_name {
    const void *object; /* value, variable or buffer */
    const char *text;   /* atom; NULL: another way to write it, which blocks no name */
    const char *hint;   /* atom that it was made from */
    const struct printer_frame *frame; /* of a symbol: it is declared there, so it lasts as long */
};

/* The kind of constants in the metadata, as TVM 0.27 calls it; before, relax.expr.Constant. */
#define PRINTER_CONSTANTS "ir.GenericConst"

/* The function around what is printed. */
struct printer_frame {
    struct text prelude;
    unsigned indent;
    bool is_kernel;
    bool has_alias;      /* `cls = Module` stands in the prelude */
    bool is_signature;   /* dims with symbols that start here go in quotes */
    struct map symbols;  /* of the signature */
    struct map typevars; /* those of them that are type variables of the file */
    struct printer_frame *outer;
};

struct printer {
    struct ir_context *context; /* NULL in a fragment */
    const struct ir_module *module;
    struct ir_print_options options;
    struct text *out;
    unsigned indent;
    bool is_kernel; /* int32 literals are the bare ones, not int64 */
    bool is_bare;   /* no class around the function */
    bool uses_tir, uses_relax, has_metadata;
    struct map names;    /* object -> const char * */
    struct map taken;    /* atom -> itself while in use */
    struct map suffixes; /* hint -> last suffix given to it: x_1, x_2, .. */
    struct map numbers;  /* the same for values without a name: lv1, lv2, .. */
    array(struct printer_name) defined;
    struct printer_frame *frame;
    bool has_typevars;            /* symbols of parameters are type variables above the module */
    array(const char *) typevars; /* their names, atoms, in the order of their first use */
    struct map typevar_names;     /* the same as a set */
    struct map typevar_hints;     /* names that the module's type variables may get */
    array(const struct ir_constant *) constants; /* in the order of their references */
    struct map constant_numbers;                 /* constant -> place in that, + 1 */
    struct map loops;                            /* loop variable -> its TIR_FOR while inside */
    struct diag *scratch;                        /* for asking what type would be inferred */
};

/* name.c */
size_t printer_mark(const struct printer *p);
void printer_release(struct printer *p, size_t mark); /* ends what was defined since */
void printer_reserve(struct printer *p, const char *name);
/* A name for @object like @hint (NULL: like @fallback, with a number right behind). */
const char *printer_define(struct printer *p, const void *object, const char *hint,
                           const char *fallback);
/* The same for a symbol that is declared, which must not be called as a type variable of the file is. */
const char *printer_define_symbol(struct printer *p, const struct ir_var *var);
/* @object is written as @text. */
void printer_define_as(struct printer *p, const void *object, const char *text);
const char *printer_find(const struct printer *p, const void *object); /* or NULL */
/* The name of a scalar variable; one that is met first is declared at the head of the function. */
const char *printer_var(struct printer *p, const struct ir_var *var);
const char *printer_value(struct printer *p, const struct ir_value *value);
/* A dim of a parameter: if it is a symbol alone that has no name yet, it becomes a type
 * variable.  Not in nested functions, whose names may be the outer one's. */
void printer_define_typevar(struct printer *p, const struct ir_expr *dim);
/* Notes the names of the symbols that may become type variables: others in the file avoid them. */
void printer_note_typevars(struct printer *p);
bool printer_is_typevar(const struct printer *p, const struct ir_expr *dim);

/* text.c */
bool printer_is_old(const struct printer *p);
/* How the dialect calls what 0.27 calls @name, as far as an opening bracket. */
void printer_put_spelling(struct printer *p, const char *name);
void printer_put_indent(struct text *out, unsigned indent);
void printer_line(struct printer *p);                        /* starts a line */
void printer_put_tir(struct printer *p, const char *name);   /* T.name */
void printer_put_relax(struct printer *p, const char *name); /* R.name */
void printer_put_string(struct text *out, const char *string);
void printer_put_float(struct text *out, double value);
/* What stands behind "T." for the type of @var: int32, handle("float32", "global"). */
const char *printer_var_type(struct printer *p, const struct ir_var *var);
void printer_put_dtype(struct text *out, struct ir_dtype dtype); /* "float32" */
void printer_put_global(struct printer *p, const struct ir_global *global);

/* expr.c */
void printer_put_expr(struct printer *p, const struct ir_expr *e);
/* @a + @b, with the sums that Python's operator folds folded. */
void printer_put_sum(struct printer *p, const struct ir_expr *a, const struct ir_expr *b);
/* A dimension of a Relax shape; in a signature in quotes if need be. */
void printer_put_dim(struct printer *p, const struct ir_expr *dim);

/* type.c */
void printer_put_type(struct printer *p, const struct ir_type *type);

/* attr.c */
void printer_put_attr(struct printer *p, const struct ir_attr *attr);
/* T.func_attr(..) or R.func_attr(..) in the prelude of the frame; accepts NULL. */
void printer_put_func_attrs(struct printer *p, const struct ir_attr *attrs);
void printer_put_constant(struct printer *p, const struct ir_constant *constant);

/* op.c: the right-hand side */
void printer_put_op(struct printer *p, const struct ir_op *op);
void printer_put_operand(struct printer *p, const struct ir_value *value);
void printer_put_operands(struct printer *p, const struct ir_op *op, unsigned first); /* a, b */

/* graph.c */
void printer_put_statement(struct printer *p, const struct ir_op *op);
void printer_put_function(struct printer *p, const struct ir_function *function,
                          const char *shown_name);

/* kernel.c */
void printer_put_kernel(struct printer *p, const struct tir_func *func);

/* tir.c */
void printer_put_body(struct printer *p, const struct tir_stmt *stmt);  /* with names of its own */
void printer_put_suite(struct printer *p, const struct tir_stmt *stmt); /* one level deeper */
const struct tir_stmt *
printer_unwrap(const struct tir_stmt *stmt);           /* the item of a lone sequence */
bool printer_has_items(const struct ir_attr *dict);    /* accepts NULL */
bool printer_is_true(const struct ir_expr *predicate); /* accepts NULL */

/* block.c */
void printer_put_block(struct printer *p, const struct tir_stmt *stmt);
void printer_put_allocs(struct printer *p, const struct tir_stmt *stmt); /* of a block */

/* buffer.c */
void printer_put_buffer_param(struct printer *p, const struct ir_buffer *buffer);
/* @handle: T.match_buffer(handle, shape, dtype, ..) in the prelude, for the old dialect, which has open sizes in no signature. */
void printer_put_match(struct printer *p, const char *handle, const struct ir_buffer *buffer);
bool printer_is_matched(const struct ir_buffer *buffer);
/* T.<method>(<first>, shape, dtype, ..); defines what the buffer defines but not its name. */
void printer_put_buffer_call(struct printer *p, const char *method, const struct tir_region *first,
                             const struct ir_buffer *buffer, const struct ir_attr *annotations);
void printer_put_indices(struct printer *p, const struct ir_expr *const *indices, unsigned count);
void printer_put_region(struct printer *p, const struct tir_region *region);
const char *printer_define_buffer(struct printer *p, const struct ir_buffer *buffer);
const char *printer_buffer(struct printer *p, const struct ir_buffer *buffer);

/* metadata.c */
void printer_put_metadata(struct printer *p, struct text *out);

/* print.c */
void printer_start(struct printer *p, const struct ir_module *module, struct text *out);
void printer_finish(struct printer *p);
