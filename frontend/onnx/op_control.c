/* Graphs in nodes: If as Relax's `if`; and functions of the model, written out where they are called. */
#include "frontend/onnx/families.h"

#include <string.h>

/* ---- the inside of a graph ---- */

static const Onnx__Graph *graph_of(struct onnx_node *n, const char *name)
{
    const Onnx__Attribute *attribute = onnx_attribute(n, name);

    if (attribute && attribute->g)
        return attribute->g;
    onnx_refuse(n, "it has no graph `%s`", name);
    return NULL;
}

/* What the names of @infos are in the scope. */
static bool find_all(struct onnx_import *m, Onnx__ValueInfo *const *infos, size_t count,
                     struct onnx_value **out)
{
    for (size_t i = 0; i < count; i++)
        if (!(out[i] = onnx_find(m, infos[i]->name ? infos[i]->name : "")))
            return false;
    return true;
}

bool onnx_run_graph(struct onnx_node *n, const Onnx__Graph *graph, struct onnx_value *const *inputs,
                    size_t input_count, struct onnx_value **out)
{
    struct onnx_import *m = n->m;
    struct onnx_scope scope, *outer = m->scope;
    struct location loc = m->b.loc;
    bool is_good = input_count <= graph->n_input;

    onnx_push(m, &scope, outer);
    for (size_t i = 0; i < input_count && is_good; i++) {
        struct onnx_value *value =
            onnx_define(m, graph->input[i]->name ? graph->input[i]->name : "");
        is_good = value != NULL;
        if (is_good) {
            const char *name = value->name;
            *value = *inputs[i];
            value->name = name;
        }
    }
    is_good = is_good && onnx_import_graph(m, graph, n->arguments) &&
              find_all(m, graph->output, graph->n_output, out);
    onnx_pop(m, &scope);
    m->b.loc = loc;
    return is_good;
}

static struct onnx_value **room(struct onnx_node *n, size_t count)
{
    return arena_array(n->m->arena, struct onnx_value *, count + 1);
}

/* ---- If ---- */

/* One value of all outputs of a branch, its last binding. */
static struct ir_value *branch_value(struct onnx_node *n, struct onnx_value *const *outputs,
                                     size_t count)
{
    struct onnx_import *m = n->m;
    struct ir_value **items = arena_array(m->arena, struct ir_value *, count + 1);

    for (size_t i = 0; i < count; i++) {
        if (outputs[i]->is_sequence) {
            onnx_refuse(n, "a branch gives a sequence");
            return NULL;
        }
        if (!(items[i] = onnx_value_tensor(m, outputs[i])))
            return NULL;
    }
    onnx_open_block(m, false);
    for (size_t i = 0; i < count; i++)
        items[i] = make_operand(&m->b, items[i]);
    struct ir_op *op =
        ir_build(&m->b, ir_core_op(m->context, IR_CORE_tuple), items, (unsigned)count, NULL);
    return op ? &op->result : NULL;
}

/* What the branch yields; NULL after a report. */
static struct ir_value *read_branch(struct onnx_node *n, struct ir_op *op, unsigned i,
                                    const Onnx__Graph *graph)
{
    struct onnx_import *m = n->m;
    struct ir_region *region = m->region;
    struct ir_builder b = m->b;
    struct onnx_value **outputs = room(n, graph->n_output);

    m->region = op->regions[i] = ir_region_new(m->module, m->function, op);
    struct onnx_undo *mark = m->undo;
    m->branch_depth++;
    onnx_open_block(m, true);
    bool is_good = onnx_run_graph(n, graph, NULL, 0, outputs);
    struct ir_value *value = is_good ? branch_value(n, outputs, graph->n_output) : NULL;
    is_good = value && ir_build(&m->b, ir_core_op(m->context, IR_CORE_yield), &value, 1, NULL);
    onnx_value_restore(m, mark);
    m->branch_depth--;
    m->region = region;
    m->b = b;
    return is_good ? value : NULL;
}

/* Has one of the outputs other ranks in the two branches? */
static bool differ(const struct ir_value *then, const struct ir_value *other)
{
    for (unsigned i = 0; i < then->type->field_count && i < other->type->field_count; i++)
        if (then->type->fields[i]->ndim != other->type->fields[i]->ndim)
            return true;
    return false;
}

static bool both_branches(struct onnx_node *n, const Onnx__Graph *then, const Onnx__Graph *other)
{
    struct onnx_import *m = n->m;
    struct ir_value *condition = onnx_in(n, 0);

    if (condition && onnx_rank(condition))
        condition = onnx_reshape(m, condition, NULL, 0);
    if (!condition)
        return false;
    onnx_open_block(m, false);
    condition = make_operand(&m->b, condition);
    struct ir_op *op = ir_op_new(m->module, ir_core_op(m->context, IR_CORE_if), &condition, 1);
    op->loc = op->result.loc = m->b.loc;
    ir_op_append(m->b.block, op);
    op->regions = arena_array(&m->module->arena, struct ir_region *, 2);
    op->region_count = 2;
    struct ir_value *first = read_branch(n, op, 0, then);
    struct ir_value *second = first ? read_branch(n, op, 1, other) : NULL;
    if (!second || !ir_op_infer(m->module, m->diag, op))
        return false;
    if (!m->open && differ(first, second))
        m->open = n->proto;
    onnx_open_block(m, true);
    for (unsigned i = 0; i < n->output_count; i++)
        if (!onnx_out(n, i, make_get(&m->b, &op->result, i)))
            return false;
    return true;
}

