/*
 * Buffers of kernels: where their elements are, and that accesses stay inside.
 *
 * A buffer is a pointer to its first element, dims and maybe strides.  Other looks at storage
 * (decl_buffer, match_buffer) are checked against it when they are made, so that afterwards each access
 * is checked against its own buffer only.
 */
#include "codegen/llvm/kernel.h"

#include <string.h>

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

struct cg_buffer *cg_buffer_new(struct cg_body *body, const struct ir_buffer *buffer,
                                LLVMValueRef data)
{
    struct cg *cg = body->cg;
    struct cg_buffer *view = arena_new(&cg->arena, struct cg_buffer);
    view->buffer = buffer;
    view->data = data;
    view->dims = arena_array(&cg->arena, LLVMValueRef, buffer->ndim ? buffer->ndim : 1);
    view->param = -1;
    view->lanes = 1;
    map_set(&body->buffers, buffer, view);
    return view;
}

struct cg_buffer *cg_buffer_find(struct cg_body *body, const struct ir_buffer *buffer)
{
    struct cg_buffer *view = cg_captured_buffer(body, buffer);
    if (!view)
        return cg_kernel_refuse(
            body, arena_printf(&body->cg->arena, "buffer `%s` has no storage here", buffer->name));
    return view;
}

bool cg_buffer_set_dims(struct cg_body *body, struct cg_buffer *view)
{
    const struct ir_buffer *buffer = view->buffer;
    for (unsigned i = 0; i < buffer->ndim; i++) {
        view->dims[i] = cg_index(body, buffer->shape[i]);
        if (!view->dims[i])
            return false;
    }
    return true;
}

/* --- accesses --- */

const char cg_out_of_range[] = "index %lld is out of range for axis %lld of `%s` (extent %lld)";

LLVMValueRef cg_check_index(struct cg_body *body, struct cg_buffer *view, unsigned axis,
                            const struct ir_expr *e, LLVMValueRef index)
{
    struct cg *cg = body->cg;
    const struct ir_expr *extent = view->buffer->shape[axis];
    /* Under a mask, what all lanes read is read where none runs, too. */
    if (body->vector ? cg_index_is_proved(body, e, extent)
                     : cg_index_is_proved_here(body, e, extent))
        return NULL;
    LLVMValueRef is_inside = cg_compare(cg, LLVMIntULT, index, view->dims[axis]);
    LLVMValueRef args[] = {index, cg_i64(cg, axis), cg_string(cg, view->buffer->name),
                           view->dims[axis]};
    LLVMValueRef mask = body->vector ? body->vector->mask : NULL;
    LLVMValueRef is_fine = mask ? BUILD(Or, is_inside, BUILD(Not, cg_any(cg, mask))) : is_inside;
    cg_check(cg, is_fine, INLAY_ERROR_BOUNDS, cg_out_of_range, args, 4);
    return is_inside;
}

/* @address where @is_inside; else of room that is there, for lanes that do not use it. */
static LLVMValueRef address_or_room(struct cg *cg, LLVMValueRef is_inside, LLVMValueRef address)
{
    LLVMValueRef room = cg_alloca(cg, cg->i64, 8);
    cg_store(cg, cg_i64(cg, 0), room);
    return BUILD(Select, is_inside, address, room);
}

/* a + b or a * b; inside the storage none overflows. */
static LLVMValueRef step(struct cg *cg, LLVMOpcode opcode, LLVMValueRef a, LLVMValueRef b,
                         bool is_inside)
{
    LLVMValueRef values[] = {a, b};
    cg_match_lanes(cg, values, 2);
    LLVMValueRef result = LLVMBuildBinOp(cg->builder, opcode, values[0], values[1], "");
    if (is_inside && LLVMIsAInstruction(result))
        LLVMSetNSW(result, true);
    return result;
}

