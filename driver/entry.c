/* See entry.h. */
#include "driver/entry.h"

#include "driver/error_place.h"

#include <string.h>

static void name_functions(const struct ir_module *module, struct text *out)
{
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION &&
            !module->globals[i]->function->is_private)
            text_printf(out, "%s`%s`", out->length ? ", " : "", module->globals[i]->name);
}

void entry_publish(struct ir_module *module, const char *wanted)
{
    struct ir_global *global = ir_module_find(module, wanted ? wanted : "main");

    if (global && global->kind == IR_GLOBAL_FUNCTION)
        global->function->is_private = false;
}

/* A kernel of that name is no entry; of a name that is nearly another one, private or not, that is meant. */
static void help_entry(const struct ir_module *module, const char *name, struct diag_message *m)
{
    const struct ir_global *global = ir_module_find(module, name);
    struct text_nearest nearest = text_nearest_to(name);

    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            text_nearest_offer(&nearest, module->globals[i]->name);
    if (global)
        diag_help(m, "`%s` is a kernel: graph functions are run, which call it", name);
    else if (nearest.found && !nearest.other)
        diag_help(m, "the nearest is `%s`: --entry=%s", nearest.found, nearest.found);
}

struct ir_function *entry_find(struct diag *diag, struct ir_module *module, const char *wanted)
{
    const char *name = wanted ? wanted : "main";
    struct ir_global *global = ir_module_find(module, name);
    struct ir_function *only = NULL;
    unsigned count = 0;
    if (global && global->kind == IR_GLOBAL_FUNCTION && !global->function->is_private)
        return global->function;
    for (size_t i = 0; i < module->global_count && !wanted; i++) {
        global = module->globals[i];
        if (global->kind == IR_GLOBAL_FUNCTION && !global->function->is_private) {
            only = global->function;
            count++;
        }
    }
    if (count == 1)
        return only;
    struct text names = {0};
    name_functions(module, &names);
    const char *there = names.length ? text_string(&names) : "no public graph function";
    struct diag_message *m;
    if (count > 1) {
        m = diag_report(diag, (struct location){0}, INPUT_ENTRY_OPEN, there);
        diag_help(m, "name it with --entry");
    } else {
        m = diag_report(diag, (struct location){0}, INPUT_NO_ENTRY, name);
        diag_note(m, "it has %s", there);
        help_entry(module, name, m);
    }
    text_finish(&names);
    return NULL;
}

/* The place of line @line of the script. */
static struct location line_location(const struct source *source, unsigned line)
{
    if (!source || line == 0 || line > source->line_count)
        return (struct location){0};
    uint32_t begin = source->line_starts[line - 1];
    uint32_t end = line < source->line_count ? source->line_starts[line] : (uint32_t)source->length;
    while (begin < end && (source->text[begin] == ' ' || source->text[begin] == '\t'))
        begin++;
    while (end > begin && strchr(" \t\r\n", source->text[end - 1]))
        end--;
    return (struct location){.source = source, .begin = begin, .end = end};
}

void entry_report_error(struct diag *diag, const struct ir_function *function,
                        const struct inlay_frame *frame)
{
    const struct inlay_error *error = inlay_frame_error(frame);
    struct location loc = error_place(
        function->module, line_location(function->loc.source, error->line), error->message);
    switch (error->kind) {
    case INLAY_ERROR_ARGUMENT:
        diag_report(diag, loc, RUN_ARGUMENT, error->message);
        break;
    case INLAY_ERROR_NONE:
    case INLAY_ERROR_SHAPE:
        diag_report(diag, loc, RUN_SHAPE, error->message);
        break;
    case INLAY_ERROR_BOUNDS:
        diag_report(diag, loc, RUN_BOUNDS, error->message);
        break;
    case INLAY_ERROR_ASSERT:
        diag_report(diag, loc, RUN_ASSERT, error->message);
        break;
    case INLAY_ERROR_PACKED:
        diag_report(diag, loc, RUN_PACKED, error->message);
        break;
    case INLAY_ERROR_MEMORY:
        diag_report(diag, loc, RUN_MEMORY, error->message);
        break;
    case INLAY_ERROR_DEPTH:
        diag_report(diag, loc, RUN_DEPTH, error->message);
        break;
    case INLAY_ERROR_OWNER:
        diag_report(diag, loc, RUN_OWNER, error->message);
        break;
    case INLAY_ERROR_PLACE:
    case INLAY_ERROR_WEIGHTS:
    case INLAY_ERROR_PROCESSOR: /* of artifacts only */
        diag_report(diag, loc, RUN_PLACE, error->message);
        break;
    }
}
