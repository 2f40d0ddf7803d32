/*
 * Beginning and end of a kernel: its symbols, its arguments, the call.
 *
 * Order of parameters: scalars, tensors, results.  A symbol is a scalar parameter when no tensor
 * argument has it as a bare dim, from which it could be read.
 */
#include "ops/lower/lower.h"

#include "base/assert.h"
#include "base/half.h"

#include <string.h>

/* --- symbols --- */

static bool is_bare_dim(const struct ir_type *type, const struct ir_var *var)
{
    for (int d = 0; type->kind == IR_TYPE_TENSOR && type->dims != NULL && d < type->ndim; d++)
        if (type->dims[d]->kind == IR_EXPR_var && type->dims[d]->var == var)
            return true;
    return false;
}

static bool is_given_by_tensor(const struct kernel *k, const struct ir_var *var)
{
    for (unsigned i = 0; i < k->op->operand_count; i++)
        if (k->operands[i].type != NULL && is_bare_dim(k->operands[i].type, var))
            return true;
    for (unsigned f = 0; f < k->field_count; f++)
        if (is_bare_dim(k->fields[f].type, var))
            return true;
    for (unsigned m = 0; m < k->more_count; m++)
        if (is_bare_dim(k->more[m].type, var))
            return true;
    return false;
}

/* Gives the kernel its own variable for each one of the graph. */
static bool visit_symbol(void *state, const struct ir_expr *expr)
{
    struct kernel *k = state;

    if (expr->kind != IR_EXPR_var || ir_bindings_find(&k->symbols, expr->var) != NULL)
        return true;
    const struct ir_var *own = ir_symbol_new(k->context, expr->var->name, expr->var->dtype);
    struct ir_binding binding = {expr->var, ir_expr_var(k->context, own)};
    array_push(&k->symbols, binding);
    if (!is_given_by_tensor(k, expr->var)) {
        tir_func_add_var(k->func, own);
        array_push(&k->args, ir_inline_prim(k->module, ir_expr_var(k->context, expr->var)));
    }
    return true;
}

static void visit_prims(struct kernel *k, const struct ir_value *value)
{
    const struct ir_expr *prim = op_value_prim(value);

    if (prim != NULL)
        ir_expr_walk(prim, visit_symbol, k);
    const struct ir_op *def = op_value_def(value);
    for (unsigned i = 0; def != NULL && ir_op_is(def, IR_CORE_tuple) && i < def->operand_count;
         i++) {
        prim = op_value_prim(def->operands[i].value);
        if (prim != NULL)
            ir_expr_walk(prim, visit_symbol, k);
    }
}

static void collect_symbols(struct kernel *k)
{
    for (unsigned i = 0; i < k->op->operand_count; i++)
        if (k->operands[i].type != NULL)
            ir_type_walk_exprs(k->operands[i].type, visit_symbol, k);
    for (unsigned f = 0; f < k->field_count; f++)
        ir_type_walk_exprs(k->fields[f].type, visit_symbol, k);
    for (unsigned m = 0; m < k->more_count; m++)
        ir_type_walk_exprs(k->more[m].type, visit_symbol, k);
    ir_type_walk_exprs(k->result, visit_symbol, k);
    /* Scalars: slices, diagonals, bounds. */
    for (unsigned i = 0; i < k->op->operand_count; i++)
        visit_prims(k, k->op->operands[i].value);
    for (unsigned a = 0; a < k->op->info->attr_count; a++) {
        const struct ir_attr *attr = k->op->attrs[a];
        for (unsigned i = 0; attr->kind == IR_ATTR_LIST && i < attr->count; i++)
            if (attr->items[i]->kind == IR_ATTR_EXPR)
                ir_expr_walk(attr->items[i]->expr, visit_symbol, k);
    }
}

/* --- arguments --- */

/* A tensor that loops can run over. */
static bool check_tensor(struct kernel *k, const struct ir_type *type, const char *what)
{
    if (type->kind != IR_TYPE_TENSOR || (type->dims == NULL && type->ndim != 0))
        return kernel_refuse_shape(k, type, what);
    return (type->dtype.lanes == 1 && ir_dtype_can_compute(type->dtype)) ||
           kernel_refuse_dtype(k, OP_NUMBER, type->dtype);
}

