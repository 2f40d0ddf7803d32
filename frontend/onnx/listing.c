/*
 * A model as text, for messages: one line a node, in the order of the file, those of sub-graphs and functions
 * behind the node or under the name of the function.  Nothing reads it again.
 */
#include "frontend/onnx/import.h"

#include <stdint.h>

struct listing {
    struct onnx_import *m;
    struct text text;
    uintptr_t line;
};

/* @name as it is, without what would break the line. */
static void put_name(struct text *out, const char *name)
{
    for (const char *at = name; *at; at++)
        text_putc(out, (unsigned char)*at < ' ' ? ' ' : *at);
}

static void put_names(struct text *out, char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        text_puts(out, i ? ", " : "");
        put_name(out, names[i]);
    }
}

static void end_line(struct listing *l, const void *message)
{
    text_putc(&l->text, '\n');
    map_set(&l->m->lines, message, (const void *)++l->line); // NOLINT(performance-no-int-to-ptr)
}

static void put_nodes(struct listing *l, Onnx__Node *const *nodes, size_t count, int depth);

static void put_node(struct listing *l, const Onnx__Node *node, int depth)
{
    text_printf(&l->text, "%*snode `", 2 * depth, "");
    put_name(&l->text, onnx_node_name(node));
    text_puts(&l->text, "`: ");
    put_names(&l->text, node->output, node->n_output);
    text_puts(&l->text, " = ");
    put_name(&l->text, node->op_type ? node->op_type : "");
    text_putc(&l->text, '(');
    put_names(&l->text, node->input, node->n_input);
    text_putc(&l->text, ')');
    end_line(l, node);
    for (size_t i = 0; i < node->n_attribute; i++)
        if (node->attribute[i]->g)
            put_nodes(l, node->attribute[i]->g->node, node->attribute[i]->g->n_node, depth + 1);
}

static void put_nodes(struct listing *l, Onnx__Node *const *nodes, size_t count, int depth)
{
    for (size_t i = 0; i < count; i++)
        put_node(l, nodes[i], depth); /* sub-graphs nest as deep as wire.c lets them */
}

const struct source *onnx_listing(struct onnx_import *m)
{
    struct listing l = {.m = m};

    text_printf(&l.text, "model of version %lld, by %s", (long long)m->model->ir_version,
                m->model->producer_name && *m->model->producer_name ? m->model->producer_name
                                                                    : "nobody");
    end_line(&l, m->model);
    put_nodes(&l, m->model->graph->node, m->model->graph->n_node, 0);
    for (size_t i = 0; i < m->model->n_functions; i++) {
        text_puts(&l.text, "function ");
        put_name(&l.text, m->model->functions[i]->name ? m->model->functions[i]->name : "");
        end_line(&l, m->model->functions[i]);
        put_nodes(&l, m->model->functions[i]->node, m->model->functions[i]->n_node, 1);
    }
    const struct source *source =
        source_new(m->context->sources, m->file->name, text_string(&l.text), l.text.length);
    text_finish(&l.text);
    return source;
}

struct location onnx_line(const struct onnx_import *m, const void *message)
{
    uintptr_t line = (uintptr_t)map_get(&m->lines, message);
    const struct source *source = m->listing;

    if (!source || line == 0 || line > source->line_count)
        return (struct location){0};
    uint32_t begin = source->line_starts[line - 1], end = begin;
    while (source->text[begin] == ' ')
        begin++;
    while (end < source->length && source->text[end] != '\n')
        end++;
    return (struct location){source, begin, end};
}
