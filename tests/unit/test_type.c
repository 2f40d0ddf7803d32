/* Types: one object for equal ones, the four levels of checking, joins, symbols. */
#include "base/array.h"
#include "ir/module.h"
#include "tests/unit/test.h"

#include <string.h>

struct fixture {
    struct ir_context *context;
    const struct ir_var *n, *m;
    const struct ir_expr *n_expr, *m_expr;
};

static int setup(void **state)
{
    static struct fixture f;

    f.context = ir_context_create();
    struct ir_var *n = (struct ir_var *)(uintptr_t)ir_var_new(f.context, "n", IR_I64);
    struct ir_var *m = (struct ir_var *)(uintptr_t)ir_var_new(f.context, "m", IR_I64);
    n->is_symbol = m->is_symbol = true;
    f.n = n;
    f.m = m;
    f.n_expr = ir_expr_var(f.context, n);
    f.m_expr = ir_expr_var(f.context, m);
    *state = &f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    ir_context_destroy(f->context);
    return 0;
}

static const struct ir_expr *number(struct fixture *f, int64_t value)
{
    return ir_expr_int(f->context, IR_I64, value);
}

static const struct ir_type *matrix(struct fixture *f, const struct ir_expr *a,
                                    const struct ir_expr *b)
{
    const struct ir_expr *dims[] = {a, b};

    return ir_type_tensor(f->context, IR_F32, dims, 2);
}

static const struct ir_type *vector(struct fixture *f, const struct ir_expr *a)
{
    return ir_type_tensor(f->context, IR_F32, &a, 1);
}

static void test_equal_types_are_one_object(void **state)
{
    struct fixture *f = *state;
    const struct ir_expr *sum = ir_expr_binary(f->context, IR_EXPR_add, f->n_expr, f->n_expr);
    const struct ir_expr *twice = ir_expr_binary(f->context, IR_EXPR_mul, number(f, 2), f->n_expr);
    const struct ir_type *pair[] = {vector(f, f->n_expr), ir_type_any(f->context)};

    assert_ptr_equal(vector(f, sum), vector(f, twice));
    assert_ptr_not_equal(vector(f, f->n_expr), vector(f, f->m_expr));
    assert_ptr_equal(ir_type_tuple(f->context, pair, 2), ir_type_tuple(f->context, pair, 2));
    assert_ptr_not_equal(ir_type_tuple(f->context, pair, 2), ir_type_tuple(f->context, pair, 1));
    assert_ptr_not_equal(ir_type_tensor(f->context, IR_F32, NULL, 2),
                         ir_type_tensor(f->context, IR_F32, NULL, IR_NDIM_UNKNOWN));
    assert_ptr_not_equal(ir_type_func(f->context, pair, 2, pair[0], true),
                         ir_type_func(f->context, pair, 2, pair[0], false));
    /* No dimension is open in a rank of 0. */
    assert_non_null(ir_type_tensor(f->context, IR_F32, NULL, 0)->dims);
    assert_true(ir_type_is_void(ir_type_tuple(f->context, NULL, 0)));
}

static void test_interning_survives_growth(void **state)
{
    struct fixture *f = *state;
    const struct ir_type *first = matrix(f, number(f, 0), f->n_expr);

    for (int i = 0; i < 5000; i++)
        assert_ptr_equal(matrix(f, number(f, i), f->n_expr), matrix(f, number(f, i), f->n_expr));
    assert_ptr_equal(first, matrix(f, number(f, 0), f->n_expr));
}

static void assert_check(struct fixture *f, const struct ir_type *base,
                         const struct ir_type *derived, enum ir_check expected)
{
    assert_int_equal(ir_type_check(f->context, base, derived), expected);
}

