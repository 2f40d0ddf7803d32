/*
 * Modules whose storage the checker refuses: made again on separate buffers and copies.
 *
 * A refusal is a bug of Inlay.  The command line stops there, with a reproducer.  A host has no use for
 * that: it gets the right numbers, more slowly, and a warning that says so (E0690).  But for a host, or a script, that
 * was promised updates in place: a copy would break the promise, so the refusal stays.
 */
#include "driver/api.h"
#include "ops/ids.h"

#include <string.h>

/* What would have to be believed once more. */
static const char doubted[] = "ViewCalls,ElideConcat,InplaceCalls,PlanMemory";

/* strict=True, R.assert_inplace */
static bool promises_nothing(void *state, struct ir_op *op)
{
    if (ir_op_is(op, IR_CORE_function))
        return ir_region_walk(ir_op_attr(op, "function")->function->body, promises_nothing, state);
    return !op_is(op, OP_assert_inplace) &&
           !(ir_op_is(op, IR_CORE_call_tir_inplace) && ir_op_attr(op, "strict")->boolean);
}

static bool is_promised(const struct ir_module *ir)
{
    for (size_t i = 0; i < ir->global_count; i++)
        if (ir->globals[i]->kind == IR_GLOBAL_FUNCTION &&
            !ir_region_walk(ir->globals[i]->function->body, promises_nothing, NULL))
            return true;
    return false;
}

/* The script again, behind the same pipelines without these; NULL if it does not get so far. */
static struct ir_module *make_again(struct inlay_module *module, struct inplace_decisions *made)
{
    struct driver *driver = module->session->driver;
    struct pass_watch watch = {.skip = doubted};
    struct ir_module *ir = driver_parse(driver, module->source);
    bool is_fine = ir && !is_promised(ir);
    for (size_t i = 0; is_fine && i < module->ran.count; i++)
        is_fine = driver_run_passes(driver, &ir, module->ran.items[i], INPLACE_OFF, made, &watch);
    if (is_fine)
        return ir;
    ir_module_destroy(ir);
    return NULL;
}

bool api_compile_apart(struct inlay_module *module, const struct codegen_options *options,
                       size_t first_message)
{
    struct driver *driver = module->session->driver;
    struct inplace_decisions made = {0};
    if (driver->options->inplace == INPLACE_STRICT ||
        diag_error_code(driver->diag, first_message) != DIAG_STORAGE)
        return false;
    const char *text = diag_error_text(driver->diag, first_message);
    const char *why = arena_copy_text(&driver->arena, text, strlen(text));
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
