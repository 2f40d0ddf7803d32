/* See artifact_levels.h. */
#include "driver/artifact_levels.h"

#include "analysis/stack_need.h"
#include "ir/arith.h"
#include "ir/build.h"

#include <string.h>

/* --- which --- */

static bool refuse(struct driver *driver, const char *why)
{
    diag_report(driver->diag, (struct location){0}, TARGET_LEVELS, driver->options->cpu, why);
    return false;
}

bool artifact_levels_are_asked(const struct driver_options *options)
{
    return options->cpu && strchr(options->cpu, ',');
}

/* All of its rows are levels; "v3" is enough of a name.  NULL: @name is none. */
static const struct target_cpu_info *find_level(const char *name, size_t length,
                                                unsigned *out_number)
{
    static const char prefix[] = "x86-64-";

    *out_number = 0;
    for (size_t i = 0; i < target_cpu_count; i++) {
        const struct target_cpu_info *row = &target_cpus[i];
        size_t skipped =
            strncmp(row->name, prefix, sizeof(prefix) - 1) == 0 ? sizeof(prefix) - 1 : 0;
        if (row->machine != TARGET_X86_64)
            continue;
        ++*out_number;
        if ((strlen(row->name) == length && memcmp(row->name, name, length) == 0) ||
            (strlen(row->name + skipped) == length &&
             memcmp(row->name + skipped, name, length) == 0))
            return row;
    }
    return NULL;
}

/* In its place by number; false: it is there. */
static bool insert(struct artifact_options *out, struct artifact_level level)
{
    size_t place = out->level_count;

    for (; place > 0 && out->levels[place - 1].number >= level.number; place--)
        if (out->levels[place - 1].number == level.number)
            return false;
    memmove(&out->levels[place + 1], &out->levels[place],
            (out->level_count++ - place) * sizeof(level));
    out->levels[place] = level;
    return true;
}

static bool add_level(struct driver *driver, const char *name, size_t length,
                      struct artifact_options *out)
{
    struct arena *arena = &driver->arena;
    struct artifact_level level = {0};
    const struct target_cpu_info *row = find_level(name, length, &level.number);

    if (!row)
        return refuse(driver,
                      arena_printf(arena, "`%.*s` is no level of x86-64: x86-64, v2, v3, v4",
                                   (int)length, name));
    (void)target_find(target_machines[TARGET_X86_64].name, row->name, &level.target);
    if (driver->options->vector_bytes)
        target_limit(&level.target, driver->options->vector_bytes);
    return insert(out, level) ||
           refuse(driver, arena_printf(arena, "`%s` is there twice", row->name));
}

bool artifact_levels_read(struct driver *driver, struct artifact_options *out)
{
    const struct driver_options *options = driver->options;
    struct target basis;

    (void)target_find(options->machine, NULL, &basis);
    if (basis.machine != TARGET_X86_64)
        return basis.machine == TARGET_MACHINE_COUNT && options->machine
                   ? true /* which is reported by who needs it */
                   : refuse(driver, "only x86_64 has levels that can be in one artifact");
    if (options->features)
        return refuse(driver, "--features changes one processor");
    for (const char *p = options->cpu; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
        if (!add_level(driver, p, strcspn(p, ","), out))
            return false;
    (void)target_find(target_machines[TARGET_X86_64].name, NULL, &basis);
    driver->target = basis;
    driver->has_target = true;
    return true;
}

/* --- passes --- */

bool artifact_levels_make(struct driver *driver, struct artifact_options *options,
                          struct ir_module *module, artifact_passes_fn *passes, void *state)
{
    struct target basis = driver->target;
    bool is_good = true;

    for (size_t i = 0; i < options->level_count; i++)
        options->levels[i].module = i ? ir_module_clone(module) : module;
    for (size_t i = 0; is_good && i < options->level_count; i++) {
        size_t said = diag_message_count(driver->diag);
        driver->target = options->levels[i].target;
        is_good = passes(state, &options->levels[i].module, i == 0);
        if (i && is_good)
            diag_truncate(driver->diag, said); /* the same as for the first */
    }
    driver->target = basis;
    return is_good;
}

void artifact_levels_finish(struct artifact_options *options)
{
    for (size_t i = 1; i < options->level_count; i++)
        if (options->levels[i].module)
            ir_module_destroy(options->levels[i].module);
}

/* --- how they are called --- */

static bool is_alike(const struct c_function *a, const struct c_function *b)
{
    bool is_good = strcmp(a->name, b->name) == 0 && a->params.count == b->params.count &&
                   a->function->param_count == b->function->param_count;

    for (size_t i = 0; is_good && i < a->params.count; i++) {
        const struct c_param *x = &a->params.items[i], *y = &b->params.items[i];
        is_good = x->base.kind == y->base.kind && x->base.leaf == y->base.leaf &&
                  x->result == y->result && strcmp(x->type, y->type) == 0;
    }
    return is_good;
}

/* The need of @other, in the symbols of @function. */
static const struct ir_expr *need_of(struct ir_context *context, const struct c_function *function,
                                     const struct c_function *other)
{
    struct ir_bindings bindings = {0};

    for (unsigned i = 0; i < function->function->param_count; i++) {
        const struct ir_value *to = function->function->params[i];
        const struct ir_value *from = other->function->params[i];
        ir_type_match(context, from->type, to->type, &bindings);
        if (from->var && to->var)
            array_push(&bindings, (struct ir_binding){from->var, ir_expr_var(context, to->var)});
    }
    const struct ir_expr *need = ir_expr_substitute(context, other->need, &bindings);

    array_finish(&bindings);
    return need;
}

bool artifact_levels_join(struct c_view *views, const struct artifact_options *options,
                          struct diag *diag)
{
    for (size_t i = 1; i < options->level_count; i++) {
        bool is_good = views[0].functions.count == views[i].functions.count;
        for (size_t f = 0; is_good && f < views[0].functions.count; f++) {
            struct c_function *function = &views[0].functions.items[f];
            const struct c_function *other = &views[i].functions.items[f];
            is_good = is_alike(function, other);
            if (is_good)
                c_view_set_need(function, stack_max(views[0].context, function->need,
                                                    need_of(views[0].context, function, other)));
        }
        if (!is_good) {
            diag_report(diag, (struct location){0}, ARTIFACT_LEVELS, options->levels[0].target.cpu,
                        options->levels[i].target.cpu);
            return false;
        }
    }
    return true;
}
