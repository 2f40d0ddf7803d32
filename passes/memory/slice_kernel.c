/* Copies of kernels with moved indices; see slice_kernel.h. */
#include "passes/memory/slice_kernel.h"

#include "ir/arith.h"
#include "passes/loop/loop.h"

#include <string.h>

enum { CUT_ROUNDS = 4 };

struct maker {
    const struct slice_job *job;
    bool has_guards; /* of stores that are left out in a part of their loops */
    struct ir_module *module;
    struct ir_context *context;
    const struct tir_func *from;
    struct ir_buffer **wholes;
    struct loop_names names;  /* symbols and parameters of the kernel -> those of the copy */
    struct ir_bindings known; /* symbol of the graph -> that of the copy */
    struct map defined;       /* variables of the copy that a parameter gives a value */
    array(struct ir_binding) scalars; /* of the copy -> of the graph */
};

static const struct slice *slice_of(const struct maker *m, const struct ir_buffer *buffer)
{
    for (unsigned i = 0; i < m->job->slice_count; i++)
        if (m->from->params[m->job->slices[i].param].buffer == buffer)
            return &m->job->slices[i];
    return NULL;
}

/* ---- symbols ---- */

static const struct ir_expr *add_symbol(struct maker *m, const char *name, struct ir_dtype dtype,
                                        bool is_symbol)
{
    struct ir_var *var = ir_symbol_new(m->context, name, dtype);

    var->is_symbol = is_symbol;
    return ir_expr_var(m->context, var);
}

/* A variable of the kernel gets one of the copy. */
static void copy_symbol(struct maker *m, const struct ir_var *var)
{
    const struct ir_expr *value = ir_bindings_find(&m->job->call->symbols, var);

    if (map_has(&m->names.vars, var))
        return;
    const struct ir_expr *own = add_symbol(m, var->name, var->dtype, var->is_symbol);
    map_set(&m->names.vars, var, (void *)(uintptr_t)own);
    if (!value)
        return;
    if (value->kind == IR_EXPR_var && ir_dtype_equal(var->dtype, IR_I64) &&
        !ir_bindings_find(&m->known, value->var))
        array_push(&m->known, (struct ir_binding){value->var, own});
    array_push(&m->scalars, (struct ir_binding){own->var, value});
}

static void copy_symbols(struct maker *m)
{
    for (unsigned i = 0; i < m->from->param_count; i++) {
        const struct ir_buffer *buffer = m->from->params[i].buffer;

        if (!buffer)
            copy_symbol(m, m->from->params[i].var);
        for (unsigned d = 0; buffer && d < buffer->ndim; d++)
            if (buffer->shape[d]->kind == IR_EXPR_var)
                copy_symbol(m, buffer->shape[d]->var);
    }
}

static bool note_symbol(void *state, const struct ir_expr *a)
{
    struct maker *m = state;

    if (a->kind != IR_EXPR_var || ir_bindings_find(&m->known, a->var))
        return true;
    const struct ir_expr *own = add_symbol(m, a->var->name, a->var->dtype, a->var->is_symbol);
    array_push(&m->known, (struct ir_binding){a->var, own});
    array_push(&m->scalars, (struct ir_binding){own->var, a});
    return true;
}

/* An expression of the graph as one of the copy. */
static const struct ir_expr *own_expr(struct maker *m, const struct ir_expr *a)
{
    (void)ir_expr_walk(a, note_symbol, m);
    return ir_expr_substitute(m->context, a, &m->known);
}

/* ---- parameters ---- */

static struct ir_buffer *copy_buffer(struct maker *m, const struct ir_buffer *from)
{
    struct ir_buffer *to = arena_new(&m->module->arena, struct ir_buffer);
    const struct ir_expr **shape =
        arena_array(&m->module->arena, const struct ir_expr *, from->ndim + 1);

    *to = *from;
    for (unsigned d = 0; d < from->ndim; d++)
        shape[d] = loop_copy_expr(m->module, &m->names, from->shape[d]);
    to->shape = shape;
    if (from->data_var) {
        to->data_var = loop_var_like(m->module, from->data_var);
        map_set(&m->names.vars, from->data_var,
                (void *)(uintptr_t)ir_expr_var(m->context, to->data_var));
    }
    map_set(&m->names.buffers, from, to);
    return to;
}

static void define(struct maker *m, const struct ir_buffer *buffer)
{
    for (unsigned d = 0; d < buffer->ndim; d++)
        if (buffer->shape[d]->kind == IR_EXPR_var)
            map_set(&m->defined, buffer->shape[d]->var, m);
}

static void add_buffer(struct maker *m, struct tir_func *to, struct ir_buffer *buffer)
{
    tir_func_add_buffer(to, buffer);
    define(m, buffer);
}

