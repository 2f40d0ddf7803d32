/*
 * PackConstants: what kernels make of constants alone is made when the program is compiled.
 *
 *     panels = T.alloc_buffer((10, 256, 32))          panels: T.Buffer((10, 256, 32)), a parameter
 *     for p, k, c in ..:                              in the place of w
 *         panels[p, k, c] = w[k, p * 32 + c]    =>
 *     for ..: acc += x[i, k] * panels[p, k, c]        for ..: acc += x[i, k] * panels[p, k, c]
 *
 * where all calls of the kernel give a constant for w, which nothing else in it reads, and nothing
 * leaves the loops out where the panels are read.  The loops become a kernel of their own, and its
 * result a new constant (fold_large.h), which takes the place of the old one. So products of matrices
 * find their weights packed.  That must not need much more memory than they do.  Panels that are made twice of the
 * same, as of two products of which one runs, are one constant.
 */
#include "analysis/kernel.h"
#include "base/array.h"
#include "ir/build.h"
#include "ir/tir.h"
#include "passes/graph/fold_large.h"
#include "passes/loop/loop.h"
#include "passes/schedule/kernel_uses.h"

#include <string.h>

enum {
    LEAST = 256,  /* bytes of what is worth it */
    GROWTH = 80,  /* percent that it may have more (windows of 3 by 3 as 16 numbers: 78), and .. */
    SMALL = 4096, /* .. so many bytes */
};

struct pack {
    struct pass_run *run;
    struct ir_module *module;
    struct kernel_uses uses;
    array(struct ir_global *) packers; /* kernels that were made */
    struct fold_large large;
    bool is_changed;
};

/* ---- loops that only make a buffer of constants ---- */

struct search {
    struct pack *pack;
    const struct kernel_use *kernel;
    const struct ir_buffer *buffer;         /* that is made */
    const bool *is_constant;                /* by parameter */
    bool *is_read;                          /* by parameter, by what makes the buffer */
    array(const struct tir_stmt *) makers;  /* the largest statements that do nothing else */
    array(const struct ir_buffer *) twins;  /* buffers that are made just so: read as this one */
    array(const struct tir_stmt *) dropped; /* .. what makes them */
    array(const struct ir_var *) bound;     /* by loops of the maker that is looked at */
    bool reads_own;                         /* the maker that is looked at reads the buffer */
    bool is_good;
};

static int param_of(const struct tir_func *func, const struct ir_buffer *buffer)
{
    for (unsigned i = 0; i < func->param_count; i++)
        if (func->params[i].buffer == buffer)
            return (int)i;
    return -1;
}

static bool is_bound(const struct search *s, const struct ir_var *var)
{
    for (size_t i = 0; i < s->bound.count; i++)
        if (s->bound.items[i] == var)
            return true;
    return false;
}

/* Reads constants, and is otherwise made of loop variables and numbers? */
static bool visit_value(void *state, const struct ir_expr *a)
{
    struct search *s = state;

    if (a->kind == IR_EXPR_var)
        return is_bound(s, a->var);
    if (a->kind == IR_EXPR_call)
        return strcmp(a->name, "if_then_else") == 0;
    if (a->kind != IR_EXPR_load)
        return true;
    if (a->buffer == s->buffer) { /* made before, of constants too: a sum of them */
        s->reads_own = true;
        return true;
    }
    int param = param_of(s->kernel->global->kernel, a->buffer);

    if (param < 0 || !s->is_constant[param])
        return false;
    s->is_read[param] = true;
    return true;
}

static bool visit_root(void *state, const struct ir_expr *a)
{
    return ir_expr_walk(a, visit_value, state);
}

static bool visit_maker(void *state, struct tir_stmt *stmt)
{
    struct search *s = state;

    switch (stmt->kind) {
    case TIR_SEQ:
        return true;
    case TIR_FOR:
        array_push(&s->bound, stmt->loop.var);
        return tir_stmt_walk_exprs(stmt, visit_root, s);
    case TIR_STORE:
        return stmt->store.buffer == s->buffer && !stmt->store.predicate &&
               tir_stmt_walk_exprs(stmt, visit_root, s);
    default:
        return false;
    }
}

static bool is_maker(struct search *s, struct tir_stmt *stmt)
{
    s->bound.count = 0;
    s->reads_own = false;
    return (stmt->kind == TIR_FOR || stmt->kind == TIR_STORE) &&
           tir_stmt_walk(stmt, visit_maker, s);
}

