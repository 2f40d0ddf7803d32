/*
 * Memory: the plan that the module states (plan_report.h), as remarks on its storages.
 *
 * The peak is the step at which the storages that live are largest together.  A storage that lies nowhere where
 * another one lay says why: by the lives and the places of the plan.
 */
#include "driver/plan_report.h"
#include "driver/remarks.h"

#include <string.h>

static const char PLANNER[] = "PlanMemory", DECIDER[] = "InplaceCalls";

struct gather {
    struct ir_context *context;
    const struct plan_view *view;
    const struct inplace_decisions *decisions;
    struct remark_items *out;
    int64_t peak; /* the step; -1: there is none */
};

/* Names of the report go with it. */
static const char *atom_of(const struct gather *g, const char *name)
{
    return atom_intern_text(&g->context->atoms, name);
}

static bool lives_at(const struct plan_box *box, int64_t step)
{
    return box->item.lower <= step && step < box->item.upper;
}

static int64_t held_at(const struct plan_view *view, int64_t step)
{
    int64_t sum = 0;

    for (size_t i = 0; i < view->boxes.count; i++)
        if (lives_at(&view->boxes.items[i], step) &&
            __builtin_add_overflow(sum, view->boxes.items[i].item.size, &sum))
            return INT64_MAX;
    return sum;
}

/* More is held only where a storage begins. */
static int64_t find_peak(const struct plan_view *view, int64_t *out_bytes)
{
    int64_t peak = -1;

    *out_bytes = 0;
    for (size_t i = 0; i < view->boxes.count; i++) {
        int64_t step = view->boxes.items[i].item.lower, held = held_at(view, step);

        if (held > *out_bytes) {
            *out_bytes = held;
            peak = step;
        }
    }
    return peak;
}

/* ---- who lies where ---- */

static bool has_place(const struct plan_box *box)
{
    return !box->is_apart && !box->offset && !box->size;
}

static bool share_bytes(const struct plan_box *a, const struct plan_box *b)
{
    return a->item.offset < b->item.offset + b->item.size &&
           b->item.offset < a->item.offset + a->item.size;
}

/* The one whose bytes @box has now, that ended last; NULL: none had them. */
static const struct plan_box *find_before(const struct plan_view *view, const struct plan_box *box)
{
    const struct plan_box *found = NULL;

    for (size_t i = 0; i < view->boxes.count; i++) {
        const struct plan_box *other = &view->boxes.items[i];

        if (has_place(other) && other->item.upper <= box->item.lower && share_bytes(box, other) &&
            (!found || other->item.upper > found->item.upper))
            found = other;
    }
    return found;
}

/* The largest that has ended when @box is made; NULL: none has. */
static const struct plan_box *find_ended(const struct plan_view *view, const struct plan_box *box)
{
    const struct plan_box *found = NULL;

    for (size_t i = 0; i < view->boxes.count; i++) {
        const struct plan_box *other = &view->boxes.items[i];

        if (has_place(other) && other->item.upper <= box->item.lower &&
            (!found || other->item.size > found->item.size))
            found = other;
    }
    return found;
}

/* The one that lives with @box and lies where @ended lay; NULL: none does. */
static const struct plan_box *find_taker(const struct plan_view *view, const struct plan_box *box,
                                         const struct plan_box *ended)
{
    for (size_t i = 0; i < view->boxes.count; i++) {
        const struct plan_box *other = &view->boxes.items[i];

        if (other != box && has_place(other) && share_bytes(other, ended) &&
            other->item.lower >= ended->item.upper && other->item.lower < box->item.upper &&
            box->item.lower < other->item.upper)
            return other;
    }
    return NULL;
}

static void add_reuse(const struct gather *g, const struct plan_box *box, struct remark_item *item)
{
    const struct plan_box *before = has_place(box) ? find_before(g->view, box) : NULL;
    const struct plan_box *ended = find_ended(g->view, box), *taker = NULL;
    struct remark why = {.id = REMARK_ME_FIRST};

    if (before) {
        remark_add_part(item, NULL, PLANNER,
                        (struct remark){.id = REMARK_ME_REUSES,
                                        .name = atom_of(g, before->name),
                                        .a = before->item.upper});
        return;
    }
    if (box->result || box->is_apart) {
        why.id = box->result ? REMARK_ME_WITH_CALLER : REMARK_ME_APART;
    } else if (ended && !has_place(box)) {
        return; /* whether it would have room there is known when it runs */
    } else if (ended) {
        bool is_smaller = ended->item.size < box->item.size;
        taker = is_smaller ? NULL : find_taker(g->view, box, ended);
        if (!is_smaller && !taker)
            return; /* the plan needs no place there to be as low */
        why = (struct remark){.id = is_smaller ? REMARK_ME_ALL_SMALLER : REMARK_ME_ROOM_TAKEN,
                              .name = atom_of(g, ended->name),
                              .other = taker ? atom_of(g, taker->name) : NULL,
                              .a = taker ? taker->item.upper : ended->item.size};
    }
    remark_add_part(item, "reuse", PLANNER, why);
}

