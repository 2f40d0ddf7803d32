/* See artifact_verify.h. */
#define _GNU_SOURCE /* memfd_create */
#include "driver/artifact_verify.h"

#include "analysis/leaves.h"
#include "base/memory.h"
#include "driver/artifact.h"
#include "driver/artifact_oracle.h"
#include "driver/compare.h"
#include "driver/entry.h"
#include "driver/session.h"
#include "runtime/artifact/weights.h"
#include "runtime/hash.h"
#include "runtime/tensor.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef int32_t tensor_door_fn(struct inlay_tensor *const *args, const size_t *rooms, int32_t count,
                               struct inlay_tensor *const *results, int32_t result_count,
                               void *arena, size_t arena_bytes, struct inlay_artifact_error *error);
/* The same of an artifact with weights. */
typedef int32_t weighted_door_fn(struct inlay_tensor *const *args, const size_t *rooms,
                                 int32_t count, struct inlay_tensor *const *results,
                                 int32_t result_count, const struct inlay_weights *weights,
                                 void *arena, size_t arena_bytes,
                                 struct inlay_artifact_error *error);
typedef int32_t open_fn(struct inlay_weights *weights, const char *path,
                        struct inlay_artifact_error *error);
typedef void close_fn(struct inlay_weights *weights);

/* One tensor of the weights. */
struct weight {
    const char *name;
    uint64_t offset, bytes, hash;
};

/* One function of the table. */
struct entry {
    const char *name, *symbol;
    array(const char *) args;
    array(int) results;
};

struct verifying {
    struct driver *driver;
    const char *path;
    const struct source *source;
    void *library;
    array(struct entry) entries;
    const char *weights_prefix, *weights_file; /* NULL: there are none */
    const char *weights_path; /* that the caller gives; NULL: beside the artifact */
    struct inlay_weights weights;
    array(struct weight) tensors;
    const char *chooser;        /* of the levels of a processor, or NULL */
    array(const char *) levels; /* that it takes */
    const char *level;          /* that is in use, or NULL */
    struct ir_module *script;   /* of several functions: to see which has what the options name */
    struct artifact_oracle oracle;
    struct text *out;
    struct arena arena;
    bool is_different;
};

static bool refuse(struct verifying *v, const char *why)
{
    diag_report(v->driver->diag, (struct location){0}, ARTIFACT_FOREIGN, v->path, why);
    return false;
}

/* --- the table --- */

static const char *word(struct verifying *v, const char *p)
{
    return arena_copy_text(&v->arena, p, strcspn(p, " \n"));
}

static void read_weight(struct verifying *v, const char *rest)
{
    struct weight weight = {.name = word(v, rest)};
    char *p;

    weight.offset = strtoull(rest + strlen(weight.name), &p, 10);
    weight.bytes = strtoull(p, &p, 10);
    weight.hash = strtoull(p, &p, 16);
    array_push(&v->tensors, weight);
}

static bool read_table(struct verifying *v, const char *table)
{
    int abi = atoi(table + strlen("abi "));

    if (abi != INLAY_ARTIFACT_ABI)
        return refuse(v, arena_printf(&v->arena, "its ABI is %d, that of this tool %d", abi,
                                      INLAY_ARTIFACT_ABI));
    for (const char *line = table; *line; line += strcspn(line, "\n") + 1) {
        const char *rest = line + strcspn(line, " ") + 1;
        struct entry *last = v->entries.count ? &v->entries.items[v->entries.count - 1] : NULL;
        if (strncmp(line, "chooser ", 8) == 0) {
            v->chooser = word(v, rest);
        } else if (strncmp(line, "level ", 6) == 0) {
            array_push(&v->levels, word(v, rest));
        } else if (strncmp(line, "function ", 9) == 0) {
            struct entry entry = {.name = word(v, rest)};
            entry.symbol = word(v, rest + strlen(entry.name) + 1);
            array_push(&v->entries, entry);
        } else if (strncmp(line, "weights ", 8) == 0) {
            v->weights_prefix = word(v, rest);
            rest += strlen(v->weights_prefix) + 1;
            v->weights_file = arena_copy_text(&v->arena, rest, strcspn(rest, "\n"));
        } else if (strncmp(line, "weight ", 7) == 0) {
            read_weight(v, rest);
        } else if (last && strncmp(line, "argument ", 9) == 0) {
            array_push(&last->args, word(v, rest));
        } else if (last && strncmp(line, "result ", 7) == 0) {
            array_push(&last->results, atoi(rest));
        }
        if (!line[strcspn(line, "\n")])
            break;
    }
    return true;
}

