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
 * The checker replays what was written.  A function that it does not agree to gets its own buffers back,
 * and that is reported.
 */
#include "analysis/pack/pack.h"
#include "analysis/verify_storage/verify_storage.h"
#include "passes/memory/plan_write.h"

enum {
    ALIGNMENT = 64,
    RESULT_SHARE = 32, /* what is held must go down by this part for a result to lie there */
};

struct plan {
    struct ir_function *function;
    struct plan_items items;
    struct plan_text text;
    bool is_refused;
};

struct planner {
    struct pass_run *run;
    array(struct plan) plans;
};

/* ---- one function ---- */

static int64_t round_up(int64_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Widens what @item has its place with. */
static void pack_with(struct pack_item *to, const struct plan_item *item)
{
    int64_t size = round_up(item->bytes);

    if (to->size < size)
        to->size = size;
    if (to->upper < (int64_t)item->upper)
        to->upper = item->upper;
}

/* How long to search. */
static double seconds(const struct pass_run *run)
{
    return run->plan_seconds ? *run->plan_seconds
                             : (double)pass_option_int(run, "budget_ms") / 1000;
}

/* Sets the offsets; the bytes that all take, or -1 if there is no place. */
static int64_t place(struct planner *p, struct plan_items *items)
{
    struct arena *scratch = &p->run->scratch;
    struct pack_item *packed = arena_array(scratch, struct pack_item, items->count);
    struct pack_limits limits = {.capacity = -1, .seconds = seconds(p->run)};
    struct pack_result result;
    size_t fault, other;

    for (size_t i = 0; i < items->count; i++) {
        const struct plan_item *item = &items->items[i];

        packed[i] =
            (struct pack_item){.lower = item->lower, .upper = item->lower, .alignment = ALIGNMENT};
        pack_with(&packed[item->same], item);
    }
    if (pack_check(packed, items->count, &fault, &other) != PACK_FINE ||
        !pack(packed, items->count, &limits, &result, scratch))
        return -1;
    for (size_t i = 0; i < items->count; i++)
        items->items[i].offset = packed[items->items[i].same].offset;
    return result.height;
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
static int64_t result_bytes(const struct plan_items *items)
{
    int64_t bytes = 0;

    for (size_t i = 0; i < items->count; i++)
        if (items->items[i].is_result && items->items[i].same == i)
            bytes += round_up(items->items[i].bytes);
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

/* Places of @items without their results or, where that is worth it and @may_keep, with them. */
static int64_t place_best(struct planner *p, struct plan_items *items, bool may_keep)
{
    struct plan_items all = copy_of(items);
    int64_t apart = result_bytes(items);

    plan_items_keep(items, &p->run->scratch, is_no_result, NULL);
    int64_t bytes = items->count > 0 ? place(p, items) : 0;
    int64_t together = may_keep && apart > 0 && bytes >= 0 ? place(p, &all) : -1;

    if (together >= 0 && bytes + apart - together > together / RESULT_SHARE) {
        array_finish(items);
        *items = all;
        return together;
    }
    array_finish(&all);
    return bytes;
}

/* ---- functions ---- */

/* Sizes that no sum of a few of them can overflow. */
static bool are_sizes_fine(const struct plan_items *items)
{
    int64_t sum = 0;

    for (size_t i = 0; i < items->count; i++)
        if (items->items[i].bytes < 0 || items->items[i].bytes > PACK_LARGEST - ALIGNMENT ||
            (sum += round_up(items->items[i].bytes)) > PACK_LARGEST)
            return false;
    return true;
}

/* Plans @items, which are taken over, as one piece.  False after a report. */
static bool plan_piece(struct planner *p, struct ir_function *function, struct plan_items *items,
                       bool may_keep)
{
    struct plan plan = {.function = function, .items = *items};
    int64_t bytes = are_sizes_fine(items) ? place_best(p, &plan.items, may_keep) : -1;
    bool is_fine = true;

    if (bytes > 0 && plan.items.count > 1) { /* one alone would be allocated in two steps */
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
static void keep_in_turn(struct planner *p, struct plan_problem *problem)
{
    struct plan_item *items = problem->items.items;

    for (size_t i = 0, next = 0; i < problem->items.count; i++)
        if (has_call(problem, &next, items[i].lower, items[i].upper, true) ||
            !items[items[i].same].end)
            items[i].end = NULL;
    plan_items_keep(&problem->items, &p->run->scratch, plan_has_end, NULL);
}

/*
 * One piece for all, but that nothing is held through a call for what comes behind it: the callee takes
 * storage, too.
 */
static bool plan_pieces(struct planner *p, struct ir_function *function,
                        const struct plan_problem *problem, bool may_keep)
{
    bool is_fine = true;
    unsigned upper = 0;
    size_t next = 0;
    struct plan_items piece = {0};

    for (size_t i = 0, first = 0; i < problem->items.count && is_fine; i++) {
        struct plan_item item = problem->items.items[i];

        if (piece.count > 0 && item.lower > upper &&
            has_call(problem, &next, upper, item.lower, false)) {
            is_fine = plan_piece(p, function, &piece, may_keep);
            piece = (struct plan_items){0};
            first = i;
        }
        item.same -= (unsigned)first;
        array_push(&piece, item);
        upper = upper < item.upper ? item.upper : upper;
    }
    return is_fine && plan_piece(p, function, &piece, may_keep);
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
        keep_in_turn(p, &problem);
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

/* A plan that was refused in a module that is fine without it is to blame. */
static bool blame(struct planner *p, const struct verify_storage_refusals *refusals)
{
    bool is_fine = true;

    for (size_t i = 0; i < p->plans.count; i++) {
        const struct plan *plan = &p->plans.items[i];

        if (plan->is_refused) {
            diag_report(p->run->diag, plan->function->loc, PLAN_REFUSED, plan->function->name);
            is_fine = false;
        }
    }
    if (!is_fine)
        verify_storage_report(refusals, p->run->diag);
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
    return is_fine;
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
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            is_fine = plan_function(p, &facts, module->globals[i]->function);
    storage_module_finish(&facts);
    return is_fine && (p->plans.count == 0 || check(p));
}

enum pass_result pass_plan_memory(struct pass_run *run)
{
    struct planner p = {.run = run};
    bool is_fine = plan_all(&p), is_changed = p.plans.count > 0;

    for (size_t i = 0; i < p.plans.count; i++) {
        array_finish(&p.plans.items[i].items);
        array_finish(&p.plans.items[i].text.tensors);
    }
    array_finish(&p.plans);
    return !is_fine ? PASS_FAILED : is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
