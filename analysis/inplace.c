/*
 * In-place decisions in program order.
 *
 * A call that updates argument x runs in place if nothing can tell: no origin that may live in x's
 * storage is read on any path after the call (liveness), the storage is ours to change (a root that is
 * an allocation or a donated parameter, never kept by opaque code), no other operand of the same call
 * shows the storage at other places than the kernel writes, and no other output of the call takes it.
 * The results of a call are defined after it, so SSA liveness at the call sees exactly the old names.
 *
 * Deciding in program order is sound: what is decided later can only concern storage through names
 * that are live then, and after a positive decision the only live names are the result's.
 */
#include "analysis/inplace.h"

#include "analysis/internal.h"
#include "analysis/leaves.h"
#include "base/assert.h"
#include "ir/arith.h"

#include <string.h>

/* ---- facts about one argument ---- */

static const struct alias_root *root_at(const struct decide *decide, unsigned root)
{
    return &decide->alias.roots.items[root];
}

static bool shares_root(const struct alias_origin *a, const struct alias_origin *b)
{
    unsigned i = 0, k = 0;

    while (i < a->root_count && k < b->root_count) {
        if (a->roots[i] == b->roots[k])
            return true;
        if (a->roots[i] < b->roots[k])
            i++;
        else
            k++;
    }
    return false;
}

/* Is the storage ours to change?  Fills @verdict if not. */
static bool check_owner(struct decide *decide, unsigned origin, struct conflict *out)
{
    const struct alias_origin *of = &decide->alias.origins.items[origin];

    for (unsigned i = 0; i < of->root_count; i++) {
        const struct alias_root *root = root_at(decide, of->roots[i]);

        *out = (struct conflict){.loc = root->loc};
        switch (root->kind) {
        case ROOT_PARAMETER:
            if (!inplace_is_donated(decide->alias.function, root->parameter)) {
                out->code = IP_BORROWED;
                out->parameter = (int)root->parameter;
                return false;
            }
            break;
        case ROOT_CAPTURED:
            out->code = IP_BORROWED;
            out->parameter = -1;
            out->label = "a value of the function around";
            return false;
        case ROOT_CONSTANT:
            out->code = IP_CONSTANT;
            return false;
        case ROOT_OPAQUE:
            out->code = IP_OPAQUE;
            out->loc = of->value ? of->value->loc : (struct location){0};
            out->label = "opaque code made the storage here";
            return false;
        case ROOT_ALLOCATION:
            break;
        }
        if (root->is_retained) {
            bool is_captured = ir_op_is(root->retained_by, IR_CORE_function);

            *out = (struct conflict){.code = IP_OPAQUE,
                                     .loc = root->retained_by->loc,
                                     .label = is_captured
                                                  ? "a nested function captures the storage here"
                                                  : "opaque code is given the storage here"};
            return false;
        }
    }
    return true;
}

/* Is any name of the storage read after the call?  Forgets names that are dead for good. */
static bool check_liveness(struct decide *decide, const struct ir_op *call, unsigned argument,
                           unsigned origin, struct conflict *out)
{
    unsigned position = alias_position(&decide->alias, call);

    for (unsigned i = 0; i < decide->alias.origins.items[origin].root_count; i++) {
        struct alias_root *root =
            &decide->alias.roots.items[decide->alias.origins.items[origin].roots[i]];

        for (size_t k = 0; k < root->origins.count; k++) {
            unsigned other = root->origins.items[k];
            const struct alias_origin *of = &decide->alias.origins.items[other];

            if (of->reads.count == 0 || array_last(&of->reads).position <= position) {
                root->origins.items[k--] = array_last(&root->origins);
                root->origins.count--;
                continue;
            }
            const struct alias_read *read = alias_read_after(&decide->alias, other, call);
            if (!read)
                continue;
            const struct ir_value *name = call->operands[argument].value;
            *out = (struct conflict){.code = ir_op_is(read->op, IR_CORE_return) ? IP_ESCAPES
                                             : read->name == name               ? IP_READ_LATER
                                                                                : IP_ALIAS_LIVE,
                                     .loc = read->op->loc,
                                     .read = read,
                                     .alias = read->name == name ? NULL : read->name};
            return false;
        }
    }
    return true;
}

