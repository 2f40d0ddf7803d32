/*
 * Constants as the JSON block that TVM writes: a graph of objects in the encoding of tvm-ffi.
 *
 * The root is a map from the kind of constants to an array of them; each refers to its type and to
 * its tensor, which is base64 of TVM's tensor file format.  The JSON stands in a Python string.
 */
#include "ir/module.h"
#include "ir/print/printer.h"

#include <inttypes.h>
#include <string.h>

static const uint64_t tensor_magic = UINT64_C(0xDD5E40F096B4A13F);

struct graph {
    struct text *out;
    int64_t count; /* nodes so far */
    int64_t none, int64_type;
    struct ir_context *context;
    size_t refers_above;
};

/* Starts node @type; its data follow, then end_node(). */
static int64_t start_node(struct graph *g, const char *type)
{
    text_puts(g->out, g->count > 0 ? ",\n" : "\n");
    text_printf(g->out, "    {\n      \\\"type\\\": \\\"%s\\\"", type);
    return g->count++;
}

static void end_node(struct graph *g)
{
    text_puts(g->out, "\n    }");
}

struct field {
    const char *name;
    int64_t node;
    const char *text; /* instead of a node: a string */
};

static int64_t put_object(struct graph *g, const char *type, const struct field *fields,
                          unsigned count)
{
    int64_t node = start_node(g, type);
    text_puts(g->out, ",\n      \\\"data\\\": {");
    for (unsigned i = 0; i < count; i++) {
        text_printf(g->out, "%s        \\\"%s\\\": ", i > 0 ? ",\n" : "\n", fields[i].name);
        if (fields[i].text != NULL)
            text_printf(g->out, "\\\"%s\\\"", fields[i].text);
        else
            text_printf(g->out, "%" PRId64, fields[i].node);
    }
    text_puts(g->out, "\n      }");
    end_node(g);
    return node;
}

static int64_t put_array(struct graph *g, const char *type, const int64_t *nodes, size_t count)
{
    int64_t node = start_node(g, type);
    text_puts(g->out, ",\n      \\\"data\\\": [");
    for (size_t i = 0; i < count; i++)
        text_printf(g->out, "%s        %" PRId64, i > 0 ? ",\n" : "\n", nodes[i]);
    text_puts(g->out, count > 0 ? "\n      ]" : "]");
    end_node(g);
    return node;
}

static int64_t put_int(struct graph *g, int64_t value)
{
    int64_t number = start_node(g, "int");
    text_printf(g->out, ",\n      \\\"data\\\": %" PRId64, value);
    end_node(g);
    const struct field fields[] = {
        {.name = "span", .node = g->none},
        {.name = "ty", .node = g->int64_type},
        {.name = "value", .node = number},
    };
    return put_object(g, "ir.IntImm", fields, ARRAY_SIZE(fields));
}

static int64_t put_dtype(struct graph *g, struct ir_dtype dtype)
{
    char name[32];
    const struct field fields[] = {
        {.name = "span", .node = g->none},
        {.name = "dtype", .text = ir_dtype_name(dtype, name)},
    };
    return put_object(g, "ir.PrimType", fields, ARRAY_SIZE(fields));
}

static int64_t put_tensor_type(struct graph *g, const struct ir_constant *constant)
{
    array(int64_t) dims = {0};
    for (unsigned i = 0; i < constant->ndim; i++)
        array_push(&dims, put_int(g, constant->shape[i]));
    int64_t values = put_array(g, "ffi.Array", dims.items, dims.count);
    array_finish(&dims);
    /* ndim is a plain number in the data, as a node number is. */
    const struct field shape_type[] = {
        {.name = "span", .node = g->none},
        {.name = "values", .node = values},
        {.name = "ndim", .node = constant->ndim},
    };
    int64_t type = put_object(g, "relax.ShapeType", shape_type, ARRAY_SIZE(shape_type));
    const struct field shape_expr[] = {
        {.name = "span", .node = g->none},
        {.name = "ty", .node = type},
        {.name = "values", .node = values},
    };
    int64_t shape = put_object(g, "relax.expr.ShapeExpr", shape_expr, ARRAY_SIZE(shape_expr));
    const struct field tensor_type[] = {
        {.name = "span", .node = g->none},
        {.name = "shape", .node = shape},
        {.name = "dtype", .node = put_dtype(g, constant->dtype)},
        {.name = "vdevice", .node = g->none},
        {.name = "ndim", .node = constant->ndim},
    };
    return put_object(g, "relax.TensorType", tensor_type, ARRAY_SIZE(tensor_type));
}

