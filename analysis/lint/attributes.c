/*
 * Attributes of functions that nothing reads: a mistyped one is silently without effect, and the
 * difference is a copy of a cache in each step.
 */
#include "analysis/lint/lint.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

static const char *const known[] = {
#define ATTRIBUTE(name, doc) name,
#include "analysis/lint/attributes.def"
};

static bool is_known(const char *key)
{
    for (size_t i = 0; i < ARRAY_SIZE(known); i++)
        if (strcmp(known[i], key) == 0)
            return true;
    return false;
}

/* The known one that @key is nearest to, by less than a quarter of its letters; or NULL. */
static const char *nearest(const char *key)
{
    const char *found = NULL;
    unsigned best = (unsigned)strlen(key) / 4;
    for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
        unsigned d = text_distance(key, strlen(key), known[i], strlen(known[i]));
        if (d < best || (d == best && d > 0 && !found)) {
            best = d;
            found = known[i];
        }
    }
    return found;
}

/* `"key"` behind @from, where it has no meaning: says so of @owner. */
static void report(struct diag *diag, struct location from, const char *owner, const char *key,
                   const char *near)
{
    char quoted[80];

    snprintf(quoted, sizeof(quoted), "\"%.70s\"", key);
    struct location place = location_text_behind(from, quoted);
    struct diag_message *m = diag_report(diag, place, GRAPH_ATTRIBUTE_UNKNOWN, owner, key);
    if (!near)
        return;
    diag_help(m, "there is `%s`", near);
    if (place.begin != from.begin)
        diag_help_edit(m, place, "\"%s\"", near);
}

void lint_check_attributes(const struct ir_function *function, struct diag *diag)
{
    const struct ir_attr *attrs = function->attrs;

    for (unsigned i = 0; attrs && i < attrs->count; i++) {
        const char *key = attrs->keys[i], *near = is_known(key) ? NULL : nearest(key);
        bool is_ours = strncmp(key, "relax.", 6) == 0;
        if (!is_known(key) && (is_ours || near)) /* names of other tools are theirs */
            report(diag, function->loc, function->name, key, near);
    }
}

void lint_check_module_attributes(const struct ir_module *module, struct diag *diag)
{
    static const char contracts[] = "relax.contracts";

    for (unsigned i = 0; module->attrs && i < module->attrs->count; i++) {
        const char *key = module->attrs->keys[i];
        unsigned far = text_distance(key, strlen(key), contracts, strlen(contracts));
        if (far > 0 && far <= 4)
            report(diag, module->attrs_loc, "I.module_attrs", key, contracts);
    }
}
