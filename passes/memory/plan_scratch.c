/*
 * Plans that have their gaps where kernels have scratch; see plan_scratch.h.
 *
 * With a height H for all together, the last bytes of the piece are taken at each call but for those that leave room
 * for H: an item there that may not move.  So packing within the piece answers whether there is a plan of height H.
 */
#include "passes/memory/plan_scratch.h"

#include "analysis/pack/pack.h"
#include "analysis/stack_need.h"
#include "ir/arith.h"

enum {
    TRIES = 6, /* heights that are asked about */
    MANY = 4000,
    TRIES_OF_MANY = 2,
    STEPS = 1 << 21, /* of the search for one height */
    NEAR = 64,       /* so small a share of the height is not worth a question */
};

/* ---- calls ---- */

struct finder {
    struct pass_run *run;
    const struct storage *storage;
    struct plan_scratch *out;
    struct map known; /* kernel -> int64_t: what it takes */
};

static int64_t scratch_of(struct finder *f, const struct tir_func *kernel)
{
    int64_t *bytes = map_get(&f->known, kernel);
    struct stack_need need;

    if (bytes)
        return *bytes;
    bytes = arena_new(&f->run->scratch, int64_t);
    map_set(&f->known, kernel, bytes);
    if (!stack_scratch(f->run->module->context, kernel->body, NULL, &need) ||
        !ir_expr_constant(f->run->module->context, need.bytes, bytes) || *bytes < 0 ||
        *bytes > PACK_LARGEST / 4)
        *bytes = 0;
    return *bytes;
}

static bool visit(void *state, struct ir_op *op)
{
    struct finder *f = state;
    const struct ir_global *callee = ir_op_callee(op);
    int64_t bytes = callee && callee->kind == IR_GLOBAL_KERNEL ? scratch_of(f, callee->kernel) : 0;

    if (bytes > 0)
        array_push(f->out, (struct plan_scratch_call){storage_position(f->storage, op), bytes});
    return true;
}

void plan_scratch_find(struct pass_run *run, const struct storage *storage,
                       struct plan_scratch *out)
{
    struct finder f = {.run = run, .storage = storage, .out = out};

    ir_region_walk(storage->function->body, visit, &f);
    map_finish(&f.known);
}

/* ---- what is held ---- */

struct lowering {
    struct pass_run *run;
    const struct plan_scratch *scratch;
    struct plan_items *items;
    int64_t bytes;
    int64_t *sums; /* by call: bytes that live then */
    int64_t height, bound;
    struct pack_item *packed; /* the items, then what may not move */
};

static int64_t rounded(int64_t bytes)
{
    return (bytes + PLAN_ALIGNMENT - 1) / PLAN_ALIGNMENT * PLAN_ALIGNMENT;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static bool lives_at(const struct pack_item *item, unsigned position)
{
    return item->lower < position && position < item->upper;
}

/* The height of all with the offsets that are packed; or, without offsets, what it is at least. */
static int64_t height_of(struct lowering *l, bool is_bound)
{
    array(size_t) alive = {0};
    int64_t height = l->bytes;
    size_t next = 0;

    for (size_t k = 0; k < l->scratch->count; k++) {
        unsigned position = l->scratch->items[k].position;
        int64_t top = 0;
        size_t kept = 0;

        while (next < l->items->count && l->packed[next].lower < position)
            array_push(&alive, next++);
        for (size_t i = 0; i < alive.count; i++) {
            const struct pack_item *item = &l->packed[alive.items[i]];

            if (!lives_at(item, position))
                continue;
            alive.items[kept++] = alive.items[i];
            top = is_bound ? top + item->size : larger(top, item->offset + item->size);
        }
        alive.count = kept;
        if (is_bound)
            l->sums[k] = top;
        height = larger(height, top + l->scratch->items[k].bytes);
    }
    array_finish(&alive);
    return height;
}

/* Items that do with the place of another have none of their own. */
static void pack_items_of(struct lowering *l)
{
    for (size_t i = 0; i < l->items->count; i++) {
        const struct plan_item *item = &l->items->items[i];
        struct pack_item *place = &l->packed[item->same];

        l->packed[i] = (struct pack_item){
            .lower = item->lower, .upper = item->lower, .alignment = PLAN_ALIGNMENT};
        place->size = larger(place->size, rounded(item->count));
        place->upper = larger(place->upper, item->upper);
        place->offset = l->items->items[item->same].offset->int_value;
    }
}

/* Is there a plan of @height?  Then it is what the items have now. */
static bool try_height(struct lowering *l, int64_t height)
{
    size_t count = l->items->count, fault, other;
    double seconds = l->run->plan_seconds ? *l->run->plan_seconds
                                          : (double)pass_option_int(l->run, "budget_ms") / 1000;
    struct pack_limits limits = {.capacity = l->bytes, .seconds = seconds, .steps = STEPS};
    struct pack_result result;

    for (size_t k = 0; k < l->scratch->count; k++) {
        int64_t position = l->scratch->items[k].position;
        int64_t begin = height - l->scratch->items[k].bytes;

        if (begin < l->bytes && l->sums[k] > 0)
            l->packed[count++] = (struct pack_item){.lower = position,
                                                    .upper = position + 1,
                                                    .size = l->bytes - begin,
                                                    .offset = begin,
                                                    .is_fixed = true};
    }
    if (pack_check(l->packed, count, &fault, &other) != PACK_FINE ||
        !pack(l->packed, count, &limits, &result, &l->run->scratch) || !result.fits)
        return false;
    for (size_t i = 0; i < l->items->count; i++)
        l->items->items[i].offset =
            ir_expr_int(l->run->module->context, IR_I64, l->packed[l->items->items[i].same].offset);
    return true;
}

/* Halves what is open between the bound and the height. */
static void search(struct lowering *l)
{
    unsigned tries = l->items->count + l->scratch->count > MANY ? TRIES_OF_MANY : TRIES;
    int64_t low = l->bound, wanted = l->bound;

    for (unsigned i = 0; i < tries && l->height - low > l->height / NEAR; i++) {
        if (try_height(l, wanted))
            l->height = height_of(l, false);
        else
            low = wanted + PLAN_ALIGNMENT;
        wanted = low + (l->height - low) / 2 / PLAN_ALIGNMENT * PLAN_ALIGNMENT;
    }
}

void plan_scratch_lower(struct pass_run *run, const struct plan_scratch *scratch,
                        struct plan_items *items, int64_t bytes)
{
    struct lowering l = {.run = run, .scratch = scratch, .items = items, .bytes = bytes};
    size_t count = items->count + scratch->count + 1;

    if (scratch->count == 0)
        return;
    l.sums = arena_array(&run->scratch, int64_t, scratch->count);
    l.packed = arena_array(&run->scratch, struct pack_item, count);
    pack_items_of(&l);
    l.height = height_of(&l, false);
    l.bound = rounded(height_of(&l, true));
    search(&l);
}
