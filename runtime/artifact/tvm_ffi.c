/* See tvm_ffi.h.  The layouts are those of tvm/ffi/c_api.h. */
#include "runtime/artifact/tvm_ffi.h"

#include "runtime/artifact/blocks.h"
#include "runtime/message.h"
#include "runtime/tensor.h"

#include <string.h>

enum { FFI_TENSOR = 70, FFI_ARRAY = 71, FFI_OBJECT = 64, ALIGN = 64, WEAK_ENDS = 2 };

struct ffi_object {
    uint64_t counts; /* strong references below, weak ones above */
    int32_t type;
    uint32_t padding;
    void (*end)(void *self, int32_t flags);
};
struct ffi_tensor {
    struct ffi_object object;
    struct inlay_tensor tensor; /* shape and strides, then the elements, follow in the same block */
};
struct ffi_shape {
    struct ffi_object object;
    struct inlay_shape shape;
};
struct ffi_array {
    struct ffi_object object;
    const struct inlay_value *items;
    int64_t count;
};
struct ffi_bytes {
    const char *data;
    size_t size;
};
_Static_assert(offsetof(struct ffi_tensor, tensor) == 24, "a DLTensor lies behind the head");

#define WEAK __attribute__((weak))
WEAK void TVMFFIErrorSetRaisedFromCStrParts(const char *kind, const char **parts, int32_t count);
WEAK int TVMFFIFunctionGetGlobal(const struct ffi_bytes *name, void **out);
WEAK int TVMFFIFunctionCall(void *function, struct inlay_value *args, int32_t count,
                            struct inlay_value *result);
WEAK int TVMFFIObjectDecRef(void *object);
WEAK int TVMFFIObjectIncRef(void *object);

struct inlay_ffi_call {
    struct inlay_artifact_giver giver;
    struct inlay_frame *frame;
    const struct inlay_ffi_door *door;
    const struct inlay_value *args; /* of the caller */
    void **objects; /* struct ffi_tensor * by result that needs room; NULL: the caller's */
    struct inlay_ffi_stored *stored; /* by argument, or NULL: none grows */
    void *arena;
    const char *kind; /* of the error, where its kind does not say it; or NULL */
    bool is_given;    /* the caller gave room for results */
    struct inlay_artifact_error error;
};
struct inlay_ffi_stored {
    struct inlay_tensor tensor; /* as long as the caller says, in the storage */
    struct ffi_tensor *owner;   /* NULL: the argument is given as others are */
    int64_t dims[INLAY_FFI_STORED_NDIM];
};
_Static_assert(sizeof(struct inlay_ffi_stored) <= INLAY_FFI_STORED,
               "emitted code makes room for it");
_Static_assert(sizeof(struct inlay_ffi_call) <= INLAY_FFI_CALL, "emitted code makes room for it");

/* --- memory --- */

static void *give_arena(struct inlay_artifact_giver *giver, size_t bytes)
{
    struct inlay_ffi_call *call = (struct inlay_ffi_call *)giver;

    call->arena = inlay_block_take(bytes);
    return call->arena;
}

/* The strong references end first; the block goes with the last weak one. */
static void end_tensor(void *self, int32_t flags)
{
    if (flags & WEAK_ENDS)
        inlay_block_give(self);
}

/* A tensor like @like that its owner ends; NULL: there is no memory. */
static struct ffi_tensor *new_tensor(const struct inlay_tensor *like)
{
    size_t dims = (size_t)like->ndim * sizeof(int64_t);
    size_t head = (sizeof(struct ffi_tensor) + 2 * dims + ALIGN - 1) / ALIGN * ALIGN;
    int64_t bytes = inlay_tensor_bytes(like->shape, like->ndim, inlay_dtype_bytes(like->dtype)),
            stride = 1;
    struct ffi_tensor *made = bytes < 0 ? NULL : inlay_block_take(head + (size_t)bytes);

    if (!made)
        return NULL;
    made->object =
        (struct ffi_object){.counts = (uint64_t)1 << 32 | 1, .type = FFI_TENSOR, .end = end_tensor};
    made->tensor = *like;
    made->tensor.device = (struct inlay_device){1, 0};
    made->tensor.byte_offset = 0;
    made->tensor.data = (char *)made + head;
    made->tensor.shape = (int64_t *)(made + 1);
    made->tensor.strides = made->tensor.shape + like->ndim;
    for (int32_t i = like->ndim - 1; i >= 0; i--) {
        made->tensor.shape[i] = like->shape[i];
        made->tensor.strides[i] = stride;
        stride *= like->shape[i] > 0 ? like->shape[i] : 1;
    }
    return made;
}

