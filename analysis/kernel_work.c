/*
 * Walks the loops once.  A loop variable stands for the middle of its range, so that of loops whose
 * ends depend on it (triangles) the mean is counted.  How many elements an access touches: along
 * each dimension, no more than there are, and than the loops make whose variables decide about that
 * index.
 */
#include "analysis/kernel_work.h"

#include "base/array.h"
#include "base/map.h"

#include <math.h>
#include <string.h>

enum { LOOP_LIMIT = 63, DEPTH_LIMIT = 1000 };

/* What is known of a variable: which loops decide about it, and its value. */
struct variable {
    uint64_t loops;
    double value; /* NaN: not known */
};

/* A buffer of the parameters. */
struct touched {
    const struct ir_buffer *buffer;
    double read, written; /* elements */
    bool is_stored;       /* the access that came first was a store */
};

struct walk {
    const struct tir_func *func;
    struct map variables; /* struct ir_var -> struct variable */
    struct map sources;   /* struct ir_buffer of a T.match_buffer -> what it looks at */
    double extents[LOOP_LIMIT + 1];
    unsigned loop_count;
    double times; /* that the statement at hand runs */
    array(struct touched) buffers;
    struct kernel_work work;
    struct arena arena;
};

/* ---- numbers ---- */

struct numbers {
    const struct ir_var **items;
    unsigned count;
};

static void add_number(struct numbers *numbers, const struct ir_var *var)
{
    for (unsigned i = 0; i < numbers->count; i++)
        if (numbers->items[i] == var)
            return;
    if (numbers->count < KERNEL_NUMBERS)
        numbers->items[numbers->count++] = var;
}

static bool add_symbol(void *state, const struct ir_expr *e)
{
    if (e->kind == IR_EXPR_var)
        add_number(state, e->var);
    return true;
}

unsigned kernel_numbers(const struct tir_func *func, const struct ir_var *out[KERNEL_NUMBERS])
{
    struct numbers numbers = {.items = out};

    for (unsigned i = 0; i < func->param_count; i++)
        if (!func->params[i].buffer && ir_dtype_is_int(func->params[i].var->dtype))
            add_number(&numbers, func->params[i].var);
    for (unsigned i = 0; i < func->param_count; i++) {
        const struct ir_buffer *buffer = func->params[i].buffer;

        for (unsigned d = 0; buffer && d < buffer->ndim; d++)
            ir_expr_walk(buffer->shape[d], add_symbol, &numbers);
    }
    return numbers.count;
}

/* ---- values of indices and ends ---- */

static void set_variable(struct walk *walk, const struct ir_var *var, uint64_t loops, double value)
{
    struct variable *variable = arena_new(&walk->arena, struct variable);

    *variable = (struct variable){loops, value};
    map_set(&walk->variables, var, variable);
}

static double combine(enum ir_expr_kind kind, double a, double b)
{
    switch (kind) {
    case IR_EXPR_add:
        return a + b;
    case IR_EXPR_sub:
        return a - b;
    case IR_EXPR_mul:
        return a * b;
    case IR_EXPR_div:
    case IR_EXPR_floordiv:
        return b != 0 ? floor(a / b) : NAN;
    case IR_EXPR_mod:
    case IR_EXPR_floormod:
        return b != 0 ? a - b * floor(a / b) : NAN;
    case IR_EXPR_min:
        return fmin(a, b);
    case IR_EXPR_max:
        return fmax(a, b);
    default:
        return NAN;
    }
}

static double value_of(const struct walk *walk, const struct ir_expr *e)
{
    const struct variable *variable;

    if (e->depth > DEPTH_LIMIT)
        return NAN;
    if (e->kind == IR_EXPR_int)
        return (double)e->int_value;
    if (e->kind == IR_EXPR_var) {
        variable = map_get(&walk->variables, e->var);
        return variable ? variable->value : NAN;
    }
    if (e->kind == IR_EXPR_cast)
        return value_of(walk, e->operands[0]);
    if (!ir_expr_is_binary(e->kind))
        return NAN;
    return combine(e->kind, value_of(walk, e->operands[0]), value_of(walk, e->operands[1]));
}

struct loops {
    const struct walk *walk;
    uint64_t bits;
};

static bool add_loops(void *state, const struct ir_expr *e)
{
    struct loops *loops = state;
    const struct variable *variable =
        e->kind == IR_EXPR_var ? map_get(&loops->walk->variables, e->var) : NULL;

    loops->bits |= variable ? variable->loops : 0;
    return true;
}

