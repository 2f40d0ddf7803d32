/*
 * All functions of a module, callees first.
 *
 * Functions that call each other in a circle are replayed until nothing more is found; what is not
 * known yet counts as "does nothing and never returns", so what is found in the end is the least
 * that explains itself.  Only then is anything refused.
 */
#include "analysis/verify_storage/internal.h"

/* ---- who calls whom ---- */

static bool note_call(void *state, struct ir_op *op)
{
    struct vs_summary *summary = ((struct vs_summary **)state)[0];
    struct vs_module *m = ((struct vs_module **)state)[1];
    const struct ir_global *callee = ir_op_is(op, IR_CORE_call) ? ir_op_callee(op) : NULL;

    if (callee && callee->kind == IR_GLOBAL_FUNCTION)
        array_push(&summary->callees, map_get(&m->summaries, callee->function));
    return true;
}

static void start(struct vs_module *m)
{
    for (size_t i = 0; i < m->module->global_count; i++) {
        const struct ir_global *global = m->module->globals[i];

        if (global->kind != IR_GLOBAL_FUNCTION)
            continue;
        struct vs_summary *summary = vs_summary_new(m, global->function);

        map_set(&m->summaries, global->function, summary);
        array_push(&m->functions, summary);
    }
    for (size_t i = 0; i < m->functions.count; i++) {
        void *state[] = {m->functions.items[i], m};

        ir_region_walk(m->functions.items[i]->function->body, note_call, state);
    }
}

/* ---- circles ---- */

/* A function whose callees are looked at. */
struct visit {
    struct vs_summary *summary;
    size_t next;
};

struct search {
    struct vs_module *m;
    array(struct visit) visits;
    array(struct vs_summary *) open; /* those whose circle is not closed yet */
    unsigned last;
};

static bool calls_itself(const struct vs_summary *summary)
{
    for (size_t i = 0; i < summary->callees.count; i++)
        if (summary->callees.items[i] == summary)
            return true;
    return false;
}

/* Replays functions that all call each other, or one that calls itself or not. */
static void replay_circle(struct vs_module *m, struct vs_summary **members, size_t count)
{
    bool is_cyclic = count > 1 || calls_itself(members[0]);
    bool is_more = is_cyclic;

    for (size_t i = 0; i < count; i++)
        members[i]->is_cyclic = is_cyclic;
    while (is_more) {
        is_more = false;
        for (size_t i = count; i-- > 0;)
            is_more |= vs_replay_function(m, members[i], false);
    }
    for (size_t i = 0; i < count; i++)
        vs_replay_function(m, members[i], true);
}

static void close_circle(struct search *s, struct vs_summary *first)
{
    size_t from = s->open.count;

    do
        s->open.items[--from]->is_open = false;
    while (s->open.items[from] != first);
    replay_circle(s->m, &s->open.items[from], s->open.count - from);
    s->open.count = from;
}

static void visit(struct search *s, struct vs_summary *summary)
{
    struct visit visit = {summary, 0};

    summary->order = summary->low = ++s->last;
    summary->is_open = true;
    array_push(&s->open, summary);
    array_push(&s->visits, visit);
}

static void lower(struct vs_summary *summary, unsigned low)
{
    if (low < summary->low)
        summary->low = low;
}

/* Tarjan's strongly connected components: those that are called come out first. */
static void search_from(struct search *s, struct vs_summary *root)
{
    visit(s, root);
    while (s->visits.count) {
        struct visit *top = &array_last(&s->visits);
        struct vs_summary *summary = top->summary;

        if (top->next < summary->callees.count) {
            struct vs_summary *callee = summary->callees.items[top->next++];

            if (!callee->order)
                visit(s, callee);
            else if (callee->is_open)
                lower(summary, callee->order);
            continue;
        }
        s->visits.count--;
        if (s->visits.count)
            lower(array_last(&s->visits).summary, summary->low);
        if (summary->low == summary->order)
            close_circle(s, summary);
    }
}

/* ---- the check ---- */

static void replay_nested(struct vs_module *m)
{
    for (size_t i = 0; i < m->nested.count; i++)
        vs_replay_function(m, vs_summary_new(m, m->nested.items[i]), true);
}

static void finish(struct vs_module *m)
{
    for (size_t i = 0; i < m->functions.count; i++)
        array_finish(&m->functions.items[i]->callees);
    array_finish(&m->functions);
    array_finish(&m->nested);
    vs_kernels_finish(m);
    map_finish(&m->summaries);
    arena_finish(&m->arena);
}

bool verify_storage(struct ir_module *module, enum verify_storage_mode mode,
                    struct verify_storage_refusals *refusals)
{
    struct vs_module m = {
        .module = module, .context = module->context, .mode = mode, .refusals = refusals};
    struct search s = {.m = &m};
    size_t before = refusals->count;

    vs_library_init(&m);
    start(&m);
    for (size_t i = 0; i < m.functions.count; i++)
        if (!m.functions.items[i]->order)
            search_from(&s, m.functions.items[i]);
    replay_nested(&m);
    array_finish(&s.visits);
    array_finish(&s.open);
    finish(&m);
    return refusals->count == before;
}

bool verify_storage_may_share(struct ir_module *module, struct tir_func *kernel, unsigned written,
                              unsigned read, int64_t shift)
{
    struct vs_module m = {.module = module, .context = module->context};
    bool is_first = vs_kernel_reads_first(&m, vs_kernel_of(&m, kernel), read, written, shift);

    finish(&m);
    return is_first;
}

void verify_storage_finish(struct verify_storage_refusals *refusals)
{
    array_finish(refusals);
    arena_finish(&refusals->arena);
}

/* ---- does a module speak of memory? ---- */

static bool says_nothing(void *state, struct ir_op *op)
{
    uint32_t traits = op->info->traits;
    const struct ir_global *callee = ir_op_is(op, IR_CORE_call) ? ir_op_callee(op) : NULL;
    bool is_library = ir_op_is(op, IR_CORE_none);

    (void)state;
    if (ir_op_is(op, IR_CORE_function))
        return ir_region_walk(ir_op_attr(op, "function")->function->body, says_nothing, NULL);
    if ((callee && callee->kind == IR_GLOBAL_KERNEL) || vs_says_outside(op))
        return false;
    return !is_library || (!(traits & (IR_ALLOCATES | IR_ALIAS)) &&
                           (!(traits & IR_METADATA) || !ir_type_is_void(op->result.type)));
}

bool verify_storage_is_said(const struct ir_module *module)
{
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION &&
            !ir_region_walk(module->globals[i]->function->body, says_nothing, NULL))
            return true;
    return false;
}
