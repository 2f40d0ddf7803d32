#include "analysis/inplace_sizes.h"

#include "analysis/inplace_internal.h"
#include "analysis/leaves.h"
#include "ir/arith.h"
#include "ops/ids.h"

enum {
    WINDOW_LIMIT = 4096, /* ops from the first to the last concerned */
    /*
     * Of a call of more operands than twice this only the first and the last ones are tried: each try
     * reads the kernel, and kernels of so many are joins, of which no other part lies at an end.
     */
    END_OPERANDS = 16,
};

/* A root of the function: from when to when it is held. */
struct held {
    int64_t bytes;        /* -1: no number, or not ours to count */
    unsigned first, last; /* positions; last: ~0U for what is held to the end of the function */
    unsigned align;       /* the largest element of what lies in it */
    struct ir_op *maker;  /* NULL: none that can be told to take other storage */
    unsigned maker_leaf;
    bool is_seen, is_returned;
};

struct search {
    struct storage_module facts;
    struct storage storage; /* of the function in work */
    struct inplace_sizes *out;
    struct held *held; /* by root */
    int64_t *live;     /* by position: bytes that are held */
    struct map taken;  /* ops and roots that a pair concerns already */
    array(struct ir_op *) calls;
};

/* ---- what is held when ---- */

static bool is_maker(const struct ir_op *op)
{
    return ir_op_is(op, IR_CORE_call_tir) || op_is(op, OP_builtin_alloc_tensor);
}

static unsigned element_bytes(const struct storage_origin *origin)
{
    const struct ir_type *type = leaf_type(origin->value->type, origin->leaf);

    return ir_type_is_tensor(type) ? ir_dtype_bytes(type->dtype) : 1;
}

static void note_origin(struct search *s, unsigned index, unsigned root)
{
    const struct storage_origin *origin = &s->storage.origins.items[index];
    struct held *held = &s->held[root];
    struct ir_op *def = origin->value ? origin->value->def : NULL;
    unsigned from = def ? storage_position(&s->storage, def) : 0, to = from;

    for (size_t i = 0; i < origin->reads.count; i++)
        held->is_returned |= ir_op_is(origin->reads.items[i].op, IR_CORE_return);
    if (origin->reads.count > 0 && array_last(&origin->reads).position > to)
        to = array_last(&origin->reads).position;
    if (!held->is_seen || from < held->first) {
        held->first = from;
        held->maker = def && is_maker(def) ? def : NULL;
        held->maker_leaf = origin->leaf;
    }
    if (!held->is_seen || to > held->last)
        held->last = to;
    if (element_bytes(origin) > held->align)
        held->align = element_bytes(origin);
    held->is_seen = true;
}

/* Does it name what an op has made? (`return` and its like have results, too, which nobody
 * gets.) */
static bool is_value(const struct storage_origin *origin)
{
    const struct ir_op *def = origin->value ? origin->value->def : NULL;

    return origin->value &&
           !(def && (ir_op_is(def, IR_CORE_return) || ir_op_is(def, IR_CORE_yield) ||
                     ir_op_is(def, IR_CORE_output)));
}

static void note_roots(struct search *s)
{
    struct ir_context *context = s->facts.module->context;

    for (unsigned i = STORAGE_ANYTHING + 1; i < s->storage.origins.count; i++) {
        const struct storage_origin *origin = &s->storage.origins.items[i];

        for (unsigned k = 0; is_value(origin) && k < origin->place_count; k++)
            note_origin(s, i, origin->places[k].root);
    }
    for (unsigned i = 0; i < s->storage.roots.count; i++) {
        const struct storage_root *root = &s->storage.roots.items[i];
        struct held *held = &s->held[i];

        if (root->kind != STORAGE_ALLOCATED || !root->bytes ||
            !ir_expr_constant(context, root->bytes, &held->bytes))
            held->bytes = -1;
        if (root->retained_by)
            held->last = ~0U;
    }
}

static void add_live(struct search *s)
{
    unsigned end = s->storage.next_position;

    for (unsigned i = 0; i < s->storage.roots.count; i++) {
        const struct held *held = &s->held[i];

        if (held->bytes <= 0 || !held->is_seen)
            continue;
        s->live[held->first] += held->bytes;
        if (held->last < end)
            s->live[held->last + 1] -= held->bytes;
    }
    for (unsigned i = 1; i < end; i++)
        s->live[i] += s->live[i - 1];
}