/* @arg as compiled code takes it. */
static struct inlay_value plain_value(const struct inlay_value *arg)
{
    struct inlay_value value = *arg;

    if (arg->kind == FFI_TENSOR) {
        value.kind = INLAY_TENSOR;
        value.tensor = &((struct ffi_tensor *)arg->pointer)->tensor;
    } else if (arg->kind == INLAY_SHAPE) {
        value.shape = &((const struct ffi_shape *)arg->pointer)->shape;
    }
    return value;
}

static int32_t give_result(struct inlay_artifact_giver *giver, struct inlay_frame *frame,
                           int32_t index, struct inlay_tensor *wanted)
{
    struct inlay_ffi_call *call = (struct inlay_ffi_call *)giver;
    struct ffi_tensor *made;

    if (call->is_given) {
        struct inlay_value given = plain_value(&call->args[call->door->arg_count + index]);
        return inlay_artifact_place(frame, call->door->name, index, wanted, &given);
    }
    made = new_tensor(wanted);
    if (!made)
        return inlay_fail(frame, INLAY_ERROR_MEMORY, 0, "there is no memory for result %lld",
                          (long long)index + 1);
    call->objects[index] = made;
    wanted->data = made->tensor.data;
    return 0;
}

/* --- arguments --- */

static bool is_number(int32_t kind)
{
    return kind == INLAY_INT || kind == INLAY_BOOL || kind == INLAY_FLOAT;
}

/* Kind and dtype are mistakes of type; the entry looks at all the rest. */
static int32_t check_type(struct inlay_ffi_call *call, const struct inlay_expected *expected,
                          const struct inlay_value *value)
{
    bool is_fine = expected->kind == INLAY_ANY || expected->kind == value->kind ||
                   (is_number(expected->kind) && is_number(value->kind) &&
                    (value->kind != INLAY_FLOAT || expected->kind == INLAY_FLOAT));

    if (is_fine && value->kind == INLAY_TENSOR && expected->kind == INLAY_TENSOR &&
        expected->dtype.bits)
        is_fine = inlay_dtype_is(expected->dtype, value->tensor->dtype);
    if (is_fine)
        return 0;
    call->kind = "TypeError";
    return inlay_check_value(call->frame, INLAY_ERROR_ARGUMENT, 0, expected, value);
}

int32_t inlay_ffi_begin(struct inlay_ffi_call *call, struct inlay_frame *frame,
                        const struct inlay_ffi_door *door, const struct inlay_value *args,
                        int32_t arg_count, void **objects)
{
    int32_t with_room = door->arg_count + door->wanted_count;

    call->giver = (struct inlay_artifact_giver){.arena = give_arena, .result = give_result};
    call->frame = frame;
    call->door = door;
    call->args = args;
    call->objects = objects;
    call->stored = NULL;
    call->arena = NULL;
    call->kind = NULL;
    for (int32_t i = 0; i < door->wanted_count; i++)
        objects[i] = NULL;
    inlay_artifact_open(frame, &call->error);
    inlay_artifact_ask(frame, &call->giver);
    call->is_given = arg_count != door->arg_count && arg_count == with_room && door->is_all_tensors;
    if (arg_count != door->arg_count && !call->is_given) {
        call->kind = "TypeError";
        return inlay_fail(frame, INLAY_ERROR_ARGUMENT, 0,
                          "`%s` takes %lld arguments, but was given %lld", door->name,
                          (long long)door->arg_count, (long long)arg_count);
    }
    return 0;
}

int32_t inlay_ffi_arguments(struct inlay_ffi_call *call, struct inlay_value *values)
{
    for (int32_t i = 0; i < call->door->arg_count; i++) {
        values[i] = plain_value(&call->args[i]);
        if (check_type(call, &call->door->expected[i], &values[i]) != 0)
            return -1;
    }
    return 0;
}

/* --- storage that parameters grow in --- */

