/* Construction and comparison of scalar expressions. */
#include "ir/expr.h"

#include "base/assert.h"
#include "base/hash.h"
#include "ir/module.h"

#include <math.h>
#include <string.h>

/* What the payload of a kind is: the member of the union in struct ir_expr. */
enum payload {
    PAYLOAD_NONE,
    PAYLOAD_VAR,
    PAYLOAD_INT,
    PAYLOAD_FLOAT,
    PAYLOAD_STRING,
    PAYLOAD_NAME,
    PAYLOAD_BUFFER
};

static const enum payload payloads[] = {
#define EXPR(kind, operands, payload, doc) [IR_EXPR_##kind] = PAYLOAD_##payload,
#include "ir/exprs.def"
};

static const bool is_binary[IR_EXPR_COUNT] = {
#define EXPR(kind, operands, payload, doc)
#define BINARY_EXPR(kind, sign, function, doc) [IR_EXPR_##kind] = true,
#include "ir/exprs.def"
};

static uint64_t float_bits(const struct ir_expr *a)
{
    uint64_t bits;

    memcpy(&bits, &a->float_value, sizeof(bits));
    return bits;
}

/* Nothing here depends on an address, so that nothing made from hashes does. */
static uint64_t payload_hash(const struct ir_expr *a)
{
    switch (payloads[a->kind]) {
    case PAYLOAD_NONE:
        return 0;
    case PAYLOAD_VAR:
        return a->var->id;
    case PAYLOAD_INT:
        return (uint64_t)a->int_value;
    case PAYLOAD_FLOAT:
        return float_bits(a);
    case PAYLOAD_STRING:
        return hash_text(a->string);
    case PAYLOAD_NAME:
        return hash_text(a->name);
    case PAYLOAD_BUFFER:
        return hash_text(a->buffer->name);
    }
    UNREACHABLE("payload");
}

