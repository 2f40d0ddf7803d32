/*
 * ElideConcat: values are made where a later kernel would copy them to.
 *
 *     p = R.call_tir(cls.f, (a,), ..)
 *     q = R.call_tir(cls.g, (b,), ..)
 *     r = R.call_tir(cls.concat, (p, q), ..)
 *  =>
 *     r_dest = R.builtin.alloc_tensor(..)
 *     p = R.call_tir_inplace(cls.f_part, (a, r_dest), .., inplace_indices=[1])
 *     r = R.call_tir_inplace(cls.g_part, (b, p), .., inplace_indices=[1])
 *
 * f_part is f with the indices of its output moved to where concat would put it.  Each step is a value of
 * its own, the whole result with one more part of it filled, and read by the next step and by those who
 * read a part of it; so nothing here is an effect, and all of it is decided and checked like other updates.
 * What is left of the kernel that joined (copies of parameters, what it computes itself) is a step, too.
 *
 * Which values have such a home is chosen in concat_plan.c.
 */
#include "ir/build.h"
#include "ir/edit/make.h"
#include "ir/edit/rewrite.h"
#include "ops/ids.h"
#include "passes/memory/concat_plan.h"
#include "passes/memory/slice_kernel.h"

struct elision {
    struct pass_run *run;
    struct ir_module *module;
    struct concat_plan plan;
    struct map latest;            /* whole -> value that has all parts so far */
    array(struct ir_op *) makers; /* of values that have a home, and are not needed any more */
    struct map replaced;          /* kernels of which there was a call (set) */
    bool is_fine, is_changed;
};

/* A call in work: its parameters that are parts of wholes. */
struct step {
    struct ir_op *op;
    struct kernel_call call;
    array(struct slice) slices;
    array(struct ir_value *) wholes;
    int written; /* the whole that it writes a part of, or -1 */
    const struct map *dropped;
};

static unsigned whole_of(struct step *step, struct ir_value *whole)
{
    unsigned i = 0;

    while (i < step->wholes.count && step->wholes.items[i] != whole)
        i++;
    if (i == step->wholes.count)
        array_push(&step->wholes, whole);
    return i;
}

static unsigned add_slice(struct step *step, unsigned param, const struct home *home)
{
    struct slice slice = {param, whole_of(step, home->whole), home->dims, home->offsets};

    array_push(&step->slices, slice);
    return slice.whole;
}

/* ---- storage ---- */

static struct ir_value *allocate(struct elision *e, struct ir_builder *b, struct ir_value *whole)
{
    struct ir_context *context = e->module->context;
    struct ir_value *operands[] = {
        ir_inline_shape(e->module, whole->type->dims, (unsigned)whole->type->ndim),
        ir_inline_dtype(e->module, whole->type->dtype),
        ir_inline_prim(e->module, ir_expr_int(context, IR_I64, 0)),
        ir_inline_string(e->module, atom_intern_text(&context->atoms, "global")),
    };
    struct ir_value *value =
        ir_build_op(b, OP_builtin_alloc_tensor, operands, ARRAY_SIZE(operands));

    if (value && whole->name)
        value->name = atom_printf(&context->atoms, "%s_dest", whole->name);
    return value;
}

static struct ir_value *latest(struct elision *e, struct ir_builder *b, struct ir_value *whole)
{
    struct ir_value *value = map_get(&e->latest, whole);

    if (!value) {
        value = allocate(e, b, whole);
        map_set(&e->latest, whole, value);
    }
    return value;
}

/* ---- the new call ---- */

struct arguments {
    array(struct ir_value *) values;
    int *places; /* by operand of the old call: where it is now; -1: nowhere */
    unsigned first_whole;
};

static const struct slice *slice_of(const struct step *step, unsigned param)
{
    for (size_t i = 0; i < step->slices.count; i++)
        if (step->slices.items[i].param == param)
            return &step->slices.items[i];
    return NULL;
}

