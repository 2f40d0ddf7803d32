#include "passes/fuse/fuse_graph.h"

#include "base/array.h"
#include "base/assert.h"

#include <stdlib.h>

void fuse_graph_add_edge(struct fuse_graph *graph, unsigned from, const struct fuse_edge *edge)
{
    struct fuse_node *node = &graph->nodes.items[from];

    array_push(&graph->edges, *edge);
    unsigned last = (unsigned)graph->edges.count;
    if (node->edge_tail)
        graph->edges.items[node->edge_tail - 1].next = last;
    else
        node->edges = last;
    node->edge_tail = last;
}

static uint8_t later(uint8_t a, uint8_t b)
{
    return a > b ? a : b;
}

/* ---- the post-dominator tree ---- */

/* Steps from *@at (index + 1) to its parent or far ancestor. */
static void climb(const struct fuse_graph *graph, unsigned *at, bool is_jump, uint8_t *pattern)
{
    const struct fuse_node *node = &graph->nodes.items[*at - 1];

    *pattern = later(*pattern, is_jump ? node->to_jump : node->to_parent);
    *at = is_jump ? node->jump : node->parent;
}

static unsigned depth_of(const struct fuse_graph *graph, unsigned at)
{
    return at ? graph->nodes.items[at - 1].depth : 0;
}

/* The least common ancestor of two nodes (index + 1; 0: none); @pattern: the worst on both ways. */
static unsigned common_ancestor(const struct fuse_graph *graph, unsigned a, unsigned b,
                                uint8_t *pattern)
{
    while (depth_of(graph, a) != depth_of(graph, b)) {
        bool is_a = depth_of(graph, a) > depth_of(graph, b);
        unsigned *deep = is_a ? &a : &b;
        unsigned wanted = depth_of(graph, is_a ? b : a);

        climb(graph, deep, depth_of(graph, graph->nodes.items[*deep - 1].jump) >= wanted, pattern);
    }
    while (a != b) {
        bool is_jump = graph->nodes.items[a - 1].jump != graph->nodes.items[b - 1].jump;

        climb(graph, &a, is_jump, pattern);
        climb(graph, &b, is_jump, pattern);
    }
    return a;
}

/* Far ancestors as in Myers' applicative lists: equal depths have jumps of equal length. */
static void set_parent(struct fuse_graph *graph, struct fuse_node *node, unsigned parent,
                       uint8_t pattern)
{
    const struct fuse_node *up = parent ? &graph->nodes.items[parent - 1] : NULL;

    node->parent = parent;
    node->depth = depth_of(graph, parent) + 1;
    node->to_parent = pattern;
    node->jump = parent;
    node->to_jump = pattern;
    if (!up || !up->jump)
        return;
    const struct fuse_node *far = &graph->nodes.items[up->jump - 1];
    if (up->depth - far->depth != far->depth - depth_of(graph, far->jump))
        return;
    node->jump = far->jump;
    node->to_jump = later(pattern, later(up->to_jump, far->to_jump));
}

static void find_dominators(struct fuse_graph *graph)
{
    for (size_t i = graph->nodes.count; i-- > 0;) {
        struct fuse_node *node = &graph->nodes.items[i];
        uint8_t pattern = PATTERN_ELEMWISE;
        unsigned parent = 0;
        bool is_first = true;

        if (node->is_extern || !node->edges) {
            if (!node->why)
                node->why = node->is_extern ? REMARK_FU_EXTERN : REMARK_FU_NO_READER;
            set_parent(graph, node, 0, PATTERN_OPAQUE);
            continue;
        }
        for_each_edge(edge, graph, i)
        {
            pattern = later(pattern, edge->pattern);
            parent =
                is_first ? edge->to + 1 : common_ancestor(graph, parent, edge->to + 1, &pattern);
            is_first = false;
        }
        set_parent(graph, node, parent, pattern);
        if (!parent && !node->why)
            node->why = REMARK_FU_NO_MEETING;
    }
}

