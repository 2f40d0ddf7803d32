# Made by scripts/make-op-values.py.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(
        x0: R.Tensor((3, 4, 5), dtype="float32"),
        x1: R.Tensor(("a", "b", "c"), dtype="float32"),
        x2: R.Tensor((2, 6), dtype="int8"),
        x3: R.Tensor((2, 70), dtype="float16"),
        x4: R.Tensor((2, 0), dtype="float32"),
        x5: R.Tensor((11,), dtype="float32"),
        x6: R.Tensor((7,), dtype="float32"),
        x7: R.Tensor((1, 5), dtype="float32"),
        x8: R.Tensor((5,), dtype="float32"),
        x9: R.Tensor((4, 1), dtype="float32"),
        x10: R.Tensor((), dtype="float32"),
        x11: R.Tensor((3, 4, 5), dtype="float32"),
        x12: R.Tensor((5,), dtype="float32"),
        x13: R.Tensor((5,), dtype="int8"),
        x14: R.Tensor((3, 4, 5), dtype="int8"),
    ):
        a = T.int64()
        b = T.int64()
        c = T.int64()
        y0 = R.cumsum(x0, axis=0)
        y1 = R.cumsum(x0, axis=0, exclusive=True)
        y2 = R.cumsum(x1, axis=1)
        y3 = R.cumsum(x1, axis=1, exclusive=True)
        y4 = R.cumsum(x0, axis=-1)
        y5 = R.cumsum(x0, axis=-1, exclusive=True)
        y6 = R.cumsum(x0, axis=None)
        y7 = R.cumsum(x0, axis=None, exclusive=True)
        y8 = R.cumprod(x0, axis=0)
        y9 = R.cumprod(x0, axis=0, exclusive=True)
        y10 = R.cumprod(x1, axis=1)
        y11 = R.cumprod(x1, axis=1, exclusive=True)
        y12 = R.cumprod(x0, axis=-1)
        y13 = R.cumprod(x0, axis=-1, exclusive=True)
        y14 = R.cumprod(x0, axis=None)
        y15 = R.cumprod(x0, axis=None, exclusive=True)
        y16 = R.cumsum(x2, axis=1)
        y17 = R.cumsum(x2, axis=1, dtype="int64")
        y18 = R.cumsum(x3, axis=1)
        y19 = R.cumsum(x4, axis=1)
        y20 = R.bucketize(x5, x6)
        y21 = R.bucketize(x5, x6, out_int32=True, right=True)
        y22 = R.collapse_sum_to(x0, (1, 5))
        y23 = R.collapse_sum_like(x0, x7)
        y24 = R.collapse_sum_to(x0, (5,))
        y25 = R.collapse_sum_like(x0, x8)
        y26 = R.collapse_sum_to(x0, (4, 1))
        y27 = R.collapse_sum_like(x0, x9)
        y28 = R.collapse_sum_to(x0, ())
        y29 = R.collapse_sum_like(x0, x10)
        y30 = R.collapse_sum_to(x0, (3, 4, 5))
        y31 = R.collapse_sum_like(x0, x11)
        y32 = R.quantize(x0, x12, x13, axis=-1, out_dtype="int8")
        y33 = R.dequantize(x14, x12, x13, axis=-1, out_dtype="float32")
        return (y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15, y16, y17, y18, y19, y20, y21, y22, y23, y24, y25, y26, y27, y28, y29, y30, y31, y32, y33,)
