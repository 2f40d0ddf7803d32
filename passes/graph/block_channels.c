/*
 * BlockChannels: networks of convolutions whose channels lie in blocks of a vector.
 *
 *     a = R.nn.conv2d(x, w); b = R.nn.relu(a); c = R.nn.conv2d(b, v); return c            of 32 channels
 *  =>
 *     a1 = R.nn.conv2d(x, w, out_layout="NCHW16c"); b1 = R.nn.relu(a1)
 *     c1 = R.nn.conv2d(b1, v, data_layout="NCHW16c", out_layout="NCHW16c")
 *     c = R.reshape(R.permute_dims(c1, (0, 1, 4, 2, 3)), (n, 32, h, w)); return c
 *
 * Loops over blocks fill vectors whatever the rows are, and copy no windows (passes/schedule/blocks.c).  A value gets a
 * second form, its blocks, where it is made by a convolution or of such values, and what takes blocks reads that;
 * who does not reads the first form, and where nobody does, it goes.  Convolutions read plain data as well, and what
 * has one element for each channel is blocks and plain data alike.  Each element is computed as before.
 *
 * Blocks are as long as a vector, or half of one, whichever divides the channels.  A convolution alone stays as it
 * is: turning its result costs what is gained.
 */
#include "analysis/storage/storage.h"
#include "base/array.h"
#include "ir/edit/make.h"
#include "ir/edit/rewrite.h"
#include "ops/ids.h"
#include "ops/window.h"
#include "passes/graph/static.h"
#include "passes/pass.h"

#include <string.h>

enum { RANK = 4, ROWS_LEAST = 4, BLOCK_LEAST = 4, CONVOLUTIONS_LEAST = 2 };

/* An op that can be computed on blocks. */
struct member {
    struct ir_op *op;
    unsigned
        first; /* the first member of those that hand blocks to each other; itself: it is that */
    unsigned convolutions; /* of the first: in all of them */
    bool is_left;          /* ... and yet it is computed on plain data */
};

struct blocking {
    struct pass_run *run;
    struct ir_context *context;
    int64_t lanes;
    struct storage storage;
    array(struct member) members;
    struct map numbers;          /* op -> its number as a member + 1 */
    struct map blocks;           /* value -> the same in blocks */
    array(struct ir_op *) plain; /* that make first forms of blocks */
    bool is_changed, is_fine;
};

/* ---- values ---- */

static bool is_image(const struct blocking *b, const struct ir_value *value, int64_t *dims)
{
    const struct ir_type *type = value->type;

    if (type->kind != IR_TYPE_TENSOR || type->ndim != RANK || !type->dims ||
        !ir_dtype_equal(type->dtype, IR_F32))
        return false;
    for (unsigned i = 1; i < RANK; i++)
        if (!ir_expr_constant(b->context, type->dims[i], &dims[i]) || dims[i] < 1)
            return false;
    return true;
}

/* How long blocks of @channels are; 0: they have none. */
static int64_t block_of(const struct blocking *b, int64_t channels)
{
    int64_t block = b->lanes;

    if (channels % block != 0)
        block /= 2;
    return block >= BLOCK_LEAST && channels % block == 0 ? block : 0;
}

static bool has_blocks(const struct blocking *b, const struct ir_value *value)
{
    int64_t dims[RANK];

    return is_image(b, value, dims) && block_of(b, dims[1]) && !ir_value_is_inline(value);
}

static unsigned member_of(const struct blocking *b, const struct ir_value *value,
                          const struct ir_op *user)
{
    const struct ir_op *def = value->def;

    if (!def || def->block != user->block)
        return 0;
    return (unsigned)(uintptr_t)map_get(&b->numbers, def);
}

/* Does the element of @value at a place not depend on the place in the image, or is it no image? */
static bool is_everywhere(const struct blocking *b, const struct ir_value *value)
{
    const struct ir_type *type = value->type;
    int64_t extent;

    if (type->kind == IR_TYPE_PRIM)
        return true;
    if (type->kind != IR_TYPE_TENSOR || !type->dims || type->ndim > RANK)
        return false;
    for (int i = type->ndim < RANK ? 0 : 1; i < type->ndim;
         i++) { /* the first of four are the images */
        bool is_channel = i + 3 == type->ndim;
        if (!ir_expr_constant(b->context, type->dims[i], &extent) || (extent != 1 && !is_channel))
            return false;
    }
    return true;
}

