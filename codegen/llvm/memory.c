/*
 * Storage: taken, shared and looked at as the text says.
 *
 * A piece of storage is a pointer and its bytes in registers; a tensor that lies in one, and a view of a
 * tensor, are checked to lie within.
 *
 * A tensor in a piece of storage is a root of its own, as if it were allocated there: it takes its bytes,
 * and the checker of storage has seen that nothing which had them before is read from then on.  So
 * two tensors that a kernel is given have no byte in common, wherever they lie.
 */
#include "codegen/llvm/graph.h"
#include "ir/arith.h"
#include "ir/capacity.h"

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

/*
 * @bytes for @op as the new root @root: memory of the host if it is a result, from the stack of the run if they end
 * in time, else from @allocate.
 */
static LLVMValueRef take(struct cg_graph *g, const struct ir_op *op, struct cg_root *root,
                         enum cg_runtime allocate, LLVMValueRef bytes)
{
    struct cg *cg = g->cg;
    int result = result_place(&g->results_in, op);
    LLVMValueRef args[] = {cg->frame, bytes, cg_line(cg)};
    LLVMValueRef result_args[] = {cg->frame, g->results, cg_i32(cg, result), bytes, cg_line(cg)};
    root->stack_end = stack_end(&g->places, op);
    if (result >= 0)
        root->data = cg_call_runtime(cg, CG_inlay_result_take, result_args, 5);
    else
        root->data = cg_call_runtime(cg, root->stack_end ? CG_inlay_stack_take : allocate, args, 3);
    cg_check_pointer(cg, root->data);
    return root->data;
}

/* Storage that is for several counts as what lies in it, and so does what lies on the stack. */
static void count_tensor(struct cg_graph *g, const struct cg_value *tensor)
{
    struct cg *cg = g->cg;
    LLVMValueRef args[] = {
        cg->frame, tensor->data,
        cg_product_bytes(cg, tensor->dims, tensor->count, ir_dtype_bytes(tensor->dtype))};
    if (cg->codegen->options.counts_memory)
        cg_call_runtime(cg, CG_inlay_count_tensor, args, 3);
}

static void count_end(struct cg_graph *g, const struct cg_value *value)
{
    LLVMValueRef args[] = {g->cg->frame, value->data};
    if (g->cg->codegen->options.counts_memory && value->kind == CG_TENSOR)
        cg_call_runtime(g->cg, CG_inlay_count_end, args, 2);
}

struct cg_value *cg_tensor_take(struct cg_graph *g, const struct ir_op *op, struct ir_dtype dtype,
                                LLVMValueRef *dims, unsigned ndim)
{
    struct cg_root *root = cg_root_new(g, CG_ROOT_FRESH);
    struct cg_value *value = cg_tensor_new(g, dtype, ndim, NULL, root);
    for (unsigned i = 0; i < ndim; i++)
        value->dims[i] = dims[i];
    value->data = take(g, op, root, CG_inlay_alloc,
                       cg_product_bytes(g->cg, dims, ndim, ir_dtype_bytes(dtype)));
    value->storage = value->data;
    value->is_aligned = result_place(&g->results_in, op) < 0; /* a host aligns to elements */
    if (root->stack_end)
        count_tensor(g, value);
    return value;
}

struct cg_value *cg_allocate(struct cg_graph *g, const struct ir_op *op, const struct ir_type *type)
{
    if (type->kind != IR_TYPE_TENSOR || type->ndim < 0 || (type->ndim > 0 && !type->dims) ||
        ir_dtype_is_void(type->dtype))
        return cg_value_refuse(g, cg_name_of(g, &op->result),
                               "a result needs a type with shape and dtype");
    unsigned count = (unsigned)type->ndim;
    LLVMValueRef *dims = arena_array(&g->cg->arena, LLVMValueRef, count ? count : 1);
    return cg_type_dims(g, type, dims) ? cg_tensor_take(g, op, type->dtype, dims, count) : NULL;
}

bool cg_emit_alloc_tensor(struct cg_graph *g, const struct ir_op *op)
{
    struct cg_value *value = cg_allocate(g, op, op->result.type);
    if (value)
        cg_set_result(g, op, value);
    return value != NULL;
}

/* --- pieces of storage --- */

/* The dtype that operand @i is. */
static struct ir_dtype operand_dtype(const struct ir_op *op, unsigned i)
{
    const struct ir_value *value = op->operands[i].value;
    struct ir_dtype dtype = IR_VOID;
    while (value->def && ir_op_is(value->def, IR_CORE_bind))
        value = value->def->operands[0].value;
    if (value->def && ir_op_is(value->def, IR_CORE_dtype))
        return ir_op_attr(value->def, "value")->dtype;
    if (value->def && ir_op_is(value->def, IR_CORE_string))
        (void)ir_dtype_parse(ir_op_attr(value->def, "value")->string, &dtype);
    return dtype;
}