/* --- the library --- */

/* From memory: an object is linked first. */
static bool load(struct verifying *v, const struct artifact_note *note)
{
    struct text library = {0}, object = {0};
    bool is_good = true;

    text_append(&object, note->object, note->object_size);
    if (!note->is_library)
        is_good = artifact_link(v->driver, v->path, &object, false, &library);
    const struct text *image = note->is_library ? &object : &library;
    int file = is_good ? memfd_create("inlay", MFD_CLOEXEC) : -1;
    if (is_good && (file < 0 || write(file, image->data, image->length) != (ssize_t)image->length))
        is_good = refuse(v, "there is no memory to load it");
    if (is_good) {
        const char *name = arena_printf(&v->arena, "/proc/self/fd/%d", file);
        v->library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        is_good = v->library || refuse(v, dlerror());
    }
    if (file >= 0)
        close(file);
    text_finish(&library);
    text_finish(&object);
    return is_good;
}

/* --- weights --- */

static void *symbol_of(struct verifying *v, const char *name)
{
    void *symbol = dlsym(v->library, name);

    if (!symbol)
        (void)refuse(v, arena_printf(&v->arena, "it has no `%s`", name));
    return symbol;
}

static const char *weights_path(struct verifying *v)
{
    const char *slash = strrchr(v->path, '/');
    int folder = slash ? (int)(slash - v->path) + 1 : 0;

    return v->weights_path ? v->weights_path
                           : arena_printf(&v->arena, "%.*s%s", folder, v->path, v->weights_file);
}

static bool differ_in_weights(struct verifying *v, const char *why)
{
    v->is_different = true;
    diag_report(v->driver->diag, (struct location){0}, ARTIFACT_WEIGHTS, weights_path(v), v->path,
                why);
    return false;
}

/* Opens them as a host does, and then reads all of them. */
static bool check_weights(struct verifying *v)
{
    void *symbol = symbol_of(v, arena_printf(&v->arena, "%s_open", v->weights_prefix));
    struct inlay_artifact_error error = {0};
    open_fn *open;
    bool is_good = true;

    memcpy(&open, &symbol, sizeof(open));
    if (!open)
        return false;
    if (open(&v->weights, weights_path(v), &error) != 0)
        return differ_in_weights(v, arena_printf(&v->arena, "%s", error.message));
    for (size_t i = 0; i < v->tensors.count; i++) {
        const struct weight *weight = &v->tensors.items[i];
        bool is_inside = weight->offset <= v->weights.bytes &&
                         weight->bytes <= v->weights.bytes - weight->offset;
        if (!is_inside || inlay_hash((const char *)v->weights.file + weight->offset,
                                     weight->bytes) != weight->hash)
            is_good = differ_in_weights(
                v, arena_printf(&v->arena, "tensor `%s` was changed", weight->name));
    }
    return is_good;
}

static void close_weights(struct verifying *v)
{
    const char *name = arena_printf(&v->arena, "%s_close", v->weights_prefix);
    void *symbol = v->weights.file ? dlsym(v->library, name) : NULL;
    close_fn *close;

    memcpy(&close, &symbol, sizeof(close));
    if (close)
        close(&v->weights);
}

/* --- one function --- */

struct running {
    struct verifying *v;
    const struct entry *entry;
    struct session session;
    struct inlay_value *given;  /* copies of the inputs, which the oracle may overwrite */
    struct inlay_value *before; /* again, for the artifact */
    array(struct inlay_tensor *) args;
    array(size_t) rooms;
    array(struct inlay_tensor *) made; /* to be freed */
    array(struct inlay_tensor *) outs;
};

