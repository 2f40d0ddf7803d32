/*
 * What a run that checks its memory is told (runtime/watch.h): emitted with
 * codegen_options.checks_memory.
 *
 * Tensors carry the number of their owner in a register.  Names carry that of what they name;
 * whatever else makes a tensor makes an owner.  Where the number is lost (R.Object, calls), the
 * run is asked whose the bytes are.
 */
#include "analysis/storage/storage.h"
#include "codegen/llvm/graph.h"
#include "ir/contract.h"

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

static bool is_on(const struct cg_graph *g)
{
    return g->cg->codegen->options.checks_memory;
}

static bool is_name(const struct ir_op *op)
{
    return (op->info->traits & (IR_VIEW | IR_ALIAS)) && !(op->info->traits & IR_ALLOCATES);
}

static LLVMValueRef bytes_of(struct cg_graph *g, const struct cg_value *value)
{
    bool is_tensor = value->kind == CG_TENSOR;
    return cg_product_bytes(g->cg, value->dims, value->count,
                            is_tensor ? ir_dtype_bytes(value->dtype) : 1);
}

static LLVMValueRef name_of(struct cg_graph *g, const char *name)
{
    return cg_string(g->cg, atom_intern_text(&g->cg->ir->atoms, name));
}

/* What messages call @op: its result, or itself. */
static const char *reader_name(const struct cg_graph *g, const struct ir_op *op)
{
    return ir_op_is(op, IR_CORE_return) ? g->function->name
           : op->result.name            ? op->result.name
                                        : op->info->name;
}

/* The result of @which, an owner, once it is known to be none of an error. */
static LLVMValueRef owner_from(struct cg *cg, enum cg_runtime which, LLVMValueRef *args,
                               unsigned count)
{
    LLVMValueRef owner = cg_call_runtime(cg, which, args, count);
    LLVMValueRef is_error = cg_compare(cg, LLVMIntSLT, owner, cg_i32(cg, 0));
    cg_check_status(cg, BUILD(SExt, is_error, cg->i32));
    return owner;
}

static LLVMValueRef owner_found(struct cg_graph *g, const struct cg_value *value)
{
    LLVMValueRef args[] = {g->cg->frame, value->data, bytes_of(g, value)};
    return cg_call_runtime(g->cg, CG_inlay_watch_owner, args, ARRAY_SIZE(args));
}

static LLVMValueRef owner_given(struct cg_graph *g, const struct cg_value *value, const char *name,
                                bool is_donated)
{
    struct cg *cg = g->cg;
    LLVMValueRef args[] = {
        cg->frame,  value->data, bytes_of(g, value), name_of(g, name), cg_i32(cg, is_donated),
        cg_line(cg)};
    return owner_from(cg, CG_inlay_watch_given, args, ARRAY_SIZE(args));
}

void cg_watch_parameter(struct cg_graph *g, struct cg_value *value, const char *name)
{
    if (is_on(g) && value->kind == CG_TENSOR)
        value->owner = owner_given(g, value, name, value->root->kind == CG_ROOT_DONATED);
}

void cg_watch_room(struct cg_graph *g, const struct cg_value *value, LLVMValueRef bytes)
{
    struct cg *cg = g->cg;
    LLVMValueRef args[] = {cg->frame, value->data, bytes, value->owner};
    if (is_on(g) && value->owner)
        cg_check_status(cg, cg_call_runtime(cg, CG_inlay_watch_room, args, ARRAY_SIZE(args)));
}

LLVMValueRef cg_watch_join(struct cg_graph *g, struct cg_value *const values[2],
                           LLVMBasicBlockRef blocks[2])
{
    LLVMValueRef owners[2];
    if (!values[0]->owner && !values[1]->owner)
        return NULL;
    for (unsigned i = 0; i < 2; i++)
        owners[i] = values[i]->owner ? values[i]->owner : cg_i32(g->cg, 0);
    LLVMValueRef phi = LLVMBuildPhi(g->cg->builder, g->cg->i32, "");
    LLVMAddIncoming(phi, owners, blocks, 2);
    return phi;
}