static bool collect_arguments(struct elision *e, struct ir_builder *b, struct step *step,
                              const struct slice_kernel *kernel, struct arguments *out)
{
    const struct ir_op *op = step->op;
    bool is_fine = true;

    out->places = arena_array(&e->run->scratch, int, op->operand_count + 1);
    for (unsigned i = 0; i < op->operand_count; i++) {
        unsigned param = step->call.operand_params[i];
        bool is_kept = param == (unsigned)KERNEL_CALL_SCALAR || !slice_of(step, param);

        out->places[i] = is_kept ? (int)out->values.count : -1;
        if (is_kept)
            array_push(&out->values, ir_inline_copy(e->module, op->operands[i].value));
    }
    out->first_whole = (unsigned)out->values.count;
    for (size_t i = 0; i < step->wholes.count; i++) {
        struct ir_value *value = latest(e, b, step->wholes.items[i]);

        is_fine &= value != NULL;
        array_push(&out->values, value ? make_operand(b, value) : NULL);
    }
    for (unsigned i = 0; i < kernel->scalar_count; i++)
        array_push(&out->values, ir_inline_prim(e->module, kernel->scalars[i]));
    return is_fine;
}

/* The argument that each output takes the storage of; NULL if all are new. */
static const struct ir_attr *indices_of(struct elision *e, const struct step *step,
                                        const struct arguments *arguments)
{
    unsigned count = step->call.output_count;
    const struct ir_attr **items = arena_array(&e->run->scratch, const struct ir_attr *, count);
    bool is_any = false;

    for (unsigned i = 0; i < count; i++) {
        int old = step->call.inplace[i], place = old < 0 ? -1 : arguments->places[old];

        if (step->written >= 0)
            place = (int)arguments->first_whole + step->written;
        items[i] = ir_attr_int(e->module->context, place);
        is_any |= place >= 0;
    }
    return is_any ? ir_attr_list(e->module->context, items, count) : NULL;
}

static struct ir_op *build_call(struct elision *e, struct ir_builder *b, struct step *step,
                                const struct slice_kernel *kernel)
{
    struct ir_context *context = e->module->context;
    struct arguments arguments = {0};
    struct ir_op *call = NULL;

    if (collect_arguments(e, b, step, kernel, &arguments)) {
        const struct ir_attr *indices = indices_of(e, step, &arguments);
        bool is_strict =
            ir_op_is(step->op, IR_CORE_call_tir_inplace) && ir_op_attr(step->op, "strict")->boolean;
        const struct ir_attr *attrs[] = {ir_attr_global(context, kernel->global), indices,
                                         ir_attr_bool(context, is_strict)};
        call = ir_build_declared(
            b, ir_core_op(context, indices ? IR_CORE_call_tir_inplace : IR_CORE_call_tir),
            arguments.values.items, (unsigned)arguments.values.count, attrs,
            step->written >= 0 ? step->wholes.items[step->written]->type : step->op->declared);
    }
    array_finish(&arguments.values);
    return call;
}

/* ---- steps ---- */

static bool read_step(struct elision *e, struct ir_op *op, struct step *step)
{
    struct join *join = map_get(&e->plan.joins, op);
    struct home home;

    *step = (struct step){.op = op, .written = -1};
    bool is_whole = join && join->home_count > 0;
    bool is_known = kernel_call_read(e->module, &e->run->scratch, op, &step->call);
    for (unsigned i = 0; is_known && i < op->operand_count; i++)
        if (concat_plan_home(&e->plan, op->operands[i].value, &home))
            add_slice(step, step->call.operand_params[i], &home);
    bool has_home = is_known && concat_plan_home(&e->plan, &op->result, &home);
    if (is_known && is_whole && !has_home)
        home = concat_plan_all_of(&e->plan, &op->result);
    if (is_known && (has_home || is_whole))
        step->written = (int)add_slice(step, step->call.output_params[0], &home);
    step->dropped = join ? &join->dropped : NULL;
    return is_known && step->slices.count > 0;
}

static struct slice_kernel make_kernel(struct elision *e, struct step *step)
{
    const struct ir_type **types =
        arena_array(&e->run->scratch, const struct ir_type *, step->wholes.count + 1);
    struct slice_job job = {
        .run = e->run,
        .call = &step->call,
        .slices = step->slices.items,
        .slice_count = (unsigned)step->slices.count,
        .wholes = types,
        .whole_count = (unsigned)step->wholes.count,
        .dropped = step->dropped,
        .name = atom_printf(&e->module->context->atoms, "%s_part", step->call.func->name),
    };

    for (size_t i = 0; i < step->wholes.count; i++)
        types[i] = step->wholes.items[i]->type;
    return slice_kernel_make(&job);
}