LLVMValueRef cg_offset(struct cg *cg, const struct cg_buffer *view, LLVMValueRef *indices,
                       bool is_inside)
{
    LLVMValueRef offset = NULL;
    for (unsigned i = 0; i < view->buffer->ndim; i++) {
        LLVMValueRef index = indices[i];
        if (view->strides)
            index = step(cg, LLVMMul, index, view->strides[i], is_inside);
        else if (offset)
            offset = step(cg, LLVMMul, offset, view->dims[i], is_inside);
        offset = offset ? step(cg, LLVMAdd, offset, index, is_inside) : index;
    }
    return offset;
}

LLVMValueRef cg_address(struct cg_body *body, const struct ir_buffer *buffer,
                        const struct ir_expr *const *indices, unsigned count)
{
    struct cg *cg = body->cg;
    struct cg_buffer *view = cg_buffer_find(body, buffer);
    if (!view)
        return NULL;
    if (count != buffer->ndim)
        return cg_kernel_refuse(body, arena_printf(&cg->arena, "`%s` has %u axes, not %u",
                                                   buffer->name, buffer->ndim, count));
    LLVMValueRef *values = arena_array(&cg->arena, LLVMValueRef, count ? count : 1);
    LLVMValueRef all_inside = NULL;
    for (unsigned i = 0; i < count; i++) {
        values[i] = cg_index(body, indices[i]);
        if (!values[i])
            return NULL;
        LLVMValueRef is_inside = cg_check_index(body, view, i, indices[i], values[i]);
        if (is_inside && body->vector && body->vector->mask)
            all_inside = all_inside ? BUILD(And, all_inside, is_inside) : is_inside;
    }
    LLVMTypeRef type = cg_vector_type(cg_memory_type(cg, buffer->dtype), view->lanes);
    LLVMValueRef offset = cg_offset(cg, view, values, true);
    LLVMValueRef address = offset ? cg_element(cg, type, view->data, offset) : view->data;
    return all_inside ? address_or_room(cg, all_inside, address) : address;
}

/* --- allocations --- */

static bool is_gpu_scope(const char *scope)
{
    static const char *const cpu[] = {"", "global", "local"};
    for (size_t i = 0; scope && i < ARRAY_SIZE(cpu); i++)
        if (strcmp(scope, cpu[i]) == 0)
            return false;
    return scope != NULL;
}

static bool check_buffer(struct cg_body *body, const struct ir_buffer *buffer)
{
    struct cg *cg = body->cg;
    struct location loc = buffer->loc.source ? buffer->loc : cg->loc;
    if (is_gpu_scope(buffer->scope)) {
        const char *text = arena_printf(&cg->arena, "storage in scope \"%s\"", buffer->scope);
        diag_report(cg->diag, loc, CODEGEN_GPU, text);
        return false;
    }
    if (buffer->dtype.lanes != 1)
        return cg_kernel_refuse(body, "buffers of vectors are not supported");
    return cg_check_dtype(body, buffer->dtype);
}

LLVMValueRef cg_product_bytes(struct cg *cg, LLVMValueRef *dims, unsigned count, unsigned bytes)
{
    int64_t constants[16], result = 0;
    bool is_constant = count <= ARRAY_SIZE(constants);
    for (unsigned i = 0; is_constant && i < count; i++) {
        is_constant = LLVMIsAConstantInt(dims[i]) != NULL;
        if (is_constant)
            constants[i] = LLVMConstIntGetSExtValue(dims[i]);
    }
    if (is_constant) {
        result = inlay_tensor_bytes(constants, (int32_t)count, (int32_t)bytes);
        return cg_i64(cg, result);
    }
    if (count > cg->dims_limit) { /* used anew each time, so that the stack does not grow */
        cg->dims_limit = count * 2;
        cg->dims = cg_alloca(cg, LLVMArrayType2(cg->i64, cg->dims_limit), 8);
    }
    LLVMValueRef array = cg->dims;
    for (unsigned i = 0; i < count; i++)
        cg_store(cg, dims[i], cg_element(cg, cg->i64, array, cg_i64(cg, i)));
    LLVMValueRef args[] = {array, cg_i32(cg, count), cg_i32(cg, bytes)};
    return cg_call_runtime(cg, CG_inlay_tensor_bytes, args, 3);
}