/* ---- members ---- */

static bool is_one_of(const struct ir_op *op, const unsigned short *ids, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (ids[i] == op->info->library_id)
            return true;
    return false;
}

static bool is_plain_layout(const struct ir_op *op, const char *attr, const char *wanted)
{
    const struct ir_attr *layout = ir_op_attr(op, attr);

    return layout->kind != IR_ATTR_STRING || strcmp(layout->string, wanted) == 0;
}

/* A convolution of known extents with constant weights: of all channels at once, or (@out_is_deep) each by itself. */
static bool is_convolution(const struct blocking *b, const struct ir_op *op, bool *out_is_deep)
{
    int64_t data[RANK], weight[RANK], result[RANK], kernels;
    int64_t groups;

    if (!op_is(op, OP_nn_conv2d) || !is_plain_layout(op, "data_layout", "NCHW") ||
        !is_plain_layout(op, "kernel_layout", "OIHW") ||
        !is_plain_layout(op, "out_layout", "NCHW") || !is_image(b, op->operands[0].value, data) ||
        !is_image(b, op->operands[1].value, weight) || !is_image(b, &op->result, result) ||
        !static_is_leaf(op->operands[1].value) ||
        !ir_expr_constant(b->context, op->operands[1].value->type->dims[0], &kernels))
        return false;
    groups = ir_op_attr(op, "groups")->integer;
    *out_is_deep = groups == 1;
    if (groups == 1)
        return result[3] >= ROWS_LEAST;
    return groups == kernels && groups == data[1] && weight[1] == 1;
}

static bool is_pool(const struct ir_op *op)
{
    static const unsigned short pools[] = {OP_nn_max_pool2d, OP_nn_avg_pool2d};

    return is_one_of(op, pools, ARRAY_SIZE(pools)) && is_plain_layout(op, "layout", "NCHW") &&
           is_plain_layout(op, "out_layout", "NCHW");
}

/* The mean or the like over the image, whose axes stay. */
static bool is_over_image(const struct ir_op *op)
{
    static const unsigned short reductions[] = {OP_mean, OP_sum, OP_max};
    const struct ir_attr *axes;

    if (!is_one_of(op, reductions, ARRAY_SIZE(reductions)))
        return false;
    axes = ir_op_attr(op, "axis");
    if (axes->kind != IR_ATTR_LIST || axes->count != 2 || !ir_op_attr(op, "keepdims")->boolean)
        return false;
    int64_t first = axes->items[0]->integer, second = axes->items[1]->integer;
    first += first < 0 ? RANK : 0;
    second += second < 0 ? RANK : 0;
    return (first == 2 && second == 3) || (first == 3 && second == 2);
}

/* Element by element, of blocks and what has one element for all of the image. */
static bool is_elementwise(const struct blocking *b, const struct ir_op *op)
{
    int64_t own[RANK], other[RANK];
    bool is_any = false;

    if (!(op->info->traits & IR_ELEMENTWISE) || !is_image(b, &op->result, own))
        return false;
    for (unsigned i = 0; i < op->operand_count; i++) {
        const struct ir_value *value = op->operands[i].value;
        bool is_member = member_of(b, value, op) && is_image(b, value, other) && other[1] == own[1];

        if (!is_member && !is_everywhere(b, value))
            return false;
        is_any |= is_member;
    }
    return is_any;
}

/* Images one behind the other along the channels, all of blocks of one length. */
static bool is_join(const struct blocking *b, const struct ir_op *op)
{
    int64_t all[RANK], part[RANK];

    if (!op_is(op, OP_concat) || !is_image(b, &op->result, all) ||
        ir_op_attr(op, "axis")->kind != IR_ATTR_INT || ir_op_attr(op, "axis")->integer != 1)
        return false;
    const struct ir_op *tuple = op->operands[0].value->def;
    if (!tuple || !ir_op_is(tuple, IR_CORE_tuple) || !ir_op_is_inline(tuple))
        return false;
    for (unsigned i = 0; i < tuple->operand_count; i++)
        if (!member_of(b, tuple->operands[i].value, op) ||
            !is_image(b, tuple->operands[i].value, part) ||
            block_of(b, part[1]) != block_of(b, all[1]))
            return false;
    return tuple->operand_count > 0;
}

