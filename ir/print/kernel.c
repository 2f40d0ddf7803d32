/* Kernels: decorator, signature, and the root block that the text leaves out. */
#include "ir/module.h"
#include "ir/print/printer.h"

#include <string.h>

static bool is_no_block(void *state, struct tir_stmt *stmt)
{
    return stmt->kind != TIR_BLOCK;
}

/* Is the outermost block one that reading the text without it brings back? */
static bool is_implied_root(const struct tir_stmt *stmt)
{
    if (stmt->kind != TIR_BLOCK || !stmt->block.is_root || stmt->block.axis_count > 0 ||
        !printer_is_true(stmt->block.predicate) || printer_has_items(stmt->block.annotations) ||
        stmt->block.match_count > 0 || stmt->block.read_count > 0 || stmt->block.write_count > 0 ||
        stmt->block.init != NULL)
        return false;
    struct tir_stmt *body = stmt->block.body;
    if (stmt->block.alloc_count > 0)
        return true;
    if (printer_unwrap(body)->kind == TIR_BLOCK)
        return printer_unwrap(body)->block.axis_count > 0;
    return !tir_stmt_walk(body, is_no_block, NULL);
}

static void put_kernel_body(struct printer *p, const struct tir_stmt *body)
{
    const struct tir_stmt *root = printer_unwrap(body);
    if (!is_implied_root(root)) {
        printer_put_body(p, body);
        return;
    }
    size_t mark = printer_mark(p);
    p->uses_tir = true;
    printer_line(p);
    text_puts(p->out, "# with ");
    printer_put_tir(p, "sblock(\"root\"):\n");
    printer_put_allocs(p, root);
    printer_put_body(p, root->block.body);
    printer_release(p, mark);
}

static void put_kernel_decorator(struct printer *p, const struct tir_func *func)
{
    struct text arguments = {0}, *out = p->out;
    if (func->is_private)
        text_puts(&arguments, ", private=True");
    if (func->is_s_tir && !printer_is_old(p))
        text_puts(&arguments, ", s_tir=True");
    if (func->skip_well_formed)
        text_puts(&arguments, ", check_well_formed=False");
    p->out = &arguments;
    for (unsigned i = 0; func->decorator != NULL && i < func->decorator->count; i++) {
        text_printf(&arguments, ", %s=", func->decorator->keys[i]);
        printer_put_attr(p, func->decorator->items[i]);
    }
    p->out = out;
    printer_line(p);
    text_putc(p->out, '@');
    printer_put_tir(p, "prim_func");
    if (arguments.length > 0)
        text_printf(p->out, "(%s)", text_string(&arguments) + strlen(", "));
    text_putc(p->out, '\n');
    text_finish(&arguments);
}

static void put_kernel_signature(struct printer *p, const struct tir_func *func)
{
    char dtype[32];
    for (unsigned i = 0; i < func->param_count; i++) {
        const struct ir_var *var = func->params[i].var;
        if (func->params[i].buffer == NULL)
            printer_define(p, var, var->name, "v");
    }
    for (unsigned i = 0; i < func->param_count; i++)
        if (func->params[i].buffer != NULL)
            printer_define_buffer(p, func->params[i].buffer);
    for (unsigned i = 0; i < func->param_count; i++) {
        const struct ir_buffer *buffer = func->params[i].buffer;
        for (unsigned k = 0; buffer != NULL && k < buffer->ndim; k++)
            printer_define_typevar(p, buffer->shape[k]);
    }
    printer_line(p);
    text_printf(p->out, "def %s(", func->name);
    for (unsigned i = 0; i < func->param_count; i++) {
        const struct tir_param *param = &func->params[i];
        text_puts(p->out, i > 0 ? ", " : "");
        if (param->buffer != NULL && printer_is_old(p) && printer_is_matched(param->buffer)) {
            const char *hint =
                atom_printf(&p->context->atoms, "var_%s", printer_buffer(p, param->buffer));
            text_printf(p->out, "%s: ", printer_define(p, param, hint, "v"));
            printer_put_tir(p, "handle");
            continue;
        }
        if (param->buffer != NULL) {
            printer_put_buffer_param(p, param->buffer);
            continue;
        }
        text_printf(p->out, "%s: ", printer_find(p, param->var));
        printer_put_tir(p, printer_var_type(p, param->var));
        map_set(&p->frame->symbols, param->var, param->var);
    }
    text_putc(p->out, ')');
    if (!ir_dtype_is_void(func->result)) {
        text_puts(p->out, " -> ");
        printer_put_tir(p, ir_dtype_name(func->result, dtype));
    }
    text_puts(p->out, ":\n");
}

/* Buffers that the signature gives as handles. */
static void put_matches(struct printer *p, const struct tir_func *func)
{
    for (unsigned i = 0; i < func->param_count; i++)
        if (func->params[i].buffer != NULL && printer_find(p, &func->params[i]) != NULL)
            printer_put_match(p, printer_find(p, &func->params[i]), func->params[i].buffer);
}

void printer_put_kernel(struct printer *p, const struct tir_func *func)
{
    size_t mark = printer_mark(p);
    struct printer_frame frame = {.indent = p->indent + 1, .is_kernel = true, .outer = p->frame};
    bool was_kernel = p->is_kernel;
    p->frame = &frame;
    p->is_kernel = true;
    put_kernel_decorator(p, func);
    put_kernel_signature(p, func);
    struct text body = {0}, *out = p->out;
    printer_put_func_attrs(p, func->attrs);
    p->out = &body;
    p->indent++;
    put_matches(p, func);
    put_kernel_body(p, func->body);
    p->indent--;
    p->out = out;
    text_puts(out, text_string(&frame.prelude));
    text_append(out, text_string(&body), body.length);
    text_finish(&body);
    text_finish(&frame.prelude);
    map_finish(&frame.symbols);
    map_finish(&frame.typevars);
    p->is_kernel = was_kernel;
    p->frame = frame.outer;
    printer_release(p, mark);
}
