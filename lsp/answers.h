/* Answers to questions about a text, as JSON. */
#pragma once

#include "lsp/document.h"

#include <cjson/cJSON.h>

/* A question about @document, whose look is good. */
struct question {
    const struct document *document;
    const struct look *look;
    const cJSON *params;
    bool is_plain; /* no Markdown is to be in what people read */
    struct arena *arena;
    const char **out_objection; /* why there is no answer; NULL: there is one */
};

typedef void answer_fn(const struct question *question, struct text *out);
answer_fn answer_hover, answer_definition, answer_references, answer_highlight, answer_symbols,
    answer_code_actions, answer_completion, answer_formatting, answer_rename;

/* The params of publishDiagnostics: what the compiler says of @document. */
void answer_diagnostics(const struct document *document, struct text *out);

/* --- for all of them --- */

void put_string(struct text *out, const char *string);
/* {"start": .., "end": ..} */
void put_range(struct text *out, struct location loc);
/* {"uri": .., "range": ..} */
void put_location(struct text *out, const struct document *document, struct location loc);
/* {"range": .., "severity": .., ..}: a message as the protocol has it. */
void put_diagnostic(struct text *out, const struct document *document,
                    const struct diag_view *view);

/* A member that is a number from 0 on; 0 where it is none. */
unsigned json_number(const cJSON *object, const char *name);
struct place json_place(const cJSON *position);
/* The byte of params.position. */
uint32_t question_offset(const struct question *question);
