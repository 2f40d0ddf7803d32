/* What the diagnostics engine keeps: shared by diag.c and the writers of its formats. */
#pragma once

#include "base/array.h"
#include "base/diag.h"
#include "base/map.h"

struct diag_label {
    struct location location;
    const char *text; /* "" for a mark only */
};

struct diag_remark {
    const char *level; /* "note" or "help" */
    const char *text;
    struct location edit_location; /* what edit_text replaces; or nowhere */
    const char *edit_text;
    bool is_unsure; /* the edit is shown, and not made */
};

struct diag_message {
    struct diag *diag; /* NULL: dropped */
    enum diag_id id;
    enum diag_severity severity;
    size_t index; /* place among the messages, in order of their reports */
    struct location location;
    const char *text;
    const char *primary;
    array(struct diag_label) labels;
    array(struct diag_remark) remarks;
};

struct diag {
    struct arena arena;
    array(struct diag_message *) messages;
    struct map seen; /* hash of id, place and text -> message: repeats are dropped */
    struct diag_message dropped;
    unsigned errors, warnings; /* kept */
    unsigned dropped_errors;
};

/* "error", "warning", "remark" */
const char *diag_severity_name(enum diag_severity severity);

/* The one edit of @message; NULL: none, or several to choose from, or one for people to judge. */
const struct diag_remark *diag_sure_edit(const struct diag_message *message);

/* All messages by source, place and report; memory_free() it. */
struct diag_message **diag_sorted(const struct diag *diag);

/* Line @line of @source without its end. */
const char *diag_line(const struct source *source, unsigned line, size_t *out_length);

/* Where text output goes; styles are no-ops without colour. */
enum diag_style { DIAG_PLAIN, DIAG_BOLD, DIAG_GUTTER, DIAG_PRIMARY, DIAG_SECONDARY, DIAG_ADDED };

struct diag_painter {
    struct text *out;
    enum diag_severity severity;
    bool color;
    int gutter;     /* digits of the largest line number */
    unsigned width; /* columns of the terminal; 0: none, or not known */
};

/* One mark in a source text. */
struct diag_mark {
    struct location location;
    const char *text;
    bool is_primary;
};

void diag_set_style(const struct diag_painter *painter, enum diag_style style);

/* @text with control characters and broken UTF-8 replaced, tabs as four spaces. */
void diag_put_safe(struct text *out, const char *text, size_t length);

/* The lines of one source that @marks stand in, with the marks under them. */
void diag_draw_snippet(const struct diag_painter *painter, const struct diag_mark *marks,
                       size_t count);

/* The lines of @edit->edit_location as they read after the edit, with what is new marked. */
void diag_draw_edit(const struct diag_painter *painter, const struct diag_remark *edit);

void diag_print_message(const struct diag_message *message, struct diag_look look,
                        struct text *out);
void diag_print_text(const struct diag *diag, struct diag_look look, struct text *out);
void diag_print_short(const struct diag *diag, struct text *out);
void diag_print_json(const struct diag *diag, struct text *out);
void diag_print_sarif(const struct diag *diag, struct text *out);
