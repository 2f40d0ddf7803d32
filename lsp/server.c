/*
 * The loop of the server.
 *
 * Messages are read as they come; a text is looked at when nothing more is waiting, or when it is asked
 * about: of several edits in a row only the last counts.
 */
#include "lsp/server.h"

#include "base/memory.h"
#include "lsp/lsp.h"

#include <malloc.h>
#include <signal.h>
#include <string.h>

enum {
    KEPT_BLOCK = 32 << 20, /* larger ones go back at once */
    KEPT_BYTES = 128 << 20,
};

static void publish(struct server *server, struct document *document)
{
    struct text params = {0};

    look_at(server, document);
    answer_diagnostics(document, &params);
    send_diagnostics(server, &params);
    text_finish(&params);
    document->is_dirty = false;
    prepare_hints(server);
}

/* --- questions about a text --- */

struct asking {
    answer_fn *answer;
    struct question question;
    struct text *out;
};

static void ask(void *state)
{
    struct asking *asking = state;
    struct arena arena = {0};

    asking->question.arena = &arena;
    asking->answer(&asking->question, asking->out);
    arena_finish(&arena);
}

static void answer_about(struct server *server, const struct message *message, answer_fn *answer)
{
    struct document *document = find_document(server, message->params);
    struct text out = {0};

    if (!document) {
        send_error(server, message->id, INVALID_PARAMS, "no such document is open");
        return;
    }
    look_at(server, document);
    const char *objection = NULL;
    struct asking asking = {answer,
                            {.document = document,
                             .look = document->look,
                             .params = message->params,
                             .is_plain = server->lacks_markdown,
                             .out_objection = &objection},
                            &out};
    bool is_good = look_is_good(document->look) && document->look->source &&
                   look_ask(document->look, ask, &asking);
    if (is_good && objection)
        send_error(server, message->id, REQUEST_FAILED, objection);
    else if (is_good) {
        send_result(server, message->id, &out);
        text_finish(&out);
    } else /* what was allocated is the guard's */
        send_error(server, message->id, INTERNAL_ERROR, "the text could not be looked at");
}

/* --- dispatch --- */

static const struct method {
    const char *name;
    bool is_request;
    serve_fn *serve;   /* one of the two */
    answer_fn *answer; /* from what is known of a text */
} methods[] = {
#define METHOD(name, function, is_request) {name, is_request, serve_##function, NULL},
#define QUESTION(name, function)           {name, true, NULL, answer_##function},
#include "lsp/methods.def"
};

static const struct method *find_method(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(methods); i++)
        if (strcmp(methods[i].name, name) == 0)
            return &methods[i];
    return NULL;
}

/* Why a request cannot be answered; 0: it can. */
static int objection(const struct server *server, const struct method *method, const char **out_why)
{
    if (!server->is_initialized && !(method && method->serve == serve_initialize)) {
        *out_why = "`initialize` comes first";
        return NOT_INITIALIZED;
    }
    if (server->is_down) {
        *out_why = "it is shut down";
        return INVALID_REQUEST;
    }
    *out_why = "there is no such method";
    return method && method->is_request ? 0 : NO_METHOD;
}

static void request(struct server *server, const struct method *method,
                    const struct message *message)
{
    const char *why;
    int code = objection(server, method, &why);

    if (code)
        send_error(server, message->id, code, why);
    else if (method->answer)
        answer_about(server, message, method->answer);
    else
        method->serve(server, message);
}

static void notification(struct server *server, const struct method *method,
                         const struct message *message)
{
    if (!method || method->is_request)
        return;
    bool is_exit = method->serve == serve_exit;
    if (is_exit || (server->is_initialized && !server->is_down))
        method->serve(server, message);
}

static void dispatch(struct server *server, const char *text, size_t length)
{
    cJSON *json = cJSON_ParseWithLength(text, length);
    const char *name = cJSON_GetStringValue(json_member(json, "method"));
    const cJSON *id = json_member(json, "id");
    struct message message = {id, json_member(json, "params")};
    bool is_answer = json_member(json, "result") || json_member(json, "error");

    if (!json)
        send_error(server, NULL, PARSE_ERROR, "this is no JSON");
    else if (!name && !is_answer)
        send_error(server, id, INVALID_REQUEST, "a message names a method");
    else if (name && id)
        request(server, find_method(name), &message);
    else if (name)
        notification(server, find_method(name), &message);
    cJSON_Delete(json);
}

/* --- the loop --- */

static struct document *first_dirty(const struct server *server)
{
    for (size_t i = 0; i < server->documents.count; i++)
        if (server->documents.items[i]->is_dirty)
            return server->documents.items[i];
    return NULL;
}

/* All messages that are there. */
static void serve_messages(struct server *server)
{
    enum wire_state state;
    const char *text;
    size_t length;

    while (!server->is_done && (state = wire_next(&server->wire, &text, &length)) != WIRE_NOTHING)
        if (state == WIRE_MESSAGE)
            dispatch(server, text, length);
        else
            send_error(server, NULL, PARSE_ERROR, "a header without a Content-Length");
}

/* One turn: what was typed comes before what is to be said of it. */
static void turn(struct server *server)
{
    struct document *dirty = first_dirty(server);
    size_t had = server->wire.buffer.length;
    bool has_hints = wire_wait(&server->wire, server->job.from, dirty ? 0 : -1);

    if (has_hints && server->job.document && hint_job_read(&server->job)) {
        serve_waiting(server);
        prepare_hints(server);
    }
    if (server->wire.buffer.length != had)
        serve_messages(server);
    else if (dirty && !server->wire.is_closed)
        publish(server, dirty);
}

static void finish(struct server *server)
{
    hint_job_stop(&server->job);
    for (size_t i = 0; i < server->waiting.count; i++)
        cJSON_Delete(server->waiting.items[i].id);
    array_finish(&server->waiting);
    for (size_t i = 0; i < server->documents.count; i++)
        document_free(server->documents.items[i]);
    array_finish(&server->documents);
    wire_finish(&server->wire);
}

/*
 * With each keystroke all that is known of a text is given back, and as much is taken again: it stays with the
 * process, which else would ask the system for every page.
 */
static void keep_memory(void)
{
#ifdef M_TRIM_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, KEPT_BLOCK);
    mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
#endif
}

bool lsp_serve(const struct driver_options *options, int in, int out)
{
    struct server server = {
        .options = options, .wire = {.in = in, .out = out}, .job = {.from = -1}};

    keep_memory();
    (void)signal(SIGPIPE, SIG_IGN); /* a client that is gone is seen when it is written to */
    while (!server.is_done && !server.wire.is_closed)
        turn(&server);
    bool is_good = server.is_down;
    finish(&server);
    return is_good;
}
