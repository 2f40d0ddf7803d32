/*
 * Loads and stores of all lanes of a vector loop.
 *
 * What the lanes touch follows from how the indices differ between them:
 *
 *   A[i], A[j, i]      beside each other: one vector load or store
 *   A[n - 1 - i]       the same backwards
 *   A[2 * i]           few elements apart: what lies between is loaded too, and left out
 *   A[i, j]            at a fixed distance: lane by lane from one address
 *   A[i // 7, i % 7]   one of these, if 7 is the extent: as what the indices count together
 *   A[I[i]]            anywhere: lane by lane, each with its own address, unless they turn out to be
 *                      near each other (vector_window.c)
 *
 * Indices that are not proved are checked in all lanes that run before anything is touched; the message
 * names the first of those lanes that is wrong.  Under a mask, only what is proved is touched in all
 * lanes; proofs hold for iterations of the loop, not for lanes of its rest that are none.
 */
#include "codegen/llvm/kernel.h"

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

enum {
    NEAR = 4, /* elements between lanes that are loaded with what lies between */
    NEAR_LANES = 64,
};

enum pattern { ROW, REVERSED, SAME, STRIDED, SCATTERED };

struct place {
    enum pattern pattern;
    LLVMTypeRef type;      /* of an element in memory */
    unsigned bytes;        /* of an element */
    LLVMValueRef first;    /* address of the first lane */
    LLVMValueRef distance; /* elements between lanes, of STRIDED */
    LLVMValueRef pointers; /* of SCATTERED: a vector */
    LLVMValueRef offsets;  /* the same in elements from .. */
    const struct cg_buffer *view;
    LLVMValueRef mask; /* lanes that may be touched, NULL: all */
};

/* --- checks --- */

/* All lanes of an index, as int64. */
static LLVMValueRef index_of_lanes(struct cg_body *body, const struct ir_expr *e)
{
    LLVMValueRef index = cg_index(body, e);
    return index ? cg_splat(body->cg, index, body->vector->lanes) : NULL;
}

static LLVMValueRef first_index(struct cg_body *body, const struct ir_expr *e)
{
    body->vector->wants_first = true;
    LLVMValueRef index = cg_index(body, e);
    body->vector->wants_first = false;
    return index;
}

static LLVMValueRef bad_lanes(struct cg_body *body, LLVMValueRef index, LLVMValueRef extent)
{
    struct cg *cg = body->cg;
    LLVMValueRef limit = cg_splat(cg, extent, body->vector->lanes);
    LLVMValueRef bad = cg_compare(cg, LLVMIntUGE, index, limit);
    return body->vector->mask ? cg_and_then(cg, body->vector->mask, bad) : bad;
}

/* Goes on only if @is_fine; the message names the first lane of @index that is not. */
static void fail_at_lane(struct cg_body *body, const struct cg_buffer *view, unsigned axis,
                         LLVMValueRef is_fine, LLVMValueRef index)
{
    struct cg *cg = body->cg;
    LLVMBasicBlockRef good = cg_check_begin(cg, is_fine);
    LLVMTypeRef bits = LLVMIntTypeInContext(cg->context, body->vector->lanes);
    LLVMValueRef bad = BUILD(BitCast, bad_lanes(body, index, view->dims[axis]), bits);
    LLVMValueRef with_flag[] = {bad, LLVMConstInt(cg->i1, 0, false)};
    LLVMValueRef lane = cg_call_intrinsic(cg, "llvm.cttz", &bits, 1, with_flag, 2);
    LLVMValueRef args[] = {BUILD(ExtractElement, index, lane), cg_i64(cg, axis),
                           cg_string(cg, view->buffer->name), view->dims[axis]};
    cg_check_end(cg, good, INLAY_ERROR_BOUNDS, cg_out_of_range, args, 4);
}

