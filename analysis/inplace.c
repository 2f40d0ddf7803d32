/*
 * The judgement of one candidate: may a call take over the storage of an operand?
 *
 * A call that updates argument x runs in place if nothing can tell: nothing that may live in x's
 * storage is read on any path after the call (liveness), the storage is ours to change (an
 * allocation of this function or a donated parameter, never kept by opaque code), no other
 * operand of the same call shows the storage at other places than the kernel writes, and no other
 * output of the call takes it. The results of a call are defined after it, so SSA liveness at the
 * call sees exactly the old names.
 *
 * Deciding in program order is sound: what is decided later can only concern storage through names
 * that are live then, and after a positive decision the only live names are the result's.
 */
#include "analysis/inplace.h"

#include "analysis/inplace_internal.h"
#include "analysis/leaves.h"
#include "analysis/verify_storage/verify_storage.h"
#include "base/assert.h"
#include "ir/arith.h"
#include "ir/contract.h"

/* ---- ownership ---- */

static bool is_root_own(const struct storage *storage, const struct ir_op *call,
                        const struct storage_origin *origin, const struct storage_root *root,
                        struct inplace_conflict *out)
{
    *out = (struct inplace_conflict){.loc = root->loc, .parameter = -1};
    if (root->kind != STORAGE_CONSTANT && root->kind != STORAGE_OPAQUE &&
        root->home != ir_op_function(call)) {
        out->code = IP_BORROWED;
        out->evidence = EVIDENCE_AROUND;
    } else if (root->kind == STORAGE_PARAMETER &&
               !storage_is_donated(storage->module, root->home, root->parameter)) {
        out->code = IP_BORROWED;
        out->evidence = EVIDENCE_PARAMETER;
        out->parameter = (int)root->parameter;
    } else if (root->kind == STORAGE_CONSTANT) {
        out->code = IP_CONSTANT;
        out->evidence = EVIDENCE_CONSTANT;
    } else if (root->kind == STORAGE_OPAQUE) {
        out->code = IP_OPAQUE;
        out->evidence = EVIDENCE_MADE_OPAQUELY;
        out->loc = origin->value ? origin->value->loc : (struct location){0};
        out->opaque = origin->value ? origin->value->def : NULL;
    } else if (root->retained_by) {
        out->code = IP_OPAQUE;
        out->evidence =
            ir_op_is(root->retained_by, IR_CORE_function) ? EVIDENCE_CAPTURED : EVIDENCE_GIVEN_AWAY;
        out->loc = root->retained_by->loc;
        out->opaque = root->retained_by;
    }
    return out->code == IP_PROVED;
}

/* Is the storage ours to change? */
static bool check_owner(const struct storage *storage, const struct ir_op *call,
                        const struct storage_set *set, struct inplace_conflict *out)
{
    for (unsigned i = 0; i < set->count; i++) {
        const struct storage_origin *origin = &storage->origins.items[set->items[i]];

        for (unsigned k = 0; k < origin->place_count; k++)
            if (!is_root_own(storage, call, origin, &storage->roots.items[origin->places[k].root],
                             out))
                return false;
    }
    return true;
}

/* ---- liveness ---- */

/* Is anything that may live in the storage read after the call? */
static bool check_liveness(struct storage *storage, const struct ir_op *call, unsigned argument,
                           const struct storage_set *set, struct inplace_conflict *out)
{
    const struct ir_value *name = call->operands[argument].value;

    for (unsigned i = 0; i < set->count; i++) {
        const struct storage_read *read = storage_place_read_after(storage, set->items[i], call);

        if (!read)
            continue;
        bool is_same = read->name == name;

        *out = (struct inplace_conflict){
            .loc = read->op->loc, .alias = is_same ? NULL : read->name, .parameter = -1};
        if (ir_op_is(read->op, IR_CORE_return)) {
            out->code = IP_ESCAPES;
            out->evidence = EVIDENCE_RETURNED;
        } else {
            out->code = is_same ? IP_READ_LATER : IP_ALIAS_LIVE;
            out->reader = read->op;
            out->evidence = is_same ? EVIDENCE_READ : EVIDENCE_READ_BY_ALIAS;
        }
        return false;
    }
    return true;
}