/* What threads take was counted for all of them. */
static void count_scratch(struct cg_body *body, const struct cg_buffer *view)
{
    LLVMValueRef args[] = {body->cg->frame, view->data, view->bytes};
    if (body->cg->codegen->options.counts_memory && !body->outer)
        cg_call_runtime(body->cg, CG_inlay_count_tensor, args, 3);
}

bool cg_emit_alloc(struct cg_body *body, const struct ir_buffer *buffer, bool is_written)
{
    struct cg *cg = body->cg;
    if (!check_buffer(body, buffer))
        return false;
    const struct cg_buffer *before = map_get(&body->buffers, buffer);
    struct cg_buffer *view = cg_buffer_new(body, buffer, NULL);
    if (!cg_buffer_set_dims(body, view))
        return false;
    int64_t small = stack_small_bytes(cg->ir, buffer);
    if (body->vector) { /* planned: it is small */
        view->lanes = body->vector->lanes;
        small *= view->lanes;
    }
    if (small >= 0) {
        /* Zeroed: what LLVM knows to be undefined may behave in any way.  Mostly optimized away. */
        LLVMTypeRef type = LLVMArrayType2(cg->i8, small ? (uint64_t)small : 1);
        bool is_again = before && before->stack_bytes == small && small > 0; /* unrolled */
        view->data = is_again ? before->data : cg_alloca(cg, type, small >= 64 ? 64 : 8);
        view->stack_bytes = small;
        if (!is_written)
            LLVMBuildMemSet(cg->builder, view->data, LLVMConstInt(cg->i8, 0, false),
                            cg_i64(cg, small), 8);
        view->bytes = cg_i64(cg, small);
        return true;
    }
    view->bytes = cg_product_bytes(cg, view->dims, buffer->ndim, ir_dtype_bytes(buffer->dtype));
    LLVMValueRef args[] = {cg->frame, view->bytes, cg_line(cg)};
    view->data = cg_call_runtime(cg, CG_inlay_stack_take, args, 3);
    cg_check_pointer(cg, view->data);
    array_push(&body->taken, view->data);
    count_scratch(body, view);
    return true;
}

void cg_give_scratch(struct cg_body *body, size_t count, bool is_final)
{
    struct cg *cg = body->cg;
    for (size_t i = body->taken.count; i > count && !cg_is_terminated(cg); i--) {
        LLVMValueRef args[] = {cg->frame, body->taken.items[i - 1]};
        cg_call_runtime(cg, CG_inlay_stack_give, args, 2);
    }
    if (is_final)
        body->taken.count = count;
}

/* --- other looks at storage --- */

static bool is_bare_var(const struct ir_expr *e)
{
    return e && e->kind == IR_EXPR_var;
}

/* The value of @e, binding it if it is a variable without one to @value; else they must be equal. */
static bool bind_or_check(struct cg_body *body, const struct ir_expr *e, LLVMValueRef value,
                          const char *what)
{
    struct cg *cg = body->cg;
    if (is_bare_var(e) && !cg_var(body, e->var)) {
        LLVMTypeRef type = cg_register_type(cg, e->dtype);
        LLVMValueRef narrow = LLVMBuildIntCast2(cg->builder, value, type, true, "");
        map_set(&cg->vars, e->var, narrow);
        return true;
    }
    LLVMValueRef wanted = cg_index(body, e);
    if (!wanted)
        return false;
    LLVMValueRef args[] = {cg_string(cg, what), wanted, value};
    cg_check(cg, cg_compare(cg, LLVMIntEQ, wanted, value), INLAY_ERROR_SHAPE,
             "%s should be %lld, but is %lld", args, 3);
    return true;
}