static bool is_inplace_argument(const struct ir_op *call, unsigned argument)
{
    if (!ir_op_is(call, IR_CORE_call_tir_inplace))
        return false;
    const struct ir_attr *indices = ir_op_attr(call, "inplace_indices");

    for (unsigned i = 0; i < indices->count; i++)
        if (indices->items[i]->integer == (int64_t)argument)
            return true;
    return false;
}

/* Does the kernel let operands @argument (written) and @other (read) of @call be one storage? */
static bool kernel_allows(struct decide *decide, const struct ir_op *call, unsigned argument,
                          unsigned other, struct conflict *out)
{
    const struct ir_global *callee = ir_op_callee(call);
    const struct ir_type *type = call->operands[argument].value->type;

    *out = (struct conflict){
        .code = IP_OPERAND, .loc = call->loc, .alias = call->operands[other].value};
    if (!callee || callee->kind != IR_GLOBAL_KERNEL || !type->dims ||
        type != call->operands[other].value->type)
        return false;
    /* one origin, one type: the same elements at the same places */
    unsigned origin = decide->operand_origins[argument];
    if (origin != decide->operand_origins[other] || decide->alias.origins.items[origin].has_parts)
        return false;
    const struct tir_func *kernel = callee->kernel;
    const struct tir_param *written = kernel_param_of(kernel, call, argument);
    const struct tir_param *read = kernel_param_of(kernel, call, other);

    return written && read &&
           kernel_reads_where_it_writes(kernel, (unsigned)(written - kernel->params),
                                        (unsigned)(read - kernel->params), &out->loc);
}

static bool check_operands(struct decide *decide, const struct ir_op *call, unsigned argument,
                           struct conflict *out)
{
    const struct alias_origin *of = &decide->alias.origins.items[decide->operand_origins[argument]];
    struct alias_origins others = {0};
    bool is_fine = true;

    for (unsigned i = 0; is_fine && i < call->operand_count; i++) {
        if (i == argument || !alias_has_storage(call->operands[i].value->type))
            continue;
        others.count = 0;
        alias_origins_of(&decide->alias, call->operands[i].value, &others);
        for (size_t k = 0; is_fine && k < others.count; k++) {
            if (!shares_root(of, &decide->alias.origins.items[others.items[k]]))
                continue;
            if (decide->is_taken[i]) {
                *out = (struct conflict){
                    .code = IP_DUPLICATE, .loc = call->loc, .alias = call->operands[i].value};
                is_fine = false;
            } else if (!is_inplace_argument(call, i)) {
                /* (another in-place operand that is not taken gets a copy of its own) */
                is_fine = kernel_allows(decide, call, argument, i, out);
            }
        }
    }
    array_finish(&others);
    return is_fine;
}

static bool check_kernel(struct decide *decide, const struct ir_op *call, struct conflict *out)
{
    const struct ir_global *callee = ir_op_callee(call);

    if (!ir_op_is(call, IR_CORE_call_tir_inplace))
        return true;
    struct kernel_access access = kernel_access(&decide->scratch, callee->kernel);
    *out = (struct conflict){.code = IP_KERNEL, .loc = access.indirect_loc};
    return !access.calls_out;
}

static bool check_types(struct decide *decide, const struct ir_op *call, unsigned argument,
                        int output, struct conflict *out)
{
    struct ir_context *context = decide->alias.module->context;

    if (output < 0)
        return true;
    const struct ir_type *wanted = leaf_type(call->result.type, (unsigned)output);
    const struct ir_type *given = call->operands[argument].value->type;

    *out = (struct conflict){.code = IP_SHAPE, .loc = call->operands[argument].value->loc};
    if (!ir_type_is_tensor(given) || !ir_type_is_tensor(wanted) || !given->dims || !wanted->dims ||
        given->ndim != wanted->ndim)
        return false;
    for (int i = 0; i < given->ndim; i++)
        if (!ir_prove_equal(context, given->dims[i], wanted->dims[i]))
            return false;
    out->code = IP_DTYPE;
    return ir_dtype_equal(given->dtype, wanted->dtype);
}

