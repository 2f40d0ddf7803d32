/*
 * CombineParallelMatmul: matrix products with one left operand become one product.
 *
 *     a = x @ w1; b = x @ w2
 *  =>
 *     w = concat((w1, w2), axis=-1); t = split(x @ w, [n1], axis=-1); a = t[0]; b = t[1]
 *
 * Each element is the same sum of products, so nothing is rounded anew; x is read once, and the larger
 * product runs faster.  Where every product goes into the addition of a bias, and then maybe into the same
 * activation, those are done once, too.  Products of a block are combined where the first of them stands;
 * what makes the others' weights and biases moves there if it can.  At most one part has a width that is
 * not a number, as the last one: split takes numbers.
 *
 * A bias must be as wide as its product: one of width 1 would spread over the parts of others.
 */
#include "analysis/storage/storage.h"
#include "ir/arith.h"
#include "ir/edit/make.h"
#include "ir/edit/rewrite.h"
#include "ir/verify.h"
#include "ops/ids.h"
#include "passes/pass.h"

enum { HOIST_DEPTH = 8 };

struct branch {
    struct ir_op *matmul;
    struct ir_op *add, *activation; /* or NULL */
    struct ir_value *bias;
    int64_t width; /* -1: a symbol */
};

struct group {
    struct ir_value *lhs;
    struct group *next;
    array(struct branch) branches;
};

struct sweep {
    struct pass_run *run;
    struct storage storage;
    struct map
        positions; /* of the ops of the block, from 1; what moves gets that of its new place */
    bool is_changed;
};

/* ---- what goes together ---- */

static struct ir_value *rhs_of(const struct branch *branch)
{
    return branch->matmul->operands[1].value;
}

/* The only op that reads @value, if it stands in the block of its definition. */
static struct ir_op *only_user(const struct ir_value *value)
{
    const struct ir_use *use = value->uses;

    return use && !use->next && use->user->block == value->def->block ? use->user : NULL;
}

/* A function of each element alone: of the parts of a tensor the same as of the whole. */
static bool is_activation(const struct ir_op *op)
{
    return (op->info->traits & IR_ELEMENTWISE) && op->operand_count == 1 &&
           op->info->attr_count == 0;
}

/* A bias that is as wide as the product. */
static bool is_bias(struct ir_context *context, const struct ir_value *bias,
                    const struct branch *branch)
{
    const struct ir_type *type = bias->type, *product = branch->matmul->result.type;

    return type->kind == IR_TYPE_TENSOR && type->dims && type->ndim > 0 && product->dims &&
           type->ndim <= product->ndim &&
           ir_prove_equal(context, type->dims[type->ndim - 1], product->dims[product->ndim - 1]);
}

static struct branch branch_of(struct sweep *sweep, struct ir_op *matmul)
{
    struct ir_context *context = sweep->run->module->context;
    const struct ir_type *rhs = matmul->operands[1].value->type;
    struct branch branch = {.matmul = matmul};
    struct ir_op *user = only_user(&matmul->result);

    if (!ir_expr_constant(context, rhs->dims[rhs->ndim - 1], &branch.width))
        branch.width = -1;
    if (user && op_is(user, OP_add)) {
        unsigned other = user->operands[0].value == &matmul->result ? 1 : 0;

        branch.bias = user->operands[other].value;
        if (is_bias(context, branch.bias, &branch))
            branch.add = user;
        user = only_user(&user->result);
    }
    if (user && (branch.add || !branch.bias) && is_activation(user))
        branch.activation = user;
    return branch;
}

static bool same_dims(struct ir_context *context, const struct ir_type *a, const struct ir_type *b,
                      int count)
{
    for (int i = 0; i < count; i++)
        if (!ir_prove_equal(context, a->dims[i], b->dims[i]))
            return false;
    return true;
}

