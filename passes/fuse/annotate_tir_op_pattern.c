/*
 * AnnotateTIROpPattern: writes into each kernel how its results depend on what it reads.
 *
 *     T.func_attr({"op_pattern": 2})        # injective
 *
 * The pattern is found in the loops (analysis/pattern.h).  One that the script gives stays if it is not
 * more optimistic than what was found: `8` keeps a kernel out of all groups, but a wrong `0` cannot
 * make FuseOps believe that a matmul works element by element.
 */
#include "analysis/pattern.h"
#include "passes/pass.h"

enum pass_result pass_annotate_tir_op_pattern(struct pass_run *run)
{
    struct ir_context *context = run->module->context;
    const char *key = atom_intern_text(&context->atoms, "op_pattern");
    bool is_changed = false;

    for (size_t i = 0; i < run->module->global_count; i++) {
        struct tir_func *kernel = run->module->globals[i]->kernel;

        if (run->module->globals[i]->kind != IR_GLOBAL_KERNEL)
            continue;
        const struct ir_attr *given =
            kernel->attrs ? ir_attr_dict_get(kernel->attrs, "op_pattern") : NULL;
        enum op_pattern pattern = given ? pattern_of(kernel) : pattern_of_loops(kernel);
        const struct ir_attr *attr = ir_attr_int(context, pattern);

        if (given && ir_attr_equal(given, attr))
            continue;
        kernel->attrs = ir_attr_dict_with(context, kernel->attrs, key, attr);
        is_changed = true;
    }
    return is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
