/* See artifact.h. */
#include "driver/artifact.h"

#include "base/guard.h"
#include "driver/artifact_levels.h"
#include "io/file.h"
#include "ir/build.h"

#include <errno.h>
#include <string.h>

struct writer {
    struct driver *driver;
    const struct artifact_options *options;
    struct ir_module *module;
    struct c_view views[ARTIFACT_LEVEL_LIMIT]; /* by level; the first is what callers see */
    struct codegen *codegen;
    struct codegen_artifact artifact;
    struct text object;              /* made once */
    struct artifact_weights weights; /* if the options want a file of them */
    struct codegen_weights codegen_weights;
    struct text manifest;
    struct text note; /* that is in the object, see artifact_note.h */
    array(struct artifact_file) files;
    struct arena arena;
};

static const struct {
    const char *name, *suffix;
} kinds[] = {
#define KIND(name, suffix, doc) {#name, suffix},
#include "driver/artifact_kinds.def"
};

enum artifact_kind artifact_kind_named(const char *name, size_t length)
{
    unsigned kind = 0;

    while (kind < ARTIFACT_KIND_COUNT &&
           (strlen(kinds[kind].name) != length || memcmp(kinds[kind].name, name, length) != 0))
        kind++;
    return (enum artifact_kind)kind;
}

/* Where the suffix of @path begins: at its last dot, or its end. */
static const char *suffix_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');

    return dot && dot > name ? dot : name + strlen(name);
}

enum artifact_kind artifact_kind_of(const char *path)
{
    const char *suffix = suffix_of(path);

    return *suffix ? artifact_kind_named(suffix + 1, strlen(suffix + 1)) : ARTIFACT_KIND_COUNT;
}

/* --- names --- */

static const char *stem_of(struct arena *arena, const char *path)
{
    return arena_copy_text(arena, path, (size_t)(suffix_of(path) - path));
}

