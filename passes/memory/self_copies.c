/*
 * Kernels in place that copy storage onto itself.
 *
 *     y = R.call_tir_inplace(cls.put, (x, row, x), .., inplace_indices=[2])
 *
 *     def put(data, row, out):                   def put_update(data, row, out):
 *         for i, j in T.grid(n, 64):                 for j in range(64):
 *             out[i, j] = data[i, j]       =>            out[p, j] = row[0, j]
 *         for j in range(64):
 *             out[p, j] = row[0, j]
 *
 * An update of one row of n costs one row then.  By what the call means, `out` is a private copy of the
 * value that `data` is.  That the two may be one storage says that nobody reads an element of `data` once
 * it was stored to in `out`; so where an element of the one is stored to its own place in the other, both
 * are still the same.
 */
#include "passes/memory/self_copies.h"

#include "analysis/access/share.h"
#include "analysis/kernel.h"
#include "ir/arith.h"
#include "ir/build.h"
#include "passes/loop/loop.h"
#include "passes/memory/destinations.h"
#include "passes/memory/used_globals.h"

struct updating_kernel {
    struct updating_kernel *next;
    unsigned from, to;        /* the parameters that are one value */
    struct ir_global *global; /* NULL: it has no such loops */
    bool is_unread;           /* it has no use of what it would have copied */
};

struct self_copies {
    struct pass_run *run;
    struct access_cache cache;
    struct map kernels;  /* struct ir_global -> struct updating_kernel, the first of a list */
    struct map replaced; /* struct ir_global: those that a call has another one for (set) */
    struct map
        unread; /* place of a call -> struct ir_value that its kernel copied, and does not read */
};

/* ---- loops ---- */

struct dropping {
    const struct ir_buffer *from, *to;
    bool is_any;
};

static bool is_pure_node(void *state, const struct ir_expr *a)
{
    (void)state;
    return a->kind != IR_EXPR_load && a->kind != IR_EXPR_call;
}

static bool is_pure(void *state, const struct ir_expr *a)
{
    return ir_expr_walk(a, is_pure_node, state);
}

static bool is_self_store(struct ir_context *context, const struct dropping *d,
                          const struct tir_stmt *stmt)
{
    const struct ir_expr *value = stmt->store.value;

    if (stmt->store.buffer != d->to || value->kind != IR_EXPR_load || value->buffer != d->from ||
        value->operand_count != stmt->store.index_count ||
        (stmt->store.predicate && !is_pure(NULL, stmt->store.predicate)))
        return false;
    for (unsigned i = 0; i < value->operand_count; i++)
        if (!is_pure(NULL, value->operands[i]) ||
            !ir_prove_equal(context, value->operands[i], stmt->store.indices[i]))
            return false;
    return true;
}

/* Does @stmt, whose parts are what is left of them, do nothing? */
static bool is_idle(const struct tir_stmt *stmt)
{
    bool is_around = stmt->kind == TIR_FOR || stmt->kind == TIR_IF || stmt->kind == TIR_BLOCK ||
                     stmt->kind == TIR_SEQ || stmt->kind == TIR_LET;

    if (!is_around || !tir_stmt_walk_exprs(stmt, is_pure, NULL) ||
        (stmt->kind == TIR_BLOCK && (stmt->block.match_count || stmt->block.alloc_count)))
        return false;
    const struct tir_stmt *part;
    for (unsigned i = 0; (part = tir_stmt_child(stmt, i)); i++)
        if (!is_idle(part))
            return false;
    return true;
}

static struct tir_stmt *drop_stmt(struct loop_map *map, struct tir_stmt *stmt)
{
    struct dropping *d = map->state;

    if (stmt->kind == TIR_STORE && is_self_store(map->module->context, d, stmt)) {
        d->is_any = true;
        return NULL;
    }
    struct tir_stmt *left = loop_map_parts(map, stmt);
    return left != stmt && is_idle(left) ? NULL : left;
}

/* ---- kernels ---- */

/* Do indices mean the same place in both? */
static bool has_same_places(const struct ir_buffer *a, const struct ir_buffer *b)
{
    bool is_same = a->ndim == b->ndim && ir_dtype_equal(a->dtype, b->dtype) && !a->strides &&
                   !b->strides && !a->elem_offset && !b->elem_offset && !a->data && !b->data;

    for (unsigned i = 1; is_same && i < a->ndim; i++)
        is_same = ir_expr_equal(a->shape[i], b->shape[i]);
    return is_same;
}

static bool is_plain(const struct tir_func *func, unsigned from, unsigned to)
{
    struct arena scratch = {0};
    struct kernel_access access = kernel_access(&scratch, func);
    const struct kernel_param *params = access.params;
    bool result = !access.calls_out && !params[from].writes && !params[from].is_indirect &&
                  params[to].is_stored && !params[to].is_indirect;

    arena_finish(&scratch);
    return result && has_same_places(func->params[from].buffer, func->params[to].buffer);
}

static struct tir_stmt *updating_body(const struct tir_func *func, unsigned from, unsigned to)
{
    struct dropping d = {.from = func->params[from].buffer, .to = func->params[to].buffer};
    struct loop_map map = {.module = func->module, .state = &d, .stmt = drop_stmt};
    struct tir_stmt *body = drop_stmt(&map, func->body);

