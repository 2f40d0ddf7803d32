/* Choosing homes; see concat_plan.h. */
#include "passes/memory/concat_plan.h"

#include "ir/arith.h"

enum { NOTE_LIMIT = 16 }; /* parts of a result that are looked at */

/* ---- homes in homes ---- */

struct home concat_plan_all_of(struct concat_plan *plan, struct ir_value *value)
{
    unsigned ndim = (unsigned)value->type->ndim;
    int *dims = arena_array(&plan->run->scratch, int, ndim + 1);
    const struct ir_expr **offsets =
        arena_array(&plan->run->scratch, const struct ir_expr *, ndim + 1);

    for (unsigned d = 0; d < ndim; d++) {
        dims[d] = (int)d;
        offsets[d] = ir_expr_int(plan->run->module->context, IR_I64, 0);
    }
    return (struct home){value, value, dims, offsets};
}

/* A home within @outer, where that is in @outer's whole. */
static struct home compose(struct concat_plan *plan, const struct home *inner,
                           const struct home *outer)
{
    struct ir_context *context = plan->run->module->context;
    unsigned ndim = (unsigned)inner->value->type->ndim, middle = (unsigned)outer->value->type->ndim;
    unsigned whole = (unsigned)outer->whole->type->ndim;
    int *dims = arena_array(&plan->run->scratch, int, ndim + 1);
    const struct ir_expr **offsets =
        arena_array(&plan->run->scratch, const struct ir_expr *, whole + 1);

    for (unsigned i = 0; i < ndim; i++)
        dims[i] = inner->dims[i] < 0 ? -1 : outer->dims[inner->dims[i]];
    for (unsigned d = 0; d < whole; d++)
        offsets[d] = outer->offsets[d];
    for (unsigned d = 0; d < middle; d++)
        if (outer->dims[d] >= 0)
            offsets[outer->dims[d]] =
                ir_simplify(context, ir_expr_binary(context, IR_EXPR_add, offsets[outer->dims[d]],
                                                    inner->offsets[d]));
    return (struct home){inner->value, outer->whole, dims, offsets};
}

bool concat_plan_home(struct concat_plan *plan, struct ir_value *value, struct home *out)
{
    const struct home *home = map_get(&plan->homes, value);

    if (!home)
        return false;
    *out = *home;
    while ((home = map_get(&plan->homes, out->whole)) != NULL)
        *out = compose(plan, out, home);
    return true;
}

/* ---- homes ---- */

static struct home *home_of(struct concat_plan *plan, const struct join *join,
                            const struct access_piece *piece, struct ir_value *value)
{
    struct ir_context *context = plan->run->module->context;
    unsigned ndim = (unsigned)value->type->ndim;
    int *dims = arena_array(&plan->run->scratch, int, ndim + 1);
    const struct ir_expr **offsets =
        arena_array(&plan->run->scratch, const struct ir_expr *, piece->box.ndim + 1);
    struct home *home = arena_new(&plan->run->scratch, struct home);

    for (unsigned i = 0; i < ndim; i++)
        dims[i] = piece->axes[i].from;
    for (unsigned d = 0; d < piece->box.ndim; d++)
        offsets[d] = ir_simplify(
            context, ir_expr_substitute(context, piece->box.min[d], &join->call.symbols));
    *home = (struct home){value, &join->op->result, dims, offsets};
    return home;
}

/* The same of a parameter whose storage may have room for the whole. */
static enum inplace_code settle_append(struct concat_plan *plan, struct join *join,
                                       const struct access_piece *piece, struct ir_value *value)
{
    struct home home, outer;

    if (!piece->is_box || !piece->axes || value->type->kind != IR_TYPE_TENSOR ||
        !value->type->dims || !join->op->result.type->dims)
        return IP_BORROWED;
    home = *home_of(plan, join, piece, value);
    if (concat_plan_home(plan, home.whole, &outer))
        home = compose(plan, &home, &outer);
    return concat_append(plan, join, piece, &home);
}

