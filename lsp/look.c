/* See look.h. */
#include "lsp/look.h"

#include "base/memory.h"

struct looking {
    struct look *look;
    const char *name;
    const struct text *text;
};

static void run(void *state)
{
    const struct looking *looking = state;
    struct look *look = looking->look;

    look->driver = driver_create(look->options);
    look->source = driver_source(look->driver, looking->name, text_string(looking->text),
                                 looking->text->length);
    /* editors ask about each file of Python */
    if (look->source && frontend_is_script(look->source->text, look->source->length)) {
        struct ir_module *module =
            driver_parse_partly(look->driver, look->source, &look->names, &look->is_whole);
        if (module)
            driver_lint(look->driver, &module, look->is_whole);
        ir_module_destroy(module);
    }
    look->is_whole = look->is_whole && diag_error_count(look->driver->diag) == 0;
    look->view_count = diag_message_count(look->driver->diag);
    look->views = diag_views(look->driver->diag, &look->driver->arena);
}

struct look *look_new(const struct driver_options *options, const char *name,
                      const struct text *text)
{
    struct look *look = memory_new(sizeof(*look), 1);
    struct looking looking = {look, name, text};

    look->options = options;
    guard_init(&look->guard, true);
    (void)guard_run(&look->guard, run, &looking);
    return look;
}

void look_free(struct look *look)
{
    if (!look)
        return;
    if (look_is_good(look)) {
        frontend_names_finish(&look->names);
        driver_destroy(look->driver);
    } else if (look->driver)
        driver_drop(look->driver);
    guard_release(&look->guard);
    memory_free(look);
}

bool look_is_good(const struct look *look)
{
    return look->guard.outcome == GUARD_DONE;
}

bool look_ask(struct look *look, void (*call)(void *state), void *state)
{
    return guard_run(&look->guard, call, state) == GUARD_DONE;
}
