# RUN: run --in "x=3x2:iota"
# Symbolic sizes are bound by the inputs and computed with.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), dtype="float32")) -> R.Tensor(("n * m + 1",), dtype="float32"):
        n = T.int64()
        m = T.int64()
        a = R.reshape(x, (n * m,))
        b = R.full((1,), R.const(7, "float32"), "float32")
        c = R.concat((a, b), axis=0)
        return c
# OUT:
# result: (7,) float32
# [0. 1. 2. 3. 4. 5. 7.]