/* What stands against the home that @piece would be; IP_PROVED: nothing, and it has it now. */
static enum inplace_code settle(struct concat_plan *plan, struct join *join,
                                const struct access_piece *piece, struct ir_value *value)
{
    struct home whole;
    enum inplace_code code = concat_judge(plan, join, piece, value);

    if (code == IP_BORROWED && value->parameter_of)
        return settle_append(plan, join, piece, value);
    if (code != IP_PROVED)
        return code;
    map_set(&plan->homes, value, home_of(plan, join, piece, value));
    if (concat_plan_home(plan, value, &whole) && concat_knows_sizes(value, &whole)) {
        array_push(&plan->homed, value);
        return IP_PROVED;
    }
    map_set(&plan->homes, value, NULL);
    return IP_UNSIZED;
}

static unsigned operand_of(const struct join *join, const struct access_piece *piece)
{
    return (unsigned)join->call.param_operands[piece->source];
}

/* What a decision on a parameter says beyond its code. */
struct said {
    enum inplace_evidence evidence;
    int parameter;
    struct location reader;
};

static void note_home(struct concat_plan *plan, const struct join *join, unsigned operand,
                      enum inplace_code code, struct said said)
{
    struct inplace_decisions *decisions = plan->run->decisions;

    if (!decisions)
        return;
    array_push(decisions, inplace_decision_new(plan->run->module->context, join->op, operand, 0,
                                               code, decisions->is_question));
    array_last(decisions).evidence = said.evidence;
    array_last(decisions).parameter = said.parameter;
    array_last(decisions).blocking_loc = said.reader;
    if (code == IP_PROVED)
        array_last(decisions).verdict = INPLACE_ELIDED;
}

/* Parameters come last (@is_param): whether one may be the beginning depends on who writes when. */
static void settle_pieces(struct concat_plan *plan, struct join *join, bool is_param,
                          enum inplace_code *codes, struct said *said)
{
    for (unsigned i = 0; i < join->pieces.count; i++) {
        const struct access_piece *piece = &join->pieces.items[i];

        if (piece->source < 0)
            continue;
        struct ir_value *value = join->op->operands[operand_of(join, piece)].value;
        if ((value->parameter_of != NULL) != is_param)
            continue;
        plan->evidence = EVIDENCE_NONE;
        plan->parameter = -1;
        plan->reader = (struct location){0};
        codes[i] = settle(plan, join, piece, value);
        said[i] = (struct said){plan->evidence, plan->parameter, plan->reader};
        if (codes[i] == IP_PROVED && plan->evidence != EVIDENCE_MOVED)
            join->homes[join->home_count++] = piece;
    }
}

/* Nothing has its home in the result any more. */
static void drop_homes(struct concat_plan *plan, struct join *join)
{
    size_t kept = 0;

    for (size_t i = 0; i < plan->homed.count; i++) {
        struct home *home = map_get(&plan->homes, plan->homed.items[i]);

        if (home && home->whole == &join->op->result)
            map_set(&plan->homes, plan->homed.items[i], NULL);
        else
            plan->homed.items[kept++] = plan->homed.items[i];
    }
    plan->homed.count = kept;
    join->home_count = 0;
}

/* What would be written before the other elements have moved is not made in the result. */
static void take_homes_back(struct concat_plan *plan, struct join *join, enum inplace_code *codes,
                            struct said *said)
{
    drop_homes(plan, join);
    for (unsigned i = 0; i < join->pieces.count; i++) {
        if (join->pieces.items[i].source < 0 || said[i].evidence == EVIDENCE_MOVED)
            continue;
        codes[i] = codes[i] == IP_PROVED ? IP_BEGINNING : codes[i];
        said[i].evidence = codes[i] == IP_BEGINNING ? EVIDENCE_MOVED : said[i].evidence;
    }
}

