/* See model_export.h.  Parameters come back as constants by BindParams. */
#include "driver/model_export.h"

#include "driver/artifact_weights.h"
#include "io/file.h"
#include "ir/print.h"

#include <string.h>

/* m.py: m.safetensors */
static const char *weights_path(struct driver *driver, const char *path)
{
    size_t length = strlen(path);

    if (length > 3 && strcmp(path + length - 3, ".py") == 0)
        length -= 3;
    return arena_printf(&driver->arena, "%.*s.safetensors", (int)length, path);
}

/* Constants on the way to parameters. */
struct lifting {
    struct ir_module *module;
    struct ir_function *function;
    const struct artifact_weights *weights;
    struct map params; /* place of a weight -> its parameter */
};

static void lift_operand(void *state, struct ir_use *use)
{
    struct lifting *lifting = state;
    const struct ir_op *def = use->value->def;

    if (!ir_value_is_inline(use->value) || !ir_op_is(def, IR_CORE_constant))
        return;
    const void *place = map_get(&lifting->weights->places, ir_op_attr(def, "data")->constant);
    if (place)
        ir_op_set_operand(use->user, (unsigned)(use - use->user->operands),
                          map_get(&lifting->params, place));
}

static bool lift(void *state, struct ir_op *op)
{
    ir_op_walk_operands(op, lift_operand, state);
    return true;
}

static void lift_weights(struct ir_module *module, struct ir_global *main,
                         const struct artifact_weights *weights)
{
    struct lifting lifting = {.module = module, .function = main->function, .weights = weights};

    for (size_t i = 0; i < weights->items.count; i++) {
        const struct artifact_weight *weight = &weights->items.items[i];
        const struct ir_expr **dims = arena_array(&module->context->arena, const struct ir_expr *,
                                                  weight->constant->ndim + 1);
        for (unsigned k = 0; k < weight->constant->ndim; k++)
            dims[k] = ir_expr_int(module->context, IR_I64, weight->constant->shape[k]);
        struct ir_value *param = ir_function_add_param(
            main->function, atom_intern_text(&module->context->atoms, weight->name),
            ir_type_tensor(module->context, weight->constant->dtype, dims,
                           (int)weight->constant->ndim));
        param->is_annotated = true;
        map_set(&lifting.params, map_get(&weights->places, weight->constant), param);
    }
    (void)ir_region_walk(main->function->body, lift, &lifting);
    map_finish(&lifting.params);
    main->type = ir_function_type(main->function);
}

static bool commit(struct driver *driver, struct inlay_output *output, const char *path)
{
    struct inlay_message message;

    if (inlay_output_commit(output, &message))
        return true;
    diag_report(driver->diag, (struct location){0}, OUTPUT_FAILED, path, message.text);
    return false;
}

static bool open_output(struct driver *driver, struct inlay_output *output, const char *path)
{
    struct inlay_message message;

    if (inlay_output_open(output, path, &message))
        return true;
    diag_report(driver->diag, (struct location){0}, OUTPUT_FAILED, path, message.text);
    return false;
}

bool model_export(struct driver *driver, struct ir_module *module, const char *path)
{
    struct ir_global *main = ir_module_find(module, "main");
    const char *beside = weights_path(driver, path), *slash = strrchr(beside, '/');
    struct artifact_weights weights;
    struct inlay_output script, data;
    struct text text = {0};

    artifact_weights_make(&weights, &module, 1, beside);
    bool has_weights = weights.items.count > 0;
    bool is_good = open_output(driver, &script, path);
    if (is_good && has_weights && !open_output(driver, &data, beside)) {
        inlay_output_abandon(&script);
        is_good = false;
    }
    if (is_good) {
        if (has_weights) {
            text_printf(&text, "# weights: -p 'BindParams(file=\"%s\"),default'\n",
                        slash ? slash + 1 : beside);
            artifact_weights_write(&weights, data.file);
            lift_weights(module, main, &weights);
        }
        ir_module_print(module, &ir_print_defaults, &text);
        fwrite(text_string(&text), 1, text.length, script.file);
        is_good = !has_weights || commit(driver, &data, beside);
        if (is_good)
            is_good = commit(driver, &script, path);
        else
            inlay_output_abandon(&script);
    }
    text_finish(&text);
    artifact_weights_finish(&weights);
    return is_good;
}
