/*
 * The code generator on kernels built by hand: every result is compared with the interpreter, bit by
 * bit, at all levels of optimization, and where it is short with numbers worked out by hand.
 */
#include "ops/ids.h"
#include "tests/unit/codegen_build.h"

#include <unistd.h>

/* B[i] = (A[i] + A[i]) * A[i] for @dtype, over a symbolic length. */
static void build_polynomial(struct fixture *f, struct ir_dtype dtype)
{
    const struct ir_var *n = ir_symbol_new(f->context, atom(f, "n"), IR_I64);
    const struct ir_var *m = ir_symbol_new(f->context, atom(f, "m"), IR_I64);
    const struct ir_var *i = ir_var_new(f->context, atom(f, "i"), IR_I64);
    struct tir_func *func = add_kernel(f, "polynomial");
    struct ir_buffer *a = add_vector(f, func, "A", dtype, use(f, n));
    struct ir_buffer *b = add_vector(f, func, "B", dtype, use(f, n));
    const struct ir_expr *index = use(f, i), *x = load(f, a, index);
    const struct ir_expr *sum = ir_expr_binary(f->context, IR_EXPR_add, x, x);
    const struct ir_expr *value = ir_expr_binary(f->context, IR_EXPR_mul, sum, x);
    func->body = tir_for(f->module, i, use(f, n), tir_store(f->module, b, &index, value));
    struct ir_value *x_param = add_param(f, "x", dtype, use(f, m));
    call_and_return(f, "polynomial", &x_param, 1, dtype, use(f, m));
}

static void test_every_dtype(void **state)
{
    static const struct ir_dtype dtypes[] = {
        {IR_INT, 8, 1},    {IR_INT, 16, 1},   {IR_INT, 32, 1},   {IR_INT, 64, 1},
        {IR_UINT, 8, 1},   {IR_UINT, 16, 1},  {IR_UINT, 32, 1},  {IR_UINT, 64, 1},
        {IR_FLOAT, 16, 1}, {IR_FLOAT, 32, 1}, {IR_FLOAT, 64, 1}, {IR_BFLOAT, 16, 1},
        {IR_BOOL, 8, 1},
    };
    for (size_t i = 0; i < sizeof(dtypes) / sizeof(dtypes[0]); i++) {
        struct fixture f;
        start(&f);
        build_polynomial(&f, dtypes[i]);
        unsigned char bytes[512];
        for (size_t j = 0; j < sizeof(bytes); j++)
            bytes[j] = dtypes[i].code == IR_BOOL ? j % 3 == 0 : (unsigned char)(j * 37 + j / 7);
        struct inlay_tensor *x = vector(dtypes[i], bytes, 512 / ir_dtype_bytes(dtypes[i]));
        check(&f, &x, 1, NULL);
        finish(&f);
    }
}

static void test_numbers(void **state)
{
    struct fixture f;
    start(&f);
    build_polynomial(&f, IR_F32);
    const float x[] = {1, -2, 0.5f, 3, 10}, expected[] = {2, 8, 0.5f, 18, 200};
    struct inlay_tensor *tensor = vector(IR_F32, x, 5);
    check(&f, &tensor, 1, expected);
    finish(&f);
}

static void test_nothing(void **state)
{
    struct fixture f;
    start(&f);
    build_polynomial(&f, IR_F32);
    struct inlay_tensor *tensor = vector(IR_F32, NULL, 0);
    check(&f, &tensor, 1, "");
    finish(&f);
}

/* C[i] = A[i] <kind> B[i] */
static void build_binary(struct fixture *f, enum ir_expr_kind kind, struct ir_dtype dtype,
                         int64_t count)
{
    const struct ir_var *i = ir_var_new(f->context, atom(f, "i"), IR_I64);
    struct tir_func *func = add_kernel(f, "binary");
    struct ir_buffer *a = add_vector(f, func, "A", dtype, i64(f, count));
    struct ir_buffer *b = add_vector(f, func, "B", dtype, i64(f, count));
    bool is_compare = ir_expr_is_compare(kind);
    struct ir_dtype result = is_compare ? IR_B1 : dtype;
    struct ir_buffer *c = add_vector(f, func, "C", result, i64(f, count));
    const struct ir_expr *index = use(f, i);
    const struct ir_expr *value =
        ir_expr_binary(f->context, kind, load(f, a, index), load(f, b, index));
    func->body = tir_for(f->module, i, i64(f, count), tir_store(f->module, c, &index, value));
    struct ir_value *args[] = {add_param(f, "a", dtype, i64(f, count)),
                               add_param(f, "b", dtype, i64(f, count))};
    call_and_return(f, "binary", args, 2, result, i64(f, count));
}

