/* One node: its row of operators.def, its inputs and attributes as converters ask for them. */
#include "frontend/onnx/import.h"
#include "frontend/onnx/storage.h"

#include <stdarg.h>
#include <string.h>

const char *onnx_node_name(const Onnx__Node *proto)
{
    if (proto->name && *proto->name)
        return proto->name;
    for (size_t i = 0; i < proto->n_output; i++)
        if (*proto->output[i])
            return proto->output[i];
    return proto->op_type ? proto->op_type : "";
}

struct diag_message *onnx_refuse(struct onnx_node *n, const char *format, ...)
{
    struct text why = {0};
    va_list args;

    va_start(args, format);
    text_vprintf(&why, format, args);
    va_end(args);
    struct diag_message *m = diag_report(n->m->diag, n->m->b.loc, ONNX_NODE,
                                         onnx_node_name(n->proto), n->name, text_string(&why));
    text_finish(&why);
    return m;
}

/* ---- attributes ---- */

/* What stands for @attribute: itself, or the one of the call that it refers to. */
static const Onnx__Attribute *resolve(const struct onnx_node *n, const Onnx__Attribute *attribute)
{
    if (!attribute->ref_attr_name || !*attribute->ref_attr_name)
        return attribute;
    for (size_t i = 0; n->arguments && n->arguments[i]; i++)
        if (n->arguments[i]->name && strcmp(n->arguments[i]->name, attribute->ref_attr_name) == 0)
            return n->arguments[i];
    return NULL;
}

const Onnx__Attribute *onnx_attribute(const struct onnx_node *n, const char *name)
{
    for (size_t i = 0; i < n->proto->n_attribute; i++) {
        const Onnx__Attribute *attribute = n->proto->attribute[i];
        if (attribute->name && strcmp(attribute->name, name) == 0)
            return resolve(n, attribute);
    }
    return NULL;
}

int64_t onnx_int(const struct onnx_node *n, const char *name, int64_t missing)
{
    const Onnx__Attribute *attribute = onnx_attribute(n, name);
    return attribute && attribute->has_i ? attribute->i : missing;
}

double onnx_float(const struct onnx_node *n, const char *name, double missing)
{
    const Onnx__Attribute *attribute = onnx_attribute(n, name);
    return attribute && attribute->has_f ? (double)attribute->f : missing;
}

const char *onnx_string(const struct onnx_node *n, const char *name, const char *missing)
{
    const Onnx__Attribute *attribute = onnx_attribute(n, name);
    return attribute && attribute->has_s
               ? arena_copy_text(n->m->arena, (const char *)attribute->s.data, attribute->s.len)
               : missing;
}

const int64_t *onnx_ints(const struct onnx_node *n, const char *name, size_t *out_count)
{
    const Onnx__Attribute *attribute = onnx_attribute(n, name);

    *out_count = attribute ? attribute->n_ints : 0;
    if (!attribute)
        return NULL;
    return attribute->n_ints ? attribute->ints : arena_array(n->m->arena, int64_t, 1);
}

/* ---- inputs and outputs ---- */

bool onnx_has(const struct onnx_node *n, unsigned input)
{
    return input < n->input_count && n->inputs[input];
}

bool onnx_wants(const struct onnx_node *n, unsigned output)
{
    return output < n->output_count && *n->proto->output[output];
}

struct ir_value *onnx_measured(struct onnx_import *m, struct ir_value *tensor,
                               const struct ir_expr *const *known)
{
    if (!tensor || tensor->type->kind != IR_TYPE_TENSOR || tensor->type->dims ||
        tensor->type->ndim < 0)
        return tensor;
    int rank = tensor->type->ndim;
    const struct ir_expr **dims = arena_array(m->arena, const struct ir_expr *, (size_t)rank + 1);

    for (int i = 0; i < rank; i++)
        dims[i] = known && known[i] ? known[i] : onnx_symbol(m, NULL);
    struct ir_value *operand = make_operand(&m->b, tensor);
    struct ir_op *op =
        ir_build_declared(&m->b, ir_core_op(m->context, IR_CORE_match_cast), &operand, 1, NULL,
                          ir_type_tensor(m->context, tensor->type->dtype, dims, rank));
    return op ? &op->result : NULL;
}

bool onnx_read_sizes(struct onnx_import *m, struct ir_value *tensor, unsigned count,
                     const struct ir_expr **out)
{
    struct ir_value *shape = MAKE(&m->b, OP_tensor_to_shape, onnx_cast(m, tensor, IR_I64));

    if (!shape)
        return false;
    for (unsigned i = 0; i < count; i++)
        out[i] = onnx_symbol(m, NULL);
    struct ir_value *operand = make_operand(&m->b, shape);
    return ir_build_declared(&m->b, ir_core_op(m->context, IR_CORE_match_cast), &operand, 1, NULL,
                             ir_type_shape(m->context, out, (int)count)) != NULL;
}

