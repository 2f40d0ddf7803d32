/* See artifact_weights.h. */
#include "driver/artifact_weights.h"

#include "io/file.h"
#include "ir/graph.h"
#include "runtime/hash.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum { ALIGN = 64 };

struct collecting {
    struct artifact_weights *out;
    struct map names; /* texts that are taken, by their atoms */
    struct ir_context *context;
};

static uint64_t aligned(uint64_t bytes)
{
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* --- which, and where --- */

/* What the script calls the constant, with a number behind it if that is taken. */
static const char *name_of(struct collecting *c, const struct ir_constant *constant)
{
    const char *wanted = constant->name ? constant->name : "constant", *name;
    char *plain = arena_copy_text(&c->out->arena, wanted, strlen(wanted));
    unsigned number = constant->name ? 1 : 0;

    for (char *p = plain; *p; p++)
        if (!isalnum((unsigned char)*p) && *p != '_')
            *p = '_';
    name = atom_intern_text(&c->context->atoms,
                            constant->name ? plain : arena_printf(&c->out->arena, "%s.0", plain));
    while (map_has(&c->names, name))
        name = atom_printf(&c->context->atoms, "%s.%u", plain, number++);
    map_set(&c->names, name, (void *)(uintptr_t)name); // NOLINT(performance-no-int-to-ptr)
    return name;
}

/* Code knows shapes and dtypes itself. */
static bool has_same_bytes(const struct ir_constant *a, const struct ir_constant *b)
{
    return a->bytes == b->bytes && (a->data == b->data || memcmp(a->data, b->data, a->bytes) == 0);
}

static const char *dtype_name(struct ir_dtype dtype)
{
    return inlay_safetensors_dtype((struct inlay_dtype){dtype.code, dtype.bits, dtype.lanes});
}

static void add(struct collecting *c, const struct ir_constant *constant)
{
    struct artifact_weights *out = c->out;
    uint64_t place = out->items.count ? out->bytes : 0;

    if (constant->bytes <= ARTIFACT_WEIGHTS_ABOVE || map_has(&out->places, constant) ||
        !dtype_name(constant->dtype))
        return;
    for (size_t i = 0; i < out->items.count; i++)
        if (has_same_bytes(out->items.items[i].constant, constant)) {
            map_set(&out->places, constant, map_get(&out->places, out->items.items[i].constant));
            return;
        }
    struct artifact_weight weight = {.constant = constant,
                                     .name = name_of(c, constant),
                                     .place = place,
                                     .hash = inlay_hash(constant->data, constant->bytes)};

    array_push(&out->items, weight);
    map_set(&out->places, constant,
            (void *)(uintptr_t)(place + 1)); // NOLINT(performance-no-int-to-ptr)
    out->bytes = aligned(place + constant->bytes);
}

static void visit_operand(void *state, struct ir_use *use)
{
    const struct ir_op *def = use->value->def;

    if (ir_value_is_inline(use->value) && ir_op_is(def, IR_CORE_constant))
        add(state, ir_op_attr(def, "data")->constant);
}

static bool visit_op(void *state, struct ir_op *op)
{
    ir_op_walk_operands(op, visit_operand, state);
    return true;
}

/* --- the head --- */

static void put_entry(struct text *out, const char *name, const char *dtype, uint64_t begin,
                      uint64_t end, const int64_t *shape, unsigned ndim)
{
    text_printf(out, ",\"%s\":{\"dtype\":\"%s\",\"shape\":[", name, dtype);
    for (unsigned i = 0; i < ndim; i++)
        text_printf(out, "%s%" PRId64, i ? "," : "", shape[i]);
    text_printf(out, "],\"data_offsets\":[%" PRIu64 ",%" PRIu64 "]}", begin, end);
}

static void make_head(struct artifact_weights *weights)
{
    struct text *out = &weights->head;
    char length[8];

    text_append(out, "\0\0\0\0\0\0\0\0", sizeof(length));
    text_puts(out, "{\"__metadata__\":{\"format\":\"inlay-weights-1\",\"xxh64\":\"");
    for (size_t i = 0; i < weights->items.count; i++)
        text_printf(out, "%s%016" PRIx64, i ? " " : "", weights->items.items[i].hash);
    text_puts(out, "\"}");
    for (size_t i = 0; i < weights->items.count; i++) {
        const struct artifact_weight *weight = &weights->items.items[i];
        const struct ir_constant *constant = weight->constant;
        uint64_t end = weight->place + constant->bytes;
        int64_t gap = (int64_t)(aligned(end) - end);
        put_entry(out, weight->name, dtype_name(constant->dtype), weight->place, end,
                  constant->shape, constant->ndim);
        if (gap) {
            char name[48];
            snprintf(name, sizeof(name), "inlay.padding.%zu", i);
            put_entry(out, name, "U8", end, aligned(end), &gap, 1);
        }
    }
    text_putc(out, '}');
    while (out->length % ALIGN)
        text_putc(out, ' ');
    for (unsigned i = 0; i < sizeof(length); i++)
        out->data[i] = (char)((out->length - sizeof(length)) >> 8 * i & 0xff);
}

void artifact_weights_make(struct artifact_weights *weights, struct ir_module *const *modules,
                           size_t count, const char *path)
{
    struct collecting c = {.out = weights, .context = modules[0]->context};

    *weights = (struct artifact_weights){.path = path};
    for (size_t m = 0; m < count; m++)
        for (size_t i = 0; i < modules[m]->global_count; i++)
            if (modules[m]->globals[i]->kind == IR_GLOBAL_FUNCTION)
                (void)ir_region_walk(modules[m]->globals[i]->function->body, visit_op, &c);
    map_finish(&c.names);
    make_head(weights);
    weights->bytes += weights->head.length;
    weights->identity = inlay_hash(weights->head.data, weights->head.length);
}

void artifact_weights_finish(struct artifact_weights *weights)
{
    array_finish(&weights->items);
    map_finish(&weights->places);
    text_finish(&weights->head);
    arena_finish(&weights->arena);
}

void artifact_weights_write(const struct artifact_weights *weights, FILE *file)
{
    static const char zeros[ALIGN];

    fwrite(weights->head.data, 1, weights->head.length, file);
    for (size_t i = 0; i < weights->items.count && !ferror(file); i++) {
        const struct ir_constant *constant = weights->items.items[i].constant;
        fwrite(constant->data, 1, constant->bytes, file);
        fwrite(zeros, 1, (size_t)(aligned(constant->bytes) - constant->bytes), file);
    }
}

/* --- what the artifact says of them --- */

static const char *file_of(const struct artifact_weights *weights)
{
    const char *slash = strrchr(weights->path, '/');

    return slash ? slash + 1 : weights->path;
}

void artifact_weights_put_json(const struct artifact_weights *weights, struct text *out)
{
    const char *file = file_of(weights);

    text_puts(out, "{\"file\": ");
    text_put_json(out, file, strlen(file));
    text_printf(out, ", \"bytes\": %" PRIu64 ", \"identity\": \"%016" PRIx64 "\", \"tensors\": [",
                weights->bytes, weights->identity);
    for (size_t i = 0; i < weights->items.count; i++) {
        const struct artifact_weight *weight = &weights->items.items[i];
        char dtype[32];
        text_printf(out, "%s\n    {\"name\": \"%s\", \"dtype\": \"%s\", \"shape\": [", i ? "," : "",
                    weight->name, ir_dtype_name(weight->constant->dtype, dtype));
        for (unsigned k = 0; k < weight->constant->ndim; k++)
            text_printf(out, "%s%" PRId64, k ? ", " : "", weight->constant->shape[k]);
        text_printf(out, "], \"offset\": %" PRIu64 ", \"xxh64\": \"%016" PRIx64 "\"}",
                    (uint64_t)weights->head.length + weight->place, weight->hash);
    }
    text_puts(out, "]}");
}

void artifact_weights_put_summary(const struct artifact_weights *weights, struct text *out)
{
    text_printf(out, "weights: %zu tensors in %s, %" PRIu64 " bytes, identity %016" PRIx64 "\n",
                weights->items.count, file_of(weights), weights->bytes, weights->identity);
}

void artifact_weights_put_table(const struct artifact_weights *weights, const char *prefix,
                                struct text *out)
{
    text_printf(out, "weights %s %s\n", prefix, file_of(weights));
    for (size_t i = 0; i < weights->items.count; i++) {
        const struct artifact_weight *weight = &weights->items.items[i];
        text_printf(out, "weight %s %" PRIu64 " %zu %016" PRIx64 "\n", weight->name,
                    (uint64_t)weights->head.length + weight->place, weight->constant->bytes,
                    weight->hash);
    }
}
