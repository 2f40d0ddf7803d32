/* The printer's state, and pieces of a module for messages and tests. */
#include "ir/print.h"

#include "ir/module.h"
#include "ir/print/printer.h"

#include <string.h>

enum { TYPE_TEXT_LIMIT = 1000 }; /* characters of a type in a message */

const struct ir_print_options ir_print_defaults = {.show_metadata = true, .show_all_types = true};

static const char *const reserved[] = {
    /* prefixes, and what Python or the text gives a meaning */
    "I",      "T",    "R",      "cls",    "metadata", "range", "False", "None",     "True",
    "and",    "as",   "assert", "async",  "await",    "break", "class", "continue", "def",
    "del",    "elif", "else",   "except", "finally",  "for",   "from",  "global",   "if",
    "import", "in",   "is",     "lambda", "nonlocal", "not",   "or",    "pass",     "raise",
    "return", "try",  "while",  "with",   "yield",
};

bool ir_is_reserved(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(reserved); i++)
        if (strcmp(reserved[i], name) == 0)
            return true;
    return false;
}

void printer_start(struct printer *p, const struct ir_module *module, struct text *out)
{
    *p = (struct printer){.context = module->context, .module = module, .out = out};
    p->options = ir_print_defaults;
    for (size_t i = 0; i < ARRAY_SIZE(reserved); i++)
        printer_reserve(p, reserved[i]);
    if (!module->is_bare_function || module->global_count != 1)
        printer_reserve(p, module->name);
}

void printer_finish(struct printer *p)
{
    map_finish(&p->names);
    map_finish(&p->typevar_names);
    map_finish(&p->typevar_hints);
    array_finish(&p->typevars);
    map_finish(&p->taken);
    map_finish(&p->suffixes);
    map_finish(&p->numbers);
    map_finish(&p->constant_numbers);
    map_finish(&p->loops);
    array_finish(&p->defined);
    array_finish(&p->constants);
    diag_destroy(p->scratch);
}

void ir_function_print(const struct ir_function *function, struct text *out)
{
    struct printer p;
    printer_start(&p, function->module, out);
    printer_put_function(&p, function, function->name);
    printer_finish(&p);
}

void tir_func_print(const struct tir_func *func, struct text *out)
{
    struct printer p;
    printer_start(&p, func->module, out);
    printer_put_kernel(&p, func);
    printer_finish(&p);
}

/* Without scopes and renaming: a piece is shown with the names that the script has. */
static struct printer fragment(struct text *out)
{
    return (struct printer){.out = out, .options = ir_print_defaults};
}

void ir_op_print(const struct ir_op *op, struct text *out)
{
    struct text lines = {0};
    struct printer p = fragment(&lines);
    if (op->block == NULL || ir_op_is(op, IR_CORE_if) || ir_op_is(op, IR_CORE_function))
        printer_put_op(&p, op);
    else
        printer_put_statement(&p, op);
    size_t length = lines.length;
    while (length > 0 && lines.data[length - 1] == '\n')
        length--;
    text_append(out, text_string(&lines), length);
    text_finish(&lines);
    printer_finish(&p);
}

void ir_expr_print(const struct ir_expr *expr, struct text *out)
{
    struct printer p = fragment(out);
    printer_put_expr(&p, expr);
    printer_finish(&p);
}

void tir_expr_print(const struct ir_expr *expr, struct text *out)
{
    struct printer p = fragment(out);
    p.is_kernel = true;
    printer_put_expr(&p, expr);
    printer_finish(&p);
}

void ir_value_print(const struct ir_value *value, struct text *out)
{
    struct printer p = fragment(out);
    printer_put_operand(&p, value);
    printer_finish(&p);
}

void ir_type_print(const struct ir_type *type, struct text *out)
{
    struct printer p = fragment(out);
    printer_put_type(&p, type);
    printer_finish(&p);
}

const char *ir_type_text(struct ir_context *context, const struct ir_type *type)
{
    struct text text = {0};
    ir_type_print(type, &text);
    const char *result =
        text.length <= TYPE_TEXT_LIMIT
            ? arena_copy_text(&context->arena, text_string(&text), text.length)
            : arena_printf(&context->arena, "%.*s ..", TYPE_TEXT_LIMIT, text_string(&text));
    text_finish(&text);
    return result;
}