bool cg_emit_alloc_storage(struct cg_graph *g, const struct ir_op *op)
{
    struct cg *cg = g->cg;
    bool is_memory = op_is(op, OP_memory_alloc_storage); /* its size is in bytes */
    struct ir_dtype dtype = is_memory ? IR_DTYPE(IR_UINT, 8) : operand_dtype(op, 2);
    struct cg_value *shape = cg_operand(g, op->operands[0].value);
    if (!shape)
        return false;
    if (shape->kind != CG_SHAPE || ir_dtype_is_void(dtype))
        return cg_op_refuse(g, op, "its size is not known");
    struct cg_root *root = cg_root_new(g, CG_ROOT_FRESH);
    struct cg_value *storage = cg_value_new(g, CG_STORAGE, 1);
    storage->root = root;
    storage->is_aligned = true;
    storage->dims[0] = cg_product_bytes(cg, shape->dims, shape->count, ir_dtype_bytes(dtype));
    storage->data = take(g, op, root, CG_inlay_alloc_storage, storage->dims[0]);
    cg_set_result(g, op, storage);
    return true;
}

/* --- tensors within --- */

/* Operand @i as int64; 0 where it is left out, NULL after a report. */
static LLVMValueRef offset_operand(struct cg_graph *g, const struct ir_op *op, unsigned i)
{
    struct cg *cg = g->cg;
    const struct ir_value *value = op->operands[i].value;
    bool is_given =
        !(value->def && ir_op_is(value->def, IR_CORE_null_value)) && !ir_type_is_void(value->type);
    if (!is_given)
        return cg_i64(cg, 0);
    struct cg_value *offset = cg_operand(g, value);
    if (!offset)
        return NULL;
    if (offset->kind == CG_SCALAR && ir_dtype_is_int(offset->dtype))
        return cg_cast(cg, offset->data, offset->dtype, IR_I64);
    cg_op_refuse(g, op, "its offset is no integer");
    return NULL;
}

/* Are the low bits of address @data such that elements of @bytes may lie there? */
static void check_aligned(struct cg_graph *g, const struct cg_value *within, LLVMValueRef data,
                          LLVMValueRef offset, unsigned bytes)
{
    struct cg *cg = g->cg;
    if (bytes <= 1)
        return;
    LLVMValueRef address = offset; /* of what is aligned to more than any element */
    if (!within->is_aligned)
        address = BUILD(PtrToInt, data, cg->i64);
    LLVMValueRef args[] = {offset, cg_i64(cg, bytes)};
    LLVMValueRef is_fine = cg_compare(
        cg, LLVMIntEQ, BUILD(And, address, cg_i64(cg, (int64_t)bytes - 1)), cg_i64(cg, 0));
    cg_check(cg, is_fine, INLAY_ERROR_BOUNDS,
             "byte %lld of the storage is no place for elements of %lld bytes", args, 2);
}

/* The root of a tensor that is put into @storage, which may be that of a parameter. */
static struct cg_root *tensor_root(struct cg_graph *g, const struct cg_value *storage)
{
    if (storage->root->kind != CG_ROOT_FRESH)
        return storage->root;
    struct cg_root *root = cg_root_new(g, CG_ROOT_FRESH);
    root->within = storage->root;
    return root;
}

/* @to, whose dtype and dims are set, is what begins at byte @offset of @within, which has @room. */
static void place(struct cg_graph *g, struct cg_value *to, const struct cg_value *within,
                  LLVMValueRef offset, LLVMValueRef room)
{
    struct cg *cg = g->cg;
    unsigned element = ir_dtype_bytes(to->dtype);
    LLVMValueRef bytes = cg_product_bytes(cg, to->dims, to->count, element);
    LLVMValueRef left = BUILD(Sub, room, bytes);
    LLVMValueRef args[] = {bytes, offset, room};
    LLVMValueRef is_fine = cg_compare(cg, LLVMIntSGE, bytes, cg_i64(cg, 0));
    is_fine = BUILD(And, is_fine, cg_compare(cg, LLVMIntSGE, offset, cg_i64(cg, 0)));
    is_fine = BUILD(And, is_fine, cg_compare(cg, LLVMIntSLE, offset, left));
    cg_check(cg, is_fine, INLAY_ERROR_BOUNDS,
             "a tensor of %lld bytes from byte %lld on is not within storage of %lld bytes", args,
             3);
    to->data = cg_element(cg, cg->i8, within->data, offset);
    check_aligned(g, within, to->data, offset, element);
    bool is_literal = LLVMIsAConstantInt(offset) != NULL;
    to->is_aligned =
        within->is_aligned && is_literal && LLVMConstIntGetSExtValue(offset) % CG_ALIGNMENT == 0;
}

