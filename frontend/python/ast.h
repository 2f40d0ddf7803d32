/*
 * The subset of Python's syntax that TVMScript uses, as a tree.
 *
 * The first of the two steps of the front end: python/ turns text into this tree and refuses the
 * Python that TVMScript has no meaning for; tvmscript/ gives the tree its meaning as IR.  Lives in an arena that is freed after parsing.
 */
#pragma once

#include "base/arena.h"
#include "base/atom.h"
#include "base/diag.h"
#include "base/source.h"

enum ast_kind {
    /* expressions */
    AST_NAME,   /* name */
    AST_INT,    /* integer, is_wide: unsigned, does not fit int64 */
    AST_FLOAT,  /* real */
    AST_STRING, /* string, length; implicit concatenation done */
    AST_TRUE,
    AST_FALSE,
    AST_NONE,
    AST_TUPLE,   /* items; also the targets of an assignment */
    AST_LIST,    /* items */
    AST_NUMBERS, /* lists of plain numbers, to be read at loc: numbers.h; only within `.const(` */
    AST_DICT,    /* items: key, value, key, value */
    AST_UNARY,   /* op; items[0] */
    AST_BINARY,  /* op; items[0], items[1] */
    AST_COMPARE, /* a < b <= c: items a, b, c; ops[i] stands between items[i] and items[i + 1] */
    AST_AND,     /* items, two or more */
    AST_OR,
    AST_TERNARY,   /* items: condition, then, else */
    AST_CALL,      /* items[0] the callee, then arguments; keyword ones are AST_KEYWORD */
    AST_KEYWORD,   /* name = items[0] */
    AST_STARRED,   /* *items[0] */
    AST_ATTRIBUTE, /* items[0] . name */
    AST_SUBSCRIPT, /* items[0] [items[1..]]: one item an index, slices as AST_SLICE; is_tuple: x[(a, b)] or x[()] */
    AST_SLICE,  /* items: lower, upper, step; NULL where missing */
    AST_LAMBDA, /* params as names in items[0..count-2], body last */
    AST_ERROR,  /* was reported */
    /* statements */
    AST_EXPR,       /* items[0] */
    AST_ASSIGN,     /* items: target, value */
    AST_ANN_ASSIGN, /* items: target, annotation, value (or NULL) */
    AST_AUG_ASSIGN, /* op; items: target, value */
    AST_FOR,        /* items: target, iterable; body */
    AST_WHILE,      /* items[0] condition; body */
    AST_IF,         /* items[0] condition; body, orelse (elif: an AST_IF in orelse) */
    AST_WITH,       /* items: context expression, `as` target or NULL; body; several: nested */
    AST_DEF,    /* name; items: parameters (AST_PARAM); returns; decorators; type_params; body */
    AST_PARAM,  /* name; items[0] annotation or NULL */
    AST_CLASS,  /* name; decorators; body */
    AST_RETURN, /* items[0] or NULL */
    AST_ASSERT, /* items: condition, message or NULL */
    AST_PASS,
    AST_BREAK,
    AST_CONTINUE,
    AST_IMPORT, /* from a.b import c as d: string "a.b", name "c" (NULL: import a.b), alias */
};

/* clang-format off */
enum ast_op {
    AST_OP_NONE,
    AST_ADD, AST_SUB, AST_MUL, AST_DIV, AST_FLOORDIV, AST_MOD, AST_POW, AST_MATMUL,
    AST_SHL, AST_SHR, AST_BITAND, AST_BITOR, AST_BITXOR,
    AST_LT, AST_LE, AST_GT, AST_GE, AST_EQ, AST_NE, AST_IN, AST_NOT_IN, AST_IS, AST_IS_NOT,
    AST_NEG, AST_POS, AST_INVERT, AST_NOT,
};
/* clang-format on */

enum { AST_DEPTH_LIMIT = 256 };

struct ast {
    enum ast_kind kind;
    enum ast_op op;
    struct location loc;
    const char *name; /* atom */
    struct location
        name_loc; /* of DEF, CLASS, ATTRIBUTE, KEYWORD, PARAM, IMPORT; of FOR and WHILE: `else` */
    union {
        int64_t integer;
        double real;
        const enum ast_op *ops;
        struct {
            const char *string; /* atom; may hold NUL bytes: see length */
            size_t length;
        };
    };
    bool is_wide, is_tuple, is_parenthesized;
    bool
        is_partial; /* of an IF: something of its blocks was told of and left out, its `else` perhaps */
    unsigned depth; /* of the tree below, at most AST_DEPTH_LIMIT: walks may recurse */
    unsigned item_count;
    struct ast **items;
    /* statements */
    unsigned body_count, orelse_count, decorator_count, type_param_count;
    struct ast **body, **orelse;
    struct ast **decorators;
    struct ast **type_params; /* AST_NAME each */
    struct ast *returns;
    const char *alias; /* atom */
};

/* A whole file: an AST_CLASS-like node without name whose body is the statements.  Never NULL; errors
 * are reported and the statements they are in left out. */
struct ast *ast_parse(struct arena *arena, struct atoms *atoms, struct diag *diag,
                      const struct source *source);

/* The text of @string, an AST_STRING, parsed as an expression; places are those inside the string. */
struct ast *ast_parse_string(struct arena *arena, struct atoms *atoms, struct diag *diag,
                             const struct ast *string);
