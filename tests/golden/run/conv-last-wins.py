# RUN: run --check --in x=iota --in w=ones
# What reads a product writes an element of its result several times: the last one must still win.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def last(x: T.Buffer((8, 34, 21), "float32"), w: T.Buffer((16, 8, 3, 3), "float32"), y: T.Buffer((2,), "float32")):
        c = T.alloc_buffer((16, 32, 19), "float32")
        for o, i, j in T.grid(16, 32, 19):
            c[o, i, j] = T.float32(0)
            for q, k, l in T.grid(8, 3, 3):
                c[o, i, j] = c[o, i, j] + w[o, q, k, l] * x[q, i + k, j + l]
        for o, i, j in T.grid(16, 32, 19):
            y[(i // 20) * (o // 8)] = c[o, i, j]

    @R.function
    def main(x: R.Tensor((8, 34, 21), "float32"), w: R.Tensor((16, 8, 3, 3), "float32")):
        cls = Module
        y = R.call_tir(cls.last, (x, w), out_ty=R.Tensor((2,), "float32"))
        return y
# OUT:
# result: (2,) float32
# [211536. 229680.]
