/*
 * Rematerialize: cheap values are computed again in front of a late use instead of being held.
 *
 *     a = R.call_tir(cls.exp, (x,), ..)            a = R.call_tir(cls.exp, (x,), ..)
 *     b = R.call_tir(cls.large, (a,), ..)          b = R.call_tir(cls.large, (a,), ..)
 *     c = R.call_tir(cls.small, (b,), ..)    =>    c = R.call_tir(cls.small, (b,), ..)
 *     d = R.call_tir(cls.add, (a, c), ..)          a_again = R.call_tir(cls.exp, (x,), ..)
 *                                                  d = R.call_tir(cls.add, (a_again, c), ..)
 *
 * Only where more is held than may be, and no more of it than makes it fit.  Cheap is a kernel that
 * stores about once for each element of its result, and reads what is held at the late use anyway:
 * parameters, constants, values that live on; or what a few such kernels make of these, one after the
 * other, where there is room for that at the late use.  They are the same kernels on the same operands,
 * so the bits are the same.
 */
#include "ir/arith.h"
#include "ir/build.h"
#include "passes/memory/reorder_runs.h"

#include <stdlib.h>

enum {
    ROUND_LIMIT = 32,
    STORES = 2, /* for each element, at most */
    SAMPLE = 128,
    DEPTH_LIMIT = 64,     /* of statements of a kernel */
    CHAIN_LIMIT = 8,      /* kernels that make one value again */
    LOOK_LIMIT = 1 << 24, /* values that are looked at in all */
};

struct remat {
    struct pass_run *run;
    struct storage_module facts;
    struct map peaks, costs; /* costs: kernel -> 1: cheap, 2: not */
    int64_t limit;
    uint64_t looks;
    bool is_changed, is_round_changed;
};

/* A run that holds too much. */
struct crowd {
    struct remat *remat;
    struct reorder_run *run;
    int64_t *steps; /* by place: what is held */
    int64_t *less;  /* by place: what is won there, as differences */
    unsigned *live; /* values that live at the place in work */
    size_t live_count;
    /* What was chosen must not stand in the way of each other: the next round sees to the rest. */
    bool *is_pinned; /* by value: chosen, or read where something chosen is computed again */
    bool *is_moved;  /* by node: makes what was chosen */
    bool *is_target; /* by node: something is computed again in front of it */
};

/* What makes a value again: nodes, each behind those whose results it reads. */
struct chain {
    unsigned nodes[CHAIN_LIMIT], count;
    int64_t bytes; /* of what is made on the way */
};

/* ---- what is cheap ---- */

struct cost {
    struct ir_context *context;
    double stores;
    bool is_unknown;
};

struct symbols {
    struct ir_context *context;
    struct ir_bindings bindings;
};

static bool bind_symbol(void *state, const struct ir_expr *a)
{
    struct symbols *symbols = state;

    if (a->kind == IR_EXPR_var && !ir_bindings_find(&symbols->bindings, a->var))
        array_push(
            &symbols->bindings,
            (struct ir_binding){a->var, ir_expr_int(symbols->context, a->var->dtype, SAMPLE)});
    return true;
}

/* The number that @a is where all symbols are SAMPLE; -1: none. */
static double number_of(struct ir_context *context, const struct ir_expr *a)
{
    struct symbols symbols = {.context = context};
    int64_t number = -1;

    (void)ir_expr_walk(a, bind_symbol, &symbols);
    bool is_known =
        ir_expr_constant(context, ir_expr_substitute(context, a, &symbols.bindings), &number);

    array_finish(&symbols.bindings);
    return is_known ? (double)number : -1;
}

/* Counts the stores of @stmt, @depth levels down, which is executed @times. */
static void count_stores(struct cost *cost, const struct tir_stmt *stmt, double times,
                         unsigned depth)
{
    double extent = 1;

    cost->is_unknown |= depth > DEPTH_LIMIT;
    if (stmt->kind == TIR_STORE)
        cost->stores += times;
    if (stmt->kind == TIR_WHILE || stmt->kind == TIR_EVALUATE || stmt->kind == TIR_ASSERT ||
        stmt->kind == TIR_LAUNCH_THREAD)
        cost->is_unknown = true;
    if (stmt->kind == TIR_FOR)
        extent = number_of(cost->context, stmt->loop.extent);
    cost->is_unknown |= extent < 0;
    for (unsigned i = 0; !cost->is_unknown; i++) {
        const struct tir_stmt *child = tir_stmt_child(stmt, i);

        if (!child)
            return;
        count_stores(cost, child, times * extent, depth + 1);
    }
}