struct naming {
    const struct ir_buffer *buffer;
    bool is_named;
};

static bool names_it(void *state, const struct ir_expr *a)
{
    struct naming *naming = state;

    naming->is_named |= a->buffer == naming->buffer;
    return !naming->is_named;
}

static bool expr_names_it(void *state, const struct ir_expr *a)
{
    return ir_expr_walk(a, names_it, state);
}

/* Does @stmt itself, without what is in it, read or write @buffer? */
static bool names_buffer(const struct tir_stmt *stmt, const struct ir_buffer *buffer)
{
    struct naming naming = {.buffer = buffer};

    if (stmt->kind == TIR_STORE && stmt->store.buffer == buffer)
        return true;
    (void)tir_stmt_walk_exprs(stmt, expr_names_it, &naming);
    return naming.is_named;
}

/* May it leave out what is in it? */
static bool is_conditional(const struct search *s, const struct tir_stmt *stmt)
{
    int64_t extent;

    return stmt->kind == TIR_IF || stmt->kind == TIR_WHILE ||
           (stmt->kind == TIR_FOR &&
            (!ir_expr_constant(s->pack->module->context, stmt->loop.extent, &extent) ||
             extent < 1));
}

/* What @stmt is in may leave it out, or run it again: that adds to a sum once more. */
struct around {
    bool may_leave_out, is_loop;
};

/* In the order of the text: all makers stand in front of all readers, and run once where these do. */
static void find_makers(struct search *s, struct tir_stmt *stmt, struct around around,
                        bool *has_reader)
{
    bool was_read[64];
    unsigned count = s->kernel->global->kernel->param_count;

    memcpy(was_read, s->is_read, count * sizeof(bool));
    if (is_maker(s, stmt)) {
        array_push(&s->makers, stmt);
        s->is_good = s->is_good && !*has_reader && !around.may_leave_out &&
                     !(around.is_loop && s->reads_own);
        return;
    }
    memcpy(s->is_read, was_read, count * sizeof(bool));
    if (stmt->kind == TIR_STORE && stmt->store.buffer == s->buffer)
        s->is_good = false; /* made of something else, too */
    *has_reader |= names_buffer(stmt, s->buffer);
    around.may_leave_out |= is_conditional(s, stmt);
    around.is_loop |= stmt->kind == TIR_FOR || stmt->kind == TIR_WHILE;
    for (unsigned i = 0; tir_stmt_child(stmt, i); i++)
        find_makers(s, tir_stmt_child(stmt, i), around, has_reader);
}

struct reading {
    const struct ir_buffer *buffer;
    bool is_read;
};

static bool visit_rest(void *state, struct tir_stmt *stmt)
{
    struct reading *reading = state;

    reading->is_read |= names_buffer(stmt, reading->buffer);
    return !reading->is_read;
}

static bool has_name(struct tir_stmt *stmt, const struct ir_buffer *buffer)
{
    struct reading reading = {.buffer = buffer};

    (void)tir_stmt_walk(stmt, visit_rest, &reading);
    return reading.is_read;
}

/* The smallest part of @stmt that all that names @buffer is in. */
static struct tir_stmt *part_with(struct tir_stmt *stmt, const struct ir_buffer *buffer)
{
    for (;;) {
        struct tir_stmt *inner = NULL;
        unsigned count = 0;

        for (unsigned i = 0; tir_stmt_child(stmt, i); i++)
            if (has_name(tir_stmt_child(stmt, i), buffer)) {
                inner = tir_stmt_child(stmt, i);
                count++;
            }
        if (count != 1 || names_buffer(stmt, buffer))
            return stmt;
        stmt = inner;
    }
}

/* ---- what is left of the kernel ---- */

static bool is_made(const struct search *s, const struct ir_buffer *buffer)
{
    bool is_twin = false;

    for (size_t i = 0; i < s->twins.count; i++)
        is_twin |= s->twins.items[i] == buffer;
    return is_twin || buffer == s->buffer;
}

static struct tir_stmt *drop_stmt(struct loop_map *map, struct tir_stmt *stmt)
{
    const struct search *s = map->state;

