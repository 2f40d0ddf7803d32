/*
 * Any bytes through what `inlay check`, `check --fix`, `opt` and `why` do: the edits that messages propose leave no more
 * errors than there were, and of what is accepted the passes make a module that prints, and explain what they decided.
 */
#include "base/array.h"
#include "driver/decide.h"
#include "driver/explain.h"
#include "driver/mend.h"
#include "driver/what_if.h"
#include "ir/build.h"
#include "ir/print.h"

#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size); /* NOLINT: libFuzzer's name */

static const struct driver_options options = {.plan_seconds = 0.01, .has_plan_seconds = true};

struct counts {
    unsigned syntax, misplaced, errors;
};

static void print_messages(struct driver *driver)
{
    struct text text = {0};

    for (int format = DIAG_FORMAT_TEXT; format <= DIAG_FORMAT_SARIF; format++)
        diag_print(driver->diag, (enum diag_format)format, false, &text);
    text_finish(&text);
}

static struct counts check(const struct text *text)
{
    struct driver *driver = driver_create(&options);
    struct arena arena = {0};
    struct counts counts = {0};
    const struct source *source =
        driver_source(driver, "input.py", text_string(text), text->length);

    if (source)
        driver_check(driver, source);
    struct diag_view *views = diag_views(driver->diag, &arena);
    for (size_t i = 0; i < diag_message_count(driver->diag); i++) {
        counts.errors += views[i].severity == DIAG_ERROR;
        counts.syntax += views[i].severity == DIAG_ERROR && views[i].id < DIAG_FILE_EMPTY;
        counts.misplaced += views[i].id == DIAG_FILE_STATEMENT;
    }
    print_messages(driver);
    driver_destroy(driver);
    arena_finish(&arena);
    return counts;
}

/* What an error of syntax hid may come to light with it. */
static bool is_worse(struct counts before, struct counts after)
{
    if (before.syntax)
        return after.syntax > before.syntax || after.misplaced > before.misplaced;
    return after.errors > before.errors;
}

static void mend(struct text *text, struct counts before)
{
    if (!mend_text(&options, "input.py", text))
        return;
    if (is_worse(before, check(text))) {
        fprintf(stderr, "--- mended\n%s\n", text_string(text));
        FATAL("the edits have left more errors");
    }
}

static void explain(struct driver *driver, struct ir_module *script,
                    const struct inplace_decisions *decisions, struct text *out)
{
    const struct explain_choice choice = {.limit = 0};
    struct what_if_edits edits = {0};
    struct totals totals;
    struct sizes sizes;

    sizes_init(&sizes, driver->context, &options);
    (void)explain_put(&sizes, decisions, &choice, out);
    (void)explain_put_json(&sizes, decisions, NULL, out);
    totals_make(&totals, &sizes, decisions, NULL);
    what_if(driver, script, "default", INPLACE_AUTO, NULL, &sizes, decisions, &edits);
    totals_put(&totals, &sizes, out);
    what_if_put(&sizes, &edits, out);
    totals_finish(&totals);
    array_finish(&edits);
    sizes_finish(&sizes);
}

/* Of a script without errors. */
static void run_passes(const struct text *text)
{
    struct driver *driver = driver_create(&options);
    struct inplace_decisions decisions = {0};
    struct text out = {0};
    const struct source *source =
        driver_source(driver, "input.py", text_string(text), text->length);
    struct ir_module *module = source ? driver_parse(driver, source) : NULL;
    struct ir_module *script = module ? ir_module_clone(module) : NULL;

    if (module && driver_decide(driver, &module, "default", INPLACE_AUTO, NULL, &decisions)) {
        ir_module_print(module, &ir_print_defaults, &out);
        explain(driver, script, &decisions, &out);
    }
    print_messages(driver);
    if (diag_has(driver->diag, DIAG_PASS_BROKE_MODULE))
        FATAL("a pass has left a module that is not well-formed");
    text_finish(&out);
    inplace_decisions_finish(&decisions);
    ir_module_destroy(script);
    ir_module_destroy(module);
    driver_destroy(driver);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) /* NOLINT: libFuzzer's name */
{
    struct text text = {0};

    text_append(&text, (const char *)data, size);
    struct counts counts = check(&text);
    if (!counts.errors)
        run_passes(&text);
    else
        mend(&text, counts);
    text_finish(&text);
    return 0;
}
