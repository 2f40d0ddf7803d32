/* What the compiler knows of one text: messages, and what its names mean. */
#pragma once

#include "base/guard.h"
#include "driver/driver.h"

struct look {
    struct guard
        guard; /* of all that follows: a bug of the compiler, or a lack of memory, ends with it */
    const struct driver_options *options;
    struct driver *driver;
    const struct source *source;
    struct frontend_names names;
    struct diag_view *views; /* sorted by place */
    size_t view_count;
    bool is_whole; /* there are no errors: passes may run */
};

/* Looks at @text, which may be given back then; never NULL. */
struct look *look_new(const struct driver_options *options, const char *name,
                      const struct text *text);
void look_free(struct look *look); /* accepts NULL */

/* Calls @call, which may allocate of the context; false if it, or an earlier one, could not be finished. */
bool look_ask(struct look *look, void (*call)(void *state), void *state);
/* Does what the compiler said of the text stand? */
bool look_is_good(const struct look *look);
