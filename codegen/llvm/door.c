/*
 * Doors: what callers of an artifact call.  Each makes a frame on its stack and calls the entry of the
 * graph function, which checks arguments as it does for everyone.
 *
 *     int32_t NAME(x, y, .., n, .., arena)      boxes what C knows by its types
 *     int32_t NAME_dl(args, rooms, count, ..)         takes tensors that say themselves what they are
 *     int32_t __tvm_ffi_NAME(handle, args, count, result)        see door_ffi.c
 *     size_t NAME_arena_bytes(n, ..)
 *     const char *PREFIX_message(status, buffer, size)
 *
 * A door is two functions: the visible one, which has the frame, and one in the form of all other functions
 * (frame first, -1 after an error), which the visible one calls.
 */
#include "codegen/llvm/door.h"

#include "analysis/leaves.h"
#include "runtime/artifact/artifact.h"

#include <string.h>

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

struct door {
    struct cg_graph g;
    const struct codegen_door *info;
    LLVMValueRef room;   /* see room_type() */
    LLVMValueRef wanted; /* a row of boxed tensors: where results go */
    unsigned wanted_count;
    LLVMValueRef args; /* a row of values */
    unsigned arg_count;
};

/* --- functions --- */

LLVMValueRef cg_door_function(struct cg *cg, const char *name, LLVMTypeRef result,
                              LLVMTypeRef *types, unsigned count, bool is_visible)
{
    LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
    LLVMValueRef function = LLVMAddFunction(cg->unit->llvm, name, type);

    if (is_visible)
        LLVMSetVisibility(function, LLVMProtectedVisibility); /* see artifact.c */
    else
        LLVMSetLinkage(function, LLVMInternalLinkage);
    cg_add_attribute(cg, function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "nounwind", 0);
    if (is_visible && result == cg->i32) /* as some ABIs want it */
        cg_add_attribute(cg, function, LLVMAttributeReturnIndex, "signext", 0);
    return function;
}

/* Emission goes on in the visible function @function. */
void cg_door_begin(struct cg *cg, LLVMValueRef function)
{
    cg->function = function;
    cg->scope = NULL;
    LLVMSetCurrentDebugLocation2(cg->builder, NULL);
    cg_at(cg, cg_block(cg, ""));
}

LLVMValueRef cg_door_stack(struct cg *cg, LLVMTypeRef type, size_t count, unsigned align)
{
    LLVMValueRef place = BUILD(Alloca, LLVMArrayType2(type, count ? count : 1));

    LLVMSetAlignment(place, align);
    return place;
}

LLVMValueRef cg_open_frame(struct cg *cg, LLVMValueRef error)
{
    LLVMValueRef frame = cg_door_stack(cg, cg->i8, INLAY_ARTIFACT_FRAME, 16);
    LLVMValueRef args[] = {frame, error};

    cg_call_runtime(cg, CG_inlay_artifact_open, args, 2);
    return frame;
}

LLVMValueRef cg_door_call(struct cg *cg, LLVMValueRef function, LLVMValueRef *args, unsigned count)
{
    return LLVMBuildCall2(cg->builder, LLVMGlobalGetValueType(function), function, args, count, "");
}

static LLVMTypeRef c_type(struct cg *cg, const struct codegen_param *param)
{
    if (param->kind == CODEGEN_NUMBER)
        return cg_memory_type(cg, param->type->dtype);
    return param->kind == CODEGEN_SYMBOL ? cg->i64 : cg->ptr;
}

/* --- results --- */

/*
 * The room that results are described in, by leaf: what the entry is given, and what the caller gives.  It outlives
 * the inner function.
 */
enum { ROOM_TENSORS, ROOM_SHAPES, ROOM_DIMS };

/* Dims in front of those of leaf @leaf. */
static unsigned dims_before(const struct ir_type *result, unsigned leaf)
{
    unsigned count = 0;

    for (unsigned i = 0; i < leaf; i++) {
        const struct ir_type *type = leaf_type(result, i);
        count += type->kind == IR_TYPE_SHAPE ? 1 : type->ndim > 0 ? (unsigned)type->ndim : 0;
    }
    return count;
}

