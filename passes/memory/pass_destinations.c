/*
 * PassDestinations: what a private function returns is made in storage of whoever calls it.
 *
 *     def f(x):                                          def f(x, y_dest):        # donated
 *         y_dest = R.builtin.alloc_tensor(..)                y = R.call_tir_inplace(cls.k, (x, y_dest), [1])
 *         y = R.call_tir_inplace(cls.k, (x, y_dest), [1])    return y
 *         return y                                  =>
 *     z = cls.f(a)                                       z_dest = R.builtin.alloc_tensor(..)
 *                                                        z = cls.f(a, z_dest)
 *
 * So the result has a place in the plan of the caller, or in what its caller gave in turn: functions that are
 * called come first.  It is known to be the argument, so that the call describes no tensor either.
 *
 * Functions that are used as values, call themselves, perhaps through others, or are called where their sizes
 * are not known keep what they take; so do results that are parameters, constants, views, what an operator
 * makes itself, and what is not made by the function on every path.  So does, lastly, what the checker of storage
 * does not follow, such as a result in whose storage something else lies before: it is tried on a copy.
 */
#include "analysis/leaves.h"
#include "analysis/result_places.h"
#include "analysis/storage/storage.h"
#include "analysis/verify_storage/verify_storage.h"
#include "ir/arith.h"
#include "ir/build.h"
#include "ir/edit/callees.h"
#include "ops/ids.h"
#include "passes/memory/destinations.h"
#include "passes/memory/second_proof.h"
#include "passes/pass.h"

enum { TRIALS = 8 }; /* of functions that stay as they are */

/* A leaf of the result that becomes a parameter. */
struct moved {
    unsigned leaf;
    array(struct ir_op *) allocs; /* one a path */
    const struct ir_type *type;
};

struct mover {
    struct pass_run *run;
    struct callee *callee;
    struct ir_function *function;
    struct result_places places;
    array(struct moved) moved;
};

/* ---- what can be moved ---- */

static struct moved *moved_leaf(struct mover *m, unsigned leaf)
{
    for (size_t i = 0; i < m->moved.count; i++)
        if (m->moved.items[i].leaf == leaf)
            return &m->moved.items[i];
    array_push(&m->moved, (struct moved){.leaf = leaf});
    return &array_last(&m->moved);
}

static bool note_alloc(void *state, struct ir_op *op)
{
    struct mover *m = state;
    int leaf = result_place(&m->places, op);

    if (leaf >= 0)
        array_push(&moved_leaf(m, (unsigned)leaf)->allocs, op);
    return true;
}

static bool is_same_type(struct ir_context *context, const struct ir_type *a,
                         const struct ir_type *b)
{
    if (a->kind != IR_TYPE_TENSOR || b->kind != IR_TYPE_TENSOR || a->ndim < 0 ||
        a->ndim != b->ndim || ir_dtype_is_void(a->dtype) || !ir_dtype_equal(a->dtype, b->dtype))
        return false;
    for (int i = 0; i < a->ndim; i++)
        if (!a->dims || !b->dims || !ir_prove_equal(context, a->dims[i], b->dims[i]))
            return false;
    return true;
}

/* Allocations of just what is returned, of a shape that is known where the function is called. */
static bool is_plain(struct mover *m, struct moved *moved)
{
    const struct ir_type *type = leaf_type(m->function->result, moved->leaf);

    for (size_t i = 0; i < moved->allocs.count; i++) {
        const struct ir_op *alloc = moved->allocs.items[i];

        if (!op_is(alloc, OP_builtin_alloc_tensor) ||
            !is_same_type(m->run->module->context, alloc->result.type, type))
            return false;
    }
    moved->type = type;
    return true;
}

/* ---- sizes where it is called ---- */

/* The symbols of the function, as @call gives them. */
static void bind(struct mover *m, const struct ir_op *call, struct ir_bindings *out)
{
    struct ir_context *context = m->run->module->context;

    for (unsigned i = 0; i < m->function->param_count; i++) {
        const struct ir_value *param = m->function->params[i], *arg = call->operands[i].value;
        const struct ir_expr *given = NULL;

        ir_type_match(context, param->type, arg->type, out);
        if (param->var && arg->var)
            given = ir_expr_var(context, arg->var);
        else if (param->var && arg->def && ir_op_is(arg->def, IR_CORE_prim))
            given = ir_op_attr(arg->def, "value")->expr;
        if (given && !ir_bindings_find(out, param->var))
            array_push(out, (struct ir_binding){param->var, given});
    }
}