/* Is the expression that operand @i is a multiple of CG_ALIGNMENT, whatever its symbols are? */
static bool is_multiple(struct cg_graph *g, const struct ir_op *op, unsigned i)
{
    struct ir_context *context = g->cg->ir;
    const struct ir_op *def = op->operands[i].value->def;
    if (!def || !ir_op_is(def, IR_CORE_prim) || ir_op_attr(def, "value")->kind != IR_ATTR_EXPR)
        return false;
    const struct ir_expr *offset = ir_op_attr(def, "value")->expr;
    const struct ir_expr *rest = ir_expr_binary(context, IR_EXPR_floormod, offset,
                                                ir_expr_int(context, offset->dtype, CG_ALIGNMENT));
    return ir_expr_is_int(ir_simplify(context, rest), 0);
}

bool cg_emit_storage_tensor(struct cg_graph *g, const struct ir_op *op)
{
    const struct ir_type *type = op->result.type;
    struct cg_value *storage = cg_operand(g, op->operands[0].value);
    LLVMValueRef offset = storage ? offset_operand(g, op, 1) : NULL;
    if (!offset)
        return false;
    if (storage->kind != CG_STORAGE)
        return cg_op_refuse(g, op, "its operand is no piece of storage");
    if (type->ndim < 0 || (type->ndim > 0 && !type->dims) || ir_dtype_is_void(type->dtype))
        return cg_op_refuse(g, op, "the shape or dtype of its result is not known");
    struct cg_value *tensor =
        cg_tensor_new(g, type->dtype, (unsigned)type->ndim, NULL, tensor_root(g, storage));
    if (!cg_type_dims(g, type, tensor->dims))
        return false;
    place(g, tensor, storage, offset, storage->dims[0]);
    tensor->is_aligned |= storage->is_aligned && is_multiple(g, op, 1);
    tensor->storage = LLVMConstNull(g->cg->ptr); /* it ends apart from the piece */
    count_tensor(g, tensor);
    cg_set_result(g, op, tensor);
    return true;
}

/* What the operand of a view, a parameter whose storage has more room than elements, has; NULL after a
 * report.  Fails at run time where the view is larger than that. */
static LLVMValueRef growth_room(struct cg_graph *g, const struct ir_op *op,
                                const struct ir_capacity *capacity, const struct cg_value *from,
                                const struct cg_value *to, LLVMValueRef offset)
{
    struct cg *cg = g->cg;
    LLVMValueRef room = cg_dim(cg, capacity->bytes), limit = cg_dim(cg, capacity->limit);
    if (!room || !limit)
        return NULL;
    LLVMValueRef bytes = cg_product_bytes(cg, to->dims, to->count, ir_dtype_bytes(to->dtype));
    LLVMValueRef left = BUILD(Sub, room, bytes);
    LLVMValueRef is_fine = BUILD(And, cg_compare(cg, LLVMIntSGE, bytes, cg_i64(cg, 0)),
                                 cg_compare(cg, LLVMIntSLE, offset, left));
    LLVMValueRef args[] = {cg_string(cg, cg_name_of(g, op->operands[0].value)),
                           from->dims[capacity->axis], limit, bytes, room};
    cg_check(cg, is_fine, INLAY_ERROR_ARGUMENT, IR_CAPACITY_EXCEEDED, args, 5);
    return room;
}

bool cg_emit_memory_view(struct cg_graph *g, const struct ir_op *op)
{
    struct cg *cg = g->cg;
    const struct ir_type *type = op->result.type;
    struct cg_value *from = cg_tensor_operand(g, op->operands[0].value);
    LLVMValueRef offset = from ? offset_operand(g, op, 3) : NULL;
    if (!offset)
        return false;
    if (type->kind != IR_TYPE_TENSOR || type->ndim < 0 || ir_dtype_is_void(type->dtype))
        return cg_op_refuse(g, op, "the rank or dtype of its result is not known");
    struct cg_value *to = cg_tensor_new(g, type->dtype, (unsigned)type->ndim, NULL, from->root);
    if (!cg_view_dims(g, op, from, to))
        return false;
    unsigned element = ir_dtype_bytes(from->dtype);
    struct ir_capacity capacity;
    LLVMValueRef room = ir_view_grows(op, &capacity)
                            ? growth_room(g, op, &capacity, from, to, offset)
                            : cg_product_bytes(cg, from->dims, from->count, element);
    if (!room)
        return false;
    place(g, to, from, offset, room);
    to->storage = from->storage;
    cg_set_result(g, op, to);
    return true;
}

