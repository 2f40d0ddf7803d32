/*
 * Begin and end of a graph function: arguments are checked and unboxed, results are boxed.
 *
 * Everything that needs no symbols is checked by inlay_check_arguments() against a constant table.  A
 * symbol takes its value from the first dim that it stands for alone; all other dims are compared here.
 */
#include "analysis/inplace.h"
#include "analysis/leaves.h"
#include "codegen/llvm/graph.h"
#include "ir/bounds.h"
#include "ir/capacity.h"

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

struct parameters {
    array(const struct ir_type *) types; /* of the leaves */
    array(const char *) names;           /* in messages */
    array(const char *) leaves;          /* as the text calls them */
    array(bool) donated;
};

static void add_leaves(struct cg_graph *g, struct parameters *parameters, unsigned param)
{
    struct ir_function *function = g->function;
    const struct ir_value *value = function->params[param];
    unsigned count = leaf_count(value->type);
    bool is_donated = ir_function_donates(function, param);
    for (unsigned i = 0; i < count; i++) {
        const char *name = value->name ? value->name : "?";
        if (value->type->kind == IR_TYPE_TUPLE)
            name = arena_printf(&g->cg->arena, "%s[%u]", name, i);
        size_t position = parameters->types.count + 1;
        const char *text = arena_printf(&g->cg->arena, "argument %zu (`%s`) of `%s`", position,
                                        name, function->name);
        array_push(&parameters->types, leaf_type(value->type, i));
        array_push(&parameters->names, text);
        array_push(&parameters->leaves, name);
        array_push(&parameters->donated, is_donated);
    }
}

static void finish_parameters(struct parameters *parameters)
{
    array_finish(&parameters->types);
    array_finish(&parameters->names);
    array_finish(&parameters->leaves);
    array_finish(&parameters->donated);
}

static struct parameters parameters_of(struct cg_graph *g)
{
    struct parameters parameters = {0};
    for (unsigned i = 0; i < g->function->param_count; i++)
        add_leaves(g, &parameters, i);
    return parameters;
}

/* What the arguments have to be: one table for the entry and the doors. */
static LLVMValueRef expected_table(struct cg_graph *g, const struct parameters *parameters)
{
    struct cg *cg = g->cg;
    size_t count = parameters->types.count;
    LLVMValueRef table = map_get(&cg->expected, g->function);
    if (table)
        return table;
    LLVMValueRef *rows = arena_array(&cg->arena, LLVMValueRef, count ? count : 1);
    for (size_t i = 0; i < count; i++)
        rows[i] = cg_expected(g, parameters->types.items[i], parameters->names.items[i],
                              parameters->donated.items[i]);
    table = cg_private_constant(cg, LLVMConstArray2(cg_expected_type(cg), rows, count));
    map_set(&cg->expected, g->function, table);
    return table;
}

LLVMValueRef cg_expected_arguments(struct cg_graph *g, unsigned *out_count)
{
    struct parameters parameters = parameters_of(g);
    LLVMValueRef table = expected_table(g, &parameters);
    *out_count = (unsigned)parameters.types.count;
    finish_parameters(&parameters);
    return table;
}

static void check_arguments(struct cg_graph *g, const struct parameters *parameters)
{
    struct cg *cg = g->cg;
    LLVMValueRef args[] = {cg->frame,
                           cg_line(cg),
                           cg_string(cg, g->function->name),
                           expected_table(g, parameters),
                           cg_i32(cg, (int64_t)parameters->types.count),
                           g->args,
                           LLVMGetParam(cg->function, 2)};
    cg_check_status(
        cg, cg_call_runtime(cg, g->is_door ? CG_inlay_artifact_check : CG_inlay_check_arguments,
                            args, 7));
}

/* Is there room for as many results as there are? */
static void check_result_count(struct cg_graph *g)
{
    struct cg *cg = g->cg;
    unsigned results = leaf_count(g->function->result);
    LLVMValueRef given = LLVMGetParam(cg->function, 4);
    LLVMValueRef values[] = {cg_string(cg, g->function->name), cg_i64(cg, results),
                             BUILD(SExt, given, cg->i64)};
    cg_check(cg, cg_compare(cg, LLVMIntEQ, given, cg_i32(cg, results)), INLAY_ERROR_ARGUMENT,
             "`%s` has %lld results, but there is room for %lld", values, 3);
}

