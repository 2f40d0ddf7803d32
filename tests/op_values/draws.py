# Made by scripts/make-op-values.py.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(
        x0: R.Tensor(("b", "v"), dtype="float32"),
        x1: R.Tensor(("s", 1), dtype="float32"),
        x2: R.Tensor(("s", 1), dtype="int64"),
        x3: R.Tensor((1, 1), dtype="float32"),
        x4: R.Tensor((2, 1), dtype="float32"),
        x5: R.Tensor((2, 1), dtype="int64"),
        x6: R.Tensor((2, 4), dtype="float32"),
        x7: R.Tensor((0, 1), dtype="float32"),
        x8: R.Tensor((0, 1), dtype="int64"),
        x9: R.Tensor((2, 3), dtype="float32"),
        x10: R.Tensor((2, 1), dtype="float32"),
        x11: R.Tensor((2, 1), dtype="int64"),
    ):
        b = T.int64()
        s = T.int64()
        v = T.int64()
        y0 = R.multinomial_from_uniform(x0, x1, x2, dtype="int64")
        y1 = R.multinomial_from_uniform(x0, x1, x2, dtype="int32")
        y2 = R.multinomial_from_uniform(x3, x4, x5, dtype="int64")
        y3 = R.multinomial_from_uniform(x3, x4, x5, dtype="int32")
        y4 = R.multinomial_from_uniform(x6, x7, x8, dtype="int64")
        y5 = R.multinomial_from_uniform(x6, x7, x8, dtype="int32")
        y6 = R.multinomial_from_uniform(x9, x10, x11)
        return (y0, y1, y2, y3, y4, y5, y6,)
