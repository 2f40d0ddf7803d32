/*
 * How C sees a module: its public functions, their parameters with names and types.  Header, manifest, test
 * program and code generation are made from it.
 */
#pragma once

#include "analysis/stack_need.h"
#include "base/array.h"
#include "codegen/llvm/codegen.h"

struct c_param {
    struct codegen_param base;
    const char *name; /* in C */
    const char *of;   /* "x", "t[0]": the leaf in the words of the script; or NULL */
    const char *type; /* in C, up to the name: "const float *" */
    bool is_inplace;  /* a donated tensor */
    int result;       /* of it: the leaf of the result that it holds afterwards; -1: none */
};

struct c_function {
    struct ir_function *function;
    const char *name;             /* of the plain door */
    array(struct c_param) params; /* in the order of the plain door */
    const struct ir_expr *need;
    int64_t stack_bytes; /* of the stack of the thread, that a call takes; -1: not known (yet) */
};

struct c_view {
    const char *prefix;
    bool has_levels; /* of a processor to choose from */
    array(struct c_function) functions;
    struct stack_needs needs; /* of arenas */
    bool has_weights;         /* in a file, which each call is given */
    struct ir_context *context;
    struct diag *diag;
    struct arena arena;
};

/* False after a report.  @module is as code generation takes it; @threads share its parallel loops (0: one). */
bool c_view_make(struct c_view *view, struct ir_module *module, const char *prefix,
                 unsigned threads, bool has_weights, bool has_levels, struct diag *diag);
/* "m_weights": what the names of the functions for weights begin with. */
const char *c_view_weights(struct c_view *view);
void c_view_finish(struct c_view *view);
/* @need instead of what the function needs. */
void c_view_set_need(struct c_function *function, const struct ir_expr *need);

/* @text as a C name: what C has no letter for becomes _. */
const char *c_view_name(struct arena *arena, const char *text);
/* The C or C++ that reserves @name; NULL: it is free. */
const char *c_view_reserver(const char *name);
/* The element type, "float"; NULL: C has none of that size. */
const char *c_view_element(struct ir_dtype dtype);
/* An int64 expression of symbols as C, by the names of the parameters of @function. */
void c_view_put_expr(const struct c_function *function, const struct ir_expr *expr,
                     struct text *out);
