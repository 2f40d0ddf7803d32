/* Construction and comparison of attribute values. */
#include "ir/attr.h"

#include "base/assert.h"
#include "base/hash.h"
#include "ir/module.h"

#include <string.h>

static struct ir_attr *new_attr(struct ir_context *context, enum ir_attr_kind kind)
{
    struct ir_attr *attr = arena_new(&context->arena, struct ir_attr);

    attr->kind = kind;
    return attr;
}

const struct ir_attr *ir_attr_none(struct ir_context *context)
{
    static const struct ir_attr none = {.kind = IR_ATTR_NONE};

    (void)context;
    return &none;
}

const struct ir_attr *ir_attr_bool(struct ir_context *context, bool value)
{
    static const struct ir_attr bools[] = {
        {.kind = IR_ATTR_BOOL, .boolean = false},
        {.kind = IR_ATTR_BOOL, .boolean = true},
    };

    (void)context;
    return &bools[value];
}

const struct ir_attr *ir_attr_int(struct ir_context *context, int64_t value)
{
    struct ir_attr *attr = new_attr(context, IR_ATTR_INT);

    attr->integer = value;
    return attr;
}

const struct ir_attr *ir_attr_float(struct ir_context *context, double value)
{
    struct ir_attr *attr = new_attr(context, IR_ATTR_FLOAT);

    attr->real = value;
    return attr;
}

const struct ir_attr *ir_attr_string(struct ir_context *context, const char *value)
{
    struct ir_attr *attr = new_attr(context, IR_ATTR_STRING);

    attr->string = atom_intern_text(&context->atoms, value);
    return attr;
}

const struct ir_attr *ir_attr_dtype(struct ir_context *context, struct ir_dtype dtype)
{
    struct ir_attr *attr = new_attr(context, IR_ATTR_DTYPE);

    attr->dtype = dtype;
    return attr;
}

const struct ir_attr *ir_attr_expr(struct ir_context *context, const struct ir_expr *expr)
{
    struct ir_attr *attr = new_attr(context, IR_ATTR_EXPR);

    attr->expr = expr;
    return attr;
}

const struct ir_attr *ir_attr_type(struct ir_context *context, const struct ir_type *type)
{
    struct ir_attr *attr = new_attr(context, IR_ATTR_TYPE);

    attr->type = type;
    return attr;
}

const struct ir_attr *ir_attr_global(struct ir_context *context, struct ir_global *global)
{
    struct ir_attr *attr = new_attr(context, IR_ATTR_GLOBAL);

    attr->global = global;
    return attr;
}

const struct ir_attr *ir_attr_constant(struct ir_context *context,
                                       const struct ir_constant *constant)
{
    struct ir_attr *attr = new_attr(context, IR_ATTR_CONSTANT);

    attr->constant = constant;
    return attr;
}

const struct ir_attr *ir_attr_function(struct ir_context *context, struct ir_function *function)
{
    struct ir_attr *attr = new_attr(context, IR_ATTR_FUNCTION);

    attr->function = function;
    return attr;
}

static void copy_items(struct ir_context *context, struct ir_attr *attr,
                       const struct ir_attr *const *items, unsigned count)
{
    const struct ir_attr **copy = arena_array(&context->arena, const struct ir_attr *, count);

    for (unsigned i = 0; i < count; i++) {
        assert(items[i]);
        copy[i] = items[i];
    }
    attr->items = copy;
    attr->count = count;
}

static void copy_keys(struct ir_context *context, struct ir_attr *attr, const char *const *keys)
{
    const char **copy = arena_array(&context->arena, const char *, attr->count);

    for (unsigned i = 0; i < attr->count; i++)
        copy[i] = keys[i] ? atom_intern_text(&context->atoms, keys[i]) : NULL;
    attr->keys = copy;
}

const struct ir_attr *ir_attr_list(struct ir_context *context, const struct ir_attr *const *items,
                                   unsigned count)
{
    struct ir_attr *attr = new_attr(context, IR_ATTR_LIST);

    copy_items(context, attr, items, count);
    return attr;
}

const struct ir_attr *ir_attr_ints(struct ir_context *context, const int64_t *values,
                                   unsigned count)
{
    struct ir_attr *attr = new_attr(context, IR_ATTR_LIST);
    const struct ir_attr **items = arena_array(&context->arena, const struct ir_attr *, count);

    for (unsigned i = 0; i < count; i++)
        items[i] = ir_attr_int(context, values[i]);
    attr->items = items;
    attr->count = count;
    return attr;
}

const struct ir_attr *ir_attr_dict(struct ir_context *context, const char *const *keys,
                                   const struct ir_attr *const *items, unsigned count)
{
    struct ir_attr *attr = new_attr(context, IR_ATTR_DICT);

    copy_items(context, attr, items, count);
    copy_keys(context, attr, keys);
    return attr;
}

const struct ir_attr *ir_attr_lambda(struct ir_context *context, const struct ir_var *const *params,
                                     unsigned param_count, const struct ir_attr *const *items,
                                     unsigned count)
{
    struct ir_attr *attr = new_attr(context, IR_ATTR_LAMBDA);
    const struct ir_var **copy = arena_array(&context->arena, const struct ir_var *, param_count);

    copy_items(context, attr, items, count);
    for (unsigned i = 0; i < param_count; i++)
        copy[i] = params[i];
    attr->params = copy;
    attr->param_count = param_count;
    return attr;
}

