/*
 * Values of graph functions.
 *
 * A tensor whose dtype and rank are known is a pointer and its dims in registers; whatever is less
 * known is boxed, and can only be passed on, printed or cast.
 */
#include "codegen/llvm/graph.h"
#include "ir/print.h"

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

void *cg_value_refuse(struct cg_graph *g, const char *name, const char *why)
{
    diag_report(g->cg->diag, g->cg->loc, CODEGEN_VALUE, name, why);
    return NULL;
}

bool cg_op_refuse(struct cg_graph *g, const struct ir_op *op, const char *why)
{
    diag_report(g->cg->diag, op->loc.source ? op->loc : g->cg->loc, CODEGEN_OP, op->info->name,
                why);
    return false;
}

const char *cg_name_of(struct cg_graph *g, const struct ir_value *value)
{
    if (value->name)
        return value->name;
    struct text text = {0};
    ir_value_print(value, &text);
    const char *copy = arena_copy_text(&g->cg->arena, text_string(&text), text.length);
    text_finish(&text);
    return copy;
}

enum cg_value_kind cg_kind_of_type(const struct ir_type *type)
{
    switch (type->kind) {
    case IR_TYPE_PRIM:
        return ir_dtype_can_compute(type->dtype) ? CG_SCALAR : CG_BOXED;
    case IR_TYPE_SHAPE:
        return type->ndim >= 0 ? CG_SHAPE : CG_BOXED;
    case IR_TYPE_TENSOR:
        return type->ndim >= 0 && !ir_dtype_is_void(type->dtype) ? CG_TENSOR : CG_BOXED;
    case IR_TYPE_TUPLE:
        return CG_TUPLE;
    default:
        return CG_BOXED;
    }
}

struct cg_value *cg_value_new(struct cg_graph *g, enum cg_value_kind kind, unsigned count)
{
    struct cg_value *value = arena_new(&g->cg->arena, struct cg_value);
    value->kind = kind;
    value->count = count;
    unsigned room = count ? count : 1;
    if (kind == CG_TUPLE)
        value->fields = arena_array(&g->cg->arena, struct cg_value *, room);
    else if (kind == CG_TENSOR || kind == CG_SHAPE || kind == CG_STORAGE ||
             (kind == CG_BOXED && count > 0))
        value->dims = arena_array(&g->cg->arena, LLVMValueRef, room);
    return value;
}

struct cg_value *cg_tensor_new(struct cg_graph *g, struct ir_dtype dtype, unsigned ndim,
                               LLVMValueRef data, struct cg_root *root)
{
    struct cg_value *value = cg_value_new(g, CG_TENSOR, ndim);
    value->dtype = dtype;
    value->data = data;
    value->root = root;
    return value;
}

struct cg_root *cg_root_new(struct cg_graph *g, enum cg_root_kind kind)
{
    struct cg_root *root = arena_new(&g->cg->arena, struct cg_root);
    root->kind = kind;
    root->number = g->root_count++;
    root->region = g->region;
    return root;
}

bool cg_roots_are_apart(const struct cg_root *a, const struct cg_root *b)
{
    const struct cg_root *newer = a->number > b->number ? a : b, *older = newer == a ? b : a;
    if (a == b)
        return false;
    if (newer->kind == CG_ROOT_FRESH)
        return true; /* taken while the other one was in use */
    if (newer->kind == CG_ROOT_UNKNOWN || older->kind == CG_ROOT_UNKNOWN)
        return false;
    if (older->kind == CG_ROOT_FRESH)
        return true;
    /* The host may pass what an earlier run returned, even a constant. */
    bool is_param_a = a->kind != CG_ROOT_CONSTANT, is_param_b = b->kind != CG_ROOT_CONSTANT;
    if (is_param_a && is_param_b)
        return a->kind == CG_ROOT_DONATED || b->kind == CG_ROOT_DONATED;
    return !is_param_a && !is_param_b;
}

/* --- operands --- */

