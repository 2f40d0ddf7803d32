/*
 * PlanMemory: what a function takes itself gets a place in one piece of storage.
 *
 *     a = R.builtin.alloc_tensor(R.shape([8]), ..)       arena = R.memory.alloc_storage(R.shape([128]), ..)
 *     b = R.builtin.alloc_tensor(R.shape([16]), ..)      a = R.memory.alloc_tensor(arena, 64, R.shape([8]), ..)
 *     ...                                           =>   b = R.memory.alloc_tensor(arena, 0, R.shape([16]), ..)
 *     R.memory.kill_tensor(a)                            ...
 *     c = R.builtin.alloc_tensor(R.shape([8]), ..)       R.memory.kill_tensor(a)
 *                                                        c = R.memory.alloc_tensor(arena, 64, R.shape([8]), ..)
 *                                                        ..
 *                                                        R.memory.kill_storage(arena)
 *
 * Lifetimes stand in the text (plan_items.c).  Updates in place and views are in one allocation before
 * anything is placed, because only what they are updates and views of was allocated.  The kills stay: they
 * say to the checker of storage, and to whoever reads, from where on bytes are free.
 *
 * The checker replays what was written.  A function that it does not agree to gets its own buffers back;
 * and that is reported as a bug, but where sizes are symbolic: there the checker may not see what is right.
 */
#include "analysis/pack/pack.h"
#include "analysis/verify_storage/verify_storage.h"
#include "ir/bounds.h"
#include "passes/memory/plan_place.h"
#include "passes/memory/plan_write.h"

#include <stdlib.h>

enum {
    WORTH = 32, /* what a result in the piece, or the piece, must save or may cost: this part */
    WORTH_SYMBOLIC =
        16, /* what the piece may cost where groups of sizes lie one behind the other */
    SAMPLES = 3,
};

/* Of each symbol, for sizes that are no numbers. */
static const int64_t sample_values[SAMPLES] = {16, 128, 1000};

struct plan {
    struct ir_function *function;
    struct plan_items items;
    struct plan_text text;
    bool is_symbolic; /* the checker may not be able to follow it */
    bool is_bounded;  /* numbers for sizes that are less in some runs */
    bool is_refused;
};

struct planner {
    struct pass_run *run;
    array(struct plan) plans;
    struct ir_bindings samples[SAMPLES]; /* arrays; of the function in work */
    struct ir_bounds bounds;             /* the same; none where they are not to be used */
    struct map again; /* functions whose plan by bounds was lost: planned again, without */
    bool is_again;
};

/* ---- sizes, to be compared ---- */

/* With an upper bound it is what counts. */
static int64_t sample_value(const struct planner *p, const struct ir_var *var, unsigned sample)
{
    for (size_t i = 0; i < p->bounds.count; i++)
        if (p->bounds.items[i].var == var)
            return p->bounds.items[i].limit;
    return sample_values[sample];
}

static void add_samples(struct planner *p, const struct ir_var *var)
{
    for (unsigned i = 0; i < SAMPLES; i++)
        array_push(&p->samples[i],
                   (struct ir_binding){var, ir_expr_int(p->run->module->context, var->dtype,
                                                        sample_value(p, var, i))});
}

static bool note_symbol(void *state, const struct ir_expr *a)
{
    struct planner *p = state;

    if (a->kind == IR_EXPR_var && !ir_bindings_find(&p->samples[0], a->var))
        add_samples(p, a->var);
    return true;
}

/* What costs less may depend on symbols: it must at all samples. */
static void make_samples(struct planner *p, const struct ir_function *function)
{
    for (unsigned i = 0; i < SAMPLES; i++)
        p->samples[i].count = 0;
    p->bounds.count = 0;
    if (!p->is_again)
        ir_bounds_find(function, &p->run->scratch, &p->bounds);
    for (unsigned i = 0; i < function->param_count; i++)
        (void)ir_type_walk_exprs(function->params[i]->type, note_symbol, p);
}

static int64_t value_of(struct planner *p, const struct ir_expr *bytes, unsigned sample)
{
    struct ir_context *context = p->run->module->context;
    int64_t value;

    bytes = ir_expr_substitute(context, bytes, &p->samples[sample]);
    return ir_expr_constant(context, bytes, &value) ? value : INT64_MAX;
}