/* Do two products differ in the width of their right operands only? */
static bool fit(struct ir_context *context, const struct branch *a, const struct branch *b)
{
    const struct ir_type *x = rhs_of(a)->type, *y = rhs_of(b)->type;

    return x->ndim == y->ndim && ir_dtype_equal(x->dtype, y->dtype) &&
           a->matmul->result.type->ndim == b->matmul->result.type->ndim &&
           ir_attr_equal(ir_op_attr(a->matmul, "out_dtype"), ir_op_attr(b->matmul, "out_dtype")) &&
           same_dims(context, x, y, x->ndim - 1);
}

/* Biases that fit, for all or for none; the same of activations. */
static void agree(struct ir_context *context, struct group *group)
{
    const struct branch *first = &group->branches.items[0];
    bool has_bias = true, has_activation = true;

    for (size_t i = 0; i < group->branches.count; i++) {
        const struct branch *branch = &group->branches.items[i];
        bool is_alike =
            branch->add && first->add && branch->bias->type->ndim == first->bias->type->ndim &&
            ir_dtype_equal(branch->bias->type->dtype, first->bias->type->dtype) &&
            same_dims(context, branch->bias->type, first->bias->type, first->bias->type->ndim - 1);

        has_bias &= is_alike;
        has_activation &= branch->activation && first->activation &&
                          branch->activation->info == first->activation->info &&
                          (!branch->add == !first->add);
    }
    for (size_t i = 0; i < group->branches.count; i++) {
        struct branch *branch = &group->branches.items[i];

        if (!has_activation || (branch->add && !has_bias))
            branch->activation = NULL;
        if (!has_bias)
            branch->add = NULL;
    }
}

/* ---- moving up ---- */

static size_t position(const struct sweep *sweep, const struct ir_op *op)
{
    return (size_t)(uintptr_t)map_get(&sweep->positions, op);
}

static void set_position(struct sweep *sweep, const struct ir_op *op, const struct ir_op *place)
{
    map_set(&sweep->positions, op, map_get(&sweep->positions, place));
}

static bool stands_before(const struct sweep *sweep, const struct ir_value *value,
                          const struct ir_op *place)
{
    const struct ir_op *def = value->def;

    return !def || def->block != place->block ||
           (def != place && position(sweep, def) <= position(sweep, place));
}

static bool is_candidate(struct sweep *sweep, const struct ir_op *op);

/* Can what @value is made of be computed in front of @place, the first product of its group? */
static bool can_hoist(struct sweep *sweep, struct ir_value *value, const struct ir_op *place,
                      unsigned depth)
{
    const struct ir_op *def = value->def;
    bool is_inline = ir_value_is_inline(value);

    if (!is_inline && storage_is_changed(&sweep->storage, value))
        return false;
    if (!is_inline && stands_before(sweep, value, place))
        return true;
    if (depth == 0 || def->region_count > 0 || !ir_op_is_pure(def) ||
        (def->info->traits & (IR_OPAQUE | IR_ALLOCATES)) || ir_op_is(def, IR_CORE_match_cast) ||
        ir_op_is(def, IR_CORE_function))
        return false;
    if (is_candidate(sweep, def) && def->operands[0].value == place->operands[0].value)
        return false; /* one of the group: it is to come out of the combined product */
    for (unsigned i = 0; i < def->operand_count; i++)
        if (!can_hoist(sweep, def->operands[i].value, place, depth - 1))
            return false;
    return true;
}

static void hoist(struct sweep *sweep, struct ir_value *value, struct ir_op *place)
{
    bool is_inline = ir_value_is_inline(value);

    if (!is_inline && stands_before(sweep, value, place))
        return;
    for (unsigned i = 0; i < value->def->operand_count; i++)
        hoist(sweep, value->def->operands[i].value, place);
    if (is_inline)
        return;
    ir_op_unlink(value->def);
    ir_op_insert_before(place, value->def);
    set_position(sweep, value->def, place);
}

/* ---- combining ---- */

