/* Summaries of functions, component by component, to the least fixed point. */
#include "analysis/leaves.h"
#include "analysis/storage/storage_internal.h"
#include "base/assert.h"

#include <stdint.h>
#include <string.h>

enum { ROUND_LIMIT = 64 };

static const struct ir_value *returned(const struct ir_function *function)
{
    return function->body->last->last->operands[0].value;
}

static struct storage_summary *summary_new(struct storage_module *facts,
                                           const struct ir_function *function)
{
    struct storage_summary *summary = arena_new(&facts->arena, struct storage_summary);

    summary->param_count = function->param_count;
    summary->overwrites = arena_array(&facts->arena, bool, function->param_count + 1);
    summary->retains = arena_array(&facts->arena, bool, function->param_count + 1);
    summary->type = returned(function)->type;
    summary->result_count = leaf_count(summary->type);
    summary->results = arena_array(&facts->arena, struct storage_result, summary->result_count + 1);
    return summary;
}

/* ---- from the analysis of a function ---- */

/*
 * New storage gets numbers in the order in which results show it.  What one leaf may live in gets one
 * number: a caller cannot tell it apart, and in a cycle of calls there would be more of it each round.
 */
struct numbers {
    const struct storage *storage;
    struct map known;     /* root -> its number + 1 */
    array(unsigned) same; /* by number: a lower one that it is the same as, or itself */
};

static unsigned first_of(const struct numbers *numbers, unsigned number)
{
    while (numbers->same.items[number] != number)
        number = numbers->same.items[number];
    return number;
}

static unsigned number_of(struct numbers *numbers, unsigned root)
{
    const struct storage_root *key = &numbers->storage->roots.items[root];
    uintptr_t known = (uintptr_t)map_get(&numbers->known, key);

    if (known)
        return first_of(numbers, (unsigned)known - 1);
    unsigned number = (unsigned)numbers->same.count;

    array_push(&numbers->same, number);
    map_set(&numbers->known, key, (void *)(uintptr_t)(number + 1)); // NOLINT
    return number;
}

/* Adds a part of new storage to a leaf: all new storage of one leaf is one, with one count of bytes. */
static void add_new(struct numbers *numbers, const struct storage_place *place,
                    struct storage_result *out)
{
    unsigned number = number_of(numbers, place->root);

    for (unsigned i = 0; i < out->part_count; i++) {
        if (out->parts[i].is_parameter)
            continue;
        unsigned other = first_of(numbers, out->parts[i].number);

        numbers->same.items[number > other ? number : other] = number > other ? other : number;
        number = number > other ? other : number;
    }
    out->parts[out->part_count++] =
        (struct storage_part){.number = number, .region = place->region};
}

/* Numbers without gaps. */
static void renumber(struct storage_module *facts, struct numbers *numbers,
                     struct storage_summary *summary)
{
    unsigned *final = arena_array(&facts->arena, unsigned, numbers->same.count + 1), next = 0;

    for (unsigned i = 0; i < numbers->same.count; i++)
        if (numbers->same.items[i] == i)
            final[i] = next++;
    for (unsigned i = 0; i < summary->result_count; i++)
        for (unsigned k = 0; k < summary->results[i].part_count; k++) {
            struct storage_part *part = &summary->results[i].parts[k];

            if (!part->is_parameter)
                part->number = final[first_of(numbers, part->number)];
        }
}

static void add_place(const struct storage *storage, struct numbers *numbers,
                      const struct storage_place *place, struct storage_result *out)
{
    const struct storage_root *root = &storage->roots.items[place->root];

    if (root->kind == STORAGE_CONSTANT)
        out->is_constant = true;
    else if (root->kind == STORAGE_OPAQUE)
        out->is_opaque = true;
    else if (root->kind == STORAGE_PARAMETER)
        out->parts[out->part_count++] = (struct storage_part){.is_parameter = true,
                                                              .parameter = root->parameter,
                                                              .leaf = root->parameter_leaf,
                                                              .region = place->region};
    else if (root->kind == STORAGE_ALLOCATED && root->retained_by)
        out->is_opaque = true;
    else if (root->kind == STORAGE_ALLOCATED)
        add_new(numbers, place, out);
}

struct storage_summary *storage_summarize(struct storage *storage)
{
    struct storage_module *facts = storage->module;
    struct storage_summary *summary = summary_new(facts, storage->function);
    struct storage_sets sets = {0};
    struct numbers numbers = {.storage = storage};