const struct ir_attr *ir_attr_call(struct ir_context *context, const char *name,
                                   const char *const *keys, const struct ir_attr *const *items,
                                   unsigned count)
{
    struct ir_attr *attr = new_attr(context, IR_ATTR_CALL);

    attr->name = atom_intern_text(&context->atoms, name);
    copy_items(context, attr, items, count);
    copy_keys(context, attr, keys);
    return attr;
}

const struct ir_attr *ir_attr_dict_get(const struct ir_attr *dict, const char *key)
{
    if (!dict)
        return NULL;
    assert(dict->kind == IR_ATTR_DICT);
    for (unsigned i = 0; i < dict->count; i++) {
        if (strcmp(dict->keys[i], key) == 0)
            return dict->items[i];
    }
    return NULL;
}

const struct ir_attr *ir_attr_dict_with(struct ir_context *context, const struct ir_attr *dict,
                                        const char *key, const struct ir_attr *value)
{
    struct ir_attr *attr = new_attr(context, IR_ATTR_DICT);
    unsigned count = dict ? dict->count : 0;
    const struct ir_attr **items = arena_array(&context->arena, const struct ir_attr *, count + 1);
    const char **keys = arena_array(&context->arena, const char *, count + 1);
    unsigned place = count;

    for (unsigned i = 0; i < count; i++) {
        keys[i] = dict->keys[i];
        items[i] = dict->items[i];
        if (strcmp(keys[i], key) == 0)
            place = i;
    }
    keys[place] = atom_intern_text(&context->atoms, key);
    items[place] = value;
    attr->keys = keys;
    attr->items = items;
    attr->count = place == count ? count + 1 : count;
    return attr;
}

static uint64_t float_bits(const struct ir_attr *a)
{
    uint64_t bits;

    memcpy(&bits, &a->real, sizeof(bits));
    return bits;
}

static bool same_scalar(const struct ir_attr *a, const struct ir_attr *b)
{
    switch (a->kind) {
    case IR_ATTR_BOOL:
        return a->boolean == b->boolean;
    case IR_ATTR_INT:
        return a->integer == b->integer;
    case IR_ATTR_FLOAT: /* 0.0 is not -0.0, and a NaN is itself */
        return float_bits(a) == float_bits(b);
    case IR_ATTR_STRING:
        return strcmp(a->string, b->string) == 0;
    case IR_ATTR_DTYPE:
        return ir_dtype_equal(a->dtype, b->dtype);
    case IR_ATTR_EXPR:
        return ir_expr_equal(a->expr, b->expr);
    case IR_ATTR_TYPE: /* interned */
        return a->type == b->type;
    case IR_ATTR_GLOBAL:
        return a->global == b->global;
    case IR_ATTR_CONSTANT:
        return a->constant == b->constant;
    case IR_ATTR_FUNCTION:
        return a->function == b->function;
    case IR_ATTR_CALL:
        return strcmp(a->name, b->name) == 0;
    case IR_ATTR_LAMBDA:
        if (a->param_count != b->param_count)
            return false;
        for (unsigned i = 0; i < a->param_count; i++) {
            if (a->params[i] != b->params[i])
                return false;
        }
        return true;
    case IR_ATTR_NONE:
    case IR_ATTR_LIST:
    case IR_ATTR_DICT:
        return true;
    }
    UNREACHABLE("attribute kind");
}

static bool same_key(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

bool ir_attr_equal(const struct ir_attr *a, const struct ir_attr *b)
{
    if (a == b)
        return true;
    if (a->kind != b->kind || a->count != b->count || !same_scalar(a, b))
        return false;
    for (unsigned i = 0; i < a->count; i++) {
        if ((a->keys != NULL) != (b->keys != NULL) ||
            (a->keys && !same_key(a->keys[i], b->keys[i])) ||
            !ir_attr_equal(a->items[i], b->items[i]))
            return false;
    }
    return true;
}

/* The hash of what is no item.  What is compared by address hashes as its kind. */
static uint64_t scalar_hash(const struct ir_attr *a)
{
    switch (a->kind) {
    case IR_ATTR_BOOL:
        return a->boolean;
    case IR_ATTR_INT:
        return (uint64_t)a->integer;
    case IR_ATTR_FLOAT:
        return float_bits(a);
    case IR_ATTR_STRING:
        return hash_text(a->string);
    case IR_ATTR_DTYPE:
        return ir_dtype_key(a->dtype);
    case IR_ATTR_EXPR:
        return ir_expr_hash(a->expr);
    case IR_ATTR_TYPE:
        return a->type->id;
    case IR_ATTR_GLOBAL:
        return hash_text(a->global->name);
    case IR_ATTR_CONSTANT:
        return a->constant->index;
    case IR_ATTR_CALL:
        return hash_text(a->name);
    default:
        return 0;
    }
}

uint64_t ir_attr_hash(const struct ir_attr *a)
{
    uint64_t hash = hash_mix(a->kind, scalar_hash(a));

    for (unsigned i = 0; i < a->count; i++)
        hash = hash_mix(hash, ir_attr_hash(a->items[i]));
    return hash;
}
