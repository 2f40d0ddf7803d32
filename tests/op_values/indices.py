# Made by scripts/make-op-values.py.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(
        x0: R.Tensor((3, 4, 5), dtype="float32"),
        x1: R.Tensor((2, 4, 5), dtype="int64"),
        x2: R.Tensor(("a", "b", 5), dtype="float32"),
        x3: R.Tensor(("a", "c", 5), dtype="int64"),
        x4: R.Tensor((2, 3, 7), dtype="int64"),
        x5: R.Tensor((2, 3), dtype="int64"),
        x6: R.Tensor((2, 2, 2), dtype="int64"),
        x7: R.Tensor((4, 1), dtype="int64"),
        x8: R.Tensor((3, 2, 2), dtype="int64"),
        x9: R.Tensor((3, 4, 6, 1), dtype="int64"),
        x10: R.Tensor((4, 3, 5), dtype="int64"),
        x11: R.Tensor((4, 3, 5), dtype="float32"),
        x12: R.Tensor((3, 2, 6), dtype="int64"),
        x13: R.Tensor((3, 2, 6), dtype="float32"),
        x14: R.Tensor((6, 2), dtype="int64"),
        x15: R.Tensor((6, 5), dtype="float32"),
        x16: R.Tensor((4, 3, 5), dtype="int64"),
        x17: R.Tensor((4, 3, 5), dtype="float32"),
        x18: R.Tensor((3, 2, 6), dtype="int64"),
        x19: R.Tensor((3, 2, 6), dtype="float32"),
        x20: R.Tensor((3, "e", "f"), dtype="float32"),
        x21: R.Tensor(("g", 2), dtype="int64"),
        x22: R.Tensor(("g", "f"), dtype="float32"),
        x23: R.Tensor((4, 3, 5), dtype="int64"),
        x24: R.Tensor((4, 3, 5), dtype="float32"),
        x25: R.Tensor((3, 2, 6), dtype="int64"),
        x26: R.Tensor((3, 2, 6), dtype="float32"),
        x27: R.Tensor((6, 2), dtype="int64"),
        x28: R.Tensor((6, 5), dtype="float32"),
        x29: R.Tensor((4, 3, 5), dtype="int64"),
        x30: R.Tensor((4, 3, 5), dtype="float32"),
        x31: R.Tensor((3, 2, 6), dtype="int64"),
        x32: R.Tensor((3, 2, 6), dtype="float32"),
        x33: R.Tensor((6, 2), dtype="int64"),
        x34: R.Tensor((6, 5), dtype="float32"),
        x35: R.Tensor((4, 3, 5), dtype="int64"),
        x36: R.Tensor((4, 3, 5), dtype="float32"),
        x37: R.Tensor((3, 2, 6), dtype="int64"),
        x38: R.Tensor((3, 2, 6), dtype="float32"),
        x39: R.Tensor((6, 2), dtype="int64"),
        x40: R.Tensor((6, 5), dtype="float32"),
        x41: R.Tensor((4, 3, 5), dtype="int64"),
        x42: R.Tensor((4, 3, 5), dtype="float32"),
        x43: R.Tensor((3, 2, 6), dtype="int64"),
        x44: R.Tensor((3, 2, 6), dtype="float32"),
        x45: R.Tensor((6, 2), dtype="int64"),
        x46: R.Tensor((6, 5), dtype="float32"),
        x47: R.Tensor((2, 3), dtype="int64"),
        x48: R.Tensor((4, 5), dtype="float32"),
        x49: R.Tensor((4, 5), dtype="bool"),
        x50: R.Tensor((3,), dtype="float32"),
        x51: R.Tensor((2,), dtype="float32"),
        x52: R.Tensor((3,), dtype="int64"),
        x53: R.Tensor((3, 6, 5), dtype="float32"),
        x54: R.Tensor((6,), dtype="int64"),
        x55: R.Tensor((2, 2, 4, 5), dtype="float32"),
        x56: R.Tensor((2, 2), dtype="int64"),
        x57: R.Tensor((9,), dtype="float32"),
        x58: R.Tensor((9,), dtype="int64"),
        x59: R.Tensor((3, 2, 5), dtype="float32"),
    ):
        a = T.int64()
        b = T.int64()
        c = T.int64()
        e = T.int64()
        f = T.int64()
        g = T.int64()
        y0 = R.gather_elements(x0, x1, axis=0)
        y1 = R.gather_elements(x2, x3, axis=1)
        y2 = R.gather_elements(x0, x4, axis=-1)
        y3 = R.gather_nd(x0, x5, batch_dims=0)
        y4 = R.gather_nd(x0, x6, batch_dims=0)
        y5 = R.gather_nd(x0, x7, batch_dims=0)
        y6 = R.gather_nd(x0, x8, batch_dims=1)
        y7 = R.gather_nd(x0, x9, batch_dims=2)
        y8 = R.scatter_elements(x0, x10, x11, axis=0, reduction="update")
        y9 = R.scatter_elements(x0, x12, x13, axis=2, reduction="update")
        y10 = R.scatter_nd(x0, x14, x15, reduction="update")
        y11 = R.scatter_elements(x0, x16, x17, axis=0, reduction="add")
        y12 = R.scatter_elements(x0, x18, x19, axis=2, reduction="add")
        y13 = R.scatter_nd(x20, x21, x22, reduction="add")
        y14 = R.scatter_elements(x0, x23, x24, axis=0, reduction="mul")
        y15 = R.scatter_elements(x0, x25, x26, axis=2, reduction="mul")
        y16 = R.scatter_nd(x0, x27, x28, reduction="mul")
        y17 = R.scatter_elements(x0, x29, x30, axis=0, reduction="min")
        y18 = R.scatter_elements(x0, x31, x32, axis=2, reduction="min")
        y19 = R.scatter_nd(x0, x33, x34, reduction="min")
        y20 = R.scatter_elements(x0, x35, x36, axis=0, reduction="max")
        y21 = R.scatter_elements(x0, x37, x38, axis=2, reduction="max")
        y22 = R.scatter_nd(x0, x39, x40, reduction="max")
        y23 = R.scatter_elements(x0, x41, x42, axis=0, reduction="mean")
        y24 = R.scatter_elements(x0, x43, x44, axis=2, reduction="mean")
        y25 = R.scatter_nd(x0, x45, x46, reduction="mean")
        y26 = R.one_hot(x47, R.prim_value(T.float32(2.5)), R.prim_value(T.float32(-1)), depth=4, axis=-1)
        y27 = R.one_hot(x47, R.prim_value(T.float32(2.5)), R.prim_value(T.float32(-1)), depth=4, axis=0)
        y28 = R.one_hot(x47, R.prim_value(T.float32(2.5)), R.prim_value(T.float32(-1)), depth=4, axis=1)
        y29 = R.masked_fill(x48, x49, R.const(7, "float32"))
        t30 = R.meshgrid((x50, x51))
        r30 = t30[0]
        r31 = t30[1]
        t31 = R.meshgrid((x50, x51), indexing="xy")
        r32 = t31[0]
        r33 = t31[1]
        y32 = R.reverse_sequence(x0, x52, seq_axis=1, batch_axis=0)
        y33 = R.grad.take_backward(x53, x0, x54, axis=1)
        y34 = R.grad.take_backward(x55, x0, x56, axis=0)
        y35 = R.grad.take_backward(x57, x0, x58, axis=None)
        y36 = R.slice_scatter(x0, x59, 1, 4, 2, axis=1)
        return (y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15, y16, y17, y18, y19, y20, y21, y22, y23, y24, y25, y26, y27, y28, y29, r30, r31, r32, r33, y32, y33, y34, y35, y36,)
