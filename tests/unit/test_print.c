/* The printer on modules built by hand; the texts follow TVM's own printer tests. */
#include "ir/build.h"
#include "ir/module.h"
#include "ir/print.h"
#include "tests/unit/test.h"

#include <math.h>
#include <string.h>

struct fixture {
    struct ir_context *context;
    struct ir_module *module;
    struct diag *diag;
};

static void start(struct fixture *f)
{
    f->context = ir_context_create();
    f->module = ir_module_create(f->context);
    f->diag = diag_create();
}

static void finish(struct fixture *f)
{
    ir_module_destroy(f->module);
    diag_destroy(f->diag);
    ir_context_destroy(f->context);
}

static void assert_module(const struct ir_module *module, const char *expected)
{
    struct text text = {0};
    ir_module_print(module, NULL, &text);
    assert_string_equal(text_string(&text), expected);
    text_finish(&text);
}

/* The module and its copy print as @expected, the copy even when the original is gone. */
static void assert_prints(struct fixture *f, const char *expected)
{
    assert_module(f->module, expected);
    struct ir_module *copy = ir_module_clone(f->module);
    ir_module_destroy(f->module);
    f->module = copy;
    assert_module(copy, expected);
}

static const struct ir_expr *i64(struct fixture *f, int64_t value)
{
    return ir_expr_int(f->context, IR_I64, value);
}

static const struct ir_expr *var(struct fixture *f, const struct ir_var *v)
{
    return ir_expr_var(f->context, v);
}

static const struct ir_type *tensor(struct fixture *f, const struct ir_expr *a,
                                    const struct ir_expr *b)
{
    const struct ir_expr *dims[] = {a, b};
    return ir_type_tensor(f->context, IR_F32, dims, b != NULL ? 2 : 1);
}

static struct ir_function *add_function(struct fixture *f, const char *name)
{
    struct ir_global *global = ir_module_add(f->module, name, IR_GLOBAL_FUNCTION);
    global->function = ir_function_new(f->module, name);
    return global->function;
}

static struct ir_value *build(struct fixture *f, struct ir_block *block, enum ir_core core,
                              struct ir_value *const *operands, unsigned count,
                              const struct ir_type *declared)
{
    struct ir_builder b = {.module = f->module, .diag = f->diag, .block = block};
    struct ir_op *op =
        ir_build_declared(&b, ir_core_op(f->context, core), operands, count, NULL, declared);
    assert_non_null(op);
    return &op->result;
}

static const char *atom(struct fixture *f, const char *text)
{
    return atom_intern_text(&f->context->atoms, text);
}

/* Y[vi, vj] = X[vi, vj] * 2 + Y[vi, vj] over n x 8. */
static struct tir_func *make_axpy(struct fixture *f, const char *name)
{
    struct tir_func *func = tir_func_new(f->module, name);
    func->is_private = true;
    const struct ir_expr *n = var(f, ir_symbol_new(f->context, "n", IR_I64));
    const struct ir_expr *shape[] = {n, i64(f, 8)};
    struct ir_buffer *x = tir_buffer_new(f->module, "X", IR_F32, shape, 2);
    struct ir_buffer *y = tir_buffer_new(f->module, "Y", IR_F32, shape, 2);
    tir_func_add_buffer(func, x);
    tir_func_add_buffer(func, y);
    const struct ir_var *i = ir_var_new(f->context, "i", IR_I64);
    const struct ir_var *j = ir_var_new(f->context, "j", IR_I64);
    struct tir_axis axes[] = {
        {.var = ir_var_new(f->context, "vi", IR_I64), .min = i64(f, 0), .extent = n},
        {.var = ir_var_new(f->context, "vj", IR_I64), .min = i64(f, 0), .extent = i64(f, 8)},
    };
    axes[0].value = var(f, i);
    axes[1].value = var(f, j);
    const struct ir_expr *at[] = {var(f, axes[0].var), var(f, axes[1].var)};
    const struct ir_expr *scaled =
        ir_expr_binary(f->context, IR_EXPR_mul, ir_expr_load(f->context, x, at, 2),
                       ir_expr_float(f->context, IR_F32, 2.0));
    const struct ir_expr *value =
        ir_expr_binary(f->context, IR_EXPR_add, scaled, ir_expr_load(f->context, y, at, 2));
    struct tir_stmt *block = tir_stmt_new(f->module, TIR_BLOCK, (struct location){0});
    block->block.name = atom(f, "axpy");
    block->block.axes = arena_array(&f->module->arena, struct tir_axis, 2);
    memcpy(block->block.axes, axes, sizeof(axes));
    block->block.axis_count = 2;
    block->block.body = tir_store(f->module, y, at, value);
    tir_block_infer_regions(f->module, block);
    struct tir_stmt *root = tir_stmt_new(f->module, TIR_BLOCK, (struct location){0});
    root->block.name = atom(f, "root");
    root->block.is_root = true;
    root->block.body = tir_for(f->module, i, n, tir_for(f->module, j, i64(f, 8), block));
    func->body = root;
    return func;
}

