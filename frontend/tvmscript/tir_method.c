/* Calls of functions of the module, and methods of buffers: A.vload(..), A.access_ptr(..). */
#include "frontend/tvmscript/names.h"
#include "frontend/tvmscript/tir.h"

#include <string.h>

/* cls.f(..), or f(..) where the file has no module: a call by the name "cls.f". */
const struct ir_expr *global_call_translate(struct frontend *f, const struct ast *call,
                                            const char *name)
{
    unsigned count = call->item_count - 1;
    const struct ir_expr **args = arena_array(&f->arena, const struct ir_expr *, count + 1);
    const struct ir_global *global = ir_module_find(f->module, name);
    struct ir_dtype dtype = IR_I32;

    if (!arguments_translate(f, call->items + 1, count, args))
        return NULL;
    if (global && global->kernel && global->kernel->has_result_annotation)
        dtype = global->kernel->result;
    else if (global && global->type && global->type->kind == IR_TYPE_FUNC &&
             global->type->result->kind == IR_TYPE_PRIM)
        dtype = global->type->result->dtype;
    return ir_expr_call(f->context, dtype, arena_printf(&f->arena, "cls.%s", name), args, count);
}

const char *global_callee(struct frontend *f, const struct ast *callee)
{
    const struct ast *root = callee->kind == AST_ATTRIBUTE ? callee->items[0] : callee;
    const struct name *name = root->kind == AST_NAME ? scope_use(f, root) : NULL;

    if (name && name->kind == NAME_CLASS && callee->kind == AST_ATTRIBUTE) {
        names_use_global(f, ir_module_find(f->module, callee->name), callee->name_loc);
        return callee->name;
    }
    return name && name->kind == NAME_GLOBAL && callee->kind == AST_NAME ? callee->name : NULL;
}

/* A.vload([i], "float32x4") */
static const struct ir_expr *call_vload(struct frontend *f, const struct ast *call,
                                        struct ir_buffer *buffer)
{
    const struct ast *begin = call_arg(call, 0, "begin"), *type = call_arg(call, 1, "dtype");
    const struct ir_expr *const *indices;
    unsigned count;
    struct ir_dtype dtype = buffer->dtype;

    if (!begin)
        return call_report_count(f, call, "vload", "indices");
    if (!scalars_translate(f, begin, IR_VOID, &indices, &count) ||
        (type && type->kind != AST_NONE && !dtype_translate(f, type, &dtype)))
        return NULL;
    if (count != buffer->ndim) {
        diag_report(f->diag, begin->loc, KERNEL_INDEX_COUNT, buffer->name, buffer->ndim, count);
        return NULL;
    }
    if (dtype.lanes > buffer->dtype.lanes && count > 0) {
        const struct ir_expr **wide = arena_array(&f->arena, const struct ir_expr *, count);
        memcpy(wide, indices, count * sizeof(wide[0]));
        const struct ir_expr *ends[] = {wide[count - 1],
                                        ir_expr_int(f->context, wide[count - 1]->dtype, 1)};
        struct ir_dtype index = {ends[0]->dtype.code, ends[0]->dtype.bits,
                                 (uint16_t)(dtype.lanes / buffer->dtype.lanes)};
        wide[count - 1] = ir_expr_new(f->context, IR_EXPR_ramp, index, ends, 2);
        indices = wide;
    }
    return ir_expr_load(f->context, buffer, indices, count);
}

/* Offset of an element from A.data, in elements: the row-major one where there are no strides. */
static const struct ir_expr *element_count(struct frontend *f, const struct ir_buffer *buffer)
{
    const struct ir_expr *count = ir_expr_int(f->context, IR_I32, 1);

    for (unsigned i = 0; i < buffer->ndim; i++) {
        const struct ir_expr *dim = buffer->shape[i];
        if (count->kind == IR_EXPR_int && dim->kind == IR_EXPR_int)
            count = ir_expr_int(f->context, dim->dtype, count->int_value * dim->int_value);
        else if (ir_expr_is_int(count, 1))
            count = dim;
        else if (tir_match(f, buffer->loc, &count, &dim))
            count = ir_expr_binary(f->context, IR_EXPR_mul, count, dim);
    }
    return count;
}

/* A.access_ptr("r"): T.tvm_access_ptr(T.type_annotation(dtype), A.data, offset, extent, mask) */
static const struct ir_expr *call_access_ptr(struct frontend *f, const struct ast *call,
                                             struct ir_buffer *buffer)
{
    const struct ast *mode = call_arg(call, 0, "access_mask");
    const struct ast *offset = call_arg(call, 4 - 1, "offset"),
                     *extent = call_arg(call, 4, "extent");
    int64_t mask = 0;
    const struct ir_expr *args[5];

    if (mode && mode->kind == AST_STRING)
        for (const char *c = mode->string; *c; c++)
            mask |= *c == 'r' ? 1 : *c == 'w' ? 2 : 4;
    else if (!mode || !ast_int_literal(mode, &mask))
        mask = 4;
    if (mask & ~3) {
        diag_report(f->diag, call->loc, KERNEL_ARGUMENT, "the mask of access_ptr",
                    "\"r\", \"w\" or \"rw\"");
        return NULL;
    }
    args[0] = ir_expr_call(f->context, buffer->dtype, "type_annotation", NULL, 0);
    args[1] = ir_expr_var(f->context, buffer_data_var(f, buffer));
    args[2] = offset                ? scalar_translate(f, offset, IR_VOID)
              : buffer->elem_offset ? buffer->elem_offset
                                    : ir_expr_int(f->context, IR_I32, 0);
    args[3] = extent && extent->kind != AST_NONE ? scalar_translate(f, extent, IR_VOID)
                                                 : element_count(f, buffer);
    args[4] = ir_expr_int(f->context, IR_I32, mask);
    return args[2] && args[3] ? ir_expr_call(f->context, IR_PTR, "tvm_access_ptr", args, 5) : NULL;
}

/* A method of a buffer or of a scalar: NULL without a report if @callee is none. */
const struct ir_expr *method_translate(struct frontend *f, const struct ast *call,
                                       bool *out_is_method)
{
    const struct ast *callee = call->items[0];
    struct ir_buffer *buffer =
        callee->kind == AST_ATTRIBUTE ? buffer_of(f, callee->items[0]) : NULL;
    struct ir_dtype dtype;

    *out_is_method = true;
    if (buffer && strcmp(callee->name, "vload") == 0)
        return call_vload(f, call, buffer);
    if (buffer && strcmp(callee->name, "access_ptr") == 0)
        return call_access_ptr(f, call, buffer);
    if (callee->kind == AST_ATTRIBUTE && strcmp(callee->name, "astype") == 0 &&
        !dotted_name(f, callee)) {
        const struct ir_expr *value = scalar_translate(f, callee->items[0], IR_VOID);
        if (!value || !call_check_count(f, call, 1) || !dtype_translate(f, call->items[1], &dtype))
            return NULL;
        return tir_convert(f, value, dtype);
    }
    *out_is_method = false;
    return NULL;
}