/* @change more from @first to @last (of which @at has @there more). */
struct change {
    unsigned first, last, at;
    int64_t change, there;
};

static void apply(struct search *s, const struct change *c)
{
    for (unsigned i = c->first; i <= c->last; i++)
        s->live[i] += i == c->at ? c->there : c->change;
}

static int64_t changed(const struct search *s, const struct change *c, unsigned i)
{
    bool is_in = i >= c->first && i <= c->last;

    return s->live[i] + (!is_in ? 0 : i == c->at ? c->there : c->change);
}

/* Is the most that the function holds anywhere less then? */
static bool lowers_peak(const struct search *s, const struct change *c)
{
    int64_t before = 0, after = 0;

    for (unsigned i = 0; i < s->storage.next_position; i++) {
        int64_t then = changed(s, c, i);

        before = s->live[i] > before ? s->live[i] : before;
        after = then > after ? then : after;
    }
    return after < before;
}

/* How much less the most that is held while it matters becomes. */
static int64_t saving_of(const struct search *s, const struct change *c)
{
    int64_t before = 0, after = 0;

    if (c->last - c->first > WINDOW_LIMIT || c->last >= s->storage.next_position)
        return 0;
    for (unsigned i = c->first; i <= c->last; i++) {
        int64_t now = s->live[i], then = changed(s, c, i);

        before = now > before ? now : before;
        after = then > after ? then : after;
    }
    return before - after;
}

/* ---- the kernel ---- */

static bool allows(struct storage_module *facts, struct inplace_size *size)
{
    struct ir_op *call = size->call;
    struct tir_func *kernel = ir_op_callee(call)->kernel;
    const struct tir_param *written =
        size->output < 0 ? NULL : kernel_output_of(kernel, call, (unsigned)size->output);
    unsigned turns = 0, meeting = 0;

    size->turn = NULL;
    if (!written || storage_kernel(facts, kernel)->calls_out)
        return false;
    for (unsigned i = 0; i < call->operand_count; i++) {
        const struct tir_param *read = size->meets[i] ? kernel_param_of(kernel, call, i) : NULL;
        const struct tir_stmt *turn = NULL;

        if (!size->meets[i])
            continue;
        meeting++;
        if (!read ||
            !inplace_kernel_allows(facts, kernel, (unsigned)(written - kernel->params),
                                   (unsigned)(read - kernel->params), size->shifts[i], &turn)) {
            if (!turn)
                return false;
            turns++;
            size->turn = turn;
        }
    }
    return meeting > 0 && (turns == 0 || (turns == 1 && meeting == 1));
}

bool inplace_size_holds(struct ir_module *module, const struct inplace_size *size)
{
    struct storage_module facts;
    struct inplace_size copy = *size;

    storage_module_init(&facts, module);
    bool is_fine = allows(&facts, &copy) && !copy.turn;
    storage_module_finish(&facts);
    return is_fine;
}

/* ---- one pair ---- */

static bool has_place_in(const struct storage *storage, const struct storage_set *set,
                         unsigned root)
{
    for (unsigned i = 0; i < set->count; i++) {
        const struct storage_origin *origin = &storage->origins.items[set->items[i]];

        for (unsigned k = 0; k < origin->place_count; k++)
            if (origin->places[k].root == root)
                return true;
    }
    return false;
}

/* Where each operand in @root lies, seen from the result, which operand @argument begins @shift
 * behind. */
static bool find_operands(struct search *s, struct inplace_size *size, unsigned root, int64_t shift)
{
    struct storage_call *call = &s->storage.call;
    unsigned count = size->call->operand_count;
    int64_t *shifts = arena_array(&s->out->arena, int64_t, count + 1);
    bool *meets = arena_array(&s->out->arena, bool, count + 1);

    for (unsigned i = 0; i < count; i++) {
        meets[i] = has_place_in(&s->storage, call->operands[i], root) ||
                   storage_sets_meet(&s->storage, call->operands[size->argument],
                                     call->operands[i]); /* (what may be anything) */
        if (meets[i] && !storage_sets_shift(&s->storage, call->operands[size->argument],
                                            call->operands[i], &shifts[i]))
            return false;
        shifts[i] += shift;
    }
    size->shifts = shifts;
    size->meets = meets;
    return true;
}

