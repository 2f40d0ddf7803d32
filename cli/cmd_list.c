/* inlay list: what stands in the tables, as text or as JSON (docs/list.schema.json). */
#include "base/memory.h"
#include "cli/report.h"
#include "ir/intrinsics.h"
#include "ops/ops.h"
#include "passes/graph/rules.h"
#include "passes/pass.h"

#include <stdlib.h>
#include <string.h>

/* As JSON: an object an item, in an array. */
struct listing {
    struct text json;
    bool is_json, is_first; /* first: of the item */
};

static void open_item(struct listing *l)
{
    text_puts(&l->json, l->json.length ? ",\n  {" : "\n  {");
    l->is_first = true;
}

static void close_item(struct listing *l)
{
    text_putc(&l->json, '}');
}

static void put_key(struct listing *l, const char *key)
{
    text_printf(&l->json, "%s\"%s\": ", l->is_first ? "" : ", ", key);
    l->is_first = false;
}

static void put(struct listing *l, const char *key, const char *value)
{
    put_key(l, key);
    if (value)
        text_put_json(&l->json, value, strlen(value));
    else
        text_puts(&l->json, "null");
}

static void list_op(struct listing *l, const struct ir_op_info *info)
{
    if (!l->is_json) {
        printf("R.%s(%s)\n    %s\n", info->name, info->signature, info->doc);
        return;
    }
    open_item(l);
    put(l, "name", info->name);
    put(l, "signature", info->signature);
    put(l, "doc", info->doc);
    put(l, "absent", info->absent);
    close_item(l);
}

static void list_ops(struct listing *l)
{
    struct ir_context *context = ir_context_create();
    ops_register(context);
    for (unsigned i = 0; i < ir_op_count(context); i++) {
        const struct ir_op_info *info = ir_op_at(context, i);
        if (!(info->traits & IR_INLINE) && !(info->traits & IR_TERMINATOR))
            list_op(l, info);
    }
    ir_context_destroy(context);
}

static void list_intrinsics(struct listing *l)
{
    const char *name;

    for (unsigned i = 0; (name = ir_intrinsic_name(i)); i++) {
        const struct ir_intrinsic *intrinsic = ir_intrinsic_find(name);
        struct text arguments = {0};

        ir_intrinsic_put_arguments(&arguments, intrinsic);
        if (l->is_json) {
            open_item(l);
            put(l, "name", name);
            put(l, "arguments", text_string(&arguments));
            put(l, "doc", intrinsic->doc);
            close_item(l);
        } else
            printf("T.%s (arguments: %s)\n    %s\n", name, text_string(&arguments), intrinsic->doc);
        text_finish(&arguments);
    }
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

static void list_pass(struct listing *l, const struct pass_info *pass)
{
    if (!l->is_json) {
        printf("%s (%s)\n    %s\n", pass->name, folders[pass->folder].name, pass->doc);
        print_column("options", pass->options);
        print_column("needs", pass->needs);
        print_column("gives", pass->gives);
        return;
    }
    open_item(l);
    put(l, "name", pass->name);
    put(l, "folder", folders[pass->folder].name);
    put(l, "doc", pass->doc);
    put(l, "options", pass->options);
    put(l, "needs", pass->needs);
    put(l, "gives", pass->gives);
    close_item(l);
}

/* By what they work on, then by name. */
static void list_passes(struct listing *l)
{
    const struct pass_info **passes = memory_new(pass_table_count, sizeof(*passes));

    for (size_t i = 0; i < pass_table_count; i++)
        passes[i] = &pass_table[i];
    qsort(passes, pass_table_count, sizeof(*passes), compare_passes);
    for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
        if (!l->is_json)
            printf("%s# %s\n\n", i > 0 ? "\n" : "", folders[i].title);
        for (size_t k = 0; k < pass_table_count; k++)
            if (passes[k]->folder == (enum pass_folder)i)
                list_pass(l, passes[k]);
    }
    memory_free(passes);
}

/* What has a name, a document and at most one thing more. */
static void list_plain(struct listing *l, const char *name, const char *doc, const char *key,
                       const char *value)
{
    if (!l->is_json) {
        printf("%s\n    %s\n", name, doc);
        if (key)
            printf("    %s\n", value);
        return;
    }
    open_item(l);
    put(l, "name", name);
    put(l, "doc", doc);
    if (key)
        put(l, key, value);
    close_item(l);
}

static void list_pipelines(struct listing *l)
{
    for (size_t i = 0; i < pipeline_table_count; i++)
        list_plain(l, pipeline_table[i].name, pipeline_table[i].doc, "passes",
                   pipeline_table[i].passes);
}

