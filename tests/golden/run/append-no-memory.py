# RUN: run --in past=2x2:iota
# A bound that no memory has room for is none to a program that does not grow.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(past: R.Tensor(("n", 2), "float32")):
        n = T.int64()
        R.func_attr({"relax.inplace_arg": [0], "tir_var_upper_bound": {"n": 1000000000000000}})
        return R.negative(past)

# OUT:
# result: (2, 2) float32
# [[-0. -1.]
#  [-2. -3.]]