static const struct ir_expr *float_literal(struct kernel *k, struct ir_dtype dtype,
                                           const void *data)
{
    double value;
    float narrow;
    uint16_t half;

    if (dtype.bits == 64) {
        memcpy(&value, data, sizeof(value));
    } else if (dtype.bits == 32) {
        memcpy(&narrow, data, sizeof(narrow));
        value = (double)narrow;
    } else {
        memcpy(&half, data, sizeof(half));
        value = (double)(dtype.code == IR_BFLOAT ? bfloat_to_float(half) : half_to_float(half));
    }
    return ir_expr_float(k->context, dtype, value);
}

/* The literal that a rank-0 constant is; NULL for dtypes that are not computed with. */
static const struct ir_expr *constant_literal(struct kernel *k, const struct ir_value *value)
{
    if (value->def == NULL || !ir_op_is(value->def, IR_CORE_constant))
        return NULL;
    const struct ir_constant *constant = ir_op_attr(value->def, "data")->constant;
    struct ir_dtype dtype = constant->dtype;
    uint64_t bits = 0;
    if (constant->ndim != 0 || dtype.lanes != 1 || !ir_dtype_can_compute(dtype))
        return NULL;
    if (ir_dtype_is_float(dtype))
        return float_literal(k, dtype, constant->data);
    const unsigned char *bytes = constant->data;
    unsigned size = ir_dtype_bytes(dtype);
    assert(size > 0);
    for (unsigned i = 0; i < size; i++) /* little-endian, as all hosts of code generation are */
        bits |= (uint64_t)bytes[i] << 8 * i;
    if (ir_dtype_is_bool(dtype))
        bits = bits != 0;
    else if (dtype.code == IR_INT && size < sizeof(bits) && (bytes[size - 1] & 0x80) != 0)
        bits |= UINT64_MAX << 8 * size;
    return ir_expr_int(k->context, dtype, (int64_t)bits);
}

/* What the operand is to the kernel, without its buffer. */
static bool describe_operand(struct kernel *k, struct ir_value *value, const char *name,
                             struct kernel_operand *out)
{
    out->type = value->type;
    if (value->type->kind == IR_TYPE_PRIM) {
        out->scalar = op_value_prim(value);
        if (out->scalar != NULL)
            return true;
        if (ir_dtype_is_void(value->type->dtype) || !ir_dtype_can_compute(value->type->dtype)) {
            diag_report(k->diag, op_said_place(k->op, name), LOWER_OPERAND, k->op->info->name, name,
                        "is a scalar of a dtype without arithmetic");
            return false;
        }
        /* worked out at run time: a scalar parameter */
        const struct ir_var *own =
            ir_var_new(k->context, atom_intern_text(&k->context->atoms, name), value->type->dtype);
        tir_func_add_var(k->func, own);
        array_push(&k->args, value);
        out->scalar = ir_expr_var(k->context, own);
        return true;
    }
    out->scalar = constant_literal(k, value);
    return check_tensor(k, value->type, arena_printf(&k->context->arena, "`%s`", name));
}

static void add_buffer(struct kernel *k, struct kernel_operand *operand, const char *name,
                       struct ir_value *value)
{
    if (operand->scalar != NULL) {
        operand->scalar = kernel_expr(k, operand->scalar);
        return;
    }
    unsigned ndim = (unsigned)operand->type->ndim;
    const struct ir_expr **dims = kernel_indices(k, ndim);
    for (unsigned d = 0; d < ndim; d++)
        dims[d] = kernel_expr(k, operand->type->dims[d]);
    struct ir_buffer *buffer = tir_buffer_new(k->module, name, operand->type->dtype, dims, ndim);
    tir_func_add_buffer(k->func, buffer);
    operand->buffer = buffer;
    array_push(&k->args, ir_inline_copy(k->module, value));
}