static bool is_bound(void *state, const struct ir_expr *e)
{
    return e->kind != IR_EXPR_var || ir_bindings_find(state, e->var);
}

/* Do all callers know how much that is? */
static bool is_known(struct mover *m, const struct moved *moved)
{
    bool is_fine = true;

    for (size_t i = 0; i < m->callee->calls.count && is_fine; i++) {
        struct ir_bindings symbols = {0};

        bind(m, m->callee->calls.items[i], &symbols);
        is_fine = ir_type_walk_exprs(moved->type, is_bound, &symbols);
        array_finish(&symbols);
    }
    return is_fine;
}

/* An upper bound says of donated parameters that they have more room than elements. */
static bool has_bounds(const struct ir_function *function)
{
    return function->attrs && ir_attr_dict_get(function->attrs, "tir_var_upper_bound");
}

static void choose(struct mover *m)
{
    size_t kept = 0;

    ir_region_walk(m->function->body, note_alloc, m);
    for (size_t i = 0; i < m->moved.count; i++) {
        struct moved *moved = &m->moved.items[i];

        if (is_plain(m, moved) && is_known(m, moved))
            m->moved.items[kept++] = *moved;
        else
            array_finish(&moved->allocs);
    }
    m->moved.count = kept;
}

/* ---- the change ---- */

static bool change_call(struct mover *m, struct ir_op *call)
{
    struct ir_context *context = m->run->module->context;
    struct ir_bindings symbols = {0};
    bool is_fine = true;

    bind(m, call, &symbols);
    for (size_t i = 0; i < m->moved.count && is_fine; i++) {
        const struct ir_type *type = ir_type_substitute(context, m->moved.items[i].type, &symbols);
        struct ir_value *value = destination_of_type(m->run, call, type, call);

        is_fine = value != NULL;
        if (is_fine)
            ir_op_add_operand(m->run->module, call, value);
    }
    array_finish(&symbols);
    return is_fine;
}

static void donate(struct mover *m, unsigned first)
{
    struct ir_context *context = m->run->module->context;
    unsigned count = m->function->param_count, donated = 0;
    int64_t *positions = arena_array(&m->run->scratch, int64_t, count + 1);

    for (unsigned i = 0; i < count; i++)
        if (i >= first || ir_function_donates(m->function, i))
            positions[donated++] = i;
    m->function->attrs = ir_attr_dict_with(context, m->function->attrs,
                                           atom_intern_text(&context->atoms, "relax.inplace_arg"),
                                           ir_attr_ints(context, positions, donated));
}

static void change_function(struct mover *m)
{
    unsigned first = m->function->param_count;

    for (size_t i = 0; i < m->moved.count; i++) {
        const struct moved *moved = &m->moved.items[i];
        const struct ir_op *alloc = moved->allocs.items[0];
        struct ir_value *param =
            ir_function_add_param(m->function, alloc->result.name, moved->type);

        param->loc = alloc->loc;
        param->is_annotated = true;
        for (size_t k = 0; k < moved->allocs.count; k++) {
            ir_value_replace(&moved->allocs.items[k]->result, param);
            ir_op_erase(moved->allocs.items[k]);
        }
    }
    donate(m, first);
    callee_update_type(m->callee->global);
}

static bool change(struct mover *m)
{
    bool is_fine = true;

    for (size_t i = 0; i < m->callee->calls.count && is_fine; i++)
        is_fine = change_call(m, m->callee->calls.items[i]);
    if (is_fine)
        change_function(m);
    for (size_t i = 0; i < m->callee->calls.count && is_fine; i++)
        is_fine = callee_update_call(m->run->module, m->run->diag, m->callee->calls.items[i]);
    return is_fine;
}

/* ---- all ---- */

static bool is_called_plainly(const struct storage_module *facts, const struct callee *callee)
{
    struct ir_function *function = callee->global->function;

    if (callee->is_value || callee->calls.count == 0 || has_bounds(function) ||
        storage_is_recursive(facts, function))
        return false;
    for (size_t i = 0; i < callee->calls.count; i++) {
        const struct ir_region *region = callee->calls.items[i]->block->region;

        while (region->owner)
            region = region->owner->block->region;
        if (!region->function || region->function->parent)
            return false; /* in a nested function, whose ends nobody writes */
    }
    return true;
}

