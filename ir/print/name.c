/* Names: who is called what, and what is still free. */
#include "ir/module.h"
#include "ir/print/printer.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

size_t printer_mark(const struct printer *p)
{
    return p->defined.count;
}

static void take_back(struct printer *p, const struct printer_name *name)
{
    map_set(&p->names, name->object, NULL);
    if (name->text != NULL)
        map_set(&p->taken, name->text, NULL);
    if (name->hint != NULL) {
        map_set(&p->suffixes, name->hint, NULL);
        map_set(&p->numbers, name->hint, NULL);
    }
}

void printer_release(struct printer *p, size_t mark)
{
    size_t kept = mark;
    for (size_t i = mark; i < p->defined.count; i++) {
        struct printer_name name = p->defined.items[i];
        if (name.frame != NULL && name.frame == p->frame)
            p->defined.items[kept++] = name;
        else
            take_back(p, &name);
    }
    p->defined.count = kept;
}

void printer_reserve(struct printer *p, const char *name)
{
    const char *atom = atom_intern_text(&p->context->atoms, name);
    map_set(&p->taken, atom, atom);
}

/* Only letters, digits and underscores; not empty, no digit in front. */
static const char *clean_name(struct printer *p, const char *hint)
{
    struct text text = {0};
    if (hint[0] == '\0' || isdigit((unsigned char)hint[0]))
        text_putc(&text, 'v');
    for (const char *c = hint; *c != '\0'; c++)
        text_putc(&text, isalnum((unsigned char)*c) && (unsigned char)*c < 128 ? *c : '_');
    const char *atom = atom_intern_text(&p->context->atoms, text_string(&text));
    text_finish(&text);
    return atom;
}

static const char *free_name(struct printer *p, const char *hint, bool is_number)
{
    struct map *last = is_number ? &p->numbers : &p->suffixes;
    if (map_get(&p->taken, hint) == NULL)
        return hint;
    uintptr_t suffix = (uintptr_t)map_get(last, hint);
    const char *name;
    do {
        suffix++;
        name = atom_printf(&p->context->atoms, "%s%s%llu", hint, is_number ? "" : "_",
                           (unsigned long long)suffix);
    } while (map_get(&p->taken, name) != NULL);
    map_set(last, hint,
            (const void *)suffix); /* NOLINT(performance-no-int-to-ptr): a number as value */
    return name;
}

const char *printer_define(struct printer *p, const void *object, const char *hint,
                           const char *fallback)
{
    const char *clean = clean_name(p, hint != NULL ? hint : fallback);
    const char *name = free_name(p, clean, hint == NULL);
    map_set(&p->taken, name, name);
    map_set(&p->names, object, name);
    struct printer_name entry = {.object = object, .text = name, .hint = clean};
    array_push(&p->defined, entry);
    return name;
}

void printer_define_as(struct printer *p, const void *object, const char *text)
{
    map_set(&p->names, object, text);
    struct printer_name entry = {.object = object};
    array_push(&p->defined, entry);
}

const char *printer_find(const struct printer *p, const void *object)
{
    return map_get(&p->names, object);
}

const char *printer_var_type(struct printer *p, const struct ir_var *var)
{
    char dtype[32];
    const char *scope = var->pointer_scope != NULL ? var->pointer_scope : "global";
    if (var->pointee == NULL && var->pointer_scope == NULL)
        return atom_intern_text(&p->context->atoms, ir_dtype_name(var->dtype, dtype));
    if (var->pointee == NULL)
        return atom_printf(&p->context->atoms, "handle(storage_scope=\"%s\")", scope);
    return atom_printf(&p->context->atoms, "handle(\"%s\", \"%s\")", var->pointee, scope);
}

const char *printer_define_symbol(struct printer *p, const struct ir_var *var)
{
    bool is_avoided =
        var->name && map_has(&p->typevar_hints, var->name) && map_get(&p->taken, var->name) == NULL;
    if (is_avoided)
        map_set(&p->taken, var->name, var->name);
    const char *name = printer_define(p, var, var->name, "v");
    if (is_avoided)
        map_set(&p->taken, var->name, NULL);
    return name;
}

const char *printer_var(struct printer *p, const struct ir_var *var)
{
    const char *name = printer_find(p, var);
    if (name != NULL || p->context == NULL || p->frame == NULL)
        return name != NULL ? name : var->name;
    struct printer_frame *frame = p->frame;
    name = printer_define_symbol(p, var);
    array_last(&p->defined).frame = frame;
    const char *type = printer_var_type(p, var);
    printer_put_indent(&frame->prelude, frame->indent);
    text_printf(&frame->prelude, "%s = T.%s%s\n", name, type, strchr(type, '(') ? "" : "()");
    p->uses_tir = true;
    if (frame->is_signature)
        map_set(&frame->symbols, var, var);
    return name;
}

void printer_define_typevar(struct printer *p, const struct ir_expr *dim)
{
    if (!p->has_typevars || p->frame->outer != NULL || dim->kind != IR_EXPR_var ||
        !ir_dtype_equal(dim->dtype, IR_I64) || printer_find(p, dim->var) != NULL)
        return;
    const char *name = printer_define(p, dim->var, dim->var->name, "v");
    array_last(&p->defined).frame = p->frame;
    map_set(&p->frame->symbols, dim->var, dim->var);
    map_set(&p->frame->typevars, dim->var, dim->var);
    if (map_has(&p->typevar_names, name))
        return;
    map_set(&p->typevar_names, name, name);
    array_push(&p->typevars, name);
}

static void note_dim(struct printer *p, const struct ir_expr *dim)
{
    if (dim->kind == IR_EXPR_var && ir_dtype_equal(dim->dtype, IR_I64) && dim->var->name != NULL)
        map_set(&p->typevar_hints, dim->var->name, dim->var->name);
}

static void note_type(struct printer *p, const struct ir_type *type)
{
    bool has_dims = type->kind == IR_TYPE_TENSOR || type->kind == IR_TYPE_SHAPE;
    for (int i = 0; has_dims && type->dims != NULL && i < type->ndim; i++)
        note_dim(p, type->dims[i]);
    for (unsigned i = 0; type->kind == IR_TYPE_TUPLE && i < type->field_count; i++)
        note_type(p, type->fields[i]);
}

void printer_note_typevars(struct printer *p)
{
    for (size_t i = 0; i < p->module->global_count; i++) {
        const struct ir_global *global = p->module->globals[i];
        const struct tir_func *kernel = global->kind == IR_GLOBAL_KERNEL ? global->kernel : NULL;
        for (unsigned k = 0; kernel != NULL && k < kernel->param_count; k++)
            for (unsigned d = 0;
                 kernel->params[k].buffer != NULL && d < kernel->params[k].buffer->ndim; d++)
                note_dim(p, kernel->params[k].buffer->shape[d]);
        for (unsigned k = 0;
             global->kind == IR_GLOBAL_FUNCTION && k < global->function->param_count; k++)
            note_type(p, global->function->params[k]->type);
    }
}

bool printer_is_typevar(const struct printer *p, const struct ir_expr *dim)
{
    return p->frame != NULL && dim->kind == IR_EXPR_var && map_has(&p->frame->typevars, dim->var);
}

const char *printer_value(struct printer *p, const struct ir_value *value)
{
    const char *name = printer_find(p, value);
    if (name != NULL)
        return name;
    if (value->name != NULL)
        return value->name;
    return ir_value_is_dataflow(value) ? "lv" : "gv";
}
