/*
 * Graph functions: one op after the other, in the order of the text.
 *
 * An `if` becomes branches, its result is put together in a join block.
 */
#include "codegen/llvm/graph.h"

#include <string.h>

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

void cg_set_result(struct cg_graph *g, const struct ir_op *op, struct cg_value *value)
{
    map_set(&g->values, &op->result, value);
}

static bool emit_tuple(struct cg_graph *g, const struct ir_op *op)
{
    struct cg_value *tuple = cg_value_new(g, CG_TUPLE, op->operand_count);
    for (unsigned i = 0; i < op->operand_count; i++) {
        tuple->fields[i] = cg_operand(g, op->operands[i].value);
        if (!tuple->fields[i])
            return false;
    }
    cg_set_result(g, op, tuple);
    return true;
}

static bool emit_tuple_get(struct cg_graph *g, const struct ir_op *op)
{
    struct cg_value *tuple = cg_operand(g, op->operands[0].value);
    int64_t index = ir_op_attr(op, "index")->integer;
    if (!tuple)
        return false;
    if (tuple->kind != CG_TUPLE || index < 0 || index >= tuple->count)
        return cg_op_refuse(g, op, "its operand is no tuple with that field");
    cg_set_result(g, op, tuple->fields[index]);
    return true;
}

static bool emit_bind(struct cg_graph *g, const struct ir_op *op)
{
    struct cg_value *value = cg_operand(g, op->operands[0].value);
    if (value)
        cg_set_result(g, op, value);
    return value != NULL;
}

/* There is one form of tensors: where the elements begin is where the pointer points. */
bool cg_emit_ensure_zero_offset(struct cg_graph *g, const struct ir_op *op)
{
    return emit_bind(g, op);
}

/* --- if --- */

static LLVMValueRef join_data(struct cg *cg, LLVMValueRef data[2], LLVMBasicBlockRef blocks[2])
{
    LLVMValueRef phi = BUILD(Phi, LLVMTypeOf(data[0]));
    LLVMAddIncoming(phi, data, blocks, 2);
    return phi;
}

/* The result from what both branches give, field by field; NULL if they are of two kinds. */
static struct cg_value *join(struct cg_graph *g, struct cg_value *values[2],
                             LLVMBasicBlockRef blocks[2])
{
    struct cg *cg = g->cg;
    const struct cg_value *a = values[0], *b = values[1];
    bool is_boxed = a->kind == CG_BOXED; /* maybe only one of them shows its dims */
    if (a->kind != b->kind || (a->count != b->count && !is_boxed))
        return NULL;
    struct cg_value *result = cg_value_new(g, a->kind, a->count == b->count ? a->count : 0);
    for (unsigned i = 0; a->kind == CG_TUPLE && i < a->count; i++) {
        struct cg_value *fields[2] = {a->fields[i], b->fields[i]};
        result->fields[i] = join(g, fields, blocks);
        if (!result->fields[i])
            return NULL;
    }
    result->dtype = a->dtype;
    if (a->data)
        result->data = join_data(cg, (LLVMValueRef[]){a->data, b->data}, blocks);
    for (unsigned i = 0; result->dims && i < result->count; i++)
        result->dims[i] = join_data(cg, (LLVMValueRef[]){a->dims[i], b->dims[i]}, blocks);
    if (a->storage)
        result->storage = join_data(cg, (LLVMValueRef[]){a->storage, b->storage}, blocks);
    if (a->root) {
        cg_share(values[0]);
        cg_share(values[1]);
        result->root = a->root == b->root ? a->root : cg_root_new(g, CG_ROOT_UNKNOWN);
    }
    result->is_aligned = a->is_aligned && b->is_aligned;
    result->owner = cg_watch_join(g, values, blocks);
    return result;
}

static const struct ir_op *yield_of(const struct ir_region *region)
{
    return region->last->last;
}

/* Symbols that have no value in front of a branch: what it gives them does not hold behind it. */
struct branch_symbols {
    struct cg *cg;
    array(const struct ir_var *) items;
};

static bool collect_symbol(void *state, const struct ir_expr *a)
{
    struct branch_symbols *symbols = state;
    if (a->kind == IR_EXPR_var && !map_get(&symbols->cg->vars, a->var))
        array_push(&symbols->items, a->var);
    return true;
}

static bool collect_symbols(void *state, struct ir_op *op)
{
    return !ir_op_is(op, IR_CORE_match_cast) ||
           ir_type_walk_exprs(op->declared, collect_symbol, state);
}

