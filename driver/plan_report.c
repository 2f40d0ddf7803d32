/* What a module says about memory, read off its text. */
#include "driver/plan_report.h"

#include "analysis/leaves.h"
#include "analysis/stack_need.h"
#include "analysis/storage/storage.h"
#include "base/hash.h"
#include "driver/plan_sums.h"
#include "ir/arith.h"
#include "ir/print.h"
#include "ops/ids.h"

#include <stdlib.h>
#include <string.h>

enum {
    ALIGNMENT = 64,   /* of what lies in a piece of storage */
    SUM_LIMIT = 1000, /* boxes of one that is summed up with symbols */
};

struct gather {
    struct storage storage;
    struct sizes *sizes;
    struct plan_view *view;
    struct arena *arena; /* of the names */
    struct map boxes;    /* root and first byte -> index + 1 of the box that was there last */
    bool *is_piece;      /* by root: has tensors at offsets */
    array(const struct ir_expr *) sizes_of; /* by box; NULL: not known */
    array(unsigned) roots;                  /* by box */
    const struct ir_expr *pieces;           /* bytes of all; NULL: not known */
};

/* ---- sizes ---- */

static int64_t add(int64_t a, int64_t b)
{
    int64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static const char *text_of(struct gather *g, const struct ir_expr *expr)
{
    struct text text = {0};

    ir_expr_print(expr, &text);
    const char *copy = arena_copy_text(g->arena, text_string(&text), text.length);
    text_finish(&text);
    return copy;
}

static const struct ir_expr *applied(struct gather *g, const struct ir_expr *expr)
{
    return expr ? ir_expr_cast(g->sizes->context, IR_I64, sizes_apply(g->sizes, expr)) : NULL;
}

/* As a number; or 0, and what it says goes to *out_text (may be NULL). */
static int64_t number_of(struct gather *g, const struct ir_expr *expr, const char **out_text)
{
    const struct ir_expr *known = expr ? sizes_apply(g->sizes, expr) : NULL;
    int64_t number;

    if (known && ir_expr_constant(g->sizes->context, known, &number))
        return number < 0 ? 0 : number;
    if (out_text)
        *out_text = known ? text_of(g, known) : "?";
    return 0;
}

static const struct ir_expr *bytes_of(struct gather *g, const struct ir_value *value, unsigned leaf)
{
    return ir_type_bytes(g->sizes->context, leaf_type(value->type, leaf));
}

/* ---- boxes ---- */

static const void *key_of(const struct gather *g, const struct storage_place *place)
{
    uint64_t hash = hash_mix(1, place->root);

    if (g->is_piece[place->root] && place->region.offset)
        hash = hash_mix(hash, ir_expr_hash(place->region.offset));
    return hash_key(hash);
}

static struct plan_box *box_at(const struct gather *g, const struct storage_place *place)
{
    size_t index = (size_t)(uintptr_t)map_get(&g->boxes, key_of(g, place));

    return index ? &g->view->boxes.items[index - 1] : NULL;
}

/*
 * The box that lives now and has @place within it, as that of a tensor that a part of was viewed, and is updated; NULL: none,
 * or none at a number.
 */
static struct plan_box *box_around(const struct gather *g, const struct storage_place *place)
{
    int64_t at;

    if (!g->is_piece[place->root] || !place->region.offset ||
        !ir_expr_constant(g->sizes->context, place->region.offset, &at))
        return NULL;
    for (size_t i = g->view->boxes.count; i-- > 0;) {
        struct plan_box *box = &g->view->boxes.items[i];

        if (g->roots.items[i] == place->root && box->item.upper == INT64_MAX && !box->size &&
            !box->offset && box->item.offset <= at && at - box->item.offset < box->item.size)
            return box;
    }
    return NULL;
}

/* The box of what takes a storage over. */
static struct plan_box *box_of(const struct gather *g, const struct storage_place *place)
{
    struct plan_box *box = box_at(g, place), *around = NULL;

    if (!box || box->item.upper != INT64_MAX)
        around = box_around(g, place);
    return around ? around : box;
}

/* Where the origin @leaf of @value lives, if that is one place of this function's own; else NULL. */
static const struct storage_place *place_of(struct gather *g, const struct ir_value *value,
                                            unsigned leaf, const struct storage_origin **out_origin)
{
    const struct storage_set *set = storage_leaf(&g->storage, value, leaf);
    const struct storage_origin *origin = &g->storage.origins.items[set->items[0]];

    *out_origin = origin;
    if (set->count != 1 || set->items[0] <= STORAGE_ANYTHING || origin->place_count != 1)
        return NULL;
    const struct storage_root *root = &g->storage.roots.items[origin->places[0].root];

    return root->kind == STORAGE_ALLOCATED && root->home == g->storage.function ? origin->places
                                                                                : NULL;
}

/* A value without a name is called after what computes it. */
static const char *name_of(struct gather *g, const struct ir_value *value, unsigned leaf)
{
    const struct ir_global *callee = value->name ? NULL : ir_op_callee(value->def);
    const char *name = value->name ? value->name : callee ? callee->name : value->def->info->name;

    return value->type->kind == IR_TYPE_TUPLE ? arena_printf(g->arena, "%s.%u", name, leaf) : name;
}

static void open_box(struct gather *g, const struct ir_op *op, unsigned leaf,
                     const struct storage_place *place)
{
    struct plan_box box = {.name = name_of(g, &op->result, leaf), .loc = op->loc};

    box.item.lower = storage_position(&g->storage, op);
    box.item.upper = INT64_MAX;
    box.item.size = number_of(g, bytes_of(g, &op->result, leaf), &box.size);
    box.is_apart = !g->is_piece[place->root];
    if (!box.is_apart)
        box.item.offset = number_of(g, place->region.offset, &box.offset);
    array_push(&g->view->boxes, box);
    array_push(&g->roots, place->root);
    array_push(&g->sizes_of, applied(g, bytes_of(g, &op->result, leaf)));
    map_set(&g->boxes, key_of(g, place), (const void *)(uintptr_t)g->view->boxes.count);
}

static bool is_allocation(const struct ir_op *op)
{
    return op_is(op, OP_builtin_alloc_tensor) || op_is(op, OP_memory_alloc_tensor) ||
           op_is(op, OP_vm_alloc_tensor);
}

/* A value that is no other name of what was there: it is new, or takes a storage over. */
static void note_value(struct gather *g, const struct ir_op *op, unsigned leaf)
{
    const struct storage_origin *origin;
    const struct storage_place *place = place_of(g, &op->result, leaf, &origin);
    struct plan_box *box;

    if (!place || origin->value != &op->result || origin->leaf != leaf || origin->view)
        return;
    box = is_allocation(op) ? NULL : box_of(g, place);
    if (!box) {
        open_box(g, op, leaf, place);
        box = &array_last(&g->view->boxes);
    }
    if (is_allocation(op))
        return;
    /* (what an `if` gives is made in its branches, and counted there) */
    bool is_made = !ir_op_is(op, IR_CORE_if);
    int64_t bytes = is_made ? number_of(g, bytes_of(g, &op->result, leaf), NULL) : 0;

    if (box->owners.count == 0) { /* better than those of the empty tensor */
        box->name = name_of(g, &op->result, leaf);
        box->loc = op->loc;
    } else {
        g->view->inplace_bytes = add(g->view->inplace_bytes, bytes);
    }
    array_push(&box->owners, (struct plan_owner){name_of(g, &op->result, leaf),
                                                 storage_position(&g->storage, op)});
    g->view->unplanned_bytes = add(g->view->unplanned_bytes, bytes);
}

/* ---- ends ---- */

static void end_set(struct gather *g, const struct storage_set *set, const struct ir_op *op)
{
    for (unsigned i = 0; i < set->count; i++) {
        const struct storage_origin *origin = &g->storage.origins.items[set->items[i]];

        for (unsigned k = 0; k < origin->place_count; k++) {
            struct plan_box *box = box_at(g, &origin->places[k]);

            if (!box)
                continue;
            box->item.upper = storage_position(&g->storage, op);
            box->end = op->loc;
            if (ir_op_is(op, IR_CORE_return))
                box->result = "result";
        }
    }
}

static bool is_end(const struct ir_op *op)
{
    return op_is(op, OP_memory_kill_tensor) || op_is(op, OP_memory_kill_storage) ||
           op_is(op, OP_vm_kill_object) || ir_op_is(op, IR_CORE_return);
}

static void note_end(struct gather *g, const struct ir_op *op)
{
    for (unsigned i = 0; i < op->operand_count; i++) {
        struct storage_sets sets = {0};

        storage_sets_of(&g->storage, op->operands[i].value, &sets);
        for (size_t k = 0; k < sets.count; k++)
            end_set(g, sets.items[k], op);
        array_finish(&sets);
    }
}

/* ---- functions ---- */

/* Pieces of storage: known before the first of their tensors. */
static bool note_piece(void *state, struct ir_op *op)
{
    struct gather *g = state;
    const struct storage_origin *origin;
    const struct storage_place *place;

    if (op->block && op_is(op, OP_memory_alloc_tensor) &&
        (place = place_of(g, &op->result, 0, &origin)))
        g->is_piece[place->root] = true;
    return true;
}

static bool note_piece_bytes(void *state, struct ir_op *op)
{
    struct gather *g = state;
    const struct ir_type *shape;

    if (!op->block || !op_is(op, OP_memory_alloc_storage))
        return true;
    shape = op->operands[0].value->type;
    const char *text = NULL;

    g->view->arena_bytes =
        add(g->view->arena_bytes, number_of(g, shape->dims ? shape->dims[0] : NULL, &text));
    g->view->is_open |= text != NULL;
    const struct ir_expr *bytes = applied(g, shape->dims ? shape->dims[0] : NULL);

    g->pieces = g->pieces && bytes ? stack_sum(g->sizes->context, g->pieces, bytes) : NULL;
    return true;
}

static bool note_op(void *state, struct ir_op *op)
{
    struct gather *g = state;

    if (!op->block)
        return true;
    if (is_end(op))
        note_end(g, op);
    else if (!op_is(op, OP_memory_alloc_storage) && !(op->info->traits & IR_TERMINATOR))
        for (unsigned leaf = 0; leaf < leaf_count(op->result.type); leaf++)
            note_value(g, op, leaf);
    return true;
}

/* What has no end in the text lives to the end of the function. */
static void close_boxes(struct gather *g)
{
    int64_t end = g->storage.next_position;

    for (size_t i = 0; i < g->view->boxes.count; i++) {
        struct plan_box *box = &g->view->boxes.items[i];

        if (box->item.upper == INT64_MAX)
            box->item.upper = end;
        if (box->item.upper <= box->item.lower)
            box->item.upper = box->item.lower + 1;
        g->view->open += box->size != NULL;
        if (box->owners.count == 0)
            g->view->unplanned_bytes = add(g->view->unplanned_bytes, box->item.size);
    }
}

/* ---- bounds ---- */

static int compare_offsets(const void *a, const void *b)
{
    const struct pack_item *x = a, *y = b;

    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return (x->lower > y->lower) - (x->lower < y->lower);
}

/*
 * Two at one offset whose lives overlap are one: of two branches only one ever makes its own, and both
 * live until what leaves the `if` ends.
 */
static size_t merge(struct pack_item *items, size_t count)
{
    size_t kept = 0;

    if (count)
        qsort(items, count, sizeof(*items), compare_offsets);
    for (size_t i = 0; i < count; i++) {
        struct pack_item *last = kept ? &items[kept - 1] : NULL;

        if (last && last->offset == items[i].offset && items[i].lower < last->upper) {
            if (last->upper < items[i].upper)
                last->upper = items[i].upper;
            if (last->size < items[i].size)
                last->size = items[i].size;
        } else {
            items[kept++] = items[i];
        }
    }
    return kept;
}

/* Those in a piece take multiples of the alignment; those apart take what they ask for. */
static void find_bounds(struct plan_view *view)
{
    struct arena scratch = {0};
    struct pack_item *items = arena_array(&scratch, struct pack_item, view->boxes.count + 1);
    size_t count = 0, inside, item, other;

    for (size_t i = 0; i < view->boxes.count; i++)
        if (!view->boxes.items[i].is_apart && !view->boxes.items[i].offset) {
            struct pack_item padded = view->boxes.items[i].item;

            padded.size += -padded.size & (ALIGNMENT - 1);
            items[count++] = padded;
        }
    inside = count = merge(items, count);
    for (size_t i = 0; i < view->boxes.count; i++)
        if (view->boxes.items[i].is_apart)
            items[count++] = view->boxes.items[i].item;
    if (pack_check(items, count, &item, &other) == PACK_FINE) {
        view->apart_bytes = pack_lower_bound(items + inside, count - inside, &scratch);
        view->lower_bound = pack_lower_bound(items, count, &scratch);
    }
    arena_finish(&scratch);
    view->is_open |= view->open > 0;
    view->is_proved = !view->is_open && view->lower_bound == plan_view_bytes(view);
}

/* ---- sums with symbols ---- */

/* Has a box in front of @index the place that this one has, while both live: is one of them never made? */
static bool is_other_branch(const struct gather *g, size_t index)
{
    const struct plan_box *boxes = g->view->boxes.items, *box = &boxes[index];

    for (size_t i = 0; i < index && !box->is_apart; i++)
        if (!boxes[i].is_apart && boxes[i].item.upper > box->item.lower &&
            boxes[i].item.offset == box->item.offset &&
            strcmp(boxes[i].offset ? boxes[i].offset : "", box->offset ? box->offset : "") == 0 &&
            boxes[i].item.size == box->item.size &&
            strcmp(boxes[i].size ? boxes[i].size : "", box->size ? box->size : "") == 0)
            return true;
    return false;
}

/* The most at one step of what lies apart, or of all, as they take it. */
static const struct ir_expr *most_of(struct gather *g, bool is_all)
{
    struct ir_context *context = g->sizes->context;
    size_t boxes = g->view->boxes.count, count = 0;
    struct plan_part *parts = arena_array(g->arena, struct plan_part, boxes + 1);

    for (size_t i = 0; i < boxes; i++) {
        const struct plan_box *box = &g->view->boxes.items[i];
        const struct ir_expr *bytes = g->sizes_of.items[i];

        if (!bytes)
            return NULL;
        if ((!is_all && !box->is_apart) || is_other_branch(g, i))
            continue;
        parts[count++] = (struct plan_part){box->is_apart ? bytes : stack_round(context, bytes),
                                            box->item.lower, box->item.upper};
    }
    return plan_most(context, parts, count);
}

/* What numbers cannot say. */
static void find_sums(struct gather *g)
{
    struct plan_view *view = g->view;

    if (!view->is_open || !g->pieces || view->boxes.count > SUM_LIMIT)
        return;
    const struct ir_expr *apart = most_of(g, false), *bound = most_of(g, true);

    if (!apart || !bound)
        return;
    view->bytes = text_of(g, stack_sum(g->sizes->context, g->pieces, apart));
    view->arena = text_of(g, g->pieces);
    view->bound = text_of(g, bound);
}

/* No two boxes have one name: they are the rows of a table. */
static void name_apart(struct gather *g)
{
    struct atoms *atoms = &g->storage.module->module->context->atoms;
    struct map known = {0}; /* atom -> how often it was taken, as an address */

    for (size_t i = 0; i < g->view->boxes.count; i++) {
        struct plan_box *box = &g->view->boxes.items[i];
        const char *first = atom_intern_text(atoms, box->name), *name = first;
        uintptr_t count = (uintptr_t)map_get(&known, first);

        while (map_has(&known, name))
            name = atom_intern_text(atoms, arena_printf(g->arena, "%s_%zu", first, ++count));
        map_set(&known, first, (const void *)(count ? count : 1));
        if (name != first)
            map_set(&known, name, (const void *)(uintptr_t)1);
        box->name = name;
    }
    map_finish(&known);
}

static void note_stack(struct gather *g, const struct stack_need *need)
{
    g->view->stack_bytes = -1;
    if (need->bytes) {
        g->view->stack_bytes = number_of(g, need->bytes, &g->view->stack);
        return;
    }
    g->view->stack_why = need->why;
    g->view->stack_line = location_line(need->where);
}

static void gather(struct plan_report *report, struct storage_module *facts,
                   const struct stack_needs *needs, struct ir_function *function,
                   struct sizes *sizes)
{
    struct gather g = {
        .sizes = sizes, .arena = &report->arena, .pieces = ir_expr_int(sizes->context, IR_I64, 0)};

    array_push(&report->functions, (struct plan_view){.name = function->name});
    g.view = &array_last(&report->functions);
    storage_init(&g.storage, facts, function, NULL);
    g.is_piece = arena_array(&report->arena, bool, g.storage.roots.count + 1);
    (void)ir_region_walk(function->body, note_piece, &g);
    (void)ir_region_walk(function->body, note_piece_bytes, &g);
    (void)ir_region_walk(function->body, note_op, &g);
    note_stack(&g, stack_needs_of(needs, function));
    close_boxes(&g);
    name_apart(&g);
    find_bounds(g.view);
    find_sums(&g);
    array_finish(&g.sizes_of);
    array_finish(&g.roots);
    map_finish(&g.boxes);
    storage_finish(&g.storage);
}

void plan_report_make(struct plan_report *report, struct ir_module *module, struct sizes *sizes)
{
    struct storage_module facts;
    struct stack_needs needs;

    *report = (struct plan_report){0};
    storage_module_init(&facts, module);
    stack_needs_find(&needs, module, NULL);
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            gather(report, &facts, &needs, module->globals[i]->function, sizes);
    stack_needs_finish(&needs);
    storage_module_finish(&facts);
}

void plan_report_finish(struct plan_report *report)
{
    for (size_t i = 0; i < report->functions.count; i++)
        plan_view_finish(&report->functions.items[i]);
    array_finish(&report->functions);
    arena_finish(&report->arena);
}