/* Bytes from the first element to behind the last one, if all dims are above 0. */
static LLVMValueRef span_bytes(struct cg *cg, struct cg_buffer *view, unsigned element)
{
    if (!view->strides)
        return cg_product_bytes(cg, view->dims, view->buffer->ndim, element);
    LLVMValueRef last = cg_i64(cg, 0);
    for (unsigned i = 0; i < view->buffer->ndim; i++) {
        LLVMValueRef steps = BUILD(Sub, view->dims[i], cg_i64(cg, 1));
        last = BUILD(Add, last, BUILD(Mul, steps, view->strides[i]));
    }
    return BUILD(Mul, BUILD(Add, last, cg_i64(cg, 1)), cg_i64(cg, element));
}

static bool set_strides(struct cg_body *body, struct cg_buffer *view)
{
    struct cg *cg = body->cg;
    const struct ir_buffer *buffer = view->buffer;
    if (!buffer->strides)
        return true;
    view->strides = arena_array(&cg->arena, LLVMValueRef, buffer->ndim ? buffer->ndim : 1);
    for (unsigned i = 0; i < buffer->ndim; i++) {
        view->strides[i] = cg_index(body, buffer->strides[i]);
        if (!view->strides[i])
            return false;
    }
    return true;
}

bool cg_emit_decl(struct cg_body *body, const struct ir_buffer *buffer)
{
    struct cg *cg = body->cg;
    if (!buffer->data_of)
        return cg_kernel_refuse(body, "T.decl_buffer needs the data of a buffer of the kernel");
    struct cg_buffer *source = cg_buffer_find(body, buffer->data_of);
    if (!source || !check_buffer(body, buffer))
        return false;
    struct cg_buffer *view = cg_buffer_new(body, buffer, source->data);
    view->param = source->param;
    if (!cg_buffer_set_dims(body, view) || !set_strides(body, view))
        return false;
    unsigned element = ir_dtype_bytes(buffer->dtype);
    LLVMValueRef offset = cg_i64(cg, 0);
    if (buffer->elem_offset) {
        offset = cg_index(body, buffer->elem_offset);
        if (!offset)
            return false;
    }
    LLVMValueRef start = BUILD(Mul, offset, cg_i64(cg, element));
    LLVMValueRef span = span_bytes(cg, view, element);
    LLVMValueRef room = BUILD(Sub, source->bytes, start);
    LLVMValueRef is_inside = cg_compare(cg, LLVMIntSLE, span, room);
    LLVMValueRef is_after = cg_compare(cg, LLVMIntSGE, offset, cg_i64(cg, 0));
    LLVMValueRef is_sized = cg_compare(cg, LLVMIntSGE, span, cg_i64(cg, 0));
    LLVMValueRef is_fine = BUILD(And, BUILD(And, is_inside, is_after), is_sized);
    LLVMValueRef args[] = {cg_string(cg, buffer->name), span, start,
                           cg_string(cg, buffer->data_of->name), source->bytes};
    cg_check(cg, is_fine, INLAY_ERROR_BOUNDS,
             "`%s` takes %lld bytes from byte %lld on of `%s`, which has %lld", args, 5);
    view->data = cg_element(cg, cg->i8, source->data, start);
    view->bytes = room;
    return true;
}

/* The compact strides of @view. */
static LLVMValueRef *compact_strides(struct cg *cg, const struct cg_buffer *view)
{
    unsigned count = view->buffer->ndim;
    LLVMValueRef *strides = arena_array(&cg->arena, LLVMValueRef, count ? count : 1);
    for (unsigned i = count; i-- > 0;)
        strides[i] = i + 1 == count
                         ? cg_i64(cg, 1)
                         : LLVMBuildNSWMul(cg->builder, strides[i + 1], view->dims[i + 1], "");
    return strides;
}

