/*
 * The verifier on modules that no script can make: each test builds a good module, breaks one thing,
 * and wants exactly that to be found.
 */
#include "base/text.h"
#include "ir/build.h"
#include "ir/verify.h"
#include "tests/unit/test.h"

#include <string.h>

struct fixture {
    struct ir_context *context;
    struct ir_module *module;
    struct diag *diag;
    struct ir_function *function;
    struct ir_builder b;
    struct ir_value *x, *first, *second; /* parameter; two tuples, the second of the first */
    struct ir_op *end;
};

static struct ir_value *tuple_of(struct fixture *f, struct ir_value *value)
{
    return &ir_build(&f->b, ir_core_op(f->context, IR_CORE_tuple), &value, 1, NULL)->result;
}

static struct ir_op *end_with(struct fixture *f, enum ir_core core, struct ir_value *value)
{
    return ir_build(&f->b, ir_core_op(f->context, core), &value, 1, NULL);
}

static struct ir_function *add_function(struct fixture *f, const char *name,
                                        const struct ir_type *param)
{
    struct ir_global *global = ir_module_add(f->module, name, IR_GLOBAL_FUNCTION);

    global->function = ir_function_new(f->module, name);
    global->function->is_pure = true;
    ir_function_add_param(global->function, "x", param);
    return global->function;
}

/* Sets the types that callers see. */
static void close_function(struct fixture *f, struct ir_function *function,
                           const struct ir_type *result)
{
    const struct ir_type *param = function->params[0]->type;

    function->result = result;
    ir_module_find(f->module, function->name)->type =
        ir_type_func(f->context, &param, 1, result, true);
}

static int setup(void **state)
{
    static struct fixture f;

    f = (struct fixture){.context = ir_context_create()};
    f.module = ir_module_create(f.context);
    f.diag = diag_create();
    f.function = add_function(&f, "main", ir_type_tensor(f.context, IR_F32, NULL, IR_NDIM_UNKNOWN));
    f.x = f.function->params[0];
    f.b = (struct ir_builder){.module = f.module,
                              .diag = f.diag,
                              .block = ir_block_append(f.module, f.function->body, false)};
    f.first = tuple_of(&f, f.x);
    f.second = tuple_of(&f, f.first);
    f.end = end_with(&f, IR_CORE_return, f.second);
    close_function(&f, f.function, f.second->type);
    *state = &f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    diag_destroy(f->diag);
    ir_module_destroy(f->module);
    ir_context_destroy(f->context);
    return 0;
}

/* The verifier says @expected, and only that if it is given once. */
static void assert_finds(struct fixture *f, const char *expected)
{
    struct text text = {0};

    assert_false(ir_verify(f->module, f->diag));
    diag_print(f->diag, DIAG_FORMAT_SHORT, false, &text);
    if (!strstr(text_string(&text), expected))
        print_error("wanted: %s\nfound:\n%s", expected, text_string(&text));
    assert_non_null(strstr(text_string(&text), expected));
    text_finish(&text);
}

static void test_good_module(void **state)
{
    struct fixture *f = *state;

    assert_true(ir_verify(f->module, f->diag));
    assert_int_equal(diag_message_count(f->diag), 0);
}

static void test_use_before_definition(void **state)
{
    struct fixture *f = *state;

    ir_op_unlink(f->second->def);
    ir_op_insert_before(f->first->def, f->second->def);
    assert_finds(f, "which is not defined there");
}

static void test_unlinked_use(void **state)
{
    struct fixture *f = *state;

    f->end->operands[0].value = f->first; /* not by ir_op_set_operand() */
    assert_finds(f, "use");
}

static void test_use_by_a_removed_op(void **state)
{
    struct fixture *f = *state;

    ir_op_set_operand(f->end, 0, f->first);
    ir_op_unlink(f->second->def); /* still reads `first` */
    f->function->result = f->first->type;
    assert_finds(f, "a value has uses outside of its function");
}

static void test_missing_type(void **state)
{
    struct fixture *f = *state;

    f->first->type = NULL;
    assert_finds(f, "the type of `tuple` is missing");
}

static void test_wrong_type(void **state)
{
    struct fixture *f = *state;

    f->first->type = ir_type_prim(f->context, IR_I64);
    assert_finds(f, "E0253");
}

static void test_missing_end(void **state)
{
    struct fixture *f = *state;

    ir_op_erase(f->end);
    assert_finds(f, "a body has no end");
}

static void test_end_in_the_middle(void **state)
{
    struct fixture *f = *state;

    f->b.before = f->second->def;
    end_with(f, IR_CORE_return, f->first);
    assert_finds(f, "`return` stands where it ends nothing");
}

