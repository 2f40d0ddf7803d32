/* The operator table: names, signatures, near misses; dtypes and attributes. */
#include "ir/module.h"
#include "tests/unit/test.h"

#include <string.h>

static int setup(void **state)
{
    *state = ir_context_create();
    return 0;
}

static int teardown(void **state)
{
    ir_context_destroy(*state);
    return 0;
}

static const struct ir_op_info *add_row(struct ir_context *context, const char *name,
                                        const char *signature)
{
    ir_context_add_op(context, &(struct ir_op_row){.name = name, .signature = signature});
    return ir_find_op(context, name);
}

static void test_core_rows(void **state)
{
    struct ir_context *context = *state;

    for (unsigned i = 1; i < IR_CORE_COUNT; i++) {
        const struct ir_op_info *info = ir_core_op(context, (enum ir_core)i);
        assert_int_equal(info->core, i);
        assert_ptr_equal(ir_find_op(context, info->name), info);
        assert_ptr_equal(ir_op_at(context, info->id), info);
        assert_true(strlen(info->doc) > 0);
    }
    assert_null(ir_find_op(context, "no_such_op"));
    assert_string_equal(ir_core_op(context, IR_CORE_if)->name, "if");
}

static void test_signature(void **state)
{
    struct ir_context *context = *state;
    const struct ir_op_info *info = add_row(
        context, "demo.op",
        "x: Expr, bias: Expr?, axis: ints? = None, keepdims: bool = False, eps: float = 1, "
        "mode: str = \"clip\", pads: ints = [0, -1], out_dtype: dtype = \"float16\", k: int = 3");

    assert_int_equal(info->param_count, 9);
    assert_int_equal(info->operand_count, 2);
    assert_int_equal(info->attr_count, 7);
    assert_int_equal(info->params[1].operand_index, 1);
    assert_true(info->params[1].is_optional && !info->params[1].has_default);
    assert_string_equal(info->params[2].name, "axis");
    assert_int_equal(info->params[2].attr_index, 0);
    assert_true(info->params[2].is_optional && info->params[2].has_default);
    assert_int_equal(info->params[2].default_value->kind, IR_ATTR_NONE);
    assert_false(info->params[3].default_value->boolean);
    assert_int_equal(info->params[4].default_value->kind, IR_ATTR_FLOAT);
    assert_same_float(info->params[4].default_value->real, 1.0);
    assert_string_equal(info->params[5].default_value->string, "clip");
    assert_int_equal(info->params[6].default_value->items[1]->integer, -1);
    assert_true(ir_dtype_equal(info->params[7].default_value->dtype, IR_F16));
    assert_int_equal(info->params[8].attr_index, 6);
}

static void test_variadic_signature(void **state)
{
    const struct ir_op_info *info =
        add_row(*state, "demo.call", "callee: Expr, *args: Expr, func: any, axis: int?");

    assert_int_equal(info->operand_count, 1);
    assert_true(info->params[1].is_variadic);
    assert_int_equal(info->params[1].operand_index, 1);
    assert_false(info->params[2].has_default);
    /* An optional attribute is None unless the row says otherwise. */
    assert_true(info->params[3].has_default);
    assert_int_equal(info->params[3].default_value->kind, IR_ATTR_NONE);
}

static void test_nearest(void **state)
{
    struct ir_context *context = *state;
    const char *names[3];

    add_row(context, "nn.relu", "x: Expr");
    add_row(context, "add", "a: Expr, b: Expr");
    add_row(context, "permute_dims", "x: Expr");
    assert_int_equal(ir_nearest_ops(context, "relu", names, 3), 1);
    assert_string_equal(names[0], "nn.relu");
    assert_true(ir_nearest_ops(context, "ad", names, 3) >= 1);
    assert_string_equal(names[0], "add");
    assert_int_equal(ir_nearest_ops(context, "premute_dims", names, 3), 1);
    assert_string_equal(names[0], "permute_dims");
    assert_int_equal(ir_nearest_ops(context, "convolution", names, 3), 0);
    char huge[500];
    memset(huge, 'a', sizeof(huge) - 1);
    huge[sizeof(huge) - 1] = '\0';
    assert_int_equal(ir_nearest_ops(context, huge, names, 3), 0);
}

static void test_dtype_names(void **state)
{
    static const char *const names[] = {"int8",          "uint64",          "float16", "bfloat16",
                                        "bool",          "handle",          "void",    "int32x4",
                                        "float8_e4m3fn", "float4_e2m1fnx2", "boolx8",  "complex64",
                                        "uint4",         "float64x2"};
    static const char *const wrong[] = {
        "",      "int",   "float33",        "int32x", "int32x0", "float", "int 8",   "int8 ",
        "boolx", "int-8", "int99999999999", "Float",  "float8",  "x4",    "int32xx4"};
    struct ir_dtype dtype;
    char buffer[32];

    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        assert_true(ir_dtype_parse(names[i], &dtype));
        assert_string_equal(ir_dtype_name(dtype, buffer), names[i]);
    }
    for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
        assert_false(ir_dtype_parse(wrong[i], &dtype));
    assert_int_equal(ir_dtype_bytes(IR_B1), 1);
    assert_int_equal(ir_dtype_bytes(IR_BF16), 2);
    assert_false(ir_dtype_can_compute(IR_PTR));
}