static void test_levels_of_tensors(void **state)
{
    struct fixture *f = *state;
    struct ir_context *c = f->context;
    const struct ir_expr *next = ir_expr_binary(c, IR_EXPR_add, f->n_expr, number(f, 1));
    const struct ir_type *any = ir_type_any(c);
    const struct ir_type *n4 = matrix(f, f->n_expr, number(f, 4));
    const struct ir_type *rank2 = ir_type_tensor(c, IR_F32, NULL, 2);
    const struct ir_type *no_dtype = ir_type_tensor(c, IR_VOID, NULL, 2);
    const struct ir_type *unknown = ir_type_tensor(c, IR_VOID, NULL, IR_NDIM_UNKNOWN);

    assert_check(f, any, n4, IR_CHECK_PASS);
    assert_check(f, n4, any, IR_CHECK_FAIL_KNOWN);
    assert_check(f, n4, ir_type_shape(c, NULL, 2), IR_CHECK_FAIL_KIND);
    assert_check(f, unknown, n4, IR_CHECK_PASS);
    assert_check(f, no_dtype, n4, IR_CHECK_PASS);
    assert_check(f, rank2, n4, IR_CHECK_PASS);
    assert_check(f, rank2, no_dtype, IR_CHECK_FAIL_KNOWN);
    assert_check(f, no_dtype, unknown, IR_CHECK_FAIL_KNOWN);
    assert_check(f, rank2, ir_type_tensor(c, IR_F16, NULL, 2), IR_CHECK_FAIL_KIND);
    assert_check(f, rank2, ir_type_tensor(c, IR_F32, NULL, 3), IR_CHECK_FAIL_KIND);
    assert_check(f, n4, rank2, IR_CHECK_FAIL_VALUE);
    assert_check(f, n4, matrix(f, f->m_expr, number(f, 4)), IR_CHECK_FAIL_VALUE);
    assert_check(f, n4, matrix(f, f->n_expr, number(f, 5)), IR_CHECK_FAIL_KIND);
    assert_check(f, n4, matrix(f, next, number(f, 4)), IR_CHECK_FAIL_KIND);
    assert_check(f, n4, matrix(f, number(f, 3), number(f, 4)), IR_CHECK_FAIL_VALUE);
    assert_check(f, ir_type_tensor_full(c, IR_F32, NULL, 2, NULL, "llvm:0"), rank2,
                 IR_CHECK_FAIL_KNOWN);
    assert_check(f, ir_type_tensor_full(c, IR_F32, NULL, 2, NULL, "llvm:0"),
                 ir_type_tensor_full(c, IR_F32, NULL, 2, NULL, "llvm:1"), IR_CHECK_FAIL_KIND);
}

static void test_levels_of_the_rest(void **state)
{
    struct fixture *f = *state;
    struct ir_context *c = f->context;
    const struct ir_type *any = ir_type_any(c);
    const struct ir_type *i64 = ir_type_prim(c, IR_I64);
    const struct ir_type *of_n = vector(f, f->n_expr);
    const struct ir_type *of_m = vector(f, f->m_expr);
    const struct ir_type *values[] = {of_n, any};
    const struct ir_type *kinds[] = {of_m, i64};
    const struct ir_type *n_to_n = ir_type_func(c, &of_n, 1, of_n, true);
    const struct ir_type *m_to_m = ir_type_func(c, &of_m, 1, of_m, true);
    const struct ir_type *opaque = ir_type_func_opaque(c, NULL, false, NULL);

    assert_check(f, i64, ir_type_prim(c, IR_I32), IR_CHECK_FAIL_KIND);
    assert_check(f, ir_type_shape(c, NULL, IR_NDIM_UNKNOWN), ir_type_shape(c, NULL, 2),
                 IR_CHECK_PASS);
    assert_check(f, ir_type_shape(c, NULL, 2), ir_type_shape(c, NULL, IR_NDIM_UNKNOWN),
                 IR_CHECK_FAIL_KNOWN);
    assert_check(f, ir_type_shape(c, &f->n_expr, 1), ir_type_shape(c, NULL, 1),
                 IR_CHECK_FAIL_VALUE);
    /* A tuple is as its worst field. */
    assert_check(f, ir_type_tuple(c, values, 2), ir_type_tuple(c, kinds, 2), IR_CHECK_FAIL_VALUE);
    assert_check(f, ir_type_tuple(c, kinds, 2), ir_type_tuple(c, values, 2), IR_CHECK_FAIL_KNOWN);
    assert_check(f, ir_type_tuple(c, values, 2), ir_type_tuple(c, values, 1), IR_CHECK_FAIL_KIND);
    /* Symbols of a function type are its own; a pure function may stand for an impure one. */
    assert_check(f, n_to_n, m_to_m, IR_CHECK_PASS);
    assert_check(f, ir_type_func(c, &of_n, 1, of_n, false), m_to_m, IR_CHECK_PASS);
    assert_check(f, n_to_n, ir_type_func(c, &of_m, 1, of_m, false), IR_CHECK_FAIL_KIND);
    assert_check(f, opaque, n_to_n, IR_CHECK_PASS);
    assert_check(f, n_to_n, ir_type_func_opaque(c, NULL, true, NULL), IR_CHECK_FAIL_VALUE);
    assert_check(f, ir_type_packed(c), n_to_n, IR_CHECK_FAIL_KIND);
    /* (n, m) and (k, k) are not one type: renaming must work both ways. */
    const struct ir_type *two[] = {of_n, of_m};
    const struct ir_type *same[] = {of_n, of_n};
    assert_check(f, ir_type_func(c, two, 2, any, true), ir_type_func(c, same, 2, any, true),
                 IR_CHECK_FAIL_VALUE);
}

