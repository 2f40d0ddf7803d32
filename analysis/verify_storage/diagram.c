/*
 * Decision diagrams; see diagram.h.  No recursion: a diagram is as deep as a function has
 * branches.
 */
#include "analysis/verify_storage/diagram.h"

#include "base/memory.h"

struct diagram_frame {
    unsigned a, b, branch;
    unsigned then; /* the result of the first half */
    unsigned stage;
};

void diagram_init(struct diagrams *d, size_t step_limit)
{
    *d = (struct diagrams){.step_limit = step_limit};
}

void diagram_finish(struct diagrams *d)
{
    array_finish(&d->nodes);
    array_finish(&d->worklist);
    array_finish(&d->frames);
    memory_free(d->slots);
    memory_free(d->memo);
}

static size_t mix(unsigned a, unsigned b, unsigned c)
{
    uint64_t hash = (uint64_t)a * 0x9e3779b97f4a7c15u;

    hash = (hash ^ b) * 0xc2b2ae3d27d4eb4fu;
    hash = (hash ^ c) * 0x165667b19e3779f9u;
    return (size_t)(hash ^ hash >> 29);
}

/* ---- nodes ---- */

static unsigned *find_node(struct diagrams *d, const struct diagram_node *like)
{
    size_t at = mix(like->branch, like->then, like->other) & (d->slot_count - 1);

    for (; d->slots[at]; at = (at + 1) & (d->slot_count - 1)) {
        const struct diagram_node *node = &d->nodes.items[d->slots[at] - 1];

        if (node->branch == like->branch && node->then == like->then && node->other == like->other)
            break;
    }
    return &d->slots[at];
}

static void grow_slots(struct diagrams *d)
{
    memory_free(d->slots);
    d->slot_count = d->slot_count ? d->slot_count * 2 : 1024;
    d->slots = memory_new(sizeof(*d->slots), d->slot_count);
    for (size_t i = 0; i < d->nodes.count; i++)
        *find_node(d, &d->nodes.items[i]) = (unsigned)i + 1;
}

static unsigned intern(struct diagrams *d, struct diagram_node node)
{
    if (2 * (d->nodes.count + 1) > d->slot_count)
        grow_slots(d);
    unsigned *slot = find_node(d, &node);

    if (!*slot) {
        array_push(&d->nodes, node);
        *slot = (unsigned)d->nodes.count;
    }
    return *slot - 1;
}

unsigned diagram_leaf(struct diagrams *d, enum diagram_kind kind, unsigned number, unsigned spot)
{
    return intern(d, (struct diagram_node){.then = number, .other = kind, .spot = spot});
}

unsigned diagram_choose(struct diagrams *d, unsigned branch, unsigned then, unsigned other)
{
    if (then == other)
        return then;
    unsigned spot = d->nodes.items[then].spot;

    if (spot != d->nodes.items[other].spot)
        spot = 0;
    return intern(
        d, (struct diagram_node){.branch = branch, .then = then, .other = other, .spot = spot});
}

bool diagram_is_leaf(const struct diagrams *d, unsigned node)
{
    return d->nodes.items[node].branch == 0;
}

unsigned diagram_number(const struct diagrams *d, unsigned node)
{
    return d->nodes.items[node].then;
}

/* ---- apply ---- */

unsigned diagram_new_op(struct diagrams *d)
{
    return ++d->last_op;
}

static struct diagram_memo *find_memo(struct diagrams *d, unsigned op, unsigned a, unsigned b)
{
    size_t at = mix(op, a, b) & (d->memo_slots - 1);

    for (; d->memo[at].op; at = (at + 1) & (d->memo_slots - 1))
        if (d->memo[at].op == op && d->memo[at].a == a && d->memo[at].b == b)
            break;
    return &d->memo[at];
}

static void grow_memo(struct diagrams *d)
{
    struct diagram_memo *old = d->memo;
    size_t count = d->memo_slots;

    d->memo_slots = count ? count * 2 : 1024;
    d->memo = memory_new(sizeof(*d->memo), d->memo_slots);
    for (size_t i = 0; i < count; i++)
        if (old[i].op)
            *find_memo(d, old[i].op, old[i].a, old[i].b) = old[i];
    memory_free(old);
}

static void remember(struct diagrams *d, unsigned op, unsigned a, unsigned b, unsigned result)
{
    if (2 * (d->memo_count + 1) > d->memo_slots)
        grow_memo(d);
    struct diagram_memo *memo = find_memo(d, op, a, b);

    d->memo_count += memo->op == 0;
    *memo = (struct diagram_memo){op, a, b, result};
}

/* The half of @node where @branch goes @way. */
static unsigned half(const struct diagrams *d, unsigned node, unsigned branch, bool is_then)
{
    const struct diagram_node *n = &d->nodes.items[node];

    if (n->branch != branch)
        return node;
    return is_then ? n->then : n->other;
}

static bool is_known(struct diagrams *d, unsigned op, unsigned a, unsigned b, unsigned *out)
{
    if (!d->memo_slots)
        return false;
    const struct diagram_memo *memo = find_memo(d, op, a, b);

    *out = memo->result;
    return memo->op != 0;
}

static void push(struct diagrams *d, unsigned a, unsigned b)
{
    unsigned branch_a = d->nodes.items[a].branch, branch_b = d->nodes.items[b].branch;

    array_push(&d->frames,
               (struct diagram_frame){
                   .a = a, .b = b, .branch = branch_a > branch_b ? branch_a : branch_b});
}

unsigned diagram_apply(struct diagrams *d, unsigned op, unsigned a, unsigned b,
                       diagram_leaf_fn *leaf, void *state)
{
    unsigned result = 0;

    if (diagram_is_leaf(d, a)) /* by far the most */
        return leaf(state, a, b);
    size_t bottom = d->frames.count;
    push(d, a, b);
    while (d->frames.count > bottom) {
        struct diagram_frame *frame = &array_last(&d->frames);

        if (frame->stage == 0) {
            d->is_full |= ++d->steps > d->step_limit;
            bool is_leaf = diagram_is_leaf(d, frame->a);

            if (is_leaf || d->is_full || is_known(d, op, frame->a, frame->b, &result)) {
                if (is_leaf && !d->is_full)
                    result = leaf(state, frame->a, frame->b);
                d->frames.count--;
                continue;
            }
        } else if (frame->stage == 1) {
            frame->then = result;
        } else {
            result = diagram_choose(d, frame->branch, frame->then, result);
            remember(d, op, frame->a, frame->b, result);
            d->frames.count--;
            continue;
        }
        bool is_then = frame->stage++ == 0;
        push(d, half(d, frame->a, frame->branch, is_then),
             half(d, frame->b, frame->branch, is_then));
    }
    return result;
}

/* ---- walks ---- */

const unsigned *diagram_leaves(struct diagrams *d, unsigned node, size_t *out_count)
{
    size_t count = 0;

    d->worklist.count = 0;
    d->last_mark++;
    array_push(&d->worklist, node);
    /* leaves gather at the front of the list, what is left to do behind them */
    for (size_t i = 0; i < d->worklist.count; i++) {
        struct diagram_node *n = &d->nodes.items[d->worklist.items[i]];

        if (n->mark == d->last_mark)
            continue;
        n->mark = d->last_mark;
        d->steps++;
        if (n->branch == 0) {
            d->worklist.items[count++] = d->worklist.items[i];
        } else {
            unsigned then = n->then, other = n->other;

            array_push(&d->worklist, then);
            array_push(&d->worklist, other);
        }
    }
    d->is_full |= d->steps > d->step_limit;
    *out_count = count;
    return d->worklist.items;
}
