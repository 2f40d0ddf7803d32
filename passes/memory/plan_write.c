#include "passes/memory/plan_write.h"

#include "ir/build.h"
#include "ops/ids.h"

static struct ir_value *global_scope(struct ir_module *module)
{
    return ir_inline_string(module, atom_intern_text(&module->context->atoms, "global"));
}

static struct ir_value *number(struct ir_module *module, int64_t value)
{
    return ir_inline_prim(module, ir_expr_int(module->context, IR_I64, value));
}

/* In front of @before, as if it stood there in the script. */
static struct ir_builder builder_at(struct pass_run *run, struct ir_op *before)
{
    return (struct ir_builder){.module = run->module,
                               .diag = run->diag,
                               .block = before->block,
                               .before = before,
                               .loc = before->loc};
}

/* ---- the piece of storage ---- */

static struct ir_value *take_storage(struct pass_run *run, struct ir_op *before,
                                     const struct ir_expr *bytes)
{
    struct ir_module *module = run->module;
    struct ir_builder b = builder_at(run, before);
    struct ir_value *operands[] = {
        ir_inline_shape(module, &bytes, 1),
        number(module, 0),
        global_scope(module),
        ir_inline_dtype(module, IR_DTYPE(IR_UINT, 8)),
    };
    struct ir_value *storage =
        ir_build_op(&b, OP_memory_alloc_storage, operands, ARRAY_SIZE(operands));

    if (storage)
        storage->name = atom_intern_text(&module->context->atoms, "arena");
    return storage;
}

static bool give_back(struct pass_run *run, struct ir_op *after, struct plan_text *text)
{
    struct ir_value *storage = &text->storage->result;
    struct ir_builder b = {.module = run->module,
                           .diag = run->diag,
                           .block = after->block,
                           .before = after->next,
                           .loc = after->loc};
    struct ir_value *kill = ir_build_op(&b, OP_memory_kill_storage, &storage, 1);

    text->kill = kill ? kill->def : NULL;
    return kill != NULL;
}

/* ---- tensors ---- */

/* @to stands for the tensor that @from allocated, from now on. */
static struct ir_op *stand_for(struct pass_run *run, struct ir_op *from, struct ir_value *to)
{
    if (!to)
        return NULL;
    to->name = from->result.name;
    to->loc = from->result.loc;
    ir_op_set_places(run->module, to->def, &from, 1);
    ir_value_replace(&from->result, to);
    ir_op_erase(from);
    return to->def;
}

static struct ir_op *put(struct pass_run *run, const struct plan_item *item,
                         struct ir_value *storage)
{
    struct ir_module *module = run->module;
    struct ir_builder b = builder_at(run, item->alloc);
    const struct ir_op_info *null_value = ir_core_op(module->context, IR_CORE_null_value);
    struct ir_value *operands[] = {
        storage,
        ir_inline_prim(module, item->offset),
        ir_inline_copy(module, item->alloc->operands[0].value),
        ir_inline_copy(module, item->alloc->operands[1].value),
        &ir_build(&b, null_value, NULL, 0, NULL)->result,
    };

    return stand_for(run, item->alloc,
                     ir_build_op(&b, OP_memory_alloc_tensor, operands, ARRAY_SIZE(operands)));
}

static struct ir_op *put_apart(struct pass_run *run, struct ir_op *tensor)
{
    struct ir_module *module = run->module;
    struct ir_builder b = builder_at(run, tensor);
    struct ir_value *operands[] = {
        ir_inline_copy(module, tensor->operands[2].value),
        ir_inline_copy(module, tensor->operands[3].value),
        number(module, 0),
        global_scope(module),
    };

    return stand_for(run, tensor,
                     ir_build_op(&b, OP_builtin_alloc_tensor, operands, ARRAY_SIZE(operands)));
}

/* ---- all ---- */

static const struct ir_region *region_of(const struct plan_items *items)
{
    const struct ir_region *region = items->items[0].region;

    for (size_t i = 1; i < items->count; i++)
        region = plan_common_region(region, items->items[i].region);
    return region;
}

/* Behind it nothing lies in the storage any more; NULL: what is there leaves the function. */
static struct ir_op *last_end(const struct plan_items *items)
{
    const struct plan_item *last = &items->items[0];

    for (size_t i = 1; i < items->count; i++)
        if (items->items[i].upper > last->upper)
            last = &items->items[i];
    return last->is_result ? NULL : last->end;
}

bool plan_write(struct pass_run *run, const struct plan_items *items, const struct ir_expr *bytes,
                struct plan_text *out)
{
    const struct ir_region *region = region_of(items);
    struct ir_op *first = plan_climb(items->items[0].alloc, region);
    struct ir_op *last = last_end(items);
    struct ir_value *storage = take_storage(run, first, bytes);

    if (!storage)
        return false;
    out->storage = storage->def;
    if (last && !give_back(run, plan_climb(last, region), out))
        return false;
    for (size_t i = 0; i < items->count; i++) {
        struct ir_op *tensor = put(run, &items->items[i], storage);

        if (!tensor)
            return false;
        array_push(&out->tensors, tensor);
    }
    return true;
}

bool plan_take_back(struct pass_run *run, struct plan_text *text)
{
    for (size_t i = 0; i < text->tensors.count; i++)
        if (!put_apart(run, text->tensors.items[i]))
            return false;
    if (text->kill)
        ir_op_erase(text->kill);
    ir_op_erase(text->storage);
    text->tensors.count = 0;
    return true;
}
