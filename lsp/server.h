/* The server's state, and what its files do for each other. */
#pragma once

#include "base/array.h"
#include "lsp/answers.h"
#include "lsp/hints.h"
#include "lsp/wire.h"

/* Codes of JSON-RPC and the protocol. */
enum {
    PARSE_ERROR = -32700,
    INVALID_REQUEST = -32600,
    NO_METHOD = -32601,
    INVALID_PARAMS = -32602,
    INTERNAL_ERROR = -32603,
    REQUEST_FAILED = -32803,
    NOT_INITIALIZED = -32002,
    CONTENT_MODIFIED = -32801,
};

/* A question about hints that is not answered yet. */
struct waiting {
    cJSON *id;
    struct document *document;
    struct place begin, end;
};

struct server {
    const struct driver_options *options;
    struct wire wire;
    array(struct document *) documents;
    array(struct waiting) waiting;
    struct hint_job job;
    bool is_initialized, is_down, is_done;
    bool lacks_markdown; /* the editor shows it as it stands, so hover is plain text */
    bool lacks_hints;    /* the editor shows none, so hover is to say what they would */
};

/* What came: a request, if it has an id. */
struct message {
    const cJSON *id, *params;
};

/* session.c, waiting.c */
typedef void serve_fn(struct server *server, const struct message *message);
#define METHOD(name, function, is_request) serve_fn serve_##function;
#include "lsp/methods.def"

/* send.c */
void send_result(struct server *server, const cJSON *id, const struct text *result);
void send_error(struct server *server, const cJSON *id, int code, const char *why);
void send_diagnostics(struct server *server, const struct text *params);

/* session.c */
const cJSON *json_member(const cJSON *object, const char *name);
/* The document that params.textDocument names; NULL: it is not open. */
struct document *find_document(struct server *server, const cJSON *params);
/* Sees to it that document->look is there. */
void look_at(struct server *server, struct document *document);

/* waiting.c */
/* Answers what can be answered, and starts on the next. */
void serve_waiting(struct server *server);
/* Starts on what hover says of decisions, for editors that ask for no hints. */
void prepare_hints(struct server *server);
/* The text of @document changes, or goes away. */
void forget_questions(struct server *server, const struct document *document);