static void check_binary(enum ir_expr_kind kind, struct ir_dtype dtype, const void *a,
                         const void *b, int64_t count, const void *expected)
{
    struct fixture f;
    start(&f);
    build_binary(&f, kind, dtype, count);
    struct inlay_tensor *tensors[] = {vector(dtype, a, count), vector(dtype, b, count)};
    check(&f, tensors, 2, expected);
    finish(&f);
}

static void test_division(void **state)
{
    enum { N = 10 };
    const int32_t a[N] = {7, -7, 7, -7, 0, 5, INT32_MIN, INT32_MIN, INT32_MAX, -1};
    const int32_t b[N] = {2, 2, -2, -2, 3, 0, -1, 0, -1, INT32_MIN};
    const int32_t quotient[N] = {3, -3, -3, 3, 0, 0, INT32_MIN, 0, -INT32_MAX, 0};
    const int32_t remainder[N] = {1, -1, 1, -1, 0, 0, 0, 0, 0, -1};
    const int32_t floor_quotient[N] = {3, -4, -4, 3, 0, 0, INT32_MIN, 0, -INT32_MAX, 0};
    const int32_t floor_remainder[N] = {1, 1, -1, -1, 0, 0, 0, 0, 0, -1};
    check_binary(IR_EXPR_div, IR_I32, a, b, N, quotient);
    check_binary(IR_EXPR_mod, IR_I32, a, b, N, remainder);
    check_binary(IR_EXPR_floordiv, IR_I32, a, b, N, floor_quotient);
    check_binary(IR_EXPR_floormod, IR_I32, a, b, N, floor_remainder);
    const uint8_t c[N] = {7, 255, 0, 9, 1, 200, 100, 3, 3, 0};
    const uint8_t d[N] = {2, 255, 0, 0, 255, 7, 101, 1, 2, 1};
    const uint8_t unsigned_quotient[N] = {3, 1, 0, 0, 0, 28, 0, 3, 1, 0};
    check_binary(IR_EXPR_floordiv, IR_DTYPE(IR_UINT, 8), c, d, N, unsigned_quotient);
}

static void test_every_operator(void **state)
{
    static const float x[] = {0.0f, -0.0f, 1.5f, -1.5f, INFINITY, -INFINITY, NAN, 1e-42f, 3e38f};
    enum { M = sizeof(x) / sizeof(x[0]), N = M * M };
    float a[N], b[N];
    for (int i = 0; i < N; i++) {
        a[i] = x[i / M];
        b[i] = x[i % M];
    }
    for (int kind = IR_EXPR_add; kind <= IR_EXPR_ge; kind++) {
        check_binary((enum ir_expr_kind)kind, IR_F32, a, b, N, NULL);
        check_binary((enum ir_expr_kind)kind, IR_I32, a, b, N, NULL); /* their bits */
        check_binary((enum ir_expr_kind)kind, IR_DTYPE(IR_INT, 8), a, b, N, NULL);
        check_binary((enum ir_expr_kind)kind, IR_F16, a, b, N, NULL);
        check_binary((enum ir_expr_kind)kind, IR_BF16, a, b, N, NULL);
    }
}

