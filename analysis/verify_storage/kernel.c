/*
 * What a kernel does to the buffers that it is given: its own look, apart from analysis/kernel.
 */
#include "analysis/verify_storage/kernel.h"

#include <string.h>

/* ---- which parameters are written, and which leave the kernel ---- */

static unsigned home_of(const struct vs_kernel *k, const struct ir_buffer *buffer)
{
    return (unsigned)(uintptr_t)map_get(&k->homes, buffer);
}

static void set_home(struct vs_kernel *k, const struct ir_buffer *buffer, unsigned home)
{
    map_set(&k->homes, buffer, (void *)(uintptr_t)home); /* NOLINT(performance-no-int-to-ptr) */
    if (home && buffer->data_var)
        map_set(&k->pointers, buffer->data_var, (void *)(uintptr_t)home); /* NOLINT */
}

/* @buffer is another look at @source. */
static void set_alias(struct vs_kernel *k, const struct ir_buffer *buffer,
                      const struct ir_buffer *source)
{
    unsigned home = home_of(k, source);

    set_home(k, buffer, home);
    if (home)
        k->is_unclear[home - 1] = true;
}

/*
 * Code outside may keep it; that it does not write what it only gets as input is the call's word.
 */
static void let_go(struct vs_kernel *k, unsigned home)
{
    if (home)
        k->keeps[home - 1] = k->is_unclear[home - 1] = true;
}

static bool see_expr(void *state, const struct ir_expr *e)
{
    struct vs_kernel *k = state;

    if (e->kind == IR_EXPR_var)
        let_go(k, (unsigned)(uintptr_t)map_get(&k->pointers, e->var));
    if (e->kind == IR_EXPR_call && strcmp(e->name, "address_of") == 0 && e->operand_count &&
        e->operands[0]->kind == IR_EXPR_load)
        let_go(k, home_of(k, e->operands[0]->buffer));
    return true;
}

static bool walk_expr(void *state, const struct ir_expr *e)
{
    return ir_expr_walk(e, see_expr, state);
}

static void see_buffer(struct vs_kernel *k, const struct ir_buffer *buffer)
{
    if (buffer->data_of)
        set_alias(k, buffer, buffer->data_of);
    else if (buffer->data)
        k->is_wild = true;
}

static bool see_stmt(void *state, struct tir_stmt *stmt)
{
    struct vs_kernel *k = state;
    bool is_look = stmt->kind == TIR_DECL && stmt->alloc.buffer->data_of;

    if (stmt->kind == TIR_DECL || stmt->kind == TIR_ALLOC)
        see_buffer(k, stmt->alloc.buffer);
    if (stmt->kind == TIR_BLOCK)
        for (unsigned i = 0; i < stmt->block.match_count; i++)
            set_alias(k, stmt->block.matches[i].buffer, stmt->block.matches[i].source.buffer);
    if (stmt->kind == TIR_STORE && home_of(k, stmt->store.buffer))
        k->writes[home_of(k, stmt->store.buffer) - 1] = true;
    return is_look || tir_stmt_walk_exprs(stmt, walk_expr, k);
}

static struct vs_kernel *look_at(struct vs_module *m, struct tir_func *func)
{
    struct vs_kernel *k = arena_new(&m->arena, struct vs_kernel);

    *k = (struct vs_kernel){.func = func};
    k->writes = arena_array(&m->arena, bool, func->param_count + 1);
    k->keeps = arena_array(&m->arena, bool, func->param_count + 1);
    k->is_unclear = arena_array(&m->arena, bool, func->param_count + 1);
    for (unsigned i = 0; i < func->param_count; i++)
        if (func->params[i].buffer) {
            set_home(k, func->params[i].buffer, i + 1);
            k->is_wild |= func->params[i].buffer->data_of != NULL;
        }
    tir_stmt_walk(func->body, see_stmt, k);
    for (unsigned i = 0; i < func->param_count && k->is_wild; i++)
        if (func->params[i].buffer)
            k->writes[i] = k->keeps[i] = true;
    return k;
}

