/* Problems of order: building them, and running an order. */
#include "passes/memory/peak.h"

/* ---- building ---- */

unsigned peak_add_value(struct peak_problem *problem, int64_t bytes, bool is_kept)
{
    array_push(&problem->values,
               (struct peak_value){.bytes = bytes, .maker = PEAK_NONE, .is_kept = is_kept});
    return (unsigned)problem->values.count - 1;
}

unsigned peak_add_node(struct peak_problem *problem, int64_t extra)
{
    array_push(&problem->nodes, (struct peak_node){.extra = extra,
                                                   .reads.first = (unsigned)problem->reads.count,
                                                   .makes.first = (unsigned)problem->makes.count});
    return (unsigned)problem->nodes.count - 1;
}

void peak_add_read(struct peak_problem *problem, unsigned value)
{
    struct peak_list *reads = &array_last(&problem->nodes).reads;

    array_push(&problem->reads, value);
    reads->count++;
    problem->values.items[value].readers.count++;
}

void peak_add_make(struct peak_problem *problem, unsigned value)
{
    array_push(&problem->makes,
               (struct peak_make){.value = value, .takes.first = (unsigned)problem->takes.count});
    array_last(&problem->nodes).makes.count++;
    problem->values.items[value].maker = (unsigned)problem->nodes.count - 1;
}

void peak_add_take(struct peak_problem *problem, unsigned value)
{
    array_push(&problem->takes, value);
    array_last(&problem->makes).takes.count++;
}

void peak_add_edge(struct peak_problem *problem, unsigned before, unsigned after)
{
    array_push(&problem->edges, (struct peak_edge){before, after});
}

static void find_readers(struct peak_problem *problem)
{
    unsigned first = 0;

    problem->readers = arena_array(&problem->arena, unsigned, problem->reads.count + 1);
    for (size_t i = 0; i < problem->values.count; i++) {
        struct peak_list *readers = &problem->values.items[i].readers;

        readers->first = first;
        first += readers->count;
        readers->count = 0;
    }
    for (unsigned node = 0; node < problem->nodes.count; node++) {
        const struct peak_list *reads = &problem->nodes.items[node].reads;

        for (unsigned i = 0; i < reads->count; i++) {
            unsigned value = problem->reads.items[reads->first + i];
            struct peak_list *readers = &problem->values.items[value].readers;

            problem->readers[readers->first + readers->count++] = node;
        }
    }
}

/* Lists of neighbours out of edges. */
static void find_neighbours(struct peak_problem *problem)
{
    struct peak_node *nodes = problem->nodes.items;
    size_t count = problem->edges.count;
    unsigned before = 0, after = 0;

    problem->before = arena_array(&problem->arena, unsigned, count + 1);
    problem->after = arena_array(&problem->arena, unsigned, count + 1);
    for (size_t i = 0; i < count; i++) {
        nodes[problem->edges.items[i].before].after.count++;
        nodes[problem->edges.items[i].after].before.count++;
    }
    for (size_t i = 0; i < problem->nodes.count; i++) {
        nodes[i].before.first = before;
        nodes[i].after.first = after;
        before += nodes[i].before.count;
        after += nodes[i].after.count;
        nodes[i].before.count = nodes[i].after.count = 0;
    }
    for (size_t i = 0; i < count; i++) {
        const struct peak_edge *edge = &problem->edges.items[i];
        struct peak_list *to = &nodes[edge->before].after, *from = &nodes[edge->after].before;

        problem->after[to->first + to->count++] = edge->after;
        problem->before[from->first + from->count++] = edge->before;
    }
}

/* Whatever order: is @node never the last that reads @value? */
static bool is_read_behind(const struct peak_problem *problem, const struct peak_node *node,
                           const struct peak_value *value)
{
    for (unsigned i = 0; i < node->after.count; i++)
        for (unsigned k = 0; k < value->readers.count && k < 8; k++)
            if (problem->readers[value->readers.first + value->readers.count - 1 - k] ==
                problem->after[node->after.first + i])
                return true;
    return false;
}

