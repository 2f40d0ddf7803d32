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
#include "passes/memory/concat_weigh.h"
#include "passes/memory/destinations.h"
#include "passes/memory/slice_kernel.h"
#include "passes/memory/used_globals.h"

struct elision {
    struct pass_run *run;
    struct ir_module *module;
    struct concat_plan plan;
    struct map entries;           /* region -> block in front of it, of views */
    struct map latest;            /* whole -> value that has all parts so far */
    array(struct ir_op *) calls;  /* of kernels, in the function in work */
    array(struct ir_op *) makers; /* of values that have a home, and are not needed any more */
    struct map replaced;          /* kernels of which there was a call (set) */
    struct concat_trial *trial;   /* or NULL */
    bool is_fine, is_changed, has_joins;
};

/* A call in work: its parameters that are parts of wholes. */
struct step {
    struct ir_op *op;
    struct kernel_call call;
    array(struct slice) slices;
    array(struct ir_value *) wholes;
    const struct join *join; /* that it is, with parts that were made in its result; or NULL */
    int *homes;              /* by output: the whole that it is a part of, -1: none */
    unsigned *written;       /* the wholes of these, each once: the first outputs of the new call */
    unsigned written_count;
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

/*
 * The storage of a parameter that has room for the whole, seen as that.  It is looked at in front of all
 * that is done in the region: where the room is not enough, nothing was written before that is found.
 */
static struct ir_value *grow(struct elision *e, const struct append *append)
{
    struct ir_context *context = e->module->context;
    struct ir_value *whole = append->home.whole;
    struct ir_region *region = whole->def->block->region;
    struct ir_block *block = map_get(&e->entries, region);

    if (!block) {
        block = ir_block_insert_before(e->module, region->first, false);
        map_set(&e->entries, region, block);
    }
    struct ir_builder b = {
        .module = e->module, .diag = e->run->diag, .block = block, .loc = whole->def->loc};
    struct ir_value *operands[] = {
        append->home.value,
        ir_inline_shape(e->module, whole->type->dims, (unsigned)whole->type->ndim),
        ir_inline_dtype(e->module, whole->type->dtype),
        ir_inline_prim(e->module, ir_expr_int(context, IR_I64, 0)),
    };
    return ir_build_op(&b, OP_memory_view, operands, ARRAY_SIZE(operands));
}

static void note_whole(struct elision *e, const struct ir_value *whole,
                       const struct ir_value *value)
{
    const struct join *join = map_get(&e->plan.joins, whole->def);
    uintptr_t number = join->number + 1;

    map_set(&e->trial->wholes, value->def,
            (const void *)number); /* NOLINT(performance-no-int-to-ptr) */
}

static struct ir_value *allocate(struct elision *e, struct ir_builder *b, struct ir_value *whole)
{
    struct ir_context *context = e->module->context;
    const struct append *append = concat_append_of(&e->plan, whole);
    struct ir_value *operands[] = {
        ir_inline_shape(e->module, whole->type->dims, (unsigned)whole->type->ndim),
        ir_inline_dtype(e->module, whole->type->dtype),
        ir_inline_prim(e->module, ir_expr_int(context, IR_I64, 0)),
        ir_inline_string(e->module, atom_intern_text(&context->atoms, "global")),
    };
    struct ir_value *value =
        append ? grow(e, append)
               : ir_build_op(b, OP_builtin_alloc_tensor, operands, ARRAY_SIZE(operands));