static bool emit_branch_region(struct cg_graph *g, struct ir_region *region)
{
    struct branch_symbols symbols = {.cg = g->cg};
    ir_region_walk(region, collect_symbols, &symbols);
    bool is_fine = cg_emit_region(g, region);
    for (size_t i = 0; i < symbols.items.count; i++)
        map_set(&g->cg->vars, symbols.items.items[i], NULL);
    array_finish(&symbols.items);
    return is_fine;
}

/* Emits a branch from @start on; *@out_value is what it yields. */
static bool emit_branch(struct cg_graph *g, const struct ir_op *op, unsigned i,
                        LLVMBasicBlockRef start, struct cg_value **out_value)
{
    cg_at(g->cg, start);
    if (!emit_branch_region(g, op->regions[i]))
        return false;
    const struct ir_op *yield = yield_of(op->regions[i]);
    struct cg_value *value = cg_operand(g, yield->operands[0].value);
    if (!value)
        return false;
    *out_value = cg_coerce(g, value, op->result.type);
    return true;
}

bool cg_emit_if(struct cg_graph *g, const struct ir_op *op)
{
    struct cg *cg = g->cg;
    LLVMValueRef condition = cg_condition(g, op->operands[0].value);
    if (!condition)
        return false;
    LLVMBasicBlockRef starts[2] = {cg_block(cg, "then"), cg_block(cg, "else")};
    LLVMBasicBlockRef end = cg_block(cg, "");
    LLVMBasicBlockRef blocks[2];
    struct cg_value *values[2];
    cg_branch(cg, condition, starts[0], starts[1]);
    for (unsigned i = 0; i < 2; i++) {
        if (!emit_branch(g, op, i, starts[i], &values[i]))
            return false;
        blocks[i] = LLVMGetInsertBlock(cg->builder);
        cg_goto(cg, end);
    }
    cg_at(cg, end);
    struct cg_value *result = join(g, values, blocks);
    if (!result)
        return cg_op_refuse(g, op, "its branches give values of two kinds");
    cg_set_result(g, op, result);
    return true;
}

/* --- dispatch --- */

static cg_op_fn *const core_emitters[IR_CORE_COUNT] = {
    [IR_CORE_tuple] = emit_tuple,
    [IR_CORE_tuple_get] = emit_tuple_get,
    [IR_CORE_bind] = emit_bind,
    [IR_CORE_match_cast] = cg_emit_match_cast,
    [IR_CORE_if] = cg_emit_if,
    [IR_CORE_return] = cg_emit_return,
    [IR_CORE_call_tir] = cg_emit_call_tir,
    [IR_CORE_call_tir_inplace] = cg_emit_call_tir,
    [IR_CORE_call_dps_packed] = cg_emit_dps_packed,
    [IR_CORE_call_packed] = cg_emit_packed,
    [IR_CORE_call_pure_packed] = cg_emit_packed,
    [IR_CORE_call_inplace_packed] = cg_emit_packed,
    [IR_CORE_call] = cg_emit_call,
};

static const struct {
    cg_op_fn *emit;
} library_emitters[OP_COUNT] = {
#define OP(id, name, signature, traits, doc, ...) [OP_##id] = {__VA_ARGS__},
#define EMIT(f)                                   .emit = cg_emit_##f,
#include "ops/ops.def"
};

static cg_op_fn *emitter_of(const struct ir_op *op)
{
    enum ir_core core = op->info->core;
    return core != IR_CORE_none ? core_emitters[core] : library_emitters[op_id(op)].emit;
}

static bool emit_op(struct cg_graph *g, struct ir_op *op)
{
    /* What a block or branch passes on is emitted where it is used. */
    if (ir_op_is(op, IR_CORE_output) || ir_op_is(op, IR_CORE_yield))
        return true;
    cg_set_location(g->cg, op->loc);
    cg_op_fn *emit = emitter_of(op);
    if (!emit && op->info->lower)
        return cg_op_refuse(g, op, "it must be lowered before (pass LegalizeOps)");
    if (!emit) {
        struct diag_message *m = diag_report(g->cg->diag, op->loc, OP_UNSUPPORTED, op->info->name);
        if (op->info->absent)
            diag_note(m, "%s", op->info->absent);
        return false;
    }
    if (!cg_check_alive(g, op))
        return false;
    cg_watch_reads(g, op);
    bool is_fine = emit(g, op);
    if (is_fine)
        cg_watch_result(g, op);
    return is_fine;
}