static void test_join(void **state)
{
    struct fixture *f = *state;
    struct ir_context *c = f->context;
    const struct ir_type *of_n = vector(f, f->n_expr);
    const struct ir_type *of_m = vector(f, f->m_expr);
    const struct ir_type *any = ir_type_any(c);
    const struct ir_type *halves = ir_type_tensor(c, IR_F16, &f->n_expr, 1);

    assert_ptr_equal(ir_type_join(c, of_n, of_n), of_n);
    assert_ptr_equal(ir_type_join(c, of_n, of_m), ir_type_tensor(c, IR_F32, NULL, 1));
    assert_ptr_equal(ir_type_join(c, of_n, halves), ir_type_tensor(c, IR_VOID, &f->n_expr, 1));
    assert_ptr_equal(ir_type_join(c, of_n, matrix(f, f->n_expr, f->n_expr)),
                     ir_type_tensor(c, IR_F32, NULL, IR_NDIM_UNKNOWN));
    assert_ptr_equal(ir_type_join(c, of_n, ir_type_prim(c, IR_I64)), any);
    assert_ptr_equal(ir_type_join(c, ir_type_prim(c, IR_I32), ir_type_prim(c, IR_I64)), any);
    assert_ptr_equal(ir_type_join(c, ir_type_tuple(c, &of_n, 1), ir_type_tuple(c, &of_m, 1)),
                     ir_type_tuple(c, &(const struct ir_type *){ir_type_join(c, of_n, of_m)}, 1));
    /* What is above two function types must not accept arguments that one of them refuses. */
    const struct ir_type *f_n = ir_type_func(c, &of_n, 1, any, true);
    const struct ir_type *f_h = ir_type_func(c, &halves, 1, any, false);
    assert_ptr_equal(ir_type_join(c, f_n, f_h), ir_type_func_opaque(c, any, false, NULL));
    /* The join is a base of both. */
    const struct ir_type *all[] = {of_n, of_m, halves, any, f_n, f_h, ir_type_tuple(c, &of_n, 1)};
    for (unsigned i = 0; i < ARRAY_SIZE(all); i++) {
        for (unsigned j = 0; j < ARRAY_SIZE(all); j++) {
            const struct ir_type *join = ir_type_join(c, all[i], all[j]);
            assert_check(f, join, all[i], IR_CHECK_PASS);
            assert_check(f, join, all[j], IR_CHECK_PASS);
        }
    }
}

static bool is_n(void *state, const struct ir_var *var)
{
    return var == ((struct fixture *)state)->n;
}

