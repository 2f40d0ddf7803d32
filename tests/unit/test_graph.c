/* Use lists under random edits against a model that searches all operands, and the walks. */
#include "base/array.h"
#include "ir/build.h"
#include "ir/module.h"
#include "tests/unit/test.h"

#include <stdlib.h>

enum { PARAM_COUNT = 4, STEP_COUNT = 6000, OPERAND_LIMIT = 6 };

struct fixture {
    struct ir_context *context;
    struct ir_module *module;
    struct ir_function *function;
    struct ir_block *block;
    const struct ir_op_info *tuple;
    array(struct ir_op *) ops; /* in the block */
    uint32_t random;
};

static unsigned pick(struct fixture *f, size_t count)
{
    f->random = f->random * 1664525u + 1013904223u;
    return (unsigned)((f->random >> 8) % count);
}

static void start(struct fixture *f)
{
    *f = (struct fixture){.random = 7};
    f->context = ir_context_create();
    f->module = ir_module_create(f->context);
    f->function = ir_function_new(f->module, "main");
    f->block = ir_block_append(f->module, f->function->body, false);
    f->tuple = ir_core_op(f->context, IR_CORE_tuple);
    for (int i = 0; i < PARAM_COUNT; i++)
        ir_function_add_param(f->function, "x", ir_type_any(f->context));
}

static void finish(struct fixture *f)
{
    array_finish(&f->ops);
    ir_module_destroy(f->module);
    ir_context_destroy(f->context);
}

/* A parameter, a result, or a leaf of its own (maybe a tuple of both). */
static struct ir_value *any_value(struct fixture *f, bool allow_inline)
{
    unsigned kind = pick(f, allow_inline ? 6 : 4);
    if (kind == 4)
        return ir_inline_prim(f->module, ir_expr_int(f->context, IR_I64, pick(f, 100)));
    if (kind == 5) {
        struct ir_value *items[2] = {any_value(f, false), any_value(f, true)};
        return ir_inline_tuple(f->module, items, 2);
    }
    if (kind == 0 || f->ops.count == 0)
        return f->function->params[pick(f, PARAM_COUNT)];
    return &f->ops.items[pick(f, f->ops.count)]->result;
}

static unsigned count_operands(const struct ir_op *op, const struct ir_value *value)
{
    unsigned count = 0;
    for (unsigned i = 0; i < op->operand_count; i++) {
        const struct ir_value *operand = op->operands[i].value;
        count += operand == value;
        if (ir_value_is_inline(operand))
            count += count_operands(operand->def, value);
    }
    return count;
}

static void check_value(struct fixture *f, struct ir_value *value)
{
    unsigned expected = 0, found = 0;
    for (size_t i = 0; i < f->ops.count; i++)
        expected += count_operands(f->ops.items[i], value);
    struct ir_use **link = &value->uses;
    ir_for_each_use (use, value) {
        assert_ptr_equal(use->value, value);
        assert_ptr_equal(use->link, link);
        link = &use->next;
        bool is_operand =
            use >= use->user->operands && use < use->user->operands + use->user->operand_count;
        assert_true(is_operand);
        struct ir_op *root = ir_use_root(use);
        assert_non_null(root);
        assert_ptr_equal(root->block, f->block);
        found++;
    }
    assert_int_equal(found, expected);
}

static void check_all(struct fixture *f)
{
    for (unsigned i = 0; i < PARAM_COUNT; i++)
        check_value(f, f->function->params[i]);
    for (size_t i = 0; i < f->ops.count; i++)
        check_value(f, &f->ops.items[i]->result);
    size_t count = 0;
    ir_for_each_op (op, f->block) {
        assert_true(op->next == NULL || op->next->prev == op);
        count++;
    }
    assert_int_equal(count, f->ops.count);
}

static void add_op(struct fixture *f)
{
    struct ir_value *operands[OPERAND_LIMIT];
    unsigned count = pick(f, OPERAND_LIMIT);
    for (unsigned i = 0; i < count; i++)
        operands[i] = any_value(f, true);
    struct ir_op *op = ir_op_new(f->module, f->tuple, operands, count);
    op->result.type = ir_type_any(f->context);
    if (f->ops.count > 0 && pick(f, 2) == 0)
        ir_op_insert_before(f->ops.items[pick(f, f->ops.count)], op);
    else
        ir_op_append(f->block, op);
    array_push(&f->ops, op);
}

