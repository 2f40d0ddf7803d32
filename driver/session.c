/* One script on its way to results; see session.h. */
#include "driver/session.h"

#include "base/guard.h"
#include "base/memory.h"
#include "codegen/interp/interp.h"
#include "driver/entry.h"
#include "driver/model.h"
#include "ir/build.h"

#include <stdlib.h>
#include <string.h>

/* Noted before passes change the parameters. */
static void note_donated(struct session *s)
{
    s->is_donated = arena_array(&s->driver->arena, bool, s->inputs.items.count + 1);
    for (size_t i = 0; i < s->inputs.items.count; i++) {
        unsigned param = 0;

        while (s->entry->params[param] != s->inputs.items.items[i].param)
            param++;
        s->is_donated[i] = ir_function_donates(s->entry, param);
    }
}

/* Files that hold values of inputs are those of one run: what is compiled does not depend on them. */
static bool make_inputs(struct session *s)
{
    struct bound bound;
    bool is_good = bound_read(&bound, s->driver, s->module, s->options->passes, s->entry);
    struct inlay_file_watch *watch = inlay_file_watch_use(NULL);

    is_good = is_good && inputs_make(&s->inputs, &bound, s->driver, s->entry);
    (void)inlay_file_watch_use(watch);
    bound_finish(&bound);
    return is_good;
}

bool session_open(struct session *s, struct driver *driver, const struct source *source)
{
    const struct driver_options *options = driver->options;
    *s = (struct session){.options = options, .driver = driver, .source = source};
    s->module = s->source ? driver_parse(s->driver, s->source) : NULL;
    if (s->module)
        entry_publish(s->module, options->entry);
    s->entry = s->module ? entry_find(driver->diag, s->module, options->entry) : NULL;
    if (!s->entry)
        return false;
    if (!results_init(&s->results, s->entry->result)) {
        diag_report(s->driver->diag, s->entry->loc, INPUT_RESULT, s->entry->name,
                    ir_type_text(s->driver->context, s->entry->result));
        return false;
    }
    for (size_t i = 0; i < s->results.names.count; i++) {
        const char *given = model_name(s->entry, "onnx.outputs", i);
        s->results.names.items[i] = given ? given : s->results.names.items[i];
    }
    if (!make_inputs(s) || !packed_load(&s->packed, options, s->driver->diag))
        return false;
    note_donated(s);
    kept_note_constants(s->module, &s->constants);
    s->pool = inlay_pool_create(options->threads ? options->threads : inlay_usable_cores());
    if (!s->pool)
        memory_short();
    return true;
}

void session_keep_script(struct session *s)
{
    s->script = s->module;
    s->module = NULL;
}

void session_fresh(struct session *s)
{
    ir_module_destroy(s->module);
    s->module = ir_module_clone(s->script);
    s->decisions.count = 0;
    s->cost = (struct run_cost){0};
}

void session_forget_run(struct session *s)
{
    if (s->frame)
        inlay_frame_destroy(s->frame);
    s->frame = NULL;
    given_finish(&s->given);
}

void session_close(struct session *s)
{
    ir_module_destroy(s->script);
    session_forget_run(s);
    inlay_pool_destroy(s->pool);
    inlay_memory_destroy(s->memory);
    results_finish(&s->results);
    inputs_finish(&s->inputs);
    inplace_decisions_finish(&s->decisions);
    packed_finish(&s->packed);
    array_finish(&s->constants);
    kept_finish(&s->kept);
}

static bool report_changed(struct session *s, const char *what, const char *name)
{
    diag_report(s->driver->diag, s->entry->loc, RUN_SIGNATURE, s->entry->name, what, name);
    return false;
}

/* The place of the input that is called @name; -1 if there is none. */
static int find_input(const struct session *s, const char *name)
{
    for (size_t i = 0; i < s->inputs.items.count; i++)
        if (strcmp(s->inputs.items.items[i].name, name) == 0)
            return (int)i;
    return -1;
}