static void test_symbols(void **state)
{
    struct fixture *f = *state;
    struct ir_context *c = f->context;
    const struct ir_expr *next = ir_expr_binary(c, IR_EXPR_add, f->n_expr, number(f, 1));
    const struct ir_type *params[] = {vector(f, f->n_expr), vector(f, f->m_expr)};
    const struct ir_type *result = matrix(f, next, f->m_expr);
    const struct ir_type *callee = ir_type_func(c, params, 2, result, true);
    const struct ir_type *args[] = {vector(f, number(f, 3)), ir_type_tensor(c, IR_F32, NULL, 1)};

    assert_ptr_equal(ir_type_erase(c, params[0], is_n, f), params[0]);
    assert_ptr_equal(ir_type_erase(c, result, is_n, f), ir_type_tensor(c, IR_F32, NULL, 2));
    /* n is 3; m is not known, and neither is a shape that uses it. */
    assert_ptr_equal(ir_type_call_result(c, callee, args, 2), ir_type_tensor(c, IR_F32, NULL, 2));
    args[1] = vector(f, f->n_expr); /* the caller's n */
    assert_ptr_equal(ir_type_call_result(c, callee, args, 2), matrix(f, number(f, 4), f->n_expr));
    /* A recursive call binds its own symbols to something with themselves in it. */
    args[0] = vector(f, next);
    args[1] = vector(f, f->m_expr);
    assert_ptr_equal(ir_type_call_result(c, callee, args, 2),
                     matrix(f, ir_expr_binary(c, IR_EXPR_add, f->n_expr, number(f, 2)), f->m_expr));
}

static void test_excess_is_known(void **state)
{
    struct fixture *f = *state;
    const struct ir_type *doubled = vector(f, f->n_expr);
    const struct ir_type *wrapped = doubled;
    const struct ir_expr *dim = f->n_expr;

    for (int i = 0; i < 14; i++) {
        const struct ir_type *two[] = {doubled, doubled};
        doubled = ir_type_tuple(f->context, two, 2);
    }
    assert_int_equal(doubled->part_count, IR_TYPE_PART_LIMIT);
    assert_int_equal(doubled->excess, IR_TYPE_FITS);
    const struct ir_type *function = ir_type_func(f->context, &wrapped, 1, doubled, true);
    assert_int_equal(function->excess, IR_TYPE_TOO_MANY_PARTS);
    for (int i = 0; i < 40; i++) {
        const struct ir_type *two[] = {doubled, doubled};
        doubled = ir_type_tuple(f->context, two, 2);
    }
    assert_true(doubled->part_count == UINT32_MAX);
    for (int i = 1; i < IR_TYPE_DEPTH_LIMIT; i++)
        wrapped = ir_type_tuple(f->context, &wrapped, 1);
    assert_int_equal(wrapped->excess, IR_TYPE_FITS);
    assert_int_equal(ir_type_tuple(f->context, &wrapped, 1)->excess, IR_TYPE_TOO_DEEP);
    for (int i = 0; i < 12; i++)
        dim = ir_expr_binary(f->context, IR_EXPR_floordiv,
                             ir_expr_binary(f->context, IR_EXPR_mul, dim, dim), f->m_expr);
    const struct ir_type *large = vector(f, dim);
    assert_int_equal(large->excess, IR_TYPE_LARGE_DIM);
    assert_int_equal(ir_type_tuple(f->context, &large, 1)->excess, IR_TYPE_LARGE_DIM);
    assert_true(strlen(ir_type_text(f->context, large)) < 1100);
}

