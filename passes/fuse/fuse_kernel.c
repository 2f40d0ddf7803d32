/*
 * The kernel of a fused function: the nests of its calls one after the other.
 *
 * Results of calls become local buffers, results of the function buffer parameters.  What an in-place
 * call updates element by element gets a buffer of its own like all others: the call means a private
 * copy, and inline_buffers() then leaves neither copy nor buffer.  Only the last update of the chain that
 * gives a result goes to the storage of the parameter that the chain starts from, if nothing reads the
 * parameter's old value after it: the caller's call is then in place.
 */
#include "passes/fuse/fuse_kernel.h"

#include "analysis/kernel_call.h"
#include "analysis/pattern.h"
#include "base/assert.h"
#include "ir/build.h"
#include "passes/fuse/inline_buffers.h"
#include "passes/fuse/splice.h"

#include <string.h>

/* A call of the function, in order. */
struct step {
    struct kernel_call call;
    const struct ir_buffer **outputs; /* where its results go */
};

struct maker {
    struct pass_run *run;
    struct ir_module *module;
    struct ir_context *context;
    const struct ir_function *function;
    array(struct step) steps;
    struct map step_of; /* op -> step index + 1 */
    struct map buffers; /* tensor value -> buffer that has it */
    struct map symbols; /* of the function -> expression of the kernel */
    array(const struct ir_var *) scalars;
    array(unsigned) tensors;
    array(struct ir_value *) results; /* tensors, or fields of a tuple that a call makes: */
    array(unsigned) result_fields;    /* which one */
    array(int) inplace;
    struct splice splice;
    array(struct ir_buffer *) locals;
};

/* ---- what the function is ---- */

static bool is_kernel_call(const struct ir_op *op)
{
    return ir_op_is(op, IR_CORE_call_tir) || ir_op_is(op, IR_CORE_call_tir_inplace);
}

/* The call that makes @value, maybe as a field of its results; false if it is made by something else. */
static bool find_maker(const struct ir_value *value, struct ir_op **out_op, unsigned *out_output)
{
    *out_output = 0;
    if (value->def && ir_op_is(value->def, IR_CORE_tuple_get) &&
        value->def->operands[0].value->def) {
        *out_output = (unsigned)ir_op_attr(value->def, "index")->integer;
        value = value->def->operands[0].value;
    }
    *out_op = value->def;
    return value->def && !ir_op_is_inline(value->def) && is_kernel_call(value->def);
}

static bool has_known_operands(const struct maker *m, const struct ir_op *op)
{
    struct ir_op *maker;
    unsigned output;

    for (unsigned i = 0; i < op->operand_count; i++) {
        const struct ir_value *value = op->operands[i].value;

        if (value->type->kind != IR_TYPE_TENSOR || value->parameter_of == m->function)
            continue;
        if (!find_maker(value, &maker, &output) || !map_has(&m->step_of, maker))
            return false;
    }
    return true;
}

static bool read_step(struct maker *m, struct ir_op *op)
{
    struct step step = {0};

    if (!has_known_operands(m, op) ||
        !kernel_call_read(m->module, &m->run->scratch, op, &step.call) ||
        pattern_of_loops(step.call.func) == PATTERN_OPAQUE) {
        kernel_call_finish(&step.call);
        return false;
    }
    step.outputs = arena_array(&m->run->scratch, const struct ir_buffer *, step.call.output_count);
    array_push(&m->steps, step);
    map_set(&m->step_of, op, (void *)(uintptr_t)m->steps.count); // NOLINT
    return true;
}

static bool add_result(struct maker *m, struct ir_value *value)
{
    struct ir_op *op;
    unsigned output;

    if (value->type->kind == IR_TYPE_TUPLE) {
        if (!value->def)
            return false;
        if (ir_op_is(value->def, IR_CORE_tuple)) {
            for (unsigned i = 0; i < value->def->operand_count; i++)
                if (value->def->operands[i].value->type->kind == IR_TYPE_TUPLE ||
                    !add_result(m, value->def->operands[i].value))
                    return false;
            return true;
        }
        if (!is_kernel_call(value->def))
            return false;
        for (unsigned i = 0; i < value->type->field_count; i++) {
            array_push(&m->results, value);
            array_push(&m->result_fields, i);
        }
        return true;
    }
    if (!find_maker(value, &op, &output))
        return false;
    array_push(&m->results, &op->result);
    array_push(&m->result_fields, output);
    return true;
}

