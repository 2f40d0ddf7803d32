/*
 * An ONNX model as a module: main() with the graph's inputs as parameters and its outputs as results.  What the
 * model lacks as a whole (opsets, operators, its form) is looked at before anything is made.
 */
#include "frontend/onnx/import.h"
#include "frontend/onnx/storage.h"
#include "frontend/onnx/wire.h"

#include <string.h>

struct onnx_missing {
    const Onnx__Node *first;
    int64_t opset;
    unsigned count;
};

/* ---- the form ---- */

static void *allocate(void *state, size_t size)
{
    return arena_alloc(state, size ? size : 1, 1, _Alignof(max_align_t));
}

static void give_back(void *state, void *pointer)
{
    (void)state, (void)pointer; /* goes with the arena */
}

static bool refuse_file(struct onnx_import *m, const char *why)
{
    diag_report(m->diag, (struct location){0}, ONNX_FILE, m->file->name, why);
    return false;
}

static bool decode(struct onnx_import *m)
{
    ProtobufCAllocator allocator = {allocate, give_back, m->arena};
    struct text shrunk = {0};
    const char *why;
    size_t offset;

    if (m->file->size == 0)
        return refuse_file(m, "it is empty");
    bool is_good = wire_shrink_model(m->file->bytes, m->file->size, &shrunk, &why, &offset);
    if (is_good)
        m->model =
            onnx__model__unpack(&allocator, shrunk.length, (const uint8_t *)text_string(&shrunk));
    text_finish(&shrunk);
    if (!is_good)
        return refuse_file(m, arena_printf(m->arena, "byte %zu: %s", offset, why));
    if (!m->model)
        return refuse_file(m, "a field is of another type than it should be");
    if (!m->model->graph)
        return refuse_file(m, "it has no graph");
    return true;
}

static bool read_opsets(struct onnx_import *m)
{
    for (size_t i = 0; i < m->model->n_opset_import; i++) {
        const Onnx__OperatorSetId *import = m->model->opset_import[i];
        const char *domain =
            import->domain && strcmp(import->domain, "ai.onnx") != 0 ? import->domain : "";
        map_set(&m->imports, atom_intern_text(&m->context->atoms, domain), import);
        if (!*domain && (import->version < ONNX_OPSET_FIRST || import->version > ONNX_OPSET_LAST)) {
            diag_report(m->diag, m->b.loc, ONNX_OPSET, (long long)import->version, ONNX_OPSET_FIRST,
                        ONNX_OPSET_LAST);
            return false;
        }
    }
    return m->model->n_opset_import > 0 ||
           refuse_file(m, "it does not say which operators it means (opset_import)");
}

/* ---- operators that are missing ---- */

struct survey {
    struct onnx_import *m;
    array(struct onnx_missing *) missing;
};

static bool is_function(const struct onnx_import *m, const char *domain, const char *name)
{
    for (size_t i = 0; i < m->model->n_functions; i++) {
        const Onnx__Function *f = m->model->functions[i];
        if (f->name && strcmp(f->name, name) == 0 &&
            strcmp(f->domain ? f->domain : "", domain) == 0)
            return true;
    }
    return false;
}

static void survey_node(struct survey *s, const Onnx__Node *node)
{
    struct onnx_import *m = s->m;
    const char *domain = node->domain && strcmp(node->domain, "ai.onnx") != 0 ? node->domain : "";
    const Onnx__OperatorSetId *import =
        map_get(&m->imports, atom_intern_text(&m->context->atoms, domain));
    int64_t opset = import ? import->version : 1;
    const char *name = node->op_type ? node->op_type : "";

    if (onnx_find_row(domain, name, opset) || is_function(m, domain, name))
        return;
    const char *key = atom_printf(&m->context->atoms, "%s%s%s", domain, *domain ? "." : "", name);
    struct onnx_missing *missing = map_get(&m->missing, key);
    if (!missing) {
        missing = arena_new(m->arena, struct onnx_missing);
        *missing = (struct onnx_missing){.first = node, .opset = opset};
        map_set(&m->missing, key, missing);
        array_push(&s->missing, missing);
    }
    missing->count++;
}