/* Of int64 indices at a fixed distance, both ends: the others lie between them. */
static void check_ends(struct cg_body *body, const struct cg_buffer *view, unsigned axis,
                       LLVMValueRef first, int64_t stride)
{
    struct cg *cg = body->cg;
    unsigned lanes = body->vector->lanes;
    LLVMValueRef last = BUILD(Add, first, cg_i64(cg, stride * (lanes - 1)));
    LLVMValueRef is_fine = BUILD(And, cg_compare(cg, LLVMIntULT, first, view->dims[axis]),
                                 cg_compare(cg, LLVMIntULT, last, view->dims[axis]));
    LLVMValueRef index =
        BUILD(Add, cg_splat(cg, first, lanes), cg_iota(cg, cg->i64, lanes, stride));
    fail_at_lane(body, view, axis, is_fine, index);
}

static void check_lanes(struct cg_body *body, const struct cg_buffer *view, unsigned axis,
                        LLVMValueRef index)
{
    struct cg *cg = body->cg;
    LLVMValueRef bad = cg_any(cg, bad_lanes(body, index, view->dims[axis]));
    fail_at_lane(body, view, axis, BUILD(Not, bad), index);
}

/* --- places --- */

/*
 * Are also the lanes inside that are left out of the rest of a loop?  Those that run are; and the first does.
 * They may be loaded then.
 */
static bool is_whole(struct cg_body *body, const struct cg_buffer *view, unsigned axis,
                     struct cg_variation variation, LLVMValueRef first)
{
    if (body->vector->mask != body->vector->rest || variation.kind == CG_VARYING)
        return false;
    if (variation.kind == CG_UNIFORM)
        return true;
    if (!LLVMIsAConstantInt(first) || !LLVMIsAConstantInt(view->dims[axis]))
        return false;
    int64_t at = LLVMConstIntGetSExtValue(first);
    int64_t last = at + variation.stride * (body->vector->lanes - 1);
    return at >= 0 && last >= 0 && last < LLVMConstIntGetSExtValue(view->dims[axis]);
}

/* What one axis adds: checked, with its value in the first lane or in all (@is_scattered). */
static LLVMValueRef axis_index(struct cg_body *body, struct cg_buffer *view, unsigned axis,
                               const struct ir_expr *e, bool is_scattered, bool is_load,
                               struct place *place)
{
    const struct ir_expr *extent = view->buffer->shape[axis];
    bool is_proved = cg_index_is_proved(body, e, extent);
    bool is_checked = !is_proved && !cg_index_is_proved_here(body, e, extent);
    struct cg_variation variation = cg_variation_of(body, e);
    LLVMValueRef first = NULL, all = NULL;
    bool is_linear = variation.kind == CG_LINEAR;
    if (variation.kind != CG_VARYING && !(first = first_index(body, e)))
        return NULL;
    if (!is_proved ||
        (body->vector->rest && !(is_load && is_whole(body, view, axis, variation, first))))
        place->mask = body->vector->mask;
    bool by_ends = is_linear && !body->vector->mask && ir_dtype_equal(e->dtype, IR_I64);
    if (is_checked && by_ends)
        check_ends(body, view, axis, first, variation.stride);
    if (is_scattered || (is_checked && !by_ends)) {
        if (!(all = index_of_lanes(body, e)))
            return NULL;
        if (is_checked && !by_ends)
            check_lanes(body, view, axis, all);
    }
    return is_scattered ? all : first;
}

/* The distance between lanes in elements; NULL: they are the same. */
static LLVMValueRef distance_of(struct cg_body *body, const struct cg_buffer *view,
                                const struct ir_expr *const *indices)
{
    struct cg *cg = body->cg;
    LLVMValueRef step = cg_i64(cg, 1), sum = NULL;
    for (unsigned i = view->buffer->ndim; i-- > 0;) {
        struct cg_variation variation = cg_variation_of(body, indices[i]);
        LLVMValueRef stride = view->strides ? view->strides[i] : step;
        if (variation.kind == CG_LINEAR && variation.stride != 0) {
            LLVMValueRef part = BUILD(Mul, stride, cg_i64(cg, variation.stride));
            sum = sum ? BUILD(Add, sum, part) : part;
        }
        if (i)
            step = BUILD(Mul, step, view->dims[i]);
    }
    return sum;
}

static void place_pointers(struct cg_body *body, const struct cg_buffer *view, LLVMValueRef offset,
                           struct place *place)
{
    struct cg *cg = body->cg;
    place->pattern = SCATTERED;
    place->offsets = offset;
    place->view = view;
    place->pointers = LLVMBuildGEP2(cg->builder, place->type, view->data, &offset, 1, "");
}