static bool read_body(struct maker *m)
{
    const struct ir_op *end = m->function->body->last ? m->function->body->last->last : NULL;

    if (!end || !ir_op_is(end, IR_CORE_return))
        return false;
    ir_for_each_block(block, m->function->body)
    {
        ir_for_each_op (op, block) {
            if (op == end || ir_op_is(op, IR_CORE_output) || ir_op_is(op, IR_CORE_tuple_get) ||
                ir_op_is(op, IR_CORE_tuple))
                continue;
            if (!is_kernel_call(op) || !read_step(m, op))
                return false;
        }
    }
    if (!add_result(m, end->operands[0].value))
        return false;
    for (size_t i = 0; i < m->results.count; i++) /* each result once */
        for (size_t k = 0; k < i; k++)
            if (m->results.items[i] == m->results.items[k] &&
                m->result_fields.items[i] == m->result_fields.items[k])
                return false;
    return m->steps.count > 0;
}

/* ---- parameters ---- */

static bool add_symbol(void *state, const struct ir_expr *a)
{
    struct maker *m = state;

    if (a->kind == IR_EXPR_var && !map_has(&m->symbols, a->var)) {
        const struct ir_var *own = ir_symbol_new(m->context, a->var->name, a->var->dtype);

        map_set(&m->symbols, a->var, ir_expr_var(m->context, own));
    }
    return true;
}

static bool add_symbols(void *state, const struct ir_expr *a)
{
    return ir_expr_walk(a, add_symbol, state);
}

static const struct ir_expr *replace_symbol(void *state, const struct ir_expr *a)
{
    const struct maker *m = state;
    const struct ir_expr *own = a->kind == IR_EXPR_var ? map_get(&m->symbols, a->var) : NULL;

    return own ? own : a;
}

static const struct ir_expr *own_expr(struct maker *m, const struct ir_expr *a)
{
    add_symbols(m, a);
    return ir_expr_rewrite(m->context, a, replace_symbol, m);
}

static struct ir_buffer *make_buffer(struct maker *m, const char *name, const struct ir_type *type)
{
    unsigned ndim = (unsigned)type->ndim;
    const struct ir_expr **shape = arena_array(&m->module->arena, const struct ir_expr *, ndim + 1);

    for (unsigned d = 0; d < ndim; d++)
        shape[d] = own_expr(m, type->dims[d]);
    return tir_buffer_new(m->module, name, type->dtype, shape, ndim);
}

static bool is_bound(const struct maker *m, const struct ir_var *var)
{
    for (size_t i = 0; i < m->tensors.count; i++) {
        const struct ir_type *type = m->function->params[m->tensors.items[i]]->type;

        for (int d = 0; d < type->ndim; d++)
            if (type->dims[d]->kind == IR_EXPR_var && type->dims[d]->var == var)
                return true;
    }
    return false;
}

/* Symbols that come with a shape, or in a dimension only, and that no tensor gives. */
static bool add_scalar(void *state, const struct ir_expr *a)
{
    struct maker *m = state;

    if (a->kind != IR_EXPR_var || is_bound(m, a->var))
        return true;
    for (size_t i = 0; i < m->scalars.count; i++)
        if (m->scalars.items[i] == a->var)
            return true;
    array_push(&m->scalars, a->var);
    return true;
}

static bool add_scalars(void *state, const struct ir_expr *a)
{
    return ir_expr_walk(a, add_scalar, state);
}

static bool read_params(struct maker *m)
{
    for (unsigned i = 0; i < m->function->param_count; i++) {
        const struct ir_value *param = m->function->params[i];

        if (param->type->kind == IR_TYPE_SHAPE && param->type->dims)
            continue;
        if (param->type->kind != IR_TYPE_TENSOR || (!param->type->dims && param->type->ndim != 0) ||
            ir_dtype_is_void(param->type->dtype) || param->type->shape_var)
            return false;
        array_push(&m->tensors, i);
    }
    for (unsigned i = 0; i < m->function->param_count; i++)
        ir_type_walk_exprs(m->function->params[i]->type, add_scalars, m);
    return true;
}