/* ---- groups ---- */

unsigned fuse_graph_find(struct fuse_graph *graph, unsigned node)
{
    unsigned root = node;

    while (graph->nodes.items[root].group != root)
        root = graph->nodes.items[root].group;
    while (graph->nodes.items[node].group != root) {
        unsigned up = graph->nodes.items[node].group;

        graph->nodes.items[node].group = root;
        node = up;
    }
    return root;
}

static void merge(struct fuse_graph *graph, unsigned child, unsigned target)
{
    child = fuse_graph_find(graph, child);
    target = fuse_graph_find(graph, target);
    if (child == target)
        return;
    struct fuse_node *from = &graph->nodes.items[child], *to = &graph->nodes.items[target];

    from->group = target;
    to->count += from->count;
    to->last = to->last > from->last ? to->last : from->last;
    graph->nodes.items[to->tail].next = child + 1;
    to->tail = from->tail;
    if (from->group_pattern >= PATTERN_COMM_REDUCE)
        to->group_pattern = later(to->group_pattern, from->group_pattern);
}

struct path {
    unsigned *items;
    size_t count, capacity; /* an array() */
};

struct path_rule {
    uint8_t inner; /* the worst pattern of groups between */
    uint8_t sink;  /* of the group of the sink */
    bool may_sink_reduce;
};

/* Always false: @node is not merged, since @against is in the way. */
static bool refuse(struct fuse_graph *graph, unsigned node, enum remark_id why, unsigned against)
{
    graph->nodes.items[node].why = why;
    graph->nodes.items[node].against = against;
    return false;
}

/*
 * The nodes on the paths from @from to its dominator @sink, without the latter, in @out; false if there
 * are more than @limit, or one of them (@sink included) has a pattern above what is allowed.
 */

static bool collect_path(struct fuse_graph *graph, unsigned from, unsigned sink, unsigned limit,
                         const struct path_rule *rule, struct path *out)
{
    unsigned stamp = ++graph->stamp;

    out->count = 0;
    array_push(out, from);
    graph->nodes.items[from].stamp = stamp;
    for (size_t i = 0; i < out->count; i++) {
        if (out->count > limit)
            return refuse(graph, from, REMARK_FU_FAR, sink);
        for_each_edge(edge, graph, out->items[i])
        {
            struct fuse_node *node = &graph->nodes.items[edge->to];
            uint8_t pattern = graph->nodes.items[fuse_graph_find(graph, edge->to)].group_pattern;

            if (edge->to == sink) {
                bool is_reduction =
                    pattern == PATTERN_COMM_REDUCE || pattern == PATTERN_OUT_EWISE_FUSABLE;

                if (node->is_closed && !graph->nodes.items[from].moves_factor)
                    return false;
                if (pattern > rule->sink && !(rule->may_sink_reduce && is_reduction))
                    return refuse(graph, from, node->widens_to ? REMARK_FU_WIDER : REMARK_FU_SINK,
                                  edge->to);
                continue;
            }
            if (pattern > rule->inner)
                return refuse(graph, from, REMARK_FU_BETWEEN, edge->to);
            if (node->stamp == stamp)
                continue;
            node->stamp = stamp;
            array_push(out, edge->to);
        }
    }
    return true;
}