/* All users of the old call get the new one; of a part only the steps do, which ask for the latest. */
static void take_over(struct elision *e, struct step *step, struct ir_value *value)
{
    struct ir_op *op = step->op;
    bool has_home = map_get(&e->plan.homes, &op->result) != NULL;

    map_set(&e->replaced, ir_op_callee(op), op);
    if (!value->name || !has_home) {
        value->name = op->result.name;
        value->loc = op->result.loc;
    }
    if (has_home)
        array_push(&e->makers, op);
    else
        rewrite_replace(e->module, op, value);
}

static bool run_step(struct elision *e, struct step *step)
{
    struct ir_op *op = step->op;
    struct ir_builder b = {.module = e->module,
                           .diag = e->run->diag,
                           .block = op->block,
                           .before = op,
                           .loc = op->loc};
    struct slice_kernel kernel = make_kernel(e, step);
    struct ir_value *whole = step->written < 0 ? NULL : step->wholes.items[step->written];

    if (!kernel.global) { /* all of it is there */
        take_over(e, step, map_get(&e->latest, whole));
        return true;
    }
    struct ir_op *call = build_call(e, &b, step, &kernel);
    if (!call)
        return false;
    ir_op_set_places(e->module, call, &op, 1);
    if (whole)
        map_set(&e->latest, whole, &call->result);
    take_over(e, step, &call->result);
    return true;
}

static bool visit(void *state, struct ir_op *op)
{
    struct elision *e = state;
    struct step step;

    if (!ir_op_is(op, IR_CORE_call_tir) && !ir_op_is(op, IR_CORE_call_tir_inplace))
        return true;
    if (read_step(e, op, &step)) {
        e->is_changed = true;
        e->is_fine = run_step(e, &step);
    }
    array_finish(&step.slices);
    array_finish(&step.wholes);
    kernel_call_finish(&step.call);
    return e->is_fine;
}

/* ---- what is left over ---- */

static void erase_makers(struct elision *e)
{
    while (e->makers.count > 0) {
        struct ir_op *op = array_pop(&e->makers);

        while (op->result.uses) /* as an output of its block */
            ir_op_remove_operand(op->result.uses->user,
                                 (unsigned)(op->result.uses - op->result.uses->user->operands));
        ir_op_erase(op);
    }
}

static bool note_attr(struct map *used, const struct ir_attr *attr)
{
    if (attr->kind == IR_ATTR_GLOBAL)
        map_set(used, attr->global, attr);
    return true;
}

static bool note_op(void *state, struct ir_op *op)
{
    struct map *used = state;

    for (unsigned i = 0; i < op->info->attr_count; i++)
        note_attr(used, op->attrs[i]);
    for (unsigned i = 0; i < op->operand_count; i++)
        if (ir_value_is_inline(op->operands[i].value))
            note_op(used, op->operands[i].value->def);
    if (ir_op_is(op, IR_CORE_function))
        ir_region_walk(ir_op_attr(op, "function")->function->body, note_op, used);
    return true;
}

/* Private kernels that were called, and are not any more. */
static void remove_kernels(struct elision *e)
{
    struct map used = {0};

    for (size_t i = 0; i < e->module->global_count; i++)
        if (e->module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            ir_region_walk(e->module->globals[i]->function->body, note_op, &used);
    for (size_t i = e->module->global_count; i-- > 0;) {
        struct ir_global *global = e->module->globals[i];

        if (map_has(&e->replaced, global) && global->kernel->is_private && !map_has(&used, global))
            ir_module_remove(e->module, global);
    }
    map_finish(&used);
}

static void elide(struct elision *e, struct ir_function *function)
{
    concat_plan_find(&e->plan, function);
    e->is_fine = ir_region_walk(function->body, visit, e);
    erase_makers(e);
}

static void elide_function(void *state, struct ir_function *function)
{
    struct elision *e = state;

    if (e->is_fine)
        elide(e, function);
}

enum pass_result pass_elide_concat(struct pass_run *run)
{
    struct elision e = {.run = run, .module = run->module, .is_fine = true, .plan = {.run = run}};

    rewrite_walk_functions(run->module, elide_function, &e);
    remove_kernels(&e);
    concat_plan_finish(&e.plan);
    map_finish(&e.latest);
    map_finish(&e.replaced);
    array_finish(&e.makers);
    return !e.is_fine ? PASS_FAILED : e.is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
