/* The way of a program, from text to a call. */
#include "driver/driver.h"

#include "analysis/lint/lint.h"
#include "analysis/unwritten.h"
#include "analysis/verify_storage/verify_storage.h"
#include "base/memory.h"
#include "driver/constants.h"
#include "driver/host.h"
#include "driver/llvm_library.h"
#include "driver/max_arena.h"
#include "driver/model.h"
#include "frontend/frontend.h"
#include "io/file.h"
#include "ir/build.h"
#include "ir/verify.h"
#include "ops/ops.h"
#include "passes/memory/kill_after_last_use.h"
#include "passes/pass.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { SOURCE_LIMIT = 1 << 30 };

void driver_options_finish(struct driver_options *options)
{
    array_finish(&options->inputs);
    array_finish(&options->dims);
    array_finish(&options->defines);
    array_finish(&options->libraries);
}

/* The dims as BindSymbolicVars reads them. */
static const char *dims_text(struct arena *arena, const struct driver_options *options)
{
    const char *text = "";
    for (size_t i = 0; i < options->dims.count; i++)
        text = arena_printf(arena, "%s%s%s=%lld", text, i ? "," : "", options->dims.items[i].name,
                            (long long)options->dims.items[i].value);
    return text;
}

/* Messages, and with them the texts that they are about, live as long as the driver. */
static struct ir_context *new_context(struct driver *driver)
{
    struct ir_context *context = ir_context_create();

    context->sources = &driver->arena;
    ops_register(context);
    return context;
}

struct driver *driver_create(const struct driver_options *options)
{
    struct driver *driver = memory_new(sizeof(*driver), 1);
    driver->options = options;
    driver->dims = dims_text(&driver->arena, options);
    driver->context = new_context(driver);
    driver->diag = diag_create();
    driver->has_target = target_find(options->machine, options->cpu, &driver->target);
    if (driver->has_target && options->features)
        driver->has_target =
            target_change(&driver->target, options->features, driver->unknown_feature,
                          sizeof(driver->unknown_feature));
    if (options->vector_bytes)
        target_limit(&driver->target, options->vector_bytes);
    return driver;
}

/* False after a report. */
static bool check_target(struct driver *driver)
{
    const struct driver_options *options = driver->options;
    struct location nowhere = {0};

    if (driver->has_target)
        return true;
    if (driver->target.machine == TARGET_MACHINE_COUNT)
        diag_report(driver->diag, nowhere, TARGET_MACHINE_UNKNOWN, options->machine);
    else if (*driver->unknown_feature)
        diag_report(driver->diag, nowhere, TARGET_FEATURE_UNKNOWN,
                    target_machines[driver->target.machine].name, driver->unknown_feature);
    else
        diag_report(driver->diag, nowhere, TARGET_UNKNOWN, options->cpu);
    return false;
}

/* Can this machine run what is made for the target?  False after a report. */
static bool check_machine(struct driver *driver)
{
    const char *missing = target_missing(&driver->target);
    if (missing)
        diag_report(driver->diag, (struct location){0}, TARGET_ABSENT,
                    driver->target.cpu ? driver->target.cpu : "host", missing);
    return !missing;
}

static void destroy_retired(struct driver *driver)
{
    for (size_t i = 0; i < driver->retired.count; i++)
        ir_module_destroy(driver->retired.items[i]);
    driver->retired.count = 0;
}

void driver_forget(struct driver *driver)
{
    destroy_retired(driver);
    ir_context_destroy(driver->context);
    driver->context = new_context(driver);
}

void driver_destroy(struct driver *driver)
{
    if (!driver)
        return;
    driver_drop(driver);
    destroy_retired(driver);
    array_finish(&driver->retired);
    diag_destroy(driver->diag);
    ir_context_destroy(driver->context);
    arena_finish(&driver->arena);
    memory_free(driver);
}

void driver_drop(struct driver *driver)
{
    driver_free_code(driver, &driver->codegen);
    if (driver->codegen_library)
        dlclose(driver->codegen_library);
    model_unmap(driver);
}

const struct source *driver_source(struct driver *driver, const char *name, const char *text,
                                   size_t length)
{
    if (length <= SOURCE_LIMIT)
        return source_new(&driver->arena, name, text, length);
    diag_report(driver->diag, (struct location){0}, INPUT_UNREADABLE, name, strerror(EFBIG));
    return NULL;
}