/* What walks over many values of one type ask each time is worked out when the type is made. */
static void test_parts_are_placed(void **state)
{
    struct fixture *f = *state;
    const struct ir_type *one = vector(f, f->n_expr), *none = ir_type_tuple(f->context, NULL, 0);
    const struct ir_type *flat[] = {one, one, one};
    const struct ir_type *tuple = ir_type_tuple(f->context, flat, 3);
    const struct ir_type *mixed[] = {one, none, tuple, one};
    const struct ir_type *open[] = {tuple, ir_type_any(f->context)};

    assert_null(tuple->leaf_offsets);
    tuple = ir_type_tuple(f->context, mixed, 4);
    assert_int_equal(tuple->leaf_count, 5);
    assert_memory_equal(tuple->leaf_offsets, ((uint32_t[]){0, 1, 1, 4}), 4 * sizeof(uint32_t));
    assert_true(tuple->is_known && none->is_known);
    assert_false(ir_type_tuple(f->context, open, 2)->is_known);
    assert_false(ir_type_tensor(f->context, IR_F32, NULL, 2)->is_known);
    assert_true(ir_type_func(f->context, open, 2, one, true)->is_known);
}

static void test_text(void **state)
{
    struct fixture *f = *state;
    struct ir_context *c = f->context;
    const struct ir_type *of_n = vector(f, f->n_expr);
    const struct ir_type *both[] = {of_n, ir_type_prim(c, IR_I64)};

    assert_string_equal(ir_type_text(c, of_n), "R.Tensor((n,), dtype=\"float32\")");
    assert_string_equal(ir_type_text(c, ir_type_tensor(c, IR_F32, NULL, 0)),
                        "R.Tensor((), dtype=\"float32\")");
    assert_string_equal(ir_type_text(c, ir_type_tensor(c, IR_BF16, NULL, 2)),
                        "R.Tensor(dtype=\"bfloat16\", ndim=2)");
    assert_string_equal(ir_type_text(c, ir_type_tensor(c, IR_VOID, NULL, IR_NDIM_UNKNOWN)),
                        "R.Tensor");
    assert_string_equal(ir_type_text(c, ir_type_tuple(c, both, 2)),
                        "R.Tuple(R.Tensor((n,), dtype=\"float32\"), R.Prim(\"int64\"))");
    assert_string_equal(ir_type_text(c, ir_type_func(c, both, 1, both[1], true)),
                        "R.Callable((R.Tensor((n,), dtype=\"float32\"),), T.int64, True)");
}

static void test_sizes_are_checked(void **state)
{
    int64_t count;
    size_t bytes;

    assert_true(ir_shape_bytes((int64_t[]){3, 4}, 2, IR_F32, &bytes));
    assert_int_equal(bytes, 48);
    assert_true(ir_shape_elements(NULL, 0, &count));
    assert_int_equal(count, 1);
    assert_false(ir_shape_elements((int64_t[]){2, -1}, 2, &count));
    assert_false(ir_shape_elements((int64_t[]){INT64_MAX, 2}, 2, &count));
    assert_false(ir_shape_bytes((int64_t[]){INT64_MAX / 2}, 1, IR_F32, &bytes));
    /* Empty, whatever the other dimensions are; a negative one stays wrong. */
    assert_true(ir_shape_elements((int64_t[]){INT64_MAX, INT64_MAX, 0}, 3, &count));
    assert_int_equal(count, 0);
    assert_false(ir_shape_elements((int64_t[]){0, -1}, 2, &count));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_equal_types_are_one_object, setup, teardown),
        cmocka_unit_test_setup_teardown(test_interning_survives_growth, setup, teardown),
        cmocka_unit_test_setup_teardown(test_levels_of_tensors, setup, teardown),
        cmocka_unit_test_setup_teardown(test_levels_of_the_rest, setup, teardown),
        cmocka_unit_test_setup_teardown(test_join, setup, teardown),
        cmocka_unit_test_setup_teardown(test_symbols, setup, teardown),
        cmocka_unit_test_setup_teardown(test_excess_is_known, setup, teardown),
        cmocka_unit_test_setup_teardown(test_parts_are_placed, setup, teardown),
        cmocka_unit_test_setup_teardown(test_text, setup, teardown),
        cmocka_unit_test(test_sizes_are_checked),
    };

    return cmocka_run_group_tests_name("type", tests, NULL, NULL);
}