static LLVMTypeRef room_type(struct cg *cg, const struct ir_function *function)
{
    unsigned count = leaf_count(function->result);
    LLVMTypeRef parts[] = {LLVMArrayType2(cg->tensor_type, count),
                           LLVMArrayType2(cg->shape_type, count),
                           LLVMArrayType2(cg->i64, dims_before(function->result, count))};

    return LLVMStructTypeInContext(cg->context, parts, ARRAY_SIZE(parts), false);
}

LLVMValueRef cg_door_room(struct cg *cg, const struct ir_function *function)
{
    return cg_door_stack(cg, room_type(cg, function), 1, 8);
}

static LLVMValueRef room_part(struct door *door, unsigned part, LLVMTypeRef type, unsigned index)
{
    struct cg *cg = door->g.cg;
    LLVMValueRef row = cg_field(cg, room_type(cg, door->g.function), door->room, part);

    return cg_element(cg, type, row, cg_i64(cg, index));
}

/* The tensor that result leaf @leaf goes to, which is at @data. */
static struct cg_value *wanted_tensor(struct cg_graph *g, const struct ir_type *type,
                                      LLVMValueRef data)
{
    struct cg_value *value;

    if (type->kind == IR_TYPE_TENSOR) {
        value = cg_tensor_new(g, type->dtype, (unsigned)type->ndim, data, NULL);
        return cg_type_dims(g, type, value->dims) ? value : NULL;
    }
    if (type->kind == IR_TYPE_PRIM)
        return cg_tensor_new(g, type->dtype, 0, data, NULL);
    value = cg_tensor_new(g, IR_I64, 1, data, NULL);
    value->dims[0] = cg_i64(g->cg, type->ndim);
    return value;
}

/* The tensor of leaf @leaf in the room, in @slot; at @data, or NULL: not known yet. */
static bool box_result(struct door *door, unsigned leaf, LLVMValueRef data, LLVMValueRef slot)
{
    struct cg *cg = door->g.cg;
    const struct ir_type *result = door->g.function->result;
    struct cg_value *value =
        wanted_tensor(&door->g, leaf_type(result, leaf), data ? data : LLVMConstNull(cg->ptr));

    if (!value)
        return false;
    cg_box_tensor_in(cg, value, slot, room_part(door, ROOM_TENSORS, cg->tensor_type, leaf),
                     room_part(door, ROOM_DIMS, cg->i64, dims_before(result, leaf)));
    return true;
}

/* What results are wanted, each where @data says, by parameter; NULL: not known yet. */
static bool box_wanted(struct door *door, const LLVMValueRef *data)
{
    struct cg_graph *g = &door->g;
    struct cg *cg = g->cg;
    unsigned next = 0;

    for (size_t i = 0; i < door->info->param_count; i++)
        door->wanted_count += door->info->params[i].kind == CODEGEN_RESULT;
    door->wanted = cg_room_values(g, door->wanted_count);
    for (size_t i = 0; i < door->info->param_count; i++) {
        const struct codegen_param *param = &door->info->params[i];
        LLVMValueRef slot = cg_element(cg, cg->value_type, door->wanted, cg_i64(cg, next));
        if (param->kind != CODEGEN_RESULT)
            continue;
        next++;
        if (!box_result(door, param->leaf, data ? data[i] : NULL, slot))
            return false;
    }
    return true;
}

