/* The operator table checked against itself, type rules by table, and that lowerings verify. */
#include "ir/print.h"
#include "ir/verify.h"
#include "tests/unit/ops_build.h"

#include <stdio.h>

/* --- the table --- */

static void check_name(const struct ir_op_info *info)
{
    for (const char *at = info->name; *at != '\0'; at++)
        if (!islower((unsigned char)*at) && !isdigit((unsigned char)*at) && *at != '_' &&
            *at != '.')
            fail_msg("%s: not a name of an operator", info->name);
    for (unsigned p = 0; p < info->param_count; p++)
        for (unsigned q = 0; q < p; q++)
            if (info->params[p].name == info->params[q].name)
                fail_msg("%s: two parameters %s", info->name, info->params[p].name);
}

static void check_traits(const struct ir_op_info *info)
{
    if ((info->traits & IR_COMMUTATIVE) != 0 && info->operand_count != 2)
        fail_msg("%s: commutative, but not of two operands", info->name);
    if ((info->traits & IR_VIEW) != 0 && (info->operand_count < 1 || info->lower != NULL))
        fail_msg("%s: a view needs an operand and no loops", info->name);
    if ((info->traits & IR_ELEMENTWISE) != 0 && info->lower == NULL)
        fail_msg("%s: elementwise without loops", info->name);
    if (info->core == IR_CORE_none && info->infer == NULL)
        fail_msg("%s: no rule for its type", info->name);
}

static void test_table_is_sound(void **state)
{
    struct ops_build b = ops_build_start();

    for (unsigned i = 0; i < ir_op_count(b.context); i++) {
        const struct ir_op_info *info = ir_op_at(b.context, i);
        size_t length = strlen(info->doc);
        assert_ptr_equal(ir_find_op(b.context, info->name), info);
        assert_int_equal(info->id, i);
        if (length < 2 || info->doc[length - 1] != '.')
            fail_msg("%s: the description does not end with a full stop", info->name);
        check_name(info);
        check_traits(info);
    }
    assert_true(ir_op_count(b.context) > 250);
    ops_build_finish(&b);
}

/* The operators that must have loops, or be known to code generation. */
static void test_required_operators_have_loops(void **state)
{
    static const char *const names[] = {
        "full",          "full_like",
        "ones",          "ones_like",
        "zeros",         "zeros_like",
        "eye",           "eye_like",
        "arange",        "tril",
        "triu",          "astype",
        "take",          "strided_slice",
        "matmul",        "broadcast_to",
        "concat",        "permute_dims",
        "split",         "stack",
        "repeat",        "tile",
        "flip",          "argmax",
        "argmin",        "sum",
        "mean",          "max",
        "min",           "prod",
        "variance",      "std",
        "nn.softmax",    "nn.log_softmax",
        "nn.layer_norm", "nn.rms_norm",
        "nn.relu",       "nn.gelu",
        "nn.gelu_tanh",  "nn.silu",
        "nn.leakyrelu",  "sigmoid",
        "where",         "clip",
        "ewise_fma",
    };
    struct ops_build b = ops_build_start();

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const struct ir_op_info *info = ir_find_op(b.context, names[i]);
        if (info == NULL || info->lower == NULL)
            fail_msg("%s has no loops", names[i]);
    }
    ops_build_finish(&b);
}

/* --- types --- */

struct row {
    const char *name, *operands, *attrs, *expected;
};

/* Expected: a type, or the number of an error. */
static const struct row type_rows[] = {
#include "tests/unit/ops_types.def"
};

static void test_types(void **state)
{
    unsigned wrong = 0;

    for (size_t i = 0; i < sizeof(type_rows) / sizeof(type_rows[0]); i++) {
        const struct row *row = &type_rows[i];
        struct ops_build b = ops_build_start();
        struct ir_op *op = ops_build(&b, row->name, row->operands, row->attrs);
        struct text text = {0};
        if (ir_op_infer(b.module, b.diag, op))
            ir_type_print(op->result.type, &text);
        else
            diag_print(b.diag, DIAG_FORMAT_SHORT, false, &text);
        bool is_right = row->expected[0] == 'E' ? strstr(text_string(&text), row->expected) != NULL
                                                : strcmp(text_string(&text), row->expected) == 0;
        if (!is_right) {
            printf("# R.%s(%s) %s\n#   expected %s\n#   got      %s\n", row->name, row->operands,
                   row->attrs, row->expected, text_string(&text));
            wrong++;
        }
        text_finish(&text);
        ops_build_finish(&b);
    }
    assert_int_equal(wrong, 0);
}