static void test_dataflow_without_output(void **state)
{
    struct fixture *f = *state;

    f->b.block->is_dataflow = true;
    assert_finds(f, "a dataflow block has no `output`");
}

static void test_value_of_a_dataflow_block(void **state)
{
    struct fixture *f = *state;
    struct ir_block *plain = ir_block_append(f->module, f->function->body, false);

    ir_op_unlink(f->end);
    ir_op_append(plain, f->end);
    f->b.block->is_dataflow = true;
    end_with(f, IR_CORE_output, f->first);
    assert_finds(f, "is read outside of its dataflow block");
}

/* An `if` whose result is a value of its first branch. */
static void test_value_of_a_branch(void **state)
{
    struct fixture *f = *state;
    struct ir_value *condition = ir_inline_prim(f->module, ir_expr_int(f->context, IR_B1, 1));
    struct ir_builder inner = f->b;
    struct ir_value *in_branch = NULL;

    struct ir_op *branch = ir_op_new(f->module, ir_core_op(f->context, IR_CORE_if), &condition, 1);
    branch->regions = arena_array(&f->module->arena, struct ir_region *, 2);
    branch->region_count = 2;
    ir_op_insert_before(f->end, branch);
    for (unsigned i = 0; i < 2; i++) {
        branch->regions[i] = ir_region_new(f->module, f->function, branch);
        f->b.block = ir_block_append(f->module, branch->regions[i], false);
        in_branch = tuple_of(f, f->first);
        end_with(f, IR_CORE_yield, in_branch);
    }
    f->b = inner;
    assert_true(ir_op_infer(f->module, f->diag, branch));
    assert_true(ir_verify(f->module, f->diag));
    ir_op_set_operand(f->end, 0, in_branch);
    assert_finds(f, "which is not defined there");
}

static void test_symbol_of_two_functions(void **state)
{
    struct fixture *f = *state;
    const struct ir_expr *n = ir_expr_var(f->context, ir_symbol_new(f->context, "n", IR_I64));
    const struct ir_type *type = ir_type_tensor(f->context, IR_F32, &n, 1);

    for (int i = 0; i < 2; i++) {
        struct ir_function *function = add_function(f, i ? "g" : "h", type);
        f->b.block = ir_block_append(f->module, function->body, false);
        end_with(f, IR_CORE_return, function->params[0]);
        close_function(f, function, type);
    }
    assert_finds(f, "symbol `n` is also one of `h`");
}

static void test_undefined_symbol(void **state)
{
    struct fixture *f = *state;
    const struct ir_expr *n = ir_expr_var(f->context, ir_symbol_new(f->context, "n", IR_I64));
    struct ir_value *shape = ir_inline_shape(f->module, &n, 1);

    f->b.before = f->end;
    tuple_of(f, shape);
    assert_finds(f, "E0503");
}

/* A kernel that copies a into b over i, and what of it is broken. */
struct kernel {
    struct tir_func *func;
    struct ir_buffer *a, *b;
    const struct ir_var *i;
    struct tir_stmt *store, *loop;
};

static struct kernel add_kernel(struct fixture *f)
{
    struct kernel k;
    const struct ir_expr *four = ir_expr_int(f->context, IR_I32, 4);
    const struct ir_expr *index;

    struct ir_global *global = ir_module_add(f->module, "copy", IR_GLOBAL_KERNEL);
    k.func = global->kernel = tir_func_new(f->module, "copy");
    k.a = tir_buffer_new(f->module, "a", IR_F32, &four, 1);
    k.b = tir_buffer_new(f->module, "b", IR_F32, &four, 1);
    tir_func_add_buffer(k.func, k.a);
    tir_func_add_buffer(k.func, k.b);
    k.i = ir_var_new(f->context, "i", IR_I32);
    index = ir_expr_var(f->context, k.i);
    k.store = tir_store(f->module, k.b, &index, ir_expr_load(f->context, k.a, &index, 1));
    k.loop = tir_for(f->module, k.i, four, k.store);
    k.func->body = k.loop;
    return k;
}

static void test_good_kernel(void **state)
{
    struct fixture *f = *state;

    add_kernel(f);
    assert_true(ir_verify(f->module, f->diag));
}

static void test_kernel_variable_outside_of_its_loop(void **state)
{
    struct fixture *f = *state;
    struct kernel k = add_kernel(f);

    k.func->body = k.store;
    assert_finds(f, "E0450");
}

static void test_kernel_variable_twice(void **state)
{
    struct fixture *f = *state;
    struct kernel k = add_kernel(f);
    struct tir_stmt *both[] = {k.loop, k.loop};

    k.func->body = tir_seq(f->module, both, 2);
    assert_finds(f, "`i` is defined twice");
}

