/* See hints.h. */
#include "lsp/hints.h"

#include "base/array.h"
#include "base/memory.h"
#include "driver/decide.h"
#include "driver/totals.h"
#include "lsp/answers.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 60 }; /* of a processor, for one text */

/* --- in the process --- */

/* "4 KB", "n * 4 B"; nothing where it is not known. */
static void put_size(struct sizes *sizes, const struct inplace_decision *decision, struct text *out)
{
    static const char *const units[] = {"B", "KB", "MB", "GB"};
    struct byte_sum sum = {0};
    size_t unit = 0;

    byte_sum_add(sizes, &sum, decision);
    if (sum.unknown)
        return;
    text_putc(out, ' ');
    if (sum.open) {
        byte_sum_put(sizes, &sum, out);
        text_puts(out, " B");
        return;
    }
    double size = (double)sum.known;
    for (; size >= 1024 && unit + 1 < ARRAY_SIZE(units); unit++)
        size /= 1024;
    text_printf(out, size < 10 && size != (double)(int)size ? "%.1f %s" : "%.0f %s", size,
                units[unit]);
}

static void put_label(struct sizes *sizes, const struct inplace_decision *decision,
                      struct text *out)
{
    switch (decision->verdict) {
    case INPLACE_DONE:
        text_puts(out, "in place");
        break;
    case INPLACE_COPY:
        text_puts(out, "copy");
        put_size(sizes, decision, out);
        break;
    case INPLACE_FRESH:
        text_puts(out, "new storage");
        put_size(sizes, decision, out);
        break;
    case INPLACE_VIEW:
        text_puts(out, "view");
        break;
    default: /* what it would have cost is gone with the call, or with a copy of parts */
        text_puts(out, decision->evidence == EVIDENCE_FUSED     ? "fused"
                       : decision->evidence == EVIDENCE_REMOVED ? "removed"
                                                                : "no copy");
        break;
    }
}

static void put_tip(const struct inplace_decision *decision, struct arena *arena, struct text *out)
{
    struct inplace_explanation words = inplace_explain(arena, decision);

    text_printf(out, "`%s`", decision->value);
    if (decision->result)
        text_printf(out, " for `%s`", decision->result);
    text_printf(out, ": %s (IP%03d)", words.reason, (int)decision->code);
    if (decision->blocking_loc.source && decision->blocking_loc.begin != decision->call_loc.begin)
        text_printf(out, "; line %u: %s", location_line(decision->blocking_loc),
                    words.blocking_text);
    if (decision->alias_loc.source)
        text_printf(out, "; line %u: %s", location_line(decision->alias_loc), words.alias_text);
    if (words.help)
        text_printf(out, ". Help: %s", words.help);
}

/* Adds @decision to what is said of its call. */
static void add_decision(struct sizes *sizes, const struct inplace_decision *decision,
                         struct text *label, struct text *tip)
{
    struct arena arena = {0};
    struct text more = {0};

    put_label(sizes, decision, &more);
    if (!strstr(text_string(label), text_string(&more))) /* two results in place: said once */
        text_printf(label, "%s%s", label->length ? ", " : "", text_string(&more));
    text_puts(tip, tip->length ? "\n\n" : "");
    put_tip(decision, &arena, tip);
    text_finish(&more);
    arena_finish(&arena);
}

static void put_hint(uint32_t at, const struct text *label, const struct text *tip,
                     struct text *out)
{
    text_printf(out, "%s{\"at\":%u,\"label\":", out->length ? "," : "[", at);
    put_string(out, text_string(label));
    text_puts(out, ",\"tip\":");
    put_string(out, text_string(tip));
    text_putc(out, '}');
}

struct deciding {
    struct driver_options options;
    const struct document *document;
    struct text out;
    bool is_done;
};

/* Decisions on one call stand side by side, and make one hint. */
static void put_decisions(struct deciding *deciding, struct driver *driver,
                          const struct source *source, const struct inplace_decisions *decisions)
{
    struct text label = {0}, tip = {0};
    struct sizes sizes;

    sizes_init(&sizes, driver->context, &deciding->options);
    for (size_t i = 0; i < decisions->count; i++) {
        const struct inplace_decision *decision = &decisions->items[i];
        uint32_t end = decision->call_loc.end;
        bool is_last = i + 1 == decisions->count || decisions->items[i + 1].call_loc.end != end;
        if (decision->call_loc.source == source && !decision->is_destination)
            add_decision(&sizes, decision, &label, &tip);
        if (!is_last || !label.length)
            continue;
        put_hint(end, &label, &tip, &deciding->out);
        text_clear(&label);
        text_clear(&tip);
    }
    text_puts(&deciding->out, deciding->out.length ? "]" : "[]");
    text_finish(&label);
    text_finish(&tip);
    sizes_finish(&sizes);
}

