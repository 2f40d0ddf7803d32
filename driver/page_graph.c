/*
 * Graphs of functions, for pages and for Graphviz: a node an op, an edge a value that another one
 * reads.
 */
#include "base/map.h"
#include "driver/page.h"
#include "ir/print.h"

#include <string.h>

struct graph {
    struct text *out;
    struct map numbers; /* struct ir_value -> its node, + 1 */
    size_t count;       /* nodes so far */
    bool is_dot, is_first;
    const char *function;
    size_t function_number;
};

/* What the op does, in a few words. */
static const char *label_of(const struct ir_op *op)
{
    const struct ir_global *callee = ir_op_callee(op);

    return callee ? callee->name : op->info->name;
}

static const char *kind_of(const struct ir_op *op)
{
    const struct ir_global *callee = ir_op_callee(op);

    return callee && callee->kind == IR_GLOBAL_KERNEL ? "kernel"
           : callee                                   ? "call"
           : op->info->traits & IR_VIEW               ? "view"
                                                      : "op";
}

static void put_json(const char *text, struct text *out)
{
    text_put_json(out, text, strlen(text));
}

static void put_type(const struct ir_op *op, struct text *out)
{
    const char *text =
        op->result.type ? ir_type_text(ir_op_function(op)->module->context, op->result.type) : "";

    put_json(strlen(text) < 200 ? text : "", out);
}

struct reading {
    struct graph *graph;
    size_t reader;
    unsigned count;
};

static void put_edge(void *state, struct ir_use *use)
{
    struct reading *reading = state;
    struct graph *graph = reading->graph;
    uintptr_t from = (uintptr_t)map_get(&graph->numbers, use->value);

    if (from == 0)
        return;
    if (graph->is_dot)
        text_printf(graph->out, "  n%zu -> n%zu;\n", (size_t)from - 1, reading->reader);
    else
        text_printf(graph->out, "%s%zu", reading->count ? "," : "", (size_t)from - 1);
    reading->count++;
}

static size_t add_node(struct graph *graph, const struct ir_value *value)
{
    map_set(&graph->numbers, value, (void *)(uintptr_t)(graph->count + 1));
    return graph->count++;
}

static void put_places(const struct ir_op *op, struct text *out)
{
    text_puts(out, ",\"p\":[");
    for (unsigned i = 0; i < op->places.count; i++)
        text_printf(out, "%s%u", i ? "," : "", location_line(op->places.items[i]));
    text_puts(out, "]");
}

static bool visit_op(void *state, struct ir_op *op)
{
    struct graph *graph = state;
    struct text *out = graph->out;
    struct reading reading = {.graph = graph};
    const char *name = op->result.name ? op->result.name : "";

    reading.reader = add_node(graph, &op->result);
    if (graph->is_dot) {
        text_printf(out, "  n%zu [label=", reading.reader);
        struct text label = {0};
        text_printf(&label, "%s%s%s", name, *name ? " = " : "", label_of(op));
        put_json(text_string(&label), out);
        text_printf(out, ", shape=box%s];\n",
                    strcmp(kind_of(op), "kernel") == 0 ? ", style=filled, fillcolor=\"#dbe9f6\""
                                                       : "");
        text_finish(&label);
        ir_op_walk_operands(op, put_edge, &reading);
        return true;
    }
    text_puts(out, graph->is_first ? "{\"n\":" : ",\n{\"n\":");
    graph->is_first = false;
    put_json(name, out);
    text_puts(out, ",\"o\":");
    put_json(label_of(op), out);
    text_printf(out, ",\"k\":\"%s\",\"l\":%u,\"t\":", kind_of(op), location_line(op->loc));
    put_type(op, out);
    put_places(op, out);
    text_puts(out, ",\"i\":[");
    ir_op_walk_operands(op, put_edge, &reading);
    text_puts(out, "]}");
    return true;
}

static void put_params(struct graph *graph, const struct ir_function *function)
{
    for (unsigned i = 0; i < function->param_count; i++) {
        const struct ir_value *param = function->params[i];
        size_t number = add_node(graph, param);

        if (graph->is_dot) {
            text_printf(graph->out, "  n%zu [label=", number);
            put_json(param->name ? param->name : "", graph->out);
            text_puts(graph->out, ", shape=ellipse];\n");
            continue;
        }
        text_puts(graph->out, graph->is_first ? "{\"n\":" : ",\n{\"n\":");
        graph->is_first = false;
        put_json(param->name ? param->name : "", graph->out);
        text_printf(graph->out, ",\"o\":\"parameter\",\"k\":\"param\",\"l\":%u,\"t\":",
                    location_line(param->loc));
        put_json(ir_type_text(function->module->context, param->type), graph->out);
        text_puts(graph->out, ",\"p\":[],\"i\":[]}");
    }
}

static void begin_function(struct graph *graph, const struct ir_function *function)
{
    graph->is_first = true;
    if (graph->is_dot) {
        text_printf(graph->out, " subgraph cluster_%zu {\n  label=", graph->function_number);
        put_json(function->name, graph->out);
        text_puts(graph->out, ";\n");
    } else {
        graph->count = 0; /* nodes are numbered in their function */
        text_puts(graph->out, graph->function_number ? ",\n{\"name\": " : "{\"name\": ");
        put_json(function->name, graph->out);
        text_puts(graph->out, ", \"nodes\": [");
    }
    graph->function_number++;
}

static void put_functions(struct graph *graph, const struct ir_module *module)
{
    for (size_t i = 0; i < module->global_count; i++) {
        if (module->globals[i]->kind != IR_GLOBAL_FUNCTION)
            continue;
        const struct ir_function *function = module->globals[i]->function;

        begin_function(graph, function);
        put_params(graph, function);
        ir_region_walk(function->body, visit_op, graph);
        text_puts(graph->out, graph->is_dot ? " }\n" : "]}");
    }
    map_finish(&graph->numbers);
}

void page_put_graph(const struct ir_module *module, struct text *out)
{
    struct graph graph = {.out = out};

    text_putc(out, '[');
    put_functions(&graph, module);
    text_putc(out, ']');
}

void page_put_dot(const struct ir_module *module, struct text *out)
{
    struct graph graph = {.out = out, .is_dot = true};

    text_puts(out, "digraph {\n node [fontname=\"monospace\", fontsize=10];\n");
    put_functions(&graph, module);
    text_puts(out, "}\n");
}
