/*
 * What the names of a text stand for, as the front end resolves them: for editors, which ask about places.
 *
 * Kept of a text with mistakes, too, as far as it was understood.  All of it lives as long as the context and the
 * source; a module may go.
 */
#pragma once

#include "base/array.h"
#include "base/map.h"
#include "frontend/frontend.h"

enum frontend_name_kind {
    FRONTEND_WRONG,    /* its definition has a mistake */
    FRONTEND_VALUE,    /* of a graph: type */
    FRONTEND_SCALAR,   /* a shape symbol, a loop, an axis: dtype */
    FRONTEND_TERM,     /* stands for a scalar expression: term */
    FRONTEND_BUFFER,   /* of a kernel: buffer */
    FRONTEND_CONSTANT, /* of the file; value is where it stands */
    FRONTEND_FUNCTION, /* type, unless it has a mistake; head, whole */
    FRONTEND_KERNEL,   /* head, whole */
    FRONTEND_EXTERN,   /* type */
    FRONTEND_MODULE,   /* head and whole, unless it is `cls = Module` */
    FRONTEND_OTHER,    /* a part of a buffer, a tuple of scalars */
};

struct frontend_name {
    enum frontend_name_kind kind;
    const char *text;    /* atom */
    struct location loc; /* of the name where it is defined */
    const struct ir_type *type;
    const struct ir_expr *term;
    const struct ir_buffer *buffer; /* a copy */
    struct ir_dtype dtype;
    bool is_symbol; /* of a scalar: of shapes */
    struct location value;
    struct location head;  /* from `def` or `class` to the colon */
    struct location whole; /* with decorators and the body */
};

/* A place that names something. */
struct frontend_use {
    struct location loc;
    size_t name;      /* which of the names, if path is NULL */
    const char *path; /* "R.add", "T.exp": of a library; an atom */
};

struct frontend_names {
    array(struct frontend_name) names; /* in the order in which they were met */
    array(struct frontend_use) uses;   /* sorted by place; definitions among them */
    struct arena arena;
    struct map by_place; /* begin + 1 -> name + 1 */
    struct map globals;  /* struct ir_global -> name + 1 */
};

void frontend_names_finish(struct frontend_names *names);
/* The use at byte @offset (or that ends there), the innermost; NULL: none. */
const struct frontend_use *frontend_names_at(const struct frontend_names *names, uint32_t offset);

/*
 * As frontend_parse(), and fills @names, which must be zeroed.  Of a text with mistakes the module has the functions that have
 * none, and call none that has; NULL if there are none.  @out_is_whole: there are no mistakes.
 */
struct ir_module *frontend_parse_partly(struct ir_context *context, struct diag *diag,
                                        const struct source *source,
                                        const struct frontend_options *options,
                                        struct frontend_names *names, bool *out_is_whole);
