/* Modules: parsed, changed by passes, explained, compiled. */
#include "base/memory.h"
#include "driver/api.h"
#include "driver/entry.h"
#include "ir/print.h"

#include <string.h>

/* --- from text --- */

struct parsing {
    struct inlay_session *session;
    const char *name, *text, *path; /* path NULL: the text is given */
    size_t length;
    struct inlay_module *module;
};

static void parse(void *state)
{
    struct parsing *parsing = state;
    struct inlay_session *session = parsing->session;
    struct driver *driver = session->driver;
    if (!session->modules) /* else a session that lives long would only grow */
        driver_forget(driver);
    const struct source *source =
        parsing->path ? driver_read(driver, parsing->path)
                      : driver_source(driver, parsing->name, parsing->text, parsing->length);
    struct ir_module *ir = source ? driver_parse(driver, source) : NULL;
    if (!ir)
        return;
    struct inlay_module *module = memory_new(sizeof(*module), 1);
    module->session = session;
    module->source = source;
    module->ir = ir;
    module->next = session->modules;
    if (module->next)
        module->next->prev = module;
    session->modules = module;
    parsing->module = module;
}

struct inlay_module *inlay_parse(struct inlay_session *session, const char *name, const char *text,
                                 size_t length)
{
    struct parsing parsing = {.session = session, .name = name, .text = text, .length = length};
    return api_enter(session, parse, &parsing) ? parsing.module : NULL;
}

struct inlay_module *inlay_parse_file(struct inlay_session *session, const char *path)
{
    struct parsing parsing = {.session = session, .path = path};
    return api_enter(session, parse, &parsing) ? parsing.module : NULL;
}

void api_module_drop(struct inlay_module *module)
{
    while (module->runs)
        api_run_drop(module->runs);
    driver_free_code(module->session->driver, &module->code);
}

static void destroy(void *state)
{
    struct inlay_module *module = state;
    while (module->runs)
        inlay_run_destroy(module->runs);
    api_module_drop(module);
    ir_module_destroy(module->ir);
    inplace_decisions_finish(&module->made);
    array_finish(&module->ran);
    array_finish(&module->entries);
    array_finish(&module->is_told);
    arena_finish(&module->decisions);
    arena_finish(&module->leaves);
    text_finish(&module->text);
    if (module->next)
        module->next->prev = module->prev;
    if (module->prev)
        module->prev->next = module->next;
    else
        module->session->modules = module->next;
    memory_free(module);
}

void inlay_module_destroy(struct inlay_module *module)
{
    if (module)
        api_enter(module->session, destroy, module);
}

/* --- as text --- */

static void print(void *state)
{
    struct inlay_module *module = state;
    text_clear(&module->text);
    ir_module_print(module->ir, &ir_print_defaults, &module->text);
}

const char *inlay_module_text(struct inlay_module *module)
{
    bool is_good = module->ir && api_enter(module->session, print, module);
    return is_good ? text_string(&module->text) : NULL;
}

/* --- passes and code --- */

struct step {
    struct inlay_module *module;
    const char *pipeline;
    bool is_done;
};

static void run_passes(void *state)
{
    struct step *step = state;
    struct inlay_module *module = step->module;
    struct driver *driver = module->session->driver;
    driver_free_code(driver, &module->code); /* of what the module was */
    module->entries.count = 0;
    step->is_done = driver_run_passes(driver, &module->ir, step->pipeline, driver->options->inplace,
                                      &module->made, NULL);
    array_push(&module->ran,
               arena_copy_text(&driver->arena, step->pipeline, strlen(step->pipeline)));
    if (step->is_done)
        return;
    ir_module_destroy(module->ir);
    module->ir = NULL;
}

bool inlay_module_run_passes(struct inlay_module *module, const char *pipeline)
{
    struct step step = {.module = module, .pipeline = pipeline ? pipeline : "default"};
    return module->ir && api_enter(module->session, run_passes, &step) && step.is_done;
}

static void compile(void *state)
{
    struct step *step = state;
    struct inlay_module *module = step->module;
    struct inlay_session *session = module->session;
    struct codegen_options options = {.opt_level = session->driver->options->opt_level,
                                      .debug_info = true,
                                      .checks_memory = session->options.checks_memory,
                                      .guard = guard_now()};
    size_t first_message = diag_message_count(session->driver->diag);
    step->is_done = driver_make_code(session->driver, module->ir, &options, &module->code) ||
                    api_compile_apart(module, &options, first_message);
    if (!step->is_done)
        driver_free_code(session->driver, &module->code);
}

bool inlay_module_compile(struct inlay_module *module)
{
    struct step step = {.module = module};
    return module->ir && api_enter(module->session, compile, &step) && step.is_done;
}

/* --- decisions --- */

static struct inlay_decision convert(struct arena *arena, const struct inplace_decision *decision)
{
    struct inplace_explanation words = inplace_explain(arena, decision);
    return (struct inlay_decision){.function = decision->function,
                                   .value = decision->value,
                                   .output = decision->output,
                                   .argument = decision->argument,
                                   .is_inplace = decision->verdict == INPLACE_DONE,
                                   .verdict = inplace_verdict_name(decision->verdict),
                                   .code = arena_printf(arena, "IP%03d", (int)decision->code),
                                   .reason = words.reason,
                                   .bytes = decision->bytes ? words.bytes : NULL,
                                   .help = words.help,
                                   .call = api_place(decision->call_loc),
                                   .blocking = api_place(decision->blocking_loc),
                                   .alias = api_place(decision->alias_loc)};
}

struct explaining {
    struct inlay_module *module;
    const struct inlay_decision *items;
};

static void explain(void *state)
{
    struct explaining *explaining = state;
    struct inlay_module *module = explaining->module;
    size_t count = module->made.count;
    arena_finish(&module->decisions);
    struct inlay_decision *items =
        arena_array(&module->decisions, struct inlay_decision, count + 1);
    for (size_t i = 0; i < count; i++)
        items[i] = convert(&module->decisions, &module->made.items[i]);
    explaining->items = items;
}

size_t inlay_module_decisions(struct inlay_module *module, const struct inlay_decision **out)
{
    struct explaining explaining = {.module = module};
    bool is_whole = api_enter(module->session, explain, &explaining);
    *out = explaining.items;
    return is_whole ? module->made.count : 0;
}