static uint32_t saturating_add(uint32_t a, uint32_t b)
{
    return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

/* Fills in what is derived from the rest of @a. */
static const struct ir_expr *finish(struct ir_expr *a)
{
    uint64_t hash = hash_mix(a->kind, payload_hash(a));

    hash = hash_mix(hash, ir_dtype_key(a->dtype));
    a->size = 1;
    for (unsigned i = 0; i < a->operand_count; i++) {
        hash = hash_mix(hash, a->operands[i]->hash);
        a->size = saturating_add(a->size, a->operands[i]->size);
        if (a->operands[i]->depth > a->depth)
            a->depth = a->operands[i]->depth;
    }
    a->depth = saturating_add(a->depth, 1);
    a->hash = (uint32_t)hash;
    return a;
}

static struct ir_expr *new_node(struct ir_context *context, enum ir_expr_kind kind,
                                struct ir_dtype dtype, const struct ir_expr *const *operands,
                                unsigned count)
{
    struct ir_expr *a = arena_alloc(&context->arena, sizeof(*a) + count * sizeof(a->operands[0]), 1,
                                    _Alignof(struct ir_expr));

    a->kind = kind;
    a->dtype = dtype;
    a->operand_count = count;
    for (unsigned i = 0; i < count; i++) {
        assert(operands[i]);
        a->operands[i] = operands[i];
    }
    return a;
}

static struct ir_var *new_var(struct ir_context *context, const char *name, struct ir_dtype dtype)
{
    struct ir_var *var = arena_new(&context->arena, struct ir_var);

    var->name = atom_intern_text(&context->atoms, name);
    var->dtype = dtype;
    var->id = context->next_var_id++;
    return var;
}

const struct ir_var *ir_var_new(struct ir_context *context, const char *name, struct ir_dtype dtype)
{
    return new_var(context, name, dtype);
}

struct ir_var *ir_symbol_new(struct ir_context *context, const char *name, struct ir_dtype dtype)
{
    struct ir_var *var = new_var(context, name, dtype);
    var->is_symbol = true;
    return var;
}

const struct ir_expr *ir_expr_new(struct ir_context *context, enum ir_expr_kind kind,
                                  struct ir_dtype dtype, const struct ir_expr *const *operands,
                                  unsigned count)
{
    assert(payloads[kind] == PAYLOAD_NONE);
    return finish(new_node(context, kind, dtype, operands, count));
}

const struct ir_expr *ir_expr_with_operands(struct ir_context *context, const struct ir_expr *like,
                                            const struct ir_expr *const *operands, unsigned count)
{
    struct ir_expr *a = new_node(context, like->kind, like->dtype, operands, count);

    a->loc = like->loc;
    a->int_value = like->int_value;
    _Static_assert(sizeof(int64_t) >= sizeof(void *), "copies every payload");
    return finish(a);
}

const struct ir_expr *ir_expr_var(struct ir_context *context, const struct ir_var *var)
{
    struct ir_expr *a = new_node(context, IR_EXPR_var, var->dtype, NULL, 0);

    a->var = var;
    return finish(a);
}

/* @value as an integer of @dtype has it: wrapped; uint64 keeps its bits. */
static int64_t wrap(struct ir_dtype dtype, int64_t value)
{
    unsigned shift = dtype.bits < 64 ? 64u - dtype.bits : 0;
    uint64_t top = (uint64_t)value << shift;

    if (dtype.code == IR_BOOL)
        return value != 0;
    if (dtype.code == IR_INT && dtype.bits > 0)
        return (int64_t)top >> shift;
    if (dtype.code == IR_UINT && dtype.bits > 0)
        return (int64_t)(top >> shift);
    return value;
}

const struct ir_expr *ir_expr_int(struct ir_context *context, struct ir_dtype dtype, int64_t value)
{
    struct ir_expr *a = new_node(context, IR_EXPR_int, dtype, NULL, 0);

    a->int_value = wrap(dtype, value);
    return finish(a);
}

const struct ir_expr *ir_expr_float(struct ir_context *context, struct ir_dtype dtype, double value)
{
    struct ir_expr *a = new_node(context, IR_EXPR_float, dtype, NULL, 0);

    a->float_value = value;
    return finish(a);
}

const struct ir_expr *ir_expr_string(struct ir_context *context, const char *string)
{
    struct ir_expr *a = new_node(context, IR_EXPR_string, IR_PTR, NULL, 0);

    a->string = atom_intern_text(&context->atoms, string);
    return finish(a);
}

const struct ir_expr *ir_expr_binary(struct ir_context *context, enum ir_expr_kind kind,
                                     const struct ir_expr *a, const struct ir_expr *b)
{
    const struct ir_expr *operands[] = {a, b};
    struct ir_dtype dtype = a->dtype;

    assert(ir_expr_is_binary(kind) && ir_dtype_equal(a->dtype, b->dtype));
    if (ir_expr_is_compare(kind)) {
        dtype = IR_B1;
        dtype.lanes = a->dtype.lanes;
    }
    return ir_expr_new(context, kind, dtype, operands, 2);
}

const struct ir_expr *ir_expr_not(struct ir_context *context, const struct ir_expr *a)
{
    return ir_expr_new(context, IR_EXPR_not, a->dtype, &a, 1);
}

const struct ir_expr *ir_expr_select(struct ir_context *context, const struct ir_expr *condition,
                                     const struct ir_expr *a, const struct ir_expr *b)
{
    const struct ir_expr *operands[] = {condition, a, b};

    assert(ir_dtype_equal(a->dtype, b->dtype));
    return ir_expr_new(context, IR_EXPR_select, a->dtype, operands, 3);
}

static bool is_integral(struct ir_dtype dtype)
{
    return dtype.lanes == 1 && (ir_dtype_is_int(dtype) || ir_dtype_is_bool(dtype));
}

static const struct ir_expr *cast_int(struct ir_context *context, struct ir_dtype dtype,
                                      const struct ir_expr *a)
{
    const int64_t exact = (int64_t)1 << 53; /* integers up to here are doubles */

    if (is_integral(dtype))
        return ir_expr_int(context, dtype, a->int_value);
    if (!ir_dtype_is_float(dtype) || dtype.lanes != 1 || a->int_value > exact ||
        a->int_value < -exact)
        return NULL;
    double value = (double)a->int_value;
    return ir_expr_float(context, dtype, dtype.bits == 32 ? (double)(float)value : value);
}

static const struct ir_expr *cast_float(struct ir_context *context, struct ir_dtype dtype,
                                        const struct ir_expr *a)
{
    double value = a->float_value;

    if (!ir_dtype_is_float(a->dtype) || a->dtype.lanes != 1)
        return NULL;
    if (a->dtype.bits == 32)
        value = (double)(float)value;
    else if (a->dtype.bits == 16 && !(value == trunc(value) && fabs(value) <= 256))
        return NULL; /* would have to be rounded to the narrow type first */
    if (ir_dtype_is_float(dtype) && dtype.lanes == 1)
        return ir_expr_float(context, dtype, dtype.bits == 32 ? (double)(float)value : value);
    if (!is_integral(dtype) || dtype.code == IR_UINT || !(fabs(value) < 2147483648.0))
        return NULL;
    if (ir_dtype_is_bool(dtype))
        return ir_expr_int(context, dtype, value != 0);
    if (dtype.bits < 32 && fabs(value) >= (double)((int64_t)1 << (dtype.bits - 1)))
        return NULL; /* out of range: what the machine makes of it is not said here */
    return ir_expr_int(context, dtype, (int64_t)value);
}

const struct ir_expr *ir_expr_cast(struct ir_context *context, struct ir_dtype dtype,
                                   const struct ir_expr *a)
{
    const struct ir_expr *literal = NULL;

    if (ir_dtype_equal(a->dtype, dtype))
        return a;
    if (a->kind == IR_EXPR_int && is_integral(a->dtype) &&
        !(a->dtype.code == IR_UINT && a->int_value < 0 && !is_integral(dtype)))
        literal = cast_int(context, dtype, a);
    else if (a->kind == IR_EXPR_float)
        literal = cast_float(context, dtype, a);
    if (literal)
        return ir_expr_at(context, a->loc, literal);
    return ir_expr_new(context, IR_EXPR_cast, dtype, &a, 1);
}

const struct ir_expr *ir_expr_load(struct ir_context *context, const struct ir_buffer *buffer,
                                   const struct ir_expr *const *indices, unsigned count)
{
    struct ir_expr *a = new_node(context, IR_EXPR_load, buffer->dtype, indices, count);

    if (count > 0 && indices[count - 1]->dtype.lanes > 1)
        a->dtype.lanes = indices[count - 1]->dtype.lanes;
    a->buffer = buffer;
    return finish(a);
}

const struct ir_expr *ir_expr_call(struct ir_context *context, struct ir_dtype dtype,
                                   const char *name, const struct ir_expr *const *args,
                                   unsigned count)
{
    struct ir_expr *a = new_node(context, IR_EXPR_call, dtype, args, count);

    a->name = atom_intern_text(&context->atoms, name);
    return finish(a);
}

const struct ir_expr *ir_expr_let(struct ir_context *context, const struct ir_var *var,
                                  const struct ir_expr *value, const struct ir_expr *body)
{
    const struct ir_expr *operands[] = {value, body};
    struct ir_expr *a = new_node(context, IR_EXPR_let, body->dtype, operands, 2);

    a->var = var;
    return finish(a);
}

const struct ir_expr *ir_expr_shuffle(struct ir_context *context, struct ir_dtype dtype,
                                      unsigned vector_count, const struct ir_expr *const *operands,
                                      unsigned count)
{
    struct ir_expr *a = new_node(context, IR_EXPR_shuffle, dtype, operands, count);

    a->int_value = vector_count;
    return finish(a);
}

const struct ir_expr *ir_expr_at(struct ir_context *context, struct location loc,
                                 const struct ir_expr *a)
{
    size_t size = sizeof(*a) + a->operand_count * sizeof(a->operands[0]);
    struct ir_expr *copy = arena_alloc(&context->arena, size, 1, _Alignof(struct ir_expr));

    memcpy(copy, a, size);
    copy->loc = loc;
    return copy;
}

static bool same_payload(const struct ir_expr *a, const struct ir_expr *b)
{
    switch (payloads[a->kind]) {
    case PAYLOAD_NONE:
        return true;
    case PAYLOAD_VAR:
        return a->var == b->var;
    case PAYLOAD_INT:
        return a->int_value == b->int_value;
    case PAYLOAD_FLOAT: /* 0.0 is not -0.0, and a NaN is itself */
        return float_bits(a) == float_bits(b);
    case PAYLOAD_STRING:
        return a->string == b->string;
    case PAYLOAD_NAME:
        return a->name == b->name;
    case PAYLOAD_BUFFER:
        return a->buffer == b->buffer;
    }
    UNREACHABLE("payload");
}

bool ir_expr_equal(const struct ir_expr *a, const struct ir_expr *b)
{
    if (a == b)
        return true;
    if (a->hash != b->hash || a->kind != b->kind || a->operand_count != b->operand_count ||
        a->size != b->size || a->size > IR_EXPR_SIZE_LIMIT || !ir_dtype_equal(a->dtype, b->dtype) ||
        !same_payload(a, b))
        return false;
    for (unsigned i = 0; i < a->operand_count; i++) {
        if (!ir_expr_equal(a->operands[i], b->operands[i]))
            return false;
    }
    return true;
}

uint64_t ir_expr_hash(const struct ir_expr *a)
{
    return a->hash;
}

bool ir_expr_is_int(const struct ir_expr *a, int64_t value)
{
    return a->kind == IR_EXPR_int && a->int_value == value;
}

bool ir_expr_is_compare(enum ir_expr_kind kind)
{
    return kind >= IR_EXPR_eq && kind <= IR_EXPR_ge;
}

bool ir_expr_is_binary(enum ir_expr_kind kind)
{
    return is_binary[kind];
}
