/*
 * Options of passes: what a pipeline gives against what the row of the pass declares
 * ("max_depth: int = 256, outputs: string"), and how the pass reads them.
 */
#include "passes/internal.h"

#include <ctype.h>
#include <string.h>

/* One declared option. */
struct declared {
    const char *name; /* atom */
    const char *type, *value;
    size_t type_length, value_length; /* value NULL: must be given */
};

static const char *skip_blank(const char *p)
{
    while (isspace((unsigned char)*p))
        p++;
    return p;
}

/* Reads `name: type [= default]` at @p; what stands behind it, behind its comma. */
static const char *read_declared(struct ir_context *context, const char *p, struct declared *out)
{
    size_t length = strcspn(p, ":");

    out->name = atom_intern(&context->atoms, p, length);
    p = skip_blank(p + length + 1);
    out->type = p;
    out->type_length = strcspn(p, " =,");
    p = skip_blank(p + out->type_length);
    out->value = NULL;
    out->value_length = 0;
    if (*p == '=') {
        p = skip_blank(p + 1);
        out->value = p;
        out->value_length = strcspn(p, ",");
        p += out->value_length;
    }
    return *p == ',' ? skip_blank(p + 1) : p;
}

static bool has_type(const struct declared *declared, enum ir_attr_kind kind)
{
    static const struct {
        const char *name;
        enum ir_attr_kind kind;
    } types[] = {{"int", IR_ATTR_INT}, {"bool", IR_ATTR_BOOL}, {"string", IR_ATTR_STRING}};

    for (size_t i = 0; i < ARRAY_SIZE(types); i++)
        if (strlen(types[i].name) == declared->type_length &&
            strncmp(types[i].name, declared->type, declared->type_length) == 0)
            return types[i].kind == kind;
    return false;
}

static bool report_unknown(struct pass_run *run, const struct pass_info *pass, const char *name)
{
    struct diag_message *message =
        diag_report(run->diag, (struct location){0}, PASS_OPTION, pass->name, name);

    if (*pass->options)
        diag_help(message, "its options: %s", pass->options);
    else
        diag_help(message, "it has no options");
    return false;
}

static bool report_value(struct pass_run *run, const struct pass_info *pass,
                         const struct declared *declared, const char *problem)
{
    struct diag_message *message = diag_report(run->diag, (struct location){0}, PASS_OPTION_VALUE,
                                               declared->name, pass->name, problem);

    diag_help(message, "its options: %s", pass->options);
    return false;
}

bool options_check(struct pass_run *run, const struct pass_info *pass,
                   const struct ir_attr **options)
{
    struct ir_context *context = run->module->context;
    const struct ir_attr *given = *options, *all = NULL;
    unsigned used = 0;

    for (const char *p = pass->options; *p;) {
        struct declared declared;

        p = read_declared(context, p, &declared);
        const struct ir_attr *value = given ? ir_attr_dict_get(given, declared.name) : NULL;
        if (value)
            used++;
        else if (declared.value)
            value = option_value(run, declared.value, declared.value_length);
        else
            return report_value(run, pass, &declared, "must be given");
        if (!has_type(&declared, value->kind))
            return report_value(run, pass, &declared, "has a value of another type");
        all = ir_attr_dict_with(context, all, declared.name, value);
    }
    for (unsigned i = 0; given && used < given->count && i < given->count; i++)
        if (!all || !ir_attr_dict_get(all, given->keys[i]))
            return report_unknown(run, pass, given->keys[i]);
    *options = all;
    return true;
}

/* ---- for passes ---- */

static const struct ir_attr *option(const struct pass_run *run, const char *name)
{
    const struct ir_attr *value = run->options ? ir_attr_dict_get(run->options, name) : NULL;

    if (!value)
        FATAL("a pass reads an option that its row does not have");
    return value;
}

int64_t pass_option_int(const struct pass_run *run, const char *name)
{
    return option(run, name)->integer;
}

bool pass_option_bool(const struct pass_run *run, const char *name)
{
    return option(run, name)->boolean;
}

const char *pass_option_string(const struct pass_run *run, const char *name)
{
    return option(run, name)->string;
}
