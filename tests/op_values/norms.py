# Made by scripts/make-op-values.py.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(
        x0: R.Tensor((3, 4, 5), dtype="float32"),
        x1: R.Tensor((4,), dtype="float32"),
        x2: R.Tensor((4,), dtype="float32"),
        x3: R.Tensor((4,), dtype="float32"),
        x4: R.Tensor((4,), dtype="float32"),
        x5: R.Tensor(("a", 2, "b"), dtype="float32"),
        x6: R.Tensor(("b",), dtype="float32"),
        x7: R.Tensor(("b",), dtype="float32"),
        x8: R.Tensor(("b",), dtype="float32"),
        x9: R.Tensor(("b",), dtype="float32"),
        x10: R.Tensor(("c", 6, "d", 4), dtype="float32"),
        x11: R.Tensor((6,), dtype="float32"),
        x12: R.Tensor((6,), dtype="float32"),
        x13: R.Tensor((2, 6, 3, 4), dtype="float32"),
        x14: R.Tensor((2, 6, 3, 4), dtype="float16"),
        x15: R.Tensor((6,), dtype="float16"),
        x16: R.Tensor((6,), dtype="float16"),
    ):
        a = T.int64()
        b = T.int64()
        c = T.int64()
        d = T.int64()
        t0 = R.nn.batch_norm(x0, x1, x2, x3, x4, axis=1, momentum=0.25, training=True)
        r0 = t0[0]
        r1 = t0[1]
        r2 = t0[2]
        t1 = R.nn.batch_norm(x0, x1, x2, x3, x4, axis=1, epsilon=0.1, center=False, training=False)
        r3 = t1[0]
        r4 = t1[1]
        r5 = t1[2]
        t2 = R.nn.batch_norm(x5, x6, x7, x8, x9, axis=2, momentum=0.25, training=True)
        r6 = t2[0]
        r7 = t2[1]
        r8 = t2[2]
        t3 = R.nn.batch_norm(x5, x6, x7, x8, x9, axis=2, epsilon=0.1, center=False, training=False)
        r9 = t3[0]
        r10 = t3[1]
        r11 = t3[2]
        y4 = R.nn.group_norm(x10, x11, x12, num_groups=3, channel_axis=1, axes=[2, 3])
        y5 = R.nn.instance_norm(x13, x11, x12, channel_axis=1, axes=[2, 3], scale=False)
        y6 = R.nn.group_norm(x14, x15, x16, num_groups=3, channel_axis=1, axes=[2, 3])
        y7 = R.nn.instance_norm(x14, x15, x16, channel_axis=1, axes=[2, 3], scale=False)
        return (r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, y4, y5, y6, y7,)