/* --- ends --- */

void cg_share(struct cg_value *value)
{
    for (unsigned i = 0; value->kind == CG_TUPLE && i < value->count; i++)
        cg_share(value->fields[i]);
    if (value->root)
        value->root->is_shared = true;
}

/* Gives back the storage of a tensor, or a piece of storage, that this run has taken. */
static bool end_leaf(struct cg_graph *g, const struct ir_op *op, const struct cg_value *value)
{
    struct cg *cg = g->cg;
    struct cg_root *root = value->root;
    LLVMValueRef args[] = {cg->frame, value->kind == CG_TENSOR ? value->storage : value->data};
    if (cg->codegen->artifact && !(root && root->stack_end)) { /* stays until the run has ended */
        if (root && root->kind == CG_ROOT_FRESH && !root->is_shared && root->region == g->region)
            root->is_ended = true;
        return true;
    }
    if (value->kind == CG_BOXED)
        cg_call_runtime(cg, CG_inlay_release_value, args, 2);
    if (!root || LLVMIsNull(args[1]))
        return true;       /* no storage, or that of a piece */
    if (root->stack_end) { /* another name of it may come before, and does nothing */
        args[1] = root->data;
        if (root->stack_end == op && !root->is_ended)
            cg_call_runtime(cg, CG_inlay_stack_give, args, 2);
        root->is_ended |= root->stack_end == op;
        return true;
    }
    if (root->kind != CG_ROOT_FRESH && root->kind != CG_ROOT_UNKNOWN)
        return cg_op_refuse(g, op, "the storage is not this run's to give back");
    bool is_certain = root->kind == CG_ROOT_FRESH && !root->is_shared && root->region == g->region;
    if (!is_certain) {
        bool is_tensor = value->kind == CG_TENSOR;
        cg_call_runtime(cg, is_tensor ? CG_inlay_release : CG_inlay_release_storage, args, 2);
        root->is_shared = true;
    } else if (!root->is_ended) {
        args[1] = root->data;
        cg_call_runtime(cg, CG_inlay_free, args, 2);
        root->is_ended = true;
    }
    return true;
}

bool cg_emit_kill(struct cg_graph *g, const struct ir_op *op)
{
    struct cg_value *value = cg_operand(g, op->operands[0].value);
    struct cg_leaves leaves = {0};
    bool is_fine = value != NULL;
    if (value)
        cg_flatten(value, &leaves);
    for (size_t i = 0; i < leaves.count; i++) {
        cg_watch_end(g, leaves.items[i], cg_name_of(g, op->operands[0].value));
        count_end(g, leaves.items[i]);
    }
    for (size_t i = leaves.count; is_fine && i-- > 0;) /* the last one lies on top */
        is_fine = end_leaf(g, op, leaves.items[i]);
    array_finish(&leaves);
    cg_set_result(g, op, cg_value_new(g, CG_TUPLE, 0));
    return is_fine;
}

static bool is_ended(const struct cg_root *root)
{
    return root && (root->is_ended || is_ended(root->within));
}

struct alive_walk {
    struct cg_graph *g;
    bool is_fine;
};

static void check_operand(void *state, struct ir_use *use)
{
    struct alive_walk *walk = state;
    struct cg_value *value = map_get(&walk->g->values, use->value);
    struct cg_leaves leaves = {0};
    if (!value || !walk->is_fine)
        return;
    cg_flatten(value, &leaves);
    for (size_t i = 0; walk->is_fine && i < leaves.count; i++)
        if (is_ended(leaves.items[i]->root))
            walk->is_fine = cg_value_refuse(walk->g, cg_name_of(walk->g, use->value),
                                            "its storage was given back before") != NULL;
    array_finish(&leaves);
}

bool cg_check_alive(struct cg_graph *g, struct ir_op *op)
{
    struct alive_walk walk = {.g = g, .is_fine = true};
    bool is_name = op->info->traits & (IR_VIEW | IR_ALIAS);
    if (!is_name && !(op->info->traits & IR_METADATA))
        ir_op_walk_operands(op, check_operand, &walk);
    return walk.is_fine;
}
