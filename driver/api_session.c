/* Sessions and their options. */
#include "base/memory.h"
#include "driver/api.h"
#include "driver/config.h"
#include "driver/object_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *inlay_version(void)
{
    return INLAY_VERSION;
}

void inlay_options_init_sized(struct inlay_options *options, size_t size)
{
    struct inlay_options defaults = {.size = size, .opt_level = 2};
    memset(options, 0, size);
    memcpy(options, &defaults, size < sizeof(defaults) ? size : sizeof(defaults));
}

/* Ends the session in words that need no memory. */
static void note_end(struct inlay_session *session)
{
    struct inlay_diagnostic *end = &session->end;
    bool is_memory = session->guard.outcome == GUARD_MEMORY;
    snprintf(session->end_text, sizeof(session->end_text), "%s%s",
             is_memory ? "out of memory" : "a bug in Inlay: ", is_memory ? "" : session->guard.why);
    *end = (struct inlay_diagnostic){
        .severity = INLAY_ERROR, .message = session->end_text, .label = ""};
}

bool api_enter(struct inlay_session *session, void (*call)(void *state), void *state)
{
    if (session->guard.outcome != GUARD_DONE)
        return false;
    if (guard_run(&session->guard, call, state) == GUARD_DONE)
        return true;
    note_end(session);
    return false;
}

static void set_up(void *state)
{
    struct inlay_session *session = state;
    const struct inlay_options *options = &session->options;
    session->driver_options = (struct driver_options){
        .inplace = options->inplace == INLAY_INPLACE_STRICT ? INPLACE_STRICT
                   : options->inplace == INLAY_INPLACE_OFF  ? INPLACE_OFF
                                                            : INPLACE_AUTO,
        .opt_level = options->opt_level,
        .code_generator = options->code_generator,
        .cpu = options->cpu,
        .vector_bytes = options->vector_bytes,
        .checks_memory = options->checks_memory,
        .compile_threads = options->compile_threads ? options->compile_threads : options->threads,
        .cache = options->cache,
        .cache_bytes = options->cache_bytes ? options->cache_bytes : OBJECT_CACHE_BYTES,
    };
    session->driver = driver_create(&session->driver_options);
    if (options->dims)
        session->driver->dims = options->dims;
    session->pool = inlay_pool_create(options->threads ? options->threads : inlay_usable_cores());
    session->memory = inlay_memory_create();
    if (!session->pool || !session->memory)
        memory_short();
}

struct inlay_session *inlay_session_create(const struct inlay_options *options)
{
    struct inlay_session *session = calloc(1, sizeof(*session));
    if (!session)
        return NULL;
    inlay_options_init(&session->options);
    if (options)
        memcpy(&session->options, options,
               options->size < sizeof(*options) ? options->size : sizeof(*options));
    guard_init(&session->guard, true);
    if (api_enter(session, set_up, session))
        return session;
    inlay_session_destroy(session);
    return NULL;
}

/* After this nothing of the session runs, so what is open can be closed in any order. */
void inlay_session_destroy(struct inlay_session *session)
{
    if (!session)
        return;
    bool is_whole = session->guard.outcome == GUARD_DONE;
    while (session->modules && is_whole)
        inlay_module_destroy(session->modules);
    for (struct inlay_module *module = session->modules; module; module = module->next)
        api_module_drop(module);
    inlay_frame_destroy(session->frame);
    inlay_pool_destroy(session->pool);
    inlay_memory_destroy(session->memory);
    if (is_whole) {
        driver_destroy(session->driver);
        arena_finish(&session->listed);
        text_finish(&session->text);
    } else {
        if (session->driver)
            driver_drop(session->driver);
        guard_release(&session->guard);
    }
    free(session);
}

enum inlay_state inlay_session_state(const struct inlay_session *session)
{
    switch (session->guard.outcome) {
    case GUARD_DONE:
        return INLAY_READY;
    case GUARD_MEMORY:
        return INLAY_OUT_OF_MEMORY;
    case GUARD_BUG:
        break;
    }
    return INLAY_BROKEN;
}
