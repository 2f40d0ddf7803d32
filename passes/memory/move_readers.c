#include "passes/memory/move_readers.h"

#include "ir/arith.h"
#include "ir/verify.h"

enum {
    OPS_LIMIT = 1 << 15, /* ops that all trials together may look at */
    TRIAL_LIMIT = 32,
    MOVE_LIMIT = 4,       /* of one trial */
    DISTANCE_LIMIT = 128, /* ops that one call moves past */
};

struct move {
    struct ir_op *op, *next; /* @next: what stood behind it */
};

struct mover {
    struct pass_run *run;
    struct inplace_candidates found; /* of the module as it is */
    unsigned trials;                 /* that are left */
    struct move moves[MOVE_LIMIT];
    unsigned move_count;
};

/* ---- what a module saves ---- */

struct saving {
    int64_t bytes; /* of results of known size */
    size_t count;
};

static struct saving saving_of(struct ir_context *context, const struct inplace_candidates *found)
{
    struct saving saving = {0};

    for (size_t i = 0; i < found->count; i++) {
        const struct inplace_decision *decision = &found->items[i].decision;
        int64_t bytes = 0;

        if (decision->verdict != INPLACE_DONE)
            continue;
        if (decision->bytes && ir_expr_constant(context, decision->bytes, &bytes) &&
            bytes < INT64_MAX - saving.bytes)
            saving.bytes += bytes;
        saving.count++;
    }
    return saving;
}

static bool is_more(struct saving a, struct saving b)
{
    return a.bytes > b.bytes || (a.bytes == b.bytes && a.count > b.count);
}

/* ---- may it be moved? ---- */

/* Does @op read what one of @defs makes? */
static bool depends_on(const struct ir_op *op, const struct map *defs)
{
    for (unsigned i = 0; i < op->operand_count; i++) {
        const struct ir_op *def = op->operands[i].value->def;

        if (def && (map_has(defs, def) || (ir_op_is_inline(def) && depends_on(def, defs))))
            return true;
    }
    return false;
}

/* Is @reader's result no larger than what is won? */
static bool is_small(struct ir_context *context, const struct ir_op *reader,
                     const struct inplace_decision *won)
{
    const struct ir_expr *bytes = ir_type_bytes(context, reader->result.type);
    int64_t moved, saved;

    if (!bytes || !won->bytes)
        return false;
    if (ir_expr_constant(context, bytes, &moved) && ir_expr_constant(context, won->bytes, &saved))
        return moved <= saved;
    return ir_prove_equal(context, bytes, won->bytes);
}

/*
 * @reader in front of @call: behind it in its block, with nothing between that has an effect, names
 * symbols or makes what it reads.
 */
static bool can_move(const struct ir_op *call, const struct ir_op *reader)
{
    struct map defs = {0};
    const struct ir_op *op = call;
    bool is_free = reader->block == call->block && ir_op_is(reader, IR_CORE_call_tir);

    for (unsigned i = 0; is_free && op != reader; op = op->next, i++) {
        is_free = op && i < DISTANCE_LIMIT && op->region_count == 0 && ir_op_is_pure(op) &&
                  !ir_op_is(op, IR_CORE_match_cast);
        if (is_free)
            map_set(&defs, op, &defs);
        else
            break;
    }
    is_free = is_free && !depends_on(reader, &defs);
    map_finish(&defs);
    return is_free;
}

/* ---- trials ---- */

static void discover(struct mover *m, struct inplace_candidates *out)
{
    out->count = 0;
    inplace_discover(m->run->module, out);
    m->trials -= m->trials > 0;
}

static void take_back(struct mover *m)
{
    while (m->move_count > 0) {
        struct move *move = &m->moves[--m->move_count];

        ir_op_unlink(move->op);
        ir_op_insert_before(move->next, move->op);
    }
}

static const struct inplace_candidate *find(const struct inplace_candidates *found,
                                            const struct ir_op *call, int output)
{
    for (size_t i = 0; i < found->count; i++)
        if (found->items[i].call == call && found->items[i].decision.output == output)
            return &found->items[i];
    return NULL;
}

/* Moves the readers behind @candidate, one after the other; true if that is worth it. */
static bool try_one(struct mover *m, struct inplace_candidate candidate)
{
    struct ir_context *context = m->run->module->context;
    struct inplace_candidates found = {0};
    const struct inplace_candidate *now = &candidate;

    m->move_count = 0;
    while (now && now->reader && m->trials > 0 && m->move_count < MOVE_LIMIT &&
           is_small(context, now->reader, &now->decision) && can_move(now->call, now->reader)) {
        struct ir_op *reader = now->reader;

        m->moves[m->move_count++] = (struct move){reader, reader->next};
        ir_op_unlink(reader);
        ir_op_insert_before(candidate.call, reader);
        discover(m, &found);
        now = find(&found, candidate.call, candidate.decision.output);
    }
    bool is_won =
        m->move_count > 0 && is_more(saving_of(context, &found), saving_of(context, &m->found));

    if (is_won) {
        array_finish(&m->found);
        m->found = found;
        return true;
    }
    take_back(m);
    array_finish(&found);
    return false;
}

static bool count_op(void *state, struct ir_op *op)
{
    ++*(size_t *)state;
    return true;
}

bool move_readers(struct pass_run *run)
{
    struct mover m = {.run = run};
    struct ir_module *module = run->module;
    size_t ops = 1;
    bool is_changed = false;

    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            ir_region_walk(module->globals[i]->function->body, count_op, &ops);
    m.trials = OPS_LIMIT / ops < TRIAL_LIMIT ? (unsigned)(OPS_LIMIT / ops) : TRIAL_LIMIT;
    if (m.trials == 0)
        return false;
    inplace_discover(module, &m.found);
    for (size_t i = 0; i < m.found.count && m.trials > 0; i++)
        if (m.found.items[i].reader)
            is_changed |= try_one(&m, m.found.items[i]);
    array_finish(&m.found);
    return is_changed;
}