static struct inlay_tensor *make(struct running *r, struct inlay_dtype dtype, const int64_t *shape,
                                 int32_t ndim)
{
    struct inlay_tensor *tensor = inlay_tensor_create(dtype, shape, ndim);

    if (!tensor)
        memory_short();
    array_push(&r->made, tensor);
    return tensor;
}

/* @value as the checked door takes it; numbers have the dtype of @type. */
static struct inlay_tensor *carry(struct running *r, const struct inlay_value *value,
                                  const struct ir_type *type)
{
    struct inlay_dtype dtype = {type->dtype.code, type->dtype.bits, type->dtype.lanes};
    struct inlay_tensor *tensor;

    if (value->kind == INLAY_TENSOR)
        return value->tensor;
    if (value->kind == INLAY_SHAPE) {
        int64_t count = (int64_t)value->shape->count;
        tensor = make(r, (struct inlay_dtype){INLAY_CODE_INT, 64, 1}, &count, 1);
        memcpy(tensor->data, value->shape->dims, value->shape->count * sizeof(int64_t));
        return tensor;
    }
    tensor = make(r, dtype, NULL, 0);
    if (value->kind == INLAY_FLOAT)
        inlay_element_set_real(dtype, tensor->data, 0, value->real);
    else
        inlay_element_set_integer(dtype, tensor->data, 0, value->integer);
    return tensor;
}

static bool take_arguments(struct running *r)
{
    const struct inputs *inputs = &r->session.inputs;

    for (size_t i = 0; i < r->entry->args.count; i++) {
        size_t place = 0;
        while (place < inputs->items.count &&
               strcmp(inputs->items.items[place].name, r->entry->args.items[i]) != 0)
            place++;
        if (place == inputs->items.count)
            return refuse(r->v,
                          arena_printf(&r->v->arena, "`%s` takes `%s`, which the script has not",
                                       r->entry->name, r->entry->args.items[i]));
        array_push(&r->args, carry(r, &r->before[place], inputs->items.items[place].type));
        array_push(&r->rooms, inputs->rooms.items[place]);
    }
    return true;
}

/* Room for each result, as large as what was interpreted; some are in an argument instead. */
static void make_outs(struct running *r, struct inlay_tensor **results)
{
    for (size_t i = 0; i < r->entry->results.count; i++) {
        const struct ir_type *type = leaf_type(r->session.entry->result, (unsigned)i);
        struct inlay_tensor *like = carry(r, &r->session.results.values.items[i], type);
        results[i] = make(r, like->dtype, like->shape, like->ndim);
        if (r->entry->results.items[i] < 0)
            array_push(&r->outs, results[i]);
    }
}

/* Gets the results that are in arguments. */
static void fetch(struct running *r, struct inlay_tensor **results)
{
    for (size_t i = 0; i < r->entry->results.count; i++) {
        int held = r->entry->results.items[i];
        size_t size = (size_t)inlay_tensor_elements(results[i]) *
                      (size_t)inlay_dtype_bytes(results[i]->dtype);
        if (held >= 0 && (size_t)held < r->args.count)
            memcpy(results[i]->data,
                   (const char *)r->args.items[held]->data + r->args.items[held]->byte_offset,
                   size);
    }
}

static bool differ(struct running *r, const char *why)
{
    if (r->v->level)
        why = arena_printf(&r->v->arena, "on %s, %s", r->v->level, why);
    r->v->is_different = true;
    diag_report(r->v->driver->diag, (struct location){0}, ARTIFACT_DIFFERENT, r->v->path,
                r->entry->symbol, why);
    return false;
}

static void call_door(struct running *r, void *symbol, void *arena, size_t bytes,
                      struct inlay_artifact_error *error)
{
    int32_t args = (int32_t)r->args.count, outs = (int32_t)r->outs.count;
    weighted_door_fn *weighted;
    tensor_door_fn *door;

    memcpy(&weighted, &symbol, sizeof(weighted));
    memcpy(&door, &symbol, sizeof(door));
    if (r->v->weights_file)
        (void)weighted(r->args.items, r->rooms.items, args, r->outs.items, outs, &r->v->weights,
                       arena, bytes, error);
    else
        (void)door(r->args.items, r->rooms.items, args, r->outs.items, outs, arena, bytes, error);
}