    for (size_t i = 0; i < s->makers.count; i++)
        if (s->makers.items[i] == stmt)
            return NULL;
    for (size_t i = 0; i < s->dropped.count; i++)
        if (s->dropped.items[i] == stmt)
            return NULL;
    if (stmt->kind == TIR_ALLOC && is_made(s, stmt->alloc.buffer))
        return NULL;
    return loop_map_parts(map, stmt);
}

/* Without what makes the buffer, which twins of it are, too. */
static struct tir_stmt *body_without(struct search *s)
{
    struct loop_map map = {.module = s->pack->module, .state = s, .stmt = drop_stmt};
    struct loop_names names = {0};
    struct tir_stmt *body = drop_stmt(&map, s->kernel->global->kernel->body);

    for (size_t i = 0; i < s->twins.count; i++)
        map_set(&names.buffers, s->twins.items[i], (void *)(uintptr_t)s->buffer);
    body = body && s->twins.count > 0 ? loop_copy(s->pack->module, &names, body) : body;
    loop_names_finish(&names);
    return body;
}

/* A constant that the rest @body of the kernel does not read, whose place is free; -1: none. */
static int free_param(const struct search *s, struct tir_stmt *body)
{
    const struct tir_func *func = s->kernel->global->kernel;

    for (unsigned i = 0; i < func->param_count; i++)
        if (s->is_read[i] && !has_name(body, func->params[i].buffer))
            return (int)i;
    return -1;
}

/* ---- the new kernel ---- */

static struct ir_buffer *buffer_like(struct pack *pack, const struct ir_buffer *buffer)
{
    struct ir_buffer *copy = arena_new(&pack->module->arena, struct ir_buffer);

    *copy = *buffer;
    copy->data_var = NULL;
    return copy;
}

/* A kernel of the makers: the constants that they read, then the buffer. */
static struct tir_func *make_func(struct search *s, const char *name)
{
    struct ir_module *module = s->pack->module;
    const struct tir_func *from = s->kernel->global->kernel;
    struct tir_func *func = tir_func_new(module, name);
    struct tir_stmt **items = arena_array(&module->arena, struct tir_stmt *, s->makers.count);
    struct loop_names names = {.fresh = true};

    for (unsigned i = 0; i < from->param_count; i++)
        if (s->is_read[i]) {
            struct ir_buffer *copy = buffer_like(s->pack, from->params[i].buffer);
            map_set(&names.buffers, from->params[i].buffer, copy);
            tir_func_add_buffer(func, copy);
        }
    struct ir_buffer *made = buffer_like(s->pack, s->buffer);

    map_set(&names.buffers, s->buffer, made);
    tir_func_add_buffer(func, made);
    for (size_t i = 0; i < s->makers.count; i++) // NOLINTNEXTLINE(performance-no-int-to-ptr)
        items[i] = loop_copy(module, &names, (struct tir_stmt *)(uintptr_t)s->makers.items[i]);
    func->body = tir_seq(module, items, (unsigned)s->makers.count);
    func->is_private = true;
    func->is_s_tir = from->is_s_tir;
    func->attrs = from->attrs;
    func->loc = from->loc;
    loop_names_finish(&names);
    return func;
}

static struct ir_global *make_kernel(struct search *s)
{
    struct ir_module *module = s->pack->module;
    const char *name =
        atom_printf(&module->context->atoms, "%s_pack", s->kernel->global->kernel->name);
    struct ir_global *global =
        ir_module_add(module, ir_module_fresh_name(module, name), IR_GLOBAL_KERNEL);

    global->kernel = make_func(s, global->name);
    return global;
}

/* Dims of buffers may be of 32 bits, those of tensors are not. */
static const struct ir_type *type_of(const struct search *s)
{
    struct ir_context *context = s->pack->module->context;
    const struct ir_expr *dims[16]; /* as bytes_of() has seen */
    int64_t dim;

    for (unsigned i = 0; i < s->buffer->ndim; i++)
        if (ir_expr_constant(context, s->buffer->shape[i], &dim))
            dims[i] = ir_expr_int(context, IR_I64, dim);
    return ir_type_tensor(context, s->buffer->dtype, dims, (int)s->buffer->ndim);
}