/* The values of a tuple operand: its fields where they can be seen, else parts of it. */
static struct ir_value *tuple_field(struct kernel *k, struct ir_value *tuple, unsigned i)
{
    if (tuple->type->kind == IR_TYPE_TENSOR) /* one tensor stands for a list of one */
        return tuple;
    if (tuple->def != NULL && ir_op_is(tuple->def, IR_CORE_tuple))
        return tuple->def->operands[i].value;
    return ir_build_tuple_get(&k->builder, tuple, i);
}

static bool describe_operands(struct kernel *k, unsigned inputs, struct ir_value **field_values)
{
    const struct ir_op *op = k->op;

    for (unsigned i = 0; i < op->operand_count; i++) {
        struct ir_value *value = op->operands[i].value;
        const char *name = op_operand_name(op->info, i);
        if (i >= 32 || !(inputs >> i & 1) || !op_has_operand(op, i))
            continue;
        if (i != k->list) {
            if (!describe_operand(k, value, name, &k->operands[i]))
                return false;
            continue;
        }
        for (unsigned f = 0; f < k->field_count; f++) {
            field_values[f] = tuple_field(k, value, f);
            if (!describe_operand(k, field_values[f], name, &k->fields[f]))
                return false;
        }
    }
    return true;
}

static void add_arguments(struct kernel *k, struct ir_value *const *field_values)
{
    for (unsigned i = 0; i < k->op->operand_count; i++)
        if (k->operands[i].type != NULL)
            add_buffer(k, &k->operands[i], op_operand_name(k->op->info, i),
                       k->op->operands[i].value);
    for (unsigned f = 0; f < k->field_count; f++)
        add_buffer(k, &k->fields[f], arena_printf(&k->context->arena, "x%u", f), field_values[f]);
}

static bool add_outputs(struct kernel *k)
{
    const struct ir_type *type = k->result;
    bool is_tuple = type->kind == IR_TYPE_TUPLE;

    k->output_count = is_tuple ? type->field_count : 1;
    const struct ir_type **results =
        arena_array(&k->module->arena, const struct ir_type *, k->output_count);
    k->outputs = arena_array(&k->module->arena, struct ir_buffer *, k->output_count);
    for (unsigned i = 0; i < k->output_count; i++) {
        results[i] = is_tuple ? type->fields[i] : type;
        if (!check_tensor(k, results[i], "its result"))
            return false;
    }
    k->results = results;
    return true;
}

static void make_outputs(struct kernel *k)
{
    for (unsigned i = 0; i < k->output_count; i++) {
        unsigned ndim = (unsigned)k->results[i]->ndim;
        const struct ir_expr **dims = kernel_indices(k, ndim);
        for (unsigned d = 0; d < ndim; d++)
            dims[d] = kernel_expr(k, k->results[i]->dims[d]);
        const char *name =
            k->output_count == 1 ? "out" : arena_printf(&k->context->arena, "out%u", i);
        k->outputs[i] = tir_buffer_new(k->module, name, k->results[i]->dtype, dims, ndim);
        tir_func_add_buffer(k->func, k->outputs[i]);
    }
}

static const char *kernel_name(const struct ir_op_info *info)
{
    const char *dot = strrchr(info->name, '.');

    return dot != NULL ? dot + 1 : info->name;
}

/* True where operand @i is a list of tensors. */
static bool is_list_operand(const struct ir_op_info *info, unsigned i)
{
    for (unsigned p = 0; p < info->param_count; p++)
        if (info->params[p].kind == IR_PARAM_EXPRS && info->params[p].operand_index == i)
            return true;
    return false;
}

/* The list of tensors among the arguments, if there is one. */
static void find_list(struct kernel *k, unsigned inputs)
{
    const struct ir_op *op = k->op;

    k->list = op->operand_count;
    for (unsigned i = 0; i < op->operand_count && i < 32; i++)
        if ((inputs >> i & 1) && is_list_operand(op->info, i))
            k->list = i;
    if (k->list == op->operand_count)
        return;
    const struct ir_type *tuple = op->operands[k->list].value->type;
    k->field_count = tuple->kind == IR_TYPE_TUPLE ? tuple->field_count : 1;
    k->fields = arena_array(&k->module->arena, struct kernel_operand, k->field_count + 1);
}