static void list_rules(struct listing *l)
{
    static const char *const kinds[] = {
        [RULE_EXACT] = "exact",
        [RULE_MOVES] = "the same numbers, at a cost that depends; only by name",
        [RULE_ROUNDS] = "other rounding; only by name",
    };

    for (size_t i = 0; i < rule_table_count; i++) {
        if (!l->is_json) {
            printf("%s (%s)\n    %s => %s\n    %s\n", rule_table[i].name, kinds[rule_table[i].kind],
                   rule_table[i].pattern, rule_table[i].replacement, rule_table[i].doc);
            continue;
        }
        open_item(l);
        put(l, "name", rule_table[i].name);
        put(l, "kind", kinds[rule_table[i].kind]);
        put(l, "pattern", rule_table[i].pattern);
        put(l, "replacement", rule_table[i].replacement);
        put(l, "doc", rule_table[i].doc);
        close_item(l);
    }
}

static void list_properties(struct listing *l)
{
    for (size_t i = 0; i < property_table_count; i++)
        list_plain(l, property_table[i].name, property_table[i].doc, NULL, NULL);
}

static void list_diagnostics(struct listing *l)
{
    static const char *const severities[] = {"error", "warning", "remark"};

    for (size_t i = 0; i < diag_table_count; i++) {
        char code[8];
        const char *severity = severities[diag_table[i].severity];

        snprintf(code, sizeof(code), "E%04u", (unsigned)diag_table[i].id % 10000);
        if (!l->is_json) {
            printf("%s  %-7s  %s\n", code, severity, diag_table[i].title);
            continue;
        }
        open_item(l);
        put(l, "code", code);
        put(l, "severity", severity);
        put(l, "title", diag_table[i].title);
        close_item(l);
    }
}

static void list_cpu(struct listing *l, const char *name, const char *machine, const char *doc)
{
    if (!l->is_json) {
        if (machine)
            printf("%s (%s)\n    %s\n", name, machine, doc);
        else
            printf("%s\n    %s\n", name, doc);
        return;
    }
    open_item(l);
    put(l, "name", name);
    put(l, "machine", machine);
    put(l, "doc", doc);
    close_item(l);
}

static void list_cpus(struct listing *l)
{
    list_cpu(l, "host", NULL, "the processor of this machine");
    for (size_t i = 0; i < target_cpu_count; i++)
        list_cpu(l, target_cpus[i].name, target_machines[target_cpus[i].machine].name,
                 target_cpus[i].doc);
}

static void list_targets(struct listing *l)
{
    for (unsigned i = 0; i < TARGET_MACHINE_COUNT; i++) {
        const char *between = "[";

        if (l->is_json) {
            open_item(l);
            put(l, "name", target_machines[i].name);
            put(l, "doc", target_machines[i].doc);
            put_key(l, "features");
        } else
            printf("%s\n    %s\n", target_machines[i].name, target_machines[i].doc);
        for (unsigned k = 0; k < TARGET_FEATURE_COUNT; k++) {
            if (target_features[k].machine != (enum target_machine)i)
                continue;
            if (l->is_json)
                text_printf(&l->json, "%s\"%s\"", between, target_features[k].name);
            else
                printf("    +%s\n", target_features[k].name);
            between = ", ";
        }
        if (l->is_json) {
            text_puts(&l->json, *between == '[' ? "[]" : "]");
            close_item(l);
        }
    }
}

static const struct {
    const char *name;
    void (*list)(struct listing *listing);
} topics[] = {
    {"ops", list_ops},
    {"intrinsics", list_intrinsics},
    {"passes", list_passes},
    {"pipelines", list_pipelines},
    {"properties", list_properties},
    {"rules", list_rules},
    {"diagnostics", list_diagnostics},
    {"cpus", list_cpus},
    {"targets", list_targets},
};

static void list_topic(const struct cli_options *options, size_t topic)
{
    struct listing listing = {.is_json = options->format == CLI_FORMAT_JSON};

    topics[topic].list(&listing);
    if (listing.is_json)
        printf("{\"schema\": 1, \"topic\": \"%s\", \"items\": [%s\n]}\n", topics[topic].name,
               text_string(&listing.json));
    text_finish(&listing.json);
}

int command_list(const struct cli_options *options)
{
    const char *topic = options->arguments.items[0];
    for (size_t i = 0; i < ARRAY_SIZE(topics); i++)
        if (strcmp(topic, topics[i].name) == 0) {
            list_topic(options, i);
            return CLI_OK;
        }
    return cli_usage_error(options,
                           "`%s` cannot be listed; ops, intrinsics, passes, pipelines, properties, "
                           "rules, diagnostics, cpus and targets can",
                           topic);
}