/* Base64 in pieces of any length. */
struct base64 {
    struct text *out;
    uint32_t bits;
    unsigned held; /* bytes in bits */
};

static const char base64_digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void base64_put(struct base64 *b, const void *data, size_t length)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < length; i++) {
        b->bits = b->bits << 8 | bytes[i];
        if (++b->held < 3)
            continue;
        char digits[4];
        for (unsigned k = 0; k < 4; k++)
            digits[k] = base64_digits[b->bits >> (18 - 6 * k) & 63];
        text_append(b->out, digits, sizeof(digits));
        b->bits = 0;
        b->held = 0;
    }
}

static void base64_end(struct base64 *b)
{
    if (b->held == 0)
        return;
    uint32_t bits = b->bits << (8 * (3 - b->held));
    for (unsigned k = 0; k <= b->held; k++)
        text_putc(b->out, base64_digits[bits >> (18 - 6 * k) & 63]);
    text_puts(b->out, b->held == 1 ? "==" : "=");
}

/* Magic, reserved, device (1 = CPU, 0), ndim, dtype, shape, size, data; all little-endian. */
static void put_tensor_bytes(struct text *out, const struct ir_constant *constant, bool is_named)
{
    struct base64 b = {.out = out};
    uint64_t reserved = 0;
    int32_t device[2] = {1, 0}, ndim = (int32_t)constant->ndim;
    int64_t bytes = (int64_t)constant->bytes;
    unsigned char dtype[4] = {constant->dtype.code, constant->dtype.bits,
                              (unsigned char)(constant->dtype.lanes & 0xff),
                              (unsigned char)(constant->dtype.lanes >> 8)};
    base64_put(&b, &tensor_magic, sizeof(tensor_magic));
    base64_put(&b, &reserved, sizeof(reserved));
    base64_put(&b, device, sizeof(device));
    base64_put(&b, &ndim, sizeof(ndim));
    base64_put(&b, dtype, sizeof(dtype));
    base64_put(&b, constant->shape, constant->ndim * sizeof(constant->shape[0]));
    base64_put(&b, &bytes, sizeof(bytes));
    if (!is_named)
        base64_put(&b, constant->data, constant->bytes);
    base64_end(&b);
}

static int64_t put_constant(struct graph *g, const struct ir_constant *constant)
{
    int64_t type = put_tensor_type(g, constant);
    int64_t tensor = start_node(g, "ffi.Tensor");
    text_puts(g->out, ",\n      \\\"data\\\": \\\"");
    bool is_named = g->refers_above && constant->bytes > g->refers_above;
    if (is_named)
        text_printf(g->out, IR_DATA_PREFIX "%s:", ir_data_name(g->context, constant->store));
    put_tensor_bytes(g->out, constant, is_named);
    text_puts(g->out, "\\\"");
    end_node(g);
    const struct field fields[] = {
        {.name = "span", .node = g->none},
        {.name = "ty", .node = type},
        {.name = "value", .node = tensor},
    };
    return put_object(g, PRINTER_CONSTANTS, fields, ARRAY_SIZE(fields));
}

void printer_put_metadata(struct printer *p, struct text *out)
{
    struct text nodes = {0};
    struct graph g = {
        .out = &nodes, .context = p->context, .refers_above = p->options.refers_above};
    g.none = start_node(&g, "None");
    end_node(&g);
    g.int64_type = put_dtype(&g, IR_I64);
    array(int64_t) constants = {0};
    for (size_t i = 0; i < p->constants.count; i++)
        array_push(&constants, put_constant(&g, p->constants.items[i]));
    int64_t entry[2];
    entry[0] = start_node(&g, "ffi.String");
    text_puts(g.out, ",\n      \\\"data\\\": \\\"" PRINTER_CONSTANTS "\\\"");
    end_node(&g);
    entry[1] = put_array(&g, "ffi.Array", constants.items, constants.count);
    array_finish(&constants);
    int64_t root = put_array(&g, "ffi.Map", entry, 2);
    text_printf(out, "metadata = tvm.ir.load_json(\"\"\"{\n  \\\"root_index\\\": %" PRId64 ",\n",
                root);
    text_puts(out, "  \\\"nodes\\\": [");
    text_append(out, text_string(&nodes), nodes.length);
    text_puts(out, "\n  ],\n  \\\"metadata\\\": {\n    \\\"tvm_version\\\": \\\"0.27.0\\\"\n  }\n}"
                   "\"\"\")\n");
    text_finish(&nodes);
}