/* A lane that does not run may have its address outside, so nothing is said of it being inside. */
static void place_linear(struct cg_body *body, const struct cg_buffer *view, LLVMValueRef offset,
                         LLVMValueRef distance, struct place *place)
{
    struct cg *cg = body->cg;
    place->first = LLVMBuildGEP2(cg->builder, place->type, view->data, &offset, 1, "");
    int64_t step = 0;
    bool is_known = !distance || LLVMIsAConstantInt(distance);
    if (distance && is_known)
        step = LLVMConstIntGetSExtValue(distance);
    place->distance = distance;
    place->pattern = !is_known    ? STRIDED
                     : step == 1  ? ROW
                     : step == -1 ? REVERSED
                     : step == 0  ? SAME
                                  : STRIDED;
}

/*
 * Lanes that differ in several indices may lie in a row all the same.  All indices must be proved, and so is what they
 * count together: then nothing wraps, and lanes that run touch what each index alone would say.
 */
static bool find_row(struct cg_body *body, const struct cg_buffer *view,
                     const struct ir_expr *const *indices, struct place *out)
{
    struct cg *cg = body->cg;
    struct cg_row row;
    bool is_proved = true;
    if (!cg_row_index(body, view->buffer, indices, &row))
        return false;
    const struct ir_expr *total = ir_expr_int(cg->ir, row.index->dtype, row.total);
    if (!cg_index_is_proved_here(body, row.index, total))
        return false;
    for (unsigned i = 0; i < view->buffer->ndim; i++) {
        const struct ir_expr *extent = view->buffer->shape[i];
        if (cg_index_is_proved(body, indices[i], extent))
            continue;
        is_proved = false;
        if (!cg_index_is_proved_here(body, indices[i], extent))
            return false;
    }
    LLVMValueRef offset = NULL;
    for (unsigned i = 0; i <= row.first; i++) {
        LLVMValueRef index = first_index(body, i < row.first ? indices[i] : row.index);
        LLVMValueRef size = i < row.first ? view->dims[i] : cg_i64(cg, row.total);
        if (!index)
            return false;
        offset = offset ? BUILD(Add, BUILD(Mul, offset, size), index) : index;
    }
    if (!is_proved || body->vector->rest)
        out->mask = body->vector->mask;
    LLVMValueRef distance = cg_i64(cg, cg_variation_of(body, row.index).stride);
    place_linear(body, view, offset, distance, out);
    return true;
}

static bool find_place(struct cg_body *body, const struct ir_buffer *buffer,
                       const struct ir_expr *const *indices, unsigned count, bool is_load,
                       struct place *out)
{
    struct cg *cg = body->cg;
    struct cg_buffer *view = cg_buffer_find(body, buffer);
    if (!view)
        return false;
    if (count != buffer->ndim)
        return cg_kernel_refuse(body, arena_printf(&cg->arena, "`%s` has %u axes, not %u",
                                                   buffer->name, buffer->ndim, count)) != NULL;
    *out = (struct place){.type = cg_memory_type(cg, buffer->dtype),
                          .bytes = ir_dtype_bytes(buffer->dtype)};
    bool is_scattered = false;
    for (unsigned i = 0; i < count; i++)
        is_scattered |= cg_variation_of(body, indices[i]).kind == CG_VARYING;
    if (is_scattered && find_row(body, view, indices, out))
        return true;
    LLVMValueRef *values = arena_array(&cg->arena, LLVMValueRef, count);
    for (unsigned i = 0; i < count; i++)
        if (!(values[i] = axis_index(body, view, i, indices[i], is_scattered, is_load, out)))
            return false;
    LLVMValueRef offset = cg_offset(cg, view, values, !out->mask);
    if (is_scattered)
        place_pointers(body, view, offset, out);
    else
        place_linear(body, view, offset, distance_of(body, view, indices), out);
    return true;
}

