# Made by scripts/make-op-values.py.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(
        x0: R.Tensor((3, 4), dtype="float32"),
        x1: R.Tensor(("a", "b"), dtype="float32"),
        x2: R.Tensor((2, 3), dtype="int32"),
        x3: R.Tensor(("c", "d", 4), dtype="float32"),
        x4: R.Tensor(("d",), dtype="float32"),
        x5: R.Tensor((2, 3, 4), dtype="float16"),
        x6: R.Tensor((4,), dtype="float16"),
        x7: R.Tensor((2, 8, 3, 2), dtype="float32"),
        x8: R.Tensor((2, 2, 3), dtype="float32"),
    ):
        a = T.int64()
        b = T.int64()
        c = T.int64()
        d = T.int64()
        y0 = R.nn.pad(x0, [1, 2, 3, 0])
        y1 = R.nn.pad(x1, [1, 2, 3, 0], pad_value=2.5)
        y2 = R.nn.pad(x0, [1, 2, 3, 0], pad_mode="reflect")
        y3 = R.nn.pad(x1, [1, 2, 3, 0], pad_mode="reflect")
        y4 = R.nn.pad(x0, [1, 2, 3, 0], pad_mode="replicate")
        y5 = R.nn.pad(x1, [1, 2, 3, 0], pad_mode="replicate")
        y6 = R.nn.pad(x0, [1, 2, 3, 0], pad_mode="circular")
        y7 = R.nn.pad(x1, [1, 2, 3, 0], pad_mode="circular")
        y8 = R.nn.pad(x2, [0, 1, 2, 0])
        y9 = R.nn.prelu(x3, x4)
        y10 = R.nn.prelu(x5, x6, axis=-1)
        y11 = R.nn.pixel_shuffle(x7, upscale_factor=2)
        t12 = R.nn.dropout(x0, rate=0.5)
        r12 = t12[0]
        r13 = t12[1]
        y13 = R.layout_transform(x0, index_map=lambda i, j: (j, i))
        y14 = R.layout_transform(x0, index_map=lambda i, j: (i, j // 2, j % 2))
        y15 = R.layout_transform(x0, index_map=lambda i, j: (j // 3, i, j % 3), pad_value=5.0)
        y16 = R.hamming_window(7, True, 0.54, 0.46, dtype="float32")
        y17 = R.hamming_window(6, False, 0.54, 0.46, dtype="float32")
        y18 = R.hamming_window(1, False, 0.54, 0.46, dtype="float32")
        y19 = R.image.affine_grid(x8, (4, 5), align_corners=True)
        y20 = R.image.affine_grid(x8, (4, 5), align_corners=False)
        return (y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, r12, r13, y13, y14, y15, y16, y17, y18, y19, y20,)
