/* The context: what the modules of one run share. */
#include "base/memory.h"
#include "ir/internal.h"
#include "ir/module.h"

struct ir_context *ir_context_create(void)
{
    struct ir_context *context = memory_new(sizeof(*context), 1);

    context->atoms.arena = &context->arena;
    context->sources = &context->arena;
    context->next_var_id = 1;
    context->types = ir_type_table_create();
    context->data = ir_data_table_create(context);
    context->memo = ir_memo_create();
    context->ops = ir_op_table_create();
    ir_context_add_core_ops(context);
    return context;
}

void ir_context_destroy(struct ir_context *context)
{
    if (!context)
        return;
    ir_memo_destroy(context->memo);
    ir_data_table_destroy(context->data);
    ir_op_table_destroy(context->ops);
    ir_type_table_destroy(context->types);
    atoms_finish(&context->atoms);
    arena_finish(&context->arena);
    memory_free(context);
}