/* Addresses of all lanes as a vector. */
static LLVMValueRef all_pointers(struct cg_body *body, const struct place *place)
{
    struct cg *cg = body->cg;
    if (place->pattern == SCATTERED)
        return place->pointers;
    unsigned lanes = body->vector->lanes;
    LLVMValueRef distance = place->distance ? place->distance : cg_i64(cg, 0);
    LLVMValueRef offsets =
        BUILD(Mul, cg_splat(cg, distance, lanes), cg_iota(cg, cg->i64, lanes, 1));
    return LLVMBuildGEP2(cg->builder, place->type, place->first, &offsets, 1, "");
}

static LLVMValueRef pointer_of_lane(struct cg_body *body, const struct place *place, unsigned lane)
{
    struct cg *cg = body->cg;
    if (place->pattern == SCATTERED)
        return cg_lane(cg, place->pointers, lane);
    LLVMValueRef offset = BUILD(Mul, place->distance, cg_i64(cg, lane));
    return LLVMBuildGEP2(cg->builder, place->type, place->first, &offset, 1, "");
}

/* The address of the lane with the lowest address, of ROW and REVERSED. */
static LLVMValueRef lowest_pointer(struct cg_body *body, const struct place *place)
{
    struct cg *cg = body->cg;
    if (place->pattern == ROW)
        return place->first;
    LLVMValueRef offset = cg_i64(cg, 1 - (int64_t)body->vector->lanes);
    return LLVMBuildGEP2(cg->builder, place->type, place->first, &offset, 1, "");
}

static LLVMValueRef reverse(struct cg *cg, LLVMValueRef value)
{
    unsigned lanes = cg_lane_count(value);
    LLVMValueRef last = cg_splat(cg, cg_i32(cg, lanes - 1), lanes);
    LLVMValueRef order = BUILD(Sub, last, cg_iota(cg, cg->i32, lanes, 1));
    return BUILD(ShuffleVector, value, LLVMGetPoison(LLVMTypeOf(value)), order);
}

/* --- loads --- */

static LLVMValueRef load_masked(struct cg_body *body, const struct place *place)
{
    struct cg *cg = body->cg;
    LLVMTypeRef type = LLVMVectorType(place->type, body->vector->lanes);
    LLVMValueRef align = cg_i32(cg, place->bytes), zero = LLVMConstNull(type);
    if (place->pattern == ROW) {
        LLVMTypeRef types[] = {type, cg->ptr};
        LLVMValueRef args[] = {place->first, align, place->mask, zero};
        return cg_call_intrinsic(cg, "llvm.masked.load", types, 2, args, 4);
    }
    LLVMValueRef pointers = all_pointers(body, place);
    LLVMTypeRef types[] = {type, LLVMTypeOf(pointers)};
    LLVMValueRef args[] = {pointers, align, place->mask, zero};
    return cg_call_intrinsic(cg, "llvm.masked.gather", types, 2, args, 4);
}

static LLVMValueRef load_at(struct cg *cg, LLVMTypeRef type, LLVMValueRef pointer, unsigned align)
{
    LLVMValueRef load = cg_load(cg, type, pointer);
    LLVMSetAlignment(load, align);
    return load;
}

/* The distance of lanes that are few elements apart, either way; 0 of others. */
static int64_t near_distance(struct cg_body *body, const struct place *place)
{
    if (place->pattern != STRIDED || !LLVMIsAConstantInt(place->distance))
        return 0;
    int64_t distance = LLVMConstIntGetSExtValue(place->distance);
    int64_t size = distance < 0 ? -distance : distance;
    unsigned lanes = body->vector->lanes;
    return size <= NEAR && size <= lanes && lanes <= NEAR_LANES ? distance : 0;
}

/*
 * As many vectors as the distance, from the lowest lane to the highest: the last of them ends there, so
 * all lies between two elements that are in the buffer.  Each is put into the lanes that it has.
 */