static void erase_op(struct fixture *f)
{
    unsigned i = pick(f, f->ops.count);
    struct ir_op *op = f->ops.items[i];
    if (op->result.uses != NULL)
        return;
    ir_op_erase(op);
    f->ops.items[i] = array_last(&f->ops);
    f->ops.count--;
}

static void edit_operand(struct fixture *f)
{
    struct ir_op *op = f->ops.items[pick(f, f->ops.count)];
    unsigned kind = pick(f, 3);
    if (kind == 0 && op->operand_count < 40)
        ir_op_add_operand(f->module, op, any_value(f, true));
    else if (op->operand_count > 0 && kind == 1)
        ir_op_remove_operand(op, pick(f, op->operand_count));
    else if (op->operand_count > 0)
        ir_op_set_operand(op, pick(f, op->operand_count), any_value(f, true));
}

static void test_random_edits(void **state)
{
    struct fixture f;
    start(&f);
    for (int step = 0; step < STEP_COUNT; step++) {
        unsigned kind = pick(&f, 10);
        if (f.ops.count == 0 || (kind < 3 && f.ops.count < 60))
            add_op(&f);
        else if (kind < 5)
            erase_op(&f);
        else if (kind < 9)
            edit_operand(&f);
        else
            ir_value_replace(any_value(&f, false), any_value(&f, false));
        if (step % 20 == 0)
            check_all(&f);
    }
    check_all(&f);
    finish(&f);
}

static void test_inline_op_goes_with_its_use(void **state)
{
    struct fixture f;
    start(&f);
    struct ir_value *x = f.function->params[0], *y = f.function->params[1];
    struct ir_value *pair = ir_inline_tuple(f.module, &x, 1);
    struct ir_op *op = ir_op_new(f.module, f.tuple, &pair, 1);
    ir_op_append(f.block, op);
    assert_ptr_equal(ir_use_root(x->uses), op);
    assert_true(ir_value_is_inline(pair));
    assert_false(ir_value_is_inline(&op->result));
    ir_op_set_operand(op, 0, y);
    assert_null(x->uses);
    assert_ptr_equal(y->uses->user, op);
    ir_op_erase(op);
    ir_op_erase(op); /* may be repeated */
    assert_null(y->uses);
    assert_null(f.block->first);
    finish(&f);
}

static void test_erasing_an_if_frees_what_its_branches_read(void **state)
{
    struct fixture f;
    start(&f);
    struct ir_value *x = f.function->params[0];
    struct ir_op *op = ir_op_new(f.module, ir_core_op(f.context, IR_CORE_if), &x, 1);
    op->region_count = 2;
    op->regions = arena_array(&f.module->arena, struct ir_region *, 2);
    for (unsigned i = 0; i < 2; i++) {
        op->regions[i] = ir_region_new(f.module, f.function, op);
        struct ir_block *block = ir_block_append(f.module, op->regions[i], false);
        struct ir_op *bind = ir_op_new(f.module, ir_core_op(f.context, IR_CORE_bind), &x, 1);
        ir_op_append(block, bind);
        struct ir_value *result = &bind->result;
        ir_op_append(block, ir_op_new(f.module, ir_core_op(f.context, IR_CORE_yield), &result, 1));
    }
    ir_op_append(f.block, op);
    ir_function_number(f.function);
    assert_int_equal(f.function->value_count, PARAM_COUNT + 5);
    assert_int_equal(op->result.index, PARAM_COUNT + 4);
    ir_op_erase(op);
    assert_null(x->uses);
    finish(&f);
}

static bool count_op(void *state, struct ir_op *op)
{
    (*(unsigned *)state)++;
    return true;
}

static void test_operands_can_be_added_without_limit(void **state)
{
    struct fixture f;
    start(&f);
    struct ir_op *op = ir_op_new(f.module, f.tuple, NULL, 0);
    ir_op_append(f.block, op);
    array_push(&f.ops, op);
    for (unsigned i = 0; i < 1000; i++)
        ir_op_add_operand(f.module, op, f.function->params[i % PARAM_COUNT]);
    check_all(&f);
    for (unsigned i = 0; i < 990; i++)
        ir_op_remove_operand(op, 0);
    check_all(&f);
    assert_int_equal(op->operand_count, 10);
    unsigned count = 0;
    assert_true(ir_region_walk(f.function->body, count_op, &count));
    assert_int_equal(count, 1);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_edits),
        cmocka_unit_test(test_inline_op_goes_with_its_use),
        cmocka_unit_test(test_erasing_an_if_frees_what_its_branches_read),
        cmocka_unit_test(test_operands_can_be_added_without_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
