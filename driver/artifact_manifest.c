/*
 * What an artifact says of itself: a JSON file beside it, and the same text inside it (section .inlay).
 * docs/artifact.schema.json is its schema.
 */
#include "analysis/leaves.h"
#include "driver/artifact.h"
#include "driver/config.h"
#include "runtime/artifact/artifact.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void put_text(struct text *out, const char *key, const char *value)
{
    text_printf(out, "\"%s\": ", key);
    if (value)
        text_put_json(out, value, strlen(value));
    else
        text_puts(out, "null");
}

/* A number, or an expression of symbols in a string. */
static void put_expr(const struct c_function *c, const struct ir_expr *expr, struct text *out)
{
    struct text text = {0};

    c_view_put_expr(c, expr, &text);
    if (expr->kind == IR_EXPR_int)
        text_puts(out, text_string(&text));
    else
        text_put_json(out, text_string(&text), text.length);
    text_finish(&text);
}

static void put_type(const struct c_function *c, const struct ir_type *type, struct text *out)
{
    char dtype[32];
    const char *kind = type->kind == IR_TYPE_TENSOR  ? "tensor"
                       : type->kind == IR_TYPE_SHAPE ? "shape"
                                                     : "number";

    put_text(out, "kind", kind);
    text_puts(out, ", ");
    put_text(out, "dtype",
             type->kind == IR_TYPE_SHAPE ? "int64" : ir_dtype_name(type->dtype, dtype));
    if (type->kind == IR_TYPE_PRIM)
        return;
    text_puts(out, ", \"shape\": [");
    for (int i = 0; i < type->ndim; i++) {
        text_puts(out, i ? ", " : "");
        if (type->dims)
            put_expr(c, type->dims[i], out);
        else
            text_puts(out, "null");
    }
    text_putc(out, ']');
}

static void put_args(const struct c_function *c, struct text *out)
{
    unsigned leaf = 0;

    for (unsigned i = 0; i < c->function->param_count; i++) {
        const struct ir_value *param = c->function->params[i];
        for (unsigned k = 0; k < leaf_count(param->type); k++, leaf++) {
            struct text name = {0};
            text_printf(&name, param->type->kind == IR_TYPE_TUPLE ? "%s.%u" : "%s",
                        param->name ? param->name : "_", k);
            text_puts(out, leaf ? ",\n        {" : "\n        {");
            put_text(out, "name", text_string(&name));
            text_puts(out, ", ");
            put_type(c, leaf_type(param->type, k), out);
            text_printf(out, ", \"inplace\": %s}",
                        ir_function_donates(c->function, i) ? "true" : "false");
            text_finish(&name);
        }
    }
}

static void put_results(const struct c_function *c, struct text *out)
{
    for (unsigned i = 0; i < leaf_count(c->function->result); i++) {
        const char *name = NULL;
        int held = -1;
        for (size_t k = 0; k < c->params.count; k++) {
            const struct c_param *param = &c->params.items[k];
            if (param->base.kind == CODEGEN_RESULT && param->base.leaf == i)
                name = param->name;
            if (param->result == (int)i)
                held = (int)param->base.leaf;
        }
        text_puts(out, i ? ",\n        {" : "\n        {");
        put_text(out, "name", name);
        text_puts(out, ", ");
        put_type(c, leaf_type(c->function->result, i), out);
        if (held >= 0)
            text_printf(out, ", \"argument\": %d}", held);
        else
            text_puts(out, ", \"argument\": null}");
    }
}

static void put_params(const struct c_function *c, struct text *out)
{
    static const char *const kinds[] = {"data",   "shape",   "number", "result",
                                        "symbol", "weights", "arena"};

    for (size_t i = 0; i < c->params.count; i++) {
        const struct c_param *param = &c->params.items[i];
        text_puts(out, i ? ",\n        {" : "\n        {");
        put_text(out, "name", param->name);
        text_puts(out, ", ");
        put_text(out, "kind", kinds[param->base.kind]);
        text_puts(out, ", ");
        put_text(out, "type", param->type);
        if (param->base.kind <= CODEGEN_RESULT)
            text_printf(out, ", \"%s\": %u",
                        param->base.kind == CODEGEN_RESULT ? "result" : "argument",
                        param->base.leaf);
        text_puts(out, param->base.is_size ? ", \"size\": true}" : "}");
    }
}

