#include "passes/memory/plan_place.h"

#include "analysis/pack/pack.h"

enum { PAIR_LIMIT = 1 << 22 }; /* of items that are held against each other */

/* Items whose sizes are multiples of one unit. */
struct group {
    const struct ir_expr *unit; /* NULL: bytes */
    int64_t divisor;            /* of all counts */
    const struct ir_expr *step; /* what offsets are multiples of */
    array(unsigned) members;    /* in program order */
    int64_t *base;  /* by group in front of it: steps of that, the sum of which is its begin */
    int64_t height; /* in steps */
};

struct placing {
    struct pass_run *run;
    struct ir_context *context;
    struct plan_items *items;
    array(struct group) groups;
    unsigned *numbers;           /* by item: its number in its group */
    int64_t *ends;               /* by item: in steps from the begin of its group */
    const struct ir_expr *bytes; /* that all groups with a place take */
};

/* ---- groups ---- */

static int64_t greatest_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/*
 * Multiples of the alignment need no rounding, whatever their unit is; others would be rounded in each
 * step of it, and so are for themselves.
 */
static bool is_of(const struct group *group, const struct plan_item *item)
{
    if (!group->unit || !item->unit)
        return group->unit == item->unit;
    bool is_exact = item->count % PLAN_ALIGNMENT == 0;

    return ir_expr_equal(group->unit, item->unit) &&
           (is_exact ? group->divisor % PLAN_ALIGNMENT == 0 : group->divisor == item->count);
}

static struct group *group_of(struct placing *p, const struct plan_item *item)
{
    for (size_t i = 0; i < p->groups.count; i++)
        if (is_of(&p->groups.items[i], item))
            return &p->groups.items[i];
    array_push(&p->groups, (struct group){.unit = item->unit, .divisor = item->count});
    return &array_last(&p->groups);
}

/* Large groups first, which then begin where others would leave gaps in front of them. */
static void sort_groups(struct placing *p)
{
    for (size_t i = 1; i < p->groups.count; i++) {
        struct group group = p->groups.items[i];
        size_t at = i;

        for (; at > 0 && p->groups.items[at - 1].members.count < group.members.count; at--)
            p->groups.items[at] = p->groups.items[at - 1];
        p->groups.items[at] = group;
    }
}

static void find_groups(struct placing *p)
{
    for (size_t i = 0; i < p->items->count; i++) {
        const struct plan_item *item = &p->items->items[i];
        struct group *group = group_of(p, item);

        p->numbers[i] = (unsigned)group->members.count;
        array_push(&group->members, (unsigned)i);
        group->divisor = greatest_divisor(item->count, group->divisor);
    }
    sort_groups(p);
}

/* ---- steps ---- */

static const struct ir_expr *number(const struct placing *p, int64_t value)
{
    return ir_expr_int(p->context, IR_I64, value);
}

static const struct ir_expr *combine(const struct placing *p, enum ir_expr_kind kind,
                                     const struct ir_expr *a, const struct ir_expr *b)
{
    return ir_simplify(p->context, ir_expr_binary(p->context, kind, a, b));
}

/* @bytes rounded up to the alignment. */
static const struct ir_expr *round_up(const struct placing *p, const struct ir_expr *bytes)
{
    const struct ir_expr *alignment = number(p, PLAN_ALIGNMENT);

    if (ir_expr_is_int(combine(p, IR_EXPR_floormod, bytes, alignment), 0))
        return bytes;
    const struct ir_expr *more = combine(p, IR_EXPR_add, bytes, number(p, PLAN_ALIGNMENT - 1));

    return combine(p, IR_EXPR_mul, combine(p, IR_EXPR_floordiv, more, alignment), alignment);
}

static void set_step(const struct placing *p, struct group *group)
{
    group->step = number(p, 1);
    if (group->unit)
        group->step = round_up(p, combine(p, IR_EXPR_mul, group->unit, number(p, group->divisor)));
}

/* ---- packing ---- */

/* Bytes, or steps. */
static int64_t size_in(const struct group *group, const struct plan_item *item)
{
    if (group->unit)
        return item->count / group->divisor;
    return (item->count + PLAN_ALIGNMENT - 1) / PLAN_ALIGNMENT * PLAN_ALIGNMENT;
}

/* Widens the place of what @item does with. */
static void widen(struct pack_item *to, const struct plan_item *item, int64_t size)
{
    if (to->size < size)
        to->size = size;
    if (to->upper < (int64_t)item->upper)
        to->upper = item->upper;
}

static struct pack_item *pack_items(const struct placing *p, const struct group *group)
{
    struct pack_item *packed =
        arena_array(&p->run->scratch, struct pack_item, group->members.count + 1);