/* Does it need room for no longer than it runs? */
static bool has_extra(const struct peak_problem *problem, const struct peak_node *node)
{
    bool is_any = node->extra > 0;

    for (unsigned i = 0; i < node->makes.count; i++) {
        const struct peak_value *value =
            &problem->values.items[problem->makes.items[node->makes.first + i].value];

        is_any |= !value->is_kept && value->readers.count == 0;
    }
    return is_any;
}

static bool is_lazy(const struct peak_problem *problem, const struct peak_node *node)
{
    if (has_extra(problem, node) || node->after.count == 0)
        return false;
    for (unsigned i = 0; i < node->before.count; i++)
        if (!problem->nodes.items[problem->before[node->before.first + i]].is_lazy)
            return false;
    for (unsigned i = 0; i < node->reads.count; i++) {
        const struct peak_value *value =
            &problem->values.items[problem->reads.items[node->reads.first + i]];

        if (!value->is_kept && !is_read_behind(problem, node, value))
            return false;
    }
    return true;
}

static bool may_die(const void *state, unsigned value)
{
    const struct peak_problem *problem = state;

    return !problem->values.items[value].is_kept;
}

static int64_t sum_of(int64_t a, int64_t b)
{
    return a > PEAK_LARGEST - b ? PEAK_LARGEST : a + b;
}

static int64_t made_bytes(const struct peak_problem *problem, const struct peak_node *node)
{
    int64_t bytes = 0;

    for (unsigned i = 0; i < node->makes.count; i++)
        bytes += problem->values.items[problem->makes.items[node->makes.first + i].value].bytes;
    return bytes;
}

static int64_t least_of(const struct peak_problem *problem, unsigned index)
{
    const struct peak_node *node = &problem->nodes.items[index];
    int64_t bytes = sum_of(node->extra, made_bytes(problem, node));

    for (unsigned i = 0; i < node->reads.count; i++)
        bytes =
            sum_of(bytes, problem->values.items[problem->reads.items[node->reads.first + i]].bytes);
    return bytes - peak_taken(problem, index, may_die, problem);
}

/* Sizes whose sum is a number: what does not fit counts as nothing. */
static void limit_sizes(struct peak_problem *problem)
{
    int64_t left = PEAK_LARGEST;

    for (size_t i = 0; i < problem->values.count; i++) {
        int64_t *bytes = &problem->values.items[i].bytes;

        *bytes = *bytes < 0 || *bytes > left ? 0 : *bytes;
        left -= *bytes;
    }
    if (problem->base > PEAK_LARGEST)
        problem->base = PEAK_LARGEST;
}

void peak_finish(struct peak_problem *problem)
{
    struct peak_node *nodes = problem->nodes.items;

    limit_sizes(problem);
    find_readers(problem);
    find_neighbours(problem);
    problem->is_plain = true;
    for (unsigned i = 0; i < problem->nodes.count; i++) {
        unsigned takers = 0;

        nodes[i].is_lazy = is_lazy(problem, &nodes[i]);
        nodes[i].least = least_of(problem, i);
        for (unsigned k = 0; k < nodes[i].makes.count; k++)
            takers += problem->makes.items[nodes[i].makes.first + k].takes.count > 0;
        problem->is_plain &= takers < 2;
    }
}

void peak_release(struct peak_problem *problem)
{
    array_finish(&problem->values);
    array_finish(&problem->nodes);
    array_finish(&problem->makes);
    array_finish(&problem->reads);
    array_finish(&problem->takes);
    array_finish(&problem->edges);
    arena_finish(&problem->arena);
}

/* ---- running ---- */

/* Is @value one of those that the makes of @node in front of @make took? */
static bool is_gone(const unsigned *taken, unsigned count, unsigned value)
{
    for (unsigned i = 0; i < count; i++)
        if (taken[i] == value)
            return true;
    return false;
}

