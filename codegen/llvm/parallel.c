/*
 * Parallel loops: the body becomes a function that runs a piece of the iterations.
 *
 *     for i in T.parallel(n): ..     ->     inlay_parallel_for(frame, piece, array, 0, n, grain, scratch)
 *
 *     piece(frame, array, begin, end)              what the runtime calls: takes the array apart
 *     part(frame, params.., array, begin, end)     the loop from begin to end
 *
 * The part has the parameters of the kernel in front, so that what is known of them (noalias, alignment)
 * holds there as well; other values of the kernel are captured in the array where they are used.
 */
#include "codegen/llvm/kernel.h"

#include <string.h>

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

enum {
    PLACE = 8,               /* bytes of a value in the array */
    GRAIN_WORK = 1 << 14,    /* nodes of vectors that are worth a second thread: a microsecond */
    UNKNOWN_ITERATIONS = 16, /* of an inner loop that is different each time */
    WORK_LIMIT = 1 << 30,
};

/* --- captured values --- */

static LLVMValueRef place_in(struct cg *cg, LLVMValueRef array, size_t place)
{
    return cg_element(cg, cg->i8, array, cg_i64(cg, (int64_t)place * PLACE));
}

/* At the entry of the part, so that it is there wherever it is used. */
static LLVMValueRef load_at_entry(struct cg_body *body, LLVMTypeRef type, size_t place)
{
    struct cg *cg = body->cg;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(cg->builder);
    LLVMMetadataRef line = LLVMGetCurrentDebugLocation2(cg->builder);
    cg_at(cg, cg->allocas);
    LLVMSetCurrentDebugLocation2(cg->builder, NULL);
    LLVMValueRef value = cg_load(cg, type, place_in(cg, body->captured, place));
    cg_at(cg, here);
    LLVMSetCurrentDebugLocation2(cg->builder, line);
    return value;
}

/* @value of the function around, here. */
static LLVMValueRef capture(struct cg_body *body, LLVMValueRef value)
{
    if (!value || LLVMIsConstant(value))
        return value;
    size_t place = 0;
    while (place < body->captures.count && body->captures.items[place] != value)
        place++;
    if (place == body->captures.count)
        array_push(&body->captures, value);
    return load_at_entry(body, LLVMTypeOf(value), place);
}

LLVMValueRef cg_var(struct cg_body *body, const struct ir_var *var)
{
    LLVMValueRef value = map_get(&body->cg->vars, var);
    if (value || !body->outer)
        return value;
    value = capture(body, map_get(&body->outer_vars, var));
    if (value)
        map_set(&body->cg->vars, var, value);
    return value;
}

static LLVMValueRef *capture_all(struct cg_body *body, LLVMValueRef *values, unsigned count)
{
    LLVMValueRef *result = arena_array(&body->cg->arena, LLVMValueRef, count ? count : 1);
    for (unsigned i = 0; i < count; i++)
        result[i] = capture(body, values[i]);
    return result;
}

struct cg_buffer *cg_captured_buffer(struct cg_body *body, const struct ir_buffer *buffer)
{
    struct cg_buffer *view = map_get(&body->buffers, buffer);
    if (view || !body->outer)
        return view;
    const struct cg_buffer *outer = map_get(&body->outer->buffers, buffer);
    if (!outer)
        return NULL;
    view = cg_buffer_new(body, buffer, capture(body, outer->data));
    view->dims = capture_all(body, outer->dims, buffer->ndim);
    view->strides = outer->strides ? capture_all(body, outer->strides, buffer->ndim) : NULL;
    view->bytes = capture(body, outer->bytes);
    view->param = outer->param;
    return view;
}

bool cg_is_hoisted(const struct cg_body *body, const struct tir_stmt *block)
{
    for (; body; body = body->outer)
        if (map_get(&body->hoisted, block))
            return true;
    return false;
}

/* --- how much work an iteration is --- */

/* Takes out where a load is from: it takes hardly any time. */
static bool subtract_places(void *state, const struct ir_expr *e)
{
    uint64_t *nodes = state, places = e->size - 1;
    if (e->kind == IR_EXPR_load)
        *nodes -= places < *nodes ? places : *nodes - 1;
    return true;
}