/* Adds the places of the inputs that the leaves of a parameter take. */
static bool add_places(struct session *s, struct arena *scratch, const char *name,
                       const struct ir_type *type, place_array *out)
{
    if (type->kind != IR_TYPE_TUPLE) {
        int place = find_input(s, name);

        array_push(out, place);
        return place >= 0 || report_changed(s, "takes a parameter that the script has not", name);
    }
    for (unsigned i = 0; i < type->field_count; i++)
        if (!add_places(s, scratch, arena_printf(scratch, "%s.%u", name, i), type->fields[i], out))
            return false;
    return true;
}

static bool find_places(struct session *s, const struct ir_function *function, place_array *out)
{
    struct arena scratch = {0};
    bool is_good = true;

    for (unsigned i = 0; i < function->param_count && is_good; i++)
        is_good =
            add_places(s, &scratch, function->params[i]->name, function->params[i]->type, out);
    arena_finish(&scratch);
    return is_good;
}

struct ir_function *session_entry(struct session *s, struct ir_module *module)
{
    struct ir_global *global = ir_module_find(module, s->entry->name);
    place_array places = {0};

    if (!global || global->kind != IR_GLOBAL_FUNCTION) {
        report_changed(s, "is gone", s->entry->name);
        return NULL;
    }
    bool is_good = find_places(s, global->function, &places);
    array_finish(&places);
    if (is_good && interp_leaf_count(global->function->result) != (int)s->results.values.count)
        is_good = report_changed(s, "has other results",
                                 ir_type_text(s->driver->context, global->function->result));
    return is_good ? global->function : NULL;
}

/* ---- passes and code ---- */

bool session_run_passes(struct session *s, const char *passes, const struct pass_watch *watch)
{
    double begin = cost_now();
    if (!passes)
        passes = s->options->passes ? s->options->passes : "default";
    bool is_good =
        driver_run_passes(s->driver, &s->module, passes, s->options->inplace, &s->decisions, watch);

    s->cost.compile_ms += cost_now() - begin;
    return is_good;
}

struct codegen_options session_code_options(const struct session *s)
{
    return (struct codegen_options){.opt_level = s->options->opt_level,
                                    .debug_info = true,
                                    .guard = guard_now(),
                                    .counts_memory = s->options->counts_memory,
                                    .checks_memory = s->options->checks_memory,
                                    .dump_llvm = s->options->dump_llvm,
                                    .keeps_assembly = s->keeps_assembly};
}

bool session_compile(struct session *s)
{
    struct codegen_options codegen = session_code_options(s);
    double begin = cost_now();

    s->given.function = NULL; /* one of the new module may lie where that was */
    bool is_good = driver_compile(s->driver, s->module, &codegen);

    s->cost.compile_ms += cost_now() - begin;
    return is_good;
}

bool session_restore(struct session *s, struct record *record)
{
    struct codegen_options codegen = session_code_options(s);
    size_t messages = diag_message_count(s->driver->diag);
    double begin = cost_now();
    bool is_good = kept_read(record, s->module, s->inputs.items.count, s->results.values.count,
                             &codegen, &s->kept);

    if (!is_good)
        diag_truncate(s->driver->diag, messages);
    s->cost.compile_ms += cost_now() - begin;
    return is_good;
}

void session_keep(struct session *s, struct record *record)
{
    size_t messages = diag_message_count(s->driver->diag);
    struct ir_function *function = session_entry(s, s->module);
    struct kept kept = {0};

    diag_truncate(s->driver->diag, messages);
    if (!function || !kept_is_possible(function))
        return;
    find_places(s, function, &kept.places);
    given_plan_make(&kept.given, function, NULL, 0, inlay_pool_threads(s->pool));
    cost_count(&kept.cost, s->module, &s->decisions, &s->inputs.dims);
    kept_write(record, &kept, &s->constants);
    kept_finish(&kept);
}