static void survey_nodes(struct survey *s, Onnx__Node *const *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        survey_node(s, nodes[i]);
        for (size_t k = 0; k < nodes[i]->n_attribute; k++) {
            const Onnx__Graph *graph = nodes[i]->attribute[k]->g;
            if (graph) /* as deep as wire.c lets them */
                survey_nodes(s, graph->node, graph->n_node);
        }
    }
}

static bool has_all_operators(struct onnx_import *m)
{
    struct survey s = {.m = m};

    survey_nodes(&s, m->model->graph->node, m->model->graph->n_node);
    for (size_t i = 0; i < m->model->n_functions; i++)
        survey_nodes(&s, m->model->functions[i]->node, m->model->functions[i]->n_node);
    for (size_t i = 0; i < s.missing.count; i++) {
        const struct onnx_missing *missing = s.missing.items[i];
        const char *domain = missing->first->domain ? missing->first->domain : "";
        diag_report(m->diag, onnx_line(m, missing->first), ONNX_OPERATOR, domain,
                    *domain ? "." : "", missing->first->op_type ? missing->first->op_type : "",
                    (long long)missing->opset, missing->count, missing->count == 1 ? "" : "s",
                    onnx_node_name(missing->first));
    }
    bool is_good = s.missing.count == 0;
    array_finish(&s.missing);
    return is_good;
}

/* ---- main() ---- */

static bool is_initialized(const struct onnx_import *m, const char *name)
{
    return map_has(&m->scope->values, atom_intern_text(&m->context->atoms, name));
}

/* Symbols for the plain names of dims, so that a dim may be arithmetic on one of a later input. */
static void name_sizes(struct onnx_import *m, const Onnx__Graph *graph)
{
    for (size_t i = 0; i < graph->n_input; i++) {
        const Onnx__Type *type = graph->input[i]->type;
        const Onnx__Shape *shape = type && type->tensor_type ? type->tensor_type->shape : NULL;
        for (size_t k = 0; shape && k < shape->n_dim; k++) {
            const char *name = shape->dim[k]->dim_param;
            if (!shape->dim[k]->has_dim_value && name && *name && !strpbrk(name, " +-*/%()"))
                onnx_named_size(m, name, name);
        }
    }
}

static bool add_params(struct onnx_import *m, const Onnx__Graph *graph)
{
    name_sizes(m, graph);
    for (size_t i = 0; i < graph->n_input; i++) {
        const Onnx__ValueInfo *info = graph->input[i];
        const char *name = info->name ? info->name : "";
        if (is_initialized(m, name))
            continue; /* a default that nobody changes */
        const struct ir_type *type = onnx_type(m, info, false);
        struct onnx_value *value = type ? onnx_define(m, name) : NULL;
        if (!value)
            return false;
        value->tensor = ir_function_add_param(m->function, onnx_name(m, name), type);
        value->tensor->loc = m->b.loc;
        value->tensor->is_annotated = true;
        value->dtype = type->dtype;
        value->stored = onnx_stored(onnx_tensor_type(info)->elem_type);
    }
    for (size_t i = 0; i < m->size_list.count; i++)
        m->size_list.items[i]->is_input = true;
    return true;
}

/* A value of the last dataflow block that can be a result. */
static struct ir_value *make_result(struct onnx_import *m, const Onnx__ValueInfo *info)
{
    struct onnx_value *value = onnx_find(m, info->name ? info->name : "");
    struct ir_value *tensor = value ? onnx_value_tensor(m, value) : NULL;