struct vs_kernel *vs_kernel_of(struct vs_module *m, struct tir_func *func)
{
    struct vs_kernel *known = map_get(&m->kernels, func);

    if (known)
        return known;
    known = look_at(m, func);
    map_set(&m->kernels, func, known);
    array_push(&m->kernel_list, known);
    return known;
}

bool vs_kernel_writes(const struct vs_kernel *kernel, unsigned param)
{
    return kernel->writes[param];
}

bool vs_kernel_keeps(const struct vs_kernel *kernel, unsigned param)
{
    return kernel->keeps[param];
}

/* ---- all accesses ---- */

enum { STMT_DEPTH_LIMIT = 512, ACCESS_LIMIT = 1 << 14, PAIR_LIMIT = 1 << 15 };

struct collector {
    struct vs_kernel *k;
    const struct vs_around *around;
    const struct vs_first *first;
    unsigned order, depth;
    bool is_lost; /* too much of it */
};

static struct vs_around *put_around(struct collector *c, int kind, const struct ir_var *var)
{
    struct vs_around *around = arena_new(&c->k->polys.arena, struct vs_around);

    around->outer = c->around;
    around->kind = kind;
    around->var = var;
    around->depth = c->around ? c->around->depth : 0;
    c->around = around;
    return around;
}

static void add_access(struct collector *c, const struct ir_buffer *buffer,
                       const struct ir_expr *const *indices, unsigned count, bool is_store)
{
    unsigned home = home_of(c->k, buffer);
    struct vs_access access = {.buffer = buffer,
                               .param = home - 1,
                               .is_store = is_store,
                               .indices = indices,
                               .index_count = count,
                               .around = c->around,
                               .order = c->order,
                               .first = c->first};

    c->is_lost |= c->k->accesses.count == ACCESS_LIMIT;
    if (home && !c->is_lost)
        array_push(&c->k->accesses, access);
}

static void put_guard(struct collector *c, const struct ir_expr *condition, bool is_negated)
{
    struct vs_around *guard = put_around(c, VS_GUARD, NULL);

    guard->condition = condition;
    guard->is_negated = is_negated;
}

/* Does @e give one of its last two operands, and what the other reads to nobody? */
static bool is_choice(const struct ir_expr *e)
{
    return e->operand_count == 3 &&
           (e->kind == IR_EXPR_select ||
            (e->kind == IR_EXPR_call && strcmp(e->name, "if_then_else") == 0));
}

/* Lets in expressions are around what stands in their bodies, conditions around what they choose. */
static void collect_expr(struct collector *c, const struct ir_expr *e)
{
    const struct vs_around *outer = c->around;

    if (e->kind == IR_EXPR_load)
        add_access(c, e->buffer, e->operands, e->operand_count, false);
    for (unsigned i = 0; i < e->operand_count; i++) {
        if (e->kind == IR_EXPR_let && i == 1)
            put_around(c, VS_LET, e->var)->value = e->operands[0];
        if (is_choice(e) && i > 0) {
            c->around = outer;
            put_guard(c, e->operands[0], i == 2);
        }
        collect_expr(c, e->operands[i]);
    }
    c->around = outer;
}

static bool collect_root(void *state, const struct ir_expr *e)
{
    collect_expr(state, e);
    return true;
}

static void collect(struct collector *c, const struct tir_stmt *stmt);

/* The least of operands of T.min that is a number, if one is: a bound like the others. */
static const struct ir_expr *bound_of(struct vs_polys *p, const struct ir_expr *extent)
{
    int64_t number;

    while (extent->kind == IR_EXPR_min) {
        bool is_number = ir_expr_constant(p->context, extent->operands[0], &number);

        extent = extent->operands[is_number ? 0 : 1];
    }
    return extent;
}

static bool is_stepped(struct vs_polys *p, const struct tir_stmt *stmt, int64_t *out_step)
{
    return stmt->loop.step && ir_expr_constant(p->context, stmt->loop.step, out_step) &&
           *out_step > 0;
}

