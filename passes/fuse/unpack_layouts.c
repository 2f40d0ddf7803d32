/*
 * Packed layouts, in front of LegalizeOps: NCHW16c is NCHW whose channels are split into groups of 16, of which the
 * place in a group lies innermost.
 *
 *     y = R.nn.max_pool2d(x, .., layout="NCHW16c")
 *     =>  y = the pool of layout NCHW of x with axes (0, 1, 4, 2, 3) and the shape (N, C * 16, H, W), packed again
 *
 * Loops are made for plain layouts, and for convolutions and pools whose channels of data and result lie in blocks
 * (has_loops()); this is what all others mean, and no layout to be fast with.
 */
#include "passes/fuse/unpack_layouts.h"

#include "base/assert.h"
#include "ir/arith.h"
#include "ir/edit/make.h"
#include "ops/ids.h"
#include "ops/window.h"

#include <ctype.h>
#include <string.h>

/* Which attributes give the layouts of the first two operands and of the result; NULL: it has no layout. */
struct layouts {
    const char *operands[2], *result, *otherwise; /* @otherwise: where the result's is left out */
};

static struct layouts layouts_of(const struct ir_op_info *info)
{
    bool is_backward = info->library_id == OP_grad_max_pool2d_backward ||
                       info->library_id == OP_grad_avg_pool2d_backward;

    if (ir_attr_param(info, "data_layout"))
        return (struct layouts){{"data_layout", "kernel_layout"}, "out_layout", "data_layout"};
    if (!ir_attr_param(info, "layout"))
        return (struct layouts){0};
    if (is_backward)
        return (struct layouts){{"out_layout", "layout"}, "layout", "layout"};
    return (struct layouts){
        {"layout", NULL}, ir_attr_param(info, "out_layout") ? "out_layout" : "layout", "layout"};
}

static const char *layout_named(const struct ir_op *op, const char *attr, const char *otherwise)
{
    return attr ? window_layout(op, attr, ir_op_attr(op, otherwise)->string) : NULL;
}

/* Its capital letters. */
static const char *plain(struct ir_module *module, const char *layout)
{
    char *out = arena_array(&module->arena, char, strlen(layout) + 1), *to = out;

    for (; *layout; layout++)
        if (isupper((unsigned char)*layout))
            *to++ = *layout;
    *to = '\0';
    return out;
}

/* The letters of @layout, each group behind its capital letter: NCHW16c gives NCcHW. */
static unsigned grouped(const char *layout, char *out)
{
    unsigned count = 0;

    for (const char *at = layout; *at; at++) {
        if (!isupper((unsigned char)*at))
            continue;
        out[count++] = *at;
        if (window_factor(layout, *at) > 1)
            out[count++] = (char)tolower((unsigned char)*at);
    }
    return count;
}

static struct ir_value *permute(struct ir_builder *b, struct ir_value *value, const int64_t *axes,
                                unsigned count)
{
    struct ir_context *context = b->module->context;
    const struct ir_attr *items[IR_RANK_LIMIT];

    for (unsigned i = 0; i < count; i++)
        items[i] = ir_attr_int(context, axes[i]);
    struct make_attr attr = {"axes", ir_attr_list(context, items, count)};
    return MAKE_WITH(b, OP_permute_dims, attr, value);
}

static struct ir_value *unpack(struct ir_builder *b, struct ir_value *value, const char *layout)
{
    struct ir_context *context = b->module->context;
    const struct ir_expr *dims[IR_RANK_LIMIT];
    char letters[IR_RANK_LIMIT];
    int64_t axes[IR_RANK_LIMIT];
    unsigned rank = 0;

    if (window_is_plain(layout))
        return value;
    unsigned count = grouped(layout, letters);
    for (unsigned i = 0; i < count; i++) {
        axes[i] = window_axis(layout, letters[i]);
        if (isupper((unsigned char)letters[i]))
            dims[rank++] = window_extent(context, layout, value->type->dims, letters[i]);
    }
    return MAKE(b, OP_reshape, permute(b, value, axes, count),
                ir_inline_shape(b->module, dims, rank));
}