static int64_t item_bytes(struct planner *p, const struct plan_item *item, unsigned sample)
{
    return plan_item_bytes(p->run->module->context, item, &p->samples[sample]);
}

/* No sum is above PACK_LARGEST. */
static int64_t sum_of(int64_t a, int64_t b)
{
    return a > PACK_LARGEST || b > PACK_LARGEST - a ? PACK_LARGEST : a + b;
}

/* ---- results ---- */

static bool is_no_result(void *state, const struct plan_item *item)
{
    (void)state;
    return !item->is_result;
}

static struct plan_items copy_of(const struct plan_items *items)
{
    struct plan_items copy = {0};

    for (size_t i = 0; i < items->count; i++)
        array_push(&copy, items->items[i]);
    return copy;
}

/* Bytes of results if each gets storage of its own. */
static int64_t result_bytes(struct planner *p, const struct plan_items *items, unsigned sample)
{
    int64_t bytes = 0;

    for (size_t i = 0; i < items->count; i++)
        if (items->items[i].is_result && items->items[i].same == i)
            bytes = sum_of(bytes, item_bytes(p, &items->items[i], sample));
    return bytes;
}

/*
 * Who calls the module gets the whole piece with a result that lies in it, and gives both back at once.
 * That is well where it makes less to be held while the function runs; callers within the module would
 * hold it while they run themselves.
 */
static bool may_give_away(const struct storage_module *facts, struct ir_function *function)
{
    const struct storage_node *node = map_get(&facts->nodes, function);

    return node && !node->is_called && !node->is_value;
}

/* Is it worth it, somewhere, to put results into the piece, too, and never the opposite? */
static bool keeps_results(struct planner *p, const struct plan_items *all,
                          const struct ir_expr *bytes, const struct ir_expr *together)
{
    bool is_worth_it = false;

    for (unsigned i = 0; i < SAMPLES; i++) {
        int64_t with = value_of(p, together, i);
        int64_t without = sum_of(value_of(p, bytes, i), result_bytes(p, all, i));

        if (without < with)
            return false;
        is_worth_it |= without - with > with / WORTH;
    }
    return is_worth_it;
}

/* ---- upper bounds ---- */

/* @items as large as they ever are; false if that is not known of all, or no symbol is among their sizes. */
static bool at_bounds(struct planner *p, const struct plan_items *items, struct plan_items *out)
{
    bool is_symbolic = false, is_known = p->bounds.count > 0;

    *out = copy_of(items);
    for (size_t i = 0; i < out->count && is_known; i++) {
        struct plan_item *item = &out->items[i];

        if (!item->unit)
            continue;
        is_symbolic = true;
        is_known = ir_bounds_most(p->run->module->context, &p->bounds, item->bytes, &item->count) &&
                   item->count > 0;
        item->unit = NULL;
        item->bytes = ir_expr_int(p->run->module->context, IR_I64, item->count);
    }
    return is_known && is_symbolic;
}

/*
 * Places for @items.  Expressions take just what a run needs; but what is a multiple of one size shares no bytes
 * with what is one of another.  Where numbers for the upper bounds take less at these, there are numbers.
 */
static const struct ir_expr *place(struct planner *p, struct plan_items *items)
{
    const struct ir_expr *bytes = plan_place(p->run, items), *most = NULL;
    struct plan_items bounded = {0};

    if (at_bounds(p, items, &bounded))
        most = plan_place(p->run, &bounded);
    int64_t limit = bytes && most ? value_of(p, bytes, 0) : 0;
    bool is_less = most && (!bytes || value_of(p, most, 0) < limit - limit / WORTH_SYMBOLIC);

    for (size_t i = 0; i < items->count && is_less; i++)
        items->items[i].offset = bounded.items[i].offset;
    array_finish(&bounded);
    return is_less ? most : bytes;
}

/* Places of @items without their results or, where that is worth it and @may_keep, with them. */
static const struct ir_expr *place_best(struct planner *p, struct plan_items *items, bool may_keep)
{
    struct plan_items all = copy_of(items);
    const struct ir_expr *together = NULL;

    plan_items_keep(items, &p->run->scratch, is_no_result, NULL);
    const struct ir_expr *bytes = place(p, items);

    if (may_keep && bytes && items->count < all.count)
        together = place(p, &all);
    if (together && keeps_results(p, &all, bytes, together)) {
        array_finish(items);
        *items = all;
        return together;
    }
    array_finish(&all);
    return bytes;
}

