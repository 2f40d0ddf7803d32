/* Questions about hints: they wait for the process that makes them. */
#include "lsp/server.h"

#include <string.h>

static bool is_behind(struct place a, struct place b)
{
    return a.line > b.line || (a.line == b.line && a.unit > b.unit);
}

static void answer_waiting(struct server *server, const struct waiting *waiting)
{
    const struct document *document = waiting->document;
    const struct source *source = document->look->source;
    struct text out = {0};
    const char *between = "[";

    for (size_t i = 0; source && i < document->hints.count; i++) {
        const struct hint *hint = &document->hints.items[i];
        struct place place = document_place(source, hint->at);
        if (hint->is_gone || is_behind(waiting->begin, place) || is_behind(place, waiting->end))
            continue;
        text_printf(&out, "%s{\"position\":{\"line\":%u,\"character\":%u},\"label\":", between,
                    place.line, place.unit);
        put_string(&out, hint->label);
        text_puts(&out, ",\"paddingLeft\":true,\"tooltip\":{\"kind\":\"markdown\",\"value\":");
        put_string(&out, hint->tip);
        text_puts(&out, "}}");
        between = ",";
    }
    text_puts(&out, *between == '[' ? "[]" : "]");
    send_result(server, waiting->id, &out);
    text_finish(&out);
}

static void drop_waiting(struct server *server, size_t i)
{
    cJSON_Delete(server->waiting.items[i].id);
    server->waiting.count--;
    memmove(&server->waiting.items[i], &server->waiting.items[i + 1],
            (server->waiting.count - i) * sizeof(server->waiting.items[0]));
}

/* Are the hints that there are the best that can be had?  Of a text with mistakes those of before stay. */
static bool are_hints_ready(struct server *server, struct document *document)
{
    look_at(server, document);
    return document->has_hints || !look_is_good(document->look) || !document->look->is_whole;
}

void serve_waiting(struct server *server)
{
    for (size_t i = 0; i < server->waiting.count;) {
        struct document *document = server->waiting.items[i].document;
        if (!are_hints_ready(server, document) && !server->job.document &&
            !hint_job_start(&server->job, server->options, document))
            document->has_hints = true; /* there can be none */
        if (!are_hints_ready(server, document)) {
            i++;
            continue;
        }
        answer_waiting(server, &server->waiting.items[i]);
        drop_waiting(server, i);
    }
}

void prepare_hints(struct server *server)
{
    for (size_t i = 0; server->lacks_hints && i < server->documents.count; i++) {
        struct document *document = server->documents.items[i];
        if (server->job.document)
            return;
        if (!document->is_dirty && !are_hints_ready(server, document) &&
            !hint_job_start(&server->job, server->options, document))
            document->has_hints = true; /* there can be none */
    }
}

void forget_questions(struct server *server, const struct document *document)
{
    for (size_t i = 0; i < server->waiting.count;)
        if (server->waiting.items[i].document == document) {
            send_error(server, server->waiting.items[i].id, CONTENT_MODIFIED,
                       "the text has changed");
            drop_waiting(server, i);
        } else
            i++;
    if (server->job.document == document)
        hint_job_stop(&server->job);
}

void serve_inlay_hint(struct server *server, const struct message *message)
{
    struct document *document = find_document(server, message->params);
    const cJSON *range = json_member(message->params, "range");

    if (!document) {
        send_error(server, message->id, INVALID_PARAMS, "no such document is open");
        return;
    }
    array_push(&server->waiting, (struct waiting){.id = cJSON_Duplicate(message->id, true),
                                                  .document = document,
                                                  .begin = json_place(json_member(range, "start")),
                                                  .end = json_place(json_member(range, "end"))});
    serve_waiting(server);
}