static void decide(void *state)
{
    struct deciding *deciding = state;
    const struct document *document = deciding->document;
    struct driver *driver = driver_create(&deciding->options);
    const struct source *source =
        driver_source(driver, document->name, text_string(&document->text), document->text.length);
    struct ir_module *module = source ? driver_parse(driver, source) : NULL;
    struct pass_watch watch = {0};
    struct inplace_decisions decisions = {0};

    deciding->is_done = module && driver_decide(driver, &module, "default",
                                                deciding->options.inplace, &watch, &decisions);
    if (deciding->is_done)
        put_decisions(deciding, driver, source, &decisions);
}

static void write_all(int file, const char *text, size_t length)
{
    while (length) {
        ssize_t done = write(file, text, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return;
        text += done;
        length -= (size_t)done;
    }
}

/* The streams of the server are not its own. */
static _Noreturn void be_the_process(const struct driver_options *options,
                                     const struct document *document, int to)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
    struct rlimit limit = {SECONDS, SECONDS};
    struct deciding deciding = {.options = *options, .document = document};
    struct guard guard;
    int null = open("/dev/null", O_RDWR);

    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO && null >= 0; stream++)
        (void)dup2(null, stream);
    for (size_t i = 0; i < ARRAY_SIZE(crashes); i++)
        (void)signal(crashes[i], SIG_DFL); /* no reproducer beside the file of the user */
    (void)setrlimit(RLIMIT_CPU, &limit);
    (void)!nice(5);
    deciding.options.has_plan_seconds = true; /* where storage lies is not asked */
    deciding.options.plan_seconds = 0;
    if (deciding.options.inplace == INPLACE_STRICT)
        deciding.options.inplace = INPLACE_AUTO; /* as `why`: told, not refused */
    guard_init(&guard, true);
    if (guard_run(&guard, decide, &deciding) == GUARD_DONE && deciding.is_done)
        write_all(to, text_string(&deciding.out), deciding.out.length);
    _exit(0);
}

/* --- in the server --- */

bool hint_job_start(struct hint_job *job, const struct driver_options *options,
                    struct document *document)
{
    int ends[2];

    hint_job_stop(job);
    if (pipe(ends) < 0)
        return false;
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
    pid_t process = fork();
    if (process == 0) {
        close(ends[0]);
        be_the_process(options, document, ends[1]);
    }
    close(ends[1]);
    if (process < 0) {
        close(ends[0]);
        return false;
    }
    job->document = document;
    job->process = process;
    job->from = ends[0];
    return true;
}

static void take_hints(struct document *document, const cJSON *list)
{
    const cJSON *item;

    hints_clear(&document->hints);
    cJSON_ArrayForEach(item, list)
    {
        const char *label = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "label"));
        const char *tip = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "tip"));
        if (!label || !tip)
            continue;
        struct hint hint = {.at = json_number(item, "at"),
                            .label = memory_new(strlen(label) + 1, 1),
                            .tip = memory_new(strlen(tip) + 1, 1)};
        memcpy(hint.label, label, strlen(label));
        memcpy(hint.tip, tip, strlen(tip));
        array_push(&document->hints, hint);
    }
}

static void finish(struct hint_job *job)
{
    cJSON *list = cJSON_ParseWithLength(text_string(&job->got), job->got.length);

    if (cJSON_IsArray(list)) /* else it could not be finished: what was known before stays */
        take_hints(job->document, list);
    job->document->has_hints = true;
    cJSON_Delete(list);
    hint_job_stop(job);
}

bool hint_job_read(struct hint_job *job)
{
    char block[1 << 14];
    ssize_t got;

    while ((got = read(job->from, block, sizeof(block))) > 0)
        text_append(&job->got, block, (size_t)got);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    finish(job);
    return true;
}

void hint_job_stop(struct hint_job *job)
{
    if (!job->document)
        return;
    (void)kill(job->process, SIGKILL);
    (void)waitpid(job->process, NULL, 0);
    close(job->from);
    text_finish(&job->got);
    *job = (struct hint_job){.from = -1};
}