/* ---- one decision ---- */

/* Decides whether @call may take over the storage of operand @argument, and records it. */
static bool decide_argument(struct decide *decide, struct ir_op *call, unsigned argument,
                            int output)
{
    unsigned origin = decide->operand_origins[argument];
    struct conflict conflict = {.code = IP_SWITCHED_OFF, .loc = call->loc};
    bool is_done = decide->analysis->mode != INPLACE_OFF &&
                   check_types(decide, call, argument, output, &conflict) &&
                   check_owner(decide, origin, &conflict) &&
                   check_kernel(decide, call, &conflict) &&
                   check_operands(decide, call, argument, &conflict) &&
                   check_liveness(decide, call, argument, origin, &conflict);

    decide->is_taken[argument] = is_done;
    decide->is_copied[argument] = !is_done;
    if (is_done)
        conflict = (struct conflict){.code = IP_PROVED};
    if (decide->records)
        inplace_record_add(decide, call, argument, output, &conflict);
    return is_done;
}

/* The origins of the operands of @call, one each (that of the first leaf). */
static void find_operands(struct decide *decide, const struct ir_op *call)
{
    struct alias_origins origins = {0};

    decide->operand_origins = arena_array(&decide->scratch, unsigned, call->operand_count);
    decide->is_taken = arena_array(&decide->scratch, bool, call->operand_count);
    decide->is_copied = arena_array(&decide->scratch, bool, call->operand_count);
    for (unsigned i = 0; i < call->operand_count; i++) {
        origins.count = 0;
        alias_origins_of(&decide->alias, call->operands[i].value, &origins);
        decide->operand_origins[i] = origins.count > 0 ? origins.items[0] : decide->alias.nothing;
    }
    array_finish(&origins);
}

/* ---- what each op makes of storage ---- */

static void set_fresh(struct decide *decide, const struct ir_value *value, unsigned leaf)
{
    unsigned root;

    if (!alias_has_storage(leaf_type(value->type, leaf)))
        return;
    root = alias_root_new(&decide->alias, ROOT_ALLOCATION, value->loc);
    alias_set_roots(&decide->alias, alias_origin_of(&decide->alias, value, leaf), &root, 1);
}

static void set_all(struct decide *decide, const struct ir_value *value, const unsigned *root)
{
    for (unsigned i = 0; i < leaf_count(value->type); i++) {
        if (root)
            alias_set_roots(&decide->alias, alias_origin_of(&decide->alias, value, i), root, 1);
        else
            set_fresh(decide, value, i);
    }
}

/* Everything that @value may live in is kept by opaque code from @op on. */
static void retain(struct decide *decide, const struct ir_value *value, const struct ir_op *op)
{
    struct alias_origins origins = {0};

    alias_origins_of(&decide->alias, value, &origins);
    for (size_t i = 0; i < origins.count; i++) {
        const struct alias_origin *of = &decide->alias.origins.items[origins.items[i]];

        for (unsigned k = 0; k < of->root_count; k++) {
            struct alias_root *root = &decide->alias.roots.items[of->roots[k]];

            if (!root->is_retained)
                root->retained_by = op;
            root->is_retained = true;
        }
    }
    array_finish(&origins);
}

static void visit_opaque(struct decide *decide, struct ir_op *op)
{
    for (unsigned i = 0; i < op->operand_count; i++)
        retain(decide, op->operands[i].value, op);
    set_all(decide, &op->result, &decide->alias.opaque_root);
}