struct pair {
    unsigned root, result; /* the operand's root, the result's */
    int64_t begin;         /* of the operand in its root */
    int64_t bytes, wanted; /* of the operand, of the result */
    unsigned position;     /* of the call */
    struct change change;
    int64_t saving;
};

/* The bytes of @p's smaller one are put at the front, or (@is_back) at the back. */
static bool place(struct search *s, struct inplace_size *size, const struct pair *p, bool is_back)
{
    const struct held *held = &s->held[p->root];
    unsigned element =
        ir_dtype_bytes(leaf_type(size->call->result.type, (unsigned)size->output)->dtype);
    int64_t room = size->is_wider ? p->wanted - held->bytes : p->bytes - p->wanted;
    int64_t align = size->is_wider ? held->align : element, shift;

    size->offset = is_back ? room - room % align : 0;
    if (size->is_wider) {
        size->maker_offset = size->offset;
        shift = size->offset + p->begin;
    } else {
        shift = -size->offset;
        if ((p->begin + size->offset) % element != 0)
            return false;
    }
    return find_operands(s, size, p->root, shift) && allows(&s->facts, size);
}

/* Front or back, as the kernel is; else with a loop turned round. */
static bool find_place(struct search *s, struct inplace_size *size, const struct pair *p)
{
    for (unsigned is_turned = 0; is_turned < 2; is_turned++)
        for (unsigned is_back = 0; is_back < 2; is_back++)
            if (place(s, size, p, is_back) &&
                (!size->turn ||
                 (is_turned && !inplace_has_order(&s->storage, size->call, size->output))))
                return true;
    return false;
}

/* May the operand's storage be a part of the result's, and what is it worth? */
static bool judge_wider(struct search *s, const struct inplace_size *size, struct pair *p)
{
    const struct held *held = &s->held[p->root];

    p->change = (struct change){.first = held->first,
                                .last = p->position,
                                .at = p->position,
                                .change = p->wanted - held->bytes,
                                .there = -held->bytes};
    return held->last == p->position && !held->is_returned && held->maker &&
           held->maker->block == size->call->block && held->maker != size->call &&
           !map_has(&s->taken, held->maker) && !s->storage.roots.items[p->root].retained_by &&
           inplace_judge_free(&s->storage, size->call, size->argument);
}

/* May the result be a part of the operand? */
static bool judge_narrower(struct search *s, const struct inplace_size *size, struct pair *p)
{
    const struct held *held = &s->held[p->root], *result = &s->held[p->result];
    int64_t longer = result->last > held->last ? held->bytes - p->wanted : -p->wanted;

    p->change = (struct change){.first = p->position,
                                .last = result->last,
                                .at = p->position,
                                .change = longer,
                                .there = -p->wanted};
    /* what leaves the function keeps no more than twice its size, and that not for nothing: in memory of its own it
     * could be made where the caller wants it */
    if (result->is_returned && (p->wanted < held->bytes - p->wanted || !lowers_peak(s, &p->change)))
        return false;
    return inplace_judge_free(&s->storage, size->call, size->argument);
}

static bool read_pair(struct search *s, const struct inplace_size *size, struct pair *p)
{
    struct ir_context *context = s->facts.module->context;
    const struct storage_set *set = s->storage.call.operands[size->argument];
    const struct ir_type *type = leaf_type(size->call->result.type, (unsigned)size->output);
    unsigned made =
        storage_leaf(&s->storage, &size->call->result, (unsigned)size->output)->items[0];
    const struct storage_origin *origin = &s->storage.origins.items[set->items[0]];
    const struct storage_origin *result = &s->storage.origins.items[made];
    const struct ir_expr *bytes =
        ir_type_bytes(context, size->call->operands[size->argument].value->type);
    const struct ir_expr *wanted = ir_type_bytes(context, type);

    if (!storage_sets_are_same(&s->storage, set, set) || result->place_count != 1 || !bytes ||
        !wanted || !ir_expr_constant(context, bytes, &p->bytes) ||
        !ir_expr_constant(context, wanted, &p->wanted) || p->bytes <= 0 || p->wanted <= 0 ||
        !ir_expr_constant(context, origin->places[0].region.offset, &p->begin))
        return false;
    p->root = origin->places[0].root;
    p->result = result->places[0].root;
    p->position = storage_position(&s->storage, size->call);
    return s->storage.roots.items[p->root].kind == STORAGE_ALLOCATED &&
           s->storage.roots.items[p->root].home == s->storage.function &&
           s->held[p->root].bytes > 0 && s->held[p->result].first == p->position &&
           !map_has(&s->taken, &s->held[p->root]) && !map_has(&s->taken, &s->held[p->result]);
}

