#include "passes/memory/out_of_place.h"

#include "analysis/access/cover.h"
#include "analysis/access/share.h"
#include "analysis/kernel.h"
#include "ir/build.h"
#include "passes/loop/loop.h"
#include "passes/memory/destinations.h"

struct out_of_place_kernel {
    struct out_of_place_kernel *next;
    unsigned written, position; /* the parameter that was both, and the new one */
    struct ir_global *global;   /* NULL: it cannot be */
};

void out_of_place_finish(struct out_of_place *o)
{
    access_cache_finish(&o->cache);
    map_finish(&o->kernels);
}

/* ---- kernels ---- */

struct split {
    const struct ir_buffer *read;
    struct ir_buffer *written;
};

static struct tir_stmt *split_stmt(struct loop_map *map, struct tir_stmt *stmt)
{
    const struct split *split = map->state;
    struct tir_stmt *mapped = loop_map_parts(map, stmt);

    if (stmt->kind != TIR_BLOCK && (stmt->kind != TIR_STORE || stmt->store.buffer != split->read))
        return mapped;
    struct tir_stmt *copy = tir_stmt_new(map->module, stmt->kind, stmt->loc);

    *copy = *mapped;
    if (stmt->kind == TIR_STORE) {
        copy->store.buffer = split->written;
        return copy;
    }
    copy->block.writes =
        arena_array(&map->module->arena, struct tir_region, copy->block.write_count);
    for (unsigned i = 0; i < copy->block.write_count; i++) {
        copy->block.writes[i] = mapped->block.writes[i];
        if (copy->block.writes[i].buffer == split->read)
            copy->block.writes[i].buffer = split->written;
    }
    return copy;
}

static void insert_param(struct tir_func *func, struct ir_buffer *buffer, unsigned position)
{
    tir_func_add_buffer(func, buffer);
    for (unsigned i = func->param_count - 1; i > position; i--)
        func->params[i] = func->params[i - 1];
    func->params[position] = (struct tir_param){.buffer = buffer};
}

/* Is parameter @param seen in no other way than by indices? */
static bool is_plain(const struct tir_func *func, unsigned param)
{
    struct arena scratch = {0};
    struct kernel_access access = kernel_access(&scratch, func);
    bool is_seen = !access.calls_out && !access.params[param].is_indirect;
    const struct ir_buffer *buffer = func->params[param].buffer;

    arena_finish(&scratch);
    return is_seen && !buffer->strides && !buffer->elem_offset && !buffer->data;
}

/* @from with a parameter at @position for what it writes to @written; NULL: that is not the same. */
static struct ir_global *make_kernel(struct out_of_place *o, const struct ir_global *from,
                                     unsigned written, unsigned position)
{
    struct ir_module *module = o->run->module;
    const char *name = atom_printf(&module->context->atoms, "%s_fresh", from->name);

    if (!is_plain(from->kernel, written))
        return NULL;
    struct ir_global *global = ir_kernel_copy(module, from, name);
    struct tir_func *func = global->kernel;
    struct split split = {.read = func->params[written].buffer};
    struct loop_map map = {.module = module, .state = &split, .stmt = split_stmt};

    split.written = arena_new(&module->arena, struct ir_buffer);
    *split.written = *split.read;
    split.written->name = atom_printf(&module->context->atoms, "%s_new", split.read->name);
    split.written->data_var = NULL;
    insert_param(func, split.written, position);
    func->body = split_stmt(&map, func->body);
    func->is_private = true;

    struct access_share share = access_may_share(&o->cache, func, position, written);

    if (access_share_is_legal(&share) &&
        access_cover(&o->cache, func, position, NULL).coverage == ACCESS_COVERS_ALL)
        return global;
    ir_module_remove(module, global);
    return NULL;
}

static struct ir_global *kernel_of(struct out_of_place *o, struct ir_global *from, unsigned written,
                                   unsigned position)
{
    struct out_of_place_kernel *first = map_get(&o->kernels, from), *entry = first;

    while (entry && (entry->written != written || entry->position != position))
        entry = entry->next;
    if (!entry) {
        entry = arena_new(&o->run->scratch, struct out_of_place_kernel);
        *entry = (struct out_of_place_kernel){first, written, position,
                                              make_kernel(o, from, written, position)};
        map_set(&o->kernels, from, entry);
    }
    return entry->global;
}

/* ---- calls ---- */

/* Where the parameter of output @output stands among those of @func, if it is new storage. */
static unsigned position_of(const struct tir_func *func, const struct ir_op *call,
                            const int64_t *indices, unsigned output)
{
    unsigned buffers = 0;

    for (unsigned i = 0; i < call->operand_count; i++)
        buffers += ir_type_is_tensor(call->operands[i].value->type);
    for (unsigned i = 0; i < output; i++)
        buffers += indices[i] < 0;
    for (unsigned i = 0; i < func->param_count; i++)
        if (func->params[i].buffer && buffers-- == 0)
            return i;
    return func->param_count;
}

static bool replace(struct pass_run *run, struct ir_op **call, struct ir_global *kernel,
                    const int64_t *indices, unsigned outputs)
{
    struct ir_module *module = run->module;
    struct ir_op *old = *call;
    struct ir_builder b = {
        .module = module, .diag = run->diag, .block = old->block, .before = old, .loc = old->loc};
    struct ir_value **args = arena_array(&run->scratch, struct ir_value *, old->operand_count + 1);
    const struct ir_attr **list = arena_array(&run->scratch, const struct ir_attr *, outputs);
    bool is_inplace = false;

    for (unsigned i = 0; i < old->operand_count; i++)
        args[i] = ir_inline_copy(module, old->operands[i].value);
    for (unsigned i = 0; i < outputs; i++) {
        list[i] = ir_attr_int(module->context, indices[i]);
        is_inplace |= indices[i] >= 0;
    }
    const struct ir_attr *attrs[] = {ir_attr_global(module->context, kernel),
                                     ir_attr_list(module->context, list, outputs),
                                     ir_op_attr(old, "strict")};
    struct ir_op *made = ir_build_declared(
        &b, ir_core_op(module->context, is_inplace ? IR_CORE_call_tir_inplace : IR_CORE_call_tir),
        args, old->operand_count, attrs, old->declared);

    if (!made)
        return false;
    made->result.name = old->result.name;
    made->result.loc = old->result.loc;
    ir_op_set_places(module, made, &old, 1);
    ir_value_replace(&old->result, &made->result);
    ir_op_erase(old);
    *call = made;
    return true;
}

bool out_of_place_set(struct out_of_place *o, struct ir_op **call, bool *wanted)
{
    struct ir_global *first = ir_op_callee(*call), *kernel = first;
    unsigned outputs = destination_count(*call);
    int64_t *indices = arena_array(&o->run->scratch, int64_t, outputs);

    for (unsigned i = 0; i < outputs; i++)
        indices[i] = destination_index(*call, i);
    for (unsigned i = 0; i < outputs; i++) {
        const struct tir_param *written =
            wanted[i] ? kernel_param_of(kernel->kernel, *call, (unsigned)indices[i]) : NULL;
        struct ir_global *made =
            written ? kernel_of(o, kernel, (unsigned)(written - kernel->kernel->params),
                                position_of(kernel->kernel, *call, indices, i))
                    : NULL;

        wanted[i] = made != NULL;
        if (!made)
            continue;
        indices[i] = -1;
        kernel = made;
    }
    return kernel == first || replace(o->run, call, kernel, indices, outputs);
}