    if (value && e->trial && !append)
        note_whole(e, whole, value);
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

/* What the new call returns: the wholes that it writes to, then its other outputs. */
struct outputs {
    array(const struct ir_type *) types;
    array(const struct ir_attr *) indices; /* the argument that each takes the storage of, or -1 */
    bool is_inplace;
};

static void add_output(struct elision *e, struct outputs *out, const struct ir_type *type,
                       int argument)
{
    array_push(&out->types, type);
    array_push(&out->indices, ir_attr_int(e->module->context, argument));
    out->is_inplace |= argument >= 0;
}

static void collect_outputs(struct elision *e, const struct step *step,
                            const struct arguments *arguments, struct outputs *out)
{
    for (unsigned i = 0; i < step->written_count; i++)
        add_output(e, out, step->wholes.items[step->written[i]]->type,
                   (int)(arguments->first_whole + step->written[i]));
    for (unsigned i = 0; i < step->call.output_count; i++) {
        int old = step->call.inplace[i];

        if (step->homes[i] < 0)
            add_output(e, out, kernel_call_output(step->op, i),
                       old < 0 ? -1 : arguments->places[old]);
    }
}

static struct ir_op *build_with(struct elision *e, struct ir_builder *b, const struct step *step,
                                const struct slice_kernel *kernel,
                                const struct arguments *arguments, const struct outputs *outputs)
{
    struct ir_context *context = e->module->context;
    unsigned count = (unsigned)outputs->types.count;
    bool is_strict =
        ir_op_is(step->op, IR_CORE_call_tir_inplace) && ir_op_attr(step->op, "strict")->boolean;
    const struct ir_attr *attrs[] = {ir_attr_global(context, kernel->global),
                                     ir_attr_list(context, outputs->indices.items, count),
                                     ir_attr_bool(context, is_strict)};
    bool is_tuple =
        count > 1 || (step->written_count == 0 && step->op->declared->kind == IR_TYPE_TUPLE);
    const struct ir_type *declared =
        is_tuple ? ir_type_tuple(context, outputs->types.items, count) : outputs->types.items[0];
    enum ir_core core = outputs->is_inplace ? IR_CORE_call_tir_inplace : IR_CORE_call_tir;

    return ir_build_declared(b, ir_core_op(context, core), arguments->values.items,
                             (unsigned)arguments->values.count, attrs, declared);
}

static struct ir_op *build_call(struct elision *e, struct ir_builder *b, struct step *step,
                                const struct slice_kernel *kernel)
{
    struct arguments arguments = {0};
    struct outputs outputs = {0};
    struct ir_op *call = NULL;

    if (collect_arguments(e, b, step, kernel, &arguments)) {
        collect_outputs(e, step, &arguments, &outputs);
        call = build_with(e, b, step, kernel, &arguments, &outputs);
    }
    array_finish(&arguments.values);
    array_finish(&outputs.types);
    array_finish(&outputs.indices);
    return call;
}

/* ---- steps ---- */

/* The value that output @i of the call is; NULL: none that could have a home. */
static struct ir_value *output_of(struct elision *e, struct ir_op *op, unsigned i)
{
    return op->result.type->kind == IR_TYPE_TUPLE ? concat_plan_field(&e->plan, op, i)
                                                  : &op->result;
}

/* Where output @i of the step is to be made. */
static bool find_home(struct elision *e, const struct step *step, unsigned i, struct home *out)
{
    struct ir_value *value = output_of(e, step->op, i);

    if (value && concat_plan_home(&e->plan, value, out))
        return true;
    if (step->join)
        *out = concat_plan_all_of(&e->plan, &step->op->result);
    return step->join != NULL;
}

static void read_outputs(struct elision *e, struct step *step)
{
    unsigned count = step->call.output_count;
    struct home home;

    step->homes = arena_array(&e->run->scratch, int, count);
    step->written = arena_array(&e->run->scratch, unsigned, count);
    for (unsigned i = 0; i < count; i++) {
        step->homes[i] = -1;
        if (!find_home(e, step, i, &home))
            continue;
        unsigned whole = add_slice(step, step->call.output_params[i], &home), k = 0;
        step->homes[i] = (int)whole;
        while (k < step->written_count && step->written[k] != whole)
            k++;
        step->written[k] = whole;
        step->written_count += k == step->written_count;
    }
}

/* Where @op has to read @value, an operand; false: where it is. */
static bool find_source(struct elision *e, const struct ir_op *op, struct ir_value *value,
                        struct home *out)
{
    const struct append *append = concat_append_for(&e->plan, op, value);

