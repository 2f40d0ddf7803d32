/* The parser of the Python subset: what the files of this folder share.  Nothing else includes this. */
#pragma once

#include "frontend/python/ast.h"
#include "frontend/python/lexer.h"

struct parser {
    struct arena *arena;
    struct atoms *atoms;
    struct diag *diag;
    const struct source *source;
    const struct token *tokens, *token; /* the one to be read next */
    array(struct ast *) stack;          /* items of the nodes being built */
    unsigned depth;                     /* of nested expressions */
    unsigned block_depth;
    unsigned lost; /* statements that were given up, and lines that are indented wrongly */
};

/* parser.c: tokens and nodes */
struct location parser_loc(const struct parser *p, struct token token);
bool parser_at(const struct parser *p, enum token_kind kind);
bool parser_take(struct parser *p, enum token_kind kind);
/* Takes a token of @kind, or reports that it is missing (not at an ERROR token: that was reported). */
bool parser_expect(struct parser *p, enum token_kind kind);
/* "expected @what, found <the next token>"; returns NULL. */
struct ast *parser_expected(struct parser *p, const char *what);
const char *parser_atom(struct parser *p, struct token token);
/* The next token as a name: its atom, or NULL after a report. */
const char *parser_name(struct parser *p, struct location *out_loc);
bool parser_enter(struct parser *p); /* one more level of expressions; false after a report */

struct ast *node_new(struct parser *p, enum ast_kind kind, struct location loc);
/* Puts what is on the stack above @mark into the items of @node; NULL if that gets too deep. */
struct ast *node_finish(struct parser *p, struct ast *node, size_t mark);
/* @node with one or two items, which may be NULL. */
struct ast *node_one(struct parser *p, struct ast *node, struct ast *a);
struct ast *node_with(struct parser *p, struct ast *node, struct ast *a, struct ast *b);
/* Extends @node to the token that was read last. */
void node_extend(struct parser *p, struct ast *node);

/* parser_help.c: the edits for what is wanted, or a `:=`, at the next token. */
void parser_help_expected(struct parser *p, const char *what, struct diag_message *m);
void parser_help_walrus(struct parser *p, const char *what, struct diag_message *m);
/* What is marked where the next token does not fit: it, or all of the sign that it is the end of, `&&` or `i++`. */
struct location parser_sign_place(const struct parser *p);
/* "`++`" of `i++`, a statement whose end is next; NULL: it is none. */
const char *parser_step_name(const struct parser *p);
/* "`=>`", or "`=<`", where it is next; NULL: it is not. */
const char *parser_turned_sign(const struct parser *p);
/* The first sign of `i++` within an expression, where what would be behind it is next; NULL: it is none. */
const struct token *parser_increment(const struct parser *p);
/* E0101 of the argument @node, `axis==0`, which begins at @name, the name of no value; false: it is something else. */
bool parser_report_equal(struct parser *p, const struct ast *node, const struct token *name);
/* `axis==0`, `axis:0` and `keepdims` behind an argument by name: @node, which begins at @name. */
void parser_help_argument(struct parser *p, struct diag_message *m, const struct ast *node,
                          const struct token *name);
/* `axes=1, 0`, of whose numbers the one that begins at @second is behind a `,`; false: it is something else. */
bool parser_help_numbers(const struct parser *p, struct diag_message *m,
                         const struct token *second);
/* `for (i, j in T.grid(..)):`; nothing if the line is no such loop. */
void parser_help_loop(struct parser *p, struct diag_message *m);
/* parser_habits.c: one thing that may have been meant instead of @what; false: it is something else. */
bool parser_help_habit(struct parser *p, const char *what, struct diag_message *m);
/* parser_foreign.c: the same for what other languages write. */
bool parser_help_foreign(struct parser *p, const char *what, struct diag_message *m);
/* The bracket that is open in front of the next token; NULL: none is. */
const struct token *parser_open_bracket(const struct parser *p);
/* The token behind the last one of the line. */
const struct token *parser_line_end(const struct parser *p);
/* Is the name @name a value elsewhere, and not only a keyword of calls or an attribute? */
bool parser_is_value_elsewhere(const struct parser *p, const struct token *name);
/* The token that begins the line. */
const struct token *parser_line_start(const struct parser *p);
/* The `//` that words stand behind, up to the next token, or that stands alone: of a comment elsewhere; or NULL. */
const struct token *parser_comment_sign(const struct parser *p);
/* parser_words.c: reports a misspelt word of Python where @what is wanted; false: there is none. */
bool parser_report_misspelt(struct parser *p, const char *what);

/* string.c */
struct ast *parse_number(struct parser *p);
struct ast *parse_strings(struct parser *p); /* implicit concatenation too */

/* expr.c */
struct ast *parse_primary(struct parser *p); /* an atom with its calls, subscripts, attributes */
/* @node with the one item, and its place extended to it; NULL if that is. */
struct ast *node_wrap(struct parser *p, struct ast *node, struct ast *item);

/* operator.c */
struct ast *parse_expression(struct parser *p);
struct ast *parse_expression_list(struct parser *p); /* a, b is a tuple */
struct ast *parse_target_list(struct parser *p);     /* of a `for` loop: stops at `in` */
struct ast *parse_target(struct parser *p);          /* behind `as` */

/* simple.c */
bool parse_check_target(struct parser *p, const struct ast *a);
struct ast *parse_expression_statement(struct parser *p);
struct ast *parse_return(struct parser *p);
struct ast *parse_assert(struct parser *p);
struct ast *parse_import(struct parser *p);

/* block.c */
struct ast *parse_for(struct parser *p);
struct ast *parse_while(struct parser *p);
struct ast *parse_if(struct parser *p);
struct ast *parse_with(struct parser *p);
struct ast *parse_def(struct parser *p);
struct ast *parse_class(struct parser *p);
struct ast *parse_decorated(struct parser *p);
/* `elif` or `else` of a statement that was given up: read for its own mistakes; false after an error. */
bool parse_lost_clause(struct parser *p);

/* stmt.c */

/* Appends statements to @p's stack until @end, which is taken. */
void parse_statements(struct parser *p, enum token_kind end);
bool parse_line(struct parser *p); /* the statements of one line; false after an error */
/* Past the end of this line, and past the block that it opens. */
void parse_skip_statement(struct parser *p);
struct ast *parse_refused(struct parser *p); /* reports Python that has no meaning here, skips it */
/* A node for the statement whose first word is next; takes the word. */
struct ast *statement_new(struct parser *p, enum ast_kind kind);
