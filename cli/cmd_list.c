/* inlay list: what stands in the tables. */
#include "base/memory.h"
#include "cli/report.h"
#include "ops/ops.h"
#include "passes/graph/rules.h"
#include "passes/pass.h"

#include <stdlib.h>
#include <string.h>

static void list_ops(void)
{
    struct ir_context *context = ir_context_create();
    ops_register(context);
    for (unsigned i = 0; i < ir_op_count(context); i++) {
        const struct ir_op_info *info = ir_op_at(context, i);
        if (!(info->traits & IR_INLINE) && !(info->traits & IR_TERMINATOR))
            printf("R.%s(%s)\n    %s\n", info->name, info->signature, info->doc);
    }
    ir_context_destroy(context);
}

static void print_column(const char *name, const char *value)
{
    if (*value)
        printf("    %s: %s\n", name, value);
}

static int compare_passes(const void *left, const void *right)
{
    const struct pass_info *const *a = left, *const *b = right;

    return strcmp((*a)->name, (*b)->name);
}

static const struct {
    const char *name, *title;
} folders[] = {
#define FOLDER(name, title) {#name, title},
#include "passes/passes.def"
};

static void list_folder(enum pass_folder folder, const struct pass_info *const *passes)
{
    for (size_t i = 0; i < pass_table_count; i++) {
        const struct pass_info *pass = passes[i];

        if (pass->folder != folder)
            continue;
        printf("%s (%s)\n    %s\n", pass->name, folders[folder].name, pass->doc);
        print_column("options", pass->options);
        print_column("needs", pass->needs);
        print_column("gives", pass->gives);
    }
}

/* By what they work on, then by name. */
static void list_passes(void)
{
    const struct pass_info **passes = memory_new(pass_table_count, sizeof(*passes));

    for (size_t i = 0; i < pass_table_count; i++)
        passes[i] = &pass_table[i];
    qsort(passes, pass_table_count, sizeof(*passes), compare_passes);
    for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
        printf("%s# %s\n\n", i > 0 ? "\n" : "", folders[i].title);
        list_folder((enum pass_folder)i, passes);
    }
    memory_free(passes);
}

static void list_pipelines(void)
{
    for (size_t i = 0; i < pipeline_table_count; i++)
        printf("%s\n    %s\n    %s\n", pipeline_table[i].name, pipeline_table[i].doc,
               pipeline_table[i].passes);
}

static void list_rules(void)
{
    static const char *const kinds[] = {
        [RULE_EXACT] = "exact",
        [RULE_MOVES] = "the same numbers, at a cost that depends; only by name",
        [RULE_ROUNDS] = "other rounding; only by name",
    };

    for (size_t i = 0; i < rule_table_count; i++)
        printf("%s (%s)\n    %s => %s\n    %s\n", rule_table[i].name, kinds[rule_table[i].kind],
               rule_table[i].pattern, rule_table[i].replacement, rule_table[i].doc);
}

static void list_properties(void)
{
    for (size_t i = 0; i < property_table_count; i++)
        printf("%s\n    %s\n", property_table[i].name, property_table[i].doc);
}

static void list_diagnostics(void)
{
    static const char *const severities[] = {"error", "warning", "remark"};
    for (size_t i = 0; i < diag_table_count; i++)
        printf("E%04d  %-7s  %s\n", (int)diag_table[i].id, severities[diag_table[i].severity],
               diag_table[i].title);
}

static void list_cpus(void)
{
    puts("host\n    the processor of this machine");
    for (size_t i = 0; i < target_cpu_count; i++)
        printf("%s (%s)\n    %s\n", target_cpus[i].name,
               target_machines[target_cpus[i].machine].name, target_cpus[i].doc);
}

static void list_targets(void)
{
    for (unsigned i = 0; i < TARGET_MACHINE_COUNT; i++) {
        printf("%s\n    %s\n", target_machines[i].name, target_machines[i].doc);
        for (unsigned k = 0; k < TARGET_FEATURE_COUNT; k++)
            if (target_features[k].machine == (enum target_machine)i)
                printf("    +%s\n", target_features[k].name);
    }
}

static const struct {
    const char *name;
    void (*list)(void);
} topics[] = {
    {"ops", list_ops},
    {"passes", list_passes},
    {"pipelines", list_pipelines},
    {"properties", list_properties},
    {"rules", list_rules},
    {"diagnostics", list_diagnostics},
    {"cpus", list_cpus},
    {"targets", list_targets},
};

int command_list(const struct cli_options *options)
{
    const char *topic = options->arguments.items[0];
    for (size_t i = 0; i < ARRAY_SIZE(topics); i++)
        if (strcmp(topic, topics[i].name) == 0) {
            topics[i].list();
            return CLI_OK;
        }
    return cli_usage_error(options,
                           "`%s` cannot be listed; ops, passes, pipelines, properties, "
                           "rules, diagnostics, cpus and targets can",
                           topic);
}