/* Reads @file to its end; false with errno set. */
static bool read_all(FILE *file, struct text *out)
{
    char buffer[1 << 15];
    size_t got;
    do {
        got = fread(buffer, 1, sizeof(buffer), file);
        if (out->length + got > SOURCE_LIMIT) {
            errno = EFBIG;
            return false;
        }
        text_append(out, buffer, got);
    } while (got == sizeof(buffer));
    return !ferror(file);
}

const struct source *driver_read(struct driver *driver, const char *path)
{
    bool is_input = strcmp(path, "-") == 0;
    if (model_is_one(path))
        return model_read(driver, path);
    struct text text = {0};
    struct stat info;
    struct source *source = NULL;
    FILE *file = is_input ? stdin : fopen(path, "rb");
    inlay_file_note(path);
    if (!file || (!is_input && fstat(fileno(file), &info) < 0))
        diag_report(driver->diag, (struct location){0}, INPUT_UNREADABLE, path, strerror(errno));
    else if (!is_input && S_ISDIR(info.st_mode))
        diag_report(driver->diag, (struct location){0}, INPUT_UNREADABLE, path, strerror(EISDIR));
    else if (!read_all(file, &text))
        diag_report(driver->diag, (struct location){0}, INPUT_UNREADABLE, path, strerror(errno));
    else
        source = source_new(&driver->arena, is_input ? "<stdin>" : path, text_string(&text),
                            text.length);
    if (file && !is_input)
        fclose(file);
    text_finish(&text);
    return source;
}

/* @module of @source as verified, or NULL. */
static struct ir_module *verified(struct driver *driver, const struct source *source,
                                  struct ir_module *module)
{
    size_t messages_before = diag_message_count(driver->diag);

    if (!module || ir_verify(module, driver->diag))
        return module;
    lint_check_refused(module, source, messages_before, driver->diag);
    ir_module_destroy(module);
    return NULL;
}

/* @options: who says other values for constants of the script; NULL for text that Inlay printed, which has none. */
static struct ir_module *parse(struct driver *driver, const struct source *source,
                               const struct driver_options *options)
{
    struct frontend_options given = {.doubt = options ? lint_check_front : NULL};
    if (options) {
        given.defines = options->defines.items;
        given.define_count = options->defines.count;
    }
    bool is_model = options && model_is_one(source->name);
    if (!is_model)
        constants_load(driver, source);
    struct ir_module *module =
        is_model ? model_import(driver, source)
                 : frontend_parse_with(driver->context, driver->diag, source, &given);
    return verified(driver, source, module);
}

/* What the script itself says about memory, if it does. */
static bool check_storage(struct ir_module *module, struct diag *diag)
{
    return !verify_storage_is_said(module) ||
           verify_storage_check(module, VERIFY_STORAGE_VALUES, diag);
}

/* @module where what it says of storage holds, or NULL. */
static struct ir_module *judged(struct driver *driver, struct ir_module *module)
{
    if (!module ||
        (inplace_check_kernels(module, driver->diag) &&
         inplace_check_donations(module, driver->diag) && check_storage(module, driver->diag)))
        return module;
    ir_module_destroy(module);
    return NULL;
}

struct ir_module *driver_parse(struct driver *driver, const struct source *source)
{
    return judged(driver, parse(driver, source, driver->options));
}

struct ir_module *driver_parse_partly(struct driver *driver, const struct source *source,
                                      struct frontend_names *names, bool *out_is_whole)
{
    constants_load(driver, source);
    const struct frontend_options options = {.doubt = lint_check_front};
    struct ir_module *module =
        frontend_parse_partly(driver->context, driver->diag, source, &options, names, out_is_whole);
    module = judged(driver, verified(driver, source, module));
    *out_is_whole = *out_is_whole && module;
    return module;
}

/* Is something said, from the @from-th message on, from which it follows that the shape of a value is not known? */
static bool is_size_said(const struct diag *diag, size_t from)
{
    return diag_has_from(diag, from, DIAG_GRAPH_BRANCH_RANK) ||
           diag_has_from(diag, from, DIAG_OP_DIMS_OPEN) ||
           diag_has_from(diag, from, DIAG_CALL_ONE_SIZE);
}