/* Checks that the region lies in @source; adds up the offset of its first element. */
static LLVMValueRef region_offset(struct cg_body *body, const struct tir_region *region,
                                  struct cg_buffer *source, LLVMValueRef *strides,
                                  LLVMValueRef *out_extents)
{
    struct cg *cg = body->cg;
    LLVMValueRef offset = cg_i64(cg, 0);
    for (unsigned i = 0; i < source->buffer->ndim; i++) {
        LLVMValueRef min = cg_index(body, region->min[i]);
        out_extents[i] = min ? cg_index(body, region->extent[i]) : NULL;
        if (!out_extents[i])
            return NULL;
        LLVMValueRef room = BUILD(Sub, source->dims[i], out_extents[i]);
        LLVMValueRef is_fine =
            BUILD(And, cg_compare(cg, LLVMIntULE, out_extents[i], source->dims[i]),
                  BUILD(And, cg_compare(cg, LLVMIntSGE, min, cg_i64(cg, 0)),
                        cg_compare(cg, LLVMIntSLE, min, room)));
        LLVMValueRef args[] = {min, out_extents[i], cg_i64(cg, i),
                               cg_string(cg, source->buffer->name), source->dims[i]};
        cg_check(cg, is_fine, INLAY_ERROR_BOUNDS,
                 "the region from %lld with extent %lld is out of range for axis %lld of `%s` "
                 "(extent %lld)",
                 args, 5);
        offset = BUILD(Add, offset, BUILD(Mul, min, strides[i]));
    }
    return offset;
}

bool cg_emit_match(struct cg_body *body, const struct tir_match *match)
{
    struct cg *cg = body->cg;
    const struct ir_buffer *buffer = match->buffer;
    struct cg_buffer *source = cg_buffer_find(body, match->source.buffer);
    if (!source || !check_buffer(body, buffer))
        return false;
    unsigned rank = source->buffer->ndim, skipped = rank - buffer->ndim;
    if (buffer->ndim > rank || !ir_dtype_equal(buffer->dtype, source->buffer->dtype))
        return cg_kernel_refuse(body, "T.match_buffer of another rank or dtype");
    LLVMValueRef *strides = source->strides ? source->strides : compact_strides(cg, source);
    LLVMValueRef *extents = arena_array(&cg->arena, LLVMValueRef, rank ? rank : 1);
    LLVMValueRef offset = region_offset(body, &match->source, source, strides, extents);
    if (!offset)
        return false;
    struct cg_buffer *view = cg_buffer_new(body, buffer, NULL);
    view->data = cg_element(cg, cg_memory_type(cg, buffer->dtype), source->data, offset);
    view->strides = arena_array(&cg->arena, LLVMValueRef, rank ? rank : 1);
    view->param = source->param;
    for (unsigned i = 0; i < rank; i++) {
        if (i < skipped) {
            LLVMValueRef args[] = {extents[i]};
            cg_check(cg, cg_compare(cg, LLVMIntEQ, extents[i], cg_i64(cg, 1)), INLAY_ERROR_SHAPE,
                     "a dropped axis of a matched region has extent %lld, not 1", args, 1);
            continue;
        }
        view->strides[i - skipped] = strides[i];
        if (!bind_or_check(body, buffer->shape[i - skipped], extents[i],
                           "a dimension of the matched region"))
            return false;
        if (buffer->strides && !bind_or_check(body, buffer->strides[i - skipped], strides[i],
                                              "a stride of the matched region"))
            return false;
    }
    if (is_bare_var(buffer->elem_offset) &&
        !bind_or_check(body, buffer->elem_offset, offset, "the offset of the matched region"))
        return false;
    if (!cg_buffer_set_dims(body, view))
        return false;
    /* For views of the view: a strided region has no simple end, so count its own span. */
    view->bytes = span_bytes(cg, view, ir_dtype_bytes(buffer->dtype));
    return true;
}
