/*
 * Diagnostics: what the user is told, as values.
 *
 * A report is stored, never printed; the command line prints all of them at the end, sorted by
 * place.  Codes and formats stand in base/diag.def, one file an area under base/diag/; the compiler
 * checks every call against the format of its row.
 *
 *     struct diag_message *m = diag_report(diag, use->loc, USE_AFTER_MOVE, name);
 *     diag_label(m, call->loc, "moved here: output %u takes the buffer of `%s`", i, name);
 *     diag_note(m, "this read would see the new values");
 *     diag_help(m, "copy before the call (%zu bytes per run)", bytes);
 *
 * Wording: lower case, no full stop, `names` in backquotes, what was expected and what was found.
 * Functions that report return false or NULL, which means "said why already".
 */
#pragma once

#include "base/arena.h"
#include "base/source.h"
#include "base/text.h"
#include "base/util.h"

#include <stdbool.h>

enum diag_severity { DIAG_ERROR, DIAG_WARNING, DIAG_REMARK };

/* A code is its number: E0301 is 301.  Numbers are permanent. */
enum diag_id {
#define DIAG(code, id, severity, format, title) DIAG_##id = (code),
#include "base/diag.def"
};

#define DIAG(code, id, severity, format, title) \
    static const char diag_format_##id[] __attribute__((unused)) = format;
#include "base/diag.def"

struct diag_info {
    enum diag_id id;
    enum diag_severity severity;
    const char *format;
    const char *title; /* one sentence for `inlay list diagnostics` */
};

extern const struct diag_info diag_table[];
extern const size_t diag_table_count;

struct diag; /* the engine: diag_create() */
struct diag_message;

enum {
    DIAG_ERROR_LIMIT = 20, /* errors of one run; what comes after is counted, not kept */
};

struct diag *diag_create(void);
void diag_destroy(struct diag *diag);

#define diag_report(diag, location, id, ...) \
    diag_emit(diag, location, DIAG_##id, diag_format_##id, ##__VA_ARGS__)

/* Stores one message and returns it for labels; never NULL (past the limit: one that is dropped). */
struct diag_message *diag_emit(struct diag *diag, struct location location, enum diag_id id,
                               const char *format, ...) PRINTF(4, 5);

/* The text under the primary `^^^`. */
void diag_primary(struct diag_message *message, const char *format, ...) PRINTF(2, 3);

/* A secondary place, underlined with `---`. */
void diag_label(struct diag_message *message, struct location location, const char *format, ...)
    PRINTF(3, 4);
void diag_note(struct diag_message *message, const char *format, ...) PRINTF(2, 3);
void diag_help(struct diag_message *message, const char *format, ...) PRINTF(2, 3);

/*
 * Adds to the last help what mends the script: @format in the place of @location, which may be empty
 * or whole lines.  What mends surely is for `inlay check --fix`; of several edits of a message the
 * user has to choose one, and none is made.  An edit that changes nothing takes its help with it.
 */
void diag_help_edit(struct diag_message *message, struct location location, const char *format, ...)
    PRINTF(3, 4);
/* The same, with what stands at @location between @before and @behind. */
void diag_help_wrap(struct diag_message *message, struct location location, const char *before,
                    const char *behind);
/* The same: what stands at @first and, behind it, at @second change places. */
void diag_help_swap(struct diag_message *message, struct location first, struct location second);

/*
 * "there is `x`" with the edit that writes it at @place, @before in front of it in the sentence; of two that are as near
 * both, and no edit; nothing if none is near.
 */
void diag_help_nearest(struct diag_message *message, struct location place, const char *before,
                       const struct text_nearest *nearest);
/* The edit of the last help is for people to judge: `--fix` does not make it. */
void diag_help_unsure(struct diag_message *message);
/* The last message, for a help that knows more; what it proposed of a kind or dtype is taken back. */
struct diag_message *diag_doubt(struct diag *diag);

unsigned diag_error_count(const struct diag *diag);
unsigned diag_warning_count(const struct diag *diag);

/* True once the limit of errors is reached: a parser stops then. */
bool diag_is_full(const struct diag *diag);

/* Gives messages from the @from-th on that have no place the place @location. */
void diag_locate(struct diag *diag, size_t from, struct location location);

/* Forgets messages from the @count-th on: for attempts that are taken back. */
void diag_truncate(struct diag *diag, size_t count);
/*
 * Forgets errors from the @from-th message on that stand behind @place and that @is_dropped says so of: they follow from
 * a mistake there.
 */
void diag_drop(struct diag *diag, size_t from, struct location place,
               bool (*is_dropped)(enum diag_id id));
size_t diag_message_count(const struct diag *diag);

/* Was @id reported? */
bool diag_has(const struct diag *diag, enum diag_id id);
/* The same of those from the @from-th message on. */
bool diag_has_from(const struct diag *diag, size_t from, enum diag_id id);

/* The code of the first error of those from the @from-th message on; 0: none. */
unsigned diag_error_code(const struct diag *diag, size_t from);
/* What it says, until it is forgotten; NULL: none. */
const char *diag_error_text(const struct diag *diag, size_t from);

/* Where in @source the first error stands, of those from the @from-th message on; UINT32_MAX: none. */
uint32_t diag_first_error(const struct diag *diag, size_t from, const struct source *source);

/* A message as a value.  Texts are the engine's. */
struct diag_note {
    const char *level; /* "label", "note", "help" */
    const char *text;
    struct location location; /* of a label; of what a help replaces */
    const char *edit;         /* of a help: what would stand there; or NULL */
    bool is_sure;             /* `inlay check --fix` makes that edit */
};

struct diag_view {
    enum diag_id id;
    enum diag_severity severity;
    struct location location;
    const char *text, *primary;
    size_t note_count;
    const struct diag_note *notes;
};

/* All diag_message_count() messages, sorted by place, in @arena. */
struct diag_view *diag_views(const struct diag *diag, struct arena *arena);

/*
 * The edits that the messages have for @source, made: those of errors and warnings that have one,
 * and that touch no other; or the @index-th of them alone, in the order of their places.  Returns how many;
 * the text goes to @out.
 */
enum { DIAG_ALL_EDITS = -1 };
unsigned diag_apply_edits(const struct diag *diag, const struct source *source, int index,
                          struct text *out);

/* One of them: the message that it is of, and what took the place of what stood at @place. */
struct diag_edit {
    enum diag_id id;
    uint32_t message; /* where it stands */
    struct location place;
    const char *text;
};
/* Those that diag_apply_edits() makes, rising, in @arena; as many as it returns. */
struct diag_edit *diag_edits(const struct diag *diag, const struct source *source, int index,
                             struct arena *arena);

/* 1-based line and column (in characters) of byte @offset. */
unsigned diag_place(const struct source *source, uint32_t offset, unsigned *out_column);

enum diag_format { DIAG_FORMAT_TEXT, DIAG_FORMAT_SHORT, DIAG_FORMAT_JSON, DIAG_FORMAT_SARIF };

/* Writes all messages, sorted by place, in @format; @color only matters to text. */
void diag_print(const struct diag *diag, enum diag_format format, bool color, struct text *out);

/* Who reads the text. */
struct diag_look {
    bool color, points_to_pages; /* "inlay explain E0301" behind the first message of each code */
    unsigned width;              /* of the terminal; 0: lines are cut at 160 columns */
};
void diag_print_for(const struct diag *diag, enum diag_format format, struct diag_look look,
                    struct text *out);
