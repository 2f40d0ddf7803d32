/* Messages on a pair of streams: a header with Content-Length, and so many bytes. */
#pragma once

#include "base/text.h"

struct wire {
    int in, out;
    struct text buffer; /* that was read and is not used up */
    size_t at;          /* what of it is used up */
    bool is_closed;     /* nothing more comes, or can be sent */
};

void wire_finish(struct wire *wire);

enum wire_state { WIRE_NOTHING, WIRE_MESSAGE, WIRE_BAD };
/* The next whole message that was read, valid until the next call; BAD: a header without length, which is skipped. */
enum wire_state wire_next(struct wire *wire, const char **out_text, size_t *out_length);

/* Waits for input, or for @other (-1: nothing) to have some, @milliseconds at most (-1: as long as it takes), and reads what
 * is there.  True if @other has some. */
bool wire_wait(struct wire *wire, int other, int milliseconds);

void wire_send(struct wire *wire, const struct text *message);