static void change_call(struct search *s, struct ir_op *call, struct ir_global *packer,
                        unsigned place)
{
    struct pack *pack = s->pack;
    struct ir_context *context = pack->module->context;
    struct ir_builder b = {.module = pack->module,
                           .diag = pack->run->diag,
                           .block = call->block,
                           .before = call,
                           .loc = call->loc};
    struct ir_value **args =
        arena_array(&pack->run->scratch, struct ir_value *, call->operand_count);
    const struct ir_constant *old = ir_op_attr(call->operands[place].value->def, "data")->constant;
    unsigned count = 0;

    for (unsigned i = 0; i < call->operand_count; i++)
        if (s->is_read[i])
            args[count++] = ir_inline_copy(pack->module, call->operands[i].value);
    struct ir_value *made = ir_build_call_tir(&b, packer, args, count, type_of(s));

    made->name = old->name ? atom_printf(&context->atoms, "%s_packed", old->name) : NULL;
    ir_op_set_operand(call, place, made);
    fold_large_note(&pack->large, made->def);
}

/* ---- deciding ---- */

static bool bytes_of(struct ir_context *context, const struct ir_buffer *buffer, int64_t *out)
{
    int64_t dims[16];
    size_t bytes;

    if (buffer->ndim > 16 || buffer->strides || buffer->elem_offset || buffer->data)
        return false;
    for (unsigned i = 0; i < buffer->ndim; i++)
        if (!ir_expr_constant(context, buffer->shape[i], &dims[i]))
            return false;
    if (!ir_shape_bytes(dims, buffer->ndim, buffer->dtype, &bytes) || bytes > INT64_MAX / 200)
        return false;
    *out = (int64_t)bytes;
    return true;
}

static bool is_worth_it(const struct search *s)
{
    const struct tir_func *func = s->kernel->global->kernel;
    struct ir_context *context = s->pack->module->context;
    int64_t made, part, read = 0;

    for (unsigned i = 0; i < func->param_count; i++)
        if (s->is_read[i]) {
            if (!bytes_of(context, func->params[i].buffer, &part) || read > INT64_MAX / 200 - part)
                return false;
            read += part;
        }
    return bytes_of(context, s->buffer, &made) && made >= LEAST && read > 0 &&
           made <= read + read / 100 * GROWTH + SMALL;
}

struct allocations {
    array(const struct ir_buffer *) items;
    bool is_plain;
};

static struct search search_of(struct pack *pack, const struct kernel_use *kernel,
                               const struct ir_buffer *buffer, const bool *is_constant)
{
    return (struct search){
        .pack = pack,
        .kernel = kernel,
        .buffer = buffer,
        .is_constant = is_constant,
        .is_read = arena_array(&pack->run->scratch, bool, kernel->global->kernel->param_count + 1),
        .is_good = true};
}

static void search_finish(struct search *s)
{
    array_finish(&s->makers);
    array_finish(&s->twins);
    array_finish(&s->dropped);
    array_finish(&s->bound);
}

/* Finds what makes the buffer of @s; true: loops of constants, which are worth it. */
static bool search_makers(struct search *s)
{
    bool has_reader = false;

    find_makers(s, part_with(s->kernel->global->kernel->body, s->buffer), (struct around){0},
                &has_reader);
    return s->is_good && s->makers.count > 0 && has_reader && is_worth_it(s);
}

static bool is_made_alike(struct search *s, struct search *other)
{
    const struct ir_buffer *a = s->buffer, *b = other->buffer;

    if (a->ndim != b->ndim || !ir_dtype_equal(a->dtype, b->dtype))
        return false;
    for (unsigned i = 0; i < a->ndim; i++)
        if (!ir_expr_equal(a->shape[i], b->shape[i]))
            return false;
    for (unsigned i = 0; i < s->kernel->global->kernel->param_count; i++)
        if (s->is_read[i] != other->is_read[i])
            return false;
    return tir_func_equal(make_func(s, a->name), make_func(other, a->name));
}

/* Those of @found from @next on that are made just as the buffer of @s. */
static void take_twins(struct search *s, const struct allocations *found, size_t next)
{
    for (size_t i = next; i < found->items.count; i++) {
        struct search other = search_of(s->pack, s->kernel, found->items.items[i], s->is_constant);

        if (search_makers(&other) && is_made_alike(s, &other)) {
            array_push(&s->twins, other.buffer);
            for (size_t k = 0; k < other.makers.count; k++)
                array_push(&s->dropped, other.makers.items[k]);
        }
        search_finish(&other);
    }
}