/* B[i] = cast(A[i]) */
static void test_casts(void **state)
{
    static const struct ir_dtype dtypes[] = {
        {IR_INT, 8, 1},    {IR_INT, 64, 1},    {IR_UINT, 8, 1},
        {IR_UINT, 64, 1},  {IR_FLOAT, 16, 1},  {IR_FLOAT, 32, 1},
        {IR_FLOAT, 64, 1}, {IR_BFLOAT, 16, 1}, {IR_BOOL, 8, 1},
    };
    enum { TYPES = sizeof(dtypes) / sizeof(dtypes[0]), N = 64 };
    const double numbers[] = {0.0,
                              -0.0,
                              1.0,
                              -1.0,
                              0.5,
                              1.5,
                              2.5,
                              65504.0,
                              65519.99,
                              65520.0,
                              1e-8,
                              5.9e-8,
                              6.1e-5,
                              300.0,
                              -129.0,
                              1e10,
                              -1e10,
                              1e19,
                              2e19,
                              1e300,
                              NAN,
                              INFINITY,
                              -INFINITY,
                              1.00048828125,
                              1.0004882812500002,
                              2049.0,
                              1.00390625,
                              1.0039062500000002,
                              9.2233720368547758e18,
                              16777217.0};
    for (size_t from = 0; from < TYPES; from++) {
        for (size_t to = 0; to < TYPES; to++) {
            struct fixture f;
            start(&f);
            const struct ir_var *i = ir_var_new(f.context, atom(&f, "i"), IR_I64);
            struct tir_func *func = add_kernel(&f, "cast");
            struct ir_buffer *a = add_vector(&f, func, "A", dtypes[from], i64(&f, N));
            struct ir_buffer *b = add_vector(&f, func, "B", dtypes[to], i64(&f, N));
            const struct ir_expr *index = use(&f, i);
            const struct ir_expr *value = ir_expr_cast(f.context, dtypes[to], load(&f, a, index));
            func->body = tir_for(f.module, i, i64(&f, N), tir_store(f.module, b, &index, value));
            struct ir_value *arg = add_param(&f, "a", dtypes[from], i64(&f, N));
            call_and_return(&f, "cast", &arg, 1, dtypes[to], i64(&f, N));
            uint64_t bytes[N];
            for (unsigned j = 0; j < N; j++) {
                bytes[j] = j * UINT64_C(0x9e3779b97f4a7c15);
                if (dtypes[from].bits == 64 && dtypes[from].code == IR_FLOAT)
                    memcpy(&bytes[j], &numbers[j % (sizeof(numbers) / sizeof(numbers[0]))], 8);
                if (dtypes[from].code == IR_BOOL)
                    bytes[j] &= UINT64_C(0x0101010101010101);
            }
            struct inlay_tensor *x = vector(dtypes[from], bytes, N);
            check(&f, &x, 1, NULL);
            finish(&f);
        }
    }
}

/* S[i] = sum over k of A[i * 4 + k]: a block with init. */
static void build_row_sum(struct fixture *f, int64_t rows, int64_t columns)
{
    const struct ir_var *i = ir_var_new(f->context, atom(f, "i"), IR_I64);
    const struct ir_var *k = ir_var_new(f->context, atom(f, "k"), IR_I64);
    const struct ir_var *vi = ir_var_new(f->context, atom(f, "vi"), IR_I64);
    const struct ir_var *vk = ir_var_new(f->context, atom(f, "vk"), IR_I64);
    struct tir_func *func = add_kernel(f, "row_sum");
    struct ir_buffer *a = add_vector(f, func, "A", IR_F32, i64(f, rows * columns));
    struct ir_buffer *s = add_vector(f, func, "S", IR_F32, i64(f, rows));
    const struct ir_expr *row = use(f, vi);
    const struct ir_expr *start_of_row =
        ir_expr_binary(f->context, IR_EXPR_mul, row, i64(f, columns));
    const struct ir_expr *place = ir_expr_binary(f->context, IR_EXPR_add, start_of_row, use(f, vk));
    const struct ir_expr *sum =
        ir_expr_binary(f->context, IR_EXPR_add, load(f, s, row), load(f, a, place));
    struct tir_stmt *block = tir_stmt_new(f->module, TIR_BLOCK, (struct location){0});
    struct tir_axis axes[] = {
        {.var = vi,
         .kind = TIR_SPATIAL,
         .min = i64(f, 0),
         .extent = i64(f, rows),
         .value = use(f, i)},
        {.var = vk,
         .kind = TIR_REDUCE,
         .min = i64(f, 0),
         .extent = i64(f, columns),
         .value = use(f, k)},
    };
    block->block.name = atom(f, "sum");
    block->block.axes = arena_array(&f->module->arena, struct tir_axis, 2);
    memcpy(block->block.axes, axes, sizeof(axes));
    block->block.axis_count = 2;
    block->block.init = tir_store(f->module, s, &row, ir_expr_float(f->context, IR_F32, 0.0));
    block->block.body = tir_store(f->module, s, &row, sum);
    func->body = tir_for(f->module, i, i64(f, rows), tir_for(f->module, k, i64(f, columns), block));
    struct ir_value *arg = add_param(f, "a", IR_F32, i64(f, rows * columns));
    call_and_return(f, "row_sum", &arg, 1, IR_F32, i64(f, rows));
}

static void test_reduction(void **state)
{
    struct fixture f;
    start(&f);
    build_row_sum(&f, 3, 4);
    const float x[] = {1, 2, 3, 4, 5, 6, 7, 8, -1, -2, -3, -4}, expected[] = {10, 26, -10};
    struct inlay_tensor *tensor = vector(IR_F32, x, 12);
    check(&f, &tensor, 1, expected);
    finish(&f);
}