    if (value && value->is_sequence) {
        refuse_file(m, "a result is a sequence");
        return NULL;
    }
    if (!tensor)
        return NULL;
    if (tensor->def && !ir_value_is_inline(tensor)) {
        if (tensor->def->block != m->b.block || !ir_value_is_dataflow(tensor))
            return tensor;
        ir_op_add_operand(m->module, m->b.before, tensor);
        return tensor;
    }
    struct ir_value *operand = make_operand(&m->b, tensor);
    struct ir_op *bind = ir_build(&m->b, ir_core_op(m->context, IR_CORE_bind), &operand, 1, NULL);
    if (bind)
        ir_op_add_operand(m->module, m->b.before, &bind->result);
    return bind ? &bind->result : NULL;
}

static const struct ir_attr *names_of(struct onnx_import *m, Onnx__ValueInfo *const *infos,
                                      size_t count, const struct onnx_scope *skipped)
{
    const struct ir_attr **names =
        arena_array(&m->context->arena, const struct ir_attr *, count + 1);
    unsigned used = 0;

    for (size_t i = 0; i < count; i++) {
        const char *name = infos[i]->name ? infos[i]->name : "";
        const struct onnx_value *value =
            skipped ? map_get(&skipped->values, atom_intern_text(&m->context->atoms, name)) : NULL;
        if (!skipped || (value && value->tensor && value->tensor->parameter_of))
            names[used++] = ir_attr_string(m->context, name);
    }
    return ir_attr_list(m->context, names, used);
}

static bool add_results(struct onnx_import *m, const Onnx__Graph *graph)
{
    struct ir_value **results = arena_array(m->arena, struct ir_value *, graph->n_output + 1);

    m->b.loc = onnx_line(m, m->model);
    if (graph->n_output == 0)
        return refuse_file(m, "its graph has no outputs");
    for (size_t i = 0; i < graph->n_output; i++) {
        results[i] = make_result(m, graph->output[i]);
        if (!results[i])
            return false;
    }
    const struct ir_attr *keys[] = {
        names_of(m, graph->input, graph->n_input, m->scope),
        names_of(m, graph->output, graph->n_output, NULL),
    };
    m->function->attrs = ir_attr_dict_with(m->context, m->function->attrs, "onnx.inputs", keys[0]);
    m->function->attrs = ir_attr_dict_with(m->context, m->function->attrs, "onnx.outputs", keys[1]);
    onnx_open_block(m, false);
    struct ir_value *result = graph->n_output == 1
                                  ? make_operand(&m->b, results[0])
                                  : make_tuple(&m->b, results, (unsigned)graph->n_output);
    m->function->result = ir_function_declared(m->function, result->type);
    return ir_build(&m->b, ir_core_op(m->context, IR_CORE_return), &result, 1, NULL) != NULL;
}

static bool import_main(struct onnx_import *m)
{
    struct onnx_scope scope;
    const Onnx__Graph *graph = m->model->graph;
    struct ir_global *global = ir_module_add(m->module, "main", IR_GLOBAL_FUNCTION);

    m->function = ir_function_new(m->module, global->name);
    global->function = m->function;
    global->loc = m->function->loc = m->b.loc = onnx_line(m, m->model);
    m->function->is_pure = true;
    m->region = m->function->body = ir_region_new(m->module, m->function, NULL);
    onnx_push(m, &scope, NULL);
    onnx_open_block(m, true);
    bool is_good = onnx_import_initializers(m, graph) && add_params(m, graph) &&
                   onnx_import_nodes(m, graph->node, graph->n_node, NULL) && add_results(m, graph);
    global->type = is_good ? ir_function_type(m->function) : NULL;
    onnx_pop(m, &scope);
    return is_good;
}

static void note_values(struct onnx_import *m, Onnx__ValueInfo *const *infos, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (infos[i]->name)
            map_set(&m->notes, atom_intern_text(&m->context->atoms, infos[i]->name), infos[i]);
}

