/*
 * What a loop of the graph (tail_calls.h) takes beside the stack where nobody gives memory back but who runs the
 * loop: the runs of artifacts.
 *
 * Between two turns that one drops what the next turn is not given, and moves what is left together
 * (runtime/artifact/loop.c).  So there is at most what one turn takes, and beside it what it was given that a turn before made:
 *
 *   - an argument that the turn before made lies in a piece of that turn; these all together are no more than a turn takes;
 *   - one that was passed on from turn to turn may lie in a piece of any of them.
 *
 * What lies in memory of who called the loop, such as donated state, takes nothing.
 */
#include "analysis/stack_loop.h"

#include "analysis/leaves.h"
#include "analysis/stack_kept.h"
#include "base/array.h"

/* Where arguments of a function of the loop may lie, by leaf. */
struct given {
    const struct ir_function *function;
    unsigned count;
    bool *is_made;   /* by some turn of the loop */
    bool *is_passed; /* on, made by an earlier turn than the last one */
};

struct finder {
    struct arena arena;
    struct storage_module *facts;
    const struct tail_calls *tails;
    struct given *given;
    size_t count;
    struct given *own;       /* of the function in work */
    struct storage *storage; /* of the same */
    bool is_changed;
};

static unsigned leaves_in_front(const struct ir_function *function, unsigned param)
{
    unsigned count = 0;

    for (unsigned i = 0; i < param && i < function->param_count; i++)
        count += leaf_count(function->params[i]->type);
    return count;
}

static struct given *given_of(struct finder *f, const struct ir_function *function)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->given[i].function == function)
            return &f->given[i];
    return NULL;
}

/* --- what a call gives to the next turn --- */

static void set(struct finder *f, bool *flag)
{
    f->is_changed |= !*flag;
    *flag = true;
}

static bool is_any_made(const struct given *given)
{
    for (unsigned i = 0; i < given->count; i++)
        if (given->is_made[i])
            return true;
    return false;
}

/* Leaf @leaf of @to may lie in @root of the function in work. */
static void note_root(struct finder *f, const struct storage_root *root, struct given *to,
                      unsigned leaf)
{
    unsigned from = leaves_in_front(f->own->function, root->parameter) + root->parameter_leaf;
    bool is_own = root->home == f->own->function && from < f->own->count;

    if (root->kind == STORAGE_NONE || root->kind == STORAGE_CONSTANT)
        return;
    if (root->kind == STORAGE_PARAMETER && is_own && !f->own->is_made[from])
        return;
    set(f, &to->is_made[leaf]);
    if (root->kind == STORAGE_PARAMETER || (root->kind == STORAGE_OPAQUE && is_any_made(f->own)))
        set(f, &to->is_passed[leaf]);
}

static void note_set(struct finder *f, const struct storage_set *names, struct given *to,
                     unsigned leaf)
{
    static const struct storage_root anything = {.kind = STORAGE_OPAQUE};

    for (unsigned i = 0; i < names->count; i++) {
        const struct storage_origin *origin = &f->storage->origins.items[names->items[i]];

        if (names->items[i] == STORAGE_ANYTHING)
            note_root(f, &anything, to, leaf);
        for (unsigned k = 0; k < origin->place_count; k++)
            note_root(f, &f->storage->roots.items[origin->places[k].root], to, leaf);
    }
}

static bool visit_call(void *state, struct ir_op *op)
{
    struct finder *f = state;
    struct given *to = is_tail_call(f->tails, op) ? given_of(f, ir_op_callee(op)->function) : NULL;
    struct storage_sets sets = {0};

    for (unsigned i = 0; to && i < op->operand_count; i++)
        storage_sets_of(f->storage, op->operands[i].value, &sets);
    for (unsigned i = 0; to && i < sets.count && i < to->count; i++)
        note_set(f, sets.items[i], to, i);
    array_finish(&sets);
    return true;
}

static void visit_function(struct finder *f, struct ir_function *function, struct given *own)
{
    struct storage storage;

    storage_init(&storage, f->facts, function, NULL);
    f->storage = &storage;
    f->own = own;
    (void)ir_region_walk(function->body, visit_call, f);
    storage_finish(&storage);
}

