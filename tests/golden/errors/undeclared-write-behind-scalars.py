# FAIL: check
# A kernel writes an input, and no call says so; the scalars in front come as one shape.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def spoil(n: T.int64, m: T.int64, k: T.int64, a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            b[i] = a[i]
            a[i] = T.Cast("float32", n + m + k)

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        y = R.call_tir(cls.spoil, (x,), out_ty=R.Tensor((4,), "float32"), tir_vars=R.shape([1, 2, 3]))
        return y
# OUT:
# error[E0315]: kernel `spoil` writes its parameter `a`, which the call gives as input
#   --> undeclared-write-behind-scalars.py:19:13
#    |
# 11 |     def spoil(n: T.int64, m: T.int64, k: T.int64, a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
#    |                                                   - `a` is written in the kernel
# ...
# 19 |         y = R.call_tir(cls.spoil, (x,), out_ty=R.Tensor((4,), "float32"), tir_vars=R.shape([1, 2, 3]))
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = help: use R.call_tir_inplace with 0 in inplace_indices, and take the result
#