/* --- loops --- */

/* Lowers an op; the text of its kernel goes to @out.  False if it was refused. */
static bool lower(struct ops_build *b, const struct row *row, struct text *out)
{
    struct ir_op *op = ops_build(b, row->name, row->operands, row->attrs);

    if (!ir_op_infer(b->module, b->diag, op))
        return false;
    struct ir_value *value = op->info->lower(b->module, b->diag, op);
    if (value == NULL)
        return false;
    assert_ptr_equal(value->type, op->result.type);
    for (size_t i = 0; i < b->module->global_count; i++) {
        struct ir_global *global = b->module->globals[i];
        if (global->kind != IR_GLOBAL_KERNEL)
            continue;
        tir_verify(global->kernel, b->diag);
        tir_func_print(global->kernel, out);
    }
    ir_op_print(value->def, out);
    return true;
}

/* Refused with a reason: E0620 not yet, E0621 shape, E0622 dtype, E0623 operand, E0604 dtypes. */
static bool is_refusal(const char *messages)
{
    return strstr(messages, "[E062") != NULL || strstr(messages, "[E0604") != NULL;
}

/* False, with the reason on standard output, if the loops of @row are wrong. */
static bool check_lowering(struct ops_build *b, const struct row *row)
{
    struct text text = {0}, messages = {0};
    bool is_right = lower(b, row, &text) && diag_error_count(b->diag) == 0;

    diag_print(b->diag, DIAG_FORMAT_SHORT, false, &messages);
    is_right = is_right || is_refusal(text_string(&messages));
    if (!is_right || getenv("INLAY_SHOW_KERNELS") != NULL) /* to look at them */
        printf("# R.%s(%s) %s\n%s\n%s\n", row->name, row->operands, row->attrs,
               text_string(&messages), text_string(&text));
    text_finish(&text);
    text_finish(&messages);
    return is_right;
}

/* Every operator with loops whose row in the table of types has a known result. */
static void test_lowerings_verify(void **state)
{
    unsigned lowered = 0, wrong = 0;

    for (size_t i = 0; i < sizeof(type_rows) / sizeof(type_rows[0]); i++) {
        const struct row *row = &type_rows[i];
        struct ops_build b = ops_build_start();
        const struct ir_op_info *info = ir_find_op(b.context, row->name);
        bool has_shape = strncmp(row->expected, "R.Tensor((", 10) == 0 ||
                         strncmp(row->expected, "R.Tuple(R.Tensor((", 18) == 0;
        if (info->lower != NULL && has_shape) {
            wrong += !check_lowering(&b, row);
            lowered++;
        }
        ops_build_finish(&b);
    }
    assert_int_equal(wrong, 0);
    assert_true(lowered > 60);
}

/* Equal kernels are one kernel. */
static void test_kernels_are_shared(void **state)
{
    struct ops_build b = ops_build_start();
    static const struct row rows[] = {
        {"add", "f32[2,n] f32[2,n]", "", ""},
        {"add", "f32[2,m] f32[2,m]", "", ""},
        {"add", "f32[3,n] f32[3,n]", "", ""},
        {"exp", "f32[2,n]", "", ""},
    };
    struct text text = {0};
    unsigned kernels = 0;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_true(lower(&b, &rows[i], &text));
    for (size_t i = 0; i < b.module->global_count; i++)
        kernels += b.module->globals[i]->kind == IR_GLOBAL_KERNEL;
    assert_int_equal(kernels, 3);
    assert_non_null(ir_module_find(b.module, "tir_exp"));
    text_finish(&text);
    ops_build_finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_is_sound),
        cmocka_unit_test(test_required_operators_have_loops),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_lowerings_verify),
        cmocka_unit_test(test_kernels_are_shared),
    };

    return cmocka_run_group_tests_name("ops", tests, NULL, NULL);
}
