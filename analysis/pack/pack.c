/* Packing: greedy plans. */
#include "analysis/pack/pack_internal.h"

bool pack(struct pack_item *items, size_t count, const struct pack_limits *limits,
          struct pack_result *result, struct arena *scratch)
{
    struct pack_problem problem;
    struct pack_plan plan;

    pack_problem_init(&problem, items, count, scratch);
    plan.offsets = arena_array(scratch, int64_t, problem.count + 1);
    plan.height = 0;
    int64_t enough = limits->capacity > problem.bound ? limits->capacity : problem.bound;

    if (problem.count)
        pack_greedy(&problem, enough, &plan, scratch);
    *result = (struct pack_result){.height = plan.height, .lower_bound = problem.bound};
    result->fits = limits->capacity < 0 || plan.height <= limits->capacity;
    result->is_proved =
        plan.height == problem.bound || (limits->capacity >= 0 && limits->capacity < problem.bound);
    if (plan.height == INT64_MAX)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!items[i].is_fixed)
            items[i].offset = 0;
    for (uint32_t i = 0; i < problem.count; i++)
        items[problem.parts[i].item].offset = plan.offsets[i];
    return true;
}