static bool describe_more(struct kernel *k, struct ir_value *const *more)
{
    k->more = arena_array(&k->module->arena, struct kernel_operand, k->more_count + 1);
    for (unsigned m = 0; m < k->more_count; m++)
        if (!describe_operand(k, more[m], "an intermediate result", &k->more[m]))
            return false;
    return true;
}

/* --- dims that belong together, and of which only the run knows whether they do --- */

static void visit_pairs(struct kernel *k, const struct op_pairs *pairs)
{
    for (unsigned i = 0; i < pairs->count; i++) {
        ir_expr_walk(pairs->items[i].first, visit_symbol, k);
        ir_expr_walk(pairs->items[i].second, visit_symbol, k);
    }
}

static const struct ir_expr *holds(struct kernel *k, const struct op_pair *pair)
{
    const struct ir_expr *first = kernel_expr(k, pair->first);
    const struct ir_expr *second = kernel_expr(k, pair->second), *one = k_int(k, 1);
    const struct ir_expr *is_same = k_binary(k, IR_EXPR_eq, second, first);

    switch (pair->relation) {
    case OP_DIM_SAME:
        return is_same;
    case OP_DIM_SAME_OR_ONE:
        return k_binary(k, IR_EXPR_or, k_binary(k, IR_EXPR_eq, second, one), is_same);
    case OP_DIM_EITHER_ONE:
        is_same = k_binary(k, IR_EXPR_or, k_binary(k, IR_EXPR_eq, first, one), is_same);
        return k_binary(k, IR_EXPR_or, k_binary(k, IR_EXPR_eq, second, one), is_same);
    case OP_DIM_AT_MOST:
        return k_binary(k, IR_EXPR_le, second, first);
    case OP_DIM_DIVIDES:
        first = k_binary(k, IR_EXPR_floordiv, first, k_binary(k, IR_EXPR_max, second, one));
        return k_binary(k, IR_EXPR_eq, k_binary(k, IR_EXPR_mul, first, second),
                        kernel_expr(k, pair->first));
    }
    UNREACHABLE("a relation of dims");
}

static void require_pairs(struct kernel *k, const struct op_pairs *pairs)
{
    for (unsigned i = 0; i < pairs->count; i++)
        kernel_require(k, holds(k, &pairs->items[i]), pairs->items[i].message);
}

const struct ir_expr *kernel_spread(struct kernel *k, const struct ir_expr *dim,
                                    const struct ir_expr *extent, const struct ir_expr *at)
{
    if (ir_expr_is_int(dim, 1))
        return ir_expr_is_int(extent, 1) ? at : k_int(k, 0);
    if (ir_prove_equal(k->context, dim, extent) || ir_prove_different(k->context, dim, k_int(k, 1)))
        return at;
    return k_select(k, k_binary(k, IR_EXPR_eq, dim, k_int(k, 1)), k_int(k, 0), at);
}

bool kernel_begin(struct kernel *k, struct ir_module *module, struct diag *diag, struct ir_op *op,
                  unsigned inputs)
{
    return kernel_begin_as(k, module, diag, op, inputs, op->result.type, NULL, 0);
}