/* The program fails where the condition is not as it was taken to be. */
static bool check_choice(struct onnx_node *n, bool is_then)
{
    struct onnx_import *m = n->m;
    struct ir_value *condition = onnx_in(n, 0);
    const struct ir_expr *one = onnx_expr(m, 1), *wanted = onnx_expr(m, is_then);

    if (!condition)
        return false;
    struct ir_value *vector = onnx_reshape(m, onnx_cast(m, condition, IR_I64), &one, 1);
    struct ir_value *shape = make_operand(&m->b, MAKE(&m->b, OP_tensor_to_shape, vector));
    return shape && ir_build_declared(&m->b, ir_core_op(m->context, IR_CORE_match_cast), &shape, 1,
                                      NULL, ir_type_shape(m->context, &wanted, 1)) != NULL;
}

bool onnx_if(struct onnx_node *n)
{
    const Onnx__Graph *then = graph_of(n, "then_branch"), *other = graph_of(n, "else_branch");
    struct onnx_value **outputs;

    if (!then || !other || !onnx_has(n, 0))
        return false;
    if (then->n_output < n->output_count || other->n_output < n->output_count) {
        onnx_refuse(n, "a branch has fewer outputs than the node");
        return false;
    }
    const struct onnx_choice *choice = map_get(&n->m->choices, n->proto);
    bool is_known =
        onnx_value_is_known(n->m, n->inputs[0]) && n->inputs[0]->elements[0]->kind == IR_EXPR_int;
    if (!is_known && !choice)
        return both_branches(n, then, other);
    if (!is_known && !check_choice(n, choice->is_then))
        return false;
    bool is_then = is_known ? !ir_expr_is_int(n->inputs[0]->elements[0], 0) : choice->is_then;
    const Onnx__Graph *chosen = is_then ? then : other;
    outputs = room(n, chosen->n_output);
    if (!onnx_run_graph(n, chosen, NULL, 0, outputs))
        return false;
    for (unsigned i = 0; i < n->output_count; i++)
        n->outputs[i] = *outputs[i];
    return true;
}

/* ---- functions of the model ---- */

static const char *plain_domain(const char *domain)
{
    return !domain || strcmp(domain, "ai.onnx") == 0 ? "" : domain;
}

const Onnx__Function *onnx_function(const struct onnx_import *m, const Onnx__Node *node)
{
    const char *name = node->op_type ? node->op_type : "", *overload = node->overload;

    for (size_t i = 0; i < m->model->n_functions; i++) {
        const Onnx__Function *f = m->model->functions[i];
        if (f->name && strcmp(f->name, name) == 0 &&
            strcmp(plain_domain(f->domain), plain_domain(node->domain)) == 0 &&
            strcmp(f->overload ? f->overload : "", overload ? overload : "") == 0)
            return f;
    }
    return NULL;
}

/* The attributes of a call, those of the call around it resolved, then the function's own defaults. */
static const Onnx__Attribute *const *arguments_of(struct onnx_node *n, const Onnx__Function *f)
{
    const Onnx__Attribute **all = arena_array(n->m->arena, const Onnx__Attribute *,
                                              n->proto->n_attribute + f->n_attribute_proto + 1);
    size_t count = 0;

    for (size_t i = 0; i < n->proto->n_attribute; i++) {
        const Onnx__Attribute *given = n->proto->attribute[i];
        const Onnx__Attribute *found = given->name ? onnx_attribute(n, given->name) : NULL;
        if (!found)
            continue;
        Onnx__Attribute *named = arena_new(n->m->arena, Onnx__Attribute);
        *named = *found;
        named->name = given->name;
        all[count++] = named;
    }
    for (size_t i = 0; i < f->n_attribute_proto; i++)
        all[count++] = f->attribute_proto[i];
    return all;
}

bool onnx_call(struct onnx_node *n, const Onnx__Function *f)
{
    struct onnx_import *m = n->m;
    struct onnx_scope scope, *outer = m->scope;
    struct map imports = m->imports;
    struct location loc = m->b.loc;
    bool is_good = true;

    m->node_count += f->n_node + 1;
    if (m->call_depth >= 100 || m->node_count > 1 << 22) {
        onnx_refuse(n, "functions call each other without end, or too deep");
        return false;
    }
    m->call_depth++;
    m->imports = (struct map){0};
    for (size_t i = 0; i < f->n_opset_import; i++)
        map_set(&m->imports,
                atom_intern_text(&m->context->atoms, plain_domain(f->opset_import[i]->domain)),
                f->opset_import[i]);
    onnx_push(m, &scope, NULL);
    for (size_t i = 0; i < f->n_input && i < n->input_count && is_good; i++) {
        struct onnx_value *value = n->inputs[i] ? onnx_define(m, f->input[i]) : NULL;
        is_good = value || !n->inputs[i];
        if (!value) {
            map_set(&scope.values, atom_intern_text(&m->context->atoms, f->input[i]), &onnx_absent);
            continue;
        }
        const char *name = value->name;
        *value = *n->inputs[i];
        value->name = name;
    }
    for (size_t i = n->input_count; i < f->n_input; i++)
        map_set(&scope.values, atom_intern_text(&m->context->atoms, f->input[i]), &onnx_absent);
    is_good = is_good && onnx_import_nodes(m, f->node, f->n_node, arguments_of(n, f));
    for (size_t i = 0; i < f->n_output && i < n->output_count && is_good; i++) {
        const struct onnx_value *value = onnx_find(m, f->output[i]);
        is_good = value != NULL;
        if (value)
            n->outputs[i] = *value;
    }
    onnx_pop(m, &scope);
    m->scope = outer;
    map_finish(&m->imports);
    m->imports = imports;
    m->call_depth--;
    m->b.loc = loc;
    return is_good;
}
