# Made by scripts/make-op-values.py.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(
        x0: R.Tensor((2, 3, 5), dtype="float32"),
        x1: R.Tensor((2, "n", "m"), dtype="float32"),
        x2: R.Tensor((4, 3), dtype="float32"),
        x3: R.Tensor((4, 33), dtype="float16"),
        x4: R.Tensor((2, 7), dtype="float64"),
        x5: R.Tensor((5,), dtype="float32"),
        x6: R.Tensor((5,), dtype="float32"),
        x7: R.Tensor(("m",), dtype="float32"),
        x8: R.Tensor(("m",), dtype="float32"),
        x9: R.Tensor((3, 5), dtype="float32"),
        x10: R.Tensor((3, 5), dtype="float32"),
        x11: R.Tensor((3, 8), dtype="float16"),
        x12: R.Tensor((8,), dtype="float16"),
        x13: R.Tensor((2, 3), dtype="float32"),
        x14: R.Tensor((3, 4), dtype="float32"),
        x15: R.Tensor(("a", "b"), dtype="float32"),
        x16: R.Tensor(("b", "c"), dtype="float32"),
        x17: R.Tensor((3,), dtype="float32"),
        x18: R.Tensor((3,), dtype="float32"),
        x19: R.Tensor((3,), dtype="float32"),
        x20: R.Tensor((3, 4), dtype="float32"),
        x21: R.Tensor((2, 3), dtype="float32"),
        x22: R.Tensor((3,), dtype="float32"),
        x23: R.Tensor((5, 1, 2, 3), dtype="float32"),
        x24: R.Tensor((4, 3, 2), dtype="float32"),
        x25: R.Tensor((2, 2, 3), dtype="float32"),
        x26: R.Tensor((3, 4), dtype="float32"),
        x27: R.Tensor((3,), dtype="float32"),
        x28: R.Tensor((5, 3, 2), dtype="float32"),
        x29: R.Tensor((5, 2, 3), dtype="float32"),
        x30: R.Tensor((3,), dtype="float32"),
        x31: R.Tensor((2, 0), dtype="float32"),
        x32: R.Tensor((0, 3), dtype="float32"),
        x33: R.Tensor((3, 2), dtype="float32"),
        x34: R.Tensor((2, "z"), dtype="float32"),
        x35: R.Tensor(("z", 3), dtype="float32"),
        x36: R.Tensor((4, 70), dtype="float16"),
        x37: R.Tensor((70, 3), dtype="float16"),
        x38: R.Tensor((3, 5), dtype="int8"),
        x39: R.Tensor((5, 2), dtype="int8"),
    ):
        a = T.int64()
        b = T.int64()
        c = T.int64()
        m = T.int64()
        n = T.int64()
        z = T.int64()
        y0 = R.nn.softmax(x0, axis=-1)
        y1 = R.nn.log_softmax(x0, axis=-1)
        y2 = R.nn.softmax(x0, axis=1)
        y3 = R.nn.log_softmax(x0, axis=1)
        y4 = R.nn.softmax(x0, axis=0)
        y5 = R.nn.log_softmax(x0, axis=0)
        y6 = R.nn.softmax(x1, axis=-1)
        y7 = R.nn.log_softmax(x1, axis=-1)
        y8 = R.nn.softmax(x1, axis=1)
        y9 = R.nn.log_softmax(x1, axis=1)
        y10 = R.nn.softmax(x1, axis=0)
        y11 = R.nn.log_softmax(x1, axis=0)
        y12 = R.nn.softmax(x2)
        y13 = R.nn.softmax(x3)
        y14 = R.nn.softmax(x4)
        y15 = R.nn.layer_norm(x0, x5, x6, axes=[-1])
        y16 = R.nn.layer_norm(x0, x5, x6, axes=[-1], epsilon=0.1, center=False)
        y17 = R.nn.rms_norm(x0, x5, axes=[-1])
        y18 = R.nn.layer_norm(x1, x7, x8, axes=[-1])
        y19 = R.nn.layer_norm(x1, x7, x8, axes=[-1], epsilon=0.1, center=False)
        y20 = R.nn.rms_norm(x1, x7, axes=[-1])
        y21 = R.nn.layer_norm(x0, x9, x10, axes=[1, 2])
        y22 = R.nn.rms_norm(x11, x12)
        y23 = R.matmul(x13, x14)
        y24 = R.matmul(x15, x16)
        y25 = R.matmul(x17, x18)
        y26 = R.matmul(x19, x20)
        y27 = R.matmul(x21, x22)
        y28 = R.matmul(x23, x24)
        y29 = R.matmul(x25, x26)
        y30 = R.matmul(x27, x28)
        y31 = R.matmul(x29, x30)
        y32 = R.matmul(x31, x32)
        y33 = R.matmul(x32, x33)
        y34 = R.matmul(x34, x35)
        y35 = R.matmul(x36, x37)
        y36 = R.matmul(x36, x37, out_dtype="float32")
        y37 = R.matmul(x38, x39, out_dtype="int32")
        y38 = R.matmul(x38, x39)
        return (y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15, y16, y17, y18, y19, y20, y21, y22, y23, y24, y25, y26, y27, y28, y29, y30, y31, y32, y33, y34, y35, y36, y37, y38,)
