/*
 * Edits of kernels that make a module smaller; see reduce.h.
 *
 * Statements are changed in place: the module is the caller's own, and nothing else knows it.
 */
#include "base/array.h"
#include "driver/reduce.h"
#include "passes/loop/loop.h"

#include <stdint.h>

struct places {
    array(struct tir_stmt *) items;
    bool (*test)(const struct tir_stmt *stmt);
    struct ir_module *module;
};

static bool gather_stmt(void *state, struct tir_stmt *stmt)
{
    struct places *places = state;

    if (places->test(stmt))
        array_push(&places->items, stmt);
    return true;
}

static struct places gather(struct ir_module *module, bool (*test)(const struct tir_stmt *stmt))
{
    struct places places = {.test = test, .module = module};

    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_KERNEL)
            tir_stmt_walk(module->globals[i]->kernel->body, gather_stmt, &places);
    return places;
}

static size_t count_places(struct ir_module *module, bool (*test)(const struct tir_stmt *stmt))
{
    struct places places = gather(module, test);
    size_t count = places.items.count;

    array_finish(&places.items);
    return count;
}

/* ---- statements of sequences ---- */

static bool is_sequence(const struct tir_stmt *stmt)
{
    return stmt->kind == TIR_SEQ;
}

static size_t count_statements(struct ir_module *module)
{
    struct places places = gather(module, is_sequence);
    size_t count = 0;

    for (size_t i = 0; i < places.items.count; i++)
        count += places.items.items[i]->seq.count;
    array_finish(&places.items);
    return count;
}

static bool drop_statements(struct ir_module *module, size_t first, size_t count)
{
    struct places places = gather(module, is_sequence);
    bool is_changed = false;

    for (size_t i = 0, place = 0; i < places.items.count; i++) {
        struct tir_stmt *stmt = places.items.items[i];
        unsigned before = stmt->seq.count, kept = 0;

        for (unsigned k = 0; k < before; k++, place++)
            if (place < first || place >= first + count || (kept == 0 && k + 1 == before))
                stmt->seq.items[kept++] = stmt->seq.items[k];
        stmt->seq.count = kept;
        is_changed |= kept < before;
    }
    array_finish(&places.items);
    return is_changed;
}

/* ---- what stands around statements ---- */

static bool has_wrapper(const struct tir_stmt *stmt)
{
    return stmt->kind == TIR_FOR || stmt->kind == TIR_IF || stmt->kind == TIR_WHILE ||
           stmt->kind == TIR_ATTR || stmt->kind == TIR_BLOCK;
}

/* Three places each, of which some kinds have fewer. */
enum { WAYS = 3 };

static size_t count_wrappers(struct ir_module *module)
{
    return WAYS * count_places(module, has_wrapper);
}

/* A loop runs once. */
static struct tir_stmt *once(struct ir_module *module, const struct tir_stmt *loop)
{
    struct loop_names names = {0};

    map_set(&names.vars, loop->loop.var, (void *)(uintptr_t)loop->loop.min);
    struct tir_stmt *body = loop_copy(module, &names, loop->loop.body);
    loop_names_finish(&names);
    return body;
}

/* A block is its init and its body, with the values of its axes; NULL where it matches buffers. */
static struct tir_stmt *without_block(struct ir_module *module, const struct tir_stmt *block)
{
    struct loop_names names = {0};
    struct tir_stmt *body = NULL;

    if (block->block.match_count > 0)
        return NULL;
    for (unsigned i = 0; i < block->block.axis_count; i++)
        map_set(&names.vars, block->block.axes[i].var,
                (void *)(uintptr_t)block->block.axes[i].value);
    for (unsigned i = 0; i < block->block.alloc_count; i++) {
        struct tir_stmt *alloc = tir_stmt_new(module, TIR_ALLOC, block->loc);

        alloc->alloc.buffer = block->block.allocs[i];
        body = loop_both(module, body, alloc);
    }
    if (block->block.init)
        body = loop_both(module, body, loop_copy(module, &names, block->block.init));
    body = loop_both(module, body, loop_copy(module, &names, block->block.body));
    loop_names_finish(&names);
    return body;
}

