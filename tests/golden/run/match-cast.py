# RUN: run --in "x=2x3:iota"
# A match_cast names the sizes of a tensor whose shape was not known.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(ndim=2, dtype="float32")) -> R.Tensor(ndim=1, dtype="float32"):
        a = T.int64()
        b = T.int64()
        y = R.match_cast(x, R.Tensor((a, b), dtype="float32"))
        z = R.reshape(y, (a * b,))
        return z
# OUT:
# result: (6,) float32
# [0. 1. 2. 3. 4. 5.]