static bool is_fresh_output(const struct maker *m, unsigned param)
{
    const struct kernel_call *call = m->job->call;

    for (unsigned i = 0; i < call->output_count; i++)
        if (call->output_params[i] == param && call->inplace[i] < 0)
            return true;
    return false;
}

static void add_params(struct maker *m, struct tir_func *to, bool is_output)
{
    for (unsigned i = 0; i < m->from->param_count; i++) {
        const struct tir_param *param = &m->from->params[i];

        if (is_fresh_output(m, i) != is_output || slice_of(m, param->buffer))
            continue;
        if (param->buffer) {
            add_buffer(m, to, copy_buffer(m, param->buffer));
        } else {
            const struct ir_expr *own = map_get(&m->names.vars, param->var);

            tir_func_add_var(to, own->var);
            map_set(&m->defined, own->var, m);
        }
    }
}

/* The part of it that the kernel writes gives the whole its name, else the first. */
static const struct ir_buffer *part_of(const struct maker *m, unsigned whole)
{
    const struct ir_buffer *found = NULL;

    for (unsigned i = 0; i < m->job->slice_count; i++) {
        const struct slice *slice = &m->job->slices[i];

        if (slice->whole == whole && (!found || is_fresh_output(m, slice->param)))
            found = m->from->params[slice->param].buffer;
    }
    return found;
}

static void add_wholes(struct maker *m, struct tir_func *to)
{
    m->wholes = arena_array(&m->module->arena, struct ir_buffer *, m->job->whole_count + 1);
    for (unsigned i = 0; i < m->job->whole_count; i++) {
        const struct ir_type *type = m->job->wholes[i];
        unsigned ndim = (unsigned)type->ndim;
        const struct ir_expr **shape =
            arena_array(&m->module->arena, const struct ir_expr *, ndim + 1);

        for (unsigned d = 0; d < ndim; d++)
            shape[d] = own_expr(m, type->dims[d]);
        m->wholes[i] = tir_buffer_new(m->module, part_of(m, i)->name, type->dtype, shape, ndim);
        m->wholes[i]->loc = part_of(m, i)->loc;
        add_buffer(m, to, m->wholes[i]);
    }
}

/* What no parameter says is given as a scalar. */
static void add_scalars(struct maker *m, struct tir_func *to, struct slice_kernel *out)
{
    const struct ir_expr **scalars =
        arena_array(&m->job->run->scratch, const struct ir_expr *, m->scalars.count + 1);

    for (size_t i = 0; i < m->scalars.count; i++) {
        if (map_has(&m->defined, m->scalars.items[i].var))
            continue;
        tir_func_add_var(to, m->scalars.items[i].var);
        scalars[out->scalar_count++] = m->scalars.items[i].value;
    }
    out->scalars = scalars;
}

/* As the kernels of operators have them; each kind stays in its order. */
static void put_scalars_first(struct maker *m, struct tir_func *to)
{
    struct tir_param *params = arena_array(&m->module->arena, struct tir_param, to->param_count);
    unsigned count = 0;

    for (unsigned i = 0; i < to->param_count; i++)
        if (!to->params[i].buffer)
            params[count++] = to->params[i];
    for (unsigned i = 0; i < to->param_count; i++)
        if (to->params[i].buffer)
            params[count++] = to->params[i];
    to->params = params;
    to->param_room = to->param_count;
}

/* ---- indices ---- */

static const struct ir_expr *move(struct maker *m, const struct ir_expr *index,
                                  const struct ir_expr *offset)
{
    if (!index)
        return offset;
    if (ir_expr_is_int(offset, 0))
        return index;
    return ir_expr_binary(m->context, IR_EXPR_add, ir_expr_cast(m->context, IR_I64, index), offset);
}

/* @indices of the part, or extents if not @is_moved, as those of the whole. */
static const struct ir_expr **in_whole(struct maker *m, const struct slice *slice,
                                       const struct ir_expr *const *indices, bool is_moved)
{
    unsigned ndim = m->wholes[slice->whole]->ndim;
    unsigned part_ndim = m->from->params[slice->param].buffer->ndim;
    const struct ir_expr **result =
        arena_array(&m->module->arena, const struct ir_expr *, ndim + 1);

    for (unsigned d = 0; d < ndim; d++)
        result[d] = NULL;
    for (unsigned i = 0; i < part_ndim; i++)
        if (slice->dims[i] >= 0)
            result[slice->dims[i]] = indices[i];
    for (unsigned d = 0; d < ndim; d++) {
        if (is_moved)
            result[d] = move(m, result[d], own_expr(m, slice->offsets[d]));
        else if (!result[d])
            result[d] = ir_expr_int(m->context, IR_I64, 1);
    }
    return result;
}

