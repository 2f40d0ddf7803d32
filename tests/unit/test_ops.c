/* The operator table checked against itself, type rules by table, and that lowerings verify. */
#include "ir/print.h"
#include "ir/verify.h"
#include "ops/ids.h"
#include "passes/graph/work.h"
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

/* --- columns --- */

/* What a row says to each layer, as it stands there. */
static const struct columns {
    const char *id, *infer, *lower, *absent, *emit, *interp;
    unsigned narrow;
    bool follows;
} columns[OP_COUNT] = {
#define OP(id_, name, signature, traits, doc, ...) [OP_##id_] = {.id = #id_, __VA_ARGS__},
#define INFER(f)                                   .infer = #f,
#define LOWER(f)                                   .lower = #f,
#define ABSENT(why)                                .absent = (why),
#define EMIT(f)                                    .emit = #f,
#define INTERP(f)                                  .interp = #f,
#define NARROW(count)                              .narrow = (count),
#define FOLLOWS                                    .follows = true,
#include "ops/ops.def"
};

/* nn.relu is OP_nn_relu. */
static void check_id(const struct ir_op_info *info, const char *id)
{
    size_t length = strlen(info->name);

    if (strlen(id) != length)
        fail_msg("%s: the id is %s", info->name, id);
    for (size_t i = 0; i < length; i++)
        if (id[i] != (info->name[i] == '.' ? '_' : info->name[i]))
            fail_msg("%s: the id is %s", info->name, id);
}

static void check_columns(const struct ir_op_info *info, const struct columns *row)
{
    bool is_view = row->emit != NULL && strcmp(row->emit, "view") == 0;

    if (row->infer == NULL)
        fail_msg("%s: no rule for its type", info->name);
    if ((row->lower != NULL) + (row->emit != NULL) + (row->absent != NULL) != 1)
        fail_msg("%s: has loops, or code of its own, or says why it has neither", info->name);
    if (row->absent == NULL && row->interp == NULL)
        fail_msg("%s: compiled, but not interpreted", info->name);
    if (is_view != ((info->traits & IR_VIEW) != 0))
        fail_msg("%s: a view is IR_VIEW and EMIT(view)", info->name);
    if (row->narrow > info->operand_count || (row->narrow > 0 && row->follows))
        fail_msg("%s: narrow operands that it does not have, or that follow", info->name);
    if ((row->narrow > 0 || row->follows) && (info->traits & IR_PURE) == 0)
        fail_msg("%s: is cast, but has effects", info->name);
}

static void test_columns(void **state)
{
    struct ops_build b = ops_build_start();

    for (unsigned id = OP_none + 1; id < OP_COUNT; id++) {
        const struct ir_op_info *info = ir_library_op(b.context, id);
        assert_int_equal(info->library_id, id);
        check_id(info, columns[id].id);
        check_columns(info, &columns[id]);
    }
    for (unsigned i = 0; i < ir_op_count(b.context); i++) {
        const struct ir_op_info *info = ir_op_at(b.context, i);
        assert_true((info->library_id == OP_none) == (info->core != IR_CORE_none));
    }
    ops_build_finish(&b);
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

/* --- work --- */

/* Products of the shapes; -1: not known. */
static void test_work(void **state)
{
    static const struct {
        const char *name, *operands, *attrs;
        int64_t work;
    } rows[] = {
        {"add", "f32[2,3] f32[2,3]", "", 0},
        {"matmul", "f32[2,3] f32[3,5]", "", 2 * 3 * 5},
        {"matmul", "f32[3] f32[7,3,5]", "", 7 * 3 * 5},
        {"matmul", "f32[2,n] f32[n,5]", "", -1},
        {"linear", "f32[4,2,3] f32[5,3]", "", 4 * 2 * 3 * 5},
        {"einsum", "{f32[2,3];f32[3,5]}", "subscripts=\"ij,jk->ik\"", 2 * 3 * 5},
        {"einsum", "{f32[2];f32[3];f32[5]}", "subscripts=\"a,b,c->\"", 2 * 3 * 5},
        {"einsum", "{f32[2,3];f32[2,3]}", "subscripts=\"ij,ij\"", 2 * 3},
        {"nn.conv1d", "f32[1,2,8] f32[3,2,3]", "", (3 * 6) * (3 * 2 * 3)},
        {"nn.max_pool2d", "f32[1,1,4,4]", "pool_size=[2,3]", (3 * 2) * (2 * 3)},
        {"nn.attention", "f32[1,2,4,8] f32[1,3,4,8] f32[1,3,4,6]", "", (2 * 4 * 6) * 3 * 2},
        {"sort", "f32[2,3]", "axis=0", 2 * 3 * 2},
        {"argsort", "f32[2,3]", "", 2 * 3 * 3},
        {"median", "f32[2,3]", "axis=[1]", 2 * 3 * 2 * 3},
        {"bucketize", "f32[2,3] f32[5]", "", 2 * 3 * 5},
        {"matmul", "f32[4294967296,1] f32[1,4294967296]", "", -1},
    };

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        struct ops_build b = ops_build_start();
        struct ir_op *op = ops_build(&b, rows[i].name, rows[i].operands, rows[i].attrs);
        int64_t work;
        assert_true(ir_op_infer(b.module, b.diag, op));
        if (!work_of(b.context, op, &work))
            work = -1;
        if (work != rows[i].work)
            fail_msg("R.%s(%s): work is %lld", rows[i].name, rows[i].operands, (long long)work);
        ops_build_finish(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_is_sound),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_lowerings_verify),
        cmocka_unit_test(test_kernels_are_shared),
        cmocka_unit_test(test_work),
    };

    return cmocka_run_group_tests_name("ops", tests, NULL, NULL);
}
