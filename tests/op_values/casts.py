# Made by scripts/make-op-values.py.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(
        x0: R.Tensor((18,), dtype="float32"),
        x1: R.Tensor((11,), dtype="int64"),
        x2: R.Tensor((4,), dtype="uint64"),
        x3: R.Tensor((2,), dtype="bool"),
        x4: R.Tensor((5,), dtype="float32"),
    ):
        y0 = R.astype(x0, "int8")
        y1 = R.astype(x0, "uint8")
        y2 = R.astype(x0, "int16")
        y3 = R.astype(x0, "int32")
        y4 = R.astype(x0, "int64")
        y5 = R.astype(x0, "uint64")
        y6 = R.astype(x0, "float16")
        y7 = R.astype(x0, "float64")
        y8 = R.astype(x0, "float32")
        y9 = R.astype(x0, "bool")
        y10 = R.astype(x1, "int8")
        y11 = R.astype(x1, "uint8")
        y12 = R.astype(x1, "int32")
        y13 = R.astype(x1, "float32")
        y14 = R.astype(x1, "float64")
        y15 = R.astype(x1, "bool")
        y16 = R.astype(x1, "uint64")
        y17 = R.astype(x2, "int64")
        y18 = R.astype(x2, "float32")
        y19 = R.astype(x2, "float64")
        y20 = R.astype(x2, "int8")
        y21 = R.astype(x3, "int8")
        y22 = R.astype(x3, "float32")
        y23 = R.astype(x3, "float16")
        y24 = R.astype(x3, "bool")
        y25 = R.astype(R.astype(x0, "bfloat16"), "float32")
        y26 = R.astype(R.astype(x4, "bfloat16"), "float32")
        y27 = R.astype(R.add(R.astype(x4, "bfloat16"), R.astype(x4, "bfloat16")), "float32")
        return (y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15, y16, y17, y18, y19, y20, y21, y22, y23, y24, y25, y26, y27,)