/* @length of what is stored along @axis, in front of which nothing may be that would take its elements apart. */
static bool is_length(const struct inlay_tensor *whole, int32_t axis, int64_t length)
{
    bool is_one = true;

    for (int32_t i = 0; i < axis; i++)
        is_one = is_one && whole->shape[i] == 1;
    return is_one && length >= 0 && length <= whole->shape[axis];
}

static int32_t unpack(struct inlay_ffi_call *call, int32_t index, int32_t axis,
                      struct inlay_value *value, struct inlay_ffi_stored *stored, size_t *room)
{
    const struct ffi_array *array = value->pointer;
    const struct inlay_expected *expected = &call->door->expected[index];

    if (array->count != 2 || array->items[0].kind != FFI_TENSOR ||
        array->items[1].kind != INLAY_INT) {
        call->kind = "TypeError";
        return inlay_fail(call->frame, INLAY_ERROR_ARGUMENT, 0,
                          "%s should be a tensor and the length of what is in it", expected->name);
    }
    stored->owner = array->items[0].pointer;
    const struct inlay_tensor *whole = &stored->owner->tensor;
    int64_t bytes = inlay_tensor_bytes(whole->shape, whole->ndim, inlay_dtype_bytes(whole->dtype));
    if (whole->ndim <= axis || whole->ndim > INLAY_FFI_STORED_NDIM || bytes < 0 ||
        !is_length(whole, axis, array->items[1].integer))
        return inlay_fail(
            call->frame, INLAY_ERROR_ARGUMENT, 0,
            "%s cannot be of length %lld along axis %lld in the storage that is given",
            expected->name, (long long)array->items[1].integer, (long long)axis);
    *value = (struct inlay_value){.kind = INLAY_TENSOR, .tensor = (struct inlay_tensor *)whole};
    if (inlay_check_value(call->frame, INLAY_ERROR_ARGUMENT, 0,
                          &(struct inlay_expected){.name = expected->name,
                                                   .kind = INLAY_TENSOR,
                                                   .ndim = expected->ndim,
                                                   .dtype = expected->dtype},
                          value) != 0)
        return -1;
    stored->tensor = *whole;
    stored->tensor.shape = stored->dims;
    stored->tensor.strides = NULL;
    for (int32_t i = 0; i < whole->ndim; i++)
        stored->dims[i] = i == axis ? array->items[1].integer : whole->shape[i];
    value->tensor = &stored->tensor;
    *room = (size_t)bytes;
    return 0;
}

int32_t inlay_ffi_unpack(struct inlay_ffi_call *call, const int32_t *axes, int32_t arg_count,
                         struct inlay_value *unpacked, struct inlay_ffi_stored *stored,
                         size_t *rooms)
{
    struct inlay_ffi_stored *place = stored;
    int32_t with_room = arg_count + (call->is_given ? call->door->wanted_count : 0);

    for (int32_t i = 0; i < with_room; i++)
        unpacked[i] = call->args[i];
    for (int32_t i = 0; i < arg_count; i++) {
        rooms[i] = 0;
        place = (struct inlay_ffi_stored *)(void *)((char *)stored + (size_t)i * INLAY_FFI_STORED);
        place->owner = NULL;
        if (axes[i] >= 0 && unpacked[i].kind == FFI_ARRAY &&
            unpack(call, i, axes[i], &unpacked[i], place, &rooms[i]) != 0)
            return -1;
    }
    call->args = unpacked;
    call->stored = stored;
    inlay_artifact_rooms(call->frame, rooms);
    return 0;
}

/* --- results --- */

static bool call_global(const char *name, struct inlay_value *args, int32_t count,
                        struct inlay_value *out)
{
    struct ffi_bytes text = {name, strlen(name)};
    void *function = NULL;

    *out = (struct inlay_value){.kind = INLAY_NONE};
    if (!TVMFFIFunctionGetGlobal || !TVMFFIFunctionCall || !TVMFFIObjectDecRef ||
        TVMFFIFunctionGetGlobal(&text, &function) != 0 || !function)
        return false;
    bool is_good = TVMFFIFunctionCall(function, args, count, out) == 0;
    TVMFFIObjectDecRef(function);
    return is_good;
}

static void drop(struct inlay_value *value)
{
    if (value->kind >= FFI_OBJECT && TVMFFIObjectDecRef)
        TVMFFIObjectDecRef(value->pointer);
    value->kind = INLAY_NONE;
}