static int compare_updates(const void *a, const void *b)
{
    const struct fuse_update *x = a, *y = b;

    if (x->storage != y->storage)
        return x->storage < y->storage ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* First update of @storage by a node behind @node. */
static size_t first_update(const struct fuse_graph *graph, unsigned storage, unsigned node)
{
    size_t low = 0, high = graph->updates.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct fuse_update *update = &graph->updates.items[middle];

        if (update->storage < storage || (update->storage == storage && update->node <= node))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* May @member move to @last?  Nodes of groups with @stamp, and of @target, move along.  Else *@out_update is in the way. */
static bool can_move(struct fuse_graph *graph, unsigned member, unsigned last, unsigned target,
                     unsigned stamp, unsigned *out_update)
{
    const struct fuse_node *node = &graph->nodes.items[member];

    for (unsigned i = 0; i < node->read_count; i++) {
        unsigned storage = graph->reads.items[node->first_read + i];

        for (size_t k = first_update(graph, storage, member); k < graph->updates.count; k++) {
            const struct fuse_update *update = &graph->updates.items[k];
            unsigned group;

            if (update->storage != storage || update->node > last)
                break;
            group = fuse_graph_find(graph, update->node);
            if (group != target && graph->nodes.items[group].stamp != stamp) {
                *out_update = update->node;
                return false;
            }
        }
    }
    return true;
}

/* Are all groups of @path, that of @from first, free to move to the end of the group of @sink?  @path becomes these groups. */
static bool can_join(struct fuse_graph *graph, unsigned from, struct path *path, unsigned sink)
{
    unsigned target = fuse_graph_find(graph, sink);
    unsigned last = graph->nodes.items[target].last;
    unsigned stamp = ++graph->stamp;
    unsigned total = graph->nodes.items[target].count;
    size_t groups = 0;
    unsigned update = 0;

    for (size_t i = 0; i < path->count; i++) {
        unsigned group = fuse_graph_find(graph, path->items[i]);

        if (group == target || graph->nodes.items[group].stamp == stamp)
            continue;
        graph->nodes.items[group].stamp = stamp;
        path->items[groups++] = group; /* groups stand for the nodes from here on */
        total += graph->nodes.items[group].count;
        if (total > graph->max_depth)
            return refuse(graph, from, REMARK_FU_DEEP, total);
    }
    path->count = groups;
    for (size_t i = 0; graph->updates.count > 0 && i < groups; i++)
        for (unsigned member = path->items[i] + 1; member;
             member = graph->nodes.items[member - 1].next)
            if (!can_move(graph, member - 1, last, target, stamp, &update))
                return refuse(graph, from, REMARK_FU_UPDATE_BETWEEN, update);
    return true;
}

/* What stands between node and dominator decides; NULL: the node stays where it is in this phase. */
static const struct path_rule *rule_of(const struct fuse_node *node, int phase)
{
    static const struct path_rule epilogue = {PATTERN_BROADCAST, PATTERN_BROADCAST, false};
    static const struct path_rule elementwise = {PATTERN_INJECTIVE, PATTERN_INJECTIVE, true};
    static const struct path_rule injective = {PATTERN_INJECTIVE, PATTERN_INJECTIVE, false};
    uint8_t pattern = node->group_pattern;

    if (node->is_closed)
        return NULL;
    if (pattern == PATTERN_COMM_REDUCE || pattern == PATTERN_OUT_EWISE_FUSABLE)
        return phase == 0 && node->to_parent == PATTERN_ELEMWISE ? &epilogue : NULL;
    if (pattern <= PATTERN_BROADCAST)
        return node->to_parent <= PATTERN_COMM_REDUCE || node->moves_factor ? &elementwise : NULL;
    if (pattern == PATTERN_INJECTIVE)
        return phase == 0 ? NULL : node->moves_factor ? &elementwise : &injective;
    return NULL;
}

/* Why there is no rule for @node. */
static void refuse_rule(struct fuse_graph *graph, unsigned index)
{
    const struct fuse_node *node = &graph->nodes.items[index];
    uint8_t pattern = node->group_pattern;

    if (node->pattern == PATTERN_OPAQUE || !node->parent)
        return; /* which is said of it already */
    unsigned parent = node->parent - 1;
    if (node->to_parent == PATTERN_OPAQUE)
        (void)refuse(graph, index, REMARK_FU_READER_ALONE, parent);
    else if (pattern == PATTERN_COMM_REDUCE || pattern == PATTERN_OUT_EWISE_FUSABLE)
        (void)refuse(graph, index, REMARK_FU_REDUCED, parent);
    else if (pattern <= PATTERN_BROADCAST)
        (void)refuse(graph, index, REMARK_FU_READ_AGAIN, parent);
}

static void run_phase(struct fuse_graph *graph, int phase, struct path *path)
{
    for (unsigned i = 0; i < graph->nodes.count; i++) {
        const struct fuse_node *node = &graph->nodes.items[i];
        const struct path_rule *rule = node->parent ? rule_of(node, phase) : NULL;

        if (!rule && (phase == 0 || node->why == REMARK_NONE))
            refuse_rule(graph, i);
        if (!rule || fuse_graph_find(graph, i) == fuse_graph_find(graph, node->parent - 1))
            continue;
        if (!collect_path(graph, i, node->parent - 1, 2 * graph->max_depth, rule, path) ||
            !can_join(graph, i, path, node->parent - 1))
            continue;
        for (size_t k = 0; k < path->count; k++)
            merge(graph, path->items[k], node->parent - 1);
    }
}

/* Joins list @at of @lists to its sink; false if its members may not move there. */
static bool join_list(struct fuse_graph *graph, const struct fuse_lists *lists, size_t at,
                      struct path *path)
{
    unsigned count = lists->items[at], sink = lists->items[at + 1 + count];

    path->count = 0;
    for (unsigned i = 0; i < count; i++)
        array_push(path, lists->items[at + 1 + i]);
    if (graph->nodes.items[sink].is_closed || !can_join(graph, path->items[0], path, sink))
        return false;
    for (size_t i = 0; i < path->count; i++)
        merge(graph, path->items[i], sink);
    return true;
}

/* Each chain is one group, unless its members may not move to its end. */
static void join_chains(struct fuse_graph *graph, struct path *path)
{
    const unsigned *items = graph->chains.items;

    for (size_t at = 0; at < graph->chains.count; at += items[at] + 2) {
        unsigned count = items[at], sink = items[at + 1 + count];

        if (!join_list(graph, &graph->chains, at, path))
            continue;
        for (unsigned i = 0; i <= count; i++)
            graph->nodes.items[items[at + 1 + i]].is_closed = true;
        graph->nodes.items[sink].group_pattern = PATTERN_OUT_EWISE_FUSABLE;
    }
}

/* What makes elements wider joins what reads them, before the product that makes them takes it along. */
static void join_widenings(struct fuse_graph *graph, struct path *path)
{
    const unsigned *items = graph->widenings.items;

    for (size_t at = 0; at < graph->widenings.count; at += items[at] + 2)
        if (!join_list(graph, &graph->widenings, at, path))
            graph->nodes.items[items[at + items[at]]].widens_to = 0;
}

void fuse_graph_partition(struct fuse_graph *graph)
{
    struct path path = {0};

    if (graph->updates.count > 0)
        qsort(graph->updates.items, graph->updates.count, sizeof(graph->updates.items[0]),
              compare_updates);
    for (unsigned i = 0; i < graph->nodes.count; i++) {
        struct fuse_node *node = &graph->nodes.items[i];

        node->group = node->last = node->tail = i;
        node->count = ir_op_is(node->op, IR_CORE_tuple_get) ? 0 : 1;
        node->group_pattern = node->pattern;
    }
    find_dominators(graph);
    join_chains(graph, &path);
    join_widenings(graph, &path);
    for (int phase = 0; phase < 2; phase++)
        run_phase(graph, phase, &path);
    array_finish(&path);
}

void fuse_graph_clear(struct fuse_graph *graph)
{
    graph->nodes.count = graph->edges.count = graph->updates.count = graph->reads.count = 0;
    graph->chains.count = graph->widenings.count = 0;
}

void fuse_graph_finish(struct fuse_graph *graph)
{
    array_finish(&graph->nodes);
    array_finish(&graph->edges);
    array_finish(&graph->updates);
    array_finish(&graph->reads);
    array_finish(&graph->chains);
    array_finish(&graph->widenings);
}