/* ---- where results go ---- */

/* The step that last reads @value, as index + 1; 0 if none does. */
static size_t last_reader(const struct maker *m, const struct ir_value *value)
{
    size_t last = 0;

    ir_for_each_use (use, value) {
        const struct ir_op *root = ir_use_root(use);
        size_t step = (uintptr_t)map_get(&m->step_of, root);

        last = step > last ? step : last;
    }
    return last;
}

static bool is_pointwise(const struct maker *m, const struct step *step, unsigned output)
{
    return pattern_updates_pointwise(m->context, step->call.func, step->call.output_params[output]);
}

/* The result that output @output of @op is; -1 if it stays inside. */
static int result_of(const struct maker *m, const struct ir_op *op, unsigned output)
{
    for (size_t i = 0; i < m->results.count; i++)
        if (m->results.items[i] == &op->result && m->result_fields.items[i] == output)
            return (int)i;
    return -1;
}

/*
 * The parameter whose storage output @output of @step may take: the chain of updates leads to it, and
 * nothing else reads it from this step on.  NULL if there is none.
 */
static const struct ir_value *taken_param(const struct maker *m, size_t index, unsigned output)
{
    const struct step *step = &m->steps.items[index];
    const struct ir_value *value = NULL;
    const struct step *at = step;
    unsigned of = output;

    for (;;) {
        struct ir_op *op;

        if (at->call.inplace[of] < 0)
            return NULL;
        value = at->call.op->operands[at->call.inplace[of]].value;
        if (!find_maker(value, &op, &of))
            break;
        if (result_of(m, op, of) >= 0)
            return NULL; /* a result of its own */
        at = &m->steps.items[(uintptr_t)map_get(&m->step_of, op) - 1];
    }
    if (!value->parameter_of || last_reader(m, value) > index + 1)
        return NULL;
    unsigned reads = 0;
    for (unsigned i = 0; i < step->call.op->operand_count; i++)
        reads += step->call.op->operands[i].value == value;
    bool is_direct = at == step;
    return reads == is_direct ? value : NULL;
}

static const struct ir_buffer *make_local(struct maker *m, const struct step *step, unsigned output)
{
    const char *name = step->call.op->result.name;
    struct ir_buffer *buffer =
        make_buffer(m, name ? name : "lv", kernel_call_output(step->call.op, output));

    array_push(&m->locals, buffer);
    return buffer;
}

static const struct ir_buffer *buffer_of(struct maker *m, const struct ir_value *value)
{
    struct ir_op *op;
    unsigned output;

    if (find_maker(value, &op, &output))
        return m->steps.items[(uintptr_t)map_get(&m->step_of, op) - 1].outputs[output];
    return map_get(&m->buffers, value);
}

/* Lets result @result have the storage of @param; false if another one has it. */
static bool take(struct maker *m, size_t result, const struct ir_value *param)
{
    size_t tensor = 0;

    while (m->function->params[m->tensors.items[tensor]] != param)
        tensor++;
    for (size_t i = 0; i < m->inplace.count; i++)
        if (m->inplace.items[i] == (int)tensor)
            return false;
    m->inplace.items[result] = (int)tensor;
    return true;
}

static bool plan_outputs(struct maker *m, struct ir_buffer **fresh)
{
    for (size_t i = 0; i < m->results.count; i++)
        array_push(&m->inplace, -1);
    for (size_t i = 0; i < m->steps.count; i++) {
        struct step *step = &m->steps.items[i];

        for (unsigned k = 0; k < step->call.output_count; k++) {
            int result = result_of(m, step->call.op, k);
            const struct ir_value *param = result >= 0 ? taken_param(m, i, k) : NULL;

            if (step->call.inplace[k] >= 0 && !is_pointwise(m, step, k))
                return false;
            if (param && !take(m, (size_t)result, param))
                param = NULL;
            if (param) {
                step->outputs[k] = map_get(&m->buffers, param);
            } else if (result < 0) {
                step->outputs[k] = make_local(m, step, k);
            } else {
                const char *name = step->call.op->result.name;

                fresh[result] =
                    make_buffer(m, name ? name : "out", kernel_call_output(step->call.op, k));
                step->outputs[k] = fresh[result];
            }
        }
    }
    return true;
}

