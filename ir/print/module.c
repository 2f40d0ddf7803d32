/* A whole module: header comments, the class, its functions in TVM's order, the metadata. */
#include "ir/module.h"

#include "ir/print/printer.h"

#include <stdlib.h>
#include <string.h>

/* Kernels, extern functions, Relax functions; `main` last. */
static int global_rank(const struct ir_global *global)
{
    if (strcmp(global->name, "main") == 0)
        return 3;
    switch (global->kind) {
    case IR_GLOBAL_KERNEL:
        return 0;
    case IR_GLOBAL_EXTERN:
        return 1;
    default:
        return 2;
    }
}

static int compare_globals(const void *a, const void *b)
{
    const struct ir_global *x = *(const struct ir_global *const *)a;
    const struct ir_global *y = *(const struct ir_global *const *)b;
    int difference = global_rank(x) - global_rank(y);
    return difference != 0 ? difference : strcmp(x->name, y->name);
}

static bool is_default_extern(const struct ir_type *type)
{
    return type == NULL || (type->kind == IR_TYPE_FUNC && type->is_opaque && !type->is_pure &&
                            type->derive == NULL && type->result->kind == IR_TYPE_ANY);
}

static void put_extern(struct printer *p, const struct ir_global *global)
{
    printer_line(p);
    text_printf(p->out, "%s = ", global->name);
    printer_put_relax(p, "ExternFunc(");
    printer_put_string(p->out, global->symbol);
    if (!is_default_extern(global->type)) {
        text_puts(p->out, ", ");
        printer_put_type(p, global->type);
    }
    text_puts(p->out, ")\n");
}

static bool put_global(struct printer *p, const struct ir_global *global, bool needs_blank)
{
    if (needs_blank)
        text_putc(p->out, '\n');
    switch (global->kind) {
    case IR_GLOBAL_FUNCTION:
        printer_put_function(p, global->function, global->name);
        return true;
    case IR_GLOBAL_KERNEL:
        printer_put_kernel(p, global->kernel);
        return true;
    case IR_GLOBAL_EXTERN:
        put_extern(p, global);
        return false;
    case IR_GLOBAL_DECLARED:
        break;
    }
    return false;
}

static void put_class_attrs(struct printer *p, const char *function, const struct ir_attr *attrs)
{
    if (attrs == NULL || attrs->count == 0)
        return;
    printer_line(p);
    text_printf(p->out, "I.%s(", function);
    printer_put_attr(p, attrs);
    text_puts(p->out, ")\n");
}

static void put_globals(struct printer *p, const struct ir_module *module)
{
    array(struct ir_global *) globals = {0};
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind != IR_GLOBAL_DECLARED)
            array_push(&globals, module->globals[i]);
    if (globals.count > 0)
        qsort(globals.items, globals.count, sizeof(globals.items[0]), compare_globals);
    bool needs_blank = false;
    for (size_t i = 0; i < globals.count; i++)
        needs_blank = put_global(p, globals.items[i], needs_blank);
    array_finish(&globals);
}

static void put_class(struct printer *p, const struct ir_module *module)
{
    text_printf(p->out, "@I.ir_module\nclass %s:\n", module->name);
    p->indent++;
    size_t start = p->out->length;
    put_class_attrs(p, "module_attrs", module->attrs);
    put_class_attrs(p, "module_global_infos", module->global_infos);
    put_globals(p, module);
    if (p->out->length == start) {
        printer_line(p);
        text_puts(p->out, "pass\n");
    }
    p->indent--;
}

static void put_header(const struct printer *p, struct text *out)
{
    if (p->typevars.count > 0)
        text_puts(out, "# from typing import TypeVar\n");
    if (!p->is_bare)
        text_puts(out, "# from tvm.script import ir as I\n");
    if (p->uses_tir && printer_is_old(p))
        text_puts(out, "# from tvm.script import tir as T\n");
    else if (p->uses_tir)
        text_puts(out, "# from tvm.script import tirx as T\n# from tvm.tirx.layout import Axis\n");
    if (p->uses_relax)
        text_puts(out, "# from tvm.script import relax as R\n");
    text_putc(out, '\n');
    for (size_t i = 0; i < p->typevars.count; i++)
        text_printf(out, "%s = TypeVar(\"%s\")\n", p->typevars.items[i], p->typevars.items[i]);
}

void ir_module_print(const struct ir_module *module, const struct ir_print_options *options,
                     struct text *out)
{
    struct printer p;
    struct text body = {0};
    printer_start(&p, module, &body);
    p.options = options != NULL ? *options : ir_print_defaults;
    p.has_typevars = !printer_is_old(&p);
    if (p.has_typevars)
        printer_note_typevars(&p);
    p.is_bare = module->is_bare_function && module->global_count == 1;
    if (p.is_bare)
        put_globals(&p, module);
    else
        put_class(&p, module);
    if (p.constants.count > 0 && p.options.show_metadata)
        printer_put_metadata(&p, out);
    put_header(&p, out);
    text_append(out, text_string(&body), body.length);
    if (p.constants.count > 0 && !p.options.show_metadata)
        text_puts(out, "\n# Metadata omitted. Use show_meta=True in script() method to show it.\n");
    text_finish(&body);
    printer_finish(&p);
}
