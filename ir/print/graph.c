/* Relax functions: signature, blocks, statements. */
#include "base/assert.h"
#include "ir/build.h"
#include "ir/module.h"
#include "ir/print/printer.h"

#include <string.h>

static void put_region(struct printer *p, const struct ir_region *region, const char *result_name);

/* Is the type of the result what reading the text without it would infer? */
static bool is_inferable(struct printer *p, const struct ir_op *op)
{
    if (ir_op_is(op, IR_CORE_call_tir) || ir_op_is(op, IR_CORE_call_dps_packed))
        return op->declared == op->result.type;
    if (p->options.show_all_types || p->module == NULL)
        return false;
    if (p->scratch == NULL)
        p->scratch = diag_create();
    struct ir_op probe = *op;
    struct ir_module *module = ir_op_function(op)->module;
    return ir_op_infer(module, p->scratch, &probe) && probe.result.type == op->result.type;
}

/* Effects without a result stand alone, unless something names the nothing that they give. */
static bool is_bare_statement(const struct ir_op *op)
{
    if (op->result.uses != NULL || !ir_type_is_void(op->result.type))
        return false;
    return !ir_op_is(op, IR_CORE_tuple) && !ir_op_is(op, IR_CORE_bind) &&
           !ir_op_is(op, IR_CORE_tuple_get) && !ir_op_is(op, IR_CORE_match_cast);
}

/* `name: type = `; the right-hand side is in @rhs. */
static void put_binding(struct printer *p, const char *name, const struct ir_type *type,
                        const struct text *rhs)
{
    printer_line(p);
    text_puts(p->out, name);
    if (type != NULL) {
        text_puts(p->out, ": ");
        printer_put_type(p, type);
    }
    text_printf(p->out, " = %s\n", text_string(rhs));
}

static void put_if(struct printer *p, const struct ir_op *op)
{
    printer_line(p);
    text_puts(p->out, "if ");
    printer_put_operand(p, op->operands[0].value);
    text_puts(p->out, ":\n");
    const char *name = printer_define(p, &op->result, op->result.name, "gv");
    assert(op->region_count == 2);
    put_region(p, op->regions[0], name);
    printer_line(p);
    text_puts(p->out, "else:\n");
    put_region(p, op->regions[1], name);
}

static void put_nested_function(struct printer *p, const struct ir_op *op)
{
    const struct ir_attr *nested = ir_op_attr(op, "function");
    const char *name = printer_define(p, &op->result, op->result.name, "gv");
    printer_put_function(p, nested->function, name);
    text_putc(p->out, '\n');
}

/* A tuple of several stands bare behind `=`. */
static void put_right_side(struct printer *p, const struct ir_op *op)
{
    if (ir_op_is(op, IR_CORE_bind) && ir_value_is_inline(op->operands[0].value))
        op = op->operands[0].value->def;
    if (ir_op_is(op, IR_CORE_tuple) && op->operand_count > 1)
        printer_put_operands(p, op, 0);
    else
        printer_put_op(p, op);
}

/* An op as a statement, its result under @name (NULL: its own). */
static void put_op_statement(struct printer *p, const struct ir_op *op, const char *name)
{
    if (ir_op_is(op, IR_CORE_if)) {
        put_if(p, op);
        return;
    }
    if (ir_op_is(op, IR_CORE_function)) {
        put_nested_function(p, op);
        return;
    }
    if ((op->info->traits & IR_TERMINATOR) != 0 || (name == NULL && is_bare_statement(op))) {
        printer_line(p);
        printer_put_op(p, op);
        text_putc(p->out, '\n');
        return;
    }
    /* The right-hand side first: what it mentions is declared before what the type mentions. */
    struct text rhs = {0}, *out = p->out;
    const struct ir_type *type = is_inferable(p, op) ? NULL : op->result.type;
    p->out = &rhs;
    put_right_side(p, op);
    p->out = out;
    if (name == NULL)
        name = p->context != NULL ? printer_define(p, &op->result, op->result.name,
                                                   ir_value_is_dataflow(&op->result) ? "lv" : "gv")
                                  : printer_value(p, &op->result);
    put_binding(p, name, type, &rhs);
    text_finish(&rhs);
}

void printer_put_statement(struct printer *p, const struct ir_op *op)
{
    put_op_statement(p, op, NULL);
}

/* The op whose result @end yields if it can bear the name of the result of the `if`. */
static const struct ir_op *named_by_yield(const struct ir_op *end)
{
    const struct ir_op *last = end->prev;
    if (last == NULL || &last->result != end->operands[0].value)
        return NULL;
    if (ir_op_is(last, IR_CORE_if) || ir_op_is(last, IR_CORE_function))
        return NULL;
    return last->result.uses->next == NULL ? last : NULL;
}

static void put_yield(struct printer *p, const struct ir_op *end, const char *result_name)
{
    struct text rhs = {0}, *out = p->out;
    p->out = &rhs;
    if (ir_value_is_inline(end->operands[0].value))
        put_right_side(p, end->operands[0].value->def);
    else
        printer_put_operand(p, end->operands[0].value);
    p->out = out;
    put_binding(p, result_name, p->options.show_all_types ? end->operands[0].value->type : NULL,
                &rhs);
    text_finish(&rhs);
}

