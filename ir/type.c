/*
 * Interned types: one object for each type of a context.
 *
 * A type is looked up by the hash of its parts; nested types are interned already and compare by
 * pointer, dimensions by structure after simplification.  So asking for a type that exists, the case of
 * almost every op of a large module, allocates nothing.
 */
#include "ir/type.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"
#include "ir/arith.h"
#include "ir/internal.h"
#include "ir/module.h"

#include <string.h>

enum { SMALL_RANK = 8 }; /* shapes up to here are simplified on the stack */

struct ir_type_table {
    struct map types; /* by hash */
};

struct ir_type_table *ir_type_table_create(void)
{
    return memory_new(sizeof(struct ir_type_table), 1);
}

void ir_type_table_destroy(struct ir_type_table *table)
{
    if (!table)
        return;
    map_finish(&table->types);
    memory_free(table);
}

static uint64_t hash_type(const struct ir_type *a)
{
    uint64_t hash = hash_mix(a->kind, ir_dtype_key(a->dtype));

    hash = hash_mix(hash, (uint64_t)a->ndim + (a->dims ? 1000 : 0));
    for (int i = 0; a->dims && i < a->ndim; i++)
        hash = hash_mix(hash, ir_expr_hash(a->dims[i]));
    hash = hash_mix(hash, (uintptr_t)a->shape_var);
    hash = hash_mix(hash, (uintptr_t)a->vdevice);
    for (unsigned i = 0; i < a->field_count; i++)
        hash = hash_mix(hash, a->fields[i]->id);
    hash = hash_mix(hash, (uint64_t)a->is_opaque * 2 + a->is_pure);
    hash = hash_mix(hash, a->result ? a->result->id : 0);
    return hash_mix(hash, (uintptr_t)a->derive);
}

static bool same_type(const struct ir_type *a, const struct ir_type *b)
{
    if (a->kind != b->kind || !ir_dtype_equal(a->dtype, b->dtype) || a->ndim != b->ndim ||
        (a->dims != NULL) != (b->dims != NULL) || a->shape_var != b->shape_var ||
        a->vdevice != b->vdevice || a->field_count != b->field_count ||
        a->is_opaque != b->is_opaque || a->is_pure != b->is_pure || a->result != b->result ||
        a->derive != b->derive)
        return false;
    for (int i = 0; a->dims && i < a->ndim; i++) {
        if (!ir_expr_equal(a->dims[i], b->dims[i]))
            return false;
    }
    for (unsigned i = 0; i < a->field_count; i++) {
        if (a->fields[i] != b->fields[i])
            return false;
    }
    return true;
}

static bool is_large_dim(const struct ir_expr *dim)
{
    return dim->size > IR_DIM_SIZE_LIMIT || dim->depth > IR_DIM_DEPTH_LIMIT;
}

static uint32_t add_saturating(uint32_t a, uint32_t b)
{
    return b > UINT32_MAX - a ? UINT32_MAX : a + b;
}

static void measure_part(struct ir_type *type, const struct ir_type *part)
{
    type->is_known &= part->is_known || type->kind == IR_TYPE_FUNC;
    type->part_count = add_saturating(type->part_count, part->part_count);
    if (part->depth >= type->depth)
        type->depth = add_saturating(part->depth, 1);
    if (part->excess == IR_TYPE_LARGE_DIM || part->excess == IR_TYPE_MANY_DIMS)
        type->excess = part->excess;
}

static bool is_known_alone(const struct ir_type *type)
{
    if (type->kind == IR_TYPE_TENSOR || type->kind == IR_TYPE_SHAPE)
        return type->dims && !ir_dtype_is_void(type->dtype);
    return type->kind != IR_TYPE_ANY;
}

/* Where the leaves of each field begin, so that one of many is found without looking at the others. */
static void place_leaves(struct ir_context *context, struct ir_type *type)
{
    uint32_t *offsets, leaves = 0;
    bool is_flat = true;

    for (unsigned i = 0; i < type->field_count; i++)
        is_flat &= type->fields[i]->leaf_count == 1;
    if (type->kind != IR_TYPE_TUPLE || is_flat)
        return;
    offsets = arena_array(&context->arena, uint32_t, type->field_count);
    for (unsigned i = 0; i < type->field_count; i++) {
        offsets[i] = leaves;
        leaves = add_saturating(leaves, type->fields[i]->leaf_count);
    }
    type->leaf_offsets = offsets;
}

