/* The life of a session: what is open, and what its text is. */
#include "driver/config.h"
#include "lsp/server.h"

#include <string.h>

const cJSON *json_member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static const char *uri_of(const cJSON *params)
{
    return cJSON_GetStringValue(json_member(json_member(params, "textDocument"), "uri"));
}

struct document *find_document(struct server *server, const cJSON *params)
{
    const char *uri = uri_of(params);

    for (size_t i = 0; uri && i < server->documents.count; i++)
        if (strcmp(server->documents.items[i]->uri, uri) == 0)
            return server->documents.items[i];
    return NULL;
}

void look_at(struct server *server, struct document *document)
{
    if (!document->look)
        document->look = look_new(server->options, document->name, &document->text);
}

/* Emacs without markdown-mode names plain text alone; who says nothing is taken to know Markdown. */
static bool lacks_markdown(const cJSON *abilities)
{
    const cJSON *formats = json_member(json_member(abilities, "hover"), "contentFormat");
    const cJSON *format;

    cJSON_ArrayForEach(format, formats)
    {
        const char *name = cJSON_GetStringValue(format);
        if (name && strcmp(name, "markdown") == 0)
            return false;
    }
    return cJSON_GetArraySize(formats) > 0;
}

void serve_initialize(struct server *server, const struct message *message)
{
    struct text result = {0};

    if (server->is_initialized) {
        send_error(server, message->id, INVALID_REQUEST, "it is initialized already");
        return;
    }
    const cJSON *abilities =
        json_member(json_member(message->params, "capabilities"), "textDocument");
    server->is_initialized = true;
    server->lacks_hints = !json_member(abilities, "inlayHint");
    server->lacks_markdown = lacks_markdown(abilities);
    text_puts(&result,
              "{\"capabilities\":{\"positionEncoding\":\"utf-16\","
              "\"textDocumentSync\":{\"openClose\":true,\"change\":2},"
              "\"hoverProvider\":true,\"definitionProvider\":true,\"referencesProvider\":true,"
              "\"documentHighlightProvider\":true,\"documentSymbolProvider\":true,"
              "\"completionProvider\":{\"triggerCharacters\":[\".\"]},\"renameProvider\":true,"
              "\"inlayHintProvider\":true,\"documentFormattingProvider\":true,"
              "\"codeActionProvider\":{\"codeActionKinds\":[\"quickfix\",\"source.fixAll\"]}},"
              "\"serverInfo\":{\"name\":\"inlay\",\"version\":\"" INLAY_VERSION "\"}}");
    send_result(server, message->id, &result);
    text_finish(&result);
}

void serve_nothing(struct server *server, const struct message *message)
{
}

void serve_shutdown(struct server *server, const struct message *message)
{
    struct text none = {0};

    server->is_down = true;
    send_result(server, message->id, &none);
}

void serve_exit(struct server *server, const struct message *message)
{
    server->is_done = true;
}

void serve_open(struct server *server, const struct message *message)
{
    const cJSON *item = json_member(message->params, "textDocument");
    const char *uri = uri_of(message->params);
    const char *text = cJSON_GetStringValue(json_member(item, "text"));
    struct document *document = find_document(server, message->params);

    if (!uri || !text)
        return;
    if (document) /* a second time: it is what is said last */
        forget_questions(server, document);
    else {
        document = document_new(uri);
        array_push(&server->documents, document);
    }
    document_set(document, text, strlen(text));
    document->version = (long)json_number(item, "version");
}

static void apply_change(struct document *document, const cJSON *change)
{
    const char *text = cJSON_GetStringValue(json_member(change, "text"));
    const cJSON *range = json_member(change, "range");

    if (!text)
        return;
    if (range)
        document_replace(document, json_place(json_member(range, "start")),
                         json_place(json_member(range, "end")), text, strlen(text));
    else
        document_set(document, text, strlen(text));
}

void serve_change(struct server *server, const struct message *message)
{
    struct document *document = find_document(server, message->params);
    const cJSON *changes = json_member(message->params, "contentChanges"), *item;

    if (!document || !cJSON_IsArray(changes))
        return;
    forget_questions(server, document);
    cJSON_ArrayForEach(item, changes)
    {
        apply_change(document, item);
    }
    document->version = (long)json_number(json_member(message->params, "textDocument"), "version");
}

/* What was said of it is taken back. */
void serve_close(struct server *server, const struct message *message)
{
    struct document *document = find_document(server, message->params);
    struct text params = {0};

    if (!document)
        return;
    forget_questions(server, document);
    text_puts(&params, "{\"uri\":");
    put_string(&params, document->uri);
    text_puts(&params, ",\"diagnostics\":[]}");
    send_diagnostics(server, &params);
    text_finish(&params);
    for (size_t i = 0; i < server->documents.count; i++)
        if (server->documents.items[i] == document)
            server->documents.items[i] = array_last(&server->documents);
    server->documents.count--;
    document_free(document);
}
