# Made by scripts/make-op-values.py.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(
        x0: R.Tensor((2, 3), dtype="float32"),
        x1: R.Tensor(("n", "m"), dtype="float32"),
        x2: R.Tensor((), dtype="float32"),
    ):
        m = T.int64()
        n = T.int64()
        y0 = R.zeros_like(x0, dtype="float32")
        y1 = R.ones_like(x0, dtype="float32")
        y2 = R.zeros_like(x0, dtype="int64")
        y3 = R.ones_like(x0, dtype="int64")
        y4 = R.zeros_like(x0, dtype="bool")
        y5 = R.ones_like(x0, dtype="bool")
        y6 = R.zeros_like(x0, dtype="float16")
        y7 = R.ones_like(x0, dtype="float16")
        y8 = R.full_like(x0, R.const(2.5, "float32"))
        y9 = R.eye_like(x0, 1)
        y10 = R.zeros_like(x1, dtype="float32")
        y11 = R.ones_like(x1, dtype="float32")
        y12 = R.zeros_like(x1, dtype="int64")
        y13 = R.ones_like(x1, dtype="int64")
        y14 = R.zeros_like(x1, dtype="bool")
        y15 = R.ones_like(x1, dtype="bool")
        y16 = R.zeros_like(x1, dtype="float16")
        y17 = R.ones_like(x1, dtype="float16")
        y18 = R.full_like(x1, R.const(2.5, "float32"))
        y19 = R.eye_like(x1, 1)
        y20 = R.zeros((n, 2), dtype="float32")
        y21 = R.full((n, 3), R.const(7, "int32"))
        y22 = R.full((2,), R.const(-3.9, "float32"), dtype="int8")
        y23 = R.full((2, 2), x2)
        y24 = R.full((), x2)
        y25 = R.ones((0, 3), dtype="float64")
        y26 = R.eye(n, 4, -1, dtype="int32")
        y27 = R.eye(3)
        y28 = R.arange(10)
        y29 = R.arange(3, 11, 3)
        y30 = R.arange(11, 3, -3)
        y31 = R.arange(0, n)
        y32 = R.arange(0, 5, dtype="float16")
        y33 = R.arange(0.0, 1.0, 0.125)
        y34 = R.arange(5, 2)
        return (y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15, y16, y17, y18, y19, y20, y21, y22, y23, y24, y25, y26, y27, y28, y29, y30, y31, y32, y33, y34,)