/* Where the entry puts leaf @leaf; @wanted (NULL: it lies in an argument) is where it goes. */
static void give_room(struct door *door, unsigned leaf, LLVMValueRef wanted)
{
    struct cg *cg = door->g.cg;
    const struct ir_type *type = leaf_type(door->g.function->result, leaf);
    LLVMValueRef slot = cg_element(cg, cg->value_type, door->g.results, cg_i64(cg, leaf));
    LLVMValueRef tensor = room_part(door, ROOM_TENSORS, cg->tensor_type, leaf);

    if (type->kind == IR_TYPE_SHAPE && wanted)
        cg_box_shape_in(cg, (unsigned)type->ndim, slot,
                        room_part(door, ROOM_SHAPES, cg->shape_type, leaf),
                        cg_load(cg, cg->ptr, cg_field(cg, cg->tensor_type, tensor, 0)));
    else if (wanted)
        LLVMBuildMemCpy(cg->builder, slot, 8, wanted, 8, cg_i64(cg, sizeof(struct inlay_value)));
    else
        (void)box_result(door, leaf, NULL, slot);
}

static void give_rooms(struct door *door)
{
    struct cg *cg = door->g.cg;
    unsigned count = leaf_count(door->g.function->result), next = 0;
    bool *is_wanted = arena_array(&cg->arena, bool, count + 1);

    for (size_t i = 0; i < door->info->param_count; i++) {
        const struct codegen_param *param = &door->info->params[i];
        if (param->kind != CODEGEN_RESULT)
            continue;
        is_wanted[param->leaf] = true;
        give_room(door, param->leaf,
                  cg_element(cg, cg->value_type, door->wanted, cg_i64(cg, next++)));
    }
    for (unsigned i = 0; i < count; i++)
        if (!is_wanted[i])
            give_room(door, i, NULL);
}

/* Numbers come as values. */
static void deliver_numbers(struct door *door)
{
    struct cg_graph *g = &door->g;
    struct cg *cg = g->cg;

    for (size_t i = 0; i < door->info->param_count; i++) {
        const struct codegen_param *param = &door->info->params[i];
        if (param->kind != CODEGEN_RESULT || param->type->kind != IR_TYPE_PRIM)
            continue;
        LLVMValueRef slot = cg_element(cg, cg->value_type, g->results, cg_i64(cg, param->leaf));
        LLVMValueRef tensor = room_part(door, ROOM_TENSORS, cg->tensor_type, param->leaf);
        struct cg_value *value = cg_unbox(g, param->type, slot, NULL);
        cg_store(cg, cg_to_memory(cg, param->type->dtype, value->data),
                 cg_load(cg, cg->ptr, cg_field(cg, cg->tensor_type, tensor, 0)));
    }
}

/* Arena, entry, results. */
static bool run(struct door *door, LLVMValueRef arena, LLVMValueRef room)
{
    struct cg_graph *g = &door->g;
    struct cg *cg = g->cg;
    unsigned count = leaf_count(g->function->result);
    LLVMValueRef bytes = cg_dim(cg, door->info->need);

    if (!bytes)
        return false;
    LLVMValueRef memory[] = {cg->frame, arena, room ? room : bytes, bytes};
    if (!ir_expr_is_int(door->info->need, 0))
        cg_check_status(cg, cg_call_runtime(cg, CG_inlay_artifact_arena, memory, 4));
    LLVMValueRef apart[] = {cg->frame,    cg_string(cg, g->function->name),
                            door->args,   cg_i32(cg, door->arg_count),
                            door->wanted, cg_i32(cg, door->wanted_count)};
    if (door->wanted_count > 0)
        cg_check_status(cg, cg_call_runtime(cg, CG_inlay_artifact_apart, apart, 6));
    give_rooms(door);
    LLVMValueRef args[] = {cg->frame, door->args, cg_i32(cg, door->arg_count), g->results,
                           cg_i32(cg, count)};
    cg_check_status(cg, cg_door_call(cg, cg_entry_of(cg, g->function), args, 5));
    deliver_numbers(door);
    return true;
}

static void begin(struct door *door, struct cg *cg, const struct codegen_door *info,
                  LLVMValueRef function)
{
    *door = (struct door){.g = {.cg = cg, .function = info->function}, .info = info};
    door->g.scalars.cg = cg;
    cg_function_begin(cg, function, info->name, info->function->loc);
    cg_room_reset(&door->g);
}