/* What the host may give for results is what they will be. */
static void check_results(struct cg_graph *g)
{
    struct cg *cg = g->cg;
    unsigned count = leaf_count(g->function->result);
    LLVMValueRef *rows = arena_array(&cg->arena, LLVMValueRef, count ? count : 1);
    for (unsigned i = 0; i < count; i++)
        rows[i] =
            cg_expected(g, leaf_type(g->function->result, i),
                        arena_printf(&cg->arena, "the tensor that is given for result %u of `%s`",
                                     i + 1, g->function->name),
                        false);
    LLVMValueRef table =
        cg_private_constant(cg, LLVMConstArray2(cg_expected_type(cg), rows, count));
    LLVMValueRef args[] = {cg->frame,
                           cg_line(cg),
                           table,
                           cg_i32(cg, count),
                           g->results,
                           g->args,
                           LLVMGetParam(cg->function, 2)};
    if (count > 0)
        cg_check_status(cg, cg_call_runtime(cg, CG_inlay_check_results, args, 7));
}

void cg_bind_symbols(struct cg_graph *g, struct cg_value *value, const struct ir_type *type)
{
    struct cg *cg = g->cg;
    if (type->kind == IR_TYPE_TUPLE && value->kind == CG_TUPLE) {
        for (unsigned i = 0; i < value->count; i++)
            cg_bind_symbols(g, value->fields[i], type->fields[i]);
        return;
    }
    for (int i = 0; cg_shows_dims(value, type) && i < type->ndim; i++) {
        const struct ir_expr *dim = type->dims[i];
        if (dim->kind == IR_EXPR_var && !map_get(&cg->vars, dim->var)) {
            LLVMTypeRef narrow = cg_register_type(cg, dim->var->dtype);
            map_set(&cg->vars, dim->var,
                    LLVMBuildIntCast2(cg->builder, value->dims[i], narrow, true, ""));
        }
    }
}

/* Numbers among the dims of @type were held against those of @value. */
static void fold_dims(struct cg *cg, struct cg_value *value, const struct ir_type *type)
{
    for (int i = 0; cg_shows_dims(value, type) && i < type->ndim; i++)
        if (type->dims[i]->kind == IR_EXPR_int)
            value->dims[i] = cg_i64(cg, type->dims[i]->int_value);
}

static bool bind_parameters(struct cg_graph *g, const struct parameters *parameters)
{
    struct cg *cg = g->cg;
    size_t next = 0, leaf = 0;
    struct cg_leaves leaves = {0};
    for (unsigned i = 0; i < g->function->param_count; i++) {
        struct cg_root *root =
            cg_root_new(g, ir_function_donates(g->function, i) ? CG_ROOT_DONATED : CG_ROOT_PARAM);
        unsigned count = leaf_count(g->function->params[i]->type);
        for (unsigned j = 0; j < count; j++, leaf++) {
            assert(parameters->types.items);
            /* The leaves of one donated tuple are checked to be apart, too. */
            struct cg_root *own = cg_root_new(g, root->kind);
            LLVMValueRef slot = cg_element(cg, cg->value_type, g->args, cg_i64(cg, (int64_t)leaf));
            array_push(&leaves, cg_unbox(g, parameters->types.items[leaf], slot, own));
            fold_dims(cg, array_last(&leaves), parameters->types.items[leaf]);
        }
    }
    for (unsigned i = 0; i < g->function->param_count; i++) {
        const struct ir_value *param = g->function->params[i];
        struct cg_value *value = cg_unflatten(g, param->type, leaves.items, &next);
        map_set(&g->values, param, value);
        if (param->var && value->kind == CG_SCALAR)
            map_set(&cg->vars, param->var, value->data);
        cg_bind_symbols(g, value, param->type);
    }
    bool is_fine = true;
    for (size_t i = 0; is_fine && i < leaves.count; i++)
        is_fine = cg_check_dims(g, leaves.items[i], parameters->types.items[i],
                                INLAY_ERROR_ARGUMENT, parameters->names.items[i]);
    for (size_t i = 0; is_fine && i < leaves.count; i++)
        cg_watch_parameter(g, leaves.items[i], parameters->leaves.items[i]);
    array_finish(&leaves);
    return is_fine;
}

/* The parameters that grow where they are. */
struct growth {
    struct ir_capacity *items; /* by parameter; without a limit: it does not */
    const struct ir_function *function;
};

static bool note_growth(void *state, struct ir_op *op)
{
    struct growth *growth = state;
    struct ir_capacity capacity;
    if (op_is(op, OP_memory_view) && ir_view_grows(op, &capacity) &&
        op->operands[0].value->parameter_of == growth->function)
        growth->items[capacity.param] = capacity;
    return true;
}