void session_count(struct session *s)
{
    const struct run_cost *kept = &s->kept.cost;

    if (!s->kept.is_there) {
        cost_count(&s->cost, s->module, &s->decisions, &s->inputs.dims);
        return;
    }
    s->cost.inplace = kept->inplace;
    s->cost.copies = kept->copies;
    s->cost.fresh = kept->fresh;
    s->cost.views = kept->views;
    s->cost.elided = kept->elided;
    s->cost.copied_bytes = kept->copied_bytes;
    s->cost.is_open = kept->is_open;
}

/* ---- runs ---- */

/* What a run asks of its host: state of the callbacks is the session. */

static inlay_packed_fn *find_packed(void *state, const char *symbol, void **out_handle)
{
    struct session *s = state;
    return packed_find(&s->packed, symbol, out_handle);
}

static void print_line(void *state, const char *line)
{
    struct session *s = state;
    if (s->options->print)
        s->options->print(s->options->print_state, line);
}

static void make_given(struct session *s, struct ir_function *function,
                       const struct inlay_value *args, size_t arg_count)
{
    struct given_plan plan = {0};

    if (!s->kept.is_there)
        given_plan_make(&plan, function, args, arg_count, inlay_pool_threads(s->pool));
    given_make(&s->given, s->memory, function, s->kept.is_there ? &s->kept.given : &plan);
    given_plan_finish(&plan);
}

bool session_execute(struct session *s, struct ir_function *function, inlay_entry_fn *entry,
                     const struct inlay_value *args)
{
    struct inlay_host host = {.state = s,
                              .find_packed = find_packed,
                              .print = print_line,
                              .memory = s->memory,
                              .pool = s->pool,
                              .profile = s->profile,
                              .checks_memory = s->options->checks_memory};
    struct inlay_value *results = s->results.values.items;
    int32_t result_count = (int32_t)s->results.values.count;
    place_array places = {0};

    for (size_t i = 0; i < s->kept.places.count; i++)
        array_push(&places, s->kept.places.items[i]);
    if (!s->kept.is_there)
        find_places(s, function, &places);
    int32_t arg_count = (int32_t)places.count;
    array(struct inlay_value) taken = {0};
    array(size_t) rooms = {0};
    for (size_t i = 0; i < places.count; i++) {
        array_push(&taken, args[places.items[i]]);
        array_push(&rooms, s->inputs.rooms.items[places.items[i]]);
    }
    host.argument_bytes = rooms.items;
    array_finish(&places);
    if (s->frame)
        inlay_frame_destroy(s->frame);
    memset(results, 0, (size_t)result_count * sizeof(*results));
    if (entry &&
        !s->options->checks_memory) { /* which has guards around what the run takes itself */
        if (s->given.function != function)
            make_given(s, function, taken.items, taken.count);
        given_set(&s->given, &host, results, (size_t)result_count);
    }
    s->frame = inlay_frame_create(&host);
    if (!s->frame)
        memory_short();
    unsigned errors = diag_error_count(s->driver->diag);
    uint64_t all = UINT64_MAX;
    struct ir_module *copy = entry ? NULL : driver_interpreted(s->driver, function->module);
    struct ir_function *meaning = copy ? ir_module_find(copy, function->name)->function : NULL;
    double begin = cost_now();
    bool is_good = entry ? entry(s->frame, taken.items, arg_count, results, result_count) == 0
                         : interp_run_steps(s->driver->diag, meaning, s->frame,
                                            s->interpreted_steps ? s->interpreted_steps : &all,
                                            taken.items, arg_count, results, result_count);
    s->cost.run_ms = cost_now() - begin;
    ir_module_destroy(copy);
    array_finish(&taken);
    array_finish(&rooms);
    s->cost.threads = 1 + inlay_pool_started(s->pool);
    if (!is_good && diag_error_count(s->driver->diag) == errors)
        entry_report_error(s->driver->diag, function, s->frame);
    return is_good;
}