static bool is_of_size(enum diag_id id)
{
    return id == DIAG_LOWER_SHAPE || id == DIAG_LOWER_OPERAND || id == DIAG_CODEGEN_VALUE;
}

/* Says what cannot be compiled: the lowerings refuse it, so they are asked.  Warnings from the @from-th on are told. */
static void check_lowering(struct driver *driver, struct ir_module **module, size_t from)
{
    struct diag *diag = driver->diag;
    size_t before = diag_message_count(diag);
    const struct source *source =
        (*module)->global_count ? (*module)->globals[0]->loc.source : NULL;

    if (driver_run_passes(driver, module, "LegalizeOps", driver->options->inplace, NULL, NULL))
        lint_check_lowered(*module, diag);
    /* Of so many that others were not said none is dropped: the rest would pass for right. */
    if (is_size_said(diag, from) && !diag_is_full(diag))
        diag_drop(diag, before, (struct location){.source = source}, is_of_size);
}

void driver_lint(struct driver *driver, struct ir_module **module, bool is_whole)
{
    size_t from = diag_message_count(driver->diag);

    lint_check(*module, driver->diag);
    /* The in-place rules: the copies that this puts in go away with the module. */
    bool is_good =
        driver_run_passes(driver, module, "ResolveInplace", driver->options->inplace, NULL, NULL);
    if (is_good && is_whole && !diag_error_code(driver->diag, from))
        check_lowering(driver, module, from);
}

void driver_check(struct driver *driver, const struct source *source)
{
    struct ir_module *module = driver_parse(driver, source);

    if (module)
        driver_lint(driver, &module, true);
    ir_module_destroy(module);
}

void driver_warn_of_numbers(struct driver *driver, struct ir_module *module)
{
    unwritten_check_numbers(module, driver->diag);
}

static bool save_text(void *state, const char *path, const char *text)
{
    struct driver *driver = state;
    struct inlay_message message;
    struct inlay_output output;
    bool is_good = inlay_output_open(&output, path, &message);
    if (is_good) {
        fputs(text, output.file);
        is_good = inlay_output_commit(&output, &message);
    }
    if (!is_good)
        diag_report(driver->diag, (struct location){0}, OUTPUT_FAILED, path, message.text);
    return is_good;
}

static bool save_data(void *state, const char *folder, const struct ir_data *data)
{
    return constants_save(state, folder, data);
}

static const struct source *read_passes(void *state, const char *path)
{
    return driver_read(state, path);
}

static struct ir_module *reparse(void *state, struct ir_module *module, const char *text)
{
    struct driver *driver = state;
    const char *name = module->globals && module->global_count > 0 && module->globals[0]->loc.source
                           ? module->globals[0]->loc.source->name
                           : "<round trip>";
    return parse(driver, source_new(&driver->arena, name, text, strlen(text)), NULL);
}

/* The folder of --dump-ir, unless it is there. */
static bool make_folder(struct driver *driver, const char *path)
{
    if (!path || mkdir(path, 0777) == 0 || errno == EEXIST)
        return true;
    diag_report(driver->diag, (struct location){0}, OUTPUT_FAILED, path, strerror(errno));
    return false;
}

/* What driver_run_passes() was given. */
struct passes {
    const char *pipeline;
    enum inplace_mode mode;
    struct inplace_decisions *decisions;
    const struct pass_watch *watch;
};

static bool run_passes(struct driver *driver, struct ir_module **module,
                       struct pass_max_arena *limit, void *state)
{
    const struct passes *passes = state;
    struct host host;
    host_init(&host, driver);
    struct pass_run run = {
        .module = *module,
        .diag = driver->diag,
        .inplace = passes->mode,
        .decisions = passes->decisions,
        .remarks = driver->remarks,
        .host = &host.pass_host,
        .plan_seconds = driver->options->has_plan_seconds ? &driver->options->plan_seconds : NULL,
        .max_arena = limit,
        .target = driver->target};
    struct pass_watch full = passes->watch ? *passes->watch : (struct pass_watch){0};
    full.state = driver;
    full.save = save_text;
    full.save_data = save_data;
    full.read = read_passes;
    full.reparse = reparse;
    bool is_good = check_target(driver) && make_folder(driver, full.dump_folder) &&
                   pass_run_pipeline(&run, passes->pipeline, &full);
    *module = run.module;
    for (size_t i = 0; i < run.retired.count; i++)
        array_push(&driver->retired, run.retired.items[i]);
    run.retired.count = 0;
    pass_run_finish(&run);
    return is_good;
}

