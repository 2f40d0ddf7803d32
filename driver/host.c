/*
 * What passes ask of the program around them: evaluation of closed functions, files of tensors.
 *
 * Passes may run on any script, so evaluation is bounded in memory and in steps, and what goes wrong
 * in it is no error: the program keeps the op and meets the same fault, or none, when it runs.
 */
#include "driver/host.h"

#include "codegen/interp/interp.h"
#include "io/file.h"

#include <string.h>

enum {
    MEMORY_LIMIT = 1 << 28,
    STEP_LIMIT = 1 << 23,      /* of one evaluation: some tenths of a second */
    ALL_STEPS_LIMIT = 1 << 26, /* of all that one pipeline asks for: some seconds */
};

static struct ir_constant *add_tensor(struct ir_module *module, const struct inlay_tensor *tensor)
{
    struct ir_dtype dtype = {tensor->dtype.code, tensor->dtype.bits, tensor->dtype.lanes};

    return ir_module_add_constant(module, dtype, tensor->shape, (unsigned)tensor->ndim,
                                  (const char *)tensor->data + tensor->byte_offset);
}

static struct ir_constant *evaluate(void *state, struct ir_module *module,
                                    struct ir_function *function)
{
    struct host *self = state;
    struct inlay_host limits = {.memory_limit = MEMORY_LIMIT};
    struct inlay_frame *frame = inlay_frame_create(&limits);
    struct diag *unheard = diag_create();
    struct inlay_value result;
    struct ir_constant *constant = NULL;
    uint64_t steps = self->steps_left < STEP_LIMIT ? self->steps_left : STEP_LIMIT;
    uint64_t left = steps;

    if (frame && interp_run_steps(unheard, function, frame, &left, NULL, 0, &result, 1) &&
        result.kind == INLAY_TENSOR)
        constant = add_tensor(module, result.tensor);
    self->steps_left -= steps - left;
    diag_destroy(unheard);
    if (frame)
        inlay_frame_destroy(frame);
    return constant;
}

/* A file while it is read. */
struct loading {
    struct driver *driver;
    struct ir_module *module;
    struct arena *arena;
    array(const char *) names;
    array(struct ir_constant *) constants;
};

static void release_tensor(void *state)
{
    inlay_tensor_destroy(state);
}

/* Weights are taken over as they were read: they may be most of the memory that there is. */
static bool take_tensor(void *state, const char *key, struct inlay_tensor *tensor)
{
    struct loading *loading = state;
    struct ir_dtype dtype = {tensor->dtype.code, tensor->dtype.bits, tensor->dtype.lanes};
    size_t bytes;

    if (!ir_shape_bytes(tensor->shape, (unsigned)tensor->ndim, dtype, &bytes))
        return false;
    const struct ir_data *data =
        ir_data_take(loading->module->context, (const char *)tensor->data + tensor->byte_offset,
                     bytes, release_tensor, tensor);

    array_push(&loading->names, arena_copy_text(loading->arena, key, strlen(key)));
    array_push(&loading->constants, ir_module_add_data(loading->module, dtype, tensor->shape,
                                                       (unsigned)tensor->ndim, data));
    return true;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), wanted = strlen(end);

    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

static void release_mapping(void *state)
{
    inlay_mapping_release(state);
}

bool host_read_tensors(struct ir_context *context, const char *path, inlay_tensor_visit_fn *visit,
                       void *state, struct inlay_message *out_why)
{
    if (ends_with(path, ".npz"))
        return inlay_npz_read_all(path, visit, state, out_why);
    if (ends_with(path, ".safetensors")) {
        struct inlay_mapping *mapping;
        bool is_good = inlay_safetensors_map_all(path, visit, state, &mapping, out_why);

        if (mapping) /* data that nobody looks at, but that end with the context */
            (void)ir_data_take(context, mapping->bytes, 0, release_mapping, mapping);
        return is_good;
    }
    struct inlay_tensor *tensor = inlay_npy_read(path, out_why);

    return tensor && visit(state, "", tensor);
}

static bool load_tensors(void *state, struct ir_module *module, struct arena *arena,
                         const char *path, struct pass_tensors *out)
{
    struct host *self = state;
    struct loading loading = {.driver = self->driver, .module = module, .arena = arena};
    struct inlay_message message;
    bool is_good = host_read_tensors(module->context, path, take_tensor, &loading, &message);

    if (!is_good)
        diag_report(loading.driver->diag, (struct location){0}, PASS_FILE, path, message.text);
    *out = (struct pass_tensors){.names = arena_array(arena, const char *, loading.names.count),
                                 .constants =
                                     arena_array(arena, struct ir_constant *, loading.names.count),
                                 .count = loading.names.count};
    for (size_t i = 0; i < out->count; i++) {
        out->names[i] = loading.names.items[i];
        out->constants[i] = loading.constants.items[i];
    }
    array_finish(&loading.names);
    array_finish(&loading.constants);
    return is_good;
}

void host_init(struct host *host, struct driver *driver)
{
    *host = (struct host){.driver = driver, .steps_left = ALL_STEPS_LIMIT};
    host->pass_host = (struct pass_host){.state = host,
                                         .dims = driver->dims,
                                         .evaluate = evaluate,
                                         .compute = host_compute,
                                         .load_tensors = load_tensors};
}