static LLVMValueRef load_near(struct cg_body *body, const struct place *place, int64_t distance)
{
    struct cg *cg = body->cg;
    unsigned lanes = body->vector->lanes;
    unsigned size = (unsigned)(distance < 0 ? -distance : distance);
    LLVMTypeRef type = LLVMVectorType(place->type, lanes);
    LLVMValueRef mask[NEAR_LANES], low = place->first, result = LLVMGetPoison(type);
    if (distance < 0)
        low = pointer_of_lane(body, place, lanes - 1);
    for (unsigned c = 0; c < size; c++) {
        unsigned start = c + 1 < size ? c * lanes : (size - 1) * (lanes - 1);
        LLVMValueRef offset = cg_i64(cg, start);
        LLVMValueRef from = LLVMBuildGEP2(cg->builder, place->type, low, &offset, 1, "");
        LLVMValueRef part = load_at(cg, type, from, place->bytes);
        for (unsigned i = 0; i < lanes; i++) {
            unsigned at = (distance < 0 ? lanes - 1 - i : i) * size;
            bool is_here = (at / lanes < size ? at / lanes : size - 1) == c;
            mask[i] = cg_i32(cg, is_here ? lanes + at - start : i);
        }
        result = BUILD(ShuffleVector, result, part, LLVMConstVector(mask, lanes));
    }
    return result;
}

static LLVMValueRef load_lanes(struct cg_body *body, const struct place *place)
{
    struct cg *cg = body->cg;
    unsigned lanes = body->vector->lanes;
    LLVMValueRef result = NULL;
    if (place->pattern == SAME)
        return cg_splat(cg, load_at(cg, place->type, place->first, place->bytes), lanes);
    if (place->pattern == ROW || place->pattern == REVERSED) {
        LLVMTypeRef type = LLVMVectorType(place->type, lanes);
        result = load_at(cg, type, lowest_pointer(body, place), place->bytes);
        return place->pattern == ROW ? result : reverse(cg, result);
    }
    int64_t distance = near_distance(body, place);
    if (distance)
        return load_near(body, place, distance);
    for (unsigned i = 0; i < lanes; i++) {
        LLVMValueRef one = load_at(cg, place->type, pointer_of_lane(body, place, i), place->bytes);
        result = cg_set_lane(cg, result, one, i, lanes);
    }
    return result;
}

static LLVMValueRef load_anywhere(struct cg_body *body, const struct place *place)
{
    struct cg_window window;
    bool has_window = place->pattern == SCATTERED &&
                      cg_window_begin(body, place->view, place->type, place->offsets, &window);
    struct place far = *place;
    if (has_window && !place->mask)
        far.mask = LLVMConstAllOnes(LLVMVectorType(body->cg->i1, body->vector->lanes));
    LLVMValueRef bits = far.mask ? load_masked(body, &far) : load_lanes(body, place);
    return has_window ? cg_window_end(body->cg, &window, bits) : bits;
}

/* True if all lanes have the same element, or each its own storage. */
static bool is_plain(struct cg_body *body, const struct ir_buffer *buffer,
                     const struct ir_expr *const *indices, unsigned count)
{
    bool is_uniform = true;
    for (unsigned i = 0; i < count; i++)
        is_uniform &= cg_variation_of(body, indices[i]).kind == CG_UNIFORM;
    return is_uniform || map_has(&body->vector->privates, buffer);
}

LLVMValueRef cg_vector_load(struct cg_body *body, const struct ir_expr *e)
{
    struct cg *cg = body->cg;
    LLVMValueRef bits = NULL;
    if (is_plain(body, e->buffer, e->operands, e->operand_count)) {
        LLVMValueRef address = cg_address(body, e->buffer, e->operands, e->operand_count);
        if (!address)
            return NULL;
        unsigned lanes = cg_buffer_find(body, e->buffer)->lanes;
        bits = load_at(cg, cg_vector_type(cg_memory_type(cg, e->buffer->dtype), lanes), address,
                       ir_dtype_bytes(e->buffer->dtype));
    } else {
        struct place place;
        if (!find_place(body, e->buffer, e->operands, e->operand_count, true, &place))
            return NULL;
        bits = load_anywhere(body, &place);
    }
    return cg_from_memory(cg, e->buffer->dtype, bits);
}

/* --- stores --- */

static void store_to(struct cg *cg, LLVMValueRef value, LLVMValueRef pointer, unsigned align)
{
    LLVMSetAlignment(LLVMBuildStore(cg->builder, value, pointer), align);
}

