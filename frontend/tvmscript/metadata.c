/*
 * Tensor constants in the JSON block at the end of a script.
 *
 * `metadata["relax.expr.Constant"][i]` (since 0.27 "ir.GenericConst") names the i-th object of that
 * kind.  The block is a graph of objects: the root is a map from kinds to arrays of constants, a
 * constant refers to its tensor, whose bytes are base64.  Two encodings of the graph are read: that of
 * tvm-ffi ("type", since 0.21) and the one before ("type_key", tensors in "b64ndarrays").  Nothing in
 * the block is trusted: each index, size and shape is checked against what is there.
 */
#include "frontend/tvmscript/relax.h"

#include <cjson/cJSON.h>
#include <string.h>

enum { NDIM_LIMIT = 64, HEADER_BYTES = 28 };

static const uint64_t tensor_magic = UINT64_C(0xDD5E40F096B4A13F);

struct metadata {
    cJSON *json;                    /* NULL: it was reported */
    const cJSON **nodes, **tensors; /* of the arrays "nodes" and "b64ndarrays" */
    unsigned node_count, tensor_count;
    int root;
    const struct ir_constant **made; /* by node: each constant is made once */
};

static bool bad(struct frontend *f, const struct ast *a, const char *why)
{
    diag_report(f->diag, a->loc, METADATA_FORMAT, why);
    return false;
}

/* A JSON array as an array. */
static const cJSON **items_of(struct frontend *f, const cJSON *list, unsigned *out_count)
{
    unsigned count = (unsigned)cJSON_GetArraySize(list), i = 0;
    const cJSON **items = arena_array(&f->arena, const cJSON *, count + 1);
    const cJSON *item;
    cJSON_ArrayForEach(item, list) items[i++] = item;
    *out_count = count;
    return items;
}

void metadata_finish(struct frontend *f)
{
    if (f->metadata != NULL)
        cJSON_Delete(f->metadata->json);
}

bool metadata_read(struct frontend *f, const struct ast *assign)
{
    const struct ast *call = assign->items[1];
    const struct ast *text = call->kind == AST_CALL ? call_arg(call, 0, "json_str") : NULL;
    if (f->metadata != NULL)
        return bad(f, assign, "there are two blocks of it");
    f->metadata = arena_new(&f->arena, struct metadata);
    if (text == NULL || text->kind != AST_STRING)
        return bad(f, call, "expected tvm.ir.load_json(\"..\")");
    struct metadata *metadata = f->metadata;
    metadata->json = cJSON_ParseWithLength(text->string, text->length);
    if (metadata->json == NULL)
        return bad(f, text, "it is no JSON");
    const cJSON *root = cJSON_GetObjectItemCaseSensitive(metadata->json, "root_index");
    if (root == NULL)
        root = cJSON_GetObjectItemCaseSensitive(metadata->json, "root");
    const cJSON *nodes = cJSON_GetObjectItemCaseSensitive(metadata->json, "nodes");
    if (!cJSON_IsNumber(root) || !cJSON_IsArray(nodes))
        return bad(f, text, "it has no `root_index` and `nodes`");
    metadata->root = root->valueint;
    metadata->nodes = items_of(f, nodes, &metadata->node_count);
    metadata->tensors = items_of(f, cJSON_GetObjectItemCaseSensitive(metadata->json, "b64ndarrays"),
                                 &metadata->tensor_count);
    metadata->made = arena_array(&f->arena, const struct ir_constant *, metadata->node_count + 1);
    return true;
}

/* Node @index, or NULL. */
static const cJSON *node_at(const struct metadata *metadata, int64_t index)
{
    return index >= 0 && index < metadata->node_count ? metadata->nodes[index] : NULL;
}

static const char *string_of(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsString(item) ? item->valuestring : "";
}

/* What a number, or a number written as a string, refers to; -1 if it is neither. */
static int64_t index_of(const cJSON *item)
{
    if (item == NULL)
        return -1;
    if (cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble < INT32_MAX)
        return (int64_t)item->valuedouble;
    if (!cJSON_IsString(item) || item->valuestring[0] == '\0')
        return -1;
    int64_t value = 0;
    for (const char *c = item->valuestring; *c != '\0'; c++) {
        if (*c < '0' || *c > '9' || value > INT32_MAX)
            return -1;
        value = value * 10 + (*c - '0');
    }
    return value;
}