/* ---- other operands of the call ---- */

static struct location access_loc(const struct access *access)
{
    return access->loc.source || !access->stmt ? access->loc : access->stmt->loc;
}

/* Two proofs, made apart: what the checker of storage cannot follow is not done. */
static bool is_agreed(struct storage_module *facts, struct tir_func *kernel, unsigned written,
                      unsigned read, int64_t shift, const struct access_share *share)
{
    if (!access_share_is_legal(share))
        return false;
    if (!map_has(&facts->agreed, share))
        map_set(&facts->agreed, share,
                verify_storage_may_share(facts->module, kernel, written, read, shift) ? facts
                                                                                      : NULL);
    return map_get(&facts->agreed, share) != NULL;
}

bool inplace_kernel_allows(struct storage_module *facts, struct tir_func *kernel, unsigned written,
                           unsigned read, int64_t shift, const struct tir_stmt **out_turn)
{
    const struct access_share *share = storage_kernel_share(facts, kernel, written, read, shift);

    *out_turn = share->is_backward ? share->loop : NULL;
    return is_agreed(facts, kernel, written, read, shift, share);
}

/* Do its accesses let parameters @written and @read of @kernel be one storage, @read beginning
 * @shift bytes behind? */
static bool accesses_allow(struct storage_module *facts, struct tir_func *kernel, unsigned written,
                           unsigned read, int64_t shift, struct inplace_conflict *out)
{
    const struct access_share *share = storage_kernel_share(facts, kernel, written, read, shift);

    if (is_agreed(facts, kernel, written, read, shift, share))
        return true;
    out->evidence = share->is_certain ? EVIDENCE_ACCESS : EVIDENCE_ACCESS_MAYBE;
    out->loc = share->read ? access_loc(share->read) : kernel->loc;
    out->turn = share->is_backward ? share->loop : NULL;
    out->written_loc = share->write ? access_loc(share->write) : (struct location){0};
    return false;
}

/*
 * Does the kernel let @written, the parameter that is to have the storage of operand @argument, and
 * operand @other, which is read, be one storage?
 */
static bool kernel_allows(struct storage *storage, const struct ir_op *call, unsigned argument,
                          const struct tir_param *written, unsigned other,
                          struct inplace_conflict *out)
{
    const struct ir_global *callee = ir_op_callee(call);
    bool is_one_type = call->operands[argument].value->type == call->operands[other].value->type;
    int64_t shift;

    *out =
        (struct inplace_conflict){.code = IP_OPERAND,
                                  .evidence = EVIDENCE_OVERLAP,
                                  .loc = call->loc,
                                  .alias = other == argument ? NULL : call->operands[other].value,
                                  .parameter = -1};
    /* (what code generation knows of nested functions is that operands of one type are one
     * tensor) */
    if (!written ||
        !storage_sets_shift(storage, storage->call.operands[argument],
                            storage->call.operands[other], &shift) ||
        ((shift != 0 || !is_one_type) && ir_op_function(call) != storage->function))
        return false;
    struct tir_func *kernel = callee->kernel;
    const struct tir_param *read = kernel_param_of(kernel, call, other);

    return read && accesses_allow(storage->module, kernel, (unsigned)(written - kernel->params),
                                  (unsigned)(read - kernel->params), shift, out);
}