/* Which of @branches take part, in which order; widths that are no numbers come last, one of them. */
static size_t choose(struct sweep *sweep, const struct group *group, struct branch *out)
{
    struct ir_context *context = sweep->run->module->context;
    struct ir_op *place = group->branches.items[0].matmul;
    size_t count = 0;

    for (int is_open = 0; is_open < 2; is_open++) {
        for (size_t i = 0; i < group->branches.count; i++) {
            struct branch *branch = &group->branches.items[i];

            if ((branch->width < 0) != (is_open == 1) ||
                (count > 0 && !fit(context, &out[0], branch)) ||
                !can_hoist(sweep, rhs_of(branch), place, HOIST_DEPTH) ||
                (branch->add && !can_hoist(sweep, branch->bias, place, HOIST_DEPTH)))
                continue;
            out[count++] = *branch;
            if (is_open)
                break;
        }
    }
    return count;
}

static struct ir_value *concat(struct ir_builder *b, struct ir_value *const *parts, size_t count)
{
    const struct ir_attr *axis = ir_attr_int(b->module->context, parts[0]->type->ndim - 1);

    return MAKE_WITH(b, OP_concat, ((struct make_attr){"axis", axis}),
                     make_tuple(b, parts, (unsigned)count));
}

static struct ir_value *make_combined(struct ir_builder *b, const struct group *group,
                                      const struct branch *branches, size_t count)
{
    struct ir_context *context = b->module->context;
    struct ir_value **parts = arena_array(&b->module->arena, struct ir_value *, count);
    int64_t *seams = arena_array(&b->module->arena, int64_t, count);
    const struct branch *first = &branches[0];
    const struct ir_attr *dtype = ir_op_attr(first->matmul, "out_dtype");

    for (size_t i = 0; i < count; i++) {
        parts[i] = rhs_of(&branches[i]);
        if (i + 1 < count)
            seams[i] = branches[i].width + (i > 0 ? seams[i - 1] : 0);
    }
    struct ir_value *weights = concat(b, parts, count);
    struct ir_value *value =
        MAKE_WITH(b, OP_matmul, ((struct make_attr){"out_dtype", dtype}), group->lhs, weights);
    if (first->add) {
        for (size_t i = 0; i < count; i++)
            parts[i] = branches[i].bias;
        struct ir_value *bias = concat(b, parts, count);

        value = MAKE(b, OP_add, value, bias);
    }
    if (first->activation)
        value = MAKE(b, first->activation->info->library_id, value);
    if (!value)
        return NULL;
    struct make_attr attrs[] = {
        {"indices_or_sections", ir_attr_ints(context, seams, (unsigned)count - 1)},
        {"axis", ir_attr_int(context, value->type->ndim - 1)}};
    return make_op(b, OP_split, &value, 1, attrs, ARRAY_SIZE(attrs));
}

static struct ir_op *root_of(const struct branch *branch)
{
    if (branch->activation)
        return branch->activation;
    return branch->add ? branch->add : branch->matmul;
}

/* Gives what was made behind @last a place in the tables. */
static void enter_made(struct sweep *sweep, const struct ir_op *last, struct ir_op *place)
{
    for (struct ir_op *op = place->prev; op != last; op = op->prev) {
        op->result.index = place->result.index;
        set_position(sweep, op, place);
    }
}

static void replace_branch(struct sweep *sweep, const struct branch *branch, struct ir_value *value)
{
    struct ir_op *ops[] = {branch->activation, branch->add, branch->matmul};
    struct ir_op *root = root_of(branch);

    value->name = root->result.name;
    value->loc = root->result.loc;
    rewrite_replace(sweep->run->module, root, value);
    for (size_t i = 0; i < ARRAY_SIZE(ops); i++)
        if (ops[i] && ops[i] != root)
            ir_op_erase(ops[i]);
}