/* False after a report. */
static bool move_results(struct pass_run *run, struct result_params *params, struct callee *callee,
                         bool *is_changed)
{
    struct mover m = {.run = run, .callee = callee, .function = callee->global->function};
    bool is_fine = true;

    result_places_find(&m.places, params, m.function);
    choose(&m);
    if (m.moved.count > 0) {
        is_fine = change(&m);
        *is_changed = true;
    }
    for (size_t i = 0; i < m.moved.count; i++)
        array_finish(&m.moved.items[i].allocs);
    array_finish(&m.moved);
    result_places_finish(&m.places);
    return is_fine;
}

/* @kept: names of functions that stay as they are. */
static enum pass_result move_all(struct pass_run *run, const struct map *kept)
{
    struct callees callees = {0};
    struct storage_module facts;
    struct result_params params = {0};
    struct map of = {0};
    bool is_changed = false, is_fine = true;

    callees_find(run->module, false, &callees);
    storage_module_init(&facts, run->module);
    for (size_t i = 0; i < callees.count; i++)
        if (!map_has(kept, callees.items[i].global->name))
            map_set(&of, callees.items[i].global->function, &callees.items[i]);
    for (size_t i = 0; i < facts.node_count && is_fine; i++) {
        struct callee *callee = map_get(&of, facts.order[i]->function);

        if (callee && is_called_plainly(&facts, callee))
            is_fine = move_results(run, &params, callee, &is_changed);
    }
    result_params_finish(&params);
    map_finish(&of);
    storage_module_finish(&facts);
    callees_finish(&callees);
    return !is_fine ? PASS_FAILED : is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}

/* ---- what is believed ---- */

enum trial { TRIAL_FINE, TRIAL_AGAIN, TRIAL_NOTHING };

static bool is_believed(struct pass_run *run, struct verify_storage_refusals *refusals)
{
    return verify_storage(run->module, VERIFY_STORAGE_RESOLVED, refusals) && first_proof(run);
}

/* Was it believed before?  Else what is refused says nothing of what was moved. */
static bool was_believed(struct pass_run *run)
{
    struct verify_storage_refusals refusals = {0};
    bool is_right = is_believed(run, &refusals);

    verify_storage_finish(&refusals);
    return is_right;
}

/* Functions that are refused stay as they are; false if all of them have. */
static bool keep_refused(const struct verify_storage_refusals *refusals, struct map *kept)
{
    size_t before = kept->count;

    for (size_t i = 0; i < refusals->count; i++)
        map_set(kept, refusals->items[i].function->name, kept);
    return kept->count > before;
}

/* Moves results in a copy of the module, and asks the checker of storage and the analysis. */
static enum trial try(struct pass_run *run, struct map *kept)
{
    struct pass_run copy = *run;
    struct verify_storage_refusals refusals = {0};
    enum trial result = TRIAL_FINE;

    copy.module = ir_module_clone(run->module);
    copy.scratch = (struct arena){0};
    if (move_all(&copy, kept) != PASS_CHANGED)
        result = TRIAL_NOTHING;
    else if (!is_believed(&copy, &refusals) && was_believed(run))
        result = keep_refused(&refusals, kept) ? TRIAL_AGAIN : TRIAL_NOTHING;
    verify_storage_finish(&refusals);
    arena_finish(&copy.scratch);
    ir_module_destroy(copy.module);
    return result;
}

static bool has_private(const struct ir_module *module)
{
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION &&
            module->globals[i]->function->is_private)
            return true;
    return false;
}

enum pass_result pass_pass_destinations(struct pass_run *run)
{
    struct map kept = {0};
    enum trial trial = has_private(run->module) ? TRIAL_AGAIN : TRIAL_NOTHING;
    enum pass_result result = PASS_UNCHANGED;

    for (unsigned i = 0; i < TRIALS && trial == TRIAL_AGAIN; i++)
        trial = try(run, &kept);
    if (trial == TRIAL_FINE)
        result = move_all(run, &kept);
    map_finish(&kept);
    return result;
}
