/*
 * Loops that run in lanes of vectors or on several threads: the bits of the interpreter, for all dtypes, lengths
 * around the widths of vectors, levels and numbers of threads.
 */
#include "runtime/pool.h"
#include "tests/unit/codegen_build.h"

static const struct ir_dtype dtypes[] = {
    {IR_INT, 8, 1},    {IR_INT, 16, 1},    {IR_INT, 32, 1},  {IR_INT, 64, 1},   {IR_UINT, 8, 1},
    {IR_UINT, 16, 1},  {IR_UINT, 32, 1},   {IR_UINT, 64, 1}, {IR_FLOAT, 16, 1}, {IR_FLOAT, 32, 1},
    {IR_FLOAT, 64, 1}, {IR_BFLOAT, 16, 1}, {IR_BOOL, 8, 1},
};
enum { DTYPES = sizeof(dtypes) / sizeof(*dtypes), LENGTH_LIMIT = 20000, THREADS = 4 };

static const struct ir_expr *binary(struct fixture *f, enum ir_expr_kind kind,
                                    const struct ir_expr *a, const struct ir_expr *b)
{
    return ir_expr_binary(f->context, kind, a, b);
}

/* n - 1 - i */
static const struct ir_expr *backwards(struct fixture *f, const struct ir_expr *n,
                                       const struct ir_expr *i)
{
    return binary(f, IR_EXPR_sub, binary(f, IR_EXPR_sub, n, i64(f, 1)), i);
}

/* a < b ? max(a, b) - a : a // b + b, or for bool: a < b ? a or b : a and b */
static const struct ir_expr *combine(struct fixture *f, struct ir_dtype dtype,
                                     const struct ir_expr *a, const struct ir_expr *b)
{
    const struct ir_expr *less = binary(f, IR_EXPR_lt, a, b);
    if (ir_dtype_is_bool(dtype))
        return ir_expr_select(f->context, less, binary(f, IR_EXPR_or, a, b),
                              binary(f, IR_EXPR_and, a, b));
    const struct ir_expr *up = binary(f, IR_EXPR_sub, binary(f, IR_EXPR_max, a, b), a);
    enum ir_expr_kind division = ir_dtype_is_float(dtype) ? IR_EXPR_div : IR_EXPR_floordiv;
    const struct ir_expr *down = binary(f, IR_EXPR_add, binary(f, division, a, b), b);
    return ir_expr_select(f->context, less, up, down);
}

/* for i in <kind>(n): B[n - 1 - i] = combine(A[i], A[n - 1 - i]), and behind it the same again with an if */
static void build(struct fixture *f, struct ir_dtype dtype, enum tir_for_kind kind)
{
    const struct ir_var *n = ir_symbol_new(f->context, atom(f, "n"), IR_I64);
    const struct ir_var *m = ir_symbol_new(f->context, atom(f, "m"), IR_I64);
    const struct ir_var *i = ir_var_new(f->context, atom(f, "i"), IR_I64);
    struct tir_func *func = add_kernel(f, "loop");
    struct ir_buffer *a = add_vector(f, func, "A", dtype, use(f, n));
    struct ir_buffer *b = add_vector(f, func, "B", dtype, use(f, n));
    const struct ir_expr *here = use(f, i), *there = backwards(f, use(f, n), here);
    const struct ir_expr *x = load(f, a, here), *y = load(f, a, there);
    struct tir_stmt *first = tir_store(f->module, b, &there, combine(f, dtype, x, y));
    struct tir_stmt *branch = tir_stmt_new(f->module, TIR_IF, (struct location){0});
    const struct ir_expr *left = binary(f, IR_EXPR_floormod, here, i64(f, 3));
    branch->branch.condition = binary(f, IR_EXPR_eq, left, i64(f, 1));
    branch->branch.then_body =
        tir_store(f->module, b, &there, combine(f, dtype, load(f, b, there), x));
    struct tir_stmt *both[] = {first, branch};
    func->body = tir_for(f->module, i, use(f, n), tir_seq(f->module, both, 2));
    func->body->loop.kind = kind;
    struct ir_value *param = add_param(f, "x", dtype, use(f, m));
    call_and_return(f, "loop", &param, 1, dtype, use(f, m));
}

static struct inlay_tensor *numbers(struct ir_dtype dtype, int64_t count)
{
    static unsigned char bytes[LENGTH_LIMIT * 8];
    size_t size = (size_t)count * ir_dtype_bytes(dtype);
    for (size_t i = 0; i < size; i++)
        bytes[i] = ir_dtype_is_bool(dtype) ? i % 3 == 0 : (unsigned char)(i * 37 + i / 7 + i / 64);
    return vector(dtype, bytes, count);
}

static void run_on(inlay_entry_fn *entry, struct inlay_pool *pool, struct inlay_tensor *tensor,
                   struct run *out)
{
    struct inlay_value arg = {.kind = INLAY_TENSOR, .tensor = tensor};
    out->frame = inlay_frame_create(&(struct inlay_host){.pool = pool});
    out->is_good = entry(out->frame, &arg, 1, &out->result, 1) == 0;
}

static void check_length(struct fixture *f, inlay_entry_fn *const *entries,
                         struct inlay_pool *const *pools, struct ir_dtype dtype, int64_t length)
{
    struct inlay_tensor *tensor = numbers(dtype, length);
    struct run reference;
    interpreted(f, &tensor, 1, &reference);
    assert_true(reference.is_good);
    for (unsigned level = 0; level < LEVELS; level++)
        for (unsigned i = 0; pools[i]; i++) {
            struct run run;
            run_on(entries[level], pools[i], tensor, &run);
            assert_same(&run, &reference);
            inlay_frame_destroy(run.frame);
        }
    inlay_frame_destroy(reference.frame);
    inlay_tensor_destroy(tensor);
}

