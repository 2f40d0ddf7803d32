/*
 * Packed functions for tests of contracts: what they do to storage is written beside each.  Those whose
 * names begin with `liar` do something else than the tests say of them.
 */
#include "include/inlay/abi.h"

#include <stdlib.h>
#include <string.h>

#define PACKED(name)                                                                          \
    int32_t __tvm_ffi_##name(void *handle, const struct inlay_value *args, int32_t arg_count, \
                             struct inlay_value *result);                                     \
    int32_t __tvm_ffi_##name(void *handle, const struct inlay_value *args, int32_t arg_count, \
                             struct inlay_value *result)

static float *data(const struct inlay_value *value)
{
    return (float *)(void *)((char *)value->tensor->data + value->tensor->byte_offset);
}

static int64_t count(const struct inlay_value *value)
{
    int64_t product = 1;

    for (int32_t i = 0; i < value->tensor->ndim; i++)
        product *= value->tensor->shape[i];
    return product;
}

static struct inlay_value tensor_value(struct inlay_tensor *tensor)
{
    return (struct inlay_value){.kind = INLAY_TENSOR, .tensor = tensor};
}

/* What functions have made; it lives as long as the process. */
struct made {
    struct made *next;
    struct inlay_tensor tensor;
    int64_t shape[8];
    float elements[];
};
static struct made *all_made;

static struct made *make(const struct inlay_value *like)
{
    size_t bytes = (size_t)count(like) * sizeof(float);
    struct made *made = calloc(1, sizeof(*made) + bytes);

    if (!made)
        abort();
    made->next = all_made;
    all_made = made;
    made->tensor = *like->tensor;
    memcpy(made->shape, like->tensor->shape, (size_t)like->tensor->ndim * sizeof(int64_t));
    made->tensor.shape = made->shape;
    made->tensor.data = made->elements;
    made->tensor.byte_offset = 0;
    memcpy(made->elements, data(like), bytes);
    return made;
}

/* look(x): reads x. */
PACKED(look)
{
    volatile float sum = 0;

    for (int64_t i = 0; i < count(&args[0]); i++)
        sum = sum + data(&args[0])[i];
    return 0;
}

/* rank(x): looks at the type of x only. */
PACKED(rank)
{
    return args[0].tensor->ndim >= 0 ? 0 : -1;
}

/* twice(x): writes x. */
PACKED(twice)
{
    for (int64_t i = 0; i < count(&args[0]); i++)
        data(&args[0])[i] *= 2;
    return 0;
}

/* twice_same(x): writes x and returns it. */
PACKED(twice_same)
{
    for (int64_t i = 0; i < count(&args[0]); i++)
        data(&args[0])[i] *= 2;
    *result = args[0];
    return 0;
}

/* add_to(x, y): writes x, reads y. */
PACKED(add_to)
{
    for (int64_t i = 0; i < count(&args[0]); i++)
        data(&args[0])[i] += data(&args[1])[i];
    return 0;
}

/* swap(x, y): writes both. */
PACKED(swap)
{
    for (int64_t i = 0; i < count(&args[0]); i++) {
        float was = data(&args[0])[i];

        data(&args[0])[i] = data(&args[1])[i];
        data(&args[1])[i] = was;
    }
    return 0;
}

/* sum_after(x, y): adds y to x, and returns twice the sum in new storage. */
PACKED(sum_after)
{
    for (int64_t i = 0; i < count(&args[0]); i++)
        data(&args[0])[i] += data(&args[1])[i];
    struct made *made = make(&args[0]);

    for (int64_t i = 0; i < count(&args[0]); i++)
        made->elements[i] *= 2;
    *result = tensor_value(&made->tensor);
    return 0;
}

/* fresh(x): returns x in new storage. */
PACKED(fresh)
{
    *result = tensor_value(&make(&args[0])->tensor);
    return 0;
}

/* same(x): returns x. */
PACKED(same)
{
    *result = args[0];
    return 0;
}

/* either(x, n): returns x if n is odd, else the same in new storage. */
PACKED(either)
{
    *result = args[1].integer % 2 ? args[0] : tensor_value(&make(&args[0])->tensor);
    return 0;
}

/* into(x, ..): writes x + 1, x + 2, .. to the other arguments. */
PACKED(into)
{
    for (int32_t k = 1; k < arg_count; k++)
        for (int64_t i = 0; i < count(&args[0]); i++)
            data(&args[k])[i] = data(&args[0])[i] + (float)k;
    return 0;
}

/* both(x, y, z): reads x and writes y and z. */
PACKED(both)
{
    for (int64_t i = 0; i < count(&args[0]); i++) {
        data(&args[1])[i] = data(&args[0])[i];
        data(&args[2])[i] = -data(&args[0])[i];
    }
    return 0;
}

/* keep(x): holds x; kept() returns what was held last. */
static struct inlay_tensor held;
static int64_t held_shape[8];

PACKED(keep)
{
    held = *args[0].tensor;
    memcpy(held_shape, held.shape, (size_t)held.ndim * sizeof(int64_t));
    held.shape = held_shape;
    return 0;
}

PACKED(kept)
{
    *result = tensor_value(&held);
    return 0;
}

/* liar_writes(x): writes x. */
PACKED(liar_writes)
{
    data(&args[0])[count(&args[0]) - 1] += 1;
    return 0;
}

/* liar_spills(x): writes x, and the eight bytes behind it. */
__attribute__((no_sanitize_address)) PACKED(liar_spills)
{
    volatile float *end = data(&args[0]) + count(&args[0]);

    end[0] = end[1] = 1;
    return 0;
}

/* liar_shows(x): returns x. */
PACKED(liar_shows)
{
    *result = args[0];
    return 0;
}

/* liar_makes(x): returns x in new storage. */
PACKED(liar_makes)
{
    *result = tensor_value(&make(&args[0])->tensor);
    return 0;
}
