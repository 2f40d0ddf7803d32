/* What ScheduleCPU builds loops from. */
#include "analysis/access/index.h"
#include "passes/schedule/schedule.h"

#include <string.h>

int64_t schedule_lanes(const struct schedule *s, struct ir_dtype dtype)
{
    int64_t bytes = ir_dtype_bytes(dtype);

    return bytes && s->vector_bytes > bytes ? s->vector_bytes / bytes : 1;
}

int64_t schedule_registers(const struct schedule *s)
{
    return s->vector_bytes == 64 ? 32 : 16;
}

const struct ir_expr *sch_int(struct schedule *s, struct ir_dtype dtype, int64_t value)
{
    return ir_expr_int(s->context, dtype, value);
}

static const struct ir_expr *binary(struct schedule *s, enum ir_expr_kind kind,
                                    const struct ir_expr *a, const struct ir_expr *b)
{
    return ir_simplify(s->context, ir_expr_binary(s->context, kind, a, b));
}

const struct ir_expr *sch_add(struct schedule *s, const struct ir_expr *a, const struct ir_expr *b)
{
    return binary(s, IR_EXPR_add, a, b);
}

const struct ir_expr *sch_sub(struct schedule *s, const struct ir_expr *a, const struct ir_expr *b)
{
    return binary(s, IR_EXPR_sub, a, b);
}

const struct ir_expr *sch_mul(struct schedule *s, const struct ir_expr *a, int64_t factor)
{
    return binary(s, IR_EXPR_mul, a, sch_int(s, a->dtype, factor));
}

const struct ir_expr *sch_div(struct schedule *s, const struct ir_expr *a, int64_t divisor)
{
    return binary(s, IR_EXPR_floordiv, a, sch_int(s, a->dtype, divisor));
}

const struct ir_expr *sch_ceil_div(struct schedule *s, const struct ir_expr *a, int64_t divisor)
{
    const struct ir_expr *size = sch_int(s, a->dtype, divisor), *rest;
    const struct ir_expr *padded =
        ir_expr_binary(s->context, IR_EXPR_add, a, sch_int(s, a->dtype, divisor - 1));

    if (index_is_exact(s->context, &s->ranges, padded))
        return sch_div(s, ir_simplify(s->context, padded), divisor);
    /* .. which wraps where an extent is near the end of its dtype. */
    rest = binary(s, IR_EXPR_floormod, a, size);
    return sch_add(s, sch_div(s, a, divisor), sch_min(s, rest, sch_int(s, a->dtype, 1)));
}

const struct ir_expr *sch_min(struct schedule *s, const struct ir_expr *a, const struct ir_expr *b)
{
    return binary(s, IR_EXPR_min, a, b);
}

bool sch_constant(struct schedule *s, const struct ir_expr *a, int64_t *out)
{
    return ir_expr_constant(s->context, a, out);
}

const struct ir_var *sch_var(struct schedule *s, const char *name, struct ir_dtype dtype)
{
    return ir_var_new(s->context, name, dtype);
}

const struct ir_expr *sch_use(struct schedule *s, const struct ir_var *var)
{
    return ir_expr_var(s->context, var);
}

static bool note_name(void *state, struct tir_stmt *stmt)
{
    struct schedule *s = state;

    if (stmt->kind == TIR_ALLOC || stmt->kind == TIR_DECL)
        map_set(&s->names, stmt->alloc.buffer->name, stmt->alloc.buffer->name);
    return true;
}

void sch_note_names(struct schedule *s)
{
    map_finish(&s->names);
    for (unsigned i = 0; i < s->func->param_count; i++)
        if (s->func->params[i].buffer)
            map_set(&s->names, s->func->params[i].buffer->name, s->func->params[i].buffer->name);
    (void)tir_stmt_walk(s->func->body, note_name, s);
}

/* In text two buffers of one scope cannot have one name. */
static const char *free_name(struct schedule *s, const char *name)
{
    const char *atom = atom_intern_text(&s->context->atoms, name);

    for (unsigned i = 1; map_has(&s->names, atom); i++)
        atom =
            atom_intern_text(&s->context->atoms, arena_printf(&s->run->scratch, "%s_%u", name, i));
    map_set(&s->names, atom, atom);
    return atom;
}

