/* inlay list: what stands in the tables. */
#include "cli/report.h"
#include "passes/pass.h"

#include <string.h>

static void list_ops(void)
{
    struct driver *driver = driver_create();
    for (unsigned i = 0; i < ir_op_count(driver->context); i++) {
        const struct ir_op_info *info = ir_op_at(driver->context, i);
        if (!(info->traits & IR_INLINE) && !(info->traits & IR_TERMINATOR))
            printf("R.%s(%s)\n    %s\n", info->name, info->signature, info->doc);
    }
    driver_destroy(driver);
}

static void list_passes(void)
{
    for (size_t i = 0; i < pass_table_count; i++)
        printf("%-28s %s\n", pass_table[i].name, pass_table[i].doc);
}

static void list_pipelines(void)
{
    for (size_t i = 0; i < pipeline_table_count; i++)
        printf("%-10s %s\n%10s %s\n", pipeline_table[i].name, pipeline_table[i].doc, "",
               pipeline_table[i].passes);
}

static void list_diagnostics(void)
{
    static const char *const severities[] = {"error", "warning", "remark"};
    for (size_t i = 0; i < diag_table_count; i++)
        printf("E%04d  %-7s  %s\n", (int)diag_table[i].id, severities[diag_table[i].severity],
               diag_table[i].title);
}

static const struct {
    const char *name;
    void (*list)(void);
} topics[] = {
    {"ops", list_ops},
    {"passes", list_passes},
    {"pipelines", list_pipelines},
    {"diagnostics", list_diagnostics},
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
                           "`%s` cannot be listed; ops, passes, pipelines and diagnostics "
                           "can",
                           topic);
}
