#include "passes/memory/force_pure.h"

void force_pure(struct ir_module *module, struct ir_function *function)
{
    struct ir_context *context = module->context;

    if (function->is_pure)
        function->attrs = ir_attr_dict_with(context, function->attrs,
                                            atom_intern_text(&context->atoms, "relax.force_pure"),
                                            ir_attr_bool(context, true));
}
