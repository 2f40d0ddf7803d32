/* See fold_large.h. */
#include "passes/graph/fold_large.h"

#include "ir/arith.h"
#include "ir/build.h"
#include "ir/edit/rewrite.h"
#include "ir/tir.h"
#include "passes/graph/static.h"
#include "passes/graph/work.h"

#include <string.h>

#define WORK_LIMIT ((int64_t)1 << 32) /* statements and products in all: some seconds */

enum {
    SMALL = 4096, /* bytes that a result may have more, whatever the percentage says */
    NEST_LIMIT = 256,
    NAME_DEPTH = 8,   /* ops between a result and the constant whose name it takes */
    GROWTH = 1 << 16, /* bytes that all may have more, besides as many as there are in the module */
};

void fold_large_init(struct fold_large *large, struct pass_run *run, int64_t growth)
{
    *large = (struct fold_large){.run = run,
                                 .module = run->module,
                                 .growth = growth,
                                 .work_left = WORK_LIMIT,
                                 .growth_left = GROWTH};
    for (size_t i = 0; i < run->module->constant_count; i++)
        large->growth_left += (int64_t)run->module->constants[i]->bytes;
    if (!run->host || !run->host->compute)
        large->growth = -1;
}

void fold_large_finish(struct fold_large *large)
{
    map_finish(&large->noted);
    array_finish(&large->ops);
}

/* ---- how much it is ---- */

static bool bytes_of(struct fold_large *large, const struct ir_type *type, int64_t *out)
{
    int64_t dims[STATIC_RANK];
    size_t bytes;

    if (!static_dims(large->module->context, type, dims) || ir_dtype_is_void(type->dtype) ||
        !ir_shape_bytes(dims, (unsigned)type->ndim, type->dtype, &bytes) || bytes > INT64_MAX / 200)
        return false;
    *out = (int64_t)bytes;
    return true;
}

/* How often its statements run, at most; false if its text does not say it. */
static bool work_of_stmt(struct fold_large *large, const struct tir_stmt *stmt, unsigned depth,
                         int64_t *out)
{
    int64_t part, extent = 1;

    *out = 1;
    if (!stmt)
        return true;
    if (depth == NEST_LIMIT || stmt->kind == TIR_WHILE || stmt->kind == TIR_LAUNCH_THREAD)
        return false;
    for (unsigned i = 0; tir_stmt_child(stmt, i); i++)
        if (!work_of_stmt(large, tir_stmt_child(stmt, i), depth + 1, &part) ||
            __builtin_add_overflow(*out, part, out))
            return false;
    if (stmt->kind == TIR_FOR &&
        (!ir_expr_constant(large->module->context, stmt->loop.extent, &extent) || extent < 0))
        return false;
    return !__builtin_mul_overflow(*out, extent, out);
}

static bool work_of_op(struct fold_large *large, const struct ir_op *op, int64_t bytes,
                       int64_t *out)
{
    if (ir_op_is(op, IR_CORE_call_tir))
        return work_of_stmt(large, ir_op_callee(op)->kernel->body, 0, out);
    return work_of(large->module->context, op, out) && !__builtin_add_overflow(*out, bytes, out);
}

/* ---- what is noted ---- */

static const struct ir_constant *constant_of(const struct ir_value *value)
{
    return value->def && ir_op_is(value->def, IR_CORE_constant)
               ? ir_op_attr(value->def, "data")->constant
               : NULL;
}

/* What an op reads, looked at. */
struct reading {
    struct fold_large *large;
    array(const struct ir_value *) seen;
    int64_t bytes; /* of its tensors, each once */
    bool is_known;
};

static bool is_again(const struct reading *r, const struct ir_value *value)
{
    const struct ir_constant *constant = constant_of(value), *other;

    for (size_t i = 0; i < r->seen.count; i++) {
        other = constant_of(r->seen.items[i]);
        if (r->seen.items[i] == value || (constant && other && constant->store == other->store))
            return true;
    }
    return false;
}

static void read_operand(void *state, struct ir_use *use)
{
    struct reading *r = state;
    const struct ir_value *value = use->value;
    int64_t bytes;

    r->is_known = r->is_known && (map_has(&r->large->noted, value) || static_is_leaf(value));
    if (!r->is_known || value->type->kind != IR_TYPE_TENSOR || is_again(r, value))
        return;
    array_push(&r->seen, value);
    if (!bytes_of(r->large, value->type, &bytes) || r->bytes > INT64_MAX / 200 - bytes)
        r->is_known = false;
    else
        r->bytes += bytes;
}

/* Is all that @op reads known?  *out_bytes: of its tensors. */
static bool is_known(struct fold_large *large, struct ir_op *op, int64_t *out_bytes)
{
    struct reading r = {.large = large, .is_known = true};

    ir_op_walk_operands(op, read_operand, &r);
    array_finish(&r.seen);
    *out_bytes = r.bytes;
    return r.is_known && r.bytes > 0;
}

void fold_large_note(struct fold_large *large, struct ir_op *op)
{
    int64_t reads, makes, work;

    if (large->growth < 0 || op->result.type->kind != IR_TYPE_TENSOR ||
        !is_known(large, op, &reads) || !bytes_of(large, op->result.type, &makes))
        return;
    int64_t more = makes > reads ? makes - reads : 0;

    if (more > reads / 100 * large->growth + SMALL || more > large->growth_left ||
        !work_of_op(large, op, makes, &work) || work > large->work_left)
        return;
    large->growth_left -= more;
    large->work_left -= work;
    map_set(&large->noted, &op->result, op);
    array_push(&large->ops, op);
}

