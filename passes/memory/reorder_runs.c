#include "passes/memory/reorder_runs.h"

#include "analysis/leaves.h"
#include "ir/arith.h"
#include "ir/verify.h"
#include "ops/ids.h"
#include "passes/memory/lives.h"

enum { ALIGNMENT = 64 };

static const int64_t sample_values[RUN_SAMPLES] = {128, 1, 16, 1000};

/* Storage that the function takes. */
struct holding {
    const struct ir_op *maker; /* whose result it is first; NULL: not seen */
    const struct ir_expr *size;
    int64_t bytes[RUN_SAMPLES];
    unsigned from, to; /* positions */
    bool is_tracked, is_kept;
    /* in the run in work: */
    unsigned number; /* of its value, + 1 */
    unsigned node;   /* the last that was found to read it, + 1 */
};

struct finder {
    struct pass_run *run;
    struct storage_module *facts;
    struct order order;
    struct holding *holdings; /* by root */
    const struct map *peaks;
    struct ir_bindings samples[RUN_SAMPLES];
    int64_t *held[RUN_SAMPLES]; /* by position: in front of it */
    struct map nodes;           /* op -> node and run in one number, + 1 */
    array(unsigned) touched;    /* roots that are values of the run in work */
    struct reorder_run *current;
    struct reorder_runs *out;
    bool is_lost; /* some value may be anything */
};

/* ---- sizes ---- */

static bool note_symbol(void *state, const struct ir_expr *a)
{
    struct finder *f = state;
    struct ir_context *context = f->run->module->context;

    if (a->kind != IR_EXPR_var || ir_bindings_find(&f->samples[0], a->var))
        return true;
    for (unsigned i = 0; i < RUN_SAMPLES; i++)
        array_push(&f->samples[i], (struct ir_binding){a->var, ir_expr_int(context, a->var->dtype,
                                                                           sample_values[i])});
    return true;
}