static void finish(struct door *door, bool is_fine)
{
    if (is_fine)
        cg_function_end(door->g.cg);
    map_finish(&door->g.values);
    map_finish(&door->g.scalars.buffers);
    array_finish(&door->g.scalars.ranges);
    array_finish(&door->g.scalars.hidden);
    map_finish(&door->g.scalars.values);
}

/* --- the plain door --- */

/* Numbers and symbols are what dims are computed of. */
static void bind_number(struct cg *cg, const struct codegen_param *param, LLVMValueRef value)
{
    LLVMTypeRef type = param->symbol ? cg_register_type(cg, param->symbol->dtype) : NULL;

    if (type)
        map_set(&cg->vars, param->symbol, LLVMBuildIntCast2(cg->builder, value, type, true, ""));
}

/* Dims from the array @shape, or as @type says. */
static bool set_dims(struct door *door, const struct ir_type *type, LLVMValueRef shape,
                     struct cg_value *value)
{
    struct cg *cg = door->g.cg;

    if (!shape)
        return type->ndim <= 0 || cg_type_dims(&door->g, type, value->dims);
    for (unsigned i = 0; i < value->count; i++)
        value->dims[i] = cg_load(cg, cg->i64, cg_element(cg, cg->i64, shape, cg_i64(cg, i)));
    return true;
}

/* Leaf @leaf of the parameters, from what C gives for it; NULL after a report. */
static struct cg_value *plain_leaf(struct door *door, const struct ir_type *type, unsigned leaf,
                                   const LLVMValueRef *given)
{
    struct cg_graph *g = &door->g;
    struct cg_value *value;
    LLVMValueRef data = NULL, shape = NULL;

    for (size_t i = 0; i < door->info->param_count; i++) {
        const struct codegen_param *param = &door->info->params[i];
        bool is_of_args = param->kind <= CODEGEN_NUMBER && param->leaf == leaf;
        if (is_of_args && param->kind == CODEGEN_SHAPE)
            shape = given[i];
        else if (is_of_args)
            data = given[i];
    }
    if (type->kind == IR_TYPE_PRIM) {
        value = cg_value_new(g, CG_SCALAR, 0);
        value->dtype = type->dtype;
        value->data = cg_from_memory(g->cg, type->dtype, data);
        return value;
    }
    if (type->kind == IR_TYPE_SHAPE) {
        value = cg_value_new(g, CG_SHAPE, (unsigned)type->ndim);
        return set_dims(door, type, data, value) ? value : NULL;
    }
    value = cg_tensor_new(g, type->dtype, (unsigned)type->ndim, data, NULL);
    return set_dims(door, type, shape, value) ? value : NULL;
}

static bool box_plain(struct door *door, const LLVMValueRef *given)
{
    struct cg_graph *g = &door->g;
    struct cg *cg = g->cg;
    unsigned leaf = 0;

    for (unsigned i = 0; i < g->function->param_count; i++)
        door->arg_count += leaf_count(g->function->params[i]->type);
    door->args = cg_room_values(g, door->arg_count);
    for (unsigned i = 0; i < g->function->param_count; i++) {
        const struct ir_type *type = g->function->params[i]->type;
        for (unsigned k = 0; k < leaf_count(type); k++, leaf++) {
            struct cg_value *value = plain_leaf(door, leaf_type(type, k), leaf, given);
            if (!value)
                return false;
            cg_box(g, value, cg_element(cg, cg->value_type, door->args, cg_i64(cg, leaf)), false);
        }
    }
    return true;
}

