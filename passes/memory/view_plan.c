/* What could be a view, and whether that costs less than a copy; see view_plan.h. */
#include "passes/memory/view_plan.h"

#include "analysis/access/pieces.h"
#include "analysis/kernel_call.h"
#include "ir/arith.h"

/* ---- kernels that only move ---- */

struct finder {
    struct view_plan *plan;
    struct ir_module *module;
    struct access_cache cache;
    struct arena arena;
};

/* Only copies elements of one parameter?  Then which. */
static int only_source(const struct access_pieces *pieces)
{
    for (unsigned i = 0; i < pieces->count; i++)
        if (pieces->items[i].source < 0 || pieces->items[i].source != pieces->items[0].source)
            return -1;
    return pieces->is_complete && pieces->count > 0 ? pieces->items[0].source : -1;
}

static const struct ir_expr *bytes_from(const struct finder *f, const struct kernel_call *call,
                                        const struct ir_expr *elements, struct ir_dtype dtype)
{
    struct ir_context *context = f->module->context;
    const struct ir_expr *offset =
        ir_expr_cast(context, IR_I64, ir_expr_substitute(context, elements, &call->symbols));

    return ir_simplify(context,
                       ir_expr_binary(context, IR_EXPR_mul, offset,
                                      ir_expr_int(context, IR_I64, ir_dtype_bytes(dtype))));
}

/* False if output @output does more than to move elements of one operand. */
static bool read_output(struct finder *f, const struct kernel_call *call, unsigned output,
                        struct view_candidate *out)
{
    struct access_pieces pieces;
    unsigned source;

    if (!access_pieces_of(&f->cache, call->func, call->output_params[output], &pieces))
        return false;
    int param = only_source(&pieces);
    int argument = param < 0 ? -1 : call->param_operands[param];

    if (argument < 0)
        return false;
    struct ir_dtype dtype = kernel_call_output(call->op, output)->dtype;
    const struct ir_expr *run = access_pieces_run(f->module->context, &pieces, &source);

    *out = (struct view_candidate){
        .output = output, .argument = (unsigned)argument, .code = run ? IP_PROVED : IP_LAYOUT};
    if (!ir_dtype_equal(call->op->operands[argument].value->type->dtype, dtype))
        return false;
    if (run)
        out->offset = bytes_from(f, call, run, dtype);
    return true;
}

static bool find(void *state, struct ir_op *op)
{
    struct finder *f = state;
    const struct ir_global *callee = ir_op_is(op, IR_CORE_call_tir) ? ir_op_callee(op) : NULL;
    struct kernel_call call;
    size_t first = f->plan->items.count;

    if (!callee || callee->kind != IR_GLOBAL_KERNEL || op->operand_count == 0 ||
        !kernel_call_read(f->module, &f->arena, op, &call))
        return true;
    bool is_candidate = true;

    for (unsigned i = 0; i < call.output_count && is_candidate; i++) {
        struct view_candidate candidate;

        is_candidate = read_output(f, &call, i, &candidate);
        candidate.call = op;
        if (is_candidate)
            array_push(&f->plan->items, candidate);
    }
    if (!is_candidate)
        f->plan->items.count = first;
    kernel_call_finish(&call);
    return true;
}

/* ---- lives of storage ---- */

enum { RETURNED = ~0U };

struct lives {
    struct storage *storage;
    unsigned *last; /* by root: position of the last read + 1 */
    int *candidate; /* by root: what is made there, or -1 */
    const struct ir_expr *
        *kept; /* by root: bytes of the candidates that are read when all else is over */
};

static unsigned last_read(const struct storage_origin *origin)
{
    if (origin->reads.count == 0)
        return 0;
    for (size_t i = 0; i < origin->reads.count; i++)
        if (ir_op_is(origin->reads.items[i].op, IR_CORE_return))
            return RETURNED;
    return array_last(&origin->reads).position + 1;
}

static void find_lives(struct lives *lives, struct arena *arena, struct storage *storage)
{
    *lives = (struct lives){.storage = storage};
    lives->last = arena_array(arena, unsigned, storage->roots.count);
    lives->candidate = arena_array(arena, int, storage->roots.count);
    lives->kept = arena_array(arena, const struct ir_expr *, storage->roots.count);
    for (size_t i = 0; i < storage->roots.count; i++)
        lives->candidate[i] = -1;
    for (size_t i = 0; i < storage->origins.count; i++) {
        const struct storage_origin *origin = &storage->origins.items[i];
        unsigned last = last_read(origin);

        for (unsigned k = 0; k < origin->place_count; k++)
            if (lives->last[origin->places[k].root] < last)
                lives->last[origin->places[k].root] = last;
    }
}

/* The one root that all of @set may be in; NONE if there are several. */
static unsigned only_root(const struct storage *storage, const struct storage_set *set)
{
    unsigned root = STORAGE_ROOT_NONE;

    for (unsigned i = 0; i < set->count; i++) {
        const struct storage_origin *origin = &storage->origins.items[set->items[i]];

        for (unsigned k = 0; k < origin->place_count; k++) {
            if (root != STORAGE_ROOT_NONE && root != origin->places[k].root)
                return STORAGE_ROOT_NONE;
            root = origin->places[k].root;
        }
    }
    return root;
}