    if (!d.is_any)
        return NULL;
    return body ? body : tir_seq(func->module, NULL, 0);
}

static bool may_share(struct self_copies *s, const struct tir_func *func, unsigned from,
                      unsigned to)
{
    struct access_share share = access_may_share(&s->cache, func, to, from);

    return access_share_is_legal(&share);
}

static struct ir_global *make_kernel(struct self_copies *s, const struct ir_global *like,
                                     unsigned from, unsigned to)
{
    struct ir_module *module = s->run->module;

    if (!is_plain(like->kernel, from, to) || !updating_body(like->kernel, from, to) ||
        !may_share(s, like->kernel, from, to))
        return NULL;
    const char *name = atom_printf(&module->context->atoms, "%s_update", like->name);
    struct ir_global *global = ir_kernel_copy(module, like, name);

    global->kernel->body = updating_body(global->kernel, from, to);
    global->kernel->is_private = true;
    return global;
}

static bool is_unread(const struct tir_func *func, unsigned param)
{
    struct arena scratch = {0};
    bool result = !kernel_access(&scratch, func).params[param].reads;

    arena_finish(&scratch);
    return result;
}

static struct updating_kernel *kernel_of(struct self_copies *s, struct ir_global *like,
                                         unsigned from, unsigned to)
{
    struct updating_kernel *first = map_get(&s->kernels, like), *entry = first;

    while (entry && (entry->from != from || entry->to != to))
        entry = entry->next;
    if (!entry) {
        entry = arena_new(&s->run->scratch, struct updating_kernel);
        *entry = (struct updating_kernel){
            .next = first, .from = from, .to = to, .global = make_kernel(s, like, from, to)};
        entry->is_unread = entry->global && is_unread(entry->global->kernel, from);
        map_set(&s->kernels, like, entry);
    }
    return entry;
}

/* ---- calls ---- */

static const char *place_of(struct location loc)
{
    return loc.source ? loc.source->text + loc.begin : NULL;
}

static void update_with(struct self_copies *s, struct ir_op *call, unsigned operand, unsigned other)
{
    struct ir_global *kernel = ir_op_callee(call);
    const struct tir_func *func = kernel->kernel;
    const struct tir_param *to = kernel_param_of(func, call, operand);
    const struct tir_param *from = kernel_param_of(func, call, other);

    if (!to || !from || !to->buffer || !from->buffer)
        return;
    const struct updating_kernel *updating =
        kernel_of(s, kernel, (unsigned)(from - func->params), (unsigned)(to - func->params));
    if (!updating->global)
        return;
    ir_op_set_attr(call, "callee", ir_attr_global(s->run->module->context, updating->global));
    map_set(&s->replaced, kernel, s);
    if (updating->is_unread && place_of(call->loc))
        map_set(&s->unread, place_of(call->loc), call->operands[operand].value);
}

static bool visit_call(void *state, struct ir_op *call)
{
    unsigned outputs = ir_op_is(call, IR_CORE_call_tir_inplace) ? destination_count(call) : 0;

    for (unsigned i = 0; i < outputs; i++) {
        int64_t operand = destination_index(call, i);

        for (unsigned k = 0; operand >= 0 && k < call->operand_count; k++)
            if (k != (unsigned)operand && call->operands[k].value == call->operands[operand].value)
                update_with(state, call, (unsigned)operand, k);
    }
    return true;
}

/* The kernels that nobody calls any more, now. */
static void remove_replaced(struct self_copies *s)
{
    struct ir_module *module = s->run->module;
    struct map used = {0};

    used_globals(module, &used);
    for (size_t i = module->global_count; i-- > 0;) {
        struct ir_global *global = module->globals[i];

        if (map_has(&s->replaced, global) && !map_has(&used, global) && global->kernel->is_private)
            ir_module_remove(module, global);
    }
    map_finish(&used);
}

/* What was said of copies that are none any more. */
static void forget_copies(const struct self_copies *s)
{
    struct inplace_decisions *decisions = s->run->decisions;
    size_t kept = 0;

    for (size_t i = 0; decisions && i < decisions->count; i++) {
        const struct inplace_decision *decision = &decisions->items[i];
        const struct ir_value *unread = decision->verdict == INPLACE_COPY && !decision->is_strict
                                            ? map_get(&s->unread, place_of(decision->call_loc))
                                            : NULL;

        if (!unread || unread->name != decision->value)
            decisions->items[kept++] = *decision;
    }
    if (decisions)
        decisions->count = kept;
}

bool drop_self_copies(struct pass_run *run)
{
    struct ir_module *module = run->module;
    struct self_copies s = {.run = run};

    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            ir_region_walk(module->globals[i]->function->body, visit_call, &s);
    bool is_changed = s.replaced.count > 0;
    if (is_changed)
        remove_replaced(&s);
    forget_copies(&s);
    access_cache_finish(&s.cache);
    map_finish(&s.kernels);
    map_finish(&s.replaced);
    map_finish(&s.unread);
    return is_changed;
}