int64_t peak_taken(const struct peak_problem *problem, unsigned node, peak_dies_fn *dies,
                   const void *state)
{
    enum { TAKEN_LIMIT = 16 };
    const struct peak_list *makes = &problem->nodes.items[node].makes;
    unsigned taken[TAKEN_LIMIT], count = 0;
    int64_t bytes = 0;

    for (unsigned i = 0; i < makes->count && count < TAKEN_LIMIT; i++) {
        const struct peak_make *make = &problem->makes.items[makes->first + i];

        for (unsigned k = 0; k < make->takes.count; k++) {
            unsigned value = problem->takes.items[make->takes.first + k];

            if (is_gone(taken, count, value) || !dies(state, value))
                continue;
            taken[count++] = value;
            bytes += problem->values.items[value].bytes;
            break;
        }
    }
    return bytes;
}

void peak_begin(struct peak_run *run, const struct peak_problem *problem, struct arena *arena)
{
    *run = (struct peak_run){.problem = problem, .held = problem->base};
    run->left = arena_array(arena, unsigned, problem->values.count + 1);
    for (size_t i = 0; i < problem->values.count; i++) {
        const struct peak_value *value = &problem->values.items[i];

        run->left[i] = value->readers.count;
        if (value->maker == PEAK_NONE)
            run->held += value->bytes;
    }
    run->peak = run->held;
}

static bool dies_now(const void *state, unsigned value)
{
    const struct peak_run *run = state;

    return !run->problem->values.items[value].is_kept && run->left[value] == 1;
}

int64_t peak_step(struct peak_run *run, unsigned index)
{
    const struct peak_problem *problem = run->problem;
    const struct peak_node *node = &problem->nodes.items[index];
    const struct peak_value *values = problem->values.items;
    int64_t made = made_bytes(problem, node);
    int64_t step = run->held + made - peak_taken(problem, index, dies_now, run) + node->extra;

    run->held += made;
    for (unsigned i = 0; i < node->makes.count; i++) {
        const struct peak_value *value = &values[problem->makes.items[node->makes.first + i].value];

        if (!value->is_kept && value->readers.count == 0)
            run->held -= value->bytes;
    }
    for (unsigned i = 0; i < node->reads.count; i++) {
        unsigned value = problem->reads.items[node->reads.first + i];

        if (--run->left[value] == 0 && !values[value].is_kept)
            run->held -= values[value].bytes;
    }
    run->peak = step > run->peak ? step : run->peak;
    return step;
}

int64_t peak_of(const struct peak_problem *problem, const unsigned *order, int64_t *steps)
{
    struct arena arena = {0};
    struct peak_run run;

    peak_begin(&run, problem, &arena);
    for (size_t i = 0; i < problem->nodes.count; i++) {
        int64_t step = peak_step(&run, order[i]);

        if (steps)
            steps[i] = step;
    }
    arena_finish(&arena);
    return run.peak;
}

bool peak_is_order(const struct peak_problem *problem, const unsigned *order)
{
    struct arena arena = {0};
    size_t count = problem->nodes.count;
    unsigned *place = arena_array(&arena, unsigned, count + 1); /* + 1; 0: not met */
    bool is_fine = true;

    for (size_t i = 0; i < count && is_fine; i++) {
        is_fine = order[i] < count && place[order[i]] == 0;
        if (is_fine)
            place[order[i]] = (unsigned)i + 1;
    }
    for (size_t i = 0; i < problem->edges.count && is_fine; i++)
        is_fine = place[problem->edges.items[i].before] < place[problem->edges.items[i].after];
    arena_finish(&arena);
    return is_fine;
}

int64_t peak_least(const struct peak_problem *problem)
{
    int64_t least = 0;

    for (size_t i = 0; i < problem->nodes.count; i++)
        if (problem->nodes.items[i].least > least)
            least = problem->nodes.items[i].least;
    return least + problem->base;
}