    if (!append)
        return concat_plan_home(&e->plan, value, out);
    *out = append->home;
    return op->result.index >= append->first;
}

/* Has anything that the call reads or makes a home? */
static bool is_concerned(struct elision *e, struct ir_op *op)
{
    const struct join *join = map_get(&e->plan.joins, op);
    bool is_tuple = op->result.type->kind == IR_TYPE_TUPLE;
    struct home home;

    if ((join && join->home_count > 0) || map_get(&e->plan.homes, &op->result))
        return true;
    for (unsigned i = 0; i < op->operand_count; i++)
        if (find_source(e, op, op->operands[i].value, &home))
            return true;
    for (unsigned i = 0; is_tuple && i < op->result.type->field_count; i++)
        if (output_of(e, op, i) && map_get(&e->plan.homes, output_of(e, op, i)))
            return true;
    return false;
}

static bool read_step(struct elision *e, struct ir_op *op, struct step *step)
{
    const struct join *join = map_get(&e->plan.joins, op);
    struct home home;

    *step = (struct step){.op = op, .join = join && join->home_count > 0 ? join : NULL};
    if (!is_concerned(e, op) || !kernel_call_read(e->module, &e->run->scratch, op, &step->call))
        return false;
    for (unsigned i = 0; i < op->operand_count; i++)
        if (find_source(e, op, op->operands[i].value, &home))
            add_slice(step, step->call.operand_params[i], &home);
    read_outputs(e, step);
    return true;
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
        .dropped = step->join ? step->join->homes : NULL,
        .dropped_count = step->join ? step->join->home_count : 0,
        .name = atom_printf(&e->module->context->atoms, "%s_part", step->call.func->name),
    };

    for (size_t i = 0; i < step->wholes.count; i++)
        types[i] = step->wholes.items[i]->type;
    return slice_kernel_make(&job);
}

/* The old value is not needed: users get the new one, and of a part only steps are users, which ask for
 * the latest. */
static void replace(struct elision *e, struct ir_value *old, struct ir_value *value)
{
    bool has_home = map_get(&e->plan.homes, old) != NULL;

    if (!value->name || !has_home) {
        value->name = old->name;
        value->loc = old->loc;
    }
    if (has_home)
        array_push(&e->makers, old->def);
    else
        rewrite_replace(e->module, old->def, value);
}

/* Output number @i of the new call @call. */
static struct ir_value *new_output(struct ir_builder *b, struct ir_op *call, unsigned i)
{
    return call->result.type->kind == IR_TYPE_TUPLE ? ir_build_tuple_get(b, &call->result, i)
                                                    : &call->result;
}

/* The fields of the old tuple: parts of wholes, or fields of the new one. */
static bool replace_fields(struct elision *e, struct ir_builder *b, struct step *step,
                           struct ir_op *call)
{
    unsigned next = step->written_count, count = 0, total = 0;
    struct ir_value **values =
        arena_array(&e->run->scratch, struct ir_value *, step->call.output_count);

    array_push(&e->makers, step->op);
    for (unsigned i = 0; i < step->call.output_count; i++) {
        values[i] = step->homes[i] >= 0 ? map_get(&e->latest, step->wholes.items[step->homes[i]])
                                        : new_output(b, call, next++);
        if (!values[i])
            return false;
    }
    ir_for_each_use (use, &step->op->result)
        total++;
    struct ir_op **users = arena_array(&e->run->scratch, struct ir_op *, total + 1);
    ir_for_each_use (use, &step->op->result)
        if (ir_op_is(use->user, IR_CORE_tuple_get))
            users[count++] = use->user;
    for (unsigned i = 0; i < count; i++)
        replace(e, &users[i]->result, values[ir_op_attr(users[i], "index")->integer]);
    return true;
}

static bool finish_step(struct elision *e, struct ir_builder *b, struct step *step,
                        struct ir_op *call)
{
    bool is_tuple = step->op->result.type->kind == IR_TYPE_TUPLE;

    ir_op_set_places(e->module, call, &step->op, 1);
    for (unsigned i = 0; i < step->written_count; i++) {
        struct ir_value *value = new_output(b, call, i);

        if (!value)
            return false;
        map_set(&e->latest, step->wholes.items[step->written[i]], value);
    }
    if (is_tuple && step->written_count > 0)
        return replace_fields(e, b, step, call);
    replace(e, &step->op->result,
            step->written_count > 0 ? map_get(&e->latest, step->wholes.items[step->written[0]])
                                    : &call->result);
    return true;
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

