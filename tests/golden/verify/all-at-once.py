# FAIL: check
# One run shows the violations of all functions and kernels.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(a: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("double"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = a[v_i] * T.float32(2)

    @T.prim_func(private=True)
    def open_symbol(a: T.Buffer((4,), "int32")):
        m = T.int32()
        for i in range(4):
            with T.sblock("fill"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = m

    @R.function
    def first(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        _ = R.print(x, format="{}")
        return x

    @R.function
    def second(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"global_symbol": "third"})
        cls = Module
        y = R.call_tir_inplace(cls.double, (x,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[3])
        return y
# OUT:
# error[E0450]: `m` has no value here
#   --> all-at-once.py:22:26
#    |
# 18 |         m = T.int32()
#    |         - declared here, which gives it no value
# ...
# 22 |                 a[v_i] = m
#    |                          ^
#    |
#    = help: let it be a dimension of a parameter, or a parameter itself
#
# error[E0505]: `first` is pure, but calls `print`, which has an effect
#   --> all-at-once.py:26:13
#    |
# 25 |     def first(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
#    |         ----- `first` is pure unless it says otherwise
# 26 |         _ = R.print(x, format="{}")
#    |             ^^^^^^^^^^^^^^^^^^^^^^^
#    |
# help: write `@R.function(pure=False)`
#    |
# 24 |     @R.function(pure=False)
#    |                ++++++++++++
#
# error[E0502]: function `second` has the global_symbol `third`
#   --> all-at-once.py:30:9
#    |
# 30 |     def second(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
#    |         ^^^^^^
#    |
#    = help: leave `global_symbol` out: it is the name of the function
#
# error[E0305]: `R.call_tir_inplace`: entry 0 is 3, and arguments are 0 to 0
#   --> all-at-once.py:33:101
#    |
# 33 |         y = R.call_tir_inplace(cls.double, (x,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[3])
#    |                                                                                                     ^
#    |
# help: the kernel writes argument 0, which no entry names
#    |
# 33 |         y = R.call_tir_inplace(cls.double, (x,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
#    |                                                                                                     ~
#