struct ir_value *onnx_in(struct onnx_node *n, unsigned input)
{
    struct ir_value *tensor;

    if (!onnx_has(n, input)) {
        onnx_refuse(n, "its input %u is missing", input);
        return NULL;
    }
    if (n->inputs[input]->is_sequence) {
        onnx_refuse(n, "its input `%s` is a sequence", n->proto->input[input]);
        return NULL;
    }
    tensor = onnx_value_tensor(n->m, n->inputs[input]);
    if (tensor && tensor->type->kind == IR_TYPE_TENSOR && !tensor->type->dims &&
        tensor->type->ndim >= 0) {
        onnx_value_touch(n->m, n->inputs[input]);
        tensor = n->inputs[input]->tensor = onnx_measured(n->m, tensor, NULL);
    }
    if (tensor && tensor->type->kind == IR_TYPE_TENSOR && tensor->type->dims &&
        !ir_dtype_is_void(tensor->type->dtype))
        return tensor;
    if (tensor)
        onnx_refuse(n, "the shape of its input `%s` is not known", n->proto->input[input]);
    return NULL;
}

bool onnx_out(struct onnx_node *n, unsigned output, struct ir_value *tensor)
{
    if (!tensor)
        return false;
    if (output < n->output_count) {
        n->outputs[output].tensor = tensor;
        n->outputs[output].dtype = tensor->type->dtype;
    }
    return true;
}

/* The elements of @tensor, a vector or scalar of known size, as symbols that are read when it runs. */
static const struct ir_expr *const *read_later(struct onnx_node *n, struct ir_value *tensor,
                                               const char *name, size_t *out_count)
{
    struct onnx_import *m = n->m;
    const struct ir_expr **symbols, *one = onnx_expr(m, 1);
    int64_t count = 1;

    if (onnx_rank(tensor) > 1 || !ir_dtype_is_int(tensor->type->dtype) ||
        (onnx_rank(tensor) == 1 && !ir_expr_constant(m->context, onnx_dims(tensor)[0], &count)) ||
        count > IR_RANK_LIMIT) {
        onnx_refuse(n, "what `%s` holds must be known when the model is imported", name);
        return NULL;
    }
    if (onnx_rank(tensor) == 0)
        tensor = onnx_reshape(m, tensor, &one, 1);
    symbols = arena_array(m->arena, const struct ir_expr *, (size_t)count + 1);
    if (!onnx_read_sizes(m, tensor, (unsigned)count, symbols))
        return NULL;
    *out_count = (size_t)count;
    return symbols;
}

const struct ir_expr *const *onnx_in_ints(struct onnx_node *n, unsigned input, size_t *out_count)
{
    struct ir_value *tensor;

    if (onnx_has(n, input) && onnx_value_is_known(n->m, n->inputs[input])) {
        *out_count = n->inputs[input]->count;
        return n->inputs[input]->elements;
    }
    tensor = onnx_in(n, input);
    if (!tensor)
        return NULL;
    const struct ir_expr *const *found = read_later(n, tensor, n->proto->input[input], out_count);
    if (found) {
        int64_t dims[1] = {(int64_t)*out_count};
        onnx_value_touch(n->m, n->inputs[input]);
        onnx_value_set_elements(n->m, n->inputs[input], tensor->type->dtype,
                                (unsigned)onnx_rank(tensor), dims, found, *out_count);
    }
    return found;
}

const int64_t *onnx_in_numbers(struct onnx_node *n, unsigned input, size_t *out_count)
{
    struct onnx_value *value = onnx_has(n, input) ? n->inputs[input] : NULL;
    int64_t *numbers = NULL;

    if (value && onnx_value_is_known(n->m, value)) {
        numbers = arena_array(n->m->arena, int64_t, value->count + 1);
        for (size_t i = 0; i < value->count && numbers; i++) {
            if (value->elements[i]->kind == IR_EXPR_int)
                numbers[i] = value->elements[i]->int_value;
            else
                numbers = NULL;
        }
        *out_count = value->count;
    }
    if (!numbers)
        onnx_refuse(n, "what `%s` holds must be known when the model is imported",
                    input < n->proto->n_input ? n->proto->input[input] : "a missing input");
    return numbers;
}