enum { STACK_DIGITS = 10 };

/* "1234", or "null" */
static const char *stack_text(const struct c_function *c, char buffer[24])
{
    (void)snprintf(buffer, 24, "%lld", (long long)c->stack_bytes);
    return c->stack_bytes < 0 ? "null" : buffer;
}

static void put_function(const struct c_function *c, struct text *out)
{
    char number[24];

    text_puts(out, "    {\n      ");
    put_text(out, "name", c->function->name);
    text_puts(out, ",\n      ");
    put_text(out, "symbol", c->name);
    text_puts(out, ",\n      \"arena_bytes\": ");
    put_expr(c, c->need, out);
    /* as wide as any other: it is only known when there is an object, which has it inside */
    text_printf(out, ",\n      \"stack_bytes\": %*s", STACK_DIGITS, stack_text(c, number));
    text_puts(out, ",\n      \"arguments\": [");
    put_args(c, out);
    text_puts(out, "],\n      \"results\": [");
    put_results(c, out);
    text_puts(out, "],\n      \"parameters\": [");
    put_params(c, out);
    text_puts(out, "]\n    }");
}

/* The processors that the code chooses from, ascending. */
static void put_levels(const struct artifact_options *options, struct text *out)
{
    text_puts(out, "\"cpu\": [");
    for (size_t i = 0; i < options->level_count; i++)
        text_printf(out, "%s\"%s\"", i ? ", " : "", options->levels[i].target.cpu);
    text_putc(out, ']');
}

void artifact_put_manifest(const struct c_view *view, const struct artifact_options *options,
                           const struct driver_options *driver,
                           const struct artifact_weights *weights, struct text *out)
{
    static const char *const modes[] = {"auto", "strict", "off"};
    const char *slash = strrchr(options->script, '/');
    unsigned counts[INPLACE_VERDICT_COUNT] = {0};

    for (size_t i = 0; options->decisions && i < options->decisions->count; i++)
        counts[options->decisions->items[i].verdict]++;
    text_puts(out, "{\n  \"schema\": 1,\n  ");
    put_text(out, "inlay", INLAY_VERSION);
    text_printf(out, ",\n  \"abi\": %d,\n  ", INLAY_ARTIFACT_ABI);
    put_text(out, "script", slash ? slash + 1 : options->script);
    text_printf(out, ",\n  \"script_hash\": \"%016" PRIx64 "\",\n  ", options->script_hash);
    put_text(out, "pipeline", driver->passes ? driver->passes : "default");
    text_puts(out, ",\n  ");
    put_text(out, "target", driver->machine ? driver->machine : "host");
    text_puts(out, ",\n  ");
    if (options->level_count)
        put_levels(options, out);
    else
        put_text(out, "cpu", driver->cpu ? driver->cpu : driver->machine ? NULL : "host");
    text_puts(out, ",\n  ");
    put_text(out, "features", driver->features);
    text_printf(out, ",\n  \"opt_level\": %u,\n  \"threads\": %u,\n  ", driver->opt_level,
                options->threads);
    put_text(out, "inplace", modes[driver->inplace]);
    text_printf(
        out,
        ",\n  \"decisions\": {\"in-place\": %u, \"copy\": %u, \"fresh\": %u, \"elided\": %u},\n  ",
        counts[INPLACE_DONE], counts[INPLACE_COPY], counts[INPLACE_FRESH], counts[INPLACE_ELIDED]);
    put_text(out, "prefix", view->prefix);
    text_puts(out, ",\n  \"weights\": ");
    if (weights)
        artifact_weights_put_json(weights, out);
    else
        text_puts(out, "null");
    text_puts(out, ",\n  \"functions\": [\n");
    for (size_t i = 0; i < view->functions.count; i++) {
        text_puts(out, i ? ",\n" : "");
        put_function(&view->functions.items[i], out);
    }
    text_puts(out, "\n  ]\n}\n");
}

/* --- for people --- */

