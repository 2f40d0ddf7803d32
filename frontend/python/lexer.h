/*
 * Text to tokens, by Python's rules: indentation becomes INDENT and DEDENT, lines end in NEWLINE
 * unless they stand in brackets or end in a backslash, comments and blank lines vanish.
 *
 * What is wrong is reported here and leaves an ERROR token, on which the parser gives up a statement
 * without a further message.
 */
#pragma once

#include "base/array.h"
#include "base/diag.h"
#include "base/source.h"

enum token_kind {
#define TOKEN(id, text) TOKEN_##id,
#include "frontend/python/tokens.def"
    TOKEN_COUNT
};

struct token {
    enum token_kind kind;
    uint32_t begin, end; /* bytes of the source; NEWLINE to DEDENT may be empty */
};

/* As many more END than are counted stand behind the last, for who looks ahead of it. */
#define TOKENS_AHEAD 2

struct token_list {
    array(struct token) tokens; /* the last is END */
};

/* "`+=`", "a name": for messages. */
const char *token_kind_name(enum token_kind kind);

/*
 * All tokens of the NUL-terminated @text, which stands at byte @base of @source; as one logical line
 * if @is_expression.
 */
void lexer_run(struct token_list *list, struct diag *diag, const struct source *source,
               const char *text, size_t length, uint32_t base, bool is_expression);

void token_list_finish(struct token_list *list);

struct lexer_bracket {
    char open;
    bool has_parameters; /* behind `def name` */
    uint32_t at;
};

/* lexer_brackets.c */
char lexer_closing(char open);
/* The one at @bracket closes none. */
void lexer_help_closing(struct diag_message *m, struct location bracket);
/*
 * The bracket at @place, which is *@p, does not close the last of @brackets: it stands for the one that does, or for
 * nothing, or brackets in front of it were forgotten.  What lets the rest of the line fit is meant, else the first.
 * Returns how many are open behind it.
 */
size_t lexer_help_misfit(struct diag_message *m, const struct token_list *list,
                         const struct lexer_bracket *brackets, size_t count, struct location place,
                         const char *p);
/* lexer_close.c: @closing is missing in front of @place, for the bracket at @open and those behind it. */
void lexer_help_close(struct diag_message *m, const struct token_list *list, uint32_t open,
                      struct location place, const char *closing);

/* Do the first @count of @brackets and those from @p on fit together up to the end of the line? */
bool lexer_brackets_fit(const struct lexer_bracket *brackets, size_t count, const char *p);
/* Is the token a string that says a dtype? */
bool lexer_is_dtype(const struct token *token, const char *text);
/* `dtype: "float32"`: does a number or a string stand behind the `:` at @behind, so that it is no parameter? */
bool lexer_is_keyword(const char *behind);
/*
 * `((2, 2, "float32")`: a dtype among the sizes of a shape behind the bracket at @open, so that the shape ends in front of
 * it.  What is last of the shape; NULL: there is none.
 */
const struct token *lexer_shape_end(const struct token_list *list, const char *text, uint32_t open);

/*
 * lexer_repair.c: a bracket that was forgotten, or is one too many, in front of the one that comes next; told, and mended in the
 * tokens.  False: it is something else.
 */

/* The token of the bracket that the one at @close closes; @close: there is none. */
size_t lexer_opening_of(const struct token_list *list, size_t close);
/* `R.Tensor(4, n), "float32")` and `R.Tensor((4, n)), "float32")`: the bracket that comes next closes the type. */
bool lexer_repair_type(struct token_list *list, struct diag *diag, const struct source *source);
/* `y = R.ones((4,)), dtype="float32")`: the bracket that comes next, which closes none, closes the call. */
bool lexer_repair_call(struct token_list *list, struct diag *diag, const struct source *source);
/* `axis=2, 3])`: the `]` at @bracket closes a list within the bracket at @open. */
bool lexer_repair_list(struct token_list *list, struct diag *diag, const struct source *source,
                       uint32_t open, struct location bracket);
/* `"w)"`: the last character of @string closes the last of @brackets. */
bool lexer_repair_string(struct token_list *list, struct diag *diag, struct location string,
                         const struct lexer_bracket *brackets, size_t count);

/* lexer_tabs.c */
struct lexer_tab {
    unsigned blanks;
    bool is_unsure; /* another number fits as well */
};
/*
 * What is meant by tabs at @blanks, which Python reads as @column blanks and many editors show as half of that: what fits
 * the @count blocks around, which begin at @indents, or the line behind if the line in front @opens a block.
 */
struct lexer_tab lexer_tab_meant(const unsigned *indents, size_t count, struct location blanks,
                                 unsigned column, bool opens);

/*
 * lexer_slip.c: reports the statement behind @blanks, in @column, if it ends no block, since the last of the @count blocks,
 * which begin at @indents, goes on behind it; else false.
 */
bool lexer_report_slip(const struct token_list *list, struct diag *diag, struct location blanks,
                       unsigned column, const unsigned *indents, size_t count);

/*
 * lexer_with.c: reports the block that begins with @indent, up to @end, where it needs a `with` in @column that is not
 * there, as its R.output or its axes tell; false: it needs none.
 */
bool lexer_report_with(struct diag *diag, const struct source *source, const struct token *tokens,
                       const struct token *indent, const struct token *end, unsigned column);
/*
 * The same of the last of the @count blocks that are open, behind which a line follows in @column, between two of them:
 * that is where it begins from then on.
 */
bool lexer_report_lost_with(const struct token_list *list, struct diag *diag,
                            const struct source *source, unsigned column, unsigned *indents,
                            size_t count);

/* lexer_help.c: edits for blanks that fit no block, a string that is not closed, a number that is none, a sign that is none. */
/* Does the line at @p start with what only starts statements, `name = ` or `name: type = ` no deeper than @indent, or a name? */
/* Length of the UTF-8 sequence at @p, 0 if there is none. */
unsigned lexer_utf8_length(const unsigned char *p);
bool lexer_is_word(char c); /* a letter, a digit or `_` */
bool lexer_starts_statement(const char *p);
bool lexer_starts_assignment(const char *p, unsigned indent);
bool lexer_starts_name(const char *p, unsigned indent);
/* Where what is open since the bracket at @open, and never closed, is to be closed. */
uint32_t lexer_closing_place(const struct token_list *list, const char *text, uint32_t open);
/* lexer_close.c: how @bracket, the first that is never closed, is; @closing closes all of them. */
void lexer_help_open(struct diag_message *m, const struct token_list *list, struct location bracket,
                     const char *closing);
void lexer_help_indent(struct diag_message *m, struct location blanks, uint32_t outer,
                       uint32_t inner);
/* E0104: the string at @quote, its opening quotes, is never closed. */
void lexer_report_open(struct diag *diag, struct location quote, bool is_triple);
void lexer_help_number(struct diag_message *m, struct location number);
void lexer_help_character(struct diag_message *m, struct location place);
/* lexer_not.c: the `!` at @place, the edit where a condition is seen behind it, else one for each thing that it may mean. */
void lexer_help_not(struct diag_message *m, struct location place);
/* The `?` at @place, of `c ? a : b`. */
void lexer_help_choice(struct diag_message *m, struct location place);
