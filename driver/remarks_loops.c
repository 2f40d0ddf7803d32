/* Loops: what passes and code generation said of each, in the order of the text. */
#include "driver/remarks.h"

static const char GENERATOR[] = "CodeGeneration";

struct gather {
    const struct remarks *remarks;
    const struct tir_func *kernel;
    struct remark_items *out;
    unsigned depth;
};

static bool is_in_lanes(enum remark_id id)
{
    return id == REMARK_LP_LANES || id == REMARK_LP_LANES_MANY;
}

static bool is_shared(enum remark_id id)
{
    return id == REMARK_LP_TASKS || id == REMARK_LP_TASKS_OPEN;
}

/* Why it has not become what it could: by who refused it last. */
static void add_reason(struct remark_item *item, const char *role, const struct remark_loop *record,
                       const struct remark *refused, const struct remark *unasked)
{
    if (refused->id != REMARK_NONE)
        remark_add_part(item, role, GENERATOR, *refused);
    else if (unasked->id != REMARK_NONE)
        remark_add_part(item, role, record->pass, *unasked);
}

static void add_reasons(const struct gather *g, struct remark_item *item,
                        const struct remark_loop *record)
{
    enum remark_id made = record->made.id;

    if (is_shared(made) || made == REMARK_LP_UNROLLED || made == REMARK_LP_IN_LANES)
        return;
    if (!is_in_lanes(made))
        add_reason(item, "lanes", record, &record->made_lanes, &record->lanes);
    add_reason(item, "threads", record, &record->made_threads, &record->threads);
    if (item->part_count > 1 || is_in_lanes(made))
        return;
    /* nobody looked at it: there was no such pass, or one that comes later made it */
    remark_add_part(
        item, "lanes", g->remarks->looker ? g->remarks->looker : GENERATOR,
        (struct remark){.id = g->remarks->looker ? REMARK_LP_MADE_SO : REMARK_LP_NO_SCHEDULE});
}

static void gather_loop(struct gather *g, const struct tir_stmt *loop)
{
    struct remark_item item = {.topic = REMARK_LP,
                               .function = g->kernel->name,
                               .subject = loop->loop.var->name,
                               .loc = loop->loc,
                               .depth = g->depth};
    const struct remark_loop *record = remarks_find_loop(g->remarks, loop);
    const struct remark *equal = remarks_find_kernel(g->remarks, g->kernel);

    if (equal) {
        remark_add_part(&item, NULL, GENERATOR, *equal);
    } else if (!record || record->made.id == REMARK_NONE) {
        remark_add_part(&item, NULL, GENERATOR, (struct remark){.id = REMARK_LP_NO_CALL});
    } else {
        remark_add_part(&item, NULL, GENERATOR, record->made);
        add_reasons(g, &item, record);
    }
    array_push(g->out, item);
}

static void gather_stmt(struct gather *g, const struct tir_stmt *stmt)
{
    const struct tir_stmt *child;
    bool is_loop = stmt->kind == TIR_FOR;

    if (is_loop)
        gather_loop(g, stmt);
    g->depth += is_loop;
    for (unsigned i = 0; (child = tir_stmt_child(stmt, i)); i++)
        gather_stmt(g, child);
    g->depth -= is_loop;
}

bool remarks_of_loops(struct driver *driver, struct ir_module *module,
                      const struct codegen_options *options, struct remark_items *out)
{
    struct codegen_options asking = *options;
    struct gather g = {.remarks = driver->remarks, .out = out};

    asking.remarks = driver->remarks;
    if (!driver_compile(driver, module, &asking))
        return false;
    for (size_t i = 0; i < module->global_count; i++) {
        if (module->globals[i]->kind != IR_GLOBAL_KERNEL)
            continue;
        g.kernel = module->globals[i]->kernel;
        gather_stmt(&g, g.kernel->body);
    }
    return true;
}
