/*
 * Modules whose storage the checker refuses: made again on separate buffers and copies.
 *
 * A refusal is a bug of Inlay.  The command line stops there, with a reproducer.  A host has no use for
 * that: it gets the right numbers, more slowly, and a warning that says so (E0690).
 */
#include "driver/api.h"

#include <string.h>

/* What would have to be believed once more. */
static const char doubted[] = "ViewCalls,ElideConcat,InplaceCalls,PlanMemory";

/* The script again, behind the same pipelines without these; NULL if it does not get so far. */
static struct ir_module *make_again(struct inlay_module *module, struct inplace_decisions *made)
{
    struct driver *driver = module->session->driver;
    struct pass_watch watch = {.skip = doubted};
    struct ir_module *ir = driver_parse(driver, module->source);
    for (size_t i = 0; ir && i < module->ran.count; i++)
        if (!driver_run_passes(driver, &ir, module->ran.items[i], INPLACE_OFF, made, &watch)) {
            ir_module_destroy(ir);
            ir = NULL;
        }
    return ir;
}

/* What the checker has said first, in memory of @driver. */
static const char *refusal(struct driver *driver)
{
    struct arena scratch = {0};
    const struct diag_view *views = diag_views(driver->diag, &scratch);
    const char *text = "it is not known why";
    for (size_t i = diag_message_count(driver->diag); i-- > 0;)
        if (views[i].id == DIAG_STORAGE)
            text = arena_copy_text(&driver->arena, views[i].text, strlen(views[i].text));
    arena_finish(&scratch);
    return text;
}

bool api_compile_apart(struct inlay_module *module, const struct codegen_options *options,
                       size_t first_message)
{
    struct driver *driver = module->session->driver;
    struct inplace_decisions made = {0};
    if (!diag_has(driver->diag, DIAG_CODEGEN_STORAGE))
        return false;
    const char *why = refusal(driver);
    size_t refused = diag_message_count(driver->diag);
    struct ir_module *ir = make_again(module, &made);
    bool is_done = ir && driver_make_code(driver, ir, options, &module->code);
    if (is_done) {
        ir_module_destroy(module->ir);
        inplace_decisions_finish(&module->made);
        module->ir = ir;
        module->made = made;
        diag_truncate(driver->diag, first_message);
        diag_note(diag_report(driver->diag, (struct location){0}, CODEGEN_APART), "%s", why);
        return true;
    }
    diag_truncate(driver->diag, refused); /* the first attempt is what is to be told of */
    ir_module_destroy(ir);
    inplace_decisions_finish(&made);
    return false;
}