    map_set(&e->replaced, ir_op_callee(op), op);
    if (!kernel.global) { /* all of it is there */
        replace(e, &op->result, map_get(&e->latest, step->wholes.items[step->written[0]]));
        return true;
    }
    struct ir_op *call = build_call(e, &b, step, &kernel);
    return call && finish_step(e, &b, step, call);
}

static bool collect(void *state, struct ir_op *op)
{
    struct elision *e = state;

    if (ir_op_is(op, IR_CORE_call_tir) || ir_op_is(op, IR_CORE_call_tir_inplace))
        array_push(&e->calls, op);
    return true;
}

/* Steps erase other ops than their own, so that they are not run while the ops are walked. */
static void run_steps(struct elision *e, struct ir_function *function)
{
    struct step step;

    e->calls.count = 0;
    ir_region_walk(function->body, collect, e);
    for (size_t i = 0; i < e->calls.count && e->is_fine; i++) {
        if (read_step(e, e->calls.items[i], &step)) {
            e->is_changed = true;
            e->is_fine = run_step(e, &step);
        }
        array_finish(&step.slices);
        array_finish(&step.wholes);
        kernel_call_finish(&step.call);
    }
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

/* Private kernels that were called, and are not any more. */
static void remove_kernels(struct elision *e)
{
    struct map used = {0};

    used_globals(e->module, &used);
    for (size_t i = e->module->global_count; i-- > 0;) {
        struct ir_global *global = e->module->globals[i];

        if (map_has(&e->replaced, global) && global->kernel->is_private && !map_has(&used, global))
            ir_module_remove(e->module, global);
    }
    map_finish(&used);
}

/* Calls that move what they join within the storage of an operand get their kernel, and that. */
static void run_moves(struct elision *e)
{
    struct concat_plan *plan = &e->plan;

    while (plan->moves.count > 0 && e->is_fine) {
        struct join *join = array_pop(&plan->moves);
        struct ir_value *name = &join->op->result, *view = grow(e, &join->append);
        struct ir_op *op = join->op;

        e->is_changed = true;
        e->is_fine = view != NULL;
        if (!view)
            return;
        view->name =
            name->name ? atom_printf(&e->module->context->atoms, "%s_dest", name->name) : NULL;
        map_set(&e->replaced, ir_op_callee(op), op);
        map_set(&plan->joins, op, NULL);
        ir_op_set_attr(op, "callee", ir_attr_global(e->module->context, join->moved));
        e->is_fine = destinations_set(e->run, op, &view) != NULL;
    }
}

static void tidy_function(void *state, struct ir_function *function)
{
    struct elision *e = state;

    e->is_changed |= concat_tidy(&e->plan, function, &e->replaced);
    e->has_joins |= concat_plan_has_joins(&e->plan, function);
}

static void elide_function(void *state, struct ir_function *function)
{
    struct elision *e = state;

    if (!e->is_fine)
        return;
    concat_plan_find(&e->plan, function);
    while (e->trial && e->trial->functions.count < e->plan.all.count)
        array_push(&e->trial->functions, function);
    run_moves(e);
    run_steps(e, function);
    erase_makers(e);
}

static void finish(struct elision *e)
{
    concat_plan_finish(&e->plan);
    map_finish(&e->entries);
    map_finish(&e->latest);
    map_finish(&e->replaced);
    array_finish(&e->makers);
    array_finish(&e->calls);
}

/* See concat_weigh.h. */
static bool elide_copy(struct pass_run *run, const struct concat_numbers *left_out,
                       struct concat_trial *out)
{
    struct elision e = {.run = run, .module = run->module, .is_fine = true, .trial = out};

    e.plan = (struct concat_plan){.run = run, .left_out = left_out};
    rewrite_walk_functions(run->module, elide_function, &e);
    finish(&e);
    return e.is_fine;
}

enum pass_result pass_elide_concat(struct pass_run *run)
{
    struct elision e = {.run = run, .module = run->module, .is_fine = true};
    struct concat_numbers left_out = {0};

    e.plan = (struct concat_plan){.run = run, .left_out = &left_out};
    rewrite_walk_functions(run->module, tidy_function, &e);
    if (e.has_joins)
        concat_weigh(run, elide_copy, &left_out);
    rewrite_walk_functions(run->module, elide_function, &e);
    remove_kernels(&e);
    finish(&e);
    array_finish(&left_out);
    return !e.is_fine ? PASS_FAILED : e.is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