/* Its size, of which its parts know theirs. */
static void measure(struct ir_type *type)
{
    bool is_tuple = type->kind == IR_TYPE_TUPLE;

    type->is_known = is_known_alone(type);
    type->part_count = type->leaf_count = is_tuple ? 0 : 1;
    type->depth = 1;
    type->excess = IR_TYPE_FITS;
    for (int i = 0; type->dims && i < type->ndim; i++)
        if (is_large_dim(type->dims[i]))
            type->excess = IR_TYPE_LARGE_DIM;
    if (type->ndim > IR_RANK_LIMIT)
        type->excess = IR_TYPE_MANY_DIMS;
    for (unsigned i = 0; i < type->field_count; i++) {
        measure_part(type, type->fields[i]);
        if (is_tuple)
            type->leaf_count = add_saturating(type->leaf_count, type->fields[i]->leaf_count);
    }
    if (type->result)
        measure_part(type, type->result);
    if (type->part_count > IR_TYPE_PART_LIMIT)
        type->excess = IR_TYPE_TOO_MANY_PARTS;
    else if (type->depth > IR_TYPE_DEPTH_LIMIT)
        type->excess = IR_TYPE_TOO_DEEP;
}

/* The one type like @candidate; what that points to is copied if it is new. */
static const struct ir_type *intern(struct ir_context *context, const struct ir_type *candidate)
{
    struct map *types = &context->types->types;
    uint64_t hash = hash_type(candidate);
    struct ir_type *type;

    while ((type = map_get(types, hash_key(hash))) && !same_type(type, candidate))
        hash = hash_again(hash);
    if (type)
        return type;

    type = arena_new(&context->arena, struct ir_type);
    *type = *candidate;
    type->id = (unsigned)types->count;
    if (candidate->dims) {
        /* One more than the rank: a known shape of rank 0 is told from none by its pointer. */
        const struct ir_expr **dims =
            arena_array(&context->arena, const struct ir_expr *, (size_t)candidate->ndim + 1);
        for (int i = 0; i < candidate->ndim; i++)
            dims[i] = candidate->dims[i];
        type->dims = dims;
    }
    const struct ir_type **fields =
        arena_array(&context->arena, const struct ir_type *, candidate->field_count);
    for (unsigned i = 0; i < candidate->field_count; i++) {
        assert(candidate->fields[i]);
        fields[i] = candidate->fields[i];
    }
    type->fields = fields;
    measure(type);
    place_leaves(context, type);
    map_set(types, hash_key(hash), type);
    return type;
}

const struct ir_type *ir_type_any(struct ir_context *context)
{
    return intern(context, &(struct ir_type){.kind = IR_TYPE_ANY});
}

const struct ir_type *ir_type_prim(struct ir_context *context, struct ir_dtype dtype)
{
    return intern(context, &(struct ir_type){.kind = IR_TYPE_PRIM, .dtype = dtype});
}

const struct ir_type *ir_type_packed(struct ir_context *context)
{
    return intern(context, &(struct ir_type){.kind = IR_TYPE_PACKED});
}

/* Interns @candidate with its dimensions simplified. */
static const struct ir_type *intern_shaped(struct ir_context *context,
                                           const struct ir_type *candidate)
{
    const struct ir_expr *small[SMALL_RANK];
    const struct ir_expr **simple = small;
    struct ir_type simplified = *candidate;

    if (!candidate->dims && candidate->ndim != 0) /* a rank of 0 leaves nothing open */
        return intern(context, candidate);
    assert(candidate->ndim >= 0);
    if (candidate->ndim > SMALL_RANK)
        simple = arena_array(&context->arena, const struct ir_expr *, (size_t)candidate->ndim);
    for (int i = 0; i < candidate->ndim; i++)
        simple[i] = ir_simplify(context, candidate->dims[i]);
    simplified.dims = simple;
    return intern(context, &simplified);
}