/* What is not known counts as nothing. */
static int64_t bytes_at(struct finder *f, const struct ir_expr *size, unsigned sample)
{
    struct ir_context *context = f->run->module->context;
    int64_t bytes = 0;

    if (!size ||
        !ir_expr_constant(context, ir_expr_substitute(context, size, &f->samples[sample]), &bytes))
        return 0;
    if (bytes < 0 || bytes > PEAK_LARGEST)
        return 0;
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void set_size(struct finder *f, struct holding *holding, const struct ir_expr *size)
{
    int64_t number;

    holding->size = size;
    if (!size)
        return;
    (void)ir_expr_walk(size, note_symbol, f);
    f->out->is_symbolic |= !ir_expr_constant(f->run->module->context, size, &number);
    for (unsigned i = 0; i < RUN_SAMPLES; i++)
        holding->bytes[i] = bytes_at(f, size, i);
}

static bool is_one_size(struct finder *f, const struct ir_expr *a, const struct ir_expr *b)
{
    return a && b && ir_prove_equal(f->run->module->context, a, b);
}

/* ---- who uses what ---- */

typedef void root_fn(struct finder *f, unsigned root, const struct ir_op *op, unsigned leaf);

static void for_each_root(struct finder *f, const struct storage_set *set, const struct ir_op *op,
                          unsigned leaf, root_fn *visit)
{
    for (unsigned i = 0; i < set->count; i++) {
        const struct storage_origin *origin = &f->order.storage.origins.items[set->items[i]];

        f->is_lost |= set->items[i] == STORAGE_ANYTHING;
        for (unsigned k = 0; k < origin->place_count; k++)
            if (f->holdings[origin->places[k].root].is_tracked)
                visit(f, origin->places[k].root, op, leaf);
    }
}

static void for_each_read(struct finder *f, const struct ir_op *op, root_fn *visit)
{
    for (unsigned i = 0; i < op->operand_count; i++) {
        struct storage_sets sets = {0};

        /* a field is one name for one leaf of what it is a field of */
        if (ir_op_is(op, IR_CORE_tuple_get))
            return;
        storage_sets_of(&f->order.storage, op->operands[i].value, &sets);
        for (size_t k = 0; k < sets.count; k++)
            for_each_root(f, sets.items[k], op, 0, visit);
        array_finish(&sets);
    }
}

static void for_each_result(struct finder *f, const struct ir_op *op, root_fn *visit)
{
    for (unsigned i = 0; i < leaf_count(op->result.type); i++)
        for_each_root(f, storage_leaf(&f->order.storage, &op->result, i), op, i, visit);
}

static void note_use(struct finder *f, unsigned root, const struct ir_op *op, unsigned leaf)
{
    unsigned position = storage_position(&f->order.storage, op);

    (void)leaf;
    if (f->holdings[root].to < position)
        f->holdings[root].to = position;
}

static void note_kept(struct finder *f, unsigned root, const struct ir_op *op, unsigned leaf)
{
    note_use(f, root, op, leaf);
    f->holdings[root].is_kept = true;
}

static void note_result(struct finder *f, unsigned root, const struct ir_op *op, unsigned leaf)
{
    struct holding *holding = &f->holdings[root];

    if (!holding->maker) {
        holding->maker = op;
        holding->from = storage_position(&f->order.storage, op);
        set_size(f, holding,
                 ir_type_bytes(f->run->module->context, leaf_type(op->result.type, leaf)));
    }
    note_use(f, root, op, leaf);
}

/* What a branch gives lives on behind the `if`. */
static bool note_op(void *state, struct ir_op *op)
{
    struct finder *f = state;

    if (op->block && !ir_op_is(op, IR_CORE_output))
        for_each_read(f, op, ir_op_is(op, IR_CORE_return) ? note_kept : note_use);
    if (op->block && !(op->info->traits & IR_TERMINATOR))
        for_each_result(f, op, note_result);
    return !f->is_lost;
}

static void find_holdings(struct finder *f)
{
    const struct storage *storage = &f->order.storage;
    size_t count = storage->roots.count;

    f->holdings = arena_array(&f->run->scratch, struct holding, count + 1);
    for (size_t i = 0; i < count; i++) {
        const struct storage_root *root = &storage->roots.items[i];

        f->holdings[i].is_tracked =
            root->kind == STORAGE_ALLOCATED && root->home == storage->function;
        f->holdings[i].is_kept = root->retained_by;
    }
    ir_region_walk(storage->function->body, note_op, f);
}

/* What is held in front of each position. */
static void find_held(struct finder *f)
{
    size_t positions = f->order.storage.next_position;

    for (unsigned k = 0; k < RUN_SAMPLES; k++) {
        f->held[k] = arena_array(&f->run->scratch, int64_t, positions + 2);
        for (size_t i = 0; i < f->order.storage.roots.count; i++) {
            const struct holding *holding = &f->holdings[i];

            if (!holding->maker)
                continue;
            f->held[k][holding->from + 1] += holding->bytes[k];
            f->held[k][holding->is_kept ? positions + 1 : holding->to + 1] -= holding->bytes[k];
        }
        for (size_t i = 1; i <= positions; i++)
            f->held[k][i] += f->held[k][i - 1];
    }
}

/* ---- a run as a problem ---- */

static unsigned position_of(const struct finder *f, const struct ir_op *op)
{
    return storage_position(&f->order.storage, op);
}

static unsigned value_of(struct finder *f, struct reorder_run *run, unsigned root)
{
    struct holding *holding = &f->holdings[root];
    bool is_kept = holding->is_kept || holding->to > position_of(f, array_last(&run->ops));
    bool is_before = holding->from < position_of(f, run->ops.items[0]);

    if (holding->number)
        return holding->number - 1;
    array_push(&f->touched, root);
    holding->number = peak_add_value(&run->problem, holding->bytes[0], is_kept) + 1;
    for (unsigned i = 0; i < RUN_SAMPLES && is_before; i++)
        run->base[i] -= holding->bytes[i];
    return holding->number - 1;
}

static void add_read(struct finder *f, unsigned root, const struct ir_op *op, unsigned leaf)
{
    struct holding *holding = &f->holdings[root];
    unsigned node = (unsigned)f->current->problem.nodes.count;

    (void)op;
    (void)leaf;
    if (!holding->maker || holding->node == node)
        return;
    unsigned value = value_of(f, f->current, root);

    holding->node = node;
    peak_add_read(&f->current->problem, value);
}

/* ---- what may take over what ---- */

/* The root that is all of operand @i of @op; STORAGE_ROOT_NONE if that is not one of ours. */
static unsigned whole_root(struct finder *f, const struct ir_op *op, unsigned i)
{
    struct ir_context *context = f->run->module->context;
    const struct ir_value *value = op->operands[i].value;
    const struct storage_set *set;
    const struct storage_origin *origin;

    if (ir_value_is_inline(value) || value->type->kind != IR_TYPE_TENSOR)
        return STORAGE_ROOT_NONE;
    set = storage_leaf(&f->order.storage, value, 0);
    origin = &f->order.storage.origins.items[set->items[0]];
    if (set->count != 1 || origin->place_count != 1)
        return STORAGE_ROOT_NONE;
    unsigned root = origin->places[0].root;
    const struct holding *holding = &f->holdings[root];
    bool is_whole = holding->is_tracked && holding->maker && !holding->is_kept &&
                    is_one_size(f, holding->size, ir_type_bytes(context, value->type));

    return is_whole ? root : STORAGE_ROOT_NONE;
}

static bool may_lie_in(struct finder *f, const struct ir_op *op, unsigned i, unsigned root)
{
    struct storage_sets sets = {0};
    bool may = false;

    storage_sets_of(&f->order.storage, op->operands[i].value, &sets);
    for (size_t k = 0; k < sets.count; k++)
        for (unsigned n = 0; n < sets.items[k]->count; n++) {
            const struct storage_origin *origin =
                &f->order.storage.origins.items[sets.items[k]->items[n]];

            for (unsigned p = 0; p < origin->place_count; p++)
                may |= origin->places[p].root == root;
        }
    array_finish(&sets);
    return may;
}

/* Do the loops allow that output @output of @op lies in @root, in which operands of it are? */
static bool is_allowed(struct finder *f, const struct ir_op *op, unsigned output, unsigned root)
{
    const struct tir_func *kernel = ir_op_callee(op)->kernel;
    const struct tir_param *written = kernel_output_of(kernel, op, output);
    bool is_fine = written;

    for (unsigned i = 0; i < op->operand_count && is_fine; i++) {
        const struct tir_param *read = kernel_param_of(kernel, op, i);

        if (!may_lie_in(f, op, i, root))
            continue;
        is_fine = read && access_share_is_legal(storage_kernel_share(
                              f->facts, kernel, (unsigned)(written - kernel->params),
                              (unsigned)(read - kernel->params), 0));
    }
    return is_fine;
}

/* What the value that @op makes as leaf @leaf, @made, may take over. */
static void add_takes(struct finder *f, const struct ir_op *op, unsigned leaf,
                      const struct holding *made)
{
    enum { OPERAND_LIMIT = 32 };
    const struct ir_global *callee = ir_op_callee(op);

    if (!ir_op_is(op, IR_CORE_call_tir) || !callee || callee->kind != IR_GLOBAL_KERNEL ||
        op->operand_count > OPERAND_LIMIT)
        return;
    for (unsigned i = 0; i < op->operand_count; i++) {
        unsigned root = whole_root(f, op, i);
        bool is_known = false;

        for (unsigned k = 0; k < i; k++)
            is_known |= root == whole_root(f, op, k);
        if (root == STORAGE_ROOT_NONE || is_known ||
            !is_one_size(f, f->holdings[root].size, made->size) || !is_allowed(f, op, leaf, root))
            continue;
        peak_add_take(&f->current->problem, value_of(f, f->current, root));
    }
}

static void add_make(struct finder *f, unsigned root, const struct ir_op *op, unsigned leaf)
{
    const struct holding *holding = &f->holdings[root];

    if (holding->maker != op || holding->number)
        return;
    peak_add_make(&f->current->problem, value_of(f, f->current, root));
    add_takes(f, op, leaf, holding);
}

/* ---- nodes and edges ---- */

/* What a called function holds besides what it gives. */
static int64_t extra_of(struct finder *f, const struct ir_op *op)
{
    const struct ir_global *callee = ir_op_is(op, IR_CORE_call) ? ir_op_callee(op) : NULL;
    int64_t bytes;

    if (!callee || callee->kind != IR_GLOBAL_FUNCTION)
        return 0;
    bytes = (int64_t)(uintptr_t)map_get(f->peaks, callee->function) - 1;
    for (unsigned i = 0; i < leaf_count(op->result.type); i++)
        bytes -=
            bytes_at(f, ir_type_bytes(f->run->module->context, leaf_type(op->result.type, i)), 0);
    return bytes > 0 ? bytes : 0;
}

/* Is @root a value of the problem, or something that stays what it is? */
static bool is_fixed_root(struct finder *f, unsigned number)
{
    const struct storage_root *root = &f->order.storage.roots.items[number];
    const struct holding *holding = &f->holdings[number];

    if (holding->is_tracked)
        return holding->maker;
    return root->kind == STORAGE_CONSTANT || root->kind == STORAGE_NONE ||
           (root->kind == STORAGE_PARAMETER && !root->is_overwritten && !root->is_written &&
            !storage_is_donated(f->facts, f->order.storage.function, root->parameter));
}

static bool reads_fixed(struct finder *f, const struct ir_op *op)
{
    bool is_fixed = true;

    for (unsigned i = 0; i < op->operand_count; i++) {
        struct storage_sets sets = {0};

        /* a field is all that is read of a tuple for it */
        storage_sets_of(&f->order.storage,
                        ir_op_is(op, IR_CORE_tuple_get) ? &op->result : op->operands[i].value,
                        &sets);
        for (size_t k = 0; k < sets.count; k++)
            for (unsigned n = 0; n < sets.items[k]->count; n++) {
                const struct storage_origin *origin =
                    &f->order.storage.origins.items[sets.items[k]->items[n]];

                for (unsigned p = 0; p < origin->place_count; p++)
                    is_fixed &= is_fixed_root(f, origin->places[p].root);
            }
        array_finish(&sets);
    }
    return is_fixed;
}

static void add_node(struct finder *f, struct ir_op *op)
{
    struct reorder_run *run = f->current;
    unsigned node = peak_add_node(&run->problem, extra_of(f, op));
    uintptr_t number = (uintptr_t)(run - f->out->items) << 32 | node;

    map_set(&f->nodes, op, (const void *)(number + 1)); /* NOLINT(performance-no-int-to-ptr) */
    run->is_fixed[node] = reads_fixed(f, op);
    for_each_read(f, op, add_read);
    for_each_result(f, op, add_make);
}

static void add_edge(struct finder *f, const struct ir_op *before, const struct ir_op *after)
{
    uintptr_t from = (uintptr_t)map_get(&f->nodes, before),
              to = (uintptr_t)map_get(&f->nodes, after);

    if (from && to && (from - 1) >> 32 == (to - 1) >> 32)
        peak_add_edge(&f->out->items[(to - 1) >> 32].problem, (unsigned)(from - 1),
                      (unsigned)(to - 1));
}

struct reader {
    struct finder *finder;
    struct ir_op *op;
};

static void add_operand(void *state, struct ir_use *use)
{
    struct reader *reader = state;

    if (use->value->def)
        add_edge(reader->finder, use->value->def, reader->op);
}

static void finish_run(struct finder *f, struct reorder_run *run)
{
    const struct storage_root *roots = f->order.storage.roots.items;
    size_t count = run->problem.values.count;

    run->is_changed = arena_array(&f->run->scratch, bool, count + 1);
    run->makers = arena_array(&f->run->scratch, const struct ir_op *, count + 1);
    for (unsigned k = 0; k < RUN_SAMPLES; k++)
        run->bytes[k] = arena_array(&f->run->scratch, int64_t, count + 1);
    for (size_t i = 0; i < f->touched.count; i++) {
        struct holding *holding = &f->holdings[f->touched.items[i]];

        for (unsigned k = 0; k < RUN_SAMPLES; k++)
            run->bytes[k][holding->number - 1] = holding->bytes[k];
        run->makers[holding->number - 1] = holding->maker;
        run->is_changed[holding->number - 1] =
            roots[f->touched.items[i]].is_overwritten || roots[f->touched.items[i]].is_written;
        holding->number = holding->node = 0;
    }
    f->touched.count = 0;
    run->problem.base = run->base[0];
}

static void add_nodes(struct finder *f, struct reorder_run *run)
{
    unsigned first = position_of(f, run->ops.items[0]);

    f->current = run;
    run->is_fixed = arena_array(&f->run->scratch, bool, run->ops.count);
    for (unsigned k = 0; k < RUN_SAMPLES; k++)
        run->base[k] = f->held[k][first];
    for (size_t i = 0; i < run->ops.count; i++)
        add_node(f, run->ops.items[i]);
    finish_run(f, run);
}

/* ---- runs ---- */

static bool may_move(const struct ir_op *op)
{
    return op->region_count == 0 && !(op->info->traits & IR_TERMINATOR) && ir_op_is_pure(op) &&
           !ir_op_is(op, IR_CORE_output) && !ir_op_is(op, IR_CORE_function) && !lives_is_end(op);
}

static void note_fixed(struct finder *f, const struct ir_op *op)
{
    for (unsigned k = 0; k < RUN_SAMPLES; k++) {
        int64_t held = f->held[k][position_of(f, op) + 1];

        if (held > f->out->fixed[k])
            f->out->fixed[k] = held;
    }
}

/* Cuts @block in runs. */
static void cut_block(struct finder *f, struct ir_block *block)
{
    bool is_open = false;

    ir_for_each_op (op, block) {
        int64_t held = f->held[0][position_of(f, op) + 1];

        if (held > f->out->peak)
            f->out->peak = held;
        if (!may_move(op)) {
            note_fixed(f, op);
            is_open = false;
            continue;
        }
        if (!is_open)
            array_push(f->out, (struct reorder_run){0});
        is_open = true;
        array_push(&array_last(f->out).ops, op);
    }
}

static void find_edges(struct finder *f, struct ir_block *block, size_t first)
{
    for (size_t i = first; i < f->out->count; i++)
        for (size_t k = 0; k < f->out->items[i].ops.count; k++) {
            struct reader reader = {f, f->out->items[i].ops.items[k]};

            ir_op_walk_operands(reader.op, add_operand, &reader);
        }
    order_find(&f->order, block);
    for (size_t i = 0; i < f->order.edges.count; i++)
        add_edge(f, f->order.edges.items[i].before, f->order.edges.items[i].after);
}

static void find_in_block(struct finder *f, struct ir_block *block)
{
    size_t first = f->out->count;

    cut_block(f, block);
    for (size_t i = first; i < f->out->count; i++)
        add_nodes(f, &f->out->items[i]);
    if (f->out->count > first)
        find_edges(f, block, first);
    map_finish(&f->nodes);
    for (size_t i = first; i < f->out->count; i++)
        peak_finish(&f->out->items[i].problem);
}

static void find_in_region(struct finder *f, struct ir_region *region)
{
    ir_for_each_block(block, region)
    {
        find_in_block(f, block);
        ir_for_each_op (op, block)
            for (unsigned i = 0; i < op->region_count; i++)
                find_in_region(f, op->regions[i]);
    }
}

void reorder_runs_find(struct pass_run *run, struct storage_module *facts,
                       struct ir_function *function, const struct map *peaks,
                       struct reorder_runs *out)
{
    struct finder f = {.run = run, .facts = facts, .peaks = peaks, .out = out};

    order_init(&f.order, &run->scratch, facts, function);
    find_holdings(&f);
    if (!f.is_lost) {
        find_held(&f);
        find_in_region(&f, function->body);
    }
    order_finish(&f.order);
    array_finish(&f.touched);
    for (unsigned i = 0; i < RUN_SAMPLES; i++)
        array_finish(&f.samples[i]);
}

int64_t reorder_run_peak(struct reorder_run *run, const unsigned *order, unsigned sample,
                         int64_t *steps)
{
    for (size_t i = 0; i < run->problem.values.count; i++)
        run->problem.values.items[i].bytes = run->bytes[sample][i];
    run->problem.base = run->base[sample];
    return peak_of(&run->problem, order, steps);
}

void reorder_runs_finish(struct reorder_runs *runs)
{
    for (size_t i = 0; i < runs->count; i++) {
        array_finish(&runs->items[i].ops);
        peak_release(&runs->items[i].problem);
    }
    array_finish(runs);
}