/* The loops that decide about @e. */
static uint64_t loops_of(const struct walk *walk, const struct ir_expr *e)
{
    struct loops loops = {.walk = walk};

    ir_expr_walk(e, add_loops, &loops);
    return loops.bits;
}

static double product_of(const struct walk *walk, uint64_t loops)
{
    double product = 1;

    for (unsigned i = 0; i < walk->loop_count; i++)
        product *= loops >> i & 1 ? walk->extents[i] : 1;
    return product;
}

/* ---- accesses ---- */

static const struct ir_buffer *root_of(const struct walk *walk, const struct ir_buffer *buffer)
{
    const struct ir_buffer *source;

    for (unsigned i = 0; i < DEPTH_LIMIT; i++) {
        source = map_get(&walk->sources, buffer);
        source = source ? source : buffer->data_of;
        if (!source || source == buffer)
            return buffer;
        buffer = source;
    }
    return buffer;
}

static double size_of(const struct walk *walk, const struct ir_buffer *buffer)
{
    double size = 1;

    for (unsigned d = 0; d < buffer->ndim; d++)
        size *= value_of(walk, buffer->shape[d]);
    return size;
}

/* How many elements @count indices reach, of all that the statement at hand is run for. */
static double reach_of(const struct walk *walk, const struct ir_buffer *buffer,
                       const struct ir_expr *const *indices, unsigned count)
{
    double reach = 1;
    uint64_t all = 0;

    for (unsigned d = 0; d < count; d++) {
        uint64_t loops = loops_of(walk, indices[d]);
        double extent = d < buffer->ndim ? value_of(walk, buffer->shape[d]) : NAN;

        all |= loops;
        reach *= fmin(product_of(walk, loops), extent); /* fmin() passes a NaN over */
    }
    return fmin(reach, product_of(walk, all));
}

static void touch(struct walk *walk, const struct ir_buffer *buffer,
                  const struct ir_expr *const *indices, unsigned count, bool is_store)
{
    const struct ir_buffer *root = root_of(walk, buffer);
    double reach = reach_of(walk, buffer, indices, count);

    for (size_t i = 0; i < walk->buffers.count; i++) {
        struct touched *touched = &walk->buffers.items[i];
        bool is_first = touched->read == 0 && touched->written == 0;

        if (touched->buffer != root)
            continue;
        touched->is_stored |= is_first && is_store;
        if (is_store) /* what one statement writes no other one does; it may well be read twice */
            touched->written += reach;
        else
            touched->read = fmax(touched->read, reach);
    }
}

/* Arithmetic of @e on elements; its loads are touched. */
static double count_operations(struct walk *walk, const struct ir_expr *e)
{
    bool is_counted = (e->kind >= IR_EXPR_add && e->kind <= IR_EXPR_max) || e->kind == IR_EXPR_call;
    double count = is_counted ? 1 : 0;

    if (e->kind == IR_EXPR_load)
        touch(walk, e->buffer, e->operands, e->operand_count, false);
    if (e->depth > DEPTH_LIMIT)
        return count;
    for (unsigned i = 0; i < e->operand_count; i++) {
        double inner = count_operations(walk, e->operands[i]);

        /* indices and conditions are read, and compute nothing */
        count += e->kind == IR_EXPR_load || ir_expr_is_compare(e->kind) ||
                         (e->kind == IR_EXPR_select && i == 0)
                     ? 0
                     : inner;
    }
    return count;
}

static void read_only(struct walk *walk, const struct ir_expr *e)
{
    if (e)
        (void)count_operations(walk, e);
}

/* ---- statements ---- */

static void walk_statement(struct walk *walk, const struct tir_stmt *stmt);

static void walk_loop(struct walk *walk, const struct tir_stmt *stmt)
{
    double step = stmt->loop.step ? value_of(walk, stmt->loop.step) : 1;
    double outer = walk->times, range = value_of(walk, stmt->loop.extent);
    double extent =
        step == 1 ? range : ceil(range / step); /* the mean of a triangle is no whole number */
    bool has_room = walk->loop_count < LOOP_LIMIT;

    read_only(walk, stmt->loop.extent);
    if (!(extent >= 0)) { /* a NaN */
        walk->work.is_most = true;
        extent = extent < 0 ? 0 : 1;
    }
    set_variable(walk, stmt->loop.var, has_room ? UINT64_C(1) << walk->loop_count : 0,
                 value_of(walk, stmt->loop.min) + step * (extent - 1) / 2);
    if (has_room)
        walk->extents[walk->loop_count++] = extent;
    walk->times = outer * extent;
    if (extent > 0)
        walk_statement(walk, stmt->loop.body);
    walk->times = outer;
    walk->loop_count -= has_room;
}