static void store_masked(struct cg_body *body, const struct place *place, LLVMValueRef value)
{
    struct cg *cg = body->cg;
    LLVMValueRef align = cg_i32(cg, place->bytes), mask = body->vector->mask;
    if (place->pattern == ROW) {
        LLVMTypeRef types[] = {LLVMTypeOf(value), cg->ptr};
        LLVMValueRef args[] = {value, place->first, align, mask};
        cg_call_intrinsic(cg, "llvm.masked.store", types, 2, args, 4);
        return;
    }
    LLVMValueRef pointers = all_pointers(body, place);
    LLVMTypeRef types[] = {LLVMTypeOf(value), LLVMTypeOf(pointers)};
    LLVMValueRef args[] = {value, pointers, align, mask};
    cg_call_intrinsic(cg, "llvm.masked.scatter", types, 2, args, 4);
}

/*
 * The lanes spread over as many vectors as the distance, each stored under a mask: machines whose masks
 * cost nothing do not touch what lies between.
 */
static void store_near(struct cg_body *body, const struct place *place, LLVMValueRef value,
                       unsigned distance)
{
    struct cg *cg = body->cg;
    unsigned lanes = body->vector->lanes;
    LLVMTypeRef types[] = {LLVMTypeOf(value), cg->ptr};
    LLVMValueRef poison = LLVMGetPoison(types[0]), order[NEAR_LANES], bits[NEAR_LANES];
    for (unsigned c = 0; c < distance; c++) {
        for (unsigned i = 0; i < lanes; i++) {
            unsigned at = c * lanes + i;
            order[i] = cg_i32(cg, at / distance);
            bits[i] = LLVMConstInt(cg->i1, at % distance == 0, false);
        }
        LLVMValueRef part = BUILD(ShuffleVector, value, poison, LLVMConstVector(order, lanes));
        LLVMValueRef offset = cg_i64(cg, (int64_t)c * lanes);
        LLVMValueRef args[] = {
            part, LLVMBuildGEP2(cg->builder, place->type, place->first, &offset, 1, ""),
            cg_i32(cg, place->bytes), LLVMConstVector(bits, lanes)};
        cg_call_intrinsic(cg, "llvm.masked.store", types, 2, args, 4);
    }
}

static void store_lanes(struct cg_body *body, const struct place *place, LLVMValueRef value)
{
    struct cg *cg = body->cg;
    if (place->pattern == ROW || place->pattern == REVERSED) {
        value = place->pattern == ROW ? value : reverse(cg, value);
        store_to(cg, value, lowest_pointer(body, place), place->bytes);
        return;
    }
    int64_t distance = near_distance(body, place);
    if (distance > 0 && cg->codegen->options.target.vector_bytes >= 64) {
        store_near(body, place, value, (unsigned)distance);
        return;
    }
    for (unsigned i = 0; i < body->vector->lanes; i++) {
        /* in order: of lanes with one place (of a loop that runs once) the last one counts */
        LLVMValueRef pointer =
            place->pattern == SAME ? place->first : pointer_of_lane(body, place, i);
        store_to(cg, cg_lane(cg, value, i), pointer, place->bytes);
    }
}

/* Each lane has its own storage: what the mask leaves out keeps its value. */
static bool store_private(struct cg_body *body, const struct tir_stmt *stmt, LLVMValueRef value)
{
    struct cg *cg = body->cg;
    const struct ir_buffer *buffer = stmt->store.buffer;
    LLVMValueRef address = cg_address(body, buffer, stmt->store.indices, stmt->store.index_count);
    if (!address)
        return false;
    unsigned bytes = ir_dtype_bytes(buffer->dtype);
    if (body->vector->mask)
        value = BUILD(Select, body->vector->mask, value,
                      load_at(cg, LLVMTypeOf(value), address, bytes));
    store_to(cg, value, address, bytes);
    return true;
}

bool cg_vector_store(struct cg_body *body, const struct tir_stmt *stmt, LLVMValueRef value)
{
    value = cg_splat(body->cg, value, body->vector->lanes);
    if (map_has(&body->vector->privates, stmt->store.buffer))
        return store_private(body, stmt, value);
    struct place place;
    if (!find_place(body, stmt->store.buffer, stmt->store.indices, stmt->store.index_count, false,
                    &place))
        return false;
    if (body->vector->mask)
        store_masked(body, &place, value);
    else
        store_lanes(body, &place, value);
    return true;
}