/* The node under @key of map @map, or -1. */
static int64_t map_find(const struct metadata *metadata, const cJSON *map, const char *key)
{
    const cJSON *data = cJSON_GetObjectItemCaseSensitive(map, "data");
    const cJSON *keys = cJSON_GetObjectItemCaseSensitive(map, "keys");
    if (cJSON_IsArray(keys)) { /* the old form: keys beside data */
        const cJSON *value = cJSON_IsArray(data) ? data->child : NULL;
        for (const cJSON *k = keys->child; k != NULL && value != NULL;
             k = k->next, value = value->next)
            if (cJSON_IsString(k) && strcmp(k->valuestring, key) == 0)
                return index_of(value);
        return -1;
    }
    for (const cJSON *k = cJSON_IsArray(data) ? data->child : NULL; k != NULL && k->next != NULL;
         k = k->next->next) {
        const cJSON *name = node_at(metadata, index_of(k));
        if (name != NULL && strcmp(string_of(name, "data"), key) == 0)
            return index_of(k->next);
    }
    return -1;
}

/* The base64 text of the tensor of constant @node, or NULL. */
static const char *tensor_text(const struct metadata *metadata, const cJSON *node)
{
    const cJSON *data = cJSON_GetObjectItemCaseSensitive(node, "data");
    if (cJSON_IsObject(data)) {
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(data, "value");
        if (value == NULL)
            value = cJSON_GetObjectItemCaseSensitive(data, "data");
        const cJSON *tensor = node_at(metadata, index_of(value));
        return tensor != NULL && cJSON_IsString(cJSON_GetObjectItemCaseSensitive(tensor, "data"))
                   ? string_of(tensor, "data")
                   : NULL;
    }
    const cJSON *attrs = cJSON_GetObjectItemCaseSensitive(node, "attrs");
    int64_t index = index_of(cJSON_GetObjectItemCaseSensitive(attrs, "data"));
    return index >= 0 && index < metadata->tensor_count && cJSON_IsString(metadata->tensors[index])
               ? metadata->tensors[index]->valuestring
               : NULL;
}

static int base64_digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Bytes of @text in @arena; NULL if it is no base64. */
static const unsigned char *base64_decode(struct arena *arena, const char *text, size_t *out_length)
{
    size_t length = strlen(text), count = 0;
    unsigned char *bytes = arena_array(arena, unsigned char, length / 4 * 3 + 3);
    uint32_t bits = 0;
    unsigned have = 0;
    while (length > 0 && text[length - 1] == '=')
        length--;
    for (size_t i = 0; i < length; i++) {
        int digit = base64_digit(text[i]);
        if (digit < 0)
            return NULL;
        bits = bits << 6 | (uint32_t)digit;
        have += 6;
        if (have >= 8) {
            have -= 8;
            bytes[count++] = (unsigned char)(bits >> have);
        }
    }
    *out_length = count;
    return bytes;
}

static uint64_t read_u64(const unsigned char *bytes)
{
    uint64_t value;
    memcpy(&value, bytes, sizeof(value)); /* little-endian */
    return value;
}

/*
 * The tensor format of TVM's save: magic, reserved, device, ndim, dtype, shape, size, data.  Where the text
 * names its data (ir/data.h), they are @named and not behind the header; else @named is NULL.
 */
static const struct ir_constant *read_tensor(struct frontend *f, const struct ast *a,
                                             const unsigned char *bytes, size_t length,
                                             const struct ir_data *named)
{
    int64_t shape[NDIM_LIMIT];
    int32_t ndim;
    struct ir_dtype dtype;
    if (length < HEADER_BYTES || read_u64(bytes) != tensor_magic) {
        bad(f, a, "a tensor does not start as one");
        return NULL;
    }
    memcpy(&ndim, bytes + 24, sizeof(ndim));
    if (ndim < 0 || ndim > NDIM_LIMIT || length < HEADER_BYTES + 4 + 8 * (size_t)ndim + 8) {
        bad(f, a, "a tensor is shorter than its header says");
        return NULL;
    }
    dtype = (struct ir_dtype){.code = bytes[28], .bits = bytes[29]};
    memcpy(&dtype.lanes, bytes + 30, sizeof(dtype.lanes));
    if (dtype.code == IR_UINT && dtype.bits == 1) /* bool, before it had a code */
        dtype = IR_B1;
    for (int i = 0; i < ndim; i++) {
        shape[i] = (int64_t)read_u64(bytes + 32 + 8 * i);
        if (shape[i] < 0) {
            bad(f, a, "a tensor has a negative dimension");
            return NULL;
        }
    }
    const unsigned char *data = bytes + 32 + 8 * ndim;
    uint64_t given = read_u64(data);
    size_t expected, rest = length - (size_t)(data + 8 - bytes);
    char name[32];
    if (!ir_dtype_can_compute(dtype) || dtype.lanes != 1) {
        diag_report(f->diag, a->loc, CONST_DTYPE, ir_dtype_name(dtype, name));
        return NULL;
    }
    if (!ir_shape_bytes(shape, (unsigned)ndim, dtype, &expected) || given != expected ||
        (named ? named->size != expected : rest < expected)) {
        bad(f, a, "a tensor has fewer bytes than its shape needs");
        return NULL;
    }
    if (named)
        return ir_module_add_data(f->module, dtype, shape, (unsigned)ndim, named);
    return ir_module_add_constant(f->module, dtype, shape, (unsigned)ndim, data + 8);
}