/* B[i] = A[I[i]] */
static void check_gather(const int64_t *indices, int64_t count, const float *expected)
{
    struct fixture f;
    start(&f);
    const struct ir_var *i = ir_var_new(f.context, atom(&f, "i"), IR_I64);
    struct tir_func *func = add_kernel(&f, "gather");
    struct ir_buffer *a = add_vector(&f, func, "A", IR_F32, i64(&f, 4));
    struct ir_buffer *index = add_vector(&f, func, "I", IR_I64, i64(&f, count));
    struct ir_buffer *b = add_vector(&f, func, "B", IR_F32, i64(&f, count));
    const struct ir_expr *place = use(&f, i);
    func->body = tir_for(f.module, i, i64(&f, count),
                         tir_store(f.module, b, &place, load(&f, a, load(&f, index, place))));
    struct ir_value *args[] = {add_param(&f, "a", IR_F32, i64(&f, 4)),
                               add_param(&f, "i", IR_I64, i64(&f, count))};
    call_and_return(&f, "gather", args, 2, IR_F32, i64(&f, count));
    const float x[] = {10, 11, 12, 13};
    struct inlay_tensor *tensors[] = {vector(IR_F32, x, 4), vector(IR_I64, indices, count)};
    check(&f, tensors, 2, expected);
    finish(&f);
}

static void test_bounds(void **state)
{
    check_gather((int64_t[]){3, 0, 1}, 3, (float[]){13, 10, 11});
    check_gather((int64_t[]){3, 4, 1}, 3, NULL);
    check_gather((int64_t[]){-1}, 1, NULL);
    check_gather((int64_t[]){INT64_MIN}, 1, NULL);
}