/* Is less held where the parts are not made in the result, which has storage of its own? */
static bool is_left_out(struct concat_plan *plan, const struct join *join)
{
    return plan->left_out && join->number < plan->left_out->count &&
           plan->left_out->items[join->number] && !join->moved &&
           !concat_append_of(plan, &join->op->result);
}

static void leave_parts(struct concat_plan *plan, struct join *join, enum inplace_code *codes)
{
    drop_homes(plan, join);
    for (unsigned i = 0; i < join->pieces.count; i++)
        if (join->pieces.items[i].source >= 0 && codes[i] == IP_PROVED)
            codes[i] = IP_PEAK;
}

static void settle_join(struct concat_plan *plan, struct join *join)
{
    struct arena *scratch = &plan->run->scratch;
    enum inplace_code *codes = arena_array(scratch, enum inplace_code, join->pieces.count);
    struct said *said = arena_array(scratch, struct said, join->pieces.count);

    join->homes = arena_array(scratch, const struct access_piece *, join->pieces.count);
    settle_pieces(plan, join, false, codes, said);
    settle_pieces(plan, join, true, codes, said);
    if (join->moved)
        take_homes_back(plan, join, codes, said);
    if (is_left_out(plan, join))
        leave_parts(plan, join, codes);
    for (unsigned i = 0; i < join->pieces.count; i++)
        if (join->pieces.items[i].source >= 0)
            note_home(plan, join, operand_of(join, &join->pieces.items[i]), codes[i], said[i]);
}

/* ---- joins ---- */

const struct access_pieces *concat_pieces(struct concat_plan *plan, const struct tir_func *func,
                                          unsigned param)
{
    const struct ir_buffer *buffer = func->params[param].buffer;

    if (!map_has(&plan->pieces, buffer)) {
        struct access_pieces *pieces = arena_new(&plan->run->scratch, struct access_pieces);

        map_set(&plan->pieces, buffer,
                access_pieces_of(&plan->cache, func, param, pieces) ? pieces : NULL);
    }
    return map_get(&plan->pieces, buffer);
}

/* Does the kernel put together what it copies? */
static bool is_join(const struct access_pieces *pieces)
{
    unsigned copies = 0;

    for (unsigned i = 0; pieces && i < pieces->count; i++)
        copies += pieces->items[i].source >= 0;
    return copies > 0 && pieces->count > 1 && pieces->is_disjoint;
}

/* Is @a, a part of the output, in none of the others? */
static bool is_own_part(struct concat_plan *plan, const struct access_pieces *pieces, unsigned i)
{
    const struct access_piece *a = &pieces->items[i];

    for (unsigned k = 0; k < pieces->count; k++)
        if (k != i && (!pieces->items[k].is_box ||
                       access_boxes_may_meet(&plan->cache, pieces->func, &a->box,
                                             &pieces->items[k].box) != ACCESS_NEVER))
            return false;
    return true;
}

static const struct ir_expr *bytes_of(struct concat_plan *plan, const struct kernel_call *call,
                                      const struct access_box *box, struct ir_dtype dtype)
{
    struct ir_context *context = plan->run->module->context;
    const struct ir_expr *bytes = ir_expr_int(context, IR_I64, ir_dtype_bytes(dtype));

    for (unsigned d = 0; d < box->ndim; d++)
        bytes = ir_expr_binary(context, IR_EXPR_mul, bytes, box->extent[d]);
    return ir_simplify(context, ir_expr_substitute(context, bytes, &call->symbols));
}