static void walk_block(struct walk *walk, const struct tir_stmt *stmt)
{
    double times = walk->times;

    for (unsigned i = 0; i < stmt->block.axis_count; i++) {
        const struct tir_axis *axis = &stmt->block.axes[i];

        if (axis->value)
            set_variable(walk, axis->var, loops_of(walk, axis->value), value_of(walk, axis->value));
    }
    for (unsigned i = 0; i < stmt->block.match_count; i++)
        map_set(&walk->sources, stmt->block.matches[i].buffer,
                stmt->block.matches[i].source.buffer);
    if (stmt->block.init) { /* once for all turns of what is reduced */
        walk->times = 0;
        walk_statement(walk, stmt->block.init);
        walk->times = times;
    }
    walk_statement(walk, stmt->block.body);
}

static void walk_store(struct walk *walk, const struct tir_stmt *stmt)
{
    walk->work.operations += walk->times * count_operations(walk, stmt->store.value);
    for (unsigned i = 0; i < stmt->store.index_count; i++)
        read_only(walk, stmt->store.indices[i]);
    touch(walk, stmt->store.buffer, stmt->store.indices, stmt->store.index_count, true);
}

static void walk_children(struct walk *walk, const struct tir_stmt *stmt)
{
    const struct tir_stmt *child;

    for (unsigned i = 0; (child = tir_stmt_child(stmt, i)); i++)
        walk_statement(walk, child);
}

static void walk_statement(struct walk *walk, const struct tir_stmt *stmt)
{
    switch (stmt->kind) {
    case TIR_FOR:
        walk_loop(walk, stmt);
        break;
    case TIR_BLOCK:
        walk_block(walk, stmt);
        break;
    case TIR_STORE:
        walk_store(walk, stmt);
        break;
    case TIR_LET:
        walk->work.operations += ir_dtype_is_float(stmt->let.value->dtype)
                                     ? walk->times * count_operations(walk, stmt->let.value)
                                     : (read_only(walk, stmt->let.value), 0);
        set_variable(walk, stmt->let.var, loops_of(walk, stmt->let.value),
                     value_of(walk, stmt->let.value));
        break;
    case TIR_IF:
        walk->work.is_most = true;
        read_only(walk, stmt->branch.condition);
        walk_children(walk, stmt);
        break;
    case TIR_WHILE:
    case TIR_EVALUATE:
        walk->work.is_most = true;
        walk_children(walk, stmt);
        break;
    default:
        walk_children(walk, stmt);
    }
}

/* ---- the sum ---- */

static double bytes_of(const struct walk *walk, const struct touched *touched)
{
    double size = size_of(walk, touched->buffer);
    double read = touched->is_stored ? 0 : fmin(touched->read, size);

    return (read + fmin(touched->written, size)) * ir_dtype_bytes(touched->buffer->dtype);
}

static void begin(struct walk *walk, const int64_t *numbers)
{
    const struct ir_var *vars[KERNEL_NUMBERS];
    unsigned count = kernel_numbers(walk->func, vars);

    for (unsigned i = 0; i < count; i++)
        set_variable(walk, vars[i], 0, (double)numbers[i]);
    for (unsigned i = 0; i < walk->func->param_count; i++)
        if (walk->func->params[i].buffer)
            array_push(&walk->buffers, (struct touched){.buffer = walk->func->params[i].buffer});
}

struct kernel_work kernel_work(const struct tir_func *func, const int64_t *numbers)
{
    struct walk walk = {.func = func, .times = 1};

    begin(&walk, numbers);
    if (func->body)
        walk_statement(&walk, func->body);
    for (size_t i = 0; i < walk.buffers.count; i++)
        walk.work.bytes += bytes_of(&walk, &walk.buffers.items[i]);
    map_finish(&walk.variables);
    map_finish(&walk.sources);
    array_finish(&walk.buffers);
    arena_finish(&walk.arena);
    return walk.work;
}