static bool can_be_member(struct blocking *b, const struct ir_op *op, bool *out_is_convolution)
{
    bool is_deep = false;

    *out_is_convolution = false;
    if (!has_blocks(b, &op->result) || op->info->library_id == 0 || op->operand_count == 0 ||
        storage_is_written(&b->storage, &op->result))
        return false;
    if (is_convolution(b, op, &is_deep)) {
        *out_is_convolution = true;
        return is_deep || member_of(b, op->operands[0].value, op);
    }
    if (is_pool(op) || is_over_image(op))
        return member_of(b, op->operands[0].value, op);
    return is_elementwise(b, op) || is_join(b, op);
}

static unsigned first_of(struct blocking *b, unsigned member)
{
    while (b->members.items[member].first != member)
        member = b->members.items[member].first;
    return member;
}

static void unite(struct blocking *b, unsigned member, unsigned other)
{
    struct member *items = b->members.items;
    unsigned low = first_of(b, other), high = first_of(b, member);

    if (low == high)
        return;
    items[high].first = low;
    items[low].convolutions += items[high].convolutions;
}

/* What @op, or the tuple @from in it, reads. */
static void unite_operands(struct blocking *b, unsigned number, const struct ir_op *op,
                           const struct ir_op *from)
{
    for (unsigned i = 0; i < from->operand_count; i++) {
        const struct ir_value *value = from->operands[i].value;
        unsigned other = member_of(b, value, op);

        if (other)
            unite(b, number, other - 1);
        else if (value->def && ir_op_is(value->def, IR_CORE_tuple) && ir_op_is_inline(value->def))
            unite_operands(b, number, op, value->def);
    }
}

static void note(struct blocking *b, struct ir_op *op)
{
    unsigned number = (unsigned)b->members.count;
    bool is_convolution;

    if (!can_be_member(b, op, &is_convolution))
        return;
    array_push(&b->members,
               ((struct member){.op = op, .first = number, .convolutions = is_convolution}));
    map_set(&b->numbers, op,
            (void *)(uintptr_t)(number + 1)); /* NOLINT(performance-no-int-to-ptr) */
    unite_operands(b, number, op, op);
}

/* ---- what is left as it is ---- */

/* Does @user read blocks, or is it not known? */
static bool may_read_blocks(const struct blocking *b, const struct ir_op *user)
{
    unsigned number = (unsigned)(uintptr_t)map_get(&b->numbers, user);

    return ir_op_is_inline(user) || (number && !b->members.items[number - 1].is_left);
}

static bool has_reader(const struct blocking *b, const struct ir_value *value, bool of_blocks)
{
    for (const struct ir_use *use = value->uses; use; use = use->next)
        if (may_read_blocks(b, use->user) == of_blocks)
            return true;
    return false;
}

/*
 * Is @op computed of values that are wanted in their first form anyway, and only for who wants that, too?  On blocks it
 * would be one more tensor to turn, and to hold.
 */
static bool is_plain_work(const struct blocking *b, const struct ir_op *op)
{
    bool is_any = false;

    if (!(op->info->traits & IR_ELEMENTWISE) || has_reader(b, &op->result, true))
        return false;
    for (unsigned i = 0; i < op->operand_count; i++) {
        if (!member_of(b, op->operands[i].value, op))
            continue;
        if (!has_reader(b, op->operands[i].value, false))
            return false;
        is_any = true;
    }
    return is_any;
}

/* From the back, since what is left makes that of what it reads. */
static void leave_plain_work(struct blocking *b)
{
    for (size_t i = b->members.count; i-- > 0;)
        b->members.items[i].is_left = is_plain_work(b, b->members.items[i].op);
}

/* ---- rewriting ---- */

static struct ir_value *reshape(struct ir_builder *at, struct ir_value *value,
                                const struct ir_expr *const *dims, unsigned count)
{
    return MAKE(at, OP_reshape, value, ir_inline_shape(at->module, dims, count));
}

static const struct ir_expr *number(const struct blocking *b, int64_t value)
{
    return ir_expr_int(b->context, IR_I64, value);
}