static int32_t fail_making(struct inlay_ffi_call *call, const char *what)
{
    return inlay_fail(call->frame, INLAY_ERROR_MEMORY, 0, "%s cannot be made for the caller", what);
}

static int32_t own_shape(struct inlay_ffi_call *call, const struct inlay_shape *shape,
                         struct inlay_value *out)
{
    enum { LIMIT = 32 };
    struct inlay_value dims[LIMIT];

    for (size_t i = 0; i < shape->count && i < LIMIT; i++)
        dims[i] = (struct inlay_value){.kind = INLAY_INT, .integer = shape->dims[i]};
    return shape->count <= LIMIT && call_global("ffi.Shape", dims, (int32_t)shape->count, out)
               ? 0
               : fail_making(call, "a shape");
}

static bool is_same_tensor(const struct inlay_tensor *a, const struct inlay_tensor *b)
{
    bool is_same = (char *)a->data + a->byte_offset == (char *)b->data + b->byte_offset &&
                   a->ndim == b->ndim && inlay_dtype_is(a->dtype, b->dtype);

    for (int32_t i = 0; is_same && i < a->ndim; i++)
        is_same = a->shape[i] == b->shape[i];
    return is_same;
}

struct ffi_view {
    struct ffi_tensor tensor;
    void *owner;
    int64_t dims[]; /* and strides */
};

static void end_view(void *self, int32_t flags)
{
    if (!(flags & WEAK_ENDS))
        return;
    TVMFFIObjectDecRef(((struct ffi_view *)self)->owner);
    inlay_block_give(self);
}

/* @tensor, which lies in the storage of an object; false: in none, or there is no memory. */
static bool own_stored(struct inlay_ffi_call *call, const struct inlay_tensor *tensor,
                       struct inlay_value *out)
{
    struct ffi_tensor *owner = NULL;
    struct ffi_view *view;
    int64_t stride = 1;

    for (int32_t i = 0; call->stored && !owner && i < call->door->arg_count; i++) {
        const struct inlay_ffi_stored *stored =
            (const void *)((const char *)call->stored + (size_t)i * INLAY_FFI_STORED);
        if (stored->owner && (char *)stored->tensor.data + stored->tensor.byte_offset ==
                                 (char *)tensor->data + tensor->byte_offset)
            owner = stored->owner;
    }
    if (!owner || !TVMFFIObjectIncRef || !TVMFFIObjectDecRef)
        return false;
    view = inlay_block_take(sizeof(*view) + 2 * (size_t)tensor->ndim * sizeof(int64_t));
    if (!view)
        return false;
    view->tensor = (struct ffi_tensor){
        .object = {.counts = (uint64_t)1 << 32 | 1, .type = FFI_TENSOR, .end = end_view},
        .tensor = *tensor};
    view->tensor.tensor.shape = view->dims;
    view->tensor.tensor.strides = view->dims + tensor->ndim;
    for (int32_t i = tensor->ndim - 1; i >= 0; i--) {
        view->dims[i] = tensor->shape[i];
        view->dims[tensor->ndim + i] = stride;
        stride *= tensor->shape[i] > 0 ? tensor->shape[i] : 1;
    }
    TVMFFIObjectIncRef(owner);
    view->owner = owner;
    *out = (struct inlay_value){.kind = FFI_TENSOR, .pointer = view};
    return true;
}

/* What lies in an argument: that one, if it is an object that can be owned twice, or a copy. */
static int32_t own_held(struct inlay_ffi_call *call, const struct inlay_tensor *tensor,
                        struct inlay_value *out)
{
    for (int32_t i = 0; i < call->door->arg_count; i++) {
        const struct inlay_value *arg = &call->args[i];
        if (arg->kind != FFI_TENSOR || !TVMFFIObjectIncRef ||
            !is_same_tensor(tensor, &((struct ffi_tensor *)arg->pointer)->tensor))
            continue;
        TVMFFIObjectIncRef(arg->pointer);
        *out = *arg;
        return 0;
    }
    if (own_stored(call, tensor, out))
        return 0;
    struct ffi_tensor *copy = new_tensor(tensor);
    if (!copy)
        return fail_making(call, "a result");
    int64_t bytes =
        inlay_tensor_bytes(tensor->shape, tensor->ndim, inlay_dtype_bytes(tensor->dtype));
    if (bytes > 0)
        memcpy(copy->tensor.data, (char *)tensor->data + tensor->byte_offset, (size_t)bytes);
    *out = (struct inlay_value){.kind = FFI_TENSOR, .pointer = copy};
    return 0;
}