/* ---- the body ---- */

static void splice_step(struct maker *m, const struct step *step)
{
    const struct tir_func *func = step->call.func;

    splice_forget(&m->splice);
    for (size_t i = 0; i < step->call.symbols.count; i++) {
        const struct ir_binding *binding = &step->call.symbols.items[i];

        map_set(&m->splice.vars, binding->var,
                ir_expr_cast(m->context, binding->var->dtype, own_expr(m, binding->value)));
    }
    for (unsigned i = 0; i < step->call.op->operand_count; i++) {
        unsigned param = step->call.operand_params[i];

        if (param != (unsigned)KERNEL_CALL_SCALAR)
            map_set(&m->splice.buffers, func->params[param].buffer,
                    buffer_of(m, step->call.op->operands[i].value));
    }
    for (unsigned k = 0; k < step->call.output_count; k++) {
        const struct ir_buffer *buffer = func->params[step->call.output_params[k]].buffer;

        map_set(step->call.inplace[k] >= 0 ? &m->splice.stored : &m->splice.buffers, buffer,
                step->outputs[k]);
    }
    splice_body(&m->splice, func);
}

/* Regions that fit the statements as they are now, and names that tell the blocks apart. */
static bool settle_block(void *state, struct tir_stmt *stmt)
{
    struct maker *m = state;

    if (stmt->kind != TIR_BLOCK)
        return true;
    tir_block_infer_regions(m->module, stmt);
    stmt->block.has_reads = stmt->block.has_writes = true;
    return true;
}

static void name_blocks(struct maker *m, struct tir_stmt **stmts, size_t count)
{
    struct map numbers = {0};

    for (size_t i = 0; i < count; i++) {
        struct tir_stmt *stmt = stmts[i];

        while (stmt->kind == TIR_FOR)
            stmt = stmt->loop.body;
        if (stmt->kind != TIR_BLOCK || !*stmt->block.name)
            continue;
        uintptr_t number = (uintptr_t)map_get(&numbers, stmt->block.name);

        map_set(&numbers, stmt->block.name, (void *)(number + 1)); // NOLINT
        if (number > 0)
            stmt->block.name =
                atom_printf(&m->context->atoms, "%s_%zu", stmt->block.name, (size_t)number);
    }
    map_finish(&numbers);
}

static struct tir_stmt *make_root(struct maker *m)
{
    struct inline_kernel inlined = {
        .module = m->module, .stmts = m->splice.stmts.items, .stmt_count = m->splice.stmts.count};
    struct tir_stmt *root = tir_stmt_new(m->module, TIR_BLOCK, m->function->loc);

    for (size_t i = 0; i < m->splice.allocs.count; i++)
        array_push(&m->locals, m->splice.allocs.items[i]);
    inlined.locals = m->locals.items;
    inlined.local_count = m->locals.count;
    struct remarks *remarks = m->run->remarks;
    inline_buffers(&m->run->scratch, &inlined,
                   (struct inline_notes){.items = remarks ? &remarks->items : NULL,
                                         .pass = m->run->pass->name,
                                         .function = m->function->name});
    for (size_t i = 0; i < inlined.stmt_count; i++)
        (void)tir_stmt_walk(inlined.stmts[i], settle_block, m);
    name_blocks(m, inlined.stmts, inlined.stmt_count);
    root->block.name = atom_intern_text(&m->context->atoms, "root");
    root->block.is_root = true;
    root->block.has_reads = root->block.has_writes = true;
    root->block.alloc_count = (unsigned)inlined.local_count;
    root->block.allocs =
        arena_array(&m->module->arena, struct ir_buffer *, inlined.local_count + 1);
    if (inlined.local_count > 0)
        memcpy(root->block.allocs, inlined.locals, inlined.local_count * sizeof(inlined.locals[0]));
    root->block.body = tir_seq(m->module, inlined.stmts, (unsigned)inlined.stmt_count);
    return root;
}