/* ---- in place ---- */

static void add_taken(const struct gather *g, const struct plan_box *box, struct remark_item *item)
{
    for (size_t i = 1; i < box->owners.count && item->part_count + 2 < REMARK_PARTS; i++)
        remark_add_part(
            item, NULL, DECIDER,
            (struct remark){.id = box->size ? REMARK_ME_TAKEN_OVER_OPEN : REMARK_ME_TAKEN_OVER,
                            .name = atom_of(g, box->owners.items[i].name),
                            .a = box->item.size});
}

/* Why its first value has storage of its own. */
static void add_not_taken(const struct gather *g, const struct plan_box *box,
                          struct remark_item *item)
{
    struct arena arena = {0};

    for (size_t i = 0; i < g->decisions->count; i++) {
        const struct inplace_decision *decision = &g->decisions->items[i];

        if (!decision->result || strcmp(decision->function, g->view->name) != 0 ||
            strcmp(decision->result, box->name) != 0 || decision->verdict == INPLACE_DONE ||
            decision->verdict == INPLACE_VIEW || !decision->value)
            continue;
        remark_add_part(
            item, "storage taken over", DECIDER,
            (struct remark){.id = REMARK_ME_NOT_TAKEN,
                            .name = decision->value,
                            .other = atom_of(g, inplace_explain(&arena, decision).reason)});
        break;
    }
    arena_finish(&arena);
}

/* ---- items ---- */

static void add_box(const struct gather *g, const struct plan_box *box)
{
    struct remark_item item = {.topic = REMARK_ME,
                               .function = g->view->name,
                               .subject = atom_of(g, box->name),
                               .loc = box->loc};
    struct remark held = {.id = lives_at(box, g->peak) ? REMARK_ME_AT_PEAK : REMARK_ME_BELOW_PEAK,
                          .a = box->item.size,
                          .b = box->item.upper,
                          .first = {box->end, "needed until here"}};

    if (box->size) {
        held.id = REMARK_ME_OPEN_SIZE;
        held.name = atom_of(g, box->size);
    }
    remark_add_part(&item, NULL, PLANNER, held);
    add_taken(g, box, &item);
    add_reuse(g, box, &item);
    add_not_taken(g, box, &item);
    array_push(g->out, item);
}

static void add_plan(const struct gather *g, int64_t bytes)
{
    const struct plan_view *view = g->view;
    struct remark_item item = {.topic = REMARK_ME, .function = view->name, .subject = "the plan"};
    struct remark peak = {.id = REMARK_ME_PEAK, .a = bytes, .b = g->peak};

    for (size_t i = 0; i < view->boxes.count; i++)
        if (view->boxes.items[i].item.lower == g->peak)
            item.loc = view->boxes.items[i].loc;
    if (view->is_open)
        peak = (struct remark){.id = REMARK_ME_OPEN_PEAK,
                               .name = view->bytes ? atom_of(g, view->bytes) : "an open number of"};
    remark_add_part(&item, NULL, PLANNER, peak);
    if (view->is_proved)
        remark_add_part(&item, NULL, PLANNER, (struct remark){.id = REMARK_ME_LOWEST});
    else if (!view->is_open)
        remark_add_part(&item, "lower plan", PLANNER,
                        (struct remark){.id = REMARK_ME_GAP,
                                        .a = plan_view_bytes(view),
                                        .b = view->lower_bound});
    array_push(g->out, item);
}

static void gather(struct gather *g)
{
    int64_t bytes;

    if (g->view->boxes.count == 0)
        return;
    g->peak = find_peak(g->view, &bytes);
    add_plan(g, bytes);
    for (int is_below = 0; is_below < 2; is_below++) /* first those at the peak */
        for (size_t i = 0; i < g->view->boxes.count; i++)
            if (lives_at(&g->view->boxes.items[i], g->peak) == !is_below)
                add_box(g, &g->view->boxes.items[i]);
}

void remarks_of_memory(struct driver *driver, struct ir_module *module, struct sizes *sizes,
                       const struct inplace_decisions *decisions, struct remark_items *out)
{
    struct plan_report report;

    plan_report_make(&report, module, sizes);
    for (size_t i = 0; i < report.functions.count; i++)
        gather(&(struct gather){.context = driver->context,
                                .view = &report.functions.items[i],
                                .decisions = decisions,
                                .out = out});
    plan_report_finish(&report);
}