/* ---- all of them ---- */

static bool is_first_of_its_value(const struct ir_op *call, unsigned i)
{
    for (unsigned k = 0; k < i; k++)
        if (call->operands[k].value == call->operands[i].value)
            return false;
    return true;
}

/* The pair of output @output with operand @argument, if it is worth more than @best. */
static bool try_pair(struct search *s, struct inplace_size *size, struct pair *p, int64_t best)
{
    if (!ir_type_is_tensor(size->call->operands[size->argument].value->type) ||
        !is_first_of_its_value(size->call, size->argument) || !read_pair(s, size, p) ||
        p->wanted == s->held[p->root].bytes)
        return false;
    size->is_wider = p->wanted > s->held[p->root].bytes;
    if (!size->is_wider && p->wanted >= p->bytes)
        return false;
    if (size->is_wider ? !judge_wider(s, size, p) : !judge_narrower(s, size, p))
        return false;
    p->saving = saving_of(s, &p->change);
    if (p->saving <= best || !find_place(s, size, p))
        return false;
    size->maker = size->is_wider ? s->held[p->root].maker : NULL;
    size->maker_leaf = s->held[p->root].maker_leaf;
    size->bytes = size->is_wider ? s->held[p->root].bytes : p->wanted;
    return true;
}

static void take(struct search *s, const struct inplace_size *size, const struct pair *p)
{
    apply(s, &p->change);
    map_set(&s->taken, &s->held[p->root], s);
    map_set(&s->taken, &s->held[p->result], s);
    map_set(&s->taken, size->call, s);
    if (size->maker)
        map_set(&s->taken, size->maker, s);
    array_push(s->out, *size);
}

static void look_at_call(struct search *s, struct ir_op *call)
{
    unsigned outputs = leaf_count(call->result.type);

    storage_begin_call(&s->storage, call);
    for (unsigned o = 0; o < outputs && !map_has(&s->taken, call); o++) {
        struct inplace_size best = {.call = NULL};
        struct pair best_pair = {.saving = 0};

        for (unsigned i = 0; i < call->operand_count; i++) {
            struct inplace_size size = {.call = call, .argument = i, .output = (int)o};
            struct pair pair = {.saving = 0};

            if (i >= END_OPERANDS && call->operand_count - i > END_OPERANDS)
                continue;
            if (try_pair(s, &size, &pair, best_pair.saving)) {
                best = size;
                best_pair = pair;
            }
        }
        if (best.call)
            take(s, &best, &best_pair);
    }
}

static bool note_call(void *state, struct ir_op *op)
{
    struct search *s = state;
    const struct ir_global *callee = ir_op_callee(op);

    if (ir_op_is(op, IR_CORE_call_tir) && callee && callee->kind == IR_GLOBAL_KERNEL)
        array_push(&s->calls, op);
    return true;
}

static void look_at_function(struct search *s, struct ir_function *function)
{
    struct arena arena = {0};

    s->calls.count = 0;
    ir_region_walk(function->body, note_call, s);
    if (s->calls.count == 0)
        return;
    storage_init(&s->storage, &s->facts, function, NULL);
    s->held = arena_array(&arena, struct held, s->storage.roots.count + 1);
    s->live = arena_array(&arena, int64_t, s->storage.next_position + 2);
    note_roots(s);
    add_live(s);
    for (size_t i = 0; i < s->calls.count; i++)
        look_at_call(s, s->calls.items[i]);
    storage_finish(&s->storage);
    map_finish(&s->taken);
    arena_finish(&arena);
}

void inplace_find_sizes(struct ir_module *module, struct inplace_sizes *out)
{
    struct search s = {.out = out};

    storage_module_init(&s.facts, module);
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            look_at_function(&s, module->globals[i]->function);
    array_finish(&s.calls);
    storage_module_finish(&s.facts);
}

void inplace_sizes_finish(struct inplace_sizes *sizes)
{
    array_finish(sizes);
    arena_finish(&sizes->arena);
}