static void test_module(void **state)
{
    struct fixture f;
    start(&f);
    struct ir_function *main = add_function(&f, "main");
    struct ir_global *axpy = ir_module_add(f.module, "axpy", IR_GLOBAL_KERNEL);
    axpy->kernel = make_axpy(&f, "axpy");
    const struct ir_expr *n = var(&f, ir_symbol_new(f.context, "n", IR_I64));
    const struct ir_expr *twice = ir_expr_binary(f.context, IR_EXPR_mul, n, i64(&f, 2));
    const struct ir_type *type = tensor(&f, n, i64(&f, 8));
    struct ir_value *x = ir_function_add_param(main, "x", type);
    ir_function_add_param(main, "y", tensor(&f, twice, NULL));
    main->result = type;
    const char *key = atom(&f, "num_input");
    const struct ir_attr *one = ir_attr_int(f.context, 1);
    main->attrs = ir_attr_dict(f.context, &key, &one, 1);
    struct ir_block *block = ir_block_append(f.module, main->body, true);
    struct ir_builder b = {.module = f.module, .diag = f.diag, .block = block};
    struct ir_value *args[] = {x, x};
    struct ir_value *lv = ir_build_call_tir(&b, axpy, args, 2, type);
    lv->name = atom(&f, "lv");
    const struct ir_op_info *inplace = ir_core_op(f.context, IR_CORE_call_tir_inplace);
    const int64_t indices[] = {1};
    const struct ir_attr *attrs[] = {ir_attr_global(f.context, axpy),
                                     ir_attr_ints(f.context, indices, 1),
                                     ir_attr_bool(f.context, false)};
    struct ir_value *more[] = {x, lv};
    struct ir_op *op = ir_build_declared(&b, inplace, more, 2, attrs, type);
    ir_op_set_attr(op, "callee", attrs[0]);
    ir_op_set_attr(op, "inplace_indices", attrs[1]);
    ir_op_set_attr(op, "strict", ir_attr_bool(f.context, true));
    op->result.name = atom(&f, "lv"); /* bound again */
    struct ir_value *result = &op->result;
    build(&f, block, IR_CORE_output, &result, 1, NULL);
    build(&f, ir_block_append(f.module, main->body, false), IR_CORE_return, &result, 1, NULL);
    assert_prints(
        &f,
        "# from typing import TypeVar\n"
        "# from tvm.script import ir as I\n"
        "# from tvm.script import tirx as T\n"
        "# from tvm.tirx.layout import Axis\n"
        "# from tvm.script import relax as R\n"
        "\n"
        "n = TypeVar(\"n\")\n"
        "@I.ir_module\n"
        "class Module:\n"
        "    @T.prim_func(private=True, s_tir=True)\n"
        "    def axpy(X: T.Buffer((n, T.int64(8)), \"float32\"), Y: T.Buffer((n, T.int64(8)), "
        "\"float32\")):\n"
        "        # with T.sblock(\"root\"):\n"
        "        for i, j in T.grid(n, T.int64(8)):\n"
        "            with T.sblock(\"axpy\"):\n"
        "                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
        "                T.reads(X[vi, vj], Y[vi, vj])\n"
        "                T.writes(Y[vi, vj])\n"
        "                Y[vi, vj] = X[vi, vj] * T.float32(2.0) + Y[vi, vj]\n"
        "\n"
        "    @R.function\n"
        "    def main(x: R.Tensor((n, 8), dtype=\"float32\"), y: R.Tensor((\"n * 2\",), "
        "dtype=\"float32\")) -> R.Tensor((n, 8), dtype=\"float32\"):\n"
        "        R.func_attr({\"num_input\": 1})\n"
        "        cls = Module\n"
        "        with R.dataflow():\n"
        "            lv = R.call_tir(cls.axpy, (x, x), out_ty=R.Tensor((n, 8), "
        "dtype=\"float32\"))\n"
        "            lv_1: R.Tensor((n, 8), dtype=\"float32\") = R.call_tir_inplace(cls.axpy, (x, "
        "lv), out_ty=R.Tensor((n, 8), dtype=\"float32\"), inplace_indices=[1], strict=True)\n"
        "            R.output(lv_1)\n"
        "        return lv_1\n");
    finish(&f);
}