static void check_lengths(struct ir_dtype dtype, enum tir_for_kind kind, unsigned vector_bytes,
                          const int64_t *lengths, unsigned count)
{
    struct fixture f;
    struct codegen *codegens[LEVELS];
    inlay_entry_fn *entries[LEVELS];
    struct inlay_pool *pools[] = {inlay_pool_create(1), inlay_pool_create(2),
                                  inlay_pool_create(THREADS), NULL};
    start(&f);
    build(&f, dtype, kind);
    for (unsigned i = 0; i < LEVELS; i++) {
        struct codegen_options options = {.opt_level = i, .target = target_host()};
        if (vector_bytes) /* as many, also where the machine's vectors are shorter */
            options.target.vector_bytes = vector_bytes;
        codegens[i] = f.api->create(f.diag, &options);
        assert_true(codegens[i] && f.api->compile(codegens[i], f.module));
        entries[i] = f.api->find(codegens[i], "main");
        assert_non_null(entries[i]);
    }
    for (unsigned i = 0; i < count; i++)
        check_length(&f, entries, pools, dtype, lengths[i]);
    bool is_divided = kind == TIR_PARALLEL && lengths[count - 1] == LENGTH_LIMIT;
    assert_int_equal(inlay_pool_started(pools[2]), is_divided ? THREADS - 1 : 0);
    for (unsigned i = 0; pools[i]; i++)
        inlay_pool_destroy(pools[i]);
    for (unsigned i = 0; i < LEVELS; i++)
        f.api->destroy(codegens[i]);
    finish(&f);
}

static void test_lanes(void **state)
{
    static const int64_t lengths[] = {0,  1,  2,  3,  7,  8,   9,   15,  16,  17,  31,
                                      32, 33, 63, 64, 65, 127, 128, 129, 255, 257, 1000};
    for (unsigned i = 0; i < DTYPES; i++)
        check_lengths(dtypes[i], TIR_VECTORIZED, 0, lengths, sizeof(lengths) / sizeof(*lengths));
}

/* As for other machines, with a rest under a mask or one by one. */
static void test_widths(void **state)
{
    static const int64_t lengths[] = {0, 1, 5, 8, 16, 31, 33, 100};
    static const unsigned widths[] = {16, 32, 64};
    for (unsigned i = 0; i < DTYPES; i++)
        check_lengths(dtypes[i], TIR_VECTORIZED, widths[i % 3], lengths,
                      sizeof(lengths) / sizeof(*lengths));
    for (unsigned i = 0; i < 3; i++)
        check_lengths(IR_F32, TIR_VECTORIZED, widths[i], lengths,
                      sizeof(lengths) / sizeof(*lengths));
}

static void test_threads(void **state)
{
    static const int64_t lengths[] = {0, 1, 9, 1000, LENGTH_LIMIT};
    for (unsigned i = 0; i < DTYPES; i++)
        check_lengths(dtypes[i], TIR_PARALLEL, 0, lengths, sizeof(lengths) / sizeof(*lengths));
}

/* Of a symbolic length: there is nothing to unroll, so it is a serial loop. */
static void test_unroll_of_any_length(void **state)
{
    static const int64_t lengths[] = {0, 1, 33};
    check_lengths(IR_F32, TIR_UNROLLED, 0, lengths, sizeof(lengths) / sizeof(*lengths));
}

/* B[i] = A[i + 4]: the last lanes, or an iteration of the rest, are outside. */
static void test_bounds(void **state)
{
    static const enum tir_for_kind kinds[] = {TIR_VECTORIZED, TIR_PARALLEL};
    static const int64_t lengths[] = {1, 5, 16, 20, 64, 100, 130};
    for (unsigned i = 0; i < 2 * sizeof(lengths) / sizeof(*lengths); i++) {
        struct fixture f;
        start(&f);
        const struct ir_var *n = ir_symbol_new(f.context, atom(&f, "n"), IR_I64);
        const struct ir_var *m = ir_symbol_new(f.context, atom(&f, "m"), IR_I64);
        const struct ir_var *j = ir_var_new(f.context, atom(&f, "j"), IR_I64);
        struct tir_func *func = add_kernel(&f, "shift");
        struct ir_buffer *a = add_vector(&f, func, "A", IR_F32, use(&f, n));
        struct ir_buffer *b = add_vector(&f, func, "B", IR_F32, use(&f, n));
        const struct ir_expr *to = use(&f, j), *from = binary(&f, IR_EXPR_add, to, i64(&f, 4));
        func->body =
            tir_for(f.module, j, use(&f, n), tir_store(f.module, b, &to, load(&f, a, from)));
        func->body->loop.kind = kinds[i % 2];
        struct ir_value *param = add_param(&f, "x", IR_F32, use(&f, m));
        call_and_return(&f, "shift", &param, 1, IR_F32, use(&f, m));
        struct inlay_tensor *tensor = numbers(IR_F32, lengths[i / 2]);
        check(&f, &tensor, 1, NULL);
        finish(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lanes),   cmocka_unit_test(test_widths),
        cmocka_unit_test(test_threads), cmocka_unit_test(test_unroll_of_any_length),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests_name("codegen_loops", tests, NULL, NULL);
}