static void visit_inplace(struct decide *decide, struct ir_op *call)
{
    const struct ir_attr *indices = ir_op_attr(call, "inplace_indices");

    find_operands(decide, call);
    for (unsigned i = 0; i < indices->count; i++) {
        int64_t argument = indices->items[i]->integer;

        if (argument < 0 || argument >= (int64_t)call->operand_count) {
            set_fresh(decide, &call->result, i);
        } else if (decide_argument(decide, call, (unsigned)argument, (int)i)) {
            const struct alias_origin *of =
                &decide->alias.origins.items[decide->operand_origins[argument]];
            alias_set_roots(&decide->alias, alias_origin_of(&decide->alias, &call->result, i),
                            of->roots, of->root_count);
            decide_mark_overwritten(decide, of);
        } else {
            set_fresh(decide, &call->result, i);
        }
    }
}

/* A kernel that calls out of the module may keep what it was given. */
static void visit_kernel_call(struct decide *decide, struct ir_op *call)
{
    const struct ir_global *callee = ir_op_callee(call);

    if (callee && callee->kind == IR_GLOBAL_KERNEL &&
        kernel_access(&decide->scratch, callee->kernel).calls_out) {
        if (ir_op_is(call, IR_CORE_call_tir_inplace))
            visit_inplace(decide, call); /* for the records */
        visit_opaque(decide, call);
    } else if (ir_op_is(call, IR_CORE_call_tir_inplace)) {
        visit_inplace(decide, call);
    } else {
        set_all(decide, &call->result, NULL);
    }
}

static void visit_if(struct decide *decide, struct ir_op *op)
{
    struct alias_origins yielded = {0};
    unsigned leaves = leaf_count(op->result.type);

    for (unsigned i = 0; i < op->region_count; i++) {
        decide_visit_region(decide, op->regions[i]);
        alias_origins_of(&decide->alias, op->regions[i]->last->last->operands[0].value, &yielded);
    }
    /* branches whose leaves do not correspond: any leaf may be any of them */
    bool is_regular = yielded.count == (size_t)leaves * op->region_count;
    for (unsigned leaf = 0; leaf < leaves; leaf++) {
        array(unsigned) roots = {0};

        for (size_t i = 0; i < yielded.count; i++) {
            const struct alias_origin *of = &decide->alias.origins.items[yielded.items[i]];

            if (!is_regular || i % leaves == leaf)
                for (unsigned k = 0; k < of->root_count; k++)
                    array_push(&roots, of->roots[k]);
        }
        alias_set_roots(&decide->alias, alias_origin_of(&decide->alias, &op->result, leaf),
                        roots.items, (unsigned)roots.count);
        array_finish(&roots);
    }
    array_finish(&yielded);
}

/* The roots of the result of a call, from what the callee says of them. */
static void set_call_results(struct decide *decide, struct ir_op *call,
                             const struct summary *summary)
{
    unsigned *fresh = arena_array(&decide->scratch, unsigned, summary->root_count);

    for (unsigned leaf = 0; leaf < summary->result_count; leaf++) {
        const struct summary_result *result = &summary->results[leaf];
        array(unsigned) roots = {0};

        for (unsigned i = 0; i < result->root_count; i++) {
            const struct summary_root *root = &summary->roots[result->roots[i]];

            if (root->kind == ROOT_PARAMETER && !decide->is_copied[root->parameter]) {
                struct alias_origins origins = {0};

                alias_origins_of(&decide->alias, call->operands[root->parameter].value, &origins);
                const struct alias_origin *of =
                    &decide->alias.origins.items[origins.items[root->parameter_leaf]];
                for (unsigned k = 0; k < of->root_count; k++)
                    array_push(&roots, of->roots[k]);
                array_finish(&origins);
            } else if (root->kind == ROOT_OPAQUE || root->kind == ROOT_CAPTURED ||
                       (root->kind == ROOT_PARAMETER && summary->retains[root->parameter])) {
                /* of a parameter: the copy that the callee gets is what opaque code may keep */
                array_push(&roots, decide->alias.opaque_root);
            } else {
                enum alias_root_kind kind =
                    root->kind == ROOT_PARAMETER ? ROOT_ALLOCATION : root->kind;

                if (!fresh[result->roots[i]])
                    fresh[result->roots[i]] =
                        alias_root_new(&decide->alias, kind, call->result.loc);
                array_push(&roots, fresh[result->roots[i]]);
            }
        }
        alias_set_roots(&decide->alias, alias_origin_of(&decide->alias, &call->result, leaf),
                        roots.items, (unsigned)roots.count);
        array_finish(&roots);
    }
}