static int32_t own_leaf(struct inlay_ffi_call *call, const struct inlay_value *result,
                        int32_t place, struct inlay_value *out)
{
    if (result->kind == INLAY_SHAPE)
        return own_shape(call, result->shape, out);
    if (result->kind != INLAY_TENSOR) {
        *out = *result;
        return 0;
    }
    if (place < 0)
        return own_held(call, result->tensor, out);
    *out = (struct inlay_value){.kind = FFI_TENSOR, .pointer = call->objects[place]};
    call->objects[place] = NULL;
    return 0;
}

/* The values from the last mark on become one. */
static int32_t close_tuple(struct inlay_ffi_call *call, struct inlay_value *stack, int32_t *top)
{
    struct inlay_value array;
    int32_t first = *top;

    while (stack[first - 1].kind >= 0)
        first--;
    bool is_good = call_global("ffi.Array", &stack[first], *top - first, &array);
    for (int32_t i = first; i < *top; i++)
        drop(&stack[i]);
    *top = first;
    stack[first - 1] = array;
    return is_good ? 0 : fail_making(call, "a tuple");
}

static int32_t own_results(struct inlay_ffi_call *call, const struct inlay_value *results,
                           struct inlay_value *stack, struct inlay_value *out)
{
    int32_t top = 0, leaf = 0, status = 0;

    for (const char *p = call->door->result; *p && status == 0; p++) {
        if (*p == ')') {
            status = close_tuple(call, stack, &top);
            continue;
        }
        stack[top] = (struct inlay_value){.kind = *p == '(' ? -1 : INLAY_NONE};
        if (*p == '.') {
            status = own_leaf(call, &results[leaf], call->door->places[leaf], &stack[top]);
            leaf++;
        }
        top++;
    }
    for (int32_t i = 0; status != 0 && i < top; i++)
        drop(&stack[i]);
    if (status == 0)
        *out = stack[0];
    return status;
}

/* --- errors --- */

static const char *kind_of(const struct inlay_ffi_call *call)
{
    if (call->kind)
        return call->kind;
    switch (call->error.kind) {
    case INLAY_ERROR_ARGUMENT:
    case INLAY_ERROR_SHAPE:
        return "ValueError";
    case INLAY_ERROR_BOUNDS:
        return "IndexError";
    case INLAY_ERROR_ASSERT:
        return "AssertionError";
    case INLAY_ERROR_MEMORY:
        return "MemoryError";
    default:
        return "RuntimeError";
    }
}

static void raise_error(const struct inlay_ffi_call *call)
{
    char place[128];
    const char *parts[] = {place, call->error.message, "\n  when calling: `", call->door->signature,
                           "`"};
    struct inlay_line line = inlay_line_in(place, sizeof(place));

    if (!TVMFFIErrorSetRaisedFromCStrParts)
        return;
    if (call->error.line > 0) {
        inlay_line_puts(&line, call->door->script);
        inlay_line_puts(&line, ":");
        inlay_line_number(&line, call->error.line);
        inlay_line_puts(&line, ": ");
    }
    TVMFFIErrorSetRaisedFromCStrParts(kind_of(call), parts, sizeof(parts) / sizeof(parts[0]));
}

void inlay_ffi_own(struct inlay_ffi_call *call, const struct inlay_value *results,
                   struct inlay_value *stack, struct inlay_value *out)
{
    if (call->error.kind == 0 && !call->is_given)
        (void)own_results(call, results, stack, out);
}

void inlay_ffi_own_new(struct inlay_ffi_call *call, struct inlay_value *out)
{
    if (call->error.kind != 0 || call->is_given)
        return;
    *out = (struct inlay_value){.kind = FFI_TENSOR, .pointer = call->objects[0]};
    call->objects[0] = NULL;
}

int32_t inlay_ffi_end(struct inlay_ffi_call *call)
{
    for (int32_t i = 0; i < call->door->wanted_count; i++)
        if (call->objects[i]) /* of a number, or of a run that failed */
            inlay_block_give(call->objects[i]);
    if (call->arena)
        inlay_block_give(call->arena);
    if (call->error.kind == 0)
        return 0;
    raise_error(call);
    return -1;
}