bool driver_run_passes(struct driver *driver, struct ir_module **module, const char *pipeline,
                       enum inplace_mode mode, struct inplace_decisions *decisions,
                       const struct pass_watch *watch)
{
    struct passes passes = {pipeline, mode, decisions, watch};

    if (driver->options->has_max_arena)
        return max_arena_run(driver, module, run_passes, &passes, decisions);
    return run_passes(driver, module, NULL, &passes);
}

bool driver_visit_passes(struct driver *driver, struct ir_module *module, const char *pipeline,
                         void (*visit)(void *state, const struct pass_info *pass,
                                       const struct ir_attr *options),
                         void *state)
{
    struct pass_run run = {.module = module, .diag = driver->diag};
    struct pass_watch watch = {.state = driver, .read = read_passes};
    bool is_good = pass_visit_pipeline(&run, pipeline, &watch, visit, state);

    pass_run_finish(&run);
    return is_good;
}

bool driver_load_code_generator(struct driver *driver)
{
    if (!driver->codegen_api)
        driver->codegen_api = llvm_library_open(driver->diag, driver->options->code_generator,
                                                &driver->codegen_library);
    return driver->codegen_api != NULL;
}

static struct codegen_options options_for_target(const struct driver *driver,
                                                 const struct codegen_options *options)
{
    struct codegen_options for_target = *options;

    for_target.target = driver->target;
    for_target.compile_threads = driver->options->compile_threads ? driver->options->compile_threads
                                                                  : driver->options->threads;
    for_target.cache = driver->options->cache;
    for_target.cache_bytes = driver->options->cache_bytes;
    return for_target;
}

bool driver_load(struct driver *driver, const struct codegen_object *object,
                 const struct codegen_options *options)
{
    struct codegen_options for_target = options_for_target(driver, options);

    if (!check_target(driver) || !check_machine(driver) || !driver_load_code_generator(driver))
        return false;
    driver_free_code(driver, &driver->codegen);
    driver->codegen = driver->codegen_api->create(driver->diag, &for_target);
    if (driver->codegen)
        driver->codegen_api->load(driver->codegen, object);
    return driver->codegen != NULL;
}

bool driver_make_code(struct driver *driver, struct ir_module *module,
                      const struct codegen_options *options, struct codegen **code)
{
    /* what a pipeline leaves unsaid about memory */
    static const char memory[] = "ToNonDataflow,CallTIRRewrite,KillAfterLastUse";

    struct codegen_options for_target = options_for_target(driver, options);
    if (!check_target(driver) ||
        (!options->is_artifact && !options->remarks && !check_machine(driver)) ||
        !property_check(module, driver->diag, (struct location){0}, "lowered", "code generation") ||
        !driver_run_passes(driver, &module, memory, INPLACE_AUTO, NULL, NULL))
        return false;
    if (!driver_load_code_generator(driver))
        return false;
    driver_free_code(driver, code);
    *code = driver->codegen_api->create(driver->diag, &for_target);
    return *code && driver->codegen_api->compile(*code, module);
}

void driver_free_code(struct driver *driver, struct codegen **code)
{
    if (*code)
        driver->codegen_api->destroy(*code);
    *code = NULL;
}

struct ir_module *driver_interpreted(struct driver *driver, const struct ir_module *module)
{
    struct arena scratch = {0};
    struct ir_module *clone = ir_module_clone(module);

    (void)kill_after_last_use(clone, driver->diag, &scratch, true);
    arena_finish(&scratch);
    return clone;
}

bool driver_compile(struct driver *driver, struct ir_module *module,
                    const struct codegen_options *options)
{
    return driver_make_code(driver, module, options, &driver->codegen);
}

inlay_entry_fn *driver_find(struct driver *driver, const char *name)
{
    return driver->codegen_api->find(driver->codegen, name);
}