/* Makes buffer @i of @found, which is allocated in the kernel, a constant of its calls; false: it is none. */
static bool pack_buffer(struct pack *pack, struct kernel_use *kernel,
                        const struct allocations *found, size_t i, const bool *is_constant)
{
    struct tir_func *func = kernel->global->kernel;
    struct search s = search_of(pack, kernel, found->items.items[i], is_constant);
    bool is_done = false;

    if (search_makers(&s)) {
        take_twins(&s, found, i + 1);
        struct tir_stmt *body = body_without(&s);
        int place = body ? free_param(&s, body) : -1;

        if (place >= 0) {
            struct ir_global *packer = make_kernel(&s);

            array_push(&pack->packers, packer);
            for (size_t n = 0; n < kernel->calls.count; n++)
                change_call(&s, kernel->calls.items[n], packer, (unsigned)place);
            func->body = body;
            // NOLINTNEXTLINE(performance-no-int-to-ptr)
            func->params[place].buffer = (struct ir_buffer *)(uintptr_t)s.buffer;
            is_done = pack->is_changed = true;
        }
    }
    search_finish(&s);
    return is_done;
}

static bool visit_allocation(void *state, struct tir_stmt *stmt)
{
    struct allocations *found = state;

    bool is_end = stmt->kind == TIR_RETURN || stmt->kind == TIR_BREAK || stmt->kind == TIR_CONTINUE;

    if (is_end || stmt->kind == TIR_BLOCK || stmt->kind == TIR_DECL ||
        stmt->kind == TIR_LAUNCH_THREAD)
        found->is_plain = false;
    if (stmt->kind == TIR_ALLOC && strcmp(stmt->alloc.buffer->scope, "global") == 0)
        array_push(&found->items, stmt->alloc.buffer);
    return found->is_plain;
}

static bool is_seen_plainly(struct pack *pack, const struct tir_func *func)
{
    struct kernel_access access = kernel_access(&pack->run->scratch, func);

    for (unsigned i = 0; i < func->param_count; i++)
        if (access.params[i].is_indirect)
            return false;
    return !access.calls_out;
}

static void pack_kernel(struct pack *pack, struct kernel_use *kernel)
{
    struct tir_func *func = kernel->global->kernel;
    bool *is_constant = arena_array(&pack->run->scratch, bool, func->param_count + 1);
    struct allocations found = {.is_plain = true};
    bool has_constant = false;

    for (unsigned i = 0; i < func->param_count; i++)
        has_constant |= is_constant[i] = kernel_use_is_constant(kernel, i);
    if (!has_constant || func->param_count > 64 || !is_seen_plainly(pack, func))
        return;
    (void)tir_stmt_walk(func->body, visit_allocation, &found);
    for (size_t i = 0; found.is_plain && i < found.items.count; i++)
        if (pack_buffer(pack, kernel, &found, i, is_constant))
            for (unsigned k = 0; k < func->param_count; k++)
                is_constant[k] = is_constant[k] && param_of(func, found.items.items[i]) != (int)k;
    array_finish(&found.items);
}

static bool visit_packer(void *state, struct ir_op *op)
{
    struct map *called = state;

    if (ir_op_is(op, IR_CORE_call_tir))
        map_set(called, ir_op_callee(op), op);
    return true;
}

/* Those that have been run are not needed any more. */
static void drop_packers(struct pack *pack)
{
    struct ir_module *module = pack->module;
    struct map called = {0};

    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            (void)ir_region_walk(module->globals[i]->function->body, visit_packer, &called);
    for (size_t i = 0; i < pack->packers.count; i++)
        if (!map_has(&called, pack->packers.items[i]))
            ir_module_remove(module, pack->packers.items[i]);
    map_finish(&called);
}

enum pass_result pass_pack_constants(struct pass_run *run)
{
    struct pack pack = {.run = run, .module = run->module};

    if (!run->host || !run->host->compute)
        return PASS_UNCHANGED;
    fold_large_init(&pack.large, run, GROWTH);
    kernel_uses_find(&pack.uses, run->module, &run->scratch);
    for (size_t i = 0; i < pack.uses.list.count; i++)
        if (pack.uses.list.items[i]->is_known)
            pack_kernel(&pack, pack.uses.list.items[i]);
    if (fold_large_compute(&pack.large))
        drop_packers(&pack);
    fold_large_finish(&pack.large);
    array_finish(&pack.packers);
    kernel_uses_finish(&pack.uses);
    return pack.is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
