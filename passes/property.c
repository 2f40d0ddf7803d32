/* Properties of modules: tests, and the message for one that is missing. */
#include "passes/internal.h"

#include <string.h>

/* ---- tests ---- */

struct find_op {
    const struct ir_op *found;
};

static bool find_unlowered(void *state, struct ir_op *op)
{
    struct find_op *find = state;

    if (ir_op_is(op, IR_CORE_function))
        ir_region_walk(ir_op_attr(op, "function")->function->body, find_unlowered, find);
    if (op->info->lower && !find->found)
        find->found = op;
    return !find->found;
}

static const char *test_lowered(struct ir_module *module, struct arena *scratch)
{
    struct find_op find = {0};

    for (size_t i = 0; i < module->global_count && !find.found; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            ir_region_walk(module->globals[i]->function->body, find_unlowered, &find);
    if (!find.found)
        return NULL;
    return arena_printf(scratch, "`R.%s` on line %u has loops that are not written out yet",
                        find.found->info->name, location_line(find.found->loc));
}

static const char *test_resolved(struct ir_module *module, struct arena *scratch)
{
    struct inplace_candidates candidates = {0};
    const char *why = NULL;

    inplace_analyze(module, INPLACE_AUTO, &candidates);
    for (size_t i = 0; i < candidates.count && !why; i++) {
        const struct inplace_decision *decision = &candidates.items[i].decision;

        if (decision->verdict != INPLACE_DONE)
            why = arena_printf(scratch, "the update of `%s` on line %u needs a copy: %s",
                               decision->value, location_line(decision->call_loc),
                               inplace_explain(scratch, decision).reason);
    }
    array_finish(&candidates);
    return why;
}

static const char *test_annotated(struct ir_module *module, struct arena *scratch)
{
    for (size_t i = 0; i < module->global_count; i++) {
        const struct ir_global *global = module->globals[i];

        if (global->kind == IR_GLOBAL_KERNEL &&
            (!global->kernel->attrs || !ir_attr_dict_get(global->kernel->attrs, "op_pattern")))
            return arena_printf(scratch, "kernel `%s` does not have the attribute `op_pattern`",
                                global->name);
    }
    return NULL;
}

static bool has_dataflow(struct ir_region *region);

static bool is_plain(void *state, struct ir_op *op)
{
    (void)state;
    if (ir_op_is(op, IR_CORE_function) && has_dataflow(ir_op_attr(op, "function")->function->body))
        return false;
    return !op->block->is_dataflow;
}

static bool has_dataflow(struct ir_region *region)
{
    return !ir_region_walk(region, is_plain, NULL);
}

static const char *test_plain(struct ir_module *module, struct arena *scratch)
{
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION &&
            has_dataflow(module->globals[i]->function->body))
            return arena_printf(scratch, "`%s` has a dataflow block",
                                module->globals[i]->function->name);
    return NULL;
}

/* LiftTransformParams gives both functions names that say so. */
static const char *test_lifted(struct ir_module *module, struct arena *scratch)
{
    for (size_t i = 0; i < module->global_count; i++) {
        const struct ir_global *global = module->globals[i];
        const char *other = arena_printf(scratch, "%s_transform_params", global->name);

        if (global->kind == IR_GLOBAL_FUNCTION && ir_module_find(module, other))
            return NULL;
    }
    return "no function has a `.._transform_params` beside it";
}

const struct property_info property_table[] = {
#define PROPERTY(name, doc) {#name, doc, test_##name},
#include "passes/properties.def"
};
const size_t property_table_count = ARRAY_SIZE(property_table);

bool property_holds(struct ir_module *module, const char *name, struct arena *scratch)
{
    for (size_t i = 0; i < property_table_count; i++)
        if (strcmp(property_table[i].name, name) == 0)
            return !property_table[i].test(module, scratch);
    return false;
}

/* ---- the check ---- */

/* The pass that gives @property. */
static const char *property_maker(const char *property)
{
    for (size_t i = 0; i < pass_table_count; i++)
        if (name_is_listed(pass_table[i].gives, property))
            return pass_table[i].name;
    return NULL;
}

static bool report_missing(struct diag *diag, struct location loc,
                           const struct property_info *property, const char *who, const char *why)
{
    const char *maker = property_maker(property->name);
    struct diag_message *message = diag_report(diag, loc, PASS_ORDER, who, property->name, maker);

    diag_note(message, "%s", why);
    diag_help(message, "put `%s` in front of it in the pipeline", maker);
    return false;
}

static bool report_present(struct diag *diag, struct location loc,
                           const struct property_info *property, const char *who)
{
    struct diag_message *message = diag_report(diag, loc, PASS_TOO_LATE, who, property->name);

    diag_note(message, "%s", property->doc);
    diag_help(message, "put it in front of `%s`", property_maker(property->name));
    return false;
}

bool property_check(struct ir_module *module, struct diag *diag, struct location loc,
                    const char *needs, const char *who)
{
    struct arena scratch = {0};
    bool is_fine = true;

    for (size_t i = 0; i < property_table_count; i++) {
        const struct property_info *property = &property_table[i];
        const char *against = arena_printf(&scratch, "!%s", property->name);
        bool is_needed = name_is_listed(needs, property->name);

        if (!is_needed && !name_is_listed(needs, against))
            continue;
        const char *why = property->test(module, &scratch);

        if (is_needed && why)
            is_fine = report_missing(diag, loc, property, who, why);
        else if (!is_needed && !why)
            is_fine = report_present(diag, loc, property, who);
    }
    arena_finish(&scratch);
    return is_fine;
}
