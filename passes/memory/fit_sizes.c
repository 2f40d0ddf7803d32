/*
 * Results and operands of different sizes in one storage, as analysis/inplace_sizes found them:
 *
 *     x = R.call_tir(cls.f, (a,), ..)
 *     y = R.call_tir(cls.g, (x,), ..)
 *
 *  => y_dest = R.builtin.alloc_tensor(..)
 *     x_dest = R.memory.view(y_dest, <shape of x>, <dtype of x>, <offset>)
 *     x = R.call_tir_inplace(cls.f, (a, x_dest), .., inplace_indices=[1])
 *     y = R.call_tir_inplace(cls.g, (x, y_dest), .., inplace_indices=[1])
 *
 * where y is the larger one; else its destination is a view of x.  All pairs that were found are
 * made, then there may be more: y may be the smaller one of another pair.
 */
#include "passes/memory/fit_sizes.h"

#include "analysis/inplace_sizes.h"
#include "ir/arith.h"
#include "passes/loop/loop.h"
#include "passes/memory/destinations.h"

enum { ROUND_LIMIT = 16 };

struct fitting {
    struct pass_run *run;
    struct map kernels; /* loop -> struct ir_global with that loop turned round */
    struct map useless; /* ... that was not of use */
};

/* ---- kernels ---- */

/* Gives the call a kernel with the loop that has to run backwards so, if that will do. */
static bool turn(struct fitting *f, const struct inplace_size *size)
{
    struct ir_context *context = f->run->module->context;
    const struct ir_attr *before = ir_op_attr(size->call, "callee");
    struct ir_global *known = map_get(&f->kernels, size->turn);
    bool is_new = !known;

    if (map_has(&f->useless, size->turn))
        return false;
    if (is_new)
        known = loop_add_turned(ir_op_callee(size->call)->kernel, size->turn);
    if (known)
        ir_op_set_attr(size->call, "callee", ir_attr_global(context, known));
    if (known && inplace_size_holds(f->run->module, size)) {
        map_set(&f->kernels, size->turn, known);
        return true;
    }
    ir_op_set_attr(size->call, "callee", before);
    if (known && is_new) {
        ir_module_remove(f->run->module, known);
        map_set(&f->useless, size->turn, f);
    }
    return false;
}

/* ---- calls ---- */

static bool set_destination(struct pass_run *run, struct ir_op *call, unsigned output,
                            struct ir_value *value)
{
    struct ir_value **destinations =
        arena_array(&run->scratch, struct ir_value *, destination_count(call));

    destinations[output] = value;
    return value && destinations_set(run, call, destinations);
}

/* What took the operand's storage has a part of @whole instead. */
static bool move_maker(struct pass_run *run, const struct inplace_size *size,
                       struct ir_value *whole)
{
    struct ir_op *maker = size->maker;
    struct ir_value *part =
        destination_in(run, maker, size->maker_leaf, whole, size->maker_offset, maker);

    if (!part || ir_op_is(maker, IR_CORE_call_tir))
        return set_destination(run, maker, size->maker_leaf, part);
    part->name = maker->result.name;
    ir_value_replace(&maker->result, part);
    ir_op_erase(maker);
    return true;
}

static bool make(struct pass_run *run, const struct inplace_size *size)
{
    unsigned output = (unsigned)size->output;

    if (!size->is_wider)
        return set_destination(run, size->call, output,
                               destination_in(run, size->call, output,
                                              size->call->operands[size->argument].value,
                                              size->offset, size->call));
    struct ir_value *whole = destination_new(run, size->call, output, size->maker);

    return whole && move_maker(run, size, whole) && set_destination(run, size->call, output, whole);
}

/* ---- what was done ---- */

/* One decision for each output: what was tried before it is of no interest any more. */
static void forget(struct inplace_decisions *decisions, const struct inplace_decision *of)
{
    size_t kept = 0;

    for (size_t i = 0; i < decisions->count; i++) {
        const struct inplace_decision *d = &decisions->items[i];

        if (!d->is_found || d->is_view || d->output != of->output ||
            d->call_loc.source != of->call_loc.source || d->call_loc.begin != of->call_loc.begin ||
            d->function != of->function || d->result != of->result)
            decisions->items[kept++] = *d;
    }
    decisions->count = kept;
}

static void record(struct pass_run *run, const struct inplace_size *size)
{
    struct ir_context *context = run->module->context;
    struct inplace_decisions *decisions = run->decisions;

    if (!decisions)
        return;
    struct inplace_decision decision =
        inplace_decision_new(context, size->call, size->argument, size->output,
                             size->is_wider ? IP_WIDER : IP_NARROWER, decisions->is_question);
    decision.verdict = INPLACE_DONE;
    decision.is_found = true;
    decision.bytes = ir_expr_int(context, IR_I64, size->bytes);
    forget(decisions, &decision);
    array_push(decisions, decision);
}

/* ---- all of them ---- */

static bool make_all(struct fitting *f, const struct inplace_sizes *sizes, bool *out_any)
{
    for (size_t i = 0; i < sizes->count; i++) {
        const struct inplace_size *size = &sizes->items[i];

        if (size->turn && !turn(f, size))
            continue;
        record(f->run, size);
        *out_any = true;
        if (!make(f->run, size))
            return false;
    }
    return true;
}

bool fit_sizes(struct pass_run *run, bool *out_changed)
{
    struct fitting f = {.run = run};
    bool is_fine = true, is_any = true;

    for (unsigned round = 0; round < ROUND_LIMIT && is_any && is_fine; round++) {
        struct inplace_sizes sizes = {0};

        is_any = false;
        inplace_find_sizes(run->module, &sizes);
        is_fine = make_all(&f, &sizes, &is_any);
        inplace_sizes_finish(&sizes);
        *out_changed |= is_any;
    }
    map_finish(&f.kernels);
    map_finish(&f.useless);
    return is_fine;
}