static bool call(struct running *r, struct inlay_artifact_error *error)
{
    void *symbol = symbol_of(r->v, arena_printf(&r->v->arena, "%s_dl", r->entry->symbol));
    void *block = NULL;
    char *arena = NULL;

    if (!symbol)
        return false;
    for (int i = 0; i < 2; i++) { /* the first call says how much memory it wants */
        call_door(r, symbol, arena, arena ? error->arena_bytes : 0, error);
        if (arena || error->kind != INLAY_ERROR_MEMORY || error->arena_bytes == 0)
            break;
        block = memory_new(error->arena_bytes + INLAY_ARTIFACT_ALIGN, 1);
        arena = (char *)block + (INLAY_ARTIFACT_ALIGN - (uintptr_t)block % INLAY_ARTIFACT_ALIGN);
    }
    memory_free(block);
    return true;
}

/* The results of the oracle are there. */
static bool compare(struct running *r)
{
    struct inlay_artifact_error error;
    struct session *s = &r->session;
    struct inlay_tensor **results =
        arena_array(&r->v->arena, struct inlay_tensor *, r->entry->results.count + 1);
    struct text why = {0};

    if (!take_arguments(r))
        return false;
    if (r->entry->results.count != s->results.values.count)
        return differ(r, "the script has another number of results");
    make_outs(r, results);
    if (!call(r, &error))
        return false;
    if (error.kind != INLAY_ERROR_NONE)
        return differ(r, arena_printf(&r->v->arena, "it fails: %s", error.message));
    fetch(r, results);
    bool is_close = true;
    for (size_t i = 0; is_close && i < r->entry->results.count; i++) {
        const struct ir_type *type = leaf_type(s->entry->result, (unsigned)i);
        struct inlay_value wanted = {.kind = INLAY_TENSOR,
                                     .tensor = carry(r, &s->results.values.items[i], type)};
        struct inlay_value found = {.kind = INLAY_TENSOR, .tensor = results[i]};
        is_close = values_close(&wanted, &found, 1, r->v->driver->options->tolerance, &why);
        if (!is_close)
            differ(r, arena_printf(&r->v->arena, "result %zu: %s", i + 1, text_string(&why)));
    }
    text_finish(&why);
    return is_close;
}

/* Calls the artifact, in the level that is in use. */
static bool run_artifact(struct running *r)
{
    const struct inputs *inputs = &r->session.inputs;

    r->before = values_copy(r->given, inputs->values.count, inputs->rooms.items);
    bool is_good = compare(r);
    values_free(r->before, inputs->values.count);
    for (size_t i = 0; i < r->made.count; i++)
        inlay_tensor_destroy(r->made.items[i]);
    array_finish(&r->made);
    array_finish(&r->args);
    array_finish(&r->rooms);
    array_finish(&r->outs);
    return is_good;
}

/* In each level that this machine has. */
static bool run_levels(struct running *r)
{
    typedef int32_t chooser_fn(const char *name);
    struct verifying *v = r->v;
    void *symbol = dlsym(v->library, v->chooser);
    chooser_fn *choose;
    size_t count = 0;

    memcpy(&choose, &symbol, sizeof(choose));
    if (!choose)
        return refuse(v, arena_printf(&v->arena, "it has no `%s`", v->chooser));
    for (size_t i = 0; i < v->levels.count; i++) {
        v->level = v->levels.items[i];
        if (choose(v->level) != 0)
            continue;
        count++;
        if (!run_artifact(r))
            return false;
    }
    return count > 0 || refuse(v, "this machine has none of the processors that it is for");
}

static bool run_function(struct running *r)
{
    const struct inputs *inputs = &r->session.inputs;
    const char *how = NULL;

    r->given = values_copy(inputs->values.items, inputs->values.count, inputs->rooms.items);
    bool is_good = artifact_oracle_run(&r->v->oracle, &r->session, &how) &&
                   (r->v->chooser ? run_levels(r) : run_artifact(r));
    values_free(r->given, inputs->values.count);
    if (is_good)
        text_printf(r->v->out, "%s: %s\n", r->entry->name, how);
    return is_good;
}