/* @value, which is everywhere alike, beside blocks of @block channels. */
static struct ir_value *spread(struct blocking *b, struct ir_builder *at, struct ir_value *value,
                               int64_t block)
{
    const struct ir_type *type = value->type;
    const struct ir_expr *dims[RANK + 1];
    unsigned count = 0;

    if (type->kind != IR_TYPE_TENSOR || type->ndim < 3)
        return value;
    bool is_one = ir_expr_is_int(type->dims[type->ndim - 3], 1);
    if (type->ndim == RANK)
        dims[count++] = type->dims[0];
    dims[count++] =
        is_one
            ? number(b, 1)
            : ir_simplify(b->context, ir_expr_binary(b->context, IR_EXPR_floordiv,
                                                     type->dims[type->ndim - 3], number(b, block)));
    dims[count++] = number(b, 1);
    dims[count++] = number(b, 1);
    dims[count++] = number(b, is_one ? 1 : block);
    return reshape(at, value, dims, count);
}

/* The first form of @value, which is in blocks. */
static struct ir_value *plain_of(struct blocking *b, struct ir_builder *at, struct ir_value *value,
                                 const struct ir_type *type)
{
    static const int64_t order[] = {0, 1, 4, 2, 3};
    struct make_attr axes = {"axes", ir_attr_ints(b->context, order, ARRAY_SIZE(order))};

    if (!value)
        return NULL;
    if (!ir_expr_is_int(type->dims[2], 1) || !ir_expr_is_int(type->dims[3], 1))
        value = MAKE_WITH(at, OP_permute_dims, axes, value);
    return value ? reshape(at, value, type->dims, RANK) : NULL;
}

static const struct ir_attr *layout(const struct blocking *b, const struct ir_value *value,
                                    bool is_blocks)
{
    int64_t dims[RANK];

    if (!is_blocks || !is_image(b, value, dims))
        return ir_attr_string(b->context, "NCHW");
    return ir_attr_string(b->context, arena_printf(&b->run->module->arena, "NCHW%lldc",
                                                   (long long)block_of(b, dims[1])));
}

static const int64_t image_axes[] = {2, 3};

/* The attributes of @op with layouts of blocks; how many. */
static unsigned attrs_of(const struct blocking *b, const struct ir_op *op, struct make_attr *out)
{
    unsigned count = 0;

    for (unsigned i = 0; i < op->info->param_count; i++) {
        const struct ir_op_param *param = &op->info->params[i];
        const struct ir_attr *value;
        bool is_blocks = op->operand_count && map_has(&b->blocks, op->operands[0].value);

        if (param->kind < IR_PARAM_INT)
            continue;
        value = op->attrs[param->attr_index];
        if (is_over_image(op) && strcmp(param->name, "axis") == 0) /* -1 is another axis now */
            value = ir_attr_ints(b->context, image_axes, ARRAY_SIZE(image_axes));
        else if (strcmp(param->name, "data_layout") == 0 || strcmp(param->name, "layout") == 0)
            value = layout(b, op->operands[0].value, is_blocks);
        else if (strcmp(param->name, "out_layout") == 0)
            value = layout(b, &op->result, true);
        out[count++] = (struct make_attr){param->name, value};
    }
    return count;
}

/* Operand @i of @op for what is computed on blocks. */
static struct ir_value *operand_of(struct blocking *b, struct ir_builder *at,
                                   struct ir_value *value, const struct ir_value *result)
{
    struct ir_value *blocks = map_get(&b->blocks, value);
    int64_t dims[RANK];

    if (blocks)
        return blocks;
    return is_image(b, result, dims) ? spread(b, at, value, block_of(b, dims[1])) : NULL;
}

static struct ir_value *join_of(struct blocking *b, struct ir_builder *at, const struct ir_op *op)
{
    const struct ir_op *tuple = op->operands[0].value->def;
    struct ir_value **items =
        arena_array(&b->run->scratch, struct ir_value *, tuple->operand_count);

    for (unsigned i = 0; i < tuple->operand_count; i++)
        items[i] = map_get(&b->blocks, tuple->operands[i].value);
    struct make_attr axis = {"axis", ir_attr_int(b->context, 1)};
    return MAKE_WITH(at, OP_concat, axis, make_tuple(at, items, tuple->operand_count));
}

