/* Kernels that are written as text, for what no operator of Relax does; equal ones are one. */
#include "frontend/onnx/import.h"
#include "ir/build.h"
#include "ir/clone.h"

#include <stdio.h>
#include <string.h>

/* (n, 4) and what else stands in a type, as T.Buffer writes it; symbols of the type go to @symbols. */
static void put_buffer(struct onnx_import *m, struct text *out, const char *name,
                       const struct ir_type *type)
{
    char dtype[32];
    struct text shape = {0};

    for (int i = 0; i < type->ndim; i++)
        if (type->dims[i]->kind == IR_EXPR_int)
            text_printf(&shape, "%s%lld%s", i ? ", " : "", (long long)type->dims[i]->int_value,
                        type->ndim == 1 ? "," : "");
        else
            text_printf(&shape, "%s%s_%d%s", i ? ", " : "", name, i, type->ndim == 1 ? "," : "");
    text_printf(out, "    %s = T.match_buffer(%s_handle, (%s), \"%s\")\n", name, name,
                text_string(&shape), ir_dtype_name(type->dtype, dtype));
    text_finish(&shape);
}

/* a0_1 = T.int64(): an extent that only the call knows. */
static void put_symbols(struct text *out, const char *name, const struct ir_type *type)
{
    for (int i = 0; i < type->ndim; i++)
        if (type->dims[i]->kind != IR_EXPR_int)
            text_printf(out, "    %s_%d = T.int64()\n", name, i);
}

static void put_kernel(struct onnx_import *m, struct text *out, const struct ir_type *const *types,
                       unsigned argument_count, unsigned count, const char *body)
{
    text_puts(out, "from tvm.script import tir as T\n@T.prim_func(private=True)\ndef kernel(");
    for (unsigned i = 0; i < count; i++)
        text_printf(out, "%s%c%u_handle: T.handle", i ? ", " : "", i < argument_count ? 'a' : 'r',
                    i < argument_count ? i : i - argument_count);
    text_puts(out, "):\n    T.func_attr({\"tir.noalias\": True})\n");
    for (int pass = 0; pass < 2; pass++)
        for (unsigned i = 0; i < count; i++) {
            char name[16];
            snprintf(name, sizeof(name), "%c%u", i < argument_count ? 'a' : 'r',
                     i < argument_count ? i : i - argument_count);
            if (pass == 0)
                put_symbols(out, name, types[i]);
            else
                put_buffer(m, out, name, types[i]);
        }
    text_puts(out, body);
}

/* The kernel of @text, which is parsed once. */
static struct ir_global *find_kernel(struct onnx_import *m, const char *name, const char *text)
{
    const char *key = atom_intern_text(&m->context->atoms, text);
    struct ir_global *found = map_get(&m->kernels, key);
    if (found)
        return found;
    const char *title = arena_printf(m->context->sources, "<%s>", name);
    const struct source *source = source_new(m->context->sources, title, text, strlen(text));
    struct ir_module *parsed = frontend_parse(m->context, m->diag, source);
    if (!parsed)
        return NULL;
    found = ir_kernel_take(m->module, parsed, parsed->globals[0], name);
    ir_module_destroy(parsed);
    map_set(&m->kernels, key, found);
    return found;
}

struct ir_value *onnx_kernel(struct onnx_import *m, const char *name,
                             struct ir_value *const *arguments, unsigned argument_count,
                             const struct ir_type *const *results, unsigned result_count,
                             const char *body)
{
    unsigned count = argument_count + result_count;
    const struct ir_type **types = arena_array(m->arena, const struct ir_type *, count);
    struct ir_value **operands = arena_array(m->arena, struct ir_value *, argument_count + 1);
    struct text text = {0};

    for (unsigned i = 0; i < argument_count; i++) {
        if (!arguments[i])
            return NULL;
        operands[i] = make_operand(&m->b, arguments[i]);
        types[i] = arguments[i]->type;
    }
    memcpy(types + argument_count, results, result_count * sizeof(*results));
    put_kernel(m, &text, types, argument_count, count, body);
    struct ir_global *kernel = find_kernel(m, name, text_string(&text));
    text_finish(&text);
    return kernel ? ir_build_call_tir(&m->b, kernel, operands, argument_count,
                                      result_count == 1
                                          ? results[0]
                                          : ir_type_tuple(m->context, results, result_count))
                  : NULL;
}