static void find_given(struct finder *f, struct storage_node *const *nodes)
{
    f->given = arena_array(&f->arena, struct given, f->count);
    for (size_t i = 0; i < f->count; i++) {
        const struct ir_function *function = nodes[i]->function;
        unsigned count = leaves_in_front(function, function->param_count);

        f->given[i] = (struct given){.function = function,
                                     .count = count,
                                     .is_made = arena_array(&f->arena, bool, count + 1),
                                     .is_passed = arena_array(&f->arena, bool, count + 1)};
    }
    do {
        f->is_changed = false;
        for (size_t i = 0; i < f->count; i++)
            visit_function(f, nodes[i]->function, &f->given[i]);
    } while (f->is_changed);
}

/* --- sums --- */

static unsigned count_flags(const bool *flags, unsigned count)
{
    unsigned sum = 0;

    for (unsigned i = 0; i < count; i++)
        sum += flags[i];
    return sum;
}

/* Leaves of the result that may lie in what turns of the loop made. */
static unsigned count_results(struct storage_module *facts, struct ir_function *function)
{
    const struct storage_summary *summary = storage_summary(facts, function);
    unsigned count = 0;

    for (unsigned i = 0; summary && i < summary->result_count; i++) {
        const struct storage_result *result = &summary->results[i];
        bool is_made = result->is_opaque;

        for (unsigned k = 0; k < result->part_count; k++)
            is_made |= !result->parts[k].is_parameter;
        count += is_made;
    }
    return summary ? count : leaf_count(function->result);
}

static const struct ir_expr *times(struct ir_context *context, unsigned count,
                                   const struct ir_expr *bytes)
{
    const struct ir_expr *sum = ir_expr_int(context, IR_I64, 0);

    for (unsigned i = 0; i < count; i++)
        sum = stack_sum(context, sum, bytes);
    return sum;
}

int64_t stack_turn_room(const struct ir_module *module, const struct tail_calls *tails,
                        unsigned loop)
{
    enum { VALUE_BYTES = 16 };
    int64_t most = 0;

    for (size_t i = 0; i < module->global_count; i++) {
        const struct ir_function *function =
            module->globals[i]->kind == IR_GLOBAL_FUNCTION ? module->globals[i]->function : NULL;
        int64_t bytes = STACK_ALIGNMENT;

        if (!function || loop_of_turn(tails, function) != loop)
            continue;
        for (unsigned k = 0; k < function->param_count; k++)
            for (unsigned j = 0; j < leaf_count(function->params[k]->type); j++)
                bytes += VALUE_BYTES + stack_box_bytes(leaf_type(function->params[k]->type, j));
        bytes = (bytes + STACK_ALIGNMENT - 1) / STACK_ALIGNMENT * STACK_ALIGNMENT;
        most = bytes > most ? bytes : most;
    }
    return most;
}

void stack_loop_find(struct storage_module *facts, const struct tail_calls *tails,
                     struct storage_node *const *nodes, size_t count, const struct stack_turn *turn,
                     struct stack_loop *out)
{
    struct ir_context *context = facts->module->context;
    struct finder f = {.facts = facts, .tails = tails, .count = count};
    unsigned made = 0, passed = 0, results = 0;

    find_given(&f, nodes);
    for (size_t i = 0; i < count; i++) {
        unsigned of_made = count_flags(f.given[i].is_made, f.given[i].count);
        unsigned of_passed = count_flags(f.given[i].is_passed, f.given[i].count);
        unsigned of_results = count_results(facts, nodes[i]->function);

        made = of_made > made ? of_made : made;
        passed = of_passed > passed ? of_passed : passed;
        results = of_results > results ? of_results : results;
    }
    arena_finish(&f.arena);
    const struct ir_expr *given =
        made <= passed + 1 ? times(context, made, turn->largest)
                           : stack_sum(context, turn->kept, times(context, passed, turn->largest));
    int64_t rooms =
        2 * stack_turn_room(facts->module, tails, loop_of_turn(tails, nodes[0]->function));

    out->turns = stack_sum(context, turn->kept, given);
    out->results = results <= 2 ? times(context, results, turn->largest) : out->turns;
    out->turns = stack_sum(context, out->turns, ir_expr_int(context, IR_I64, rooms));
}
