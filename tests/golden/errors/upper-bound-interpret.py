# FAIL: run --interpret --dim n=33
# As upper-bound.py, in the interpreter, and in a tuple.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(t: R.Tuple(R.Tensor((4,), "float32"), R.Tensor(("n", 4), "float32")), w: R.Tensor((4, 16), "float32")):
        n = T.int64()
        R.func_attr({"tir_var_upper_bound": {"n": 32}})
        a = R.matmul(t[1], w)
        b = R.permute_dims(a)
        c = R.exp(b)
        d = R.permute_dims(c)
        return R.sum(d, axis=[1])
# OUT:
# error[E0801]: dimension 0 of argument 1 (`t[1]`) of `main` is 33, but `n` may be at most 32 (tir_var_upper_bound)
#   --> upper-bound-interpret.py:11:5
#    |
# 11 |     def main(t: R.Tuple(R.Tensor((4,), "float32"), R.Tensor(("n", 4), "float32")), w: R.Tensor((4, 16), "float32")):
#    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