static struct ir_value *pack(struct ir_builder *b, struct ir_value *value, const char *layout,
                             const struct ir_type *type)
{
    const struct ir_expr *dims[IR_RANK_LIMIT];
    char letters[IR_RANK_LIMIT];
    int64_t axes[IR_RANK_LIMIT];

    if (window_is_plain(layout) || !value)
        return value;
    unsigned count = grouped(layout, letters);
    for (unsigned i = 0; i < count; i++) {
        unsigned axis = window_axis(layout, letters[i]);
        dims[i] = type->dims[axis];
        axes[axis] = i;
    }
    return permute(b, MAKE(b, OP_reshape, value, ir_inline_shape(b->module, dims, count)), axes,
                   count);
}

/* @op on plain layouts; NULL after a report. */
static struct ir_value *remake(struct ir_builder *b, const struct ir_op *op,
                               const struct layouts *layouts)
{
    struct make_attr attrs[16];
    struct ir_value *operands[8];
    unsigned count = 0;

    assert(op->operand_count <= ARRAY_SIZE(operands));
    for (unsigned i = 0; i < op->operand_count; i++)
        operands[i] = op->operands[i].value;
    for (unsigned i = 0; i < 2; i++) {
        const char *layout = layout_named(op, layouts->operands[i], layouts->otherwise);
        if (layout)
            operands[i] = unpack(b, operands[i], layout);
    }
    for (unsigned i = 0; i < op->info->param_count; i++) {
        const struct ir_op_param *param = &op->info->params[i];
        if (param->kind < IR_PARAM_INT)
            continue;
        assert(count < ARRAY_SIZE(attrs));
        const struct ir_attr *value = op->attrs[param->attr_index];
        if (strstr(param->name, "layout") && value->kind == IR_ATTR_STRING)
            value = ir_attr_string(b->module->context, plain(b->module, value->string));
        attrs[count++] = (struct make_attr){param->name, value};
    }
    return make_op(b, op->info->library_id, operands, op->operand_count, attrs, count);
}

static bool has_dims(const struct ir_type *type)
{
    return type->kind == IR_TYPE_TENSOR && type->dims;
}

/* Operators for whose blocks of channels there are loops. */
static const unsigned short with_blocks[] = {
    OP_nn_conv1d,     OP_nn_conv2d,     OP_nn_conv3d,     OP_nn_max_pool1d, OP_nn_max_pool2d,
    OP_nn_max_pool3d, OP_nn_avg_pool1d, OP_nn_avg_pool2d, OP_nn_avg_pool3d,
};

static bool has_loops(const struct ir_op *op, const struct layouts *layouts)
{
    const char *data = layout_named(op, layouts->operands[0], layouts->otherwise);
    const char *weight = layout_named(op, layouts->operands[1], layouts->otherwise);
    const char *result = layout_named(op, layouts->result, layouts->otherwise);

    for (unsigned i = 0; i < ARRAY_SIZE(with_blocks); i++)
        if (with_blocks[i] == op->info->library_id)
            return window_has_blocks_of_channels_only(data) &&
                   window_has_blocks_of_channels_only(result) &&
                   (weight ? window_is_plain(weight) : strcmp(data, result) == 0);
    return false;
}

/* Has it a packed layout, and all that is packed a shape? */
static bool is_packed(const struct ir_op *op, const struct layouts *layouts)
{
    const char *result = layout_named(op, layouts->result, layouts->otherwise);
    bool is_any = false;

    if (!result)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        const char *layout = layout_named(op, layouts->operands[i], layouts->otherwise);
        if (!layout || window_is_plain(layout))
            continue;
        is_any = true;
        if (!has_dims(op->operands[i].value->type))
            return false;
    }
    return (is_any || !window_is_plain(result)) && has_dims(op->result.type);
}

static bool unpack_op(struct pass_run *run, struct ir_op *op, bool *out_changed)
{
    struct ir_builder b = {run->module, run->diag, op->block, op, op->loc};
    struct layouts layouts = layouts_of(op->info);

    if (!is_packed(op, &layouts) || has_loops(op, &layouts))
        return true;
    struct ir_value *value =
        pack(&b, remake(&b, op, &layouts), layout_named(op, layouts.result, layouts.otherwise),
             op->result.type);
    if (!value)
        return false;
    if (!value->name)
        value->name = op->result.name;
    ir_value_replace(&op->result, value);
    ir_op_erase(op);
    *out_changed = true;
    return true;
}

bool unpack_layouts(struct pass_run *run, struct ir_region *region, bool *out_changed)
{
    bool is_fine = true;

    ir_for_each_block(block, region)
    {
        ir_for_each_op_safe (op, block)
            if (op->info->lower)
                is_fine &= unpack_op(run, op, out_changed);
    }
    return is_fine;
}