/* --- in front of an op --- */

struct walk {
    struct cg_graph *g;
    const struct ir_op *op;
};

static void read_leaf(struct walk *walk, const struct ir_value *operand, struct cg_value *leaf)
{
    struct cg_graph *g = walk->g;
    struct cg *cg = g->cg;
    if (leaf->kind != CG_TENSOR)
        return;
    /* asked for each time: what one branch was told is not there in the other one, or behind both */
    bool is_constant = leaf->root && leaf->root->kind == CG_ROOT_CONSTANT;
    LLVMValueRef owner = is_constant ? owner_given(g, leaf, "a constant", false) : leaf->owner;
    if (!owner)
        return;
    LLVMValueRef args[] = {cg->frame,
                           leaf->data,
                           bytes_of(g, leaf),
                           owner,
                           name_of(g, cg_name_of(g, operand)),
                           name_of(g, reader_name(g, walk->op)),
                           cg_line(cg)};
    cg_check_status(cg, cg_call_runtime(cg, CG_inlay_watch_read, args, ARRAY_SIZE(args)));
}

static void read_operand(void *state, struct ir_use *use)
{
    struct walk *walk = state;
    bool is_constant = use->value->def && ir_op_is(use->value->def, IR_CORE_constant);
    struct cg_value *value =
        is_constant ? cg_operand(walk->g, use->value) : map_get(&walk->g->values, use->value);
    struct cg_leaves leaves = {0};
    if (use->user == walk->op &&
        storage_is_room_for_result(walk->op, (unsigned)(use - walk->op->operands)))
        return; /* it holds nothing, whoever has put something there */
    if (value)  /* the rest is no tensor */
        cg_flatten(value, &leaves);
    for (size_t i = 0; i < leaves.count; i++)
        read_leaf(walk, use->value, leaves.items[i]);
    array_finish(&leaves);
}

/* What takes the storage of its operands must be allowed to write there. */
static void ask_for_destinations(struct cg_graph *g, const struct ir_op *op)
{
    struct cg *cg = g->cg;
    bool is_packed = ir_op_is(op, IR_CORE_call_inplace_packed);
    const struct ir_attr *indices = is_packed || ir_op_is(op, IR_CORE_call_tir_inplace)
                                        ? ir_op_attr(op, "inplace_indices")
                                        : NULL;
    unsigned first = is_packed ? ir_contract_of(op).first : 0;
    for (unsigned i = 0; indices && i < indices->count; i++) {
        int64_t index = indices->items[i]->integer;
        struct cg_value *value =
            index >= 0 ? map_get(&g->values, op->operands[first + index].value) : NULL;
        if (!value || value->kind != CG_TENSOR)
            continue;
        LLVMValueRef args[] = {cg->frame, value->data, bytes_of(g, value),
                               name_of(g, reader_name(g, op)), cg_line(cg)};
        cg_check_status(cg, cg_call_runtime(cg, CG_inlay_watch_ask, args, ARRAY_SIZE(args)));
    }
}

void cg_watch_end(struct cg_graph *g, const struct cg_value *value, const char *name)
{
    struct cg *cg = g->cg;
    if (!is_on(g) || (value->kind != CG_TENSOR && value->kind != CG_STORAGE))
        return;
    LLVMValueRef args[] = {cg->frame, value->data, bytes_of(g, value), name_of(g, name),
                           cg_line(cg)};
    cg_check_status(cg, cg_call_runtime(cg, CG_inlay_watch_end, args, ARRAY_SIZE(args)));
}

void cg_watch_reads(struct cg_graph *g, struct ir_op *op)
{
    struct walk walk = {.g = g, .op = op};
    if (!is_on(g) || is_name(op) || (op->info->traits & IR_METADATA))
        return;
    ir_op_walk_operands(op, read_operand, &walk);
    ask_for_destinations(g, op);
}

/* --- behind it --- */