static void collect_loop(struct collector *c, const struct tir_stmt *stmt)
{
    struct vs_polys *p = &c->k->polys;
    const struct vs_poly *low = vs_index(p, c->around, stmt->loop.min);
    const struct vs_poly *count = vs_index(p, c->around, bound_of(p, stmt->loop.extent));
    struct vs_around *loop = put_around(c, VS_LOOP, stmt->loop.var);
    int64_t step;

    loop->stmt = stmt;
    loop->depth++;
    if (is_stepped(p, stmt, &step) && low) {
        loop->begin = low;
        low = vs_poly_number(p, 0);
        count = vs_poly_add(p, count, vs_poly_number(p, step - 1), 1);
        count = vs_poly_divide(p, count, step, false);
    }
    loop->low = low;
    loop->high = vs_poly_add(p, vs_poly_add(p, low, count, 1), vs_poly_number(p, 1), -1);
    collect(c, stmt->loop.body);
}

static void collect_branch(struct collector *c, const struct tir_stmt *stmt,
                           const struct tir_stmt *body, bool is_negated)
{
    const struct vs_around *outer = c->around;

    put_guard(c, stmt->branch.condition, is_negated);
    if (body)
        collect(c, body);
    c->around = outer;
}

static void collect_unknown_loop(struct collector *c, const struct tir_stmt *stmt,
                                 const struct ir_var *var, const struct tir_stmt *body)
{
    struct vs_around *loop = put_around(c, VS_LOOP, var);

    loop->stmt = stmt;
    loop->depth++;
    tir_stmt_walk_exprs(stmt, collect_root, c); /* a condition is asked each time */
    collect(c, body);
}

static const struct vs_around *find_loop(const struct vs_around *around, const struct ir_var *var)
{
    while (around && around->var != var)
        around = around->outer;
    return around && around->kind == VS_LOOP ? around : NULL;
}

/* Is @e a sum of loops that count from 0 on, times numbers?  Where it is 0 they all are. */
static bool is_count(const struct collector *c, const struct ir_expr *e)
{
    int64_t low;

    switch (e->kind) {
    case IR_EXPR_var: {
        const struct vs_around *loop = find_loop(c->around, e->var);

        return loop && loop->low && vs_poly_is_number(loop->low, &low) && low == 0;
    }
    case IR_EXPR_add:
        return is_count(c, e->operands[0]) && is_count(c, e->operands[1]);
    case IR_EXPR_cast:
        return is_count(c, e->operands[0]);
    case IR_EXPR_mul:
        return is_count(c, e->operands[0]) && e->operands[1]->kind == IR_EXPR_int &&
               e->operands[1]->int_value > 0;
    default:
        return false;
    }
}

static bool pin_loop(void *state, const struct ir_expr *e)
{
    struct collector *c = state;
    struct vs_first *first;

    if (e->kind != IR_EXPR_var)
        return true;
    first = arena_new(&c->k->polys.arena, struct vs_first);
    *first = (struct vs_first){c->first, e->var};
    c->first = first;
    return true;
}

static void collect_init(struct collector *c, const struct tir_stmt *stmt)
{
    const struct vs_first *outer = c->first;

    for (unsigned i = 0; i < stmt->block.axis_count; i++) {
        const struct tir_axis *axis = &stmt->block.axes[i];

        if (axis->kind == TIR_REDUCE && ir_expr_is_int(axis->min, 0) && is_count(c, axis->value))
            ir_expr_walk(axis->value, pin_loop, c);
    }
    collect(c, stmt->block.init);
    c->first = outer;
}

static void collect_block(struct collector *c, const struct tir_stmt *stmt)
{
    for (unsigned i = 0; i < stmt->block.axis_count; i++) {
        collect_expr(c, stmt->block.axes[i].value);
        put_around(c, VS_AXIS, stmt->block.axes[i].var)->value = stmt->block.axes[i].value;
    }
    if (stmt->block.predicate) {
        collect_expr(c, stmt->block.predicate);
        put_guard(c, stmt->block.predicate, false);
    }
    if (stmt->block.init)
        collect_init(c, stmt);
    collect(c, stmt->block.body);
}