static uint64_t nodes_of(const struct ir_expr *e)
{
    uint64_t nodes = e->size;
    ir_expr_walk(e, subtract_places, &nodes);
    return nodes;
}

static bool add_nodes(void *state, const struct ir_expr *e)
{
    *(uint64_t *)state += nodes_of(e);
    return true;
}

struct scope {
    struct cg_body *body;
    bool is_known;
};

static bool has_value(void *state, const struct ir_expr *e)
{
    struct scope *scope = state;
    if (e->kind == IR_EXPR_load || e->kind == IR_EXPR_let || e->kind == IR_EXPR_call ||
        (e->kind == IR_EXPR_var && !map_get(&scope->body->cg->vars, e->var)))
        scope->is_known = false;
    return scope->is_known;
}

static LLVMValueRef at_most(struct cg *cg, LLVMValueRef value, int64_t limit)
{
    LLVMValueRef most = cg_i64(cg, limit);
    return BUILD(Select, cg_compare(cg, LLVMIntULT, value, most), value, most);
}

/* How often an inner loop runs, if that is known in front of the loop around. */
static LLVMValueRef iterations(struct cg_body *body, const struct tir_stmt *stmt)
{
    struct cg *cg = body->cg;
    struct scope scope = {body, true};
    ir_expr_walk(stmt->loop.extent, has_value, &scope);
    LLVMValueRef extent = scope.is_known ? cg_index(body, stmt->loop.extent) : NULL;
    return extent ? at_most(cg, extent, WORK_LIMIT) : cg_i64(cg, UNKNOWN_ITERATIONS);
}

/* The same, of vectors of 4-byte elements. */
static LLVMValueRef rounds(struct cg_body *body, const struct tir_stmt *stmt)
{
    struct cg *cg = body->cg;
    LLVMValueRef count = iterations(body, stmt);
    int64_t lanes = (int64_t)cg->codegen->options.target.vector_bytes / 4;
    if (stmt->loop.kind != TIR_VECTORIZED || lanes < 2)
        return count;
    count = BUILD(Add, count, cg_i64(cg, lanes - 1));
    return BUILD(UDiv, count, cg_i64(cg, lanes));
}

static LLVMValueRef work_of(struct cg_body *body, const struct tir_stmt *stmt)
{
    struct cg *cg = body->cg;
    uint64_t own = 1;
    if (stmt->kind == TIR_STORE)
        own += nodes_of(stmt->store.value);
    else
        tir_stmt_walk_exprs(stmt, add_nodes, &own);
    LLVMValueRef inside = NULL;
    for (unsigned i = 0; tir_stmt_child(stmt, i); i++) {
        LLVMValueRef part = work_of(body, tir_stmt_child(stmt, i));
        inside = inside ? BUILD(Add, inside, part) : part;
    }
    if (inside && stmt->kind == TIR_FOR)
        inside = BUILD(Mul, inside, rounds(body, stmt));
    LLVMValueRef size = cg_i64(cg, own < WORK_LIMIT ? (int64_t)own : WORK_LIMIT);
    return inside ? at_most(cg, BUILD(Add, size, inside), WORK_LIMIT) : size;
}

/* Iterations that are worth a second thread. */
static LLVMValueRef grain_of(struct cg_body *body, const struct tir_stmt *stmt)
{
    struct cg *cg = body->cg;
    LLVMValueRef grain = BUILD(UDiv, cg_i64(cg, GRAIN_WORK), work_of(body, stmt->loop.body));
    return BUILD(Add, grain, cg_i64(cg, 1));
}

/* What a thread's part takes of its stack, or -1: what it takes depends on what is not known here. */
static LLVMValueRef scratch_of(struct cg_body *body, const struct tir_stmt *stmt)
{
    struct scope scope = {body, true};
    struct stack_need need;
    if (stack_scratch(body->cg->ir, stmt->loop.body, NULL, &need))
        ir_expr_walk(need.bytes, has_value, &scope);
    LLVMValueRef bytes = need.bytes && scope.is_known ? cg_index(body, need.bytes) : NULL;
    return bytes ? bytes : cg_i64(body->cg, -1);
}