struct ir_buffer *sch_buffer_of(struct schedule *s, const char *name, struct ir_dtype dtype,
                                const char *scope, const struct ir_expr *const *dims, unsigned ndim)
{
    struct ir_buffer *buffer = tir_buffer_new(s->module, free_name(s, name), dtype, dims, ndim);

    buffer->scope = atom_intern_text(&s->context->atoms, scope);
    return buffer;
}

struct ir_buffer *sch_buffer(struct schedule *s, const char *name, struct ir_dtype dtype,
                             const char *scope, const int64_t *shape, unsigned ndim)
{
    const struct ir_expr **dims =
        arena_array(&s->run->scratch, const struct ir_expr *, ndim ? ndim : 1);

    for (unsigned i = 0; i < ndim; i++)
        dims[i] = sch_int(s, IR_I64, shape[i]);
    return sch_buffer_of(s, name, dtype, scope, dims, ndim);
}

struct tir_stmt *sch_alloc(struct schedule *s, struct ir_buffer *buffer)
{
    struct tir_stmt *stmt = tir_stmt_new(s->module, TIR_ALLOC, s->func->loc);
    stmt->alloc.buffer = buffer;
    return stmt;
}

struct tir_stmt *sch_for(struct schedule *s, enum tir_for_kind kind, const struct ir_var *var,
                         const struct ir_expr *extent, struct tir_stmt *body)
{
    struct tir_stmt *loop = tir_for(s->module, var, extent, body);
    loop->loop.kind = kind;
    loop->loc = sch_place(s, body->loc);
    return loop;
}

struct tir_stmt *sch_if(struct schedule *s, const struct ir_expr *condition,
                        struct tir_stmt *then_body, struct tir_stmt *else_body)
{
    struct tir_stmt *stmt = tir_stmt_new(s->module, TIR_IF, sch_place(s, then_body->loc));
    stmt->branch.condition = condition;
    stmt->branch.then_body = then_body;
    stmt->branch.else_body = else_body;
    return stmt;
}

struct tir_stmt *sch_seq(struct schedule *s, struct tir_stmt *const *items, unsigned count)
{
    return tir_seq(s->module, items, count);
}

struct tir_stmt *sch_store(struct schedule *s, const struct ir_buffer *buffer,
                           const struct ir_expr *const *indices, const struct ir_expr *value)
{
    struct tir_stmt *store = tir_store(s->module, buffer, indices, value);

    store->loc = sch_place(s, store->loc);
    return store;
}

const struct ir_expr *sch_load(struct schedule *s, const struct ir_buffer *buffer,
                               const struct ir_expr *const *indices)
{
    return ir_expr_load(s->context, buffer, indices, buffer->ndim);
}

const struct ir_expr *sch_put(struct schedule *s, const struct ir_expr *a, const struct ir_var *var,
                              const struct ir_expr *value)
{
    struct ir_binding binding = {var, value};
    struct ir_bindings one = {&binding, 1, 1};

    return a && var ? ir_expr_substitute(s->context, a, &one) : a;
}

struct tir_stmt *sch_copy(struct schedule *s, struct tir_stmt *stmt, const struct ir_var *var,
                          const struct ir_expr *value)
{
    struct loop_names names = {.fresh = true};

    map_set(&names.vars, var, value);
    struct tir_stmt *copy = loop_copy(s->module, &names, stmt);
    loop_names_finish(&names);
    return copy;
}

/* ---- looking ---- */

static bool is_pure_node(void *state, const struct ir_expr *a)
{
    return a->kind != IR_EXPR_call || index_call_is_pure(a);
}

bool sch_is_pure(const struct ir_expr *a)
{
    return ir_expr_walk(a, is_pure_node, NULL);
}

static bool is_not_load_of(void *state, const struct ir_expr *a)
{
    return a->kind != IR_EXPR_load || a->buffer != state;
}

bool sch_reads(const struct ir_expr *a, const struct ir_buffer *buffer)
{
    union {
        const struct ir_buffer *buffer;
        void *state;
    } wanted = {.buffer = buffer};

    return !ir_expr_walk(a, is_not_load_of, wanted.state);
}

static bool is_fixed_node(void *state, const struct ir_expr *a)
{
    return a->kind != IR_EXPR_load && a->kind != IR_EXPR_call;
}

bool sch_is_fixed(const struct ir_expr *a)
{
    return ir_expr_walk(a, is_fixed_node, NULL);
}

