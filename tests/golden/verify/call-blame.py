# FAIL: check
# One argument against all others: it misfits, though it comes first and binds the symbols; nothing else is said of that call.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def add(y: T.Buffer(("n", "m"), "float32"), x: T.Buffer(("n", "m"), "float32")):
        n, m = T.int64(), T.int64()
        for i, j in T.grid(n, m):
            y[i, j] = y[i, j] + x[i, j]

    @T.prim_func(private=True)
    def swap(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")):
        for i in range(8):
            b[i] = a[i]

    @T.prim_func(private=True)
    def halve(a: T.Buffer((8,), "float16"), b: T.Buffer((8,), "float16")):
        for i in range(8):
            b[i] = a[i]

    @R.function
    def blamed(x: R.Tensor(("n", "m"), "float32")):
        n, m = T.int64(), T.int64()
        cls = Module
        more = R.concat((x, R.zeros((1, m), "float32")), axis=0)
        y = R.call_tir_inplace(cls.add, (more, x), out_ty=R.Tensor((n, m), "float32"), inplace_indices=[0])
        return y

    @R.function
    def twice(x: R.Tensor((8,), "float32"), y: R.Tensor((8,), "float32")):
        cls = Module
        z = R.call_tir_inplace(cls.swap, (x, y), out_ty=[R.Tensor((8,), "float32"), R.Tensor((8,), "float32")], inplace_indices=[1, 1])
        return z

    @R.function
    def empty(x: R.Tensor((8,), "float32"), y: R.Tensor((8,), "float32")):
        cls = Module
        z = R.call_tir_inplace(cls.swap, (x, y), out_ty=R.Tensor((8,), "float32"), inplace_indices=[])
        return z

    @R.function
    def declared(x: R.Tensor((8,), "float16")) -> R.Tensor((8,), "float32"):
        cls = Module
        y = R.call_tir(cls.halve, (x,), out_ty=R.Tensor((8,), "float32"))
        return y

    @R.function
    def follows(x: R.Tensor((8,), "float32")):
        cls = Module
        y = R.call_tir(cls.swap, (x,), out_ty=R.Tensor((9,), "float32"))
        z = R.call_tir(cls.swap, (y,), out_ty=R.Tensor((8,), "float32"))
        return z
# OUT:
# error[E0513]: argument 1 of `add` is R.Tensor((n + 1, m), dtype="float32"), but parameter `y` is T.Buffer((n, m), "float32")
#   --> call-blame.py:29:42
#    |
#  9 |     def add(y: T.Buffer(("n", "m"), "float32"), x: T.Buffer(("n", "m"), "float32")):
#    |             - the parameter
# ...
# 29 |         y = R.call_tir_inplace(cls.add, (more, x), out_ty=R.Tensor((n, m), "float32"), inplace_indices=[0])
#    |                                          ^^^^  - with this, `n` of the kernel is n
#    |
#    = note: dimension 0 differs
#
# error[E0305]: `R.call_tir_inplace`: outputs 0 and 1 both want argument 1
#   --> call-blame.py:35:133
#    |
# 35 |         z = R.call_tir_inplace(cls.swap, (x, y), out_ty=[R.Tensor((8,), "float32"), R.Tensor((8,), "float32")], inplace_indices=[1, 1])
#    |                                                                                                                                  -  ^
#    |                                                                                                                                  |
#    |                                                                                                                                  the first one
#    |
# help: argument 0 is left, and of the type of output 1
#    |
# 35 |         z = R.call_tir_inplace(cls.swap, (x, y), out_ty=[R.Tensor((8,), "float32"), R.Tensor((8,), "float32")], inplace_indices=[1, 0])
#    |                                                                                                                                     ~
#
# error[E0305]: `R.call_tir_inplace`: inplace_indices has 0 entries for 1 output
#   --> call-blame.py:41:100
#    |
# 41 |         z = R.call_tir_inplace(cls.swap, (x, y), out_ty=R.Tensor((8,), "float32"), inplace_indices=[])
#    |                                                                                                    ^^
#    |
# help: the kernel writes the arguments `[1]`
#    |
# 41 |         z = R.call_tir_inplace(cls.swap, (x, y), out_ty=R.Tensor((8,), "float32"), inplace_indices=[1])
#    |                                                                                                     +
#
# error[E0513]: output 1 of `halve` is R.Tensor((8,), dtype="float32"), but parameter `b` is T.Buffer((8,), "float16")
#   --> call-blame.py:47:48
#    |
# 20 |     def halve(a: T.Buffer((8,), "float16"), b: T.Buffer((8,), "float16")):
#    |                                             - the parameter
# ...
# 47 |         y = R.call_tir(cls.halve, (x,), out_ty=R.Tensor((8,), "float32"))
#    |                                                ^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
# help: the function is declared to return float32: let the kernel make it
#    |
# 20 |     def halve(a: T.Buffer((8,), "float16"), b: T.Buffer((8,), "float32")):
#    |                                                                     ~~
#
# error[E0513]: output 1 of `swap` is R.Tensor((9,), dtype="float32"), but parameter `b` is T.Buffer((8,), "float32")
#   --> call-blame.py:53:47
#    |
# 15 |     def swap(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")):
#    |                                            - the parameter
# ...
# 53 |         y = R.call_tir(cls.swap, (x,), out_ty=R.Tensor((9,), "float32"))
#    |                                               ^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
# help: the kernel makes `R.Tensor((8,), "float32")`
#    |
# 53 |         y = R.call_tir(cls.swap, (x,), out_ty=R.Tensor((8,), "float32"))
#    |                                                         ~
#    = note: dimension 0 differs
#