    for (size_t i = 0; i < group->members.count; i++) {
        const struct plan_item *item = &p->items->items[group->members.items[i]];

        packed[i] = (struct pack_item){.lower = item->lower,
                                       .upper = item->lower,
                                       .alignment = group->unit ? 1 : PLAN_ALIGNMENT};
        widen(&packed[p->numbers[item->same]], item, size_in(group, item));
    }
    return packed;
}

/* How long to search. */
static double seconds(const struct pass_run *run)
{
    return run->plan_seconds ? *run->plan_seconds
                             : (double)pass_option_int(run, "budget_ms") / 1000;
}

/* Steps of @group that are taken while something of @other lives. */
static int64_t end_beside(const struct placing *p, const struct group *group,
                          const struct group *other)
{
    const struct plan_item *items = p->items->items;
    int64_t end = 0;

    if (group->members.count > PAIR_LIMIT / (other->members.count + 1))
        return group->height;
    for (size_t i = 0; i < group->members.count; i++)
        for (size_t k = 0; k < other->members.count; k++) {
            unsigned a = group->members.items[i], b = other->members.items[k];

            if (items[a].lower < items[b].upper && items[b].lower < items[a].upper &&
                p->ends[a] > end)
                end = p->ends[a];
        }
    return end;
}

/* Begins behind what lives beside it of each group in front of it. */
static void set_base(struct placing *p, size_t number)
{
    struct group *groups = p->groups.items, *group = &groups[number];

    group->base = arena_array(&p->run->scratch, int64_t, number + 1);
    for (size_t i = 0; i < number; i++) {
        int64_t end = end_beside(p, &groups[i], group);

        if (end == 0)
            continue;
        for (size_t k = 0; k < i; k++)
            if (group->base[k] < groups[i].base[k])
                group->base[k] = groups[i].base[k];
        if (group->base[i] < end)
            group->base[i] = end;
    }
}

static const struct ir_expr *times(const struct placing *p, const struct group *group,
                                   int64_t steps)
{
    return combine(p, IR_EXPR_mul, group->step, number(p, steps));
}

static bool place_group(struct placing *p, size_t index)
{
    struct group *group = &p->groups.items[index];
    struct pack_item *packed = pack_items(p, group);
    size_t count = group->members.count, fault, other;
    struct pack_limits limits = {.capacity = -1, .seconds = seconds(p->run)};
    const struct ir_expr *base = number(p, 0);
    struct pack_result result;

    if (pack_check(packed, count, &fault, &other) != PACK_FINE ||
        !pack(packed, count, &limits, &result, &p->run->scratch))
        return false;
    set_step(p, group);
    group->height = result.height;
    set_base(p, index);
    for (size_t i = 0; i < index; i++)
        base = combine(p, IR_EXPR_add, base, times(p, &p->groups.items[i], group->base[i]));
    for (size_t i = 0; i < count; i++) {
        unsigned number = group->members.items[i];
        const struct pack_item *place = &packed[p->numbers[p->items->items[number].same]];

        p->ends[number] = place->offset + place->size;
        p->items->items[number].offset =
            combine(p, IR_EXPR_add, base, times(p, group, place->offset));
    }
    p->bytes = combine(p, IR_EXPR_max, p->bytes,
                       combine(p, IR_EXPR_add, base, times(p, group, group->height)));
    return true;
}

/* Sizes that no sum of them can overflow. */
static bool are_sizes_fine(const struct plan_items *items)
{
    int64_t sum = 0;

    for (size_t i = 0; i < items->count; i++)
        if (items->items[i].count > PACK_LARGEST - PLAN_ALIGNMENT ||
            (sum += items->items[i].count + PLAN_ALIGNMENT) > PACK_LARGEST)
            return false;
    return true;
}

const struct ir_expr *plan_place(struct pass_run *run, struct plan_items *items)
{
    struct placing p = {.run = run, .context = run->module->context, .items = items};
    bool is_fine = are_sizes_fine(items);

    p.numbers = arena_array(&run->scratch, unsigned, items->count + 1);
    p.ends = arena_array(&run->scratch, int64_t, items->count + 1);
    p.bytes = ir_expr_int(p.context, IR_I64, 0);
    if (is_fine)
        find_groups(&p);
    for (size_t i = 0; i < p.groups.count && is_fine; i++) {
        is_fine = place_group(&p, i);
    }
    for (size_t i = 0; i < p.groups.count; i++)
        array_finish(&p.groups.items[i].members);
    array_finish(&p.groups);
    return is_fine ? p.bytes : NULL;
}
