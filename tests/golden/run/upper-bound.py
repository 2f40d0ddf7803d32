# RUN: run --check --dim n=32 --vectors=32
# A size may be as much as its upper bound.
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
# result: (32,) float32
# [19.7248 18.1581 15.2404 17.1104 19.3053 21.2789 19.3678 17.0423 16.9078 18.3804 17.7459
#  18.3287  18.789 17.2855 25.3574 20.3436 25.7258 20.7787 18.5261 18.2211 19.3152 18.2217
#   16.991 18.1481 20.7675 17.2462 17.8399 18.0092 19.5028 19.4225 20.7291 21.3961]
