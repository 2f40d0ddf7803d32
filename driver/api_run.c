/* Calls of a module: what an entry takes and gives, and one run of it. */
#include "analysis/leaves.h"
#include "analysis/result_places.h"
#include "base/memory.h"
#include "codegen/interp/interp.h"
#include "driver/api.h"
#include "driver/entry.h"

/* --- signatures --- */

struct leaves {
    struct ir_context *context;
    struct arena *arena;
    array(struct inlay_leaf) items;
};

static void add_leaves(struct leaves *leaves, const struct ir_type *type, const char *name,
                       bool is_donated)
{
    if (type->kind != IR_TYPE_TUPLE) {
        struct inlay_leaf leaf = {
            .name = name, .type = ir_type_text(leaves->context, type), .is_donated = is_donated};
        array_push(&leaves->items, leaf);
        return;
    }
    for (unsigned i = 0; i < type->field_count; i++)
        add_leaves(leaves, type->fields[i], arena_printf(leaves->arena, "%s.%u", name, i),
                   is_donated);
}

/* The leaves since @from, in the arena. */
static const struct inlay_leaf *take_leaves(struct leaves *leaves, size_t *out_count)
{
    struct inlay_leaf *items = arena_array(leaves->arena, struct inlay_leaf, leaves->items.count);
    for (size_t i = 0; i < leaves->items.count; i++)
        items[i] = leaves->items.items[i];
    *out_count = leaves->items.count;
    leaves->items.count = 0;
    return items;
}

struct asking {
    struct inlay_module *module;
    const char *entry;
    bool is_known;
};

static void describe(void *state)
{
    struct asking *asking = state;
    struct inlay_module *module = asking->module;
    struct inlay_signature *out = &module->signature;
    struct driver *driver = module->session->driver;
    const struct ir_function *function = entry_find(driver->diag, module->ir, asking->entry);
    struct leaves leaves = {.context = driver->context, .arena = &module->leaves};
    if (!function)
        return;
    arena_finish(&module->leaves);
    for (unsigned i = 0; i < function->param_count; i++) {
        const struct ir_value *param = function->params[i];
        add_leaves(&leaves, param->type,
                   param->name ? param->name : arena_printf(leaves.arena, "arg%u", i),
                   ir_function_donates(function, i));
    }
    out->arguments = take_leaves(&leaves, &out->argument_count);
    add_leaves(&leaves, function->result, "result", false);
    out->results = take_leaves(&leaves, &out->result_count);
    array_finish(&leaves.items);
    asking->is_known = true;
}

const struct inlay_signature *inlay_module_signature(struct inlay_module *module, const char *entry)
{
    struct asking asking = {.module = module, .entry = entry};
    bool is_good = module->ir && api_enter(module->session, describe, &asking) && asking.is_known;
    return is_good ? &module->signature : NULL;
}

/* --- calls --- */

void api_run_drop(struct inlay_run *run)
{
    inlay_frame_destroy(run->frame);
    run->frame = NULL;
    if (run->next)
        run->next->prev = run->prev;
    if (run->prev)
        run->prev->next = run->next;
    else
        run->module->runs = run->next;
}

static void destroy(void *state)
{
    struct inlay_run *run = state;
    api_run_drop(run);
    memory_free(run->results);
    memory_free(run);
}

void inlay_run_destroy(struct inlay_run *run)
{
    if (run)
        api_enter(run->module->session, destroy, run);
}

struct inlay_host api_host(const struct inlay_session *session)
{
    return (struct inlay_host){.state = session->options.state,
                               .find_packed = session->options.find_packed,
                               .print = session->options.print,
                               .memory_limit = session->options.memory_limit,
                               .memory = session->memory,
                               .pool = session->pool,
                               .checks_memory = session->options.checks_memory};
}

/* A run that owns nothing yet, in the list of its module: who leaves the call does not lose it. */
static struct inlay_run *new_run(struct inlay_module *module, size_t result_count,
                                 const size_t *argument_bytes)
{
    struct inlay_session *session = module->session;
    struct inlay_run *run = memory_new(sizeof(*run), 1);
    run->module = module;
    run->results = memory_new(result_count + 1, sizeof(*run->results));
    run->result_count = result_count;
    run->next = module->runs;
    if (run->next)
        run->next->prev = run;
    module->runs = run;
    struct inlay_host host = api_host(session);
    host.argument_bytes = argument_bytes;
    run->frame = inlay_frame_create(&host);
    if (!run->frame)
        memory_short();
    return run;
}