static bool emit_plain_inner(struct cg *cg, const struct codegen_door *info, LLVMValueRef function)
{
    struct door door;
    LLVMValueRef *given = arena_array(&cg->arena, LLVMValueRef, info->param_count + 1), arena;

    begin(&door, cg, info, function);
    arena = LLVMConstNull(cg->ptr);
    for (unsigned i = 0; i < info->param_count; i++) {
        given[i] = LLVMGetParam(function, i + 1);
        if (info->params[i].kind == CODEGEN_ARENA)
            arena = given[i];
    }
    for (unsigned i = 0; i < info->param_count; i++)
        bind_number(cg, &info->params[i], given[i]);
    for (unsigned i = 0; i < info->param_count; i++)
        if (info->params[i].kind == CODEGEN_WEIGHTS)
            cg_check_status(cg, cg_bind_weights(cg, cg->frame, given[i]));
    door.room = cg_alloca(cg, room_type(cg, info->function), 8);
    door.g.results =
        cg_alloca(cg, LLVMArrayType2(cg->value_type, leaf_count(info->function->result) + 1), 8);
    bool is_fine = box_plain(&door, given) && box_wanted(&door, given) &&
                   cg_give_rooms(&door.g, door.arg_count) && run(&door, arena, NULL);
    finish(&door, is_fine);
    return is_fine;
}

static bool emit_plain(struct cg *cg, const struct codegen_door *info)
{
    unsigned count = (unsigned)info->param_count;
    LLVMTypeRef *types = arena_array(&cg->arena, LLVMTypeRef, count + 1);
    LLVMValueRef *args = arena_array(&cg->arena, LLVMValueRef, count + 1);

    types[0] = cg->ptr;
    for (unsigned i = 0; i < count; i++)
        types[i + 1] = c_type(cg, &info->params[i]);
    LLVMValueRef inner = cg_door_function(cg, arena_printf(&cg->arena, "%s.plain", info->name),
                                          cg->i32, types, count + 1, false);
    if (!emit_plain_inner(cg, info, inner))
        return false;
    LLVMValueRef door = cg_door_function(cg, info->name, cg->i32, types + 1, count, true);
    cg_door_begin(cg, door);
    args[0] = cg_open_frame(cg, LLVMConstNull(cg->ptr));
    for (unsigned i = 0; i < count; i++)
        args[i + 1] = LLVMGetParam(door, i);
    cg_door_call(cg, inner, args, count + 1);
    LLVMBuildRet(cg->builder, cg_call_runtime(cg, CG_inlay_artifact_status, args, 1));
    return true;
}

/* --- the door of tensors --- */

/* In front are the parameters of an entry, so that it can check and bind as one. */
enum { GIVEN = 5, GIVEN_COUNT, ARENA, ARENA_BYTES, ROOM, TENSOR_PARAMS };

static bool emit_tensor_inner(struct cg *cg, const struct codegen_door *info, LLVMValueRef function)
{
    struct door door;

    begin(&door, cg, info, function);
    door.g.args = door.args = LLVMGetParam(function, 1);
    door.g.results = LLVMGetParam(function, 3);
    door.g.is_door = true;
    door.room = LLVMGetParam(function, ROOM);
    for (unsigned i = 0; i < info->function->param_count; i++)
        door.arg_count += leaf_count(info->function->params[i]->type);
    bool is_fine = cg_emit_entry(&door.g) && box_wanted(&door, NULL);
    if (is_fine) {
        LLVMValueRef args[] = {cg->frame,
                               cg_string(cg, info->function->name),
                               door.wanted,
                               cg_i32(cg, door.wanted_count),
                               LLVMGetParam(function, GIVEN),
                               LLVMGetParam(function, GIVEN_COUNT)};
        cg_check_status(cg, cg_call_runtime(cg, CG_inlay_artifact_results, args, 6));
        is_fine = run(&door, LLVMGetParam(function, ARENA), LLVMGetParam(function, ARENA_BYTES));
    }
    finish(&door, is_fine);
    return is_fine;
}

LLVMValueRef cg_door_expected(struct cg *cg, const struct codegen_door *info, unsigned *count)
{
    struct cg_graph g = {.cg = cg, .function = info->function};

    return cg_expected_arguments(&g, count);
}

static bool is_all_tensors(const struct ir_function *function)
{
    for (unsigned i = 0; i < function->param_count; i++)
        for (unsigned k = 0; k < leaf_count(function->params[i]->type); k++)
            if (leaf_type(function->params[i]->type, k)->kind != IR_TYPE_TENSOR)
                return false;
    return true;
}