const struct ir_type *ir_type_shape(struct ir_context *context, const struct ir_expr *const *dims,
                                    int ndim)
{
    return intern_shaped(context,
                         &(struct ir_type){.kind = IR_TYPE_SHAPE, .ndim = ndim, .dims = dims});
}

const struct ir_type *ir_type_tensor(struct ir_context *context, struct ir_dtype dtype,
                                     const struct ir_expr *const *dims, int ndim)
{
    return ir_type_tensor_full(context, dtype, dims, ndim, NULL, NULL);
}

const struct ir_type *ir_type_tensor_full(struct ir_context *context, struct ir_dtype dtype,
                                          const struct ir_expr *const *dims, int ndim,
                                          const struct ir_value *shape_var, const char *vdevice)
{
    struct ir_type candidate = {
        .kind = IR_TYPE_TENSOR,
        .dtype = dtype,
        .ndim = ndim,
        .dims = dims,
        .shape_var = shape_var,
        .vdevice = vdevice ? atom_intern_text(&context->atoms, vdevice) : NULL,
    };

    if (shape_var && ndim == IR_NDIM_UNKNOWN && shape_var->type &&
        shape_var->type->kind == IR_TYPE_SHAPE)
        candidate.ndim = shape_var->type->ndim;
    return intern_shaped(context, &candidate);
}

const struct ir_type *ir_type_tuple(struct ir_context *context, const struct ir_type *const *fields,
                                    unsigned count)
{
    return intern(context,
                  &(struct ir_type){.kind = IR_TYPE_TUPLE, .field_count = count, .fields = fields});
}

const struct ir_type *ir_type_func(struct ir_context *context, const struct ir_type *const *params,
                                   unsigned count, const struct ir_type *result, bool is_pure)
{
    assert(result);
    return intern(context, &(struct ir_type){.kind = IR_TYPE_FUNC,
                                             .field_count = count,
                                             .fields = params,
                                             .result = result,
                                             .is_pure = is_pure});
}

const struct ir_type *ir_type_func_opaque(struct ir_context *context, const struct ir_type *result,
                                          bool is_pure, const char *derive)
{
    return intern(context, &(struct ir_type){
                               .kind = IR_TYPE_FUNC,
                               .is_opaque = true,
                               .result = result ? result : ir_type_any(context),
                               .is_pure = is_pure,
                               .derive = derive ? atom_intern_text(&context->atoms, derive) : NULL,
                           });
}

bool ir_type_is_void(const struct ir_type *type)
{
    return type->kind == IR_TYPE_TUPLE && type->field_count == 0;
}

bool ir_type_is_tensor(const struct ir_type *type)
{
    return type->kind == IR_TYPE_TENSOR;
}

bool ir_type_walk_exprs(const struct ir_type *type, ir_expr_visit_fn *visit, void *state)
{
    for (int i = 0; type->dims && i < type->ndim; i++) {
        if (!ir_expr_walk(type->dims[i], visit, state))
            return false;
    }
    for (unsigned i = 0; i < type->field_count; i++) {
        if (!ir_type_walk_exprs(type->fields[i], visit, state))
            return false;
    }
    return !type->result || ir_type_walk_exprs(type->result, visit, state);
}

static bool is_other(void *state, const struct ir_expr *e)
{
    const char *const *name = state;

    return e->kind != IR_EXPR_var || strcmp(e->var->name, *name) != 0;
}

bool ir_type_has_symbol(const struct ir_type *type, const char *name)
{
    return !ir_type_walk_exprs(type, is_other, &name);
}

const struct ir_expr *ir_type_bytes(struct ir_context *context, const struct ir_type *type)
{
    if (!ir_type_is_tensor(type) || !type->dims || ir_dtype_is_void(type->dtype))
        return NULL;
    const struct ir_expr *bytes = ir_expr_int(context, IR_I64, ir_dtype_bytes(type->dtype));

    for (int i = 0; i < type->ndim; i++)
        bytes = ir_expr_binary(context, IR_EXPR_mul, bytes, type->dims[i]);
    return ir_simplify(context, bytes);
}
