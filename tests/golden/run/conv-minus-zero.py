# RUN: run --check --in x=ones --in w=ones
# Sums that start at -0.0 stay there where all that is added is -0.0: that is not the zero of a product's tiles.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def conv(x: T.Buffer((16, 5, 9), "float32"), w: T.Buffer((8, 16, 3, 3), "float32"), y: T.Buffer((8, 3, 7), "float32")):
        for o, i, j in T.grid(8, 3, 7):
            y[o, i, j] = T.float32(-0.0)
            for q, k, l in T.grid(16, 3, 3):
                y[o, i, j] = y[o, i, j] + w[o, q, k, l] * x[q, i + k, j + l]

    @R.function
    def main(x: R.Tensor((16, 5, 9), "float32"), w: R.Tensor((8, 16, 3, 3), "float32")):
        cls = Module
        y = R.call_tir(cls.conv, (R.multiply(x, R.const(-0.0, "float32")), w), out_ty=R.Tensor((8, 3, 7), "float32"))
        z = R.max(R.divide(R.const(1.0, "float32"), y))
        return z
# OUT:
# result: () float32
# -inf