/* ---- what it costs ---- */

/* Bytes that come to live, or (negative) end. */
struct change {
    unsigned position;
    int64_t bytes;
};

/* Ends first: lives are half-open. */
static int compare_changes(const void *a, const void *b)
{
    const struct change *x = a, *y = b;

    if (x->position != y->position)
        return x->position < y->position ? -1 : 1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* The most that lives at one step of @span, of those of @items that are not @left_out. */
static int64_t most_alive(struct planner *p, const struct plan_items *items, const bool *left_out,
                          const struct plan_item *span, unsigned sample)
{
    struct change *changes = arena_array(&p->run->scratch, struct change, 2 * items->count + 1);
    size_t count = 0;
    int64_t alive = 0, most = 0;

    for (size_t i = 0; i < items->count; i++) {
        const struct plan_item *item = &items->items[i];

        if (item->lower >= span->upper || item->upper <= span->lower || (left_out && left_out[i]))
            continue;
        int64_t bytes = item_bytes(p, item, sample), limit = PACK_LARGEST / (int64_t)items->count;

        bytes = bytes < limit ? bytes : limit;
        changes[count++] = (struct change){item->lower, bytes};
        changes[count++] = (struct change){item->upper, -bytes};
    }
    qsort(changes, count, sizeof(*changes), compare_changes);
    for (size_t i = 0; i < count; i++) {
        alive += changes[i].bytes;
        most = alive > most ? alive : most;
    }
    return most;
}

/*
 * A piece is held from its first tensor to its last, and beside it what has storage of its own: results,
 * and what operators make themselves.  If that came to more than without a piece, none is better.  @near is all
 * that lives then, one for each place.
 */
static bool is_worth(struct planner *p, const struct plan_items *near,
                     const struct plan_items *items, const struct ir_expr *bytes)
{
    bool *is_placed = arena_array(&p->run->scratch, bool, near->count + 1);
    struct plan_item span = {.lower = items->items[0].lower};
    int64_t part = bytes->kind == IR_EXPR_int ? WORTH : WORTH_SYMBOLIC;
    size_t next = 0;

    for (size_t i = 0; i < items->count; i++) {
        if (span.upper < items->items[i].upper)
            span.upper = items->items[i].upper;
        if (items->items[i].same != i)
            continue;
        while (near->items[next].alloc != items->items[i].alloc)
            next++;
        is_placed[next] = true;
    }
    for (unsigned i = 0; i < SAMPLES; i++) {
        int64_t apart = most_alive(p, near, NULL, &span, i);
        int64_t beside = most_alive(p, near, is_placed, &span, i);

        if (sum_of(value_of(p, bytes, i), beside) > apart + apart / part)
            return false;
    }
    return true;
}

/* ---- functions ---- */

static bool has_symbols(const struct plan_items *items)
{
    for (size_t i = 0; i < items->count; i++)
        if (items->items[i].unit)
            return true;
    return false;
}

/* Plans @items, which are taken over, as one piece.  False after a report. */
static bool plan_piece(struct planner *p, struct ir_function *function,
                       const struct plan_items *near, struct plan_items *items, bool may_keep)
{
    struct plan plan = {.function = function, .items = *items};
    const struct ir_expr *bytes = place_best(p, &plan.items, may_keep);
    bool is_fine = true;

    /* one alone would be allocated in two steps */
    if (bytes && plan.items.count > 1 && is_worth(p, near, &plan.items, bytes)) {
        plan.is_symbolic = bytes->kind != IR_EXPR_int;
        plan.is_bounded = !plan.is_symbolic && has_symbols(&plan.items);
        is_fine = plan_write(p->run, &plan.items, bytes, &plan.text);
        array_push(&p->plans, plan);
    } else {
        array_finish(&plan.items);
    }
    return is_fine;
}

/* Is there a call between @lower and @upper (that may come back)?  *@next moves on to @lower. */
static bool has_call(const struct plan_problem *problem, size_t *next, unsigned lower,
                     unsigned upper, bool is_cyclic)
{
    while (*next < problem->calls.count && problem->calls.items[*next].position < lower)
        ++*next;
    for (size_t i = *next; i < problem->calls.count && problem->calls.items[i].position < upper;
         i++)
        if (!is_cyclic || problem->calls.items[i].is_cyclic)
            return true;
    return false;
}

/* What is held while the function runs again within itself is held as often as it does: only what lives. */
static void leave_apart(struct plan_problem *problem)
{
    struct plan_item *items = problem->items.items;

    for (size_t i = 0, next = 0; i < problem->items.count; i++)
        if (has_call(problem, &next, items[i].lower, items[i].upper, true) ||
            items[items[i].same].is_apart)
            items[i].is_apart = true;
}

/* A piece in the making, and what lives beside it. */
struct piece {
    struct plan_items items, near;
    unsigned upper;
};

/* What has ended when @next begins lives beside nothing any more. */
static void forget(struct piece *piece, const struct plan_item *next)
{
    size_t kept = 0;

    for (size_t i = 0; i < piece->near.count; i++)
        if (piece->near.items[i].upper > next->lower)
            piece->near.items[kept++] = piece->near.items[i];
    piece->near.count = kept;
    piece->items = (struct plan_items){0};
}

static void add(struct piece *piece, struct plan_item item, unsigned number, unsigned *numbers)
{
    if (item.same == number)
        array_push(&piece->near, item);
    if (item.is_apart)
        return;
    numbers[number] = (unsigned)piece->items.count;
    item.same = numbers[item.same];
    array_push(&piece->items, item);
    if (piece->upper < item.upper)
        piece->upper = item.upper;
}

/*
 * One piece for all, but that nothing is held through a call for what comes behind it: the callee takes
 * storage, too.
 */
static bool plan_pieces(struct planner *p, struct ir_function *function,
                        const struct plan_problem *problem, bool may_keep)
{
    unsigned *numbers = arena_array(&p->run->scratch, unsigned, problem->items.count + 1);
    struct piece piece = {0};
    bool is_fine = true;
    size_t next = 0;

    for (size_t i = 0; i < problem->items.count && is_fine; i++) {
        const struct plan_item *item = &problem->items.items[i];

        if (!item->is_apart && piece.items.count > 0 && item->lower > piece.upper &&
            has_call(problem, &next, piece.upper, item->lower, false)) {
            is_fine = plan_piece(p, function, &piece.near, &piece.items, may_keep);
            forget(&piece, item);
        }
        add(&piece, *item, (unsigned)i, numbers);
    }
    if (piece.items.count > 0 && is_fine)
        is_fine = plan_piece(p, function, &piece.near, &piece.items, may_keep);
    array_finish(&piece.near);
    return is_fine;
}

static bool plan_function(struct planner *p, struct storage_module *facts,
                          struct ir_function *function)
{
    struct storage storage;
    struct plan_problem problem = {0};

    storage_init(&storage, facts, function, NULL);
    plan_items_find(&storage, &p->run->scratch, &problem);
    storage_finish(&storage);
    if (storage_is_recursive(facts, function))
        leave_apart(&problem);
    make_samples(p, function);
    bool is_fine = plan_pieces(p, function, &problem, may_give_away(facts, function));
    array_finish(&problem.items);
    array_finish(&problem.calls);
    return is_fine;
}

/* ---- what the checker says ---- */

static bool is_agreed(struct planner *p, struct verify_storage_refusals *refusals)
{
    return verify_storage(p->run->module, VERIFY_STORAGE_RESOLVED, refusals);
}

static bool is_refused(const struct verify_storage_refusals *refusals, const struct plan *plan)
{
    for (size_t i = 0; i < refusals->count; i++)
        if (refusals->items[i].function == plan->function)
            return true;
    return false;
}

/* Takes back the plans of refused functions: *out_count.  False after a report. */
static bool take_back(struct planner *p, const struct verify_storage_refusals *refusals,
                      size_t *out_count)
{
    *out_count = 0;
    for (size_t i = 0; i < p->plans.count; i++) {
        struct plan *plan = &p->plans.items[i];

        if (plan->text.tensors.count == 0 || !is_refused(refusals, plan))
            continue;
        plan->is_refused = true;
        ++*out_count;
        if (!plan_take_back(p->run, &plan->text))
            return false;
    }
    return true;
}

/* With symbols the checker may not see what is right: no mistake, but the plan is lost. */
static void tell(struct planner *p, const struct verify_storage_refusals *refusals,
                 const struct plan *plan)
{
    struct diag_message *message =
        diag_report(p->run->diag, plan->function->loc, PLAN_LOST, plan->function->name);

    for (size_t i = 0; i < refusals->count; i++)
        if (refusals->items[i].function == plan->function && refusals->items[i].value)
            diag_note(message, "it may be that `%s` would not be what it was when it is read",
                      refusals->items[i].value);
    diag_help(message, "with numbers for symbols (`BindSymbolicVars`, `--dim`) it can be planned");
}

/* A plan that was refused in a module that is fine without it is to blame. */
static bool blame(struct planner *p, const struct verify_storage_refusals *refusals)
{
    bool is_fine = true;

    for (size_t i = 0; i < p->plans.count; i++) {
        const struct plan *plan = &p->plans.items[i];

        if (plan->is_refused && plan->is_bounded) {
            map_set(&p->again, plan->function, plan->function);
        } else if (plan->is_refused && !plan->is_symbolic) {
            diag_report(p->run->diag, plan->function->loc, PLAN_REFUSED, plan->function->name);
            is_fine = false;
        } else if (plan->is_refused) {
            tell(p, refusals, plan);
        }
    }
    if (!is_fine)
        verify_storage_report(refusals, p->run->diag);
    return is_fine;
}

/* What reads calls before code is made goes by places, too, and is to follow plans by bounds; else they are lost. */
static bool is_followed(struct planner *p)
{
    bool is_bounded = false;

    for (size_t i = 0; i < p->plans.count; i++)
        is_bounded |= p->plans.items[i].is_bounded && p->plans.items[i].text.tensors.count > 0;
    return !is_bounded || property_holds(p->run->module, "resolved", &p->run->scratch);
}

static bool take_back_bounded(struct planner *p)
{
    bool is_fine = true;

    for (size_t i = 0; i < p->plans.count && is_fine; i++) {
        struct plan *plan = &p->plans.items[i];

        if (!plan->is_bounded || plan->text.tensors.count == 0)
            continue;
        map_set(&p->again, plan->function, plan->function);
        is_fine = plan_take_back(p->run, &plan->text);
    }
    return is_fine;
}

static bool check(struct planner *p)
{
    struct verify_storage_refusals first = {0}, refusals = {0};
    bool is_fine = true, is_right = is_agreed(p, &first);
    size_t taken = 0;

    if (!is_right)
        is_fine = take_back(p, &first, &taken);

    while (!is_right && is_fine && taken > 0) {
        is_right = is_agreed(p, &refusals);
        if (!is_right)
            is_fine = take_back(p, &refusals, &taken);
        verify_storage_finish(&refusals);
        refusals = (struct verify_storage_refusals){0};
    }
    is_fine = is_fine && (!is_right || blame(p, &first));
    verify_storage_finish(&first);
    return is_fine && (is_followed(p) || take_back_bounded(p));
}

/* ---- the pass ---- */

static bool plan_all(struct planner *p)
{
    struct ir_module *module = p->run->module;
    struct storage_module facts;
    bool is_fine = true;

    storage_module_init(&facts, module);
    storage_module_solve(&facts);
    for (size_t i = 0; i < module->global_count && is_fine; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION &&
            (!p->is_again || map_has(&p->again, module->globals[i]->function)))
            is_fine = plan_function(p, &facts, module->globals[i]->function);
    storage_module_finish(&facts);
    return is_fine && (p->plans.count == 0 || check(p));
}

static void forget_plans(struct planner *p)
{
    for (size_t i = 0; i < p->plans.count; i++) {
        array_finish(&p->plans.items[i].items);
        array_finish(&p->plans.items[i].text.tensors);
    }
    array_finish(&p->plans);
}

enum pass_result pass_plan_memory(struct pass_run *run)
{
    struct planner p = {.run = run};
    bool is_fine = plan_all(&p), is_changed = p.plans.count > 0;

    forget_plans(&p);
    p.is_again = true;
    if (is_fine && p.again.count > 0)
        is_fine = plan_all(&p);
    forget_plans(&p);
    map_finish(&p.again);
    for (unsigned i = 0; i < SAMPLES; i++)
        array_finish(&p.samples[i]);
    array_finish(&p.bounds);
    return !is_fine ? PASS_FAILED : is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