static void test_wrong_arguments(void **state)
{
    struct fixture f;
    start(&f);
    build_binary(&f, IR_EXPR_add, IR_F32, 4);
    struct inlay_tensor *good = vector(IR_F32, NULL, 4), *short_one = vector(IR_F32, NULL, 3),
                        *other = vector(IR_I32, NULL, 4);
    struct {
        struct inlay_tensor *tensors[2];
        unsigned count;
        const char *message;
    } rows[] = {
        {{good, short_one},
         2,
         "argument 2 (`b`) of `main` should have the shape (4,), but has (3,)"},
        {{other, good},
         2,
         "argument 1 (`a`) of `main` should have the dtype float32, but has int32"},
        {{good}, 1, "`main` takes 2 arguments, but was given 1"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct run run;
        struct codegen *codegen;
        compiled(&f, 1, rows[i].tensors, rows[i].count, &run, &codegen);
        assert_false(run.is_good);
        assert_int_equal(inlay_frame_error(run.frame)->kind, INLAY_ERROR_ARGUMENT);
        assert_string_equal(inlay_frame_error(run.frame)->message, rows[i].message);
        inlay_frame_destroy(run.frame);
        f.api->destroy(codegen);
    }
    inlay_tensor_destroy(good);
    inlay_tensor_destroy(short_one);
    inlay_tensor_destroy(other);
    finish(&f);
}

/* main(x, y): x is donated and becomes x + y in place. */
static void build_inplace(struct fixture *f)
{
    const struct ir_var *i = ir_var_new(f->context, atom(f, "i"), IR_I64);
    struct tir_func *func = add_kernel(f, "accumulate");
    struct ir_buffer *a = add_vector(f, func, "A", IR_F32, i64(f, 4));
    struct ir_buffer *b = add_vector(f, func, "B", IR_F32, i64(f, 4));
    const struct ir_expr *index = use(f, i);
    const struct ir_expr *sum =
        ir_expr_binary(f->context, IR_EXPR_add, load(f, a, index), load(f, b, index));
    func->body = tir_for(f->module, i, i64(f, 4), tir_store(f->module, a, &index, sum));
    struct ir_value *args[] = {add_param(f, "x", IR_F32, i64(f, 4)),
                               add_param(f, "y", IR_F32, i64(f, 4))};
    f->main->attrs = ir_attr_dict_with(f->context, NULL, atom(f, "relax.inplace_arg"),
                                       ir_attr_int(f->context, 0));
    int64_t indices[] = {0};
    const struct ir_attr *attrs[] = {
        ir_attr_global(f->context, ir_module_find(f->module, "accumulate")),
        ir_attr_ints(f->context, indices, 1),
        ir_attr_bool(f->context, false),
    };
    struct ir_builder b2 = builder(f);
    struct ir_op *op = ir_build_declared(&b2, ir_core_op(f->context, IR_CORE_call_tir_inplace),
                                         args, 2, attrs, args[0]->type);
    assert_non_null(op);
    add_return(f, &op->result);
}

static void test_inplace(void **state)
{
    struct fixture f;
    start(&f);
    build_inplace(&f);
    const float x[] = {1, 2, 3, 4}, y[] = {10, 20, 30, 40}, expected[] = {11, 22, 33, 44};
    struct inlay_tensor *tensors[] = {vector(IR_F32, x, 4), vector(IR_F32, y, 4)};
    struct run run;
    struct codegen *codegen;
    compiled(&f, 2, tensors, 2, &run, &codegen);
    assert_true(run.is_good);
    assert_ptr_equal(run.result.tensor->data, tensors[0]->data); /* no copy was made */
    assert_memory_equal(tensors[0]->data, expected, sizeof(expected));
    assert_memory_equal(tensors[1]->data, y, sizeof(y));
    inlay_frame_destroy(run.frame);
    f.api->destroy(codegen);
    struct inlay_tensor *same[] = {tensors[0], tensors[0]};
    compiled(&f, 2, same, 2, &run, &codegen);
    assert_false(run.is_good);
    assert_string_equal(inlay_frame_error(run.frame)->message,
                        "argument 1 (`x`) of `main` may be overwritten, but shares memory with "
                        "argument 2 (`y`) of `main`");
    assert_memory_equal(tensors[0]->data, expected, sizeof(expected));
    inlay_frame_destroy(run.frame);
    f.api->destroy(codegen);
    inlay_tensor_destroy(tensors[0]);
    inlay_tensor_destroy(tensors[1]);
    finish(&f);
}

/* The text of the module after optimization. */
static char *llvm_text(struct fixture *f, unsigned level)
{
    char path[] = "/tmp/inlay-test-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    struct codegen_options options = {.opt_level = level};
    struct codegen *codegen = f->api->create(f->diag, &options);
    assert_true(f->api->compile(codegen, f->module));
    assert_true(f->api->write(codegen, path, "ll"));
    f->api->destroy(codegen);
    char *text = calloc(1, 1 << 20);
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    assert_true(fread(text, 1, (1 << 20) - 1, stream) > 0);
    fclose(stream);
    remove(path);
    return text;
}

/* Objects and assembly are written whole, or not at all with a message. */
static void test_files(void **state)
{
    struct fixture f;
    start(&f);
    build_polynomial(&f, IR_F32);
    struct codegen_options options = {.opt_level = 1, .debug_info = true};
    struct codegen *codegen = f.api->create(f.diag, &options);
    assert_true(f.api->compile(codegen, f.module));
    char path[] = "/tmp/inlay-test-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_true(f.api->write(codegen, path, "o"));
    char head[5] = {0};
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    assert_int_equal(fread(head, 1, 4, stream), 4);
    fclose(stream);
    assert_string_equal(head, "\177ELF");
    assert_true(f.api->write(codegen, path, "s"));
    remove(path);
    assert_int_equal(diag_error_count(f.diag), 0);
    assert_false(f.api->write(codegen, "/no/such/folder/x.o", "o"));
    assert_false(f.api->write(codegen, path, "exe"));
    assert_int_equal(diag_error_count(f.diag), 2);
    f.api->destroy(codegen);
    finish(&f);
}

/* polynomial(@x) into the four elements that begin at byte @offset of @storage. */
static struct ir_value *call_into(struct fixture *f, struct ir_value *x, struct ir_value *storage,
                                  int64_t offset)
{
    struct ir_builder b = builder(f);
    const struct ir_expr *four = i64(f, 4);
    struct ir_value *operands[] = {storage, ir_inline_prim(f->module, i64(f, offset)),
                                   ir_inline_shape(f->module, &four, 1),
                                   ir_inline_dtype(f->module, IR_F32)};
    struct ir_value *args[] = {x, ir_build_op(&b, OP_memory_alloc_tensor, operands, 4)};
    const struct ir_attr *attrs[] = {
        ir_attr_global(f->context, ir_module_find(f->module, "polynomial")),
        ir_attr_ints(f->context, &(int64_t){1}, 1),
        ir_attr_bool(f->context, false),
    };
    struct ir_op *call =
        ir_build_declared(&b, ir_core_op(f->context, IR_CORE_call_tir_inplace), args, 2, attrs,
                          ir_type_tensor(f->context, IR_F32, &four, 1));
    assert_non_null(call);
    return &call->result;
}

/* Tensors in one piece of storage are as far apart as any others. */
static void test_one_storage(void **state)
{
    struct fixture f;
    start(&f);
    build_polynomial(&f, IR_F32);
    ir_op_erase(f.main->body->last->last);
    ir_op_erase(f.main->body->last->last);
    struct ir_builder b = builder(&f);
    const struct ir_expr *bytes = i64(&f, 128);
    struct ir_value *operands[] = {ir_inline_shape(f.module, &bytes, 1),
                                   ir_inline_prim(f.module, i64(&f, 0)),
                                   ir_inline_string(f.module, atom(&f, "global")),
                                   ir_inline_dtype(f.module, IR_DTYPE(IR_UINT, 8))};
    struct ir_value *storage = ir_build_op(&b, OP_memory_alloc_storage, operands, 4);
    struct ir_value *x = call_into(&f, add_param(&f, "four", IR_F32, i64(&f, 4)), storage, 64);
    add_return(&f, call_into(&f, x, storage, 0));
    char *text = llvm_text(&f, 0);
    char *kernel = strstr(text, "define internal i32 @inlay_kernel_polynomial(");
    assert_non_null(kernel);
    *strchr(kernel, '{') = 0;

    const char *first = strstr(kernel, " noalias ");
    const char *second = first ? strstr(first + 1, " noalias ") : NULL;
    assert_non_null(second);
    free(text);
    finish(&f);
}

/* Vectors are made of what is marked, at every level, and of nothing else. */
static void test_vectorized(void **state)
{
    for (unsigned level = 1; level <= 3; level++) {
        struct fixture f;
        start(&f);
        build_polynomial(&f, IR_F32);
        char *serial = llvm_text(&f, level);
        assert_null(strstr(serial, " x float>"));
        ir_module_find(f.module, "polynomial")->kernel->body->loop.kind = TIR_VECTORIZED;
        char *marked = llvm_text(&f, level);
        assert_non_null(strstr(marked, " x float>"));
        assert_null(strstr(marked, "index %lld")); /* no bounds to check */
        free(serial);
        free(marked);
        finish(&f);
    }
}

/* B[i] = max(A[i], C[i]) of float16, as vectors. */
static void build_maximum(struct fixture *f)
{
    const struct ir_expr *n = ir_expr_int(f->context, IR_I64, 64);
    const struct ir_var *i = ir_var_new(f->context, atom(f, "i"), IR_I64);
    struct tir_func *func = add_kernel(f, "maximum");
    struct ir_buffer *a = add_vector(f, func, "A", IR_F16, n);
    struct ir_buffer *c = add_vector(f, func, "C", IR_F16, n);
    struct ir_buffer *b = add_vector(f, func, "B", IR_F16, n);
    const struct ir_expr *index = use(f, i);
    const struct ir_expr *value =
        ir_expr_binary(f->context, IR_EXPR_max, load(f, a, index), load(f, c, index));
    func->body = tir_for(f->module, i, n, tir_store(f->module, b, &index, value));
    func->body->loop.kind = TIR_VECTORIZED;
    struct ir_value *params[] = {add_param(f, "x", IR_F16, n), add_param(f, "y", IR_F16, n)};
    call_and_return(f, "maximum", params, 2, IR_F16, n);
}

/* Machines have no comparison of vectors of halves: one number after the other would be compared. */
static void test_half_stays_wide(void **state)
{
    struct fixture f;
    start(&f);
    build_maximum(&f);
    char *text = llvm_text(&f, 2);
    bool is_compared = false;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        is_compared |= strstr(line, "fcmp") != NULL;
        assert_false(strstr(line, "fcmp") && strstr(line, "half"));
    }
    assert_true(is_compared);
    free(text);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),         cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_every_dtype),     cmocka_unit_test(test_division),
        cmocka_unit_test(test_every_operator),  cmocka_unit_test(test_casts),
        cmocka_unit_test(test_reduction),       cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_wrong_arguments), cmocka_unit_test(test_inplace),
        cmocka_unit_test(test_files),           cmocka_unit_test(test_vectorized),
        cmocka_unit_test(test_half_stays_wide), cmocka_unit_test(test_one_storage),
    };
    return cmocka_run_group_tests_name("codegen", tests, NULL, NULL);
}