static const struct ir_expr *replace(void *state, const struct ir_expr *a)
{
    struct maker *m = state;
    const struct slice *slice = a->kind == IR_EXPR_load ? slice_of(m, a->buffer) : NULL;

    if (!slice)
        return a;
    const struct ir_buffer *whole = m->wholes[slice->whole];
    const struct ir_expr *load =
        ir_expr_load(m->context, whole, in_whole(m, slice, a->operands, true), whole->ndim);
    return ir_expr_at(m->context, a->loc, load);
}

static const struct ir_expr *map_expr(struct loop_map *map, const struct ir_expr *a)
{
    return ir_expr_rewrite(map->module->context, a, replace, map->state);
}

static void move_regions(struct maker *m, struct tir_region **regions, unsigned count)
{
    struct tir_region *copy = arena_array(&m->module->arena, struct tir_region, count + 1);

    for (unsigned i = 0; i < count; i++) {
        const struct slice *slice = slice_of(m, (*regions)[i].buffer);

        copy[i] = (*regions)[i];
        if (!slice)
            continue;
        copy[i].buffer = m->wholes[slice->whole];
        copy[i].min = in_whole(m, slice, copy[i].min, true);
        copy[i].extent = in_whole(m, slice, copy[i].extent, false);
    }
    *regions = copy;
}

static bool is_empty(const struct tir_stmt *stmt)
{
    return !stmt || (stmt->kind == TIR_SEQ && stmt->seq.count == 0);
}

/* ---- what is left out ---- */

static bool is_dropped(const struct maker *m, const struct tir_stmt *store,
                       const struct ir_expr *load)
{
    for (unsigned i = 0; i < m->job->dropped_count; i++)
        if (m->job->dropped[i]->write->stmt == store && m->job->dropped[i]->load == load)
            return true;
    return false;
}

static bool has_dropped(const struct maker *m, const struct tir_stmt *store)
{
    for (unsigned i = 0; i < m->job->dropped_count; i++)
        if (m->job->dropped[i]->write->stmt == store)
            return true;
    return false;
}

/* True where @condition is false; a comparison of integers stays one. */
static const struct ir_expr *opposite(struct maker *m, const struct ir_expr *condition)
{
    static const enum ir_expr_kind opposites[] = {
        [IR_EXPR_lt] = IR_EXPR_ge, [IR_EXPR_le] = IR_EXPR_gt, [IR_EXPR_gt] = IR_EXPR_le,
        [IR_EXPR_ge] = IR_EXPR_lt, [IR_EXPR_eq] = IR_EXPR_ne, [IR_EXPR_ne] = IR_EXPR_eq,
    };
    const struct ir_expr *not_it = ir_expr_not(m->context, condition);

    if (!ir_expr_is_compare(condition->kind) || !ir_dtype_is_int(condition->operands[0]->dtype))
        return not_it;
    return ir_expr_binary(m->context, opposites[condition->kind], condition->operands[0],
                          condition->operands[1]);
}

/*
 * @first where @condition holds, else @second; either may be NULL.  One comparison each, as a loop can be
 * cut at.  Nested as deep as the text.
 */
static struct tir_stmt *choose(struct maker *m, const struct tir_stmt *store,
                               const struct ir_expr *condition, struct tir_stmt *first,
                               struct tir_stmt *second)
{
    if (!first && !second)
        return NULL;
    if (condition->kind == IR_EXPR_not)
        return choose(m, store, condition->operands[0], second, first);
    if (condition->kind == IR_EXPR_and)
        return choose(m, store, condition->operands[0],
                      choose(m, store, condition->operands[1], first, second), second);
    if (condition->kind == IR_EXPR_or)
        return choose(m, store, condition->operands[0], first,
                      choose(m, store, condition->operands[1], first, second));
    if (!first) {
        first = second;
        second = NULL;
        condition = opposite(m, condition);
    }
    struct tir_stmt *result = tir_stmt_new(m->module, TIR_IF, store->loc);
    result->branch.condition = condition;
    result->branch.then_body = first;
    result->branch.else_body = second;
    return result;
}

/* @store of @value, a part of its value, but for what is left out; NULL: all is.  Nested as deep as
 * the text. */
static struct tir_stmt *keep(struct maker *m, const struct tir_stmt *store,
                             const struct ir_expr *value)
{
    struct tir_stmt *first = NULL, *second = NULL;

    if (is_dropped(m, store, value))
        return NULL;
    if (access_is_choice(value)) {
        first = keep(m, store, value->operands[1]);
        second = keep(m, store, value->operands[2]);
        if (!first || !second || first->kind != TIR_STORE || second->kind != TIR_STORE) {
            m->has_guards = true;
            return choose(m, store, value->operands[0], first, second);
        }
    }
    struct tir_stmt *result = tir_stmt_new(m->module, TIR_STORE, store->loc);
    *result = *store;
    result->store.value = value;
    return result;
}