void cg_door_go_on(struct cg *cg, LLVMValueRef status, LLVMBasicBlockRef end)
{
    LLVMBasicBlockRef good = cg_block(cg, "");

    cg_branch(cg, cg_compare(cg, LLVMIntEQ, status, cg_i32(cg, 0)), good, end);
    cg_at(cg, good);
}

/* Leaves the function inside in *@out_inner. */
static bool emit_tensor(struct cg *cg, const struct codegen_door *info, LLVMValueRef *out_inner)
{
    LLVMTypeRef p = cg->ptr, i = cg->i32;
    LLVMTypeRef inner_types[TENSOR_PARAMS] = {p, p, i, p, i, p, i, p, cg->i64, p};
    LLVMTypeRef types[] = {p, p, i, p, i, p, cg->size, p},
                with[] = {p, p, i, p, i, p, p, cg->size, p};
    bool has_weights = cg->codegen->artifact->weights != NULL;
    LLVMValueRef inner = cg_door_function(cg, arena_printf(&cg->arena, "%s.tensors", info->name), i,
                                          inner_types, TENSOR_PARAMS, false);
    *out_inner = inner;
    if (!emit_tensor_inner(cg, info, inner))
        return false;
    unsigned count, result_count = leaf_count(info->function->result);
    LLVMValueRef table = cg_door_expected(cg, info, &count);
    LLVMValueRef door = cg_door_function(cg, arena_printf(&cg->arena, "%s_dl", info->name), i,
                                         has_weights ? with : types, has_weights ? 9 : 8, true);
    unsigned rest = has_weights ? 6 : 5; /* the arena's place */
    cg_door_begin(cg, door);
    LLVMValueRef frame = cg_open_frame(cg, LLVMGetParam(door, rest + 2));
    LLVMValueRef values = cg_door_stack(cg, cg->value_type, count, 8);
    LLVMValueRef results = cg_door_stack(cg, cg->value_type, result_count, 8);
    LLVMValueRef room = cg_door_room(cg, info->function);
    bool is_simple = is_all_tensors(info->function);
    LLVMValueRef shapes = is_simple ? NULL : cg_door_stack(cg, cg->shape_type, count, 8);
    LLVMBasicBlockRef end = cg_block(cg, "");
    LLVMValueRef given[] = {frame,
                            cg_string(cg, info->function->name),
                            table,
                            cg_i32(cg, count),
                            LLVMGetParam(door, 0),
                            LLVMGetParam(door, 2),
                            values,
                            shapes};
    LLVMValueRef rooms[] = {frame, LLVMGetParam(door, 1)};
    cg_call_runtime(cg, CG_inlay_artifact_rooms, rooms, 2);
    LLVMValueRef status = is_simple ? cg_call_runtime(cg, CG_inlay_artifact_tensors, given, 7)
                                    : cg_call_runtime(cg, CG_inlay_artifact_values, given, 8);
    cg_door_go_on(cg, status, end);
    if (has_weights)
        cg_door_go_on(cg, cg_bind_weights(cg, frame, LLVMGetParam(door, 5)), end);
    LLVMValueRef args[TENSOR_PARAMS] = {
        frame,
        values,
        cg_i32(cg, count),
        results,
        cg_i32(cg, result_count),
        LLVMGetParam(door, 3),
        LLVMGetParam(door, 4),
        LLVMGetParam(door, rest),
        LLVMBuildIntCast2(cg->builder, LLVMGetParam(door, rest + 1), cg->i64, false, ""),
        room};
    cg_door_call(cg, inner, args, TENSOR_PARAMS);
    cg_goto(cg, end);
    cg_at(cg, end);
    LLVMBuildRet(cg->builder, cg_call_runtime(cg, CG_inlay_artifact_status, &frame, 1));
    return true;
}

/* --- sizes and messages --- */