const char *artifact_beside(struct arena *arena, const char *path, const char *suffix)
{
    return arena_printf(arena, "%s%s", stem_of(arena, path), suffix);
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static const char *path_of(struct writer *w, enum artifact_kind kind)
{
    const char *output = w->options->output;

    if (kind == ARTIFACT_h && w->options->header)
        return w->options->header;
    if (artifact_kind_of(output) == kind)
        return output;
    return artifact_beside(&w->arena, output, kinds[kind].suffix);
}

/* --- data --- */

static bool take(void *state, const char *data, size_t size)
{
    text_append(state, data, size);
    return true;
}

static bool emit(struct writer *w, const char *kind, struct text *out)
{
    return w->driver->codegen_api->emit(w->codegen, &w->artifact, kind, take, out);
}

/* --- what the object says of itself --- */

static void describe_note(struct writer *w)
{
    const struct artifact_weights *weights = w->options->weights ? &w->weights : NULL;

    w->manifest.length = 0;
    artifact_put_manifest(&w->views[0], w->options, w->driver->options, weights, &w->manifest);
    text_append(&w->note, text_string(&w->manifest), w->manifest.length + 1);
    artifact_put_summary(&w->views[0], w->options, w->driver->options, weights, &w->note);
    text_putc(&w->note, 0);
    artifact_put_table(&w->views[0], w->options, weights, &w->note);
    text_putc(&w->note, 0);
    w->artifact.note = w->note.data;
    w->artifact.note_size = w->note.length;
}

static bool check_stack(struct writer *w)
{
    int64_t limit = w->options->max_stack;
    bool is_good = true;

    for (size_t i = 0; limit >= 0 && i < w->views[0].functions.count; i++) {
        const struct codegen_stack *stack = &w->artifact.stacks[i];
        const struct ir_function *function = w->views[0].functions.items[i].function;
        if (stack->bytes >= 0 && stack->bytes <= limit)
            continue;
        is_good = false;
        if (stack->bytes < 0)
            diag_report(w->driver->diag, function->loc, ARTIFACT_STACK_OPEN, function->name);
        else
            diag_report(w->driver->diag, function->loc, ARTIFACT_STACK, function->name,
                        (long long)stack->bytes, (long long)limit, stack->largest,
                        (long long)stack->largest_bytes);
    }
    return is_good;
}

/* Where @what begins in the @size bytes at @data; NULL: nowhere. */
static char *find_text(char *data, size_t size, const struct text *what)
{
    char *end = data + size;

    while ((size_t)(end - data) >= what->length) {
        char *first = memchr(data, what->data[0], (size_t)(end - data) - what->length + 1);
        if (!first || memcmp(first, what->data, what->length) == 0)
            return first;
        data = first + 1;
    }
    return NULL;
}

/* @to, of the length of @from, takes its place in the object; false: it is not there once. */
static bool replace_in_object(struct writer *w, const struct text *from, const struct text *to)
{
    char *begin = w->object.data, *end = begin + w->object.length;
    char *found = find_text(begin, w->object.length, from);

    if (!found || from->length != to->length ||
        find_text(found + 1, (size_t)(end - found - 1), from))
        return false;
    memcpy(found, to->data, to->length);
    return true;
}

/* What the stack of a caller must hold is known now; the object says so, too. */
static bool note_stacks(struct writer *w)
{
    struct text before = w->note;

    for (size_t i = 0; i < w->views[0].functions.count; i++)
        w->views[0].functions.items[i].stack_bytes = w->artifact.stacks[i].bytes;
    w->note = (struct text){0};
    describe_note(w);
    bool is_good = replace_in_object(w, &before, &w->note);
    if (!is_good)
        diag_report(w->driver->diag, (struct location){0}, CODEGEN_LLVM,
                    "the object does not hold what it says of itself");
    text_finish(&before);
    return is_good;
}

static bool make_object(struct writer *w)
{
    return w->object.length > 0 || (emit(w, "o", &w->object) && note_stacks(w) && check_stack(w));
}

static void put_archive(struct writer *w, struct text *out)
{
    static const char *const ends[] = {"", "_dl", "_arena_bytes"};
    static const char *const of_weights[] = {"_open", "_use", "_close"};
    size_t count = 0, limit = w->views[0].functions.count * (ARRAY_SIZE(ends) + 1) + 6;
    const char **names = arena_array(&w->arena, const char *, limit);

    for (size_t i = 0; i < w->views[0].functions.count; i++) {
        const struct c_function *function = &w->views[0].functions.items[i];
        for (size_t k = 0; k < ARRAY_SIZE(ends); k++)
            names[count++] = arena_printf(&w->arena, "%s%s", function->name, ends[k]);
        names[count++] = arena_printf(&w->arena, "__tvm_ffi_%s", function->function->name);
    }
    names[count++] = w->artifact.message_name;
    for (size_t k = 0; w->options->weights && k < ARRAY_SIZE(of_weights); k++)
        names[count++] =
            arena_printf(&w->arena, "%s%s", c_view_weights(&w->views[0]), of_weights[k]);
    if (w->options->level_count) {
        names[count++] = w->artifact.use_cpu_name;
        names[count++] = w->artifact.cpu_name;
    }
    artifact_put_archive(
        arena_printf(&w->arena, "%s.o", base_of(stem_of(&w->arena, w->options->output))),
        &w->object, names, count, out);
}

/* Code of @module for the driver's target, which stays in *@code; none if this machine cannot run it. */
static bool make_test_code(struct writer *w, struct ir_module *module, struct codegen **code)
{
    struct codegen_options options = {.opt_level = w->driver->options->opt_level,
                                      .guard = guard_now()};

    return target_missing(&w->driver->target) || /* the interpreter says it */
           driver_make_code(w->driver, module, &options, code);
}

/* Runs the functions, so that the program knows what to expect. */
static bool put_main(struct writer *w, struct text *out)
{
    size_t count = w->options->level_count ? w->options->level_count : 1;
    struct ir_module *modules[ARTIFACT_LEVEL_LIMIT] = {0};
    struct codegen *codes[ARTIFACT_LEVEL_LIMIT] = {0};
    struct artifact_test test = {w->driver, w->options, w->views, codes};
    struct target target = w->driver->target;
    bool is_good = true;

    for (size_t i = 0; is_good && i < count; i++) {
        modules[i] =
            ir_module_clone(w->options->level_count ? w->options->levels[i].module : w->module);
        if (w->options->level_count)
            w->driver->target = w->options->levels[i].target;
        is_good = make_test_code(w, modules[i], &codes[i]);
    }
    is_good = is_good && artifact_put_main(&test, base_of(path_of(w, ARTIFACT_h)), out);
    w->driver->target = target;
    for (size_t i = 0; i < count; i++) {
        driver_free_code(w->driver, &codes[i]);
        if (modules[i])
            ir_module_destroy(modules[i]);
    }
    return is_good;
}

/* What build systems link. */
static enum artifact_kind linked_kind(const struct writer *w)
{
    return w->options->kinds[ARTIFACT_a]    ? ARTIFACT_a
           : w->options->kinds[ARTIFACT_so] ? ARTIFACT_so
           : w->options->kinds[ARTIFACT_o]  ? ARTIFACT_o
                                            : ARTIFACT_a;
}

static void put_package(struct writer *w, enum artifact_kind kind, struct text *out)
{
    const char *name = base_of(stem_of(&w->arena, w->options->output));
    enum artifact_kind linked = linked_kind(w);
    const char *library = base_of(path_of(w, linked));

    if (kind == ARTIFACT_pc)
        artifact_put_pkg_config(name, library, base_of(w->options->script), w->options->threads > 1,
                                linked == ARTIFACT_so, out);
    else
        artifact_put_cmake(name, library, linked, w->options->threads > 1, out);
}

static bool make_data(struct writer *w, enum artifact_kind kind, const char *path, struct text *out)
{
    switch (kind) {
    case ARTIFACT_o:
        if (!make_object(w))
            return false;
        text_append(out, w->object.data, w->object.length);
        return true;
    case ARTIFACT_a:
        if (!make_object(w))
            return false;
        put_archive(w, out);
        return true;
    case ARTIFACT_so:
        return make_object(w) &&
               artifact_link(w->driver, path, &w->object, w->options->is_stripped, out);
    case ARTIFACT_h:
        artifact_put_header(&w->views[0], c_view_name(&w->arena, base_of(path)), w->options, out);
        return true;
    case ARTIFACT_c:
        return put_main(w, out);
    case ARTIFACT_pc:
    case ARTIFACT_cmake:
        put_package(w, kind, out);
        return true;
    case ARTIFACT_json:
        text_append(out, w->manifest.data, w->manifest.length);
        return true;
    default:
        return emit(w, kinds[kind].name, out);
    }
}

/* --- files --- */

/* False after a report. */
static bool commit(struct writer *w)
{
    bool is_good = artifact_commit(w->driver, w->files.items, w->files.count);

    if (is_good && w->options->record)
        artifact_keep(w->options->record, w->files.items, w->files.count);
    return is_good;
}

static bool make_files(struct writer *w)
{
    if (!make_object(w)) /* all that is said of it depends on it */
        return false;
    for (unsigned kind = 0; kind < ARTIFACT_KIND_COUNT; kind++) {
        struct artifact_file file = {0};
        if (!w->options->kinds[kind])
            continue;
        file.path = path_of(w, (enum artifact_kind)kind);
        bool is_good = make_data(w, (enum artifact_kind)kind, file.path, &file.data);
        array_push(&w->files, file);
        if (!is_good)
            return false;
    }
    if (w->options->weights) {
        struct artifact_file file = {.path = w->options->weights, .weights = &w->weights};
        array_push(&w->files, file);
    }
    return true;
}

/* --- limits --- */

static bool check_arena(struct writer *w)
{
    bool is_good = true;

    for (size_t i = 0; w->options->max_arena >= 0 && i < w->views[0].functions.count; i++) {
        const struct c_function *function = &w->views[0].functions.items[i];
        bool is_number = function->need->kind == IR_EXPR_int;
        struct text text = {0};
        if (is_number && function->need->int_value <= w->options->max_arena)
            continue;
        c_view_put_expr(function, function->need, &text);
        text_puts(&text, is_number ? " bytes" : " bytes, whatever they are");
        struct diag_message *m = diag_report(w->driver->diag, function->function->loc,
                                             ARTIFACT_ARENA, function->function->name,
                                             text_string(&text), (long long)w->options->max_arena);
        if (!is_number)
            diag_help(m, "bind the symbols, as -p 'BindSymbolicVars,default' --dim n=8 does");
        text_finish(&text);
        is_good = false;
    }
    return is_good;
}

/* --- all --- */

/* The weights, of which the object knows; NULL: they are inside. */
static const struct codegen_weights *describe_weights(struct writer *w)
{
    if (!w->options->weights)
        return NULL;
    w->codegen_weights = (struct codegen_weights){.prefix = c_view_weights(&w->views[0]),
                                                  .file = base_of(w->options->weights),
                                                  .bytes = w->weights.bytes,
                                                  .head = w->weights.head.length,
                                                  .identity = w->weights.identity,
                                                  .places = &w->weights.places};
    return &w->codegen_weights;
}

/* "PREFIX_@name" */
static const char *own_name(struct writer *w, const char *name)
{
    const char *prefix = w->views[0].prefix;

    return arena_printf(&w->arena, "%s%s%s", prefix, *prefix ? "_" : "", name);
}

static void describe_levels(struct writer *w)
{
    size_t count = w->options->level_count;
    struct codegen_level *levels = arena_array(&w->arena, struct codegen_level, count + 1);

    for (size_t i = 0; i < count; i++)
        levels[i] = (struct codegen_level){.target = w->options->levels[i].target,
                                           .module = w->options->levels[i].module,
                                           .number = w->options->levels[i].number};
    w->artifact.levels = levels;
    w->artifact.level_count = count;
    w->artifact.use_cpu_name = own_name(w, "use_cpu");
    w->artifact.cpu_name = own_name(w, "cpu");
}

static void describe(struct writer *w)
{
    size_t count = w->views[0].functions.count;
    struct codegen_door *doors = arena_array(&w->arena, struct codegen_door, count + 1);

    for (size_t i = 0; i < count; i++) {
        const struct c_function *function = &w->views[0].functions.items[i];
        struct codegen_param *params =
            arena_array(&w->arena, struct codegen_param, function->params.count + 1);
        for (size_t k = 0; k < function->params.count; k++)
            params[k] = function->params.items[k].base;
        doors[i] = (struct codegen_door){.name = function->name,
                                         .function = function->function,
                                         .params = params,
                                         .param_count = function->params.count,
                                         .need = function->need};
    }
    w->artifact =
        (struct codegen_artifact){.doors = doors,
                                  .door_count = count,
                                  .stacks = arena_array(&w->arena, struct codegen_stack, count + 1),
                                  .message_name = own_name(w, "message"),
                                  .script = base_of(w->options->script),
                                  .threads = w->options->threads,
                                  .weights = describe_weights(w)};
    describe_levels(w);
    describe_note(w);
}

/* False after a report. */
static bool check_threads(struct writer *w)
{
    enum target_machine machine = w->driver->target.machine;
    bool is_good = w->options->threads < 2 || machine != TARGET_WASM32;

    if (!is_good)
        diag_report(w->driver->diag, (struct location){0}, ARTIFACT_THREADS,
                    target_machines[machine].name);
    return is_good;
}

/* Of all levels; the first one's is kept, which emits the artifact. */
static bool make_code(struct writer *w)
{
    struct codegen_options codegen = {.opt_level = w->driver->options->opt_level,
                                      .debug_info = !w->options->is_stripped,
                                      .guard = guard_now(),
                                      .is_artifact = true};

    for (size_t i = w->options->level_count; i-- > 1;)
        if (!driver_make_code(w->driver, w->options->levels[i].module, &codegen, &w->codegen))
            return false;
    return driver_make_code(w->driver, w->module, &codegen, &w->codegen);
}

static bool make_views(struct writer *w)
{
    size_t count = w->options->level_count;
    const char *prefix = w->options->prefix;

    if (!prefix)
        prefix = c_view_name(&w->arena, base_of(stem_of(&w->arena, w->options->output)));
    for (size_t i = 0; i < (count ? count : 1); i++)
        if (!c_view_make(&w->views[i], i ? w->options->levels[i].module : w->module, prefix,
                         w->options->threads, w->options->weights != NULL, count > 0,
                         w->driver->diag))
            return false;
    return artifact_levels_join(w->views, w->options, w->driver->diag);
}

static void make_weights(struct writer *w)
{
    struct ir_module *modules[ARTIFACT_LEVEL_LIMIT] = {w->module};
    size_t count = w->options->level_count;

    for (size_t i = 1; i < count; i++)
        modules[i] = w->options->levels[i].module;
    artifact_weights_make(&w->weights, modules, count ? count : 1, w->options->weights);
}

static bool make_all(struct writer *w)
{
    if (!check_threads(w) || !make_code(w) || !make_views(w) || !check_arena(w))
        return false;
    if (w->options->weights)
        make_weights(w);
    describe(w);
    return make_files(w) && commit(w);
}

bool artifact_write(struct driver *driver, struct ir_module *module,
                    const struct artifact_options *options)
{
    struct writer w = {.driver = driver, .options = options, .module = module};
    bool is_good = make_all(&w);

    for (size_t i = 0; i < w.files.count; i++)
        text_finish(&w.files.items[i].data);
    array_finish(&w.files);
    artifact_weights_finish(&w.weights);
    text_finish(&w.object);
    text_finish(&w.manifest);
    text_finish(&w.note);
    driver_free_code(driver, &w.codegen);
    for (size_t i = 0; i < ARTIFACT_LEVEL_LIMIT; i++)
        c_view_finish(&w.views[i]);
    arena_finish(&w.arena);
    return is_good;
}