static const bool *find_own(struct inlay_module *module, const struct ir_function *function)
{
    bool *is_own =
        arena_array(&module->session->driver->arena, bool, leaf_count(function->result) + 1);
    struct result_places places;
    struct result_params params = {0};

    result_places_find(&places, &params, function);
    result_places_leaves(&places, is_own);
    result_places_finish(&places);
    result_params_finish(&params);
    return is_own;
}

static const struct api_entry *look_up(struct inlay_module *module,
                                       const struct ir_function *function)
{
    for (size_t i = 0; i < module->entries.count; i++)
        if (module->entries.items[i].function == function)
            return &module->entries.items[i];
    inlay_entry_fn *entry =
        module->session->driver->codegen_api->find(module->code, function->name);

    if (!entry)
        return NULL;
    array_push(&module->entries, (struct api_entry){function, entry, find_own(module, function)});
    return &module->entries.items[module->entries.count - 1];
}

inlay_entry_fn *api_find_entry(struct inlay_module *module, const struct ir_function *function)
{
    const struct api_entry *found = look_up(module, function);

    return found ? found->entry : NULL;
}

const bool *api_own_results(struct inlay_module *module, const struct ir_function *function)
{
    const struct api_entry *found = look_up(module, function);

    return found ? found->is_own : NULL;
}

struct calling {
    struct inlay_module *module;
    const char *entry;
    const struct inlay_value *arguments;
    size_t count;
    const size_t *bytes; /* see inlay_module_call_with_room(); or NULL */
    bool is_interpreted;
    struct inlay_run *run;
};

static bool call_function(struct calling *calling, struct ir_function *function,
                          struct inlay_run *run)
{
    struct driver *driver = calling->module->session->driver;
    int32_t count = (int32_t)calling->count, result_count = (int32_t)run->result_count;
    if (calling->is_interpreted)
        return interp_run(driver->diag, function, run->frame, calling->arguments, count,
                          run->results, result_count);
    inlay_entry_fn *entry = api_find_entry(calling->module, function);
    return entry && entry(run->frame, calling->arguments, count, run->results, result_count) == 0;
}

static void call(void *state)
{
    struct calling *calling = state;
    struct inlay_module *module = calling->module;
    struct driver *driver = module->session->driver;
    struct ir_function *function = entry_find(driver->diag, module->ir, calling->entry);
    if (!function)
        return;
    int result_count = interp_leaf_count(function->result);
    if (result_count < 0) {
        diag_report(driver->diag, function->loc, INPUT_RESULT, function->name,
                    ir_type_text(driver->context, function->result));
        return;
    }
    struct inlay_run *run = new_run(module, (size_t)result_count, calling->bytes);
    unsigned errors = diag_error_count(driver->diag);
    if (call_function(calling, function, run)) {
        calling->run = run;
        return;
    }
    if (diag_error_count(driver->diag) == errors)
        entry_report_error(driver->diag, function, run->frame);
    destroy(run);
}

static struct inlay_run *enter_call(struct calling *calling)
{
    struct inlay_module *module = calling->module;
    bool is_good = module->ir && calling->count <= INT32_MAX &&
                   (calling->is_interpreted || module->code || inlay_module_compile(module));
    return is_good && api_enter(module->session, call, calling) ? calling->run : NULL;
}

struct inlay_run *inlay_module_call(struct inlay_module *module, const char *entry,
                                    const struct inlay_value *arguments, size_t argument_count)
{
    struct calling calling = {
        .module = module, .entry = entry, .arguments = arguments, .count = argument_count};
    return enter_call(&calling);
}

struct inlay_run *inlay_module_call_with_room(struct inlay_module *module, const char *entry,
                                              const struct inlay_value *arguments,
                                              size_t argument_count, const size_t *argument_bytes)
{
    struct calling calling = {.module = module,
                              .entry = entry,
                              .arguments = arguments,
                              .count = argument_count,
                              .bytes = argument_bytes};
    return enter_call(&calling);
}

struct inlay_run *inlay_module_interpret(struct inlay_module *module, const char *entry,
                                         const struct inlay_value *arguments, size_t argument_count)
{
    struct calling calling = {.module = module,
                              .entry = entry,
                              .arguments = arguments,
                              .count = argument_count,
                              .is_interpreted = true};
    return enter_call(&calling);
}

size_t inlay_run_results(const struct inlay_run *run, const struct inlay_value **out)
{
    *out = run->results;
    return run->result_count;
}

size_t inlay_run_peak_bytes(const struct inlay_run *run)
{
    return inlay_frame_stats(run->frame)->peak_bytes;
}