/* The values of a dataflow block that nobody sees outside keep their names to the end of it. */
static void put_block(struct printer *p, const struct ir_block *block, const char *result_name)
{
    /* One that passes left with nothing in it, which reading it would drop. */
    if (block->is_dataflow && (block->first == NULL || (ir_op_is(block->first, IR_CORE_output) &&
                                                        block->first->operand_count == 0)))
        return;
    if (block->is_dataflow) {
        printer_line(p);
        text_puts(p->out, "with ");
        printer_put_relax(p, "dataflow():\n");
        p->indent++;
    }
    for (const struct ir_op *op = block->first; op != NULL; op = op->next) {
        const struct ir_op *end = op->next;
        if (ir_op_is(op, IR_CORE_yield))
            put_yield(p, op, result_name);
        else if (end != NULL && ir_op_is(end, IR_CORE_yield) && named_by_yield(end) == op) {
            put_op_statement(p, op, result_name);
            break;
        } else
            put_op_statement(p, op, NULL);
    }
    if (block->is_dataflow)
        p->indent--;
}

static void put_region(struct printer *p, const struct ir_region *region, const char *result_name)
{
    size_t mark = printer_mark(p);
    p->indent++;
    ir_for_each_block(block, region) put_block(p, block, result_name);
    p->indent--;
    printer_release(p, mark);
}

/* What a call binds: dims that are symbols alone. */
static void define_typevars(struct printer *p, const struct ir_type *type)
{
    bool has_dims = type->kind == IR_TYPE_TENSOR || type->kind == IR_TYPE_SHAPE;
    for (int i = 0; has_dims && type->dims != NULL && i < type->ndim; i++)
        printer_define_typevar(p, type->dims[i]);
    for (unsigned i = 0; type->kind == IR_TYPE_TUPLE && i < type->field_count; i++)
        define_typevars(p, type->fields[i]);
}

static void put_params(struct printer *p, const struct ir_function *function)
{
    /* Scalar parameters are variables of the signature: known before the first type is printed. */
    for (unsigned i = 0; i < function->param_count; i++) {
        const struct ir_value *param = function->params[i];
        if (param->var == NULL)
            continue;
        const char *name = printer_define(p, param, param->name, "v");
        printer_define_as(p, param->var, name);
        map_set(&p->frame->symbols, param->var, param->var);
    }
    for (unsigned i = 0; i < function->param_count; i++)
        if (printer_find(p, function->params[i]) == NULL)
            printer_define(p, function->params[i], function->params[i]->name, "v");
    for (unsigned i = 0; i < function->param_count; i++)
        define_typevars(p, function->params[i]->type);
    for (unsigned i = 0; i < function->param_count; i++) {
        const struct ir_value *param = function->params[i];
        text_printf(p->out, "%s%s: ", i > 0 ? ", " : "", printer_find(p, param));
        printer_put_type(p, param->type);
        if (param->var != NULL) /* what stands behind may name it as it is */
            map_set(&p->frame->symbols, param->var, NULL);
    }
}

static void put_signature(struct printer *p, const struct ir_function *function, const char *name)
{
    p->frame->is_signature = true;
    text_printf(p->out, "def %s(", name);
    put_params(p, function);
    text_puts(p->out, ") -> ");
    printer_put_type(p, function->result);
    text_puts(p->out, ":\n");
    p->frame->is_signature = false;
}

static void put_decorator(struct printer *p, const struct ir_function *function)
{
    bool has_arguments = false;
    const struct {
        bool is_set;
        const char *text;
    } flags[] = {
        {!function->is_pure, "pure=False"},
        {function->is_private && function->parent == NULL, "private=True"},
        {function->skip_well_formed, "check_well_formed=False"},
    };
    printer_line(p);
    text_putc(p->out, '@');
    printer_put_relax(p, "function");
    for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
        if (!flags[i].is_set)
            continue;
        text_puts(p->out, has_arguments ? ", " : "(");
        text_puts(p->out, flags[i].text);
        has_arguments = true;
    }
    text_puts(p->out, has_arguments ? ")\n" : "\n");
}

void printer_put_function(struct printer *p, const struct ir_function *function,
                          const char *shown_name)
{
    size_t mark = printer_mark(p);
    struct printer_frame frame = {.indent = p->indent + 1, .outer = p->frame};
    p->frame = &frame;
    put_decorator(p, function);
    printer_line(p);
    put_signature(p, function, shown_name);
    printer_put_func_attrs(p, function->attrs);
    struct text body = {0}, *out = p->out;
    p->out = &body;
    put_region(p, function->body, NULL);
    p->out = out;
    text_puts(out, text_string(&frame.prelude));
    text_append(out, text_string(&body), body.length);
    text_finish(&body);
    text_finish(&frame.prelude);
    map_finish(&frame.symbols);
    map_finish(&frame.typevars);
    p->frame = frame.outer;
    printer_release(p, mark);
}