bool cg_emit_region(struct cg_graph *g, struct ir_region *region)
{
    const struct ir_region *outer = g->region;
    bool is_fine = true;
    g->region = region;
    ir_for_each_block(block, region)
    {
        ir_for_each_op (op, block)
            is_fine = is_fine && emit_op(g, op);
    }
    g->region = outer;
    return is_fine;
}

/* --- functions --- */

/* Tells cg_stack_end() that each turn of a loop may call each other one in its place. */
static void mark_turn(struct cg *cg, const struct ir_function *function, LLVMValueRef entry)
{
    const char *loop = arena_printf(&cg->arena, "%u", loop_of_turn(&cg->tails, function));
    LLVMAttributeRef attribute =
        LLVMCreateStringAttribute(cg->context, CG_LOOP_ATTRIBUTE, sizeof(CG_LOOP_ATTRIBUTE) - 1,
                                  loop, (unsigned)strlen(loop));

    LLVMAddAttributeAtIndex(entry, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
    cg_add_attribute(cg, entry, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "noinline", 0);
}

LLVMValueRef cg_entry_of(struct cg *cg, const struct ir_function *function)
{
    LLVMValueRef entry = map_get(&cg->functions, function);
    if (entry)
        return entry;
    LLVMTypeRef params[] = {cg->ptr, cg->ptr, cg->i32, cg->ptr, cg->i32};
    LLVMTypeRef type = LLVMFunctionType(cg->i32, params, ARRAY_SIZE(params), false);
    const char *name = arena_printf(&cg->arena, CG_ENTRY_PREFIX "%s", function->name);
    entry = LLVMAddFunction(cg->unit->llvm, name, type);
    map_set(&cg->functions, function, entry);
    if (cg->codegen->artifact && is_turn_of_loop(&cg->tails, function))
        mark_turn(cg, function, entry);
    return entry;
}

/* Counts the call against the limit of nested calls; every way out leaves again. */
static void emit_enter(struct cg *cg)
{
    LLVMValueRef args[] = {cg->frame, cg_line(cg)};
    LLVMValueRef status = cg_call_runtime(cg, CG_inlay_enter, args, 2);
    LLVMBasicBlockRef good = cg_block(cg, ""), bad = cg_block(cg, "deep");
    cg_branch(cg, cg_compare(cg, LLVMIntEQ, status, cg_i32(cg, 0)), good, bad);
    cg_at(cg, bad);
    LLVMBuildRet(cg->builder, cg_i32(cg, -1));
    cg_at(cg, good);
    cg->leaves_on_failure = true;
}

/* All of the stack that the function will take is taken from the host at once, if its size is known. */
static bool emit_reserve(struct cg_graph *g)
{
    struct cg *cg = g->cg;
    const struct stack_need *need = stack_needs_of(&cg->needs, g->function);
    if (g->function->is_private || !need || !need->bytes || ir_expr_is_int(need->bytes, 0))
        return true;
    LLVMValueRef bytes = cg_index(&g->scalars, need->bytes);
    LLVMValueRef args[] = {cg->frame, bytes};
    if (bytes)
        cg_call_runtime(cg, CG_inlay_stack_reserve, args, 2);
    return bytes != NULL;
}

bool cg_emit_function(struct cg *cg, struct ir_function *function)
{
    struct cg_graph g = {.cg = cg, .function = function};
    g.scalars.cg = cg;
    cg_function_begin(cg, cg_entry_of(cg, function), function->name, function->loc);
    g.args = LLVMGetParam(cg->function, 1);
    g.results = LLVMGetParam(cg->function, 3);
    stack_places_find(&g.places, function, &cg->tails);
    stack_held_find(&g.places, function);
    if (!function->is_private)
        result_places_find(&g.results_in, &cg->result_params, function);
    emit_enter(cg);
    bool is_fine = cg_emit_entry(&g) && emit_reserve(&g) && cg_emit_region(&g, function->body);
    if (is_fine)
        cg_function_end(cg);
    cg_overlaps_finish(&g);
    stack_places_finish(&g.places);
    result_places_finish(&g.results_in);
    map_finish(&g.values);
    map_finish(&g.scalars.buffers);
    array_finish(&g.scalars.ranges);
    array_finish(&g.scalars.hidden);
    map_finish(&g.scalars.values);
    return is_fine;
}
