/* How the subcommands begin and end. */
#include "cli/report.h"

#include "cli/crash.h"
#include "driver/model.h"
#include "io/file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Is @name set, to something else than nothing and 0? */
static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value && *value && strcmp(value, "0") != 0;
}

bool report_is_colored(const struct cli_options *options, FILE *file)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    if (options->color != CLI_COLOR_AUTO)
        return options->color == CLI_COLOR_ALWAYS;
    if (no_color && *no_color)
        return false;
    if (is_set("FORCE_COLOR") || is_set("CLICOLOR_FORCE"))
        return true;
    return isatty(fileno(file)) && !(term && strcmp(term, "dumb") == 0);
}

/* Columns of the terminal that @file is; 0: not known. */
static unsigned terminal_width(FILE *file)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size = {0};

    if (columns && atoi(columns) > 0)
        return (unsigned)atoi(columns);
    return ioctl(fileno(file), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void report_diagnostics(const struct cli_options *options, const struct diag *diag, FILE *file)
{
    struct text text = {0};
    bool is_terminal = isatty(fileno(file));
    struct diag_look look = {.color = report_is_colored(options, file),
                             .points_to_pages = is_terminal,
                             .width = is_terminal ? terminal_width(file) : 0};
    diag_print_for(diag, options->diagnostics, look, &text);
    fwrite(text_string(&text), 1, text.length, file);
    text_finish(&text);
}

static void write_to_stderr(void *state, const char *text)
{
    fputs(text, stderr);
}

/* What a reproducer must be replayed with. */
static void remember_options(const struct cli_options *options)
{
    static const char *const modes[] = {"auto", "strict", "off"};
    struct text text = {0};

    text_printf(&text, "--inplace=%s%s%s%s", modes[options->driver.inplace],
                options->verify_each ? " --verify-each" : "",
                options->check_each ? " --check-each" : "",
                options->roundtrip_each ? " --roundtrip-each" : "");
    crash_set_options(text_string(&text));
    text_finish(&text);
}

struct pass_watch report_watch(const struct cli_options *options)
{
    remember_options(options);
    return (struct pass_watch){.write = write_to_stderr,
                               .enter = crash_set_pass,
                               .verify_each = options->verify_each,
                               .check_each = options->check_each,
                               .roundtrip_each = options->roundtrip_each,
                               .print_changed = options->print_changed,
                               .use_color = report_is_colored(options, stderr),
                               .time_passes = options->time_passes,
                               .print_before = options->print_before,
                               .print_after = options->print_after,
                               .dump_folder = options->dump_folder,
                               .skip = options->skip,
                               .stop_after = options->stop_after};
}

const struct source *report_read(const struct cli_options *options, struct driver *driver)
{
    const struct source *source = driver_read(driver, options->arguments.items[0]);
    if (source && !model_is_one(source->name)) /* which is no text that could be in a reproducer */
        crash_set_script(source);
    return source;
}

struct ir_module *report_load(const struct cli_options *options, struct driver *driver)
{
    const struct source *source = report_read(options, driver);
    return source ? driver_parse(driver, source) : NULL;
}

bool report_open(const struct cli_options *options, struct session *session)
{
    struct driver *driver = driver_create(&options->driver);
    return session_open(session, driver, report_read(options, driver));
}

void report_file(struct driver *driver, const char *path, const struct text *text)
{
    struct inlay_message message;
    struct inlay_output output;
    bool is_good = inlay_output_open(&output, path, &message);
    if (is_good) {
        fwrite(text_string(text), 1, text->length, output.file);
        is_good = inlay_output_commit(&output, &message);
    }
    if (!is_good)
        diag_report(driver->diag, (struct location){0}, OUTPUT_FAILED, path, message.text);
}

void report_output(const struct cli_options *options, struct driver *driver,
                   const struct text *text)
{
    if (options->output)
        report_file(driver, options->output, text);
    else
        fwrite(text_string(text), 1, text->length, stdout);
}

int report_status(const struct diag *diag)
{
    /* Messages that blame the tool. */
    static const enum diag_id internal[] = {
        DIAG_PASS_BROKE_MODULE, DIAG_PASS_UNTRUE,  DIAG_PASS_ROUND_TRIP, DIAG_CODEGEN_LLVM,
        DIAG_CODEGEN_STORAGE,   DIAG_PLAN_REFUSED, DIAG_RUN_PLACE};
    for (size_t i = 0; i < ARRAY_SIZE(internal); i++)
        if (diag_has(diag, internal[i])) {
            crash_save();
            return CLI_INTERNAL;
        }
    return diag_error_count(diag) ? CLI_WRONG : CLI_OK;
}

int report_finish(const struct cli_options *options, struct driver *driver,
                  struct ir_module *module)
{
    fflush(stdout); /* what was printed so far stands before the messages */
    report_diagnostics(options, driver->diag, stderr);
    int status = report_status(driver->diag);
    ir_module_destroy(module);
    driver_destroy(driver);
    return status;
}