static struct ir_value *blocks_of(struct blocking *b, struct ir_builder *at, const struct ir_op *op)
{
    struct make_attr attrs[16];
    struct ir_value *operands[8];

    if (op_is(op, OP_concat))
        return join_of(b, at, op);
    if (op->operand_count > ARRAY_SIZE(operands) || op->info->param_count > ARRAY_SIZE(attrs))
        return NULL;
    unsigned count = attrs_of(b, op, attrs);
    for (unsigned i = 0; i < op->operand_count; i++) {
        struct ir_value *value = op->operands[i].value;
        operands[i] = op_is(op, OP_nn_conv2d) && !map_has(&b->blocks, value)
                          ? value
                          : operand_of(b, at, value, &op->result);
    }
    return make_op(at, op->info->library_id, operands, op->operand_count, attrs, count);
}

static void rewrite_member(struct blocking *b, struct ir_op *op)
{
    struct ir_builder at = {b->run->module, b->run->diag, op->block, op, op->loc};
    struct ir_value *blocks = blocks_of(b, &at, op);
    struct ir_value *plain = plain_of(b, &at, blocks, op->result.type);

    if (!plain) {
        b->is_fine = false;
        return;
    }
    blocks->name = plain->name = op->result.name;
    blocks->loc = plain->loc = op->result.loc;
    map_set(&b->blocks, plain, blocks);
    array_push(&b->plain, plain->def);
    rewrite_replace(b->run->module, op, plain);
    b->is_changed = true;
}

/* Members that are worth it, in their order, and then what nobody reads. */
static void rewrite_members(struct blocking *b)
{
    leave_plain_work(b);
    for (unsigned i = 0; i < b->members.count && b->is_fine; i++)
        if (!b->members.items[i].is_left &&
            b->members.items[first_of(b, i)].convolutions >= CONVOLUTIONS_LEAST)
            rewrite_member(b, b->members.items[i].op);
    for (size_t i = b->plain.count; i-- > 0;) {
        struct ir_op *op = b->plain.items[i];

        while (op && !op->result.uses) {
            struct ir_op *before = op->operands[0].value->def;
            ir_op_erase(op);
            op = before && op_is(before, OP_permute_dims) ? before : NULL;
        }
    }
}

/* ---- the sweep ---- */

static void visit_region(struct blocking *b, struct ir_region *region)
{
    ir_for_each_block(block, region)
    {
        ir_for_each_op (op, block) {
            for (unsigned i = 0; i < op->region_count; i++)
                visit_region(b, op->regions[i]);
            if (ir_op_is(op, IR_CORE_function))
                visit_region(b, ir_op_attr(op, "function")->function->body);
            note(b, op);
        }
    }
}

static void finish(struct blocking *b)
{
    storage_finish(&b->storage);
    array_finish(&b->members);
    array_finish(&b->plain);
    map_finish(&b->numbers);
    map_finish(&b->blocks);
}

static bool read_lanes(struct blocking *b)
{
    struct pass_run *run = b->run;
    int64_t lanes = pass_option_int(run, "lanes");

    b->lanes = lanes ? lanes : (int64_t)run->target.vector_bytes / 4;
    if (lanes == 0 || (lanes >= BLOCK_LEAST && lanes <= 16 && (lanes & (lanes - 1)) == 0))
        return true;
    diag_report(run->diag, (struct location){0}, PASS_OPTION_VALUE, "lanes", run->pass->name,
                "is neither 0 nor 4, 8 or 16");
    return false;
}

enum pass_result pass_block_channels(struct pass_run *run)
{
    struct blocking b = {.run = run, .context = run->module->context, .is_fine = true};
    struct storage_module facts;

    if (!read_lanes(&b))
        return PASS_FAILED;
    storage_module_init(&facts, run->module);
    storage_module_solve(&facts);
    for (size_t i = 0; i < run->module->global_count && b.is_fine; i++) {
        struct ir_function *function = run->module->globals[i]->function;

        if (run->module->globals[i]->kind != IR_GLOBAL_FUNCTION)
            continue;
        storage_init(&b.storage, &facts, function, NULL);
        visit_region(&b, function->body);
        rewrite_members(&b);
        finish(&b);
    }
    storage_module_finish(&facts);
    if (!b.is_fine)
        return PASS_FAILED;
    return b.is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