/* A loop loses its kind and annotations. */
static bool make_serial(struct tir_stmt *loop)
{
    if (loop->loop.kind == TIR_SERIAL && !loop->loop.annotations)
        return false;
    loop->loop.kind = TIR_SERIAL;
    loop->loop.annotations = NULL;
    return true;
}

static bool strip_block(struct tir_stmt *block, bool takes_init)
{
    if (takes_init) {
        bool has_init = block->block.init != NULL;

        block->block.init = NULL;
        return has_init;
    }
    bool is_changed = block->block.predicate || block->block.annotations;
    block->block.predicate = NULL;
    block->block.annotations = NULL;
    return is_changed;
}

static bool strip_wrapper(struct ir_module *module, size_t first, size_t count)
{
    struct places places = gather(module, has_wrapper);
    struct tir_stmt *stmt = places.items.items[first / WAYS];
    size_t way = first % WAYS;
    const struct tir_stmt *inner = NULL;

    array_finish(&places.items);
    if (stmt->kind == TIR_FOR && way == 0)
        return make_serial(stmt);
    if (stmt->kind == TIR_BLOCK && way < 2)
        return strip_block(stmt, way == 0);
    if (stmt->kind == TIR_FOR && way == 2)
        inner = once(module, stmt);
    else if (stmt->kind == TIR_BLOCK)
        inner = without_block(module, stmt);
    else if (stmt->kind == TIR_IF)
        inner = way == 0 ? stmt->branch.then_body : way == 1 ? stmt->branch.else_body : NULL;
    else if (stmt->kind == TIR_WHILE && way == 0)
        inner = stmt->while_loop.body;
    else if (stmt->kind == TIR_ATTR && way == 0)
        inner = stmt->attr.body;
    if (inner)
        *stmt = *inner;
    return inner != NULL;
}

/* ---- buffers that nothing loads ---- */

static size_t count_globals(struct ir_module *module)
{
    return module->global_count;
}

static bool drop_buffers(struct ir_module *module, size_t first, size_t count)
{
    bool is_changed = false;

    for (size_t i = first; i < first + count; i++) {
        if (module->globals[i]->kind != IR_GLOBAL_KERNEL)
            continue;
        struct tir_func *kernel = module->globals[i]->kernel;
        struct tir_stmt *body = loop_drop_allocations(module, kernel->body);

        is_changed |= body != kernel->body;
        kernel->body = body;
    }
    return is_changed;
}

/* ---- stored values ---- */

enum { OPERANDS = 4 }; /* of a value that are tried in its place */

static bool is_store(const struct tir_stmt *stmt)
{
    return stmt->kind == TIR_STORE;
}

static size_t count_values(struct ir_module *module)
{
    return OPERANDS * count_places(module, is_store);
}

static bool store_operand(struct ir_module *module, size_t first, size_t count)
{
    struct places places = gather(module, is_store);
    struct tir_stmt *store = places.items.items[first / OPERANDS];
    const struct ir_expr *value = store->store.value;
    size_t which = first % OPERANDS;

    array_finish(&places.items);
    /* of a load the operands are indices */
    if (value->kind == IR_EXPR_load || which >= value->operand_count)
        return false;
    store->store.value = ir_expr_cast(module->context, value->dtype, value->operands[which]);
    return true;
}

const struct reduction kernel_reductions[] = {
    {"statements", count_statements, drop_statements, false},
    {"loops, branches and blocks", count_wrappers, strip_wrapper, true},
    {"buffers", count_globals, drop_buffers, false},
    {"stored values", count_values, store_operand, true},
};
const size_t kernel_reduction_count = ARRAY_SIZE(kernel_reductions);