/* Parts of the result that a kernel, made of several, computes at once were never copied. */
static void note_computed(struct concat_plan *plan, struct ir_op *op,
                          const struct kernel_call *call, const struct access_pieces *pieces)
{
    struct inplace_decisions *decisions = plan->run->decisions;

    if (!decisions || op->places.count < 2 || !pieces || pieces->count < 2 ||
        pieces->count > NOTE_LIMIT || op->operand_count == 0)
        return;
    for (unsigned i = 0; i < pieces->count; i++) {
        const struct access_piece *piece = &pieces->items[i];

        if (piece->source >= 0 || !piece->is_box || piece->is_rest || !is_own_part(plan, pieces, i))
            continue;
        struct inplace_decision decision = inplace_decision_new(
            plan->run->module->context, op, 0, 0, IP_PROVED, decisions->is_question);
        decision.verdict = INPLACE_ELIDED;
        decision.evidence = EVIDENCE_COMPUTED;
        decision.value = op->result.name ? op->result.name : decision.callee;
        decision.bytes = bytes_of(plan, call, &piece->box, op->result.type->dtype);
        array_push(decisions, decision);
    }
}

static const unsigned *count_copies(struct concat_plan *plan, const struct access_pieces *pieces)
{
    unsigned *copies = arena_array(&plan->run->scratch, unsigned, pieces->func->param_count + 1);

    for (unsigned i = 0; i < pieces->count; i++)
        if (pieces->items[i].source >= 0)
            copies[pieces->items[i].source]++;
    return copies;
}

bool concat_read_join(struct concat_plan *plan, struct ir_op *op, struct join *out)
{
    const struct ir_global *callee = ir_op_is(op, IR_CORE_call_tir) ? ir_op_callee(op) : NULL;
    const struct access_pieces *pieces = NULL;

    *out = (struct join){.op = op};
    if (!callee || callee->kind != IR_GLOBAL_KERNEL || op->result.type->kind != IR_TYPE_TENSOR ||
        tir_func_buffer_count(callee->kernel) < 2)
        return false;
    if (kernel_call_read(plan->run->module, &plan->run->scratch, op, &out->call))
        pieces = concat_pieces(plan, callee->kernel, out->call.output_params[0]);
    if (plan->notes_computed)
        note_computed(plan, op, &out->call, pieces);
    if (!is_join(pieces)) {
        kernel_call_finish(&out->call);
        return false;
    }
    out->pieces = *pieces;
    out->copies = count_copies(plan, pieces);
    return true;
}

static bool add_join(void *state, struct ir_op *op)
{
    struct concat_plan *plan = state;
    struct join *join = arena_new(&plan->run->scratch, struct join);

    plan->notes_computed = true;
    bool is_one = concat_read_join(plan, op, join);
    plan->notes_computed = false;
    if (!is_one)
        return true;
    join->number = plan->all.count;
    array_push(&plan->all, join);
    map_set(&plan->joins, op, join);
    return true;
}

/* ---- all of a function ---- */

/* False, to end the walk: there is one. */
static bool is_no_join(void *state, struct ir_op *op)
{
    struct join join;

    if (!concat_read_join(state, op, &join))
        return true;
    kernel_call_finish(&join.call);
    return false;
}

bool concat_plan_has_joins(struct concat_plan *plan, struct ir_function *function)
{
    return !ir_region_walk(function->body, is_no_join, plan);
}

void concat_plan_find(struct concat_plan *plan, struct ir_function *function)
{
    size_t first = plan->all.count;

    map_finish(&plan->fields); /* of functions before, and of this one before it was tidied */
    ir_function_number(function);
    ir_region_walk(function->body, add_join, plan);
    /* The last first: it is the largest of those that have a value in common. */
    for (size_t i = plan->all.count; i-- > first;)
        settle_join(plan, plan->all.items[i]);
}

void concat_plan_finish(struct concat_plan *plan)
{
    for (size_t i = 0; i < plan->all.count; i++)
        kernel_call_finish(&plan->all.items[i]->call);
    array_finish(&plan->all);
    array_finish(&plan->appends);
    array_finish(&plan->moves);
    array_finish(&plan->homed);
    map_finish(&plan->used);
    map_finish(&plan->pieces);
    map_finish(&plan->plain);
    map_finish(&plan->sums);
    map_finish(&plan->joins);
    map_finish(&plan->fields);
    map_finish(&plan->homes);
    access_cache_finish(&plan->cache);
}