bool metadata_is_reference(const struct ast *a)
{
    return a->kind == AST_SUBSCRIPT && a->items[0]->kind == AST_SUBSCRIPT &&
           a->items[0]->items[0]->kind == AST_NAME &&
           strcmp(a->items[0]->items[0]->name, "metadata") == 0;
}

/* The data that @text, behind the prefix, names; *@text is then what follows the name. */
static const struct ir_data *find_named(struct frontend *f, const char **text)
{
    const char *begin = *text + strlen(IR_DATA_PREFIX), *end = strchr(begin, ':');
    if (end == NULL)
        return NULL;
    *text = end + 1;
    return ir_data_find(f->module->context,
                        arena_copy_text(&f->arena, begin, (size_t)(end - begin)));
}

static const struct ir_constant *make_constant(struct frontend *f, const struct ast *a,
                                               int64_t node)
{
    struct metadata *metadata = f->metadata;
    if (metadata->made[node] != NULL)
        return metadata->made[node];
    size_t length;
    const struct ir_data *named = NULL;
    const char *text = tensor_text(metadata, metadata->nodes[node]);
    if (text != NULL && strncmp(text, IR_DATA_PREFIX, strlen(IR_DATA_PREFIX)) == 0) {
        named = find_named(f, &text);
        if (named == NULL) {
            bad(f, a, "the data that it names are not in the folder `constants` beside the script");
            return NULL;
        }
    }
    const unsigned char *bytes = text != NULL ? base64_decode(&f->arena, text, &length) : NULL;
    if (bytes == NULL) {
        bad(f, a, "this is no tensor");
        return NULL;
    }
    metadata->made[node] = read_tensor(f, a, bytes, length, named);
    return metadata->made[node];
}

const struct ir_constant *metadata_constant(struct frontend *f, const struct ast *a)
{
    const struct ast *kind = a->items[0]->item_count == 2 ? a->items[0]->items[1] : NULL;
    int64_t index;
    if (kind == NULL || kind->kind != AST_STRING || a->item_count != 2 ||
        !ast_int_literal(a->items[1], &index)) {
        bad(f, a, "expected metadata[\"ir.GenericConst\"][0]");
        return NULL;
    }
    if (f->metadata == NULL) {
        struct diag_message *m = diag_report(f->diag, a->loc, METADATA_MISSING);
        diag_help(m, "print the module with show_meta=True");
        return NULL;
    }
    if (f->metadata->json == NULL)
        return NULL;
    if (strcmp(kind->string, "relax.expr.Constant") != 0 &&
        strcmp(kind->string, "ir.GenericConst") != 0) {
        diag_report(f->diag, kind->loc, METADATA_KIND, kind->string);
        return NULL;
    }
    const cJSON *root = node_at(f->metadata, f->metadata->root);
    const cJSON *list =
        root != NULL ? node_at(f->metadata, map_find(f->metadata, root, kind->string)) : NULL;
    const cJSON *items = cJSON_GetObjectItemCaseSensitive(list, "data");
    const cJSON *item = cJSON_IsArray(items) && index >= 0 && index < INT32_MAX
                            ? cJSON_GetArrayItem(items, (int)index)
                            : NULL;
    int64_t node = index_of(item);
    if (node_at(f->metadata, node) == NULL) {
        diag_report(f->diag, a->loc, METADATA_INDEX, kind->string, (long long)index);
        return NULL;
    }
    return make_constant(f, a, node);
}