/* ---- computing ---- */

/* Does anybody read it who is not computed himself? */
static bool is_read(struct fold_large *large, const struct ir_value *value)
{
    ir_for_each_use (use, value) {
        struct ir_op *user = ir_use_root(use);

        if (!user || !map_has(&large->noted, &user->result))
            return true;
    }
    return false;
}

static struct ir_value *copy_operand(struct fold_large *large, struct ir_value *value,
                                     struct map *copies)
{
    struct ir_value *made = map_get(copies, value);

    if (made || !ir_value_is_inline(value) || !ir_op_is(value->def, IR_CORE_tuple))
        return made ? made : static_copy(large->module, value);
    struct ir_op *tuple = ir_op_new(large->module, value->def->info, NULL, 0);

    for (unsigned i = 0; i < value->def->operand_count; i++)
        ir_op_add_operand(large->module, tuple,
                          copy_operand(large, value->def->operands[i].value, copies));
    tuple->result.type = value->type;
    return &tuple->result;
}

static struct ir_op *copy_op(struct fold_large *large, const struct ir_op *op, struct map *copies)
{
    struct ir_module *module = large->module;
    struct ir_op *copy = ir_op_new(module, op->info, NULL, 0);

    for (unsigned i = 0; i < op->operand_count; i++)
        ir_op_add_operand(module, copy, copy_operand(large, op->operands[i].value, copies));
    for (unsigned i = 0; i < op->info->attr_count; i++)
        copy->attrs[i] = op->attrs[i];
    copy->declared = op->declared;
    copy->loc = op->loc;
    copy->result.type = op->result.type;
    map_set(copies, &op->result, &copy->result);
    return copy;
}

/* A function of the module, without parameters, that returns @roots as a tuple. */
static struct ir_global *close(struct fold_large *large, struct ir_value *const *roots,
                               unsigned count)
{
    struct ir_module *module = large->module;
    struct ir_global *global =
        ir_module_add(module, ir_module_fresh_name(module, "fold_constant"), IR_GLOBAL_FUNCTION);
    struct ir_function *function = global->function = ir_function_new(module, global->name);
    struct ir_block *block = ir_block_append(module, function->body, false);
    struct ir_value **items = arena_array(&large->run->scratch, struct ir_value *, count);
    struct map copies = {0};

    for (size_t i = 0; i < large->ops.count; i++)
        ir_op_append(block, copy_op(large, large->ops.items[i], &copies));
    for (unsigned i = 0; i < count; i++)
        items[i] = map_get(&copies, roots[i]);
    struct ir_value *tuple = ir_inline_tuple(module, items, count);
    struct ir_op *end = ir_op_new(module, ir_core_op(module->context, IR_CORE_return), &tuple, 1);

    end->result.type = function->result = tuple->type;
    ir_op_append(block, end);
    function->is_pure = true;
    global->type = ir_function_type(function);
    map_finish(&copies);
    return global;
}

/* The name of @value or of what it is made of; false: there are two. */
static bool find_name(const struct ir_value *value, unsigned depth, const char **name)
{
    const struct ir_op *def = value->def;
    const char *own = value->name;

    if (def && ir_op_is(def, IR_CORE_constant))
        own = def->attrs[0]->constant->name;
    if (own && *name && *name != own)
        return false;
    if (own)
        *name = own;
    for (unsigned i = 0; !own && def && depth < NAME_DEPTH && i < def->operand_count; i++)
        if (!find_name(def->operands[i].value, depth + 1, name))
            return false;
    return true;
}

const char *fold_large_name(const struct ir_value *value)
{
    const char *name = NULL;

    return find_name(value, 0, &name) ? name : NULL;
}

/* Constants stand for @roots; what nobody reads any more goes. */
static void put(struct fold_large *large, struct ir_value *const *roots,
                struct ir_constant *const *constants, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct ir_value *leaf = ir_inline_constant(large->module, constants[i]);

        constants[i]->name = fold_large_name(roots[i]);
        if (leaf->type == roots[i]->type)
            rewrite_uses_by_leaf(large->module, roots[i], leaf);
    }
    for (size_t i = large->ops.count; i-- > 0;)
        if (!large->ops.items[i]->result.uses)
            ir_op_erase(large->ops.items[i]);
}

bool fold_large_compute(struct fold_large *large)
{
    const struct pass_host *host = large->run->host;
    struct arena *scratch = &large->run->scratch;
    struct ir_value **roots = arena_array(scratch, struct ir_value *, large->ops.count + 1);
    unsigned count = 0;

    for (size_t i = 0; i < large->ops.count; i++)
        if (is_read(large, &large->ops.items[i]->result))
            roots[count++] = &large->ops.items[i]->result;
    struct ir_constant **constants = arena_array(scratch, struct ir_constant *, count + 1);
    bool is_done = false;

    if (count > 0) {
        struct ir_global *global = close(large, roots, count);

        is_done = host->compute(host->state, large->module, global->name, constants, count);
        ir_block_erase(global->function->body->first); /* its constants have one use each */
        ir_module_remove(large->module, global);
    }
    if (is_done)
        put(large, roots, constants, count);
    large->ops.count = 0;
    map_finish(&large->noted);
    large->noted = (struct map){0};
    return is_done;
}
