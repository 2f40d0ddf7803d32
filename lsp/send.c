/* What the server sends. */
#include "lsp/server.h"

void send_result(struct server *server, const cJSON *id, const struct text *result)
{
    char *text = id ? cJSON_PrintUnformatted(id) : NULL;
    struct text message = {0};

    text_printf(&message, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}", text ? text : "null",
                result->length ? text_string(result) : "null");
    wire_send(&server->wire, &message);
    text_finish(&message);
    cJSON_free(text);
}

void send_error(struct server *server, const cJSON *id, int code, const char *why)
{
    char *text = id ? cJSON_PrintUnformatted(id) : NULL;
    struct text message = {0};

    text_printf(&message, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":%d,\"message\":",
                text ? text : "null", code);
    put_string(&message, why);
    text_puts(&message, "}}");
    wire_send(&server->wire, &message);
    text_finish(&message);
    cJSON_free(text);
}

void send_diagnostics(struct server *server, const struct text *params)
{
    struct text message = {0};

    text_printf(
        &message,
        "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/publishDiagnostics\",\"params\":%s}",
        text_string(params));
    wire_send(&server->wire, &message);
    text_finish(&message);
}