static bool is_cheap_kernel(struct remat *r, struct tir_func *kernel,
                            const struct tir_param *written)
{
    struct cost cost = {.context = r->run->module->context};
    double elements = 1;

    if (storage_kernel(&r->facts, kernel)->calls_out)
        return false;
    count_stores(&cost, kernel->body, 1, 0);
    for (unsigned i = 0; i < written->buffer->ndim; i++)
        elements *= number_of(cost.context, written->buffer->shape[i]);
    return !cost.is_unknown && cost.stores <= (double)STORES * elements;
}

static bool is_cheap(struct remat *r, const struct ir_op *op)
{
    const struct ir_global *callee = ir_op_callee(op);

    if (!ir_op_is(op, IR_CORE_call_tir) || op->result.type->kind != IR_TYPE_TENSOR || !callee ||
        callee->kind != IR_GLOBAL_KERNEL)
        return false;
    const struct tir_param *written = kernel_output_of(callee->kernel, op, 0);

    if (!written || !written->buffer)
        return false;
    if (!map_has(&r->costs, callee->kernel))
        map_set(&r->costs, callee->kernel,
                (const void *)(uintptr_t)(is_cheap_kernel(r, callee->kernel, written) ? 1 : 2));
    return map_get(&r->costs, callee->kernel) == (const void *)(uintptr_t)1;
}

/* ---- what may be computed again ---- */

static unsigned last_reader(const struct peak_problem *problem, const struct peak_value *value)
{
    return value->readers.count ? problem->readers[value->readers.first + value->readers.count - 1]
                                : value->maker;
}

/* Are all that read the storage users of the value by this name? */
static bool has_one_name(const struct crowd *c, const struct peak_value *value)
{
    const struct ir_value *result = &c->run->ops.items[value->maker]->result;

    for (unsigned i = 0; i < value->readers.count; i++) {
        const struct ir_op *op =
            c->run->ops.items[c->run->problem.readers[value->readers.first + i]];
        bool is_user = false;

        for (unsigned k = 0; k < op->operand_count; k++)
            is_user |= op->operands[k].value == result;
        if (!is_user)
            return false;
    }
    ir_for_each_use (use, result) {
        if (!use->user->block)
            return false;
    }
    return true;
}

static bool is_chosen(const struct crowd *c, unsigned number)
{
    unsigned maker = c->run->problem.values.items[number].maker;

    return maker != PEAK_NONE && c->is_moved[maker];
}

/* Does value @number live at @place, as it was, whatever was chosen before? */
static bool is_there(const struct crowd *c, unsigned number, unsigned place)
{
    const struct peak_value *value = &c->run->problem.values.items[number];

    return !c->run->is_changed[number] && !is_chosen(c, number) &&
           (value->is_kept || last_reader(&c->run->problem, value) >= place);
}

static bool is_in(const struct chain *chain, unsigned node)
{
    for (unsigned i = 0; i < chain->count; i++)
        if (chain->nodes[i] == node)
            return true;
    return false;
}

/* Adds what makes the result of @node of what lives at @place.  No deeper than a chain is long. */
static bool find_chain(struct crowd *c, unsigned node, unsigned place, unsigned depth,
                       struct chain *out)
{
    const struct peak_problem *problem = &c->run->problem;
    const struct peak_list *reads = &problem->nodes.items[node].reads;

    c->remat->looks++;
    if (depth == CHAIN_LIMIT || c->is_target[node] || !c->run->is_fixed[node] ||
        !is_cheap(c->remat, c->run->ops.items[node]))
        return false;
    for (unsigned i = 0; i < reads->count; i++) {
        unsigned number = problem->reads.items[reads->first + i];
        const struct peak_value *value = &problem->values.items[number];

        if (is_there(c, number, place) || (value->maker != PEAK_NONE && is_in(out, value->maker)))
            continue;
        if (value->maker == PEAK_NONE || c->is_moved[value->maker] ||
            !find_chain(c, value->maker, place, depth + 1, out))
            return false;
        out->bytes += value->bytes;
    }
    if (out->count == CHAIN_LIMIT)
        return false;
    out->nodes[out->count++] = node;
    return true;
}

/* The first that reads @value behind @place. */
static unsigned next_reader(const struct peak_problem *problem, const struct peak_value *value,
                            unsigned place)
{
    unsigned i = 0;

    while (problem->readers[value->readers.first + i] <= place)
        i++;
    return problem->readers[value->readers.first + i];
}