static void put_summary_of(const struct c_view *view, const struct c_function *c, struct text *out)
{
    char number[24];
    struct text need = {0};

    c_view_put_expr(c, c->need, &need);
    text_printf(out, "\n%s: %s(", c->name, c->function->name);
    for (unsigned i = 0; i < c->function->param_count; i++) {
        const struct ir_value *param = c->function->params[i];
        text_printf(out, "%s%s: %s%s", i ? ", " : "", param->name ? param->name : "_",
                    ir_type_text(view->context, param->type),
                    ir_function_donates(c->function, i) ? " in place" : "");
    }
    text_printf(out, ") -> %s\n", ir_type_text(view->context, c->function->result));
    text_printf(out, "  arena: %s bytes\n", text_string(&need));
    text_printf(out, "  stack: %s bytes, of the thread%*s\n", stack_text(c, number),
                STACK_DIGITS - (int)strlen(stack_text(c, number)), "");
    text_finish(&need);
}

void artifact_put_summary(const struct c_view *view, const struct artifact_options *options,
                          const struct driver_options *driver,
                          const struct artifact_weights *weights, struct text *out)
{
    const char *slash = strrchr(options->script, '/');
    unsigned inplace = 0, copies = 0, fresh = 0;

    for (size_t i = 0; options->decisions && i < options->decisions->count; i++) {
        inplace += options->decisions->items[i].verdict == INPLACE_DONE;
        copies += options->decisions->items[i].verdict == INPLACE_COPY;
        fresh += options->decisions->items[i].verdict == INPLACE_FRESH;
    }
    text_printf(out, "made by Inlay " INLAY_VERSION " (ABI %d) from %s, hash %016" PRIx64 "\n",
                INLAY_ARTIFACT_ABI, slash ? slash + 1 : options->script, options->script_hash);
    text_printf(out, "pipeline %s, -O%u, processor %s", driver->passes ? driver->passes : "default",
                driver->opt_level,
                options->level_count ? options->levels[0].target.cpu
                : driver->cpu        ? driver->cpu
                                     : "host");
    for (size_t i = 1; i < options->level_count; i++)
        text_printf(out, " or %s", options->levels[i].target.cpu);
    text_putc(out, '\n');
    if (options->threads > 1)
        text_printf(out, "threads: %u at most, of its own\n", options->threads);
    text_printf(out, "results: %u in place, %u after a copy, %u in storage of their own\n", inplace,
                copies, fresh);
    if (weights)
        artifact_weights_put_summary(weights, out);
    for (size_t i = 0; i < view->functions.count; i++)
        put_summary_of(view, &view->functions.items[i], out);
}

/* --- for tools --- */

void artifact_put_table(struct c_view *view, const struct artifact_options *options,
                        const struct artifact_weights *weights, struct text *out)
{
    text_printf(out, "abi %d\n", INLAY_ARTIFACT_ABI);
    if (options->level_count)
        text_printf(out, "chooser %s%suse_cpu\n", view->prefix, *view->prefix ? "_" : "");
    for (size_t i = 0; i < options->level_count; i++)
        text_printf(out, "level %s\n", options->levels[i].target.cpu);
    if (weights)
        artifact_weights_put_table(weights, c_view_weights(view), out);
    for (size_t i = 0; i < view->functions.count; i++) {
        const struct c_function *c = &view->functions.items[i];
        text_printf(out, "function %s %s\n", c->function->name, c->name);
        for (unsigned p = 0; p < c->function->param_count; p++) {
            const struct ir_value *param = c->function->params[p];
            for (unsigned k = 0; k < leaf_count(param->type); k++)
                text_printf(
                    out, param->type->kind == IR_TYPE_TUPLE ? "argument %s.%u\n" : "argument %s\n",
                    param->name ? param->name : "_", k);
        }
        for (unsigned k = 0; k < leaf_count(c->function->result); k++) {
            int held = -1;
            for (size_t p = 0; p < c->params.count; p++)
                if (c->params.items[p].result == (int)k)
                    held = (int)c->params.items[p].base.leaf;
            text_printf(out, "result %d\n", held);
        }
    }
}