/* --- what the options say of one of several functions --- */

static bool has_dim(const struct ir_function *function, const char *name)
{
    bool is_found = false;

    for (unsigned i = 0; i < function->param_count; i++)
        is_found |= ir_type_has_symbol(function->params[i]->type, name);
    return is_found;
}

/* "x" and "x.0" are of parameter x. */
static bool has_input(const struct ir_function *function, const char *name)
{
    bool is_found = false;

    for (unsigned i = 0; i < function->param_count; i++) {
        size_t length = strlen(function->params[i]->name);
        is_found |= strncmp(function->params[i]->name, name, length) == 0 &&
                    (name[length] == 0 || name[length] == '.');
    }
    return is_found;
}

typedef bool has_fn(const struct ir_function *function, const char *name);

/* Is @name for @entry?  What no function has is for all: each says so. */
static bool is_for(struct verifying *v, const struct entry *entry, const char *name, has_fn *has)
{
    const struct ir_global *own = v->script ? ir_module_find(v->script, entry->name) : NULL;
    bool is_elsewhere = false;

    if (!own || own->kind != IR_GLOBAL_FUNCTION || has(own->function, name))
        return true;
    for (size_t i = 0; i < v->entries.count; i++) {
        const struct ir_global *other = ir_module_find(v->script, v->entries.items[i].name);
        is_elsewhere |= other && other->kind == IR_GLOBAL_FUNCTION && has(other->function, name);
    }
    return !is_elsewhere;
}

static void choose_options(struct verifying *v, const struct entry *entry,
                           struct driver_options *out)
{
    const struct driver_options *all = v->driver->options;

    *out = *all;
    out->entry = entry->name;
    out->threads = 1;
    memset(&out->dims, 0, sizeof(out->dims));
    memset(&out->inputs, 0, sizeof(out->inputs));
    for (size_t i = 0; i < all->dims.count; i++)
        if (is_for(v, entry, all->dims.items[i].name, has_dim))
            array_push(&out->dims, all->dims.items[i]);
    for (size_t i = 0; i < all->inputs.count; i++)
        if (is_for(v, entry, all->inputs.items[i].name, has_input))
            array_push(&out->inputs, all->inputs.items[i]);
}

static bool verify_function(struct verifying *v, const struct entry *entry)
{
    struct running r = {.v = v, .entry = entry};
    struct driver_options options;
    const struct driver_options *before = v->driver->options;

    choose_options(v, entry, &options);
    v->driver->options = &options;
    bool is_good = session_open(&r.session, v->driver, v->source) && run_function(&r);
    struct ir_module *module = r.session.module;
    session_close(&r.session);
    ir_module_destroy(module);
    v->driver->options = before;
    array_finish(&options.dims);
    array_finish(&options.inputs);
    return is_good;
}

static bool verify_functions(struct verifying *v)
{
    bool is_good = true;

    if (v->entries.count > 1) {
        v->script = driver_parse(v->driver, v->source);
        is_good = v->script != NULL;
    }
    for (size_t i = 0; is_good && i < v->entries.count; i++)
        is_good = verify_function(v, &v->entries.items[i]);
    return is_good;
}

bool artifact_verify(struct driver *driver, const char *path, const struct artifact_note *note,
                     const char *weights, const struct source *source, struct text *out,
                     bool *out_different)
{
    struct verifying v = {
        .driver = driver, .path = path, .source = source, .weights_path = weights, .out = out};
    bool is_good =
        read_table(&v, note->table) && load(&v, note) && (!v.weights_file || check_weights(&v));

    is_good = is_good && (!source || verify_functions(&v));
    artifact_oracle_finish(&v.oracle);
    ir_module_destroy(v.script);
    close_weights(&v);
    if (v.library)
        dlclose(v.library);
    for (size_t i = 0; i < v.entries.count; i++) {
        array_finish(&v.entries.items[i].args);
        array_finish(&v.entries.items[i].results);
    }
    array_finish(&v.entries);
    array_finish(&v.tensors);
    array_finish(&v.levels);
    *out_different = v.is_different;
    arena_finish(&v.arena);
    return is_good;
}
