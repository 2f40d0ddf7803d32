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
#include "analysis/verify_storage/verify_storage.h"
#include "passes/memory/plan_choose.h"
#include "passes/memory/plan_scratch.h"
#include "passes/memory/plan_write.h"

struct plan {
    struct ir_function *function;
    struct plan_items items;
    struct plan_text text;
    bool is_symbolic; /* the checker may not be able to follow it */
    bool is_bounded;  /* numbers for sizes that are less in some runs */
    bool is_rounded;  /* sizes as others that are provably no less */
    bool is_refused;
};

struct planner {
    struct pass_run *run;
    array(struct plan) plans;
    struct plan_sizes sizes;     /* of the function in work */
    struct plan_scratch scratch; /* of its calls */
    struct map again; /* functions whose plan by bounds or order was lost: planned again, without */
    bool is_again;
};

/* ---- functions ---- */

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
    struct plan_chooser chooser = {.run = p->run, .sizes = &p->sizes, .is_plain = p->is_again};
    struct plan_worth worth = {&p->sizes, &p->run->scratch};
    const struct ir_expr *bytes = plan_choose(&chooser, &plan.items, may_keep);
    bool is_fine = true;

    /* one alone would be allocated in two steps */
    if (bytes && plan.items.count > 1 && plan_is_worth(&worth, near, &plan.items, bytes)) {
        plan.is_symbolic = bytes->kind != IR_EXPR_int;
        plan.is_bounded = !plan.is_symbolic && has_symbols(&plan.items);
        plan.is_rounded = plan.is_symbolic && chooser.is_rounded;
        if (!plan.is_symbolic && !plan.is_bounded)
            plan_scratch_lower(p->run, &p->scratch, &plan.items, bytes->int_value);
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
    plan_scratch_find(p->run, &storage, &p->scratch);
    storage_finish(&storage);
    if (storage_is_recursive(facts, function))
        leave_apart(&problem);
    plan_sizes_find(&p->sizes, p->run, function, !p->is_again);
    bool is_fine = plan_pieces(p, function, &problem, may_give_away(facts, function));
    array_finish(&problem.items);
    array_finish(&problem.calls);
    p->scratch.count = 0;
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
    diag_note(message, "the results are right, and more memory is held than need be");
    diag_help(
        message,
        "with numbers for symbols it can be planned: `-p BindSymbolicVars,default` and --dim");
}

/* A plan that was refused in a module that is fine without it is to blame. */
static bool blame(struct planner *p, const struct verify_storage_refusals *refusals)
{
    bool is_fine = true;

    for (size_t i = 0; i < p->plans.count; i++) {
        const struct plan *plan = &p->plans.items[i];

        if (plan->is_refused && (plan->is_bounded || plan->is_rounded)) {
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
    array_finish(&p.scratch);
    plan_sizes_finish(&p.sizes);
    return !is_fine ? PASS_FAILED : is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