static unsigned operand_root(struct storage *storage, const struct ir_value *value)
{
    struct storage_sets sets = {0};

    storage_sets_of(storage, value, &sets);
    unsigned root = sets.count == 1 ? only_root(storage, sets.items[0]) : STORAGE_ROOT_NONE;

    array_finish(&sets);
    return root;
}

/* ---- what stands against it ---- */

/* Storage that ends in this function, so that a view can keep it longer. */
static bool is_ours(const struct storage *storage, unsigned root)
{
    return storage->roots.items[root].kind == STORAGE_ALLOCATED &&
           !storage->roots.items[root].retained_by;
}

static enum inplace_code check_storage(struct lives *lives, const struct view_candidate *c)
{
    struct storage *storage = lives->storage;
    const struct ir_value *operand = c->call->operands[c->argument].value;

    if (c->base == STORAGE_ROOT_NONE || c->root == STORAGE_ROOT_NONE)
        return IP_PROFIT;
    if (storage->roots.items[c->root].retained_by || storage_is_written(storage, operand) ||
        storage_is_written(storage, &c->call->result))
        return IP_OPAQUE;
    return IP_PROVED;
}

static const struct ir_expr *sum(struct ir_context *context, const struct ir_expr *a,
                                 const struct ir_expr *b)
{
    return a && b ? ir_expr_binary(context, IR_EXPR_add, a, b) : NULL;
}

/* Are the views that outlive the rest of @root at least half of it? */
static bool is_worth(const struct lives *lives, struct ir_context *context, unsigned root)
{
    const struct ir_expr *kept = lives->kept[root],
                         *bytes = lives->storage->roots.items[root].bytes;

    return kept && bytes && ir_prove_ge(context, NULL, sum(context, kept, kept), bytes);
}

/* From the last to the first: a candidate lives as long as those that would lie in it. */
static void find_ends(struct lives *lives, struct view_candidate *items, size_t count,
                      struct ir_context *context)
{
    for (size_t i = count; i-- > 0;) {
        struct view_candidate *c = &items[i];
        const struct ir_type *type = kernel_call_output(c->call, c->output);

        if (c->code != IP_PROVED)
            continue;
        if (c->last < lives->last[c->root])
            c->last = lives->last[c->root];
        int base = lives->candidate[c->base];

        if (base >= 0 && items[base].last < c->last)
            items[base].last = c->last;
        if (c->last <= lives->last[c->base])
            continue;
        const struct ir_expr **kept = &lives->kept[c->base];
        const struct ir_expr *bytes = ir_type_bytes(context, type);

        *kept = *kept ? sum(context, *kept, bytes) : bytes;
    }
}

/* In program order: where a candidate stays storage of its own, those in it ask about that. */
static void choose(struct lives *lives, struct view_candidate *items, size_t count,
                   struct ir_context *context)
{
    for (size_t i = 0; i < count; i++) {
        struct view_candidate *c = &items[i];
        unsigned base = c->base;

        if (c->code != IP_PROVED)
            continue;
        while (lives->candidate[base] >= 0 && items[lives->candidate[base]].code == IP_PROVED)
            base = items[lives->candidate[base]].base;
        if (!is_ours(lives->storage, base)) {
            c->code = c->last == RETURNED ? IP_ESCAPES : IP_PROVED;
        } else if (c->last > lives->last[base]) {
            if (is_worth(lives, context, base))
                lives->last[base] = c->last;
            else
                c->code = IP_PROFIT;
        }
    }
}

/* All outputs of a call, or none. */
static void join_outputs(struct view_candidate *items, size_t count)
{
    for (size_t i = 0, end; i < count; i = end) {
        enum inplace_code code = IP_PROVED;

        for (end = i; end < count && items[end].call == items[i].call; end++)
            code = code == IP_PROVED ? items[end].code : code;
        for (size_t k = i; k < end; k++)
            if (items[k].code == IP_PROVED)
                items[k].code = code;
    }
}

static void judge(struct storage *storage, struct view_candidate *items, size_t count)
{
    struct ir_context *context = storage->module->module->context;
    struct arena arena = {0};
    struct lives lives;

    find_lives(&lives, &arena, storage);
    for (size_t i = 0; i < count; i++) {
        struct view_candidate *c = &items[i];

        c->root = only_root(storage, storage_leaf(storage, &c->call->result, c->output));
        c->base = operand_root(storage, c->call->operands[c->argument].value);
        if (c->code == IP_PROVED)
            c->code = check_storage(&lives, c);
        if (c->code == IP_PROVED)
            lives.candidate[c->root] = (int)i;
    }
    join_outputs(items, count);
    find_ends(&lives, items, count, context);
    choose(&lives, items, count, context);
    join_outputs(items, count);
    arena_finish(&arena);
}

void view_plan_function(struct view_plan *plan, struct storage_module *facts,
                        struct ir_function *function)
{
    struct finder f = {.plan = plan, .module = facts->module};
    size_t first = plan->items.count;

    ir_region_walk(function->body, find, &f);
    access_cache_finish(&f.cache);
    arena_finish(&f.arena);
    if (plan->items.count == first)
        return;
    struct storage storage;

    storage_init(&storage, facts, function, NULL);
    judge(&storage, plan->items.items + first, plan->items.count - first);
    storage_finish(&storage);
}

void view_plan_finish(struct view_plan *plan)
{
    array_finish(&plan->items);
}
