#include "driver/max_arena.h"

#include "analysis/stack_need.h"
#include "analysis/storage/storage.h"
#include "driver/plan_report.h"
#include "ir/arith.h"
#include "ir/build.h"

enum {
    ATTEMPTS = 4,
    SHOWN = 8, /* values that a message names */
    BLAME_STEPS = 20000000,
};

/* What a function and those that it calls hold at once. */
struct need {
    int64_t bytes;
    const char *unknown; /* why it has no number, or NULL */
};

struct measure {
    struct driver *driver;
    struct plan_report report;
    struct storage_module facts;
    struct stack_needs stack;
    struct map views, needs; /* function -> struct plan_view, struct need */
    struct sizes sizes;
};

/* ---- needs ---- */

static int64_t add(int64_t a, int64_t b)
{
    int64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

/* What the callees of @node, which were looked at before, hold at most. */
static struct need callees_of(const struct measure *m, const struct storage_node *node)
{
    struct need most = {0};

    if (node->is_recursive)
        return (struct need){.unknown = "it calls itself, and holds what it takes in each turn"};
    for (size_t i = 0; i < node->callees.count; i++) {
        const struct need *callee = map_get(&m->needs, node->callees.items[i]->function);

        if (callee && callee->bytes > most.bytes)
            most.bytes = callee->bytes;
        if (callee && callee->unknown)
            most.unknown = callee->unknown;
    }
    return most;
}

struct own {
    struct measure *measure;
    struct stack_places places;
    int64_t bytes;
};

static bool add_own(void *state, struct ir_op *op)
{
    struct own *own = state;
    struct ir_context *context = own->measure->driver->context;
    int64_t number = 0;

    if (!op->block || !stack_end(&own->places, op))
        return true;
    const struct ir_type *type = op->operand_count ? op->operands[0].value->type : NULL;
    const struct ir_expr *bytes = ir_type_bytes(context, op->result.type);

    if (!bytes && type && type->kind == IR_TYPE_SHAPE && type->dims && type->ndim == 1)
        bytes = type->dims[0];
    if (bytes &&
        ir_expr_constant(context, stack_round(context, sizes_apply(&own->measure->sizes, bytes)),
                         &number))
        own->bytes = add(own->bytes, number);
    return true;
}

/* What the function itself, and not what it calls, has on the stack of a run. */
static int64_t own_stack(struct measure *m, const struct ir_function *function)
{
    struct own own = {.measure = m};

    stack_places_find(&own.places, function, NULL);
    (void)ir_region_walk(function->body, add_own, &own);
    stack_places_finish(&own.places);
    return own.bytes;
}

/* Bytes that kernels take for themselves, and what callees have on the stack. */
static struct need scratch_of(struct measure *m, const struct ir_function *function)
{
    const struct stack_need *stack = stack_needs_of(&m->stack, function);
    struct need need = {0};

    if (!stack->bytes)
        need.unknown = arena_printf(&m->driver->arena, "%s", stack->why);
    else if (ir_expr_constant(m->driver->context, sizes_apply(&m->sizes, stack->bytes),
                              &need.bytes))
        need.bytes -= own_stack(m, function);
    if (need.bytes < 0)
        need.bytes = 0;
    return need;
}

static void measure_function(struct measure *m, const struct storage_node *node)
{
    const struct plan_view *view = map_get(&m->views, node->function);
    struct need *need = arena_new(&m->driver->arena, struct need);

    struct need scratch = scratch_of(m, node->function);

    *need = callees_of(m, node);
    if (need->bytes < scratch.bytes)
        need->bytes = scratch.bytes;
    need->bytes = add(need->bytes, plan_view_bytes(view));
    if (view->is_open && !need->unknown)
        need->unknown = "sizes in it are not known: `--dim` says what symbols are";
    if (!need->unknown)
        need->unknown = scratch.unknown;
    map_set(&m->needs, node->function, need);
}

static void begin(struct measure *m, struct driver *driver, struct ir_module *module)
{
    size_t next = 0;

    *m = (struct measure){.driver = driver};
    sizes_init(&m->sizes, driver->context, driver->options);
    plan_report_make(&m->report, module, &m->sizes);
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            map_set(&m->views, module->globals[i]->function, &m->report.functions.items[next++]);
    stack_needs_find(&m->stack, module,
                     &(struct stack_options){.threads = m->driver->options->threads});
    storage_module_init(&m->facts, module);
    for (size_t i = 0; i < m->facts.node_count; i++)
        measure_function(m, m->facts.order[i]);
}

static void end(struct measure *m)
{
    storage_module_finish(&m->facts);
    stack_needs_finish(&m->stack);
    map_finish(&m->views);
    map_finish(&m->needs);
    plan_report_finish(&m->report);
    sizes_finish(&m->sizes);
}

/* The function that needs most, or the first whose need is not known; NULL: none. */
static const struct ir_function *neediest(const struct measure *m, struct need *out)
{
    const struct ir_function *found = NULL;

    *out = (struct need){0};
    for (size_t i = 0; i < m->facts.node_count; i++) {
        const struct ir_function *function = m->facts.order[i]->function;
        const struct need *need = map_get(&m->needs, function);

        if (need->unknown && !out->unknown) {
            found = function;
            *out = *need;
        } else if (!out->unknown && need->bytes > out->bytes) {
            found = function;
            *out = *need;
        }
    }
    return found;
}

/* ---- who is to blame ---- */

static void put_value(struct text *text, const struct plan_box *box)
{
    text_printf(text, "%s`%s` (%lld)", text->length ? ", " : "", box->name,
                (long long)box->item.size);
}

/* Values that cannot have @room together, whatever their places are. */
static void name_values(struct measure *m, struct diag_message *message,
                        const struct plan_view *view, int64_t room)
{
    struct arena *arena = &m->driver->arena;
    size_t count = view->boxes.count, blamed_count;
    struct pack_item *items = arena_array(arena, struct pack_item, count + 1);
    size_t *blamed = arena_array(arena, size_t, count + 1);
    struct pack_limits limits = {.capacity = room, .seconds = 1, .steps = BLAME_STEPS};
    struct text names = {0};
    bool is_irreducible = false;

    for (size_t i = 0; i < count; i++)
        items[i] = (struct pack_item){.lower = view->boxes.items[i].item.lower,
                                      .upper = view->boxes.items[i].item.upper,
                                      .size = view->boxes.items[i].item.size};
    blamed_count = pack_blame(items, count, &limits, blamed, &is_irreducible, arena);
    for (size_t i = 0; i < blamed_count; i++) {
        const struct plan_box *box = &view->boxes.items[blamed[i]];

        if (i < SHOWN)
            put_value(&names, box);
        if (i < SHOWN && box->loc.source)
            diag_label(message, box->loc, "`%s`: %lld bytes, steps %lld to %lld", box->name,
                       (long long)box->item.size, (long long)box->item.lower,
                       (long long)box->item.upper);
    }
    if (blamed_count > 0)
        diag_note(message, "these cannot be held in %lld bytes%s: %s%s", (long long)room,
                  is_irreducible && blamed_count > 1 ? ", and can without any one of them" : "",
                  text_string(&names), blamed_count > SHOWN ? ", ..." : "");
    else
        diag_note(message,
                  "no step needs more than %lld bytes: the rest lies apart from the piece of "
                  "storage, which is held to its end, or between places in it",
                  (long long)view->lower_bound);
    text_finish(&names);
}

static void refuse(struct measure *m, const struct ir_function *function, const struct need *need)
{
    const struct plan_view *view = map_get(&m->views, function);
    int64_t limit = m->driver->options->max_arena, own = plan_view_bytes(view);
    struct diag_message *message =
        diag_report(m->driver->diag, function->loc, ARENA_NO_ROOM, function->name,
                    (long long)need->bytes, (long long)limit);

    if (own < need->bytes)
        diag_note(
            message,
            "%lld bytes are its own, and %lld are scratch of kernels, or held by what it calls",
            (long long)own, (long long)(need->bytes - own));
    name_values(m, message, view, limit > need->bytes - own ? limit - (need->bytes - own) : 0);
    diag_help(message,
              "`inlay plan` shows all values with their lives, `inlay why` what could be in "
              "place and is not; smaller sizes need less");
}

static void refuse_unknown(struct measure *m, const struct ir_function *function,
                           const struct need *need)
{
    struct diag_message *message =
        diag_report(m->driver->diag, function->loc, ARENA_NOT_KNOWN, function->name);

    diag_note(message, "%s", need->unknown);
}

/* ---- running ---- */

/*
 * What is too much, or 0; INT64_MAX if that is not known.  Reports it if @is_last.  *@target is lowered to
 * what the values of the function that needs most would have to fit into.
 */
static int64_t excess_of(struct driver *driver, struct ir_module *module, bool is_last,
                         int64_t *target)
{
    int64_t limit = driver->options->max_arena, excess = 0;
    struct measure m;
    struct need need;

    begin(&m, driver, module);
    const struct ir_function *function = neediest(&m, &need);

    if (function && need.unknown)
        excess = INT64_MAX;
    else if (function && need.bytes > limit)
        excess = need.bytes - limit;
    if (excess > 0 && excess < INT64_MAX) {
        int64_t own = plan_view_bytes(map_get(&m.views, function));

        *target = (own < *target ? own : *target) - excess;
    }
    if (excess == INT64_MAX)
        refuse_unknown(&m, function, &need);
    else if (excess > 0 && is_last)
        refuse(&m, function, &need);
    end(&m);
    return excess;
}

bool max_arena_run(struct driver *driver, struct ir_module **module, max_arena_run_fn *run,
                   void *state, struct inplace_decisions *decisions)
{
    struct pass_max_arena limit = {.bytes = driver->options->max_arena};
    if (driver->options->judges_arena_later)
        return run(driver, module, &limit, state);
    struct ir_module *given = ir_module_clone(*module);
    bool is_good = false;

    for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (!run(driver, module, &limit, state))
            break;
        int64_t excess = excess_of(driver, *module, false, &limit.bytes);
        bool is_last = attempt + 1 == ATTEMPTS || !limit.is_asked || limit.bytes <= 0;

        is_good = excess == 0;
        if (is_good || excess == INT64_MAX)
            break;
        if (is_last) {
            (void)excess_of(driver, *module, true, &limit.bytes);
            break;
        }
        array_push(&driver->retired, *module);
        *module = ir_module_clone(given);
        if (decisions)
            decisions->count = 0;
    }
    ir_module_destroy(given);
    return is_good;
}
