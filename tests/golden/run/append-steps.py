# RUN: run --in past=3x4:iota --in x=1x4:ones
# Functions that the module calls copy: a call cannot say what room there is.  The numbers are those of three steps.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function(private=True)
    def step(past: R.Tensor(("n", 4), "float32"), x: R.Tensor((1, 4), "float32")) -> R.Tensor(("n + 1", 4), "float32"):
        n = T.int64()
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"past": 8}})
        k = R.concat((past, R.negative(x)), axis=0)
        return k
    @R.function
    def main(past: R.Tensor(("n", 4), "float32"), x: R.Tensor((1, 4), "float32")) -> R.Tensor(("n + 3", 4), "float32"):
        n = T.int64()
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"past": 8}})
        cls = Module
        a = cls.step(past, x)
        b = cls.step(a, R.add(x, x))
        c = cls.step(b, x)
        return c

# OUT:
# result: (6, 4) float32
# [[ 0.  1.  2.  3.]
#  [ 4.  5.  6.  7.]
#  [ 8.  9. 10. 11.]
#  [-1. -1. -1. -1.]
#  [-2. -2. -2. -2.]
#  [-1. -1. -1. -1.]]
