/* See wire.h. */
#include "lsp/wire.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { HEADER_LIMIT = 1 << 16, MESSAGE_LIMIT = 1 << 30 };

void wire_finish(struct wire *wire)
{
    text_finish(&wire->buffer);
}

/* Where the header at @text ends, behind its empty line; 0: it is not all there. */
static size_t header_length(const char *text, size_t length)
{
    const char *end = text + length;

    for (const char *at = text; (at = memchr(at, '\r', (size_t)(end - at))) != NULL; at++)
        if (end - at >= 4 && memcmp(at, "\r\n\r\n", 4) == 0)
            return (size_t)(at - text) + 4;
    return 0;
}

/* The number of Content-Length in a header; false if it has none, or one that cannot be. */
static bool read_length(const char *header, size_t length, size_t *out)
{
    static const char name[] = "content-length:";
    const char *end = header + length;

    for (const char *line = header; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        if ((size_t)(end - line) > sizeof(name) && strncasecmp(line, name, sizeof(name) - 1) == 0) {
            const char *digits = line + sizeof(name) - 1;
            char *rest;
            digits += strspn(digits, " \t");
            *out = strtoul(digits, &rest, 10); /* a number that is too large is ULONG_MAX */
            return *digits >= '0' && *digits <= '9' && *out <= MESSAGE_LIMIT && *rest == '\r';
        }
        line = stop ? stop + 1 : end;
    }
    return false;
}

static void drop_used(struct wire *wire)
{
    if (!wire->at)
        return;
    wire->buffer.length -= wire->at;
    memmove(wire->buffer.data, wire->buffer.data + wire->at, wire->buffer.length + 1);
    wire->at = 0;
}

enum wire_state wire_next(struct wire *wire, const char **out_text, size_t *out_length)
{
    const char *text = text_string(&wire->buffer) + wire->at;
    size_t left = wire->buffer.length - wire->at, length = 0;
    size_t header = header_length(text, left);

    if (!header && left > HEADER_LIMIT) {
        wire->at = wire->buffer.length;
        return WIRE_BAD;
    }
    if (header && !read_length(text, header, &length)) {
        wire->at += header;
        return WIRE_BAD;
    }
    if (!header || left - header < length) {
        drop_used(wire);
        return WIRE_NOTHING;
    }
    *out_text = text + header;
    *out_length = length;
    wire->at += header + length;
    return WIRE_MESSAGE;
}

static void read_some(struct wire *wire)
{
    char block[1 << 16];
    ssize_t got = read(wire->in, block, sizeof(block));

    if (got > 0)
        text_append(&wire->buffer, block, (size_t)got);
    else if (got == 0 || (errno != EINTR && errno != EAGAIN))
        wire->is_closed = true;
}

bool wire_wait(struct wire *wire, int other, int milliseconds)
{
    struct pollfd polled[] = {{.fd = wire->in, .events = POLLIN}, {.fd = other, .events = POLLIN}};

    if (poll(polled, 2, milliseconds) <= 0)
        return false;
    if (polled[0].revents)
        read_some(wire);
    return polled[1].revents != 0;
}

static bool write_all(int file, const char *text, size_t length)
{
    while (length) {
        ssize_t done = write(file, text, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0 && errno == EAGAIN) {
            struct pollfd polled = {.fd = file, .events = POLLOUT};
            (void)poll(&polled, 1, -1);
            continue;
        }
        if (done <= 0)
            return false;
        text += done;
        length -= (size_t)done;
    }
    return true;
}

void wire_send(struct wire *wire, const struct text *message)
{
    struct text all = {0};

    text_printf(&all, "Content-Length: %zu\r\n\r\n", message->length);
    text_append(&all, text_string(message), message->length);
    if (!write_all(wire->out, text_string(&all), all.length))
        wire->is_closed = true;
    text_finish(&all);
}