static bool reads(const struct peak_problem *problem, unsigned node, unsigned value)
{
    const struct peak_list *list = &problem->nodes.items[node].reads;

    for (unsigned i = 0; i < list->count; i++)
        if (problem->reads.items[list->first + i] == value)
            return true;
    return false;
}

/* May @number, which lives across @place, be computed again behind it? */
static bool is_candidate(struct crowd *c, unsigned number, unsigned place)
{
    const struct peak_problem *problem = &c->run->problem;
    const struct peak_value *value = &problem->values.items[number];

    c->remat->looks++;
    if (value->bytes == 0 || value->is_kept || value->maker == PEAK_NONE || value->maker >= place ||
        last_reader(problem, value) <= place || c->run->is_changed[number] ||
        reads(problem, place, number))
        return false;
    unsigned next = next_reader(problem, value, place);
    struct chain chain = {0};

    return !c->is_pinned[number] && !c->is_moved[next] && has_one_name(c, value) &&
           find_chain(c, value->maker, next, 0, &chain) &&
           (chain.bytes == 0 || c->steps[next] + chain.bytes <= c->remat->limit);
}

/* ---- computing it again ---- */

static void replace_late(const struct crowd *c, const struct peak_value *value, unsigned place,
                         struct ir_value *again)
{
    const struct peak_problem *problem = &c->run->problem;
    const struct ir_value *result = &c->run->ops.items[value->maker]->result;

    for (unsigned i = 0; i < value->readers.count; i++) {
        unsigned node = problem->readers[value->readers.first + i];
        struct ir_op *op = c->run->ops.items[node];

        for (unsigned k = 0; k < op->operand_count && node > place; k++)
            if (op->operands[k].value == result)
                ir_op_set_operand(op, k, again);
    }
}

static void compute_again(struct crowd *c, unsigned number, unsigned place,
                          const struct chain *chain)
{
    struct ir_module *module = c->remat->run->module;
    const struct peak_value *value = &c->run->problem.values.items[number];
    struct ir_op **ops = c->run->ops.items, *again = NULL;
    struct ir_op *before = ops[next_reader(&c->run->problem, value, place)];
    struct ir_copy copy = {.module = module, .function = ir_op_function(before)};

    for (unsigned i = 0; i < chain->count; i++) {
        again = ir_copy_op(&copy, ops[chain->nodes[i]]);
        again->result.name = ops[chain->nodes[i]]->result.name;
        ir_op_insert_before(before, again);
    }
    replace_late(c, value, place, &again->result);
    for (unsigned i = chain->count; i-- > 0;)
        if (!ops[chain->nodes[i]]->result.uses)
            ir_op_erase(ops[chain->nodes[i]]);
    map_finish(&copy.values);
    array_finish(&copy.symbols);
    c->remat->is_changed = c->remat->is_round_changed = true;
}

/* ---- where too much is held ---- */

/* What is won between the last early use (or what makes it) and the next one behind @place. */
static void note_win(struct crowd *c, unsigned number, unsigned place)
{
    const struct peak_problem *problem = &c->run->problem;
    const struct peak_value *value = &problem->values.items[number];
    unsigned from = value->maker, to = next_reader(problem, value, place);

    for (unsigned i = 0; i < value->readers.count; i++) {
        unsigned reader = problem->readers[value->readers.first + i];

        if (reader < place)
            from = reader;
    }
    c->less[from + 1] += value->bytes;
    c->less[to] -= value->bytes;
}

/* The largest candidate among what lives at @place; PEAK_NONE if there is none. */
static unsigned best_candidate(struct crowd *c, unsigned place)
{
    const struct peak_value *values = c->run->problem.values.items;
    unsigned best = PEAK_NONE;

    for (size_t i = 0; i < c->live_count; i++) {
        unsigned number = c->live[i];

        if ((best == PEAK_NONE || values[number].bytes > values[best].bytes) &&
            is_candidate(c, number, place))
            best = number;
    }
    return best;
}

/* What ended in front of @place lives no more; what @place makes does. */
static void move_on(struct crowd *c, unsigned place)
{
    const struct peak_problem *problem = &c->run->problem;
    const struct peak_list *makes = &problem->nodes.items[place].makes;
    size_t kept = 0;

    for (size_t i = 0; i < c->live_count; i++)
        if (last_reader(problem, &problem->values.items[c->live[i]]) >= place)
            c->live[kept++] = c->live[i];
    c->live_count = kept;
    for (unsigned i = 0; i < makes->count; i++)
        c->live[c->live_count++] = problem->makes.items[makes->first + i].value;
}