/* From the start: what was learned of sizes stays, and the bytes of tensors. */
static void begin(struct onnx_import *m)
{
    struct map *const maps[] = {&m->names, &m->kernels};

    for (size_t i = 0; i < ARRAY_SIZE(maps); i++)
        map_finish(maps[i]);
    ir_module_destroy(m->module);
    m->module = ir_module_create(m->context);
    m->b = (struct ir_builder){.module = m->module, .diag = m->diag, .loc = m->b.loc};
    m->undo = NULL;
    m->scope = NULL;
    m->node_count = m->branch_depth = m->call_depth = 0;
    m->has_learned = false;
    for (size_t i = 0; i < m->size_list.count; i++) {
        const char *name = m->size_list.items[i]->var->name;
        map_set(&m->names, name, name);
    }
}

/* Each turn learns that a symbol of the inputs is none. */
static bool import_learning(struct onnx_import *m, struct diag *diag)
{
    unsigned errors = diag_error_count(diag);
    bool is_good;

    m->diag = diag;
    do {
        begin(m);
        m->open = NULL;
        is_good = import_main(m) && diag_error_count(diag) == errors;
    } while (m->has_learned);
    return is_good;
}

enum { CHOICE_LIMIT = 64 }; /* of attempts */

/* The next way to choose; false: there is none. */
static bool choose(struct onnx_import *m, struct onnx_choice *choices, unsigned *count)
{
    if (m->open && *count < CHOICE_LIMIT) {
        choices[*count] = (struct onnx_choice){.node = m->open, .is_then = true};
        map_set(&m->choices, m->open, &choices[(*count)++]);
        return true;
    }
    while (*count > 0 && choices[*count - 1].is_second)
        map_set(&m->choices, choices[--*count].node, NULL);
    if (*count == 0)
        return false;
    choices[*count - 1].is_then = false;
    choices[*count - 1].is_second = true;
    return true;
}

/*
 * The branches of an If may differ in rank (an exporter's squeeze() of an extent that may be 1).  Where the rest of
 * the model cannot be read then, one of them is taken to be the one with which it can, `then` first.
 */
static bool import_all(struct onnx_import *m)
{
    const Onnx__Graph *graph = m->model->graph;
    struct onnx_choice choices[CHOICE_LIMIT];
    struct diag *given = m->diag;
    unsigned count = 0;
    bool is_good = false, has_more = true;

    note_values(m, graph->value_info, graph->n_value_info);
    note_values(m, graph->output, graph->n_output);
    for (unsigned i = 0; i < CHOICE_LIMIT && !is_good && has_more; i++) {
        struct diag *attempt = diag_create();
        is_good = import_learning(m, attempt);
        diag_destroy(attempt);
        has_more = !is_good && choose(m, choices, &count);
    }
    m->diag = given;
    if (is_good)
        return true;
    map_finish(&m->choices);
    return import_learning(m, given); /* to say why */
}

struct ir_module *frontend_import(struct ir_context *context, struct diag *diag,
                                  const struct frontend_model *file)
{
    struct arena arena = {0};
    struct onnx_import m = {.context = context, .diag = diag, .arena = &arena, .file = file};
    unsigned errors = diag_error_count(diag);

    m.module = ir_module_create(context);
    m.b = (struct ir_builder){.module = m.module, .diag = diag};
    bool is_good = decode(&m);
    if (is_good) {
        m.listing = onnx_listing(&m);
        m.b.loc = onnx_line(&m, m.model);
        is_good = read_opsets(&m) && has_all_operators(&m) && import_all(&m);
    }
    struct map *const maps[] = {&m.lines,   &m.names,   &m.name_counts, &m.sizes, &m.kernels,
                                &m.imports, &m.missing, &m.notes,       &m.data,  &m.choices};
    for (size_t i = 0; i < ARRAY_SIZE(maps); i++)
        map_finish(maps[i]);
    array_finish(&m.size_list);
    arena_finish(&arena);
    if (is_good && diag_error_count(diag) == errors)
        return m.module;
    ir_module_destroy(m.module);
    return NULL;
}
