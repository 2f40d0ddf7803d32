# RUN: run --in c=false --in x=3:iota
# What one branch reads the other one gives, whatever the run notes of it in the first.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(c: R.Tensor((), "bool"), x: R.Tensor((3,), "float32")):
        k = R.const([1, 2, 3], "float32")
        if c:
            v = R.add(k, x)
        else:
            v = k
        return R.add(v, x)
# OUT:
# result: (3,) float32
# [1. 3. 5.]