static void combine(struct sweep *sweep, struct group *group)
{
    struct ir_module *module = sweep->run->module;
    struct ir_op *place = group->branches.items[0].matmul;
    struct branch *chosen = arena_array(&sweep->run->scratch, struct branch, group->branches.count);

    agree(module->context, group);
    size_t count = choose(sweep, group, chosen);
    if (count < 2) { /* biases may be made of products of the group: leave them behind it */
        for (size_t i = 0; i < group->branches.count; i++)
            group->branches.items[i].add = group->branches.items[i].activation = NULL;
        count = choose(sweep, group, chosen);
    }
    if (count < 2)
        return;
    for (size_t i = 0; i < count; i++) {
        hoist(sweep, rhs_of(&chosen[i]), place);
        if (chosen[i].add)
            hoist(sweep, chosen[i].bias, place);
    }
    struct ir_builder b = {.module = module,
                           .diag = sweep->run->diag,
                           .block = place->block,
                           .before = place,
                           .loc = place->loc};
    const struct ir_op *last = place->prev;
    size_t messages = diag_message_count(sweep->run->diag);
    struct ir_value *parts = make_combined(&b, group, chosen, count);
    struct ir_value **values = arena_array(&sweep->run->scratch, struct ir_value *, count);
    bool is_good = parts != NULL;
    for (size_t i = 0; i < count && is_good; i++) {
        values[i] = make_get(&b, parts, (unsigned)i);
        is_good = values[i] && values[i]->type == root_of(&chosen[i])->result.type;
    }
    if (!is_good) {
        diag_truncate(sweep->run->diag, messages);
        make_take_back(&b, last);
        return;
    }
    enter_made(sweep, last, place);
    for (size_t i = 0; i < count; i++)
        replace_branch(sweep, &chosen[i], values[i]);
    sweep->is_changed = true;
}

/* ---- the sweep ---- */

static bool is_candidate(struct sweep *sweep, const struct ir_op *op)
{
    if (!op_is(op, OP_matmul))
        return false;
    const struct ir_value *lhs = op->operands[0].value, *rhs = op->operands[1].value;

    return !ir_value_is_inline(lhs) && !storage_is_changed(&sweep->storage, lhs) &&
           rhs->type->kind == IR_TYPE_TENSOR && rhs->type->ndim >= 2 && rhs->type->dims &&
           op->result.type->kind == IR_TYPE_TENSOR && op->result.type->dims;
}

static void sweep_block(struct sweep *sweep, struct ir_block *block)
{
    struct map by_lhs = {0};
    struct group *first = NULL, **end = &first;
    size_t count = 0;

    ir_for_each_op (op, block) {
        map_set(&sweep->positions, op, (void *)(uintptr_t)++count); // NOLINT
        if (!is_candidate(sweep, op))
            continue;
        struct group *group = map_get(&by_lhs, op->operands[0].value);
        if (!group) {
            group = arena_new(&sweep->run->scratch, struct group);
            group->lhs = op->operands[0].value;
            *end = group;
            end = &group->next;
            map_set(&by_lhs, group->lhs, group);
        }
        array_push(&group->branches, branch_of(sweep, op));
    }
    for (struct group *group = first; group; group = group->next) {
        if (group->branches.count > 1)
            combine(sweep, group);
        array_finish(&group->branches);
    }
    map_finish(&by_lhs);
    map_finish(&sweep->positions);
}

static void sweep_region(struct sweep *sweep, struct ir_region *region)
{
    ir_for_each_block(block, region)
    {
        ir_for_each_op (op, block) {
            for (unsigned i = 0; i < op->region_count; i++)
                sweep_region(sweep, op->regions[i]);
            if (ir_op_is(op, IR_CORE_function))
                sweep_region(sweep, ir_op_attr(op, "function")->function->body);
        }
        sweep_block(sweep, block);
    }
}

enum pass_result pass_combine_parallel_matmul(struct pass_run *run)
{
    struct sweep sweep = {.run = run};
    struct storage_module facts;

    storage_module_init(&facts, run->module);
    storage_module_solve(&facts);
    for (size_t i = 0; i < run->module->global_count; i++) {
        struct ir_function *function = run->module->globals[i]->function;

        if (run->module->globals[i]->kind != IR_GLOBAL_FUNCTION)
            continue;
        storage_init(&sweep.storage, &facts, function, NULL);
        sweep_region(&sweep, function->body);
        storage_finish(&sweep.storage);
    }
    storage_module_finish(&facts);
    return sweep.is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