static struct cg_value *constant_value(struct cg_graph *g, const struct ir_op *op)
{
    const struct ir_constant *constant = ir_op_attr(op, "data")->constant;
    struct cg_value *value =
        cg_tensor_new(g, constant->dtype, constant->ndim, cg_constant_data(g->cg, constant),
                      cg_root_new(g, CG_ROOT_CONSTANT));
    for (unsigned i = 0; i < constant->ndim; i++)
        value->dims[i] = cg_i64(g->cg, constant->shape[i]);
    value->storage = LLVMConstNull(g->cg->ptr);
    value->is_aligned = cg_alignment_of(g->cg, constant) == 64;
    return value;
}

static struct cg_value *shape_value(struct cg_graph *g, const struct ir_op *op)
{
    const struct ir_attr *dims = ir_op_attr(op, "dims");
    struct cg_value *value = cg_value_new(g, CG_SHAPE, dims->count);
    for (unsigned i = 0; i < dims->count; i++) {
        value->dims[i] = cg_dim(g->cg, dims->items[i]->expr);
        if (!value->dims[i])
            return NULL;
    }
    return value;
}

static struct cg_value *prim_value(struct cg_graph *g, const struct ir_op *op)
{
    const struct ir_attr *attr = ir_op_attr(op, "value");
    struct cg_value *value = cg_value_new(g, CG_SCALAR, 0);
    value->dtype = attr->expr->dtype;
    value->data = cg_expr(&g->scalars, attr->expr);
    return value->data ? value : NULL;
}

static struct cg_value *inline_value(struct cg_graph *g, const struct ir_op *op)
{
    switch (op->info->core) {
    case IR_CORE_constant:
        return constant_value(g, op);
    case IR_CORE_shape:
        return shape_value(g, op);
    case IR_CORE_prim:
        return prim_value(g, op);
    case IR_CORE_string: {
        struct cg_value *value = cg_value_new(g, CG_STRING, 0);
        value->data = cg_string(g->cg, ir_op_attr(op, "value")->string);
        return value;
    }
    case IR_CORE_tuple: {
        struct cg_value *value = cg_value_new(g, CG_TUPLE, op->operand_count);
        for (unsigned i = 0; i < op->operand_count; i++) {
            value->fields[i] = cg_operand(g, op->operands[i].value);
            if (!value->fields[i])
                return NULL;
        }
        return value;
    }
    default:
        cg_op_refuse(g, op, "it is no value at run time");
        return NULL;
    }
}

struct cg_value *cg_operand(struct cg_graph *g, const struct ir_value *value)
{
    if (value->def && ir_op_is_inline(value->def))
        return inline_value(g, value->def);
    struct cg_value *known = map_get(&g->values, value);
    if (!known)
        return cg_value_refuse(g, cg_name_of(g, value), "it has no value here");
    return known;
}

struct cg_value *cg_tensor_operand(struct cg_graph *g, const struct ir_value *value)
{
    struct cg_value *tensor = cg_operand(g, value);
    if (tensor && tensor->kind != CG_TENSOR)
        return cg_value_refuse(g, cg_name_of(g, value),
                               "its rank or dtype is not known; R.match_cast can say it");
    return tensor;
}

void cg_flatten(struct cg_value *value, struct cg_leaves *out)
{
    if (value->kind != CG_TUPLE) {
        array_push(out, value);
        return;
    }
    for (unsigned i = 0; i < value->count; i++)
        cg_flatten(value->fields[i], out);
}

bool cg_can_leave(struct cg_graph *g, const struct ir_op *op, const struct cg_leaves *leaves)
{
    for (size_t i = 0; i < leaves->count; i++)
        if (leaves->items[i]->kind == CG_STORAGE)
            return cg_op_refuse(g, op,
                                "a piece of storage cannot be handed on; a tensor in it can");
    return true;
}

struct cg_value *cg_unflatten(struct cg_graph *g, const struct ir_type *type,
                              struct cg_value **leaves, size_t *next)
{
    if (type->kind != IR_TYPE_TUPLE)
        return leaves[(*next)++];
    struct cg_value *tuple = cg_value_new(g, CG_TUPLE, type->field_count);
    for (unsigned i = 0; i < type->field_count; i++)
        tuple->fields[i] = cg_unflatten(g, type->fields[i], leaves, next);
    return tuple;
}

/* --- tensors --- */

bool cg_type_dims(struct cg_graph *g, const struct ir_type *type, LLVMValueRef *out)
{
    for (int i = 0; i < type->ndim; i++) {
        out[i] = cg_dim(g->cg, type->dims[i]);
        if (!out[i])
            return false;
    }
    return true;
}