/* int32 (frame, out, what it depends on..) */
static bool emit_need_inner(struct cg *cg, const struct codegen_door *info, LLVMValueRef function)
{
    unsigned next = 2;

    cg_function_begin(cg, function, info->name, info->function->loc);
    for (size_t i = 0; i < info->param_count; i++)
        if (info->params[i].is_size)
            bind_number(cg, &info->params[i], LLVMGetParam(function, next++));
    LLVMValueRef bytes = cg_dim(cg, info->need);
    if (!bytes)
        return false;
    cg_store(cg, bytes, LLVMGetParam(function, 1));
    cg_function_end(cg);
    return true;
}

static bool emit_need(struct cg *cg, const struct codegen_door *info)
{
    LLVMTypeRef *types = arena_array(&cg->arena, LLVMTypeRef, info->param_count + 2);
    LLVMValueRef *args = arena_array(&cg->arena, LLVMValueRef, info->param_count + 2);
    unsigned count = 0;

    types[0] = types[1] = cg->ptr;
    for (size_t i = 0; i < info->param_count; i++)
        if (info->params[i].is_size)
            types[2 + count++] = c_type(cg, &info->params[i]);
    LLVMValueRef inner = cg_door_function(cg, arena_printf(&cg->arena, "%s.need", info->name),
                                          cg->i32, types, count + 2, false);
    if (!emit_need_inner(cg, info, inner))
        return false;
    LLVMValueRef door = cg_door_function(cg, arena_printf(&cg->arena, "%s_arena_bytes", info->name),
                                         cg->size, types + 2, count, true);
    cg_door_begin(cg, door);
    args[0] = cg_open_frame(cg, LLVMConstNull(cg->ptr));
    args[1] = cg_door_stack(cg, cg->i64, 1, 8);
    for (unsigned i = 0; i < count; i++)
        args[2 + i] = LLVMGetParam(door, i);
    cg_store(cg, cg_i64(cg, -1), args[1]);
    cg_door_call(cg, inner, args, count + 2);
    LLVMValueRef bytes = cg_load(cg, cg->i64, args[1]);
    LLVMValueRef most = cg_i64(cg, cg->size == cg->i64 ? INT64_MAX : UINT32_MAX - 1);
    LLVMValueRef is_bad = cg_compare(cg, LLVMIntUGT, bytes, most);
    bytes = BUILD(Select, is_bad, cg_i64(cg, -1), bytes);
    LLVMBuildRet(cg->builder, LLVMBuildIntCast2(cg->builder, bytes, cg->size, false, ""));
    return true;
}

static void emit_message(struct cg *cg, const struct codegen_artifact *artifact)
{
    LLVMTypeRef types[] = {cg->i32, cg->ptr, cg->size};
    LLVMValueRef door = cg_door_function(cg, artifact->message_name, cg->ptr, types, 3, true);
    cg_door_begin(cg, door);
    LLVMValueRef args[] = {LLVMGetParam(door, 0), LLVMGetParam(door, 1), LLVMGetParam(door, 2),
                           cg_string(cg, atom_intern_text(&cg->ir->atoms, artifact->script))};
    LLVMBuildRet(cg->builder, cg_call_runtime(cg, CG_inlay_artifact_message, args, 4));
}

bool cg_emit_doors(struct cg *cg, const struct codegen_artifact *artifact)
{
    for (size_t i = 0; i < artifact->door_count; i++) {
        const struct codegen_door *info = &artifact->doors[i];
        LLVMValueRef tensors;
        if (!emit_plain(cg, info) || !emit_tensor(cg, info, &tensors) || !emit_need(cg, info))
            return false;
        if (cg->size == cg->i64) /* its layouts are those of 64 bits */
            cg_emit_ffi_door(cg, info, artifact->script, tensors);
    }
    if (artifact->message_name)
        emit_message(cg, artifact);
    if (artifact->weights && artifact->message_name)
        cg_emit_weights(cg, artifact->weights);
    return true;
}
