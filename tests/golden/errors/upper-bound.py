# FAIL: run --dim n=33
# A symbol with an upper bound is held to it where the function begins: plans of memory count on it.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, 16), "float32")):
        n = T.int64()
        R.func_attr({"tir_var_upper_bound": {"n": 32}})
        a = R.matmul(x, w)
        b = R.permute_dims(a)
        c = R.exp(b)
        d = R.permute_dims(c)
        return R.sum(d, axis=[1])
# OUT:
# error[E0801]: dimension 0 of argument 1 (`x`) of `main` is 33, but `n` may be at most 32 (tir_var_upper_bound)
#   --> upper-bound.py:11:5
#    |
# 11 |     def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, 16), "float32")):
#    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