static void test_attrs(void **state)
{
    struct ir_context *context = *state;
    const struct ir_attr *ints = ir_attr_ints(context, (int64_t[]){1, 2}, 2);
    const struct ir_attr *dict = ir_attr_dict_with(context, NULL, "a", ints);

    dict = ir_attr_dict_with(context, dict, "b", ir_attr_bool(context, true));
    assert_int_equal(dict->count, 2);
    dict = ir_attr_dict_with(context, dict, "a", ir_attr_none(context));
    assert_int_equal(dict->count, 2);
    assert_int_equal(ir_attr_dict_get(dict, "a")->kind, IR_ATTR_NONE);
    assert_null(ir_attr_dict_get(dict, "c"));
    assert_null(ir_attr_dict_get(NULL, "c"));
    const struct ir_attr *again = ir_attr_ints(context, (int64_t[]){1, 2}, 2);
    assert_true(ir_attr_equal(ints, again));
    assert_true(ir_attr_hash(ints) == ir_attr_hash(again));
    assert_false(ir_attr_equal(ints, ir_attr_ints(context, (int64_t[]){1, 3}, 2)));
    assert_true(ir_attr_equal(ir_attr_float(context, NAN), ir_attr_float(context, NAN)));
    assert_false(ir_attr_equal(ir_attr_float(context, 0.0), ir_attr_float(context, -0.0)));
}

static void test_module_names_and_constants(void **state)
{
    struct ir_module *module = ir_module_create(*state);

    ir_module_add(module, "f", IR_GLOBAL_FUNCTION);
    struct ir_global *f_1 = ir_module_add(module, "f_1", IR_GLOBAL_FUNCTION);
    assert_string_equal(ir_module_fresh_name(module, "g"), "g");
    assert_string_equal(ir_module_fresh_name(module, "f"), "f_2");
    ir_module_remove(module, f_1);
    assert_null(ir_module_find(module, "f_1"));
    assert_int_equal(module->global_count, 1);
    const struct ir_constant *constant =
        ir_module_add_constant(module, IR_F32, (int64_t[]){3}, 1, (float[]){1, 2, 3});
    assert_int_equal((uintptr_t)constant->data % 64, 0);
    assert_same_float(((const float *)constant->data)[2], 3.0f);
    assert_int_equal(constant->bytes, 12);
    ir_module_destroy(module);
}

/* Literals have the value that their dtype gives them. */
static void test_literals_wrap(void **state)
{
    struct ir_context *context = *state;
    struct ir_dtype u8 = IR_DTYPE(IR_UINT, 8);

    assert_int_equal(ir_expr_int(context, u8, 300)->int_value, 44);
    assert_int_equal(ir_expr_int(context, IR_I32, (int64_t)1 << 31)->int_value, INT32_MIN);
    assert_int_equal(ir_expr_int(context, IR_B1, 7)->int_value, 1);
    const struct ir_expr *tenth = ir_expr_float(context, IR_F32, 0.1);
    assert_same_float(ir_expr_cast(context, IR_F64, tenth)->float_value, (double)0.1f);
    /* No integer of the type: left to the machine, not made up. */
    const struct ir_expr *huge = ir_expr_float(context, IR_F64, 1e30);
    assert_int_equal(ir_expr_cast(context, IR_I32, huge)->kind, IR_EXPR_cast);
    assert_int_equal(ir_expr_cast(context, IR_I32, ir_expr_float(context, IR_F64, NAN))->kind,
                     IR_EXPR_cast);
    assert_int_equal(ir_expr_cast(context, IR_I32, ir_expr_float(context, IR_F64, -2.7))->int_value,
                     -2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_core_rows, setup, teardown),
        cmocka_unit_test_setup_teardown(test_signature, setup, teardown),
        cmocka_unit_test_setup_teardown(test_variadic_signature, setup, teardown),
        cmocka_unit_test_setup_teardown(test_nearest, setup, teardown),
        cmocka_unit_test_setup_teardown(test_dtype_names, setup, teardown),
        cmocka_unit_test_setup_teardown(test_attrs, setup, teardown),
        cmocka_unit_test_setup_teardown(test_module_names_and_constants, setup, teardown),
        cmocka_unit_test_setup_teardown(test_literals_wrap, setup, teardown),
    };

    return cmocka_run_group_tests_name("op_table", tests, NULL, NULL);
}