/* A kernel called for its effect: it keeps nothing, unless it calls out of the module. */
static void visit_effect(struct decide *decide, struct ir_op *call, const struct tir_func *kernel)
{
    struct kernel_access access = kernel_access(&decide->scratch, kernel);
    struct alias_origins origins = {0};

    if (access.calls_out) {
        visit_opaque(decide, call);
        return;
    }
    for (unsigned i = 0; i < call->operand_count; i++) {
        const struct tir_param *param = kernel_param_of(kernel, call, i);

        if (param && access.params[param - kernel->params].writes)
            alias_origins_of(&decide->alias, call->operands[i].value, &origins);
    }
    for (size_t i = 0; i < origins.count; i++)
        decide_mark_overwritten(decide, &decide->alias.origins.items[origins.items[i]]);
    array_finish(&origins);
    set_all(decide, &call->result, NULL);
}

static void visit_call(struct decide *decide, struct ir_op *call)
{
    const struct ir_global *callee = ir_op_callee(call);
    const struct summary *summary = NULL;

    if (callee && callee->kind == IR_GLOBAL_KERNEL) {
        visit_effect(decide, call, callee->kernel);
        return;
    }
    if (callee && callee->kind == IR_GLOBAL_FUNCTION)
        summary = inplace_summary(decide->analysis, callee->function, decide->depth + 1);
    find_operands(decide, call);
    for (unsigned i = 0; callee && callee->kind == IR_GLOBAL_FUNCTION && i < call->operand_count;
         i++) {
        bool overwrites = summary && !summary->is_unknown ? summary->overwrites[i]
                                                          : inplace_is_donated(callee->function, i);

        if (!overwrites)
            continue;
        if (decide_argument(decide, call, i, -1))
            decide_mark_overwritten(decide,
                                    &decide->alias.origins.items[decide->operand_origins[i]]);
    }
    if (!summary || summary->is_unknown || summary->result_count != leaf_count(call->result.type)) {
        visit_opaque(decide, call);
        return;
    }
    for (unsigned i = 0; i < call->operand_count; i++)
        if (summary->retains[i])
            retain(decide, call->operands[i].value, call);
    set_call_results(decide, call, summary);
}

/* A closure keeps what it captures. */
static void retain_captured(void *state, struct ir_op *maker, const struct ir_value *value)
{
    retain(state, value, maker);
}

static void visit_op(struct decide *decide, struct ir_op *op)
{
    if (op->region_count > 0)
        visit_if(decide, op);
    else if (ir_op_is(op, IR_CORE_call_tir_inplace) || ir_op_is(op, IR_CORE_call_tir))
        visit_kernel_call(decide, op);
    else if (ir_op_is(op, IR_CORE_call))
        visit_call(decide, op);
    else if (ir_op_is(op, IR_CORE_call_dps_packed) || (op->info->traits & IR_OPAQUE))
        visit_opaque(decide, op);
    else if (ir_op_is(op, IR_CORE_function))
        alias_walk_captures(&decide->alias, op, retain_captured, decide);
    else if (!alias_is_name(op) && !(op->info->traits & IR_TERMINATOR))
        set_all(decide, &op->result, NULL);
}

void decide_visit_region(struct decide *decide, struct ir_region *region)
{
    ir_for_each_block(block, region) ir_for_each_op (op, block) visit_op(decide, op);
}