/* Does the text of @call name operand @i as the place of output @output (-1: of any)? */
static bool names_place(const struct ir_op *call, unsigned i, int output)
{
    const struct ir_attr *indices =
        ir_op_is(call, IR_CORE_call_tir_inplace) || ir_op_is(call, IR_CORE_call_inplace_packed)
            ? ir_op_attr(call, "inplace_indices")
            : NULL;
    int64_t argument = (int64_t)i - ir_contract_of(call).first;

    for (unsigned k = 0; indices && k < indices->count; k++)
        if (indices->items[k]->integer == argument && argument >= 0 &&
            (output < 0 || (unsigned)output == k))
            return true;
    return false;
}

/* Will operand @i of @call be updated too, or be a copy of its own? */
static bool is_decided_apart(const struct storage *storage, const struct ir_op *call, unsigned i)
{
    const struct ir_global *callee = ir_op_callee(call);

    if (storage->call.is_copied[i] || names_place(call, i, -1))
        return true;
    return ir_op_is(call, IR_CORE_call) && callee && callee->kind == IR_GLOBAL_FUNCTION &&
           storage_summary(storage->module, callee->function)->overwrites[i];
}

/* Is operand @argument itself what output @output is written through?  Else it is read beside
 * it. */
static bool is_written_itself(const struct ir_op *call, unsigned argument, int output)
{
    return output < 0 || names_place(call, argument, output);
}

static bool check_operands(struct storage *storage, const struct ir_op *call, unsigned argument,
                           int output, struct inplace_conflict *out)
{
    const struct ir_global *callee = ir_op_callee(call);
    const struct tir_param *written = output >= 0 && callee && callee->kind == IR_GLOBAL_KERNEL
                                          ? kernel_output_of(callee->kernel, call, (unsigned)output)
                                          : NULL;

    for (unsigned i = 0; i < call->operand_count; i++) {
        const struct ir_value *other = call->operands[i].value;

        if ((i == argument && is_written_itself(call, argument, output)) ||
            !storage_is_in(other->type) ||
            !storage_sets_meet(storage, storage->call.operands[argument],
                               storage->call.operands[i]))
            continue;
        if (storage->call.is_taken[i]) {
            *out = (struct inplace_conflict){.code = IP_DUPLICATE,
                                             .evidence = EVIDENCE_TAKEN,
                                             .loc = call->loc,
                                             .alias = other,
                                             .parameter = -1};
            return false;
        }
        /* (one that is decided later is compared with this one then) */
        if (!is_decided_apart(storage, call, i) &&
            !kernel_allows(storage, call, argument, written, i, out))
            return false;
    }
    return true;
}

/* ---- kernel and types ---- */

static bool check_kernel(const struct storage *storage, const struct ir_op *call,
                         struct inplace_conflict *out)
{
    const struct ir_global *callee = ir_op_is(call, IR_CORE_call) ? NULL : ir_op_callee(call);

    if (!callee)
        return true;
    const struct kernel_access *access = storage_kernel(storage->module, callee->kernel);

    *out = (struct inplace_conflict){.code = IP_KERNEL,
                                     .evidence = EVIDENCE_CALLS_OUT,
                                     .loc = access->indirect_loc,
                                     .parameter = -1};
    return !access->calls_out;
}

static bool check_types(const struct storage *storage, const struct ir_op *call, unsigned argument,
                        int output, struct inplace_conflict *out)
{
    struct ir_context *context = storage->module->module->context;

    if (output < 0)
        return true;
    const struct ir_type *wanted = leaf_type(call->result.type, (unsigned)output);
    const struct ir_type *given = call->operands[argument].value->type;

    *out = (struct inplace_conflict){.code = IP_SHAPE,
                                     .evidence = EVIDENCE_ARGUMENT,
                                     .loc = call->operands[argument].value->loc,
                                     .parameter = -1};
    if (!ir_type_is_tensor(given) || !ir_type_is_tensor(wanted) || !given->dims || !wanted->dims ||
        given->ndim != wanted->ndim)
        return false;
    for (int i = 0; i < given->ndim; i++)
        if (!ir_prove_equal(context, given->dims[i], wanted->dims[i]))
            return false;
    out->code = IP_DTYPE;
    return ir_dtype_equal(given->dtype, wanted->dtype);
}