static void pin(struct crowd *c, unsigned number, unsigned place, const struct chain *chain)
{
    const struct peak_problem *problem = &c->run->problem;
    const struct peak_value *value = &problem->values.items[number];

    c->is_pinned[number] = c->is_moved[value->maker] = true;
    c->is_target[next_reader(problem, value, place)] = true;
    for (unsigned i = 0; i < chain->count; i++) {
        const struct peak_list *list = &problem->nodes.items[chain->nodes[i]].reads;

        for (unsigned k = 0; k < list->count; k++)
            c->is_pinned[problem->reads.items[list->first + k]] = true;
    }
}

/* What is to be computed again, and how. */
struct choice {
    unsigned number, place;
    struct chain chain;
};

struct choices {
    struct choice *items;
    size_t count, capacity; /* an array() */
};

static void choose(struct crowd *c, struct choices *out)
{
    const struct peak_problem *problem = &c->run->problem;
    int64_t less = 0;

    for (unsigned place = 0; place < problem->nodes.count && c->remat->looks < LOOK_LIMIT;
         place++) {
        move_on(c, place);
        less += c->less[place];
        while (c->steps[place] - less > c->remat->limit) {
            struct choice choice = {.number = best_candidate(c, place), .place = place};

            if (choice.number == PEAK_NONE)
                break;
            const struct peak_value *value = &problem->values.items[choice.number];
            (void)find_chain(c, value->maker, next_reader(problem, value, place), 0, &choice.chain);
            less += value->bytes;
            note_win(c, choice.number, place);
            pin(c, choice.number, place, &choice.chain);
            array_push(out, choice);
        }
    }
}

static void thin_out(struct remat *r, struct reorder_run *run)
{
    size_t count = run->problem.nodes.count, values = run->problem.values.count;
    struct arena *scratch = &r->run->scratch;
    struct crowd c = {.remat = r, .run = run};
    unsigned *order = arena_array(scratch, unsigned, count + 1);
    struct choices choices = {0};

    c.steps = arena_array(scratch, int64_t, count + 1);
    c.less = arena_array(scratch, int64_t, count + 1);
    c.is_pinned = arena_array(scratch, bool, values + 1);
    c.is_moved = arena_array(scratch, bool, count + 1);
    c.is_target = arena_array(scratch, bool, count + 1);
    c.live = arena_array(scratch, unsigned, values + 1);
    for (unsigned i = 0; i < count; i++)
        order[i] = i;
    if (peak_of(&run->problem, order, c.steps) <= r->limit)
        return;
    choose(&c, &choices);
    for (size_t i = 0; i < choices.count; i++)
        compute_again(&c, choices.items[i].number, choices.items[i].place, &choices.items[i].chain);
    array_finish(&choices);
}

/* ---- functions ---- */

/* One round; what the function holds is known to those that call it then. */
static void thin_out_function(struct remat *r, struct ir_function *function)
{
    struct reorder_runs runs = {0};

    r->is_round_changed = false;
    reorder_runs_find(r->run, &r->facts, function, &r->peaks, &runs);
    for (size_t i = 0; i < runs.count && !runs.is_symbolic; i++)
        thin_out(r, &runs.items[i]);
    map_set(&r->peaks, function, (const void *)(uintptr_t)(runs.peak + 1)); /* NOLINT */
    reorder_runs_finish(&runs);
}

static int64_t limit_of(const struct pass_run *run)
{
    int64_t limit = pass_option_int(run, "max_arena");

    if (limit > 0 || !run->max_arena)
        return limit;
    return run->max_arena->bytes > 0 ? run->max_arena->bytes : 1; /* as little as can be */
}

enum pass_result pass_rematerialize(struct pass_run *run)
{
    struct remat r = {.run = run, .limit = limit_of(run)};

    if (r.limit == 0)
        return PASS_UNCHANGED;
    if (run->max_arena)
        run->max_arena->is_asked = true;
    storage_module_init(&r.facts, run->module);
    for (size_t i = 0; i < r.facts.node_count; i++) {
        r.is_round_changed = true;
        for (unsigned round = 0; round < ROUND_LIMIT && r.is_round_changed; round++)
            thin_out_function(&r, r.facts.order[i]->function);
    }
    map_finish(&r.peaks);
    map_finish(&r.costs);
    storage_module_finish(&r.facts);
    return r.is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