static struct tir_stmt *map_stmt(struct loop_map *map, struct tir_stmt *stmt);

static struct tir_stmt *map_kept(struct loop_map *map, const struct tir_stmt *store)
{
    struct tir_stmt *kept = keep(map->state, store, store->store.value);

    return kept ? map_stmt(map, kept) : NULL;
}

static struct tir_stmt *map_stmt(struct loop_map *map, struct tir_stmt *stmt)
{
    struct maker *m = map->state;

    if (stmt->kind == TIR_STORE && has_dropped(m, stmt))
        return map_kept(map, stmt);
    struct tir_stmt *result = loop_map_parts(map, stmt);
    const struct slice *slice = stmt->kind == TIR_STORE ? slice_of(m, stmt->store.buffer) : NULL;
    if (slice || stmt->kind == TIR_BLOCK) {
        struct tir_stmt *copy = tir_stmt_new(m->module, stmt->kind, stmt->loc);

        *copy = *result;
        result = copy;
    }
    if (slice) {
        result->store.buffer = m->wholes[slice->whole];
        result->store.indices = in_whole(m, slice, result->store.indices, true);
        result->store.index_count = result->store.buffer->ndim;
    }
    if (stmt->kind == TIR_BLOCK) {
        move_regions(m, &result->block.reads, result->block.read_count);
        move_regions(m, &result->block.writes, result->block.write_count);
    }
    bool is_gone = (stmt->kind == TIR_FOR && is_empty(result->loop.body)) ||
                   (stmt->kind == TIR_BLOCK && !stmt->block.is_root &&
                    is_empty(result->block.body) && is_empty(result->block.init)) ||
                   (stmt->kind == TIR_IF && is_empty(result->branch.then_body) &&
                    is_empty(result->branch.else_body));
    return is_gone ? NULL : result;
}

/* ---- the kernel ---- */

static bool is_store(void *state, struct tir_stmt *stmt)
{
    return stmt->kind != TIR_STORE;
}

static struct tir_stmt *make_body(struct maker *m)
{
    struct loop_map map = {.module = m->module, .state = m, .stmt = map_stmt, .expr = map_expr};
    struct tir_stmt *body = map_stmt(&map, m->from->body);

    if (!body || (m->job->dropped_count > 0 && tir_stmt_walk(body, is_store, NULL)))
        return NULL;
    m->names.fresh = true;
    return loop_copy(m->module, &m->names, body);
}

/* Loops that run over what is left out are cut there. */
static void cut_loops(struct tir_func *to)
{
    struct tir_func plain = *to;

    plain.body = loop_lower_blocks(&plain);
    if (!loop_is_plain(plain.body))
        return;
    for (unsigned i = 0; i < CUT_ROUNDS; i++) { /* inner loops once the outer ones are cut */
        plain.body = loop_partition(&plain);
        plain.body = loop_simplify(&plain);
    }
    to->body = plain.body;
}

static void finish(struct maker *m)
{
    loop_names_finish(&m->names);
    array_finish(&m->known);
    map_finish(&m->defined);
    array_finish(&m->scalars);
}

static const struct ir_attr *own_attrs(struct maker *m)
{
    const struct ir_attr *attrs = NULL, *from = m->from->attrs;

    for (unsigned i = 0; from && i < from->count; i++)
        if (strcmp(from->keys[i], "global_symbol") != 0)
            attrs = ir_attr_dict_with(m->context, attrs, from->keys[i], from->items[i]);
    return attrs;
}

struct slice_kernel slice_kernel_make(const struct slice_job *job)
{
    struct maker m = {.job = job,
                      .module = job->run->module,
                      .context = job->run->module->context,
                      .from = job->call->func};
    struct slice_kernel out = {0};
    struct tir_func *to = tir_func_new(m.module, job->name);

    copy_symbols(&m);
    add_params(&m, to, false);
    add_wholes(&m, to);
    add_params(&m, to, true);
    to->body = make_body(&m);
    if (to->body) {
        add_scalars(&m, to, &out);
        put_scalars_first(&m, to);
        if (m.has_guards)
            cut_loops(to);
        to->decorator = m.from->decorator;
        to->is_private = true;
        to->is_s_tir = m.from->is_s_tir;
        to->has_result_annotation = m.from->has_result_annotation;
        to->result = m.from->result;
        to->loc = m.from->loc;
        to->attrs = own_attrs(&m);
        to->name = ir_module_fresh_name(m.module, job->name);
        out.global = ir_module_add(m.module, to->name, IR_GLOBAL_KERNEL);
        out.global->kernel = to;
        out.global->loc = to->loc;
    }
    finish(&m);
    return out;
}