/* May have written what it was given, for all who own it to see. */
static void change_arguments(struct cg_graph *g, const struct ir_op *op)
{
    struct cg *cg = g->cg;
    struct ir_contract contract = ir_contract_of(op);
    const struct ir_global *callee = ir_op_callee(op);
    bool is_kernel = callee && callee->kind == IR_GLOBAL_KERNEL && ir_op_is(op, IR_CORE_call);
    for (unsigned i = contract.first; i < op->operand_count; i++) {
        struct cg_value *value = map_get(&g->values, op->operands[i].value);
        bool is_changed =
            is_kernel || (contract.symbol && ir_contract_mutates(&contract, i - contract.first));
        if (!is_changed || !value || value->kind != CG_TENSOR)
            continue;
        LLVMValueRef args[] = {cg->frame, value->data, bytes_of(g, value)};
        cg_call_runtime(cg, CG_inlay_watch_change, args, ARRAY_SIZE(args));
    }
}

/* A tensor that @op has made, called @name: the same with an owner of its own. */
static struct cg_value *written(struct cg_graph *g, struct cg_value *value, const char *name)
{
    struct cg *cg = g->cg;
    struct cg_value *copy = arena_new(&cg->arena, struct cg_value);
    *copy = *value;
    if (value->kind == CG_TUPLE) {
        copy->fields = arena_array(&cg->arena, struct cg_value *, value->count ? value->count : 1);
        for (unsigned i = 0; i < value->count; i++)
            copy->fields[i] =
                written(g, value->fields[i], arena_printf(&cg->arena, "%s[%u]", name, i));
    } else if (value->kind == CG_TENSOR) {
        LLVMValueRef args[] = {cg->frame, value->data, bytes_of(g, value), name_of(g, name),
                               cg_line(cg)};
        copy->owner = owner_from(cg, CG_inlay_watch_write, args, ARRAY_SIZE(args));
    }
    return copy;
}

/* Tensors whose owner is not at hand: a call made them, or they were behind R.Object. */
static void find_owners(struct cg_graph *g, struct cg_value *value)
{
    for (unsigned i = 0; value->kind == CG_TUPLE && i < value->count; i++)
        find_owners(g, value->fields[i]);
    if (value->kind == CG_TENSOR && !value->owner && value->root &&
        value->root->kind != CG_ROOT_CONSTANT)
        value->owner = owner_found(g, value);
}

/* Does @op give what somebody else has made? */
static bool passes_on(const struct ir_op *op)
{
    enum ir_core core = op->info->core;
    return is_name(op) || core == IR_CORE_call || core == IR_CORE_call_packed ||
           core == IR_CORE_call_pure_packed;
}

void cg_watch_result(struct cg_graph *g, const struct ir_op *op)
{
    struct cg *cg = g->cg;
    struct cg_value *value = is_on(g) ? map_get(&g->values, &op->result) : NULL;
    if (!value || ir_op_is(op, IR_CORE_if))
        return;
    change_arguments(g, op);
    if (value->kind == CG_STORAGE) /* nothing lies in it yet */
        cg_watch_end(g, value, cg_name_of(g, &op->result));
    struct cg_value *from = op->operand_count > 0 && is_name(op) && value->kind == CG_TENSOR
                                ? cg_operand(g, op->operands[0].value)
                                : NULL;
    if (from && from->kind == CG_TENSOR && !value->owner)
        value->owner = from->owner;
    if (passes_on(op))
        find_owners(g, value);
    else
        map_set(&g->values, &op->result, written(g, value, cg_name_of(g, &op->result)));
    if (is_name(op))
        return;
    LLVMValueRef args[] = {cg->frame, name_of(g, reader_name(g, op)), cg_line(cg)};
    cg_check_status(cg, cg_call_runtime(cg, CG_inlay_watch_guards, args, ARRAY_SIZE(args)));
}

void cg_watch_leave(struct cg_graph *g)
{
    struct cg *cg = g->cg;
    if (!is_on(g))
        return;
    LLVMValueRef args[] = {cg->frame, name_of(g, g->function->name), cg_line(cg)};
    cg_check_status(cg, cg_call_runtime(cg, CG_inlay_watch_leave, args, ARRAY_SIZE(args)));
}
