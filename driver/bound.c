/* See bound.h.  What does not fit the entry is left to the pass, which says what is wrong. */
#include "driver/bound.h"

#include "driver/host.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *text_of(const struct ir_attr *options, const char *key)
{
    const struct ir_attr *value = options ? ir_attr_dict_get(options, key) : NULL;

    return value && value->kind == IR_ATTR_STRING ? value->string : "";
}

/* ---- BindParams ---- */

struct loading {
    struct bound *bound;
    const char *file;
};

/* The parameter that BindParams binds it to. */
static const char *name_of(struct bound *bound, const char *key)
{
    for (unsigned i = 0; i < bound->entry->param_count; i++)
        if (bound->entry->params[i]->name && strcmp(bound->entry->params[i]->name, key) == 0)
            return bound->entry->params[i]->name;
    return pass_parameter_word(&bound->arena, key);
}

static bool take_tensor(void *state, const char *key, struct inlay_tensor *tensor)
{
    struct loading *loading = state;
    struct bound_tensor found = {
        .name = name_of(loading->bound, key), .file = loading->file, .tensor = tensor};

    array_push(&loading->bound->tensors, found);
    return true;
}

static void read_params(struct bound *bound, const struct ir_attr *options)
{
    const char *file = text_of(options, "file");
    struct loading loading = {.bound = bound, .file = file};
    struct inlay_message message;

    if (strcmp(text_of(options, "function"), bound->entry->name) != 0 ||
        host_read_tensors(bound->driver->context, file, take_tensor, &loading, &message))
        return;
    diag_report(bound->driver->diag, (struct location){0}, PASS_FILE, file, message.text);
    bound->has_failed = true;
}

/* ---- BindSymbolicVars ---- */

static void read_dims(struct bound *bound, const struct ir_attr *options)
{
    const char *function = text_of(options, "function"), *p = text_of(options, "dims");

    if (*function && strcmp(function, bound->entry->name) != 0)
        return;
    while (*p) {
        p += strspn(p, " ,");
        size_t length = strcspn(p, " =,");
        const char *name = arena_copy_text(&bound->arena, p, length);
        char *end;

        p += length;
        p += strspn(p, " ");
        if (*p != '=')
            return;
        long long value = strtoll(p + 1, &end, 10);

        if (end == p + 1 || value < 0)
            return;
        array_push(&bound->dims, (struct bound_dim){name, value});
        p = end + strspn(end, " ");
    }
}

static void visit(void *state, const struct pass_info *pass, const struct ir_attr *options)
{
    struct bound *bound = state;

    if (strcmp(pass->name, "BindParams") == 0)
        read_params(bound, options);
    else if (strcmp(pass->name, "BindSymbolicVars") == 0)
        read_dims(bound, options);
}

bool bound_read(struct bound *bound, struct driver *driver, struct ir_module *module,
                const char *passes, const struct ir_function *entry)
{
    *bound = (struct bound){.driver = driver, .entry = entry};
    return !passes ||
           (driver_visit_passes(driver, module, passes, visit, bound) && !bound->has_failed);
}

void bound_finish(struct bound *bound)
{
    for (size_t i = 0; i < bound->tensors.count; i++)
        inlay_tensor_destroy(bound->tensors.items[i].tensor);
    array_finish(&bound->tensors);
    array_finish(&bound->dims);
    arena_finish(&bound->arena);
}

/* ---- files ---- */

struct looking {
    struct driver *driver;
    struct stat file;
    bool is_found;
};

static void look(void *state, const struct pass_info *pass, const struct ir_attr *options)
{
    struct looking *looking = state;
    const char *path = text_of(options, "file");
    struct stat file;

    if (strcmp(pass->name, "BindParams") != 0 || looking->is_found || stat(path, &file) != 0 ||
        file.st_dev != looking->file.st_dev || file.st_ino != looking->file.st_ino)
        return;
    diag_report(looking->driver->diag, (struct location){0}, ARTIFACT_WEIGHTS_READ, path);
    looking->is_found = true;
}

bool bound_reads(struct driver *driver, struct ir_module *module, const char *passes,
                 const char *path)
{
    struct looking looking = {.driver = driver};

    return stat(path, &looking.file) == 0 &&
           driver_visit_passes(driver, module, passes, look, &looking) && looking.is_found;
}