bool kernel_begin_as(struct kernel *k, struct ir_module *module, struct diag *diag,
                     struct ir_op *op, unsigned inputs, const struct ir_type *result,
                     struct ir_value *const *more, unsigned more_count)
{
    *k = (struct kernel){.module = module, .context = module->context, .diag = diag, .op = op};
    k->result = result;
    k->more_count = more_count;
    k->name = kernel_name(op->info);
    k->builder = (struct ir_builder){module, diag, op->block, op, op->loc};
    k->func = tir_func_new(module, k->name);
    k->func->is_private = true;
    k->func->loc = op->loc;
    k->operands = arena_array(&module->arena, struct kernel_operand, op->operand_count + 1);
    find_list(k, inputs);
    struct ir_value **field_values =
        arena_array(&module->arena, struct ir_value *, k->field_count + 1);
    if (!add_outputs(k) || !describe_operands(k, inputs, field_values) || !describe_more(k, more) ||
        !kernel_check_domain(k, op_domain_of(op), k->results[0]->dtype)) {
        kernel_abandon(k);
        return false;
    }
    struct op_pairs pairs;
    op_find_pairs(module, diag, op, &pairs);
    collect_symbols(k);
    visit_pairs(k, &pairs);
    add_arguments(k, field_values);
    for (unsigned m = 0; m < more_count; m++)
        add_buffer(k, &k->more[m], arena_printf(&k->context->arena, "more%u", m), more[m]);
    make_outputs(k);
    require_pairs(k, &pairs);
    return true;
}

void kernel_require(struct kernel *k, const struct ir_expr *condition, const char *message)
{
    struct tir_stmt *stmt = tir_stmt_new(k->module, TIR_ASSERT, k->op->loc);

    stmt->assertion.condition = condition;
    stmt->assertion.kind = atom_intern_text(&k->context->atoms, "ValueError");
    stmt->assertion.message = atom_intern_text(&k->context->atoms, message);
    array_push(&k->stmts, stmt);
}

const struct ir_expr *const *kernel_bind_sizes(struct ir_module *module, struct diag *diag,
                                               struct ir_op *op, struct ir_value *sizes,
                                               unsigned count)
{
    struct ir_builder b = {module, diag, op->block, op, op->loc};
    const struct ir_expr **dims = arena_array(&module->arena, const struct ir_expr *, count + 1);
    struct ir_value *shape = ir_build_op(&b, OP_tensor_to_shape, &sizes, 1);

    for (unsigned i = 0; i < count; i++)
        dims[i] = ir_expr_var(
            module->context,
            ir_symbol_new(module->context, arena_printf(&module->arena, "size%u", i), IR_I64));
    ir_build_declared(&b, ir_core_op(module->context, IR_CORE_match_cast), &shape, 1, NULL,
                      ir_type_shape(module->context, dims, (int)count));
    return dims;
}

struct ir_value *kernel_abandon(struct kernel *k)
{
    array_finish(&k->symbols);
    array_finish(&k->args);
    array_finish(&k->stmts);
    array_finish(&k->allocs);
    return NULL;
}

/* --- the end --- */

static struct tir_stmt *root_block(struct kernel *k)
{
    struct tir_stmt *root = tir_stmt_new(k->module, TIR_BLOCK, k->op->loc);

    root->block.name = atom_intern_text(&k->context->atoms, "root");
    root->block.is_root = true;
    root->block.has_reads = root->block.has_writes = true;
    root->block.alloc_count = (unsigned)k->allocs.count;
    root->block.allocs = arena_array(&k->module->arena, struct ir_buffer *, k->allocs.count + 1);
    for (size_t i = 0; i < k->allocs.count; i++)
        root->block.allocs[i] = k->allocs.items[i];
    root->block.body = tir_seq(k->module, k->stmts.items, (unsigned)k->stmts.count);
    return root;
}

struct ir_value *kernel_finish(struct kernel *k)
{
    k->func->body = root_block(k);
    k->func->attrs =
        ir_attr_dict_with(k->context, NULL, atom_intern_text(&k->context->atoms, "tirx.noalias"),
                          ir_attr_bool(k->context, true));
    struct ir_global *global = ir_module_find_kernel(k->module, k->name, k->func);
    if (global == NULL) {
        const char *name = ir_module_fresh_name(k->module, k->name);
        global = ir_module_add(k->module, name, IR_GLOBAL_KERNEL);
        k->func->name = global->name;
        global->kernel = k->func;
        global->loc = k->op->loc;
    }
    struct ir_value *value =
        ir_build_call_tir(&k->builder, global, k->args.items, (unsigned)k->args.count, k->result);
    kernel_abandon(k);
    return value;
}