static void test_kernel_buffer_of_nobody(void **state)
{
    struct fixture *f = *state;
    struct kernel k = add_kernel(f);

    k.func->param_count = 1;
    assert_finds(f, "E0452");
}

static void test_kernel_dtypes(void **state)
{
    struct fixture *f = *state;
    struct kernel k = add_kernel(f);

    k.b->dtype = IR_F64;
    assert_finds(f, "a store to `b` has another dtype");
}

/* What is stored is @value, of the fixture's kernel. */
static void assert_store_finds(struct fixture *f, struct kernel *k, const struct ir_expr *value,
                               const char *what)
{
    k->store->store.value = value;
    assert_finds(f, what);
}

/* @operand in each of four lanes. */
static const struct ir_expr *in_lanes(struct fixture *f, const struct ir_expr *operand)
{
    struct ir_dtype dtype = {operand->dtype.code, operand->dtype.bits, 4};

    return ir_expr_new(f->context, IR_EXPR_broadcast, dtype, &operand, 1);
}

static void test_kernel_lanes_of_a_cast(void **state)
{
    struct fixture *f = *state;
    struct kernel k = add_kernel(f);
    const struct ir_expr *lanes = in_lanes(f, ir_expr_int(f->context, IR_I32, 1));

    assert_store_finds(f, &k, ir_expr_new(f->context, IR_EXPR_cast, IR_F32, &lanes, 1),
                       "an operand has another number of lanes than its place");
}

static void test_kernel_lanes_of_a_function(void **state)
{
    struct fixture *f = *state;
    struct kernel k = add_kernel(f);
    const struct ir_expr *lanes = in_lanes(f, ir_expr_float(f->context, IR_F32, 1));

    assert_store_finds(f, &k, ir_expr_call(f->context, IR_F32, "exp", &lanes, 1),
                       "an operand has another number of lanes than its place");
}

static void test_kernel_lanes_of_a_store(void **state)
{
    struct fixture *f = *state;
    struct kernel k = add_kernel(f);

    assert_store_finds(f, &k, in_lanes(f, ir_expr_float(f->context, IR_F32, 1)),
                       "a store to `b` has another number of lanes");
}

static void test_kernel_lanes_of_a_condition(void **state)
{
    struct fixture *f = *state;
    struct kernel k = add_kernel(f);
    struct tir_stmt *stmt = tir_stmt_new(f->module, TIR_IF, (struct location){0});

    stmt->branch.condition = in_lanes(f, ir_expr_int(f->context, IR_B1, 1));
    stmt->branch.then_body = k.loop;
    k.func->body = stmt;
    assert_finds(f, "a condition is a vector");
}

static void test_kernel_lanes_of_a_loop(void **state)
{
    struct fixture *f = *state;
    struct kernel k = add_kernel(f);
    const struct ir_expr *extent = in_lanes(f, k.loop->loop.extent);

    k.loop->loop.extent = extent;
    k.loop->loop.min = extent;
    assert_finds(f, "the extent of a loop is a vector");
}

static void test_kernel_rank(void **state)
{
    struct fixture *f = *state;
    struct kernel k = add_kernel(f);

    k.store->store.index_count = 0;
    assert_finds(f, "buffer `b` of rank 1 has 0 indices");
}

static void test_all_are_found(void **state)
{
    struct fixture *f = *state;
    struct kernel k = add_kernel(f);

    k.func->body = k.store;
    k.b->dtype = IR_F64;
    f->first->type = NULL;
    ir_op_erase(f->end);
    assert_false(ir_verify(f->module, f->diag));
    assert_true(diag_error_count(f->diag) >= 4);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_good_module),
        TEST(test_use_before_definition),
        TEST(test_unlinked_use),
        TEST(test_use_by_a_removed_op),
        TEST(test_missing_type),
        TEST(test_wrong_type),
        TEST(test_missing_end),
        TEST(test_end_in_the_middle),
        TEST(test_dataflow_without_output),
        TEST(test_value_of_a_dataflow_block),
        TEST(test_value_of_a_branch),
        TEST(test_symbol_of_two_functions),
        TEST(test_undefined_symbol),
        TEST(test_good_kernel),
        TEST(test_kernel_variable_outside_of_its_loop),
        TEST(test_kernel_variable_twice),
        TEST(test_kernel_buffer_of_nobody),
        TEST(test_kernel_dtypes),
        TEST(test_kernel_lanes_of_a_cast),
        TEST(test_kernel_lanes_of_a_function),
        TEST(test_kernel_lanes_of_a_store),
        TEST(test_kernel_lanes_of_a_condition),
        TEST(test_kernel_lanes_of_a_loop),
        TEST(test_kernel_rank),
        TEST(test_all_are_found),
    };

    return cmocka_run_group_tests_name("verify", tests, NULL, NULL);
}