static struct growth find_growth(struct cg_graph *g)
{
    struct growth growth = {
        arena_array(&g->cg->arena, struct ir_capacity, g->function->param_count + 1), g->function};

    ir_region_walk(g->function->body, note_growth, &growth);
    return growth;
}

bool cg_growing_axes(struct cg_graph *g, int *out)
{
    struct growth growth = find_growth(g);
    unsigned leaf = 0;
    bool has_some = false;

    for (unsigned i = 0; i < g->function->param_count; i++)
        for (unsigned k = 0; k < leaf_count(g->function->params[i]->type); k++) {
            out[leaf++] = growth.items[i].limit ? (int)growth.items[i].axis : -1;
            has_some |= growth.items[i].limit != NULL;
        }
    return has_some;
}

bool cg_give_rooms(struct cg_graph *g, unsigned count)
{
    struct cg *cg = g->cg;
    struct growth growth = find_growth(g);
    LLVMValueRef rooms = NULL;
    unsigned leaf = 0;

    for (unsigned i = 0; i < g->function->param_count; i++) {
        if (growth.items[i].limit) {
            LLVMValueRef bytes = cg_dim(cg, growth.items[i].bytes);
            if (!bytes)
                return false;
            if (!rooms) {
                rooms = cg_alloca(cg, LLVMArrayType2(cg->size, count), 8);
                LLVMBuildMemSet(cg->builder, rooms, LLVMConstInt(cg->i8, 0, false),
                                cg_i64(cg, (int64_t)count * (cg->size == cg->i64 ? 8 : 4)), 4);
            }
            cg_store(cg, LLVMBuildIntCast2(cg->builder, bytes, cg->size, false, ""),
                     cg_element(cg, cg->size, rooms, cg_i64(cg, leaf)));
        }
        leaf += leaf_count(g->function->params[i]->type);
    }
    LLVMValueRef args[] = {cg->frame, rooms};
    if (rooms)
        cg_call_runtime(cg, CG_inlay_artifact_rooms, args, 2);
    return true;
}

/* The storage of parameters that grow must have the room that the function says. */
static bool check_rooms(struct cg_graph *g, const struct parameters *parameters)
{
    struct cg *cg = g->cg;
    struct growth growth = find_growth(g);
    size_t leaf = 0;
    for (unsigned i = 0; i < g->function->param_count; i++) {
        const struct ir_capacity *capacity = &growth.items[i];
        if (capacity->limit) {
            LLVMValueRef bytes = cg_dim(cg, capacity->bytes);
            LLVMValueRef args[] = {cg->frame,
                                   cg_line(cg),
                                   cg_string(cg, parameters->names.items[leaf]),
                                   cg_i32(cg, (int64_t)leaf),
                                   bytes,
                                   g->args,
                                   LLVMGetParam(cg->function, 2)};
            if (!bytes)
                return false;
            cg_check_status(cg, cg_call_runtime(cg, CG_inlay_check_room, args, 7));
            cg_watch_room(g, map_get(&g->values, g->function->params[i]), bytes);
        }
        leaf += leaf_count(g->function->params[i]->type);
    }
    return true;
}

/* Plans of memory count on the upper bounds of symbols. */
static void check_bounds(struct cg_graph *g)
{
    struct cg *cg = g->cg;
    struct ir_bounds bounds = {0};
    ir_bounds_find(g->function, &cg->arena, &bounds);
    for (size_t i = 0; i < bounds.count; i++) {
        const struct ir_bound *bound = &bounds.items[i];
        LLVMValueRef value = map_get(&cg->vars, bound->var);
        if (!value)
            continue;
        value = cg_cast(cg, value, bound->var->dtype, IR_I64);
        LLVMValueRef limit = cg_i64(cg, bound->limit);
        LLVMValueRef args[] = {cg_string(cg, bound->what), value, cg_string(cg, bound->var->name),
                               limit};
        cg_check(cg, cg_compare(cg, LLVMIntSLE, value, limit), INLAY_ERROR_ARGUMENT,
                 IR_BOUND_EXCEEDED, args, 4);
    }
    array_finish(&bounds);
}

bool cg_emit_entry(struct cg_graph *g)
{
    struct parameters parameters = parameters_of(g);
    bool is_artifact = g->cg->codegen->artifact != NULL; /* whose doors see to results */
    check_arguments(g, &parameters);
    if (!is_artifact)
        check_result_count(g);
    if (!is_artifact && !g->function->is_private)
        check_results(g);
    bool is_fine = bind_parameters(g, &parameters);
    if (is_fine)
        check_bounds(g);
    is_fine = is_fine && check_rooms(g, &parameters);
    finish_parameters(&parameters);
    return is_fine;
}