/* ---- the kernel ---- */

static unsigned count_nests(const struct tir_func *kernel)
{
    const struct tir_stmt *body = kernel->body->block.body;

    return body->kind == TIR_SEQ ? body->seq.count : 1;
}

static bool make(struct maker *m, struct fused_kernel *out)
{
    struct ir_buffer **fresh;

    out->why = REMARK_FU_PARAMETERS;
    if (!read_params(m))
        return false;
    out->why = REMARK_FU_CALLS;
    if (!read_body(m))
        return false;
    out->why = REMARK_FU_UPDATES;
    struct tir_func *kernel = tir_func_new(m->module, m->function->name);
    for (size_t i = 0; i < m->scalars.count; i++) {
        add_symbol(m, ir_expr_var(m->context, m->scalars.items[i]));
        const struct ir_expr *own = map_get(&m->symbols, m->scalars.items[i]);

        tir_func_add_var(kernel, own->var);
    }
    for (size_t i = 0; i < m->tensors.count; i++) {
        const struct ir_value *param = m->function->params[m->tensors.items[i]];
        struct ir_buffer *buffer = make_buffer(m, param->name ? param->name : "x", param->type);

        buffer->loc = param->loc;
        tir_func_add_buffer(kernel, buffer);
        map_set(&m->buffers, param, buffer);
    }
    fresh = arena_array(&m->run->scratch, struct ir_buffer *, m->results.count + 1);
    if (!plan_outputs(m, fresh))
        return false;
    for (size_t i = 0; i < m->results.count; i++)
        if (fresh[i])
            tir_func_add_buffer(kernel, fresh[i]);
    m->splice.module = m->module;
    for (size_t i = 0; i < m->steps.count; i++)
        splice_step(m, &m->steps.items[i]);
    kernel->body = make_root(m);
    kernel->loc = m->function->loc;
    kernel->is_private = m->function->is_private;
    kernel->attrs =
        ir_attr_dict_with(m->context, NULL, atom_intern_text(&m->context->atoms, "tirx.noalias"),
                          ir_attr_bool(m->context, true));

    unsigned *tensors = arena_array(&m->run->scratch, unsigned, m->tensors.count + 1);
    const struct ir_var **scalars =
        arena_array(&m->run->scratch, const struct ir_var *, m->scalars.count + 1);
    int *inplace = arena_array(&m->run->scratch, int, m->inplace.count + 1);
    for (size_t i = 0; i < m->tensors.count; i++)
        tensors[i] = m->tensors.items[i];
    for (size_t i = 0; i < m->scalars.count; i++)
        scalars[i] = m->scalars.items[i];
    for (size_t i = 0; i < m->inplace.count; i++)
        inplace[i] = m->inplace.items[i];
    *out = (struct fused_kernel){.kernel = kernel,
                                 .tensor_count = (unsigned)m->tensors.count,
                                 .tensors = tensors,
                                 .scalar_count = (unsigned)m->scalars.count,
                                 .scalars = scalars,
                                 .output_count = (unsigned)m->inplace.count,
                                 .inplace = inplace,
                                 .nest_count = count_nests(kernel),
                                 .call_count = (unsigned)m->steps.count};
    return true;
}

bool fuse_kernel_make(struct pass_run *run, const struct ir_function *function,
                      struct fused_kernel *out)
{
    struct maker m = {
        .run = run, .module = run->module, .context = run->module->context, .function = function};
    bool is_made = make(&m, out);

    for (size_t i = 0; i < m.steps.count; i++)
        kernel_call_finish(&m.steps.items[i].call);
    splice_finish(&m.splice);
    array_finish(&m.steps);
    array_finish(&m.scalars);
    array_finish(&m.tensors);
    array_finish(&m.results);
    array_finish(&m.result_fields);
    array_finish(&m.inplace);
    array_finish(&m.locals);
    map_finish(&m.step_of);
    map_finish(&m.buffers);
    map_finish(&m.symbols);
    return is_made;
}