bool onnx_in_number(struct onnx_node *n, unsigned input, double *out)
{
    struct onnx_value *value = onnx_has(n, input) ? n->inputs[input] : NULL;

    if (value && onnx_value_is_known(n->m, value) && value->count == 1 &&
        (value->elements[0]->kind == IR_EXPR_int || value->elements[0]->kind == IR_EXPR_float)) {
        *out = value->elements[0]->kind == IR_EXPR_int ? (double)value->elements[0]->int_value
                                                       : value->elements[0]->float_value;
        return true;
    }
    onnx_refuse(n, "what `%s` holds must be known when the model is imported",
                input < n->proto->n_input ? n->proto->input[input] : "a missing input");
    return false;
}

bool onnx_axis(struct onnx_node *n, int64_t axis, int rank, int64_t *out)
{
    *out = axis < 0 ? axis + rank : axis;
    if (*out >= 0 && *out < rank)
        return true;
    onnx_refuse(n, "axis %lld is none of %d axes", (long long)axis, rank);
    return false;
}

/* ---- the way of a node ---- */

static const char *domain_of(const char *domain)
{
    return !domain || strcmp(domain, "ai.onnx") == 0 ? "" : domain;
}

static int64_t opset_of(const struct onnx_import *m, const char *domain)
{
    const Onnx__OperatorSetId *import =
        map_get(&m->imports, atom_intern_text(&m->context->atoms, domain));
    return import ? import->version : *domain ? 1 : 0;
}

const struct onnx_row *onnx_find_row(const char *domain, const char *name, int64_t opset)
{
    for (size_t i = 0; i < onnx_row_count; i++) {
        const struct onnx_row *row = &onnx_rows[i];
        if (opset >= row->since && (!row->until || opset <= row->until) &&
            strcmp(row->name, name) == 0 && strcmp(row->domain, domain) == 0)
            return row;
    }
    return NULL;
}

const struct onnx_value onnx_absent = {.is_absent = true};

static bool find_inputs(struct onnx_node *n)
{
    n->input_count = (unsigned)n->proto->n_input;
    n->inputs = arena_array(n->m->arena, struct onnx_value *, n->input_count + 1);
    for (unsigned i = 0; i < n->input_count; i++) {
        if (!*n->proto->input[i])
            continue;
        n->inputs[i] = onnx_find(n->m, n->proto->input[i]);
        if (!n->inputs[i])
            return false;
        if (n->inputs[i]->is_absent)
            n->inputs[i] = NULL;
    }
    return true;
}

/* @stored: what all outputs are, if not 0. */
static bool put_outputs(struct onnx_node *n, int32_t stored)
{
    for (unsigned i = 0; i < n->output_count; i++) {
        struct onnx_value *value;
        if (!*n->proto->output[i])
            continue;
        if (!n->outputs[i].tensor && !n->outputs[i].elements && !n->outputs[i].is_sequence &&
            !n->outputs[i].is_absent) {
            onnx_refuse(n, "its output %u (`%s`) is not supported", i, n->proto->output[i]);
            return false;
        }
        value = onnx_define(n->m, n->proto->output[i]);
        if (!value)
            return false;
        const char *name = value->name;
        *value = n->outputs[i];
        value->name = name;
        value->stored = stored ? stored : value->stored;
        if (value->tensor && !value->tensor->name && !ir_value_is_inline(value->tensor))
            value->tensor->name = onnx_name(n->m, name);
    }
    return true;
}

bool onnx_node_convert(struct onnx_import *m, const Onnx__Node *proto,
                       const Onnx__Attribute *const *arguments)
{
    struct onnx_node n = {.m = m, .proto = proto, .arguments = arguments};
    const char *domain = domain_of(proto->domain);
    unsigned errors = diag_error_count(m->diag);
    int32_t stored = 0;

    n.opset = opset_of(m, domain);
    n.row = onnx_find_row(domain, proto->op_type ? proto->op_type : "", n.opset);
    m->b.loc = onnx_line(m, proto);
    n.output_count = (unsigned)proto->n_output;
    n.outputs = arena_array(m->arena, struct onnx_value, n.output_count + 1);
    const Onnx__Function *function = onnx_function(m, proto);
    n.name = proto->op_type ? proto->op_type : "";
    if ((!n.row && !function) || !find_inputs(&n))
        return false;
    bool is_good =
        function ? onnx_call(&n, function) : onnx_check_stored(&n, &stored) && n.row->convert(&n);
    is_good = is_good && put_outputs(&n, stored);
    if (m->has_learned)
        return false; /* and begins again */
    if (!is_good && diag_error_count(m->diag) == errors)
        onnx_refuse(&n, "it cannot be said in Relax");
    return is_good;
}
