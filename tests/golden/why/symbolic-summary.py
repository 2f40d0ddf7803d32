# RUN: why --summary --skip=FuseOps,FuseTIR
# Sums are expressions where dimensions are symbols; symbols of one name are one.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), z: R.Tensor((8,), "float32")):
        t = R.exp(x)
        a = R.tanh(t)
        b = R.sqrt(z)
        return (t, a, b)

    @R.function
    def other(x: R.Tensor(("n", "m"), "float16")):
        t = R.exp(x)
        a = R.tanh(t)
        return a
# OUT:
# in-place: 1, fresh: 4
# saved: m * n * 2 bytes, missed: m * n * 2 + n * 32 + 32 bytes
# missed by IP004, the storage belongs to the caller: 3, m * n * 2 + n * 16 + 32 bytes
# missed by IP003, the argument, or an alias of it, is part of the function's result: 1, n * 16 bytes
# what-if: donate `x` of `other`: m * n * 2 bytes
# what-if: donate `x` of `main`: n * 16 bytes
# what-if: donate `z` of `main`: 32 bytes