static void test_kernels_equal_up_to_names(void **state)
{
    struct fixture f;
    start(&f);
    struct tir_func *a = make_axpy(&f, "a"), *b = make_axpy(&f, "b");
    assert_true(tir_func_equal(a, b));
    assert_int_equal(tir_func_hash(a), tir_func_hash(b));
    b->params[0].buffer->dtype = IR_F64;
    assert_false(tir_func_equal(a, b));
    finish(&f);
}

static struct ir_value *scalar(struct fixture *f, float value)
{
    return ir_inline_constant(f->module,
                              ir_module_add_constant(f->module, IR_F32, NULL, 0, &value));
}

static void test_branches_and_constants(void **state)
{
    struct fixture f;
    start(&f);
    struct ir_function *main = add_function(&f, "main");
    f.module->is_bare_function = true;
    struct ir_value *c =
        ir_function_add_param(main, "c", ir_type_tensor(f.context, IR_B1, NULL, 0));
    struct ir_block *block = ir_block_append(f.module, main->body, false);
    struct ir_op *branch = ir_op_new(f.module, ir_core_op(f.context, IR_CORE_if), &c, 1);
    ir_op_append(block, branch);
    branch->result.name = atom(&f, "y");
    branch->region_count = 2;
    branch->regions = arena_array(&f.module->arena, struct ir_region *, 2);
    const float values[] = {1.5f, -INFINITY, NAN};
    for (unsigned i = 0; i < 2; i++) {
        branch->regions[i] = ir_region_new(f.module, main, branch);
        struct ir_block *inner = ir_block_append(f.module, branch->regions[i], false);
        struct ir_value *leaf = scalar(&f, values[i]);
        struct ir_value *w = build(&f, inner, IR_CORE_bind, &leaf, 1, NULL);
        w->name = atom(&f, "w");
        struct ir_value *last = i == 0 ? w : build(&f, inner, IR_CORE_bind, &w, 1, NULL);
        last->name = atom(&f, i == 0 ? "w" : "z");
        if (i == 0) { /* not the last binding: named by a line of its own */
            leaf = scalar(&f, values[2]);
            build(&f, inner, IR_CORE_bind, &leaf, 1, NULL)->name = atom(&f, "unused");
        }
        build(&f, inner, IR_CORE_yield, &last, 1, NULL);
    }
    assert_true(ir_op_infer(f.module, f.diag, branch));
    struct ir_value *result = &branch->result;
    build(&f, block, IR_CORE_return, &result, 1, NULL);
    main->result = result->type;
    assert_prints(&f, "# from tvm.script import relax as R\n"
                      "\n"
                      "@R.function\n"
                      "def main(c: R.Tensor((), dtype=\"bool\")) -> R.Tensor((), "
                      "dtype=\"float32\"):\n"
                      "    if c:\n"
                      "        w: R.Tensor((), dtype=\"float32\") = R.const(1.5, \"float32\")\n"
                      "        unused: R.Tensor((), dtype=\"float32\") = R.const(float(\"nan\"), "
                      "\"float32\")\n"
                      "        y: R.Tensor((), dtype=\"float32\") = w\n"
                      "    else:\n"
                      "        w: R.Tensor((), dtype=\"float32\") = R.const(float(\"-inf\"), "
                      "\"float32\")\n"
                      "        y: R.Tensor((), dtype=\"float32\") = w\n"
                      "    return y\n");
    finish(&f);
}

static void test_metadata(void **state)
{
    struct fixture f;
    start(&f);
    struct ir_function *main = add_function(&f, "main");
    f.module->is_bare_function = true;
    const int64_t shape[] = {3};
    const int32_t data[] = {1, 2, 3};
    struct ir_block *block = ir_block_append(f.module, main->body, false);
    ir_module_add_constant(f.module, IR_I32, shape, 1, data); /* not mentioned: not printed */
    struct ir_value *value =
        ir_inline_constant(f.module, ir_module_add_constant(f.module, IR_I32, shape, 1, data));
    build(&f, block, IR_CORE_return, &value, 1, NULL);
    main->result = value->type;
    const char *text = "# from tvm.script import relax as R\n"
                       "\n"
                       "@R.function\n"
                       "def main() -> R.Tensor((3,), dtype=\"int32\"):\n"
                       "    return metadata[\"ir.GenericConst\"][0]\n";
    struct text out = {0};
    struct ir_print_options options = {.show_all_types = true};
    ir_module_print(f.module, &options, &out);
    assert_memory_equal(text_string(&out), text, strlen(text));
    assert_string_equal(
        text_string(&out) + strlen(text),
        "\n# Metadata omitted. Use show_meta=True in script() method to show it.\n");
    text_clear(&out);
    ir_module_print(f.module, NULL, &out);
    assert_string_equal(text_string(&out) + out.length - strlen(text), text);
    /* magic, reserved, device 1:0, ndim 1, dtype 0:32:1, shape 3, 12 bytes, 1 2 3 */
    assert_non_null(strstr(text_string(&out),
                           "\\\"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAAgAQADAAAAAAAAAAwAAAAAAAAAAQA"
                           "AAAIAAAADAAAA\\\""));
    text_finish(&out);
    finish(&f);
}