struct dim_check {
    enum inlay_error_kind kind;
    const char *what;
    unsigned axis;
    LLVMValueRef given, wanted;
};

static void check_dim(struct cg_graph *g, struct dim_check dim, const struct ir_expr *e)
{
    struct cg *cg = g->cg;
    const char *what = atom_intern_text(&cg->ir->atoms, dim.what);
    LLVMValueRef is_equal = cg_compare(cg, LLVMIntEQ, dim.wanted, dim.given);
    LLVMValueRef args[5] = {cg_i64(cg, dim.axis), cg_string(cg, what), dim.given, dim.wanted};
    if (e->kind == IR_EXPR_int) {
        cg_check(cg, is_equal, dim.kind, "dimension %lld of %s is %lld, not %lld", args, 4);
        return;
    }
    struct text text = {0};
    ir_expr_print(e, &text);
    args[3] = cg_string(cg, atom_intern_text(&cg->ir->atoms, text_string(&text)));
    args[4] = dim.wanted;
    text_finish(&text);
    cg_check(cg, is_equal, dim.kind, "dimension %lld of %s is %lld, but `%s` is %lld", args, 5);
}

bool cg_shows_dims(const struct cg_value *value, const struct ir_type *type)
{
    bool is_tensor = value->kind == CG_TENSOR || (value->kind == CG_BOXED && value->dims);
    return type->dims && ((is_tensor && type->kind == IR_TYPE_TENSOR) ||
                          (value->kind == CG_SHAPE && type->kind == IR_TYPE_SHAPE));
}

bool cg_check_dims(struct cg_graph *g, struct cg_value *value, const struct ir_type *type,
                   enum inlay_error_kind kind, const char *what)
{
    struct cg *cg = g->cg;
    if (!cg_shows_dims(value, type))
        return true;
    if ((unsigned)type->ndim != value->count)
        return cg_value_refuse(g, what, "its rank is not that of its type") != NULL;
    for (unsigned i = 0; i < value->count; i++) {
        LLVMValueRef wanted = cg_dim(cg, type->dims[i]);
        if (!wanted)
            return false;
        if (wanted == value->dims[i])
            continue;
        check_dim(g, (struct dim_check){kind, what, i, value->dims[i], wanted}, type->dims[i]);
    }
    return true;
}

LLVMValueRef cg_condition(struct cg_graph *g, const struct ir_value *value)
{
    struct cg *cg = g->cg;
    struct cg_value *condition = cg_operand(g, value);
    if (!condition)
        return NULL;
    bool is_tensor = condition->kind == CG_TENSOR && condition->count == 0;
    if (!ir_dtype_is_bool(condition->dtype) || (!is_tensor && condition->kind != CG_SCALAR))
        return cg_value_refuse(g, cg_name_of(g, value), "a condition is a bool of rank 0");
    if (!is_tensor)
        return condition->data;
    return cg_from_memory(cg, IR_B1, cg_load(cg, cg->i8, condition->data));
}

struct cg_value *cg_coerce(struct cg_graph *g, struct cg_value *value, const struct ir_type *type)
{
    struct cg *cg = g->cg;
    if (value->kind == CG_TUPLE && type->kind == IR_TYPE_TUPLE) {
        assert(value->count == type->field_count);
        struct cg_value *tuple = cg_value_new(g, CG_TUPLE, value->count);
        for (unsigned i = 0; i < value->count; i++)
            tuple->fields[i] = cg_coerce(g, value->fields[i], type->fields[i]);
        return tuple;
    }
    if (value->kind == CG_STORAGE || cg_kind_of_type(type) != CG_BOXED)
        return value;
    if (value->kind == CG_BOXED) /* with the dims that this type speaks of */
        return cg_unbox(g, type, value->data, NULL);
    LLVMValueRef args[] = {cg->frame, cg_i64(cg, sizeof(struct inlay_value)), cg_line(cg)};
    LLVMValueRef slot = cg_call_runtime(cg, CG_inlay_alloc, args, 3);
    cg_check_pointer(cg, slot);
    cg_box(g, value, slot, true);
    cg_share(value);
    return cg_unbox(g, type, slot, NULL);
}