    for (size_t i = 0; i < storage->roots.count; i++) {
        const struct storage_root *root = &storage->roots.items[i];

        if (root->kind != STORAGE_PARAMETER || root->home != storage->function)
            continue;
        summary->overwrites[root->parameter] |=
            root->is_overwritten && storage_is_donated(facts, storage->function, root->parameter);
        summary->retains[root->parameter] |= root->retained_by != NULL;
    }
    storage_sets_of(storage, returned(storage->function), &sets);
    for (unsigned i = 0; i < summary->result_count; i++) {
        struct storage_places places = {0};

        storage_push_places(storage, sets.items[i], &places);
        summary->results[i].parts =
            arena_array(&facts->arena, struct storage_part, places.count + 1);
        for (size_t k = 0; k < places.count; k++)
            add_place(storage, &numbers, &places.items[k], &summary->results[i]);
        array_finish(&places);
    }
    renumber(facts, &numbers, summary);
    map_finish(&numbers.known);
    array_finish(&numbers.same);
    array_finish(&sets);
    return summary;
}

/* ---- fixed points ---- */

static bool is_same_result(const struct storage_result *a, const struct storage_result *b)
{
    if (a->is_opaque != b->is_opaque || a->is_constant != b->is_constant ||
        a->part_count != b->part_count)
        return false;
    for (unsigned i = 0; i < a->part_count; i++) {
        const struct storage_part *x = &a->parts[i], *y = &b->parts[i];

        if (x->is_parameter != y->is_parameter || x->parameter != y->parameter ||
            x->leaf != y->leaf || x->number != y->number ||
            !storage_region_equal(&x->region, &y->region))
            return false;
    }
    return true;
}

static bool is_same(const struct storage_summary *a, const struct storage_summary *b)
{
    if (memcmp(a->overwrites, b->overwrites, a->param_count * sizeof(bool)) != 0 ||
        memcmp(a->retains, b->retains, a->param_count * sizeof(bool)) != 0)
        return false;
    for (unsigned i = 0; i < a->result_count; i++)
        if (!is_same_result(&a->results[i], &b->results[i]))
            return false;
    return true;
}

/* Everything may happen. */
static void set_worst(struct storage_module *facts, struct storage_node *node)
{
    struct storage_summary *summary = summary_new(facts, node->function);

    for (unsigned i = 0; i < summary->param_count; i++) {
        summary->overwrites[i] = storage_is_donated(facts, node->function, i);
        summary->retains[i] = true;
    }
    for (unsigned i = 0; i < summary->result_count; i++)
        summary->results[i].is_opaque = true;
    node->summary = summary;
}

static bool improve(struct storage_module *facts, struct storage_node *node)
{
    struct storage storage;

    storage_init(&storage, facts, node->function, NULL);
    struct storage_summary *summary = storage_summarize(&storage);
    bool is_changed = !is_same(summary, node->summary);

    storage_finish(&storage);
    node->summary = summary;
    return is_changed;
}

/*
 * Solves the component that begins at @first of the order; returns the first behind it.  In the
 * beginning nothing is overwritten, kept or returned; each round adds what follows from the last one,
 * so that in the end all is there that any chain of calls can do.
 */
static size_t solve(struct storage_module *facts, size_t first)
{
    size_t end = first;
    bool is_changed = true;

    while (end < facts->node_count &&
           facts->order[end]->component == facts->order[first]->component)
        end++;
    for (size_t i = first; i < end; i++)
        if (!facts->order[i]->summary)
            facts->order[i]->summary = summary_new(facts, facts->order[i]->function);
    for (unsigned round = 0; is_changed; round++) {
        is_changed = false;
        for (size_t i = first; i < end && round < ROUND_LIMIT; i++)
            is_changed |= improve(facts, facts->order[i]);
        if (round == ROUND_LIMIT)
            for (size_t i = first; i < end; i++)
                set_worst(facts, facts->order[i]);
        is_changed &= facts->order[first]->is_recursive;
    }
    return end;
}

static void solve_next(struct storage_module *facts)
{
    const struct storage_node *next = facts->order[facts->solved];

    if (next->summary && !next->is_recursive)
        facts->solved++; /* settled */
    else
        facts->solved = solve(facts, facts->solved);
}

const struct storage_summary *storage_summary(struct storage_module *facts,
                                              struct ir_function *function)
{
    struct storage_node *node = map_get(&facts->nodes, function);

    while (node && !node->summary)
        solve_next(facts);
    return node ? node->summary : NULL;
}

void storage_module_solve(struct storage_module *facts)
{
    while (facts->solved < facts->node_count)
        solve_next(facts);
}

void storage_settle(struct storage *storage)
{
    struct storage_node *node = map_get(&storage->module->nodes, storage->function);

    assert(!node->is_recursive);
    node->summary = storage_summarize(storage);
}