/* Is there none that may ask for what loops of a schedule do not keep? */
static bool has_hints_only(const struct ir_attr *annotations)
{
    for (unsigned i = 0; annotations && i < annotations->count; i++)
        if (strcmp(annotations->keys[i], TIR_PREFETCH) != 0 &&
            strcmp(annotations->keys[i], TIR_PREFETCH_BYTES) != 0)
            return false;
    return true;
}

/* Narrow variables would not hold the numbers of elements that loops are cut at. */
bool sch_is_plain_loop(const struct tir_stmt *stmt)
{
    return stmt->kind == TIR_FOR && stmt->loop.kind == TIR_SERIAL &&
           has_hints_only(stmt->loop.annotations) && ir_expr_is_int(stmt->loop.min, 0) &&
           (!stmt->loop.step || ir_expr_is_int(stmt->loop.step, 1)) &&
           ir_dtype_is_int(stmt->loop.var->dtype) && stmt->loop.var->dtype.code == IR_INT &&
           stmt->loop.var->dtype.bits >= 32 &&
           ir_dtype_equal(stmt->loop.extent->dtype, stmt->loop.var->dtype) &&
           sch_is_fixed(stmt->loop.extent);
}

size_t sch_enter(struct schedule *s, const struct tir_stmt *loop)
{
    size_t mark = s->ranges.count;

    if (loop_has_fixed_bounds(loop) && !loop->loop.step)
        array_push(&s->ranges, loop_range(s->module, loop));
    return mark;
}

void sch_leave(struct schedule *s, size_t mark)
{
    s->ranges.count = mark;
}

bool sch_is_counted(struct schedule *s, const struct tir_stmt *loop)
{
    const struct ir_expr *zero = sch_int(s, loop->loop.extent->dtype, 0);

    return ir_prove_ge(s->context, &s->ranges, loop->loop.extent, zero);
}

const struct ir_expr *sch_count(struct schedule *s, const struct tir_stmt *loop)
{
    if (sch_is_counted(s, loop))
        return loop->loop.extent;
    return binary(s, IR_EXPR_max, loop->loop.extent, sch_int(s, loop->loop.extent->dtype, 0));
}

enum { UNKNOWN_EXTENT = 64, CALL_WORK = 12 };

static bool count_node(void *state, const struct ir_expr *a)
{
    double *work = state;

    *work += a->kind == IR_EXPR_call ? CALL_WORK : a->operand_count > 0 ? 1 : 0;
    return true;
}

static bool count_root(void *state, const struct ir_expr *a)
{
    return ir_expr_walk(a, count_node, state);
}

double sch_work(struct schedule *s, const struct tir_stmt *stmt)
{
    double work = 0, inside = 0;

    for (unsigned i = 0; tir_stmt_child(stmt, i); i++)
        inside += sch_work(s, tir_stmt_child(stmt, i));
    if (stmt->kind == TIR_FOR) {
        int64_t most = ir_interval_of(s->context, NULL, stmt->loop.extent).high;
        return inside * (double)(most == INT64_MAX ? UNKNOWN_EXTENT : most > 0 ? most : 0);
    }
    if (stmt->kind == TIR_WHILE)
        return inside * (double)UNKNOWN_EXTENT;
    tir_stmt_walk_exprs(stmt, count_root, &work);
    return work + inside;
}

struct strides {
    struct schedule *s;
    const struct ir_var *var;
};

static bool is_row_load(void *state, const struct ir_expr *a)
{
    const struct strides *strides = state;
    int64_t stride;

    return a->kind != IR_EXPR_load || (index_stride(strides->s->context, a->buffer, a->operands,
                                                    a->operand_count, strides->var, &stride) &&
                                       (stride == 0 || stride == 1));
}

bool sch_loads_rows(struct schedule *s, const struct ir_expr *value, const struct ir_var *var)
{
    struct strides strides = {s, var};

    return ir_expr_walk(value, is_row_load, &strides);
}

static bool is_constant_load(void *state, const struct ir_expr *a)
{
    const struct schedule *s = state;

    if (a->kind != IR_EXPR_load)
        return a->kind != IR_EXPR_call;
    for (unsigned i = 0; i < s->func->param_count; i++)
        if (s->func->params[i].buffer == a->buffer)
            return s->is_constant[i];
    return false;
}

bool sch_reads_constants(struct schedule *s, const struct ir_expr *a)
{
    return s->is_constant && ir_expr_walk(a, is_constant_load, s);
}