static void collect_in(struct collector *c, const struct tir_stmt *stmt)
{
    switch (stmt->kind) {
    case TIR_SEQ:
        for (unsigned i = 0; i < stmt->seq.count; i++)
            collect(c, stmt->seq.items[i]);
        return;
    case TIR_BLOCK:
        collect_block(c, stmt);
        return;
    case TIR_WHILE:
        collect_unknown_loop(c, stmt, NULL, stmt->while_loop.body);
        return;
    case TIR_LAUNCH_THREAD:
        collect_unknown_loop(c, stmt, stmt->launch.var, stmt->launch.body);
        return;
    case TIR_IF:
        tir_stmt_walk_exprs(stmt, collect_root, c);
        collect_branch(c, stmt, stmt->branch.then_body, false);
        collect_branch(c, stmt, stmt->branch.else_body, true);
        return;
    default:
        break;
    }
    tir_stmt_walk_exprs(stmt, collect_root, c);
    if (stmt->kind == TIR_FOR)
        collect_loop(c, stmt);
    else if (stmt->kind == TIR_STORE)
        add_access(c, stmt->store.buffer, stmt->store.indices, stmt->store.index_count, true);
    struct tir_stmt *child;
    for (unsigned i = 0; stmt->kind != TIR_FOR && (child = tir_stmt_child(stmt, i)) != NULL; i++)
        collect(c, child);
}

static void collect(struct collector *c, const struct tir_stmt *stmt)
{
    const struct vs_around *outer = c->around;

    c->order++;
    if (++c->depth > STMT_DEPTH_LIMIT)
        c->is_lost = true;
    else
        collect_in(c, stmt);
    c->depth--;
    if (stmt->kind == TIR_LET) /* to the end of the sequence */
        put_around(c, VS_LET, stmt->let.var)->value = stmt->let.value;
    else
        c->around = outer;
}

static bool find_accesses(struct vs_module *m, struct vs_kernel *kernel)
{
    struct collector c = {.k = kernel};

    if (kernel->has_accesses)
        return !kernel->is_wild;
    kernel->has_accesses = true;
    kernel->polys.context = m->context;
    collect(&c, kernel->func->body);
    kernel->is_wild |= c.is_lost;
    return !kernel->is_wild;
}

/* ---- the question ---- */

static bool reads_first(struct vs_kernel *kernel, unsigned read, unsigned written, int64_t distance)
{
    size_t pairs = 0;

    for (size_t i = 0; i < kernel->accesses.count; i++) {
        struct vs_access *load = &kernel->accesses.items[i];

        if (load->is_store || load->param != read)
            continue;
        for (size_t k = 0; k < kernel->accesses.count; k++) {
            struct vs_access *store = &kernel->accesses.items[k];

            if (!store->is_store || store->param != written)
                continue;
            if (++pairs > PAIR_LIMIT || !vs_is_before(kernel, load, store, distance))
                return false;
        }
    }
    return true;
}

bool vs_kernel_reads_first(struct vs_module *m, struct vs_kernel *kernel, unsigned read,
                           unsigned written, int64_t distance)
{
    for (size_t i = 0; i < kernel->answers.count; i++) {
        const struct vs_answer *answer = &kernel->answers.items[i];

        if (answer->read == read && answer->written == written && answer->distance == distance)
            return answer->is_first;
    }
    bool is_first = !kernel->is_unclear[read] && !kernel->is_unclear[written] &&
                    find_accesses(m, kernel) && reads_first(kernel, read, written, distance);
    struct vs_answer answer = {read, written, distance, is_first};

    array_push(&kernel->answers, answer);
    return is_first;
}

void vs_kernels_finish(struct vs_module *m)
{
    for (size_t i = 0; i < m->kernel_list.count; i++) {
        struct vs_kernel *kernel = m->kernel_list.items[i];

        map_finish(&kernel->homes);
        map_finish(&kernel->pointers);
        array_finish(&kernel->accesses);
        array_finish(&kernel->answers);
        vs_polys_finish(&kernel->polys);
    }
    array_finish(&m->kernel_list);
    map_finish(&m->kernels);
}