/* --- the two functions --- */

static LLVMValueRef add_function(struct cg_body *body, const char *what, LLVMTypeRef type)
{
    struct cg *cg = body->cg;
    const char *name =
        arena_printf(&cg->arena, "inlay_kernel_%s_%s", body->kernel->func->name, what);
    LLVMValueRef function = LLVMAddFunction(cg->unit->llvm, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    cg_add_attribute(cg, function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "noinline", 0);
    cg_add_attribute(cg, function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "nounwind", 0);
    return function;
}

/* The type of the part: the kernel's, with array, begin and end behind. */
static LLVMTypeRef part_type(struct cg_body *body)
{
    struct cg *cg = body->cg;
    unsigned count = LLVMCountParamTypes(body->kernel->type);
    LLVMTypeRef *types = arena_array(&cg->arena, LLVMTypeRef, count + 3);
    LLVMGetParamTypes(body->kernel->type, types);
    types[count] = cg->ptr;
    types[count + 1] = types[count + 2] = cg->i64;
    return LLVMFunctionType(cg->i32, types, count + 3, false);
}

static bool emit_part(struct cg_body *body, const struct tir_stmt *stmt,
                      const struct cg_loop_values *values, LLVMValueRef function)
{
    struct cg *cg = body->cg;
    unsigned count = LLVMCountParamTypes(body->kernel->type);
    const char *name = arena_printf(&cg->arena, "%s_part", body->kernel->func->name);
    cg_function_begin(cg, function, name, stmt->loc);
    body->captured = LLVMGetParam(function, count);
    if (!cg_bind_parameters(body))
        return false;
    LLVMTypeRef type = LLVMTypeOf(values->count);
    LLVMValueRef begin = LLVMGetParam(function, count + 1), end = LLVMGetParam(function, count + 2);
    struct cg_loop_values own = {.min = capture(body, values->min),
                                 .step = capture(body, values->step),
                                 .count = LLVMBuildIntCast2(cg->builder, end, type, true, "")};
    begin = LLVMBuildIntCast2(cg->builder, begin, type, true, "");
    if (!cg_serial_loop(body, stmt, &own, begin))
        return false;
    cg_function_end(cg);
    return true;
}

/* Emits with the state of another function, and comes back to that of now. */
static bool emit_part_aside(struct cg_body *body, struct cg_body *part, const struct tir_stmt *stmt,
                            const struct cg_loop_values *values, LLVMValueRef function)
{
    struct cg *cg = body->cg;
    struct cg here = *cg;
    LLVMBasicBlockRef block = LLVMGetInsertBlock(cg->builder);
    part->outer_vars = cg->vars;
    cg->vars = (struct map){0};
    bool is_fine = emit_part(part, stmt, values, function);
    map_finish(&cg->vars);
    cg->vars = part->outer_vars;
    part->outer_vars = (struct map){0};
    cg->function = here.function;
    cg->frame = here.frame;
    cg->allocas = here.allocas;
    cg->fail = here.fail;
    cg->leaves_on_failure = here.leaves_on_failure;
    cg->scope = here.scope;
    cg->source = here.source;
    cg->dims = here.dims;
    cg->dims_limit = here.dims_limit;
    cg->loc = here.loc;
    cg_at(cg, block);
    cg_set_location(cg, stmt->loc);
    return is_fine;
}

/* piece(frame, array, begin, end): the parameters of the kernel stand behind what is captured. */
static LLVMValueRef emit_piece(struct cg_body *body, LLVMValueRef part, size_t captured)
{
    struct cg *cg = body->cg;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(cg->builder);
    unsigned count = LLVMCountParamTypes(body->kernel->type);
    LLVMTypeRef types[] = {cg->ptr, cg->ptr, cg->i64, cg->i64};
    LLVMTypeRef type = LLVMFunctionType(cg->i32, types, ARRAY_SIZE(types), false);
    LLVMValueRef piece = add_function(body, "piece", type);
    LLVMSetCurrentDebugLocation2(cg->builder, NULL);
    cg_at(cg, LLVMAppendBasicBlockInContext(cg->context, piece, ""));
    LLVMValueRef array = LLVMGetParam(piece, 1);
    LLVMValueRef *args = arena_array(&cg->arena, LLVMValueRef, count + 3);
    args[0] = LLVMGetParam(piece, 0);
    for (unsigned i = 1; i < count; i++)
        args[i] =
            cg_load(cg, LLVMTypeOf(LLVMGetParam(part, i)), place_in(cg, array, captured + i - 1));
    args[count] = array;
    args[count + 1] = LLVMGetParam(piece, 2);
    args[count + 2] = LLVMGetParam(piece, 3);
    LLVMBuildRet(cg->builder, LLVMBuildCall2(cg->builder, LLVMGlobalGetValueType(part), part, args,
                                             count + 3, ""));
    cg_at(cg, here);
    cg_set_location(cg, cg->loc);
    return piece;
}

/* The numbers are known where the extents are; the runtime makes no more tasks than that. */
static void note_tasks(struct remark_loop *record, LLVMValueRef count, LLVMValueRef grain)
{
    if (!record)
        return;
    record->made = (struct remark){.id = REMARK_LP_TASKS_OPEN};
    if (!LLVMIsAConstantInt(count) || !LLVMIsAConstantInt(grain))
        return;
    int64_t all = LLVMConstIntGetSExtValue(count), each = LLVMConstIntGetSExtValue(grain);
    if (all < 1 || each < 1)
        return;
    int64_t tasks = all <= each ? 1 : (all - 1) / (each >= 4 ? each / 4 : 1) + 1;
    record->made = (struct remark){.id = REMARK_LP_TASKS, .a = tasks, .b = (all - 1) / tasks + 1};
}

static void call_runtime(struct cg_body *body, const struct tir_stmt *stmt,
                         const struct cg_loop_values *values, struct cg_body *inner,
                         LLVMValueRef piece, struct remark_loop *record)
{
    struct cg *cg = body->cg;
    unsigned params = LLVMCountParamTypes(body->kernel->type) - 1;
    size_t captured = inner->captures.count;
    LLVMTypeRef type = LLVMArrayType2(cg->i8, (captured + params + 1) * PLACE);
    LLVMValueRef array = cg_alloca(cg, type, PLACE);
    for (size_t i = 0; i < captured; i++)
        cg_store(cg, inner->captures.items[i], place_in(cg, array, i));
    for (unsigned i = 0; i < params; i++)
        cg_store(cg, LLVMGetParam(cg->function, 1 + i), place_in(cg, array, captured + i));
    bool is_signed = stmt->loop.var->dtype.code == IR_INT;
    LLVMValueRef count = LLVMBuildIntCast2(cg->builder, values->count, cg->i64, is_signed, "");
    LLVMValueRef grain = grain_of(body, stmt);
    LLVMValueRef args[] = {
        cg->frame, piece, array, cg_i64(cg, 0), count, grain, scratch_of(body, stmt)};
    note_tasks(record, count, grain);
    cg_check_status(cg, cg_call_runtime(cg, CG_inlay_parallel_for, args, ARRAY_SIZE(args)));
}

bool cg_parallel_loop(struct cg_body *body, const struct tir_stmt *stmt,
                      const struct cg_loop_values *values, struct remark_loop *record)
{
    struct cg_body part = {.cg = body->cg, .kernel = body->kernel, .outer = body};
    for (size_t i = 0; i < body->ranges.count; i++)
        array_push(&part.ranges, body->ranges.items[i]);
    for (size_t i = 0; i < body->held.count; i++)
        array_push(&part.held, body->held.items[i]);
    LLVMValueRef function = add_function(body, "part", part_type(body));
    bool is_fine = emit_part_aside(body, &part, stmt, values, function);
    if (is_fine) {
        array_push(&body->kernel->parts, function);
        call_runtime(body, stmt, values, &part, emit_piece(body, function, part.captures.count),
                     record);
    }
    cg_body_finish(&part);
    return is_fine;
}