static void assert_expr(struct fixture *f, const struct ir_expr *e, const char *expected)
{
    struct text text = {0};
    tir_expr_print(e, &text);
    assert_string_equal(text_string(&text), expected);
    text_finish(&text);
}

static const struct ir_expr *op(struct fixture *f, enum ir_expr_kind kind, const struct ir_expr *a,
                                const struct ir_expr *b)
{
    return ir_expr_binary(f->context, kind, a, b);
}

static void test_expressions(void **state)
{
    struct fixture f;
    start(&f);
    const struct ir_expr *a = var(&f, ir_var_new(f.context, "a", IR_I32));
    const struct ir_expr *b = var(&f, ir_var_new(f.context, "b", IR_I32));
    const struct ir_expr *one = ir_expr_int(f.context, IR_I32, 1);
    const struct ir_expr *sum = op(&f, IR_EXPR_add, a, b);
    const struct ir_expr *less = op(&f, IR_EXPR_lt, a, b);
    assert_expr(&f, op(&f, IR_EXPR_mul, sum, sum), "(a + b) * (a + b)");
    assert_expr(&f, op(&f, IR_EXPR_sub, sum, sum), "a + b - (a + b)");
    assert_expr(&f, op(&f, IR_EXPR_add, op(&f, IR_EXPR_mul, a, b), one), "a * b + 1");
    assert_expr(&f, op(&f, IR_EXPR_floordiv, a, op(&f, IR_EXPR_floormod, a, b)), "a // (a % b)");
    assert_expr(&f, op(&f, IR_EXPR_div, a, b), "T.Div(a, b)");
    assert_expr(&f, op(&f, IR_EXPR_add, a, ir_expr_int(f.context, IR_I32, 0)), "T.Add(a, 0)");
    assert_expr(&f, op(&f, IR_EXPR_add, one, one), "T.Add(1, 1)");
    assert_expr(&f, op(&f, IR_EXPR_mul, a, one), "T.Mul(a, 1)");
    assert_expr(&f, op(&f, IR_EXPR_eq, less, less), "(a < b) == (a < b)");
    assert_expr(&f, op(&f, IR_EXPR_and, less, op(&f, IR_EXPR_or, less, less)),
                "a < b and (a < b or a < b)");
    assert_expr(&f, ir_expr_not(f.context, op(&f, IR_EXPR_and, less, less)),
                "not (a < b and a < b)");
    assert_expr(&f, op(&f, IR_EXPR_min, a, b), "T.min(a, b)");
    assert_expr(&f, ir_expr_cast(f.context, IR_F32, a), "T.Cast(\"float32\", a)");
    assert_expr(&f, i64(&f, -3), "T.int64(-3)");
    assert_expr(&f, ir_expr_int(f.context, IR_B1, 1), "T.bool(True)");
    assert_expr(&f, ir_expr_int(f.context, IR_DTYPE(IR_UINT, 64), -1),
                "T.uint64(18446744073709551615)");
    assert_expr(&f, ir_expr_float(f.context, IR_F32, 0.1), "T.float32(0.10000000000000001)");
    assert_expr(&f, ir_expr_float(f.context, IR_F16, -0.0), "T.float16(-0.0)");
    assert_expr(&f, ir_expr_float(f.context, IR_F64, INFINITY), "T.float64(\"inf\")");
    assert_expr(&f, ir_expr_select(f.context, less, a, b), "T.Select(a < b, a, b)");
    const struct ir_expr *x = ir_expr_float(f.context, IR_F32, 1.0);
    assert_expr(&f, ir_expr_call(f.context, IR_F32, "exp", &x, 1), "T.exp(T.float32(1.0))");
    assert_expr(&f, ir_expr_call(f.context, IR_I32, "reinterpret", &x, 1),
                "T.reinterpret(\"int32\", T.float32(1.0))");
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_module),
        cmocka_unit_test(test_kernels_equal_up_to_names),
        cmocka_unit_test(test_branches_and_constants),
        cmocka_unit_test(test_metadata),
        cmocka_unit_test(test_expressions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