/* Tensor @leaf is result @i: where the host wants it, or described in memory that lasts. */
static void put_tensor(struct cg_graph *g, struct cg_value *leaf, unsigned i, LLVMValueRef slot)
{
    struct cg *cg = g->cg;
    LLVMValueRef here = cg_room_values(g, 1);
    cg_box(g, leaf, here, false);
    LLVMValueRef tensor = cg_load(cg, cg->ptr, cg_field(cg, cg->value_type, here, 2));
    LLVMValueRef args[] = {cg->frame, g->results, cg_i32(cg, i), tensor, cg_line(cg)};
    LLVMValueRef status = cg_call_runtime(cg, CG_inlay_result_put, args, 5);
    LLVMValueRef is_error = cg_compare(cg, LLVMIntSLT, status, cg_i32(cg, 0));
    cg_check_status(cg, BUILD(SExt, is_error, cg->i32));
    LLVMBasicBlockRef box = cg_block(cg, "box"), end = cg_block(cg, "");
    cg_branch(cg, cg_compare(cg, LLVMIntEQ, status, cg_i32(cg, 0)), box, end);
    cg_at(cg, box);
    cg_box(g, leaf, slot, true);
    cg_goto(cg, end);
    cg_at(cg, end);
}

/* Into the room that whoever calls in an artifact gives.  False: there is none for what it is. */
static bool put_in_room(struct cg_graph *g, struct cg_value *leaf, unsigned i, LLVMValueRef slot)
{
    struct cg *cg = g->cg;
    if (leaf->kind == CG_SHAPE)
        cg_put_shape(cg, leaf, slot);
    if (leaf->kind != CG_TENSOR)
        return leaf->kind == CG_SHAPE;
    LLVMValueRef here = cg_room_values(g, 1);
    cg_box(g, leaf, here, false);
    LLVMValueRef tensor = cg_load(cg, cg->ptr, cg_field(cg, cg->value_type, here, 2));
    LLVMValueRef args[] = {cg->frame, g->results, cg_i32(cg, i), tensor, cg_line(cg)};
    cg_call_runtime(cg, CG_inlay_result_put, args, 5);
    return true;
}

/* Callers know what a private function returns of what they gave: cg_result_param(). */
static void put_result(struct cg_graph *g, struct cg_value *leaf, unsigned i)
{
    struct cg *cg = g->cg;
    if (cg_result_param(cg, g->function, i) >= 0)
        return;
    LLVMValueRef slot = cg_element(cg, cg->value_type, g->results, cg_i64(cg, i));
    if (cg->codegen->artifact) {
        if (!put_in_room(g, leaf, i, slot))
            cg_box(g, leaf, slot, true);
        return;
    }
    LLVMValueRef args[] = {cg->frame, g->results, cg_i32(cg, i), cg_line(cg)};
    if (!g->function->is_private && leaf->kind == CG_TENSOR) {
        put_tensor(g, leaf, i, slot);
        return;
    }
    if (!g->function->is_private)
        cg_check_status(cg, cg_call_runtime(cg, CG_inlay_result_refuse, args, 4));
    cg_box(g, leaf, slot, true);
}

bool cg_emit_return(struct cg_graph *g, const struct ir_op *op)
{
    struct cg *cg = g->cg;
    struct cg_value *value = cg_operand(g, op->operands[0].value);
    if (!value)
        return false;
    value = cg_coerce(g, value, g->function->result);
    struct cg_leaves leaves = {0};
    cg_flatten(value, &leaves);
    bool is_fine = leaves.count == leaf_count(g->function->result) ||
                   cg_op_refuse(g, op, "the result is no tuple of the declared type");
    is_fine = is_fine && cg_can_leave(g, op, &leaves);
    const char *what = arena_printf(&cg->arena, "the result of `%s`", g->function->name);
    for (size_t i = 0; is_fine && i < leaves.count; i++)
        is_fine = cg_check_dims(g, leaves.items[i], leaf_type(g->function->result, (unsigned)i),
                                INLAY_ERROR_SHAPE, what);
    cg_room_reset(g);
    for (size_t i = 0; is_fine && i < leaves.count; i++)
        put_result(g, leaves.items[i], (unsigned)i);
    array_finish(&leaves);
    if (is_fine)
        cg_watch_leave(g);
    if (is_fine)
        cg_call_runtime(cg, CG_inlay_leave, &cg->frame, 1);
    return is_fine;
}