/* Of no elements: there is nothing to save, and whose storage it is in cannot be said. */
static bool is_empty(const struct storage *storage, const struct ir_type *type)
{
    struct ir_context *context = storage->module->module->context;
    const struct ir_expr *bytes = ir_type_bytes(context, type);
    int64_t number;

    return bytes && ir_expr_constant(context, bytes, &number) && number == 0;
}

/* Provably as many bytes, which are known to be at one place. */
static bool has_same_bytes(struct storage *storage, const struct ir_op *call, unsigned argument,
                           const struct ir_type *wanted)
{
    struct ir_context *context = storage->module->module->context;
    const struct storage_set *set = storage->call.operands[argument];
    const struct ir_type *given = call->operands[argument].value->type;

    if (!ir_type_is_tensor(given) || !ir_type_is_tensor(wanted) ||
        ir_op_function(call) != storage->function || !storage_sets_are_same(storage, set, set))
        return false;
    const struct ir_expr *bytes = ir_type_bytes(context, given);
    const struct ir_expr *others = ir_type_bytes(context, wanted);

    return bytes && others && ir_prove_equal(context, bytes, others);
}

enum inplace_fit inplace_fit_of(struct storage *storage, const struct ir_op *call,
                                unsigned argument, int output)
{
    struct inplace_conflict ignored;

    if (is_empty(storage, call->operands[argument].value->type))
        return INPLACE_FITS_NOT;
    if (check_types(storage, call, argument, output, &ignored))
        return INPLACE_FITS;
    return has_same_bytes(storage, call, argument, leaf_type(call->result.type, (unsigned)output))
               ? INPLACE_FITS_BYTES
               : INPLACE_FITS_NOT;
}

struct inplace_conflict inplace_judge_caller(const struct storage *storage,
                                             const struct ir_op *call, unsigned argument)
{
    const struct storage_set *set = storage->call.operands[argument];

    for (unsigned i = 0; i < set->count; i++) {
        const struct storage_origin *origin = &storage->origins.items[set->items[i]];

        for (unsigned k = 0; k < origin->place_count; k++) {
            const struct storage_root *root = &storage->roots.items[origin->places[k].root];

            if (root->kind == STORAGE_PARAMETER &&
                storage_is_called(storage->module, storage->function) &&
                !storage_summary(storage->module, storage->function)->overwrites[root->parameter])
                return (struct inplace_conflict){.code = IP_BORROWED,
                                                 .evidence = EVIDENCE_CALLED,
                                                 .loc = root->loc,
                                                 .parameter = -1};
        }
    }
    return (struct inplace_conflict){.code = IP_PROVED, .parameter = -1};
}

bool inplace_judge_free(struct storage *storage, const struct ir_op *call, unsigned argument)
{
    const struct storage_set *set = storage->call.operands[argument];
    struct inplace_conflict ignored;

    return check_owner(storage, call, set, &ignored) &&
           check_liveness(storage, call, argument, set, &ignored);
}

struct inplace_conflict inplace_judge(struct storage *storage, enum inplace_mode mode,
                                      struct ir_op *call, unsigned argument, int output)
{
    const struct storage_set *set = storage->call.operands[argument];
    struct inplace_conflict out = {.code = IP_SWITCHED_OFF, .loc = call->loc, .parameter = -1};
    unsigned step = 0;

    if (mode == INPLACE_OFF)
        return out;
    if ((!is_written_itself(call, argument, output) ||
         check_types(storage, call, argument, output, &out)) &&
        ++step && check_kernel(storage, call, &out) && ++step &&
        check_operands(storage, call, argument, output, &out) && ++step &&
        check_owner(storage, call, set, &out) && ++step &&
        check_liveness(storage, call, argument, set, &out) && ++step)
        out = (struct inplace_conflict){.code = IP_PROVED, .parameter = -1};
    out.step = step;
    return out;
}
