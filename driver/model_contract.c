/* See model_contract.h: relax.inplace_arg and tir_var_upper_bound, as scripts say them. */
#include "driver/model_contract.h"

#include "driver/model.h"
#include "ir/module.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

struct contract {
    struct driver *driver;
    struct ir_function *main;
    struct arena *arena;
};

/* The next part of the list *@list, up to a comma; NULL: it is at its end. */
static const char *next_part(struct contract *c, const char **list)
{
    const char *from = *list;
    size_t length = from ? strcspn(from, ",") : 0;

    if (!from || !*from)
        return NULL;
    *list = from[length] ? from + length + 1 : from + length;
    return arena_copy_text(c->arena, from, length);
}

static bool refuse(struct contract *c, const char *what, const char *name)
{
    diag_report(c->driver->diag, (struct location){0}, ONNX_CONTRACT, what, name);
    return false;
}

/* ---- inputs ---- */

static bool is_meant(const struct contract *c, unsigned param, const char *pattern)
{
    const char *given = model_name(c->main, "onnx.inputs", param);

    return fnmatch(pattern, c->main->params[param]->name, 0) == 0 ||
           (given && fnmatch(pattern, given, 0) == 0);
}

static bool donate(struct contract *c, const char *list)
{
    unsigned count = c->main->param_count, used = 0;
    bool *is_donated = arena_array(c->arena, bool, count + 1);
    int64_t *places = arena_array(c->arena, int64_t, count + 1);

    for (const char *pattern; (pattern = next_part(c, &list)) != NULL;) {
        bool is_found = false;
        for (unsigned i = 0; i < count; i++)
            if (is_meant(c, i, pattern))
                is_found = is_donated[i] = true;
        if (!is_found)
            return refuse(c, "no input is called", pattern);
    }
    for (unsigned i = 0; i < count; i++)
        if (is_donated[i])
            places[used++] = i;
    struct ir_context *context = c->driver->context;
    if (used > 0)
        c->main->attrs = ir_attr_dict_with(context, c->main->attrs, "relax.inplace_arg",
                                           ir_attr_ints(context, places, used));
    return true;
}

/* ---- dims ---- */

static bool is_dim(const struct contract *c, const char *name)
{
    for (unsigned i = 0; i < c->main->param_count; i++) {
        const struct ir_type *type = c->main->params[i]->type;
        for (int d = 0; type->kind == IR_TYPE_TENSOR && type->dims && d < type->ndim; d++)
            if (type->dims[d]->kind == IR_EXPR_var && strcmp(type->dims[d]->var->name, name) == 0)
                return true;
    }
    return false;
}

/* NAME=INT; *@out_name: NAME. */
static bool read_bound(struct contract *c, const char *part, const char **out_name,
                       int64_t *out_value)
{
    const char *equals = strchr(part, '=');
    char *end = NULL;

    errno = 0;
    *out_value = equals ? strtoll(equals + 1, &end, 10) : 0;
    if (!equals || end == equals + 1 || *end || errno || *out_value < 1)
        return refuse(c, "no NAME=NUMBER is", part);
    *out_name = arena_copy_text(c->arena, part, (size_t)(equals - part));
    return is_dim(c, *out_name) || refuse(c, "no dim of an input is called", *out_name);
}

static bool bound(struct contract *c, const char *list)
{
    struct ir_context *context = c->driver->context;
    const struct ir_attr *bounds = NULL;
    const char *name;
    int64_t value;

    for (const char *part; (part = next_part(c, &list)) != NULL;) {
        if (!read_bound(c, part, &name, &value))
            return false;
        bounds = ir_attr_dict_with(context, bounds, name, ir_attr_int(context, value));
    }
    if (bounds)
        c->main->attrs = ir_attr_dict_with(context, c->main->attrs, "tir_var_upper_bound", bounds);
    return true;
}

bool model_contract(struct driver *driver, struct ir_module *module, const char *donated,
                    const char *bounds)
{
    struct ir_global *main = ir_module_find(module, "main");
    struct contract c = {driver, main ? main->function : NULL, &driver->arena};

    return !c.main || (donate(&c, donated) && bound(&c, bounds));
}
