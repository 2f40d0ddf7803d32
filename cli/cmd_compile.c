/* inlay compile: passes, code, files. */
#include "base/hash.h"
#include "cli/report.h"
#include "driver/artifact_levels.h"
#include "driver/bound.h"
#include "driver/require.h"

#include <stdlib.h>
#include <string.h>

/* False after a message. */
static bool read_kinds(const struct cli_options *options, struct artifact_options *out)
{
    const char *p = options->emit;
    enum artifact_kind kind = artifact_kind_of(options->output);

    if (!p && kind == ARTIFACT_KIND_COUNT) {
        cli_usage_error(options,
                        "-o %s: what to write? A name that ends in .o, .a, .so, .ll, .bc, "
                        ".s, .h says it, or --emit",
                        options->output);
        return false;
    }
    if (!p)
        out->kinds[kind] = true;
    while (p && *p) {
        size_t length = strcspn(p, ",");
        kind = artifact_kind_named(p, length);
        if (kind == ARTIFACT_KIND_COUNT) {
            cli_usage_error(
                options, "--emit takes o, a, so, ll, bc, s, h, c, json, pc and cmake, not `%.*s`",
                (int)length, p);
            return false;
        }
        out->kinds[kind] = true;
        p += length + (p[length] == ',');
    }
    if (options->header)
        out->kinds[ARTIFACT_h] = true;
    return true;
}

static bool check_prefix(const struct cli_options *options)
{
    struct arena arena = {0};
    bool is_good =
        !options->prefix || strcmp(c_view_name(&arena, options->prefix), options->prefix) == 0;

    if (!is_good)
        cli_usage_error(options, "--prefix takes a C name, not `%s`", options->prefix);
    arena_finish(&arena);
    return is_good;
}

/* Where weights go; NULL: into the artifact. */
static const char *weights_path(const struct cli_options *options, struct arena *arena)
{
    if (!options->weights || strcmp(options->weights, "*") != 0)
        return options->weights;
    return artifact_beside(arena, options->output, ".safetensors");
}

struct compiling {
    const struct cli_options *options;
    struct driver *driver;
    struct inplace_decisions decisions; /* for the only level, or the first */
};

/* An artifact_passes_fn. */
static bool run_passes(void *state, struct ir_module **module, bool is_first)
{
    struct compiling *c = state;
    const struct cli_options *options = c->options;
    struct pass_watch watch = report_watch(options);
    struct inplace_decisions others = {0};
    struct inplace_decisions *decisions = is_first ? &c->decisions : &others;
    bool is_good = driver_run_passes(c->driver, module,
                                     options->driver.passes ? options->driver.passes : "default",
                                     options->driver.inplace, decisions, &watch) &&
                   require_judge(c->driver, *module, decisions);

    inplace_decisions_finish(&others);
    return is_good;
}

/* What was written the last time that this was asked for; false: nothing is known of it. */
static bool restore(struct driver *driver, struct record *record)
{
    struct record_view view;
    bool is_bad = false, is_found = record_find(record, &view);

    if (is_found)
        (void)artifact_restore(driver, &view, &is_bad);
    if (is_bad)
        record_refuse(record, &view);
    else if (is_found)
        record_release(&view);
    return is_found && !is_bad;
}

static struct ir_module *compile(const struct cli_options *options, struct driver *driver,
                                 const struct source *source, struct artifact_options *artifact)
{
    struct compiling c = {.options = options, .driver = driver};
    struct ir_module *module = driver_parse(driver, source);

    if (module)
        driver_warn_of_numbers(driver, module);
    artifact->decisions = &c.decisions;
    artifact->script_hash = hash_bytes(source->text, source->length);

    const char *passes = options->driver.passes ? options->driver.passes : "default";
    bool is_good =
        module && require_names(driver, module) &&
        !(artifact->weights && bound_reads(driver, module, passes, artifact->weights)) &&
        (!artifact_levels_are_asked(&options->driver) || artifact_levels_read(driver, artifact));
    if (artifact->level_count) {
        is_good = is_good && artifact_levels_make(driver, artifact, module, run_passes, &c);
        module = artifact->levels[0].module ? artifact->levels[0].module : module;
    } else {
        is_good = is_good && run_passes(&c, &module, true);
    }
    if (is_good)
        (void)artifact_write(driver, module, artifact);
    artifact_levels_finish(artifact);
    inplace_decisions_finish(&c.decisions);
    return module;
}

/* Libraries are linked by somebody else, whom the environment names. */
static const char *kind_of_record(struct arena *arena)
{
    const char *compiler = getenv("CC"), *path = getenv("PATH");

    return arena_printf(arena, "compile, CC %s, PATH %s", compiler ? compiler : "",
                        path ? path : "");
}

static struct ir_module *compile_or_restore(const struct cli_options *options,
                                            struct driver *driver,
                                            struct artifact_options *artifact)
{
    const struct source *source = report_read(options, driver);
    struct record record;
    struct ir_module *module = NULL;

    if (!source)
        return NULL;
    record_open(&record, driver, kind_of_record(&driver->arena),
                options->is_watched ? NULL : source, options->words.items, options->words.count);
    artifact->record = &record;
    if (!restore(driver, &record))
        module = compile(options, driver, source, artifact);
    record_close(&record);
    return module;
}

int command_compile(const struct cli_options *options)
{
    struct artifact_options artifact = {
        .output = options->output,
        .prefix = options->prefix,
        .header = options->header,
        .script = options->arguments.items[0],
        .max_arena = options->has_max_arena ? options->max_arena : -1,
        .max_stack = options->has_max_stack ? options->max_stack : -1,
        .threads = options->threads,
        .is_stripped = options->is_stripped};

    if (!options->output)
        return cli_usage_error(options, "where to? -o m.so");
    if (!read_kinds(options, &artifact) || !check_prefix(options))
        return CLI_USAGE;
    struct driver_options driver_options = options->driver;
    struct arena arena = {0};

    artifact.weights = weights_path(options, &arena);
    driver_options.judges_arena_later = true;
    struct driver *driver = driver_create(&driver_options);
    struct ir_module *module = compile_or_restore(options, driver, &artifact);
    int status = report_finish(options, driver, module);

    arena_finish(&arena);
    return status;
}
