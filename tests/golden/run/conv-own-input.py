# RUN: run --check --in x=iota --in w=ones
# A kernel that writes the sums of its windows back to where it read them: no store may pass a later read.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def smooth(x: T.Buffer((8, 10, 12), "float32"), w: T.Buffer((8, 8, 3, 3), "float32"), y: T.Buffer((8, 10, 12), "float32")):
        z = T.alloc_buffer((8, 10, 12), "float32")
        c = T.alloc_buffer((8, 8, 10), "float32")
        for o, i, j in T.grid(8, 10, 12):
            z[o, i, j] = x[o, i, j]
        for o, i, j in T.grid(8, 8, 10):
            c[o, i, j] = T.float32(0)
            for q, k, l in T.grid(8, 3, 3):
                c[o, i, j] = c[o, i, j] + w[o, q, k, l] * z[q, i + k, j + l]
        for o, i, j in T.grid(8, 8, 10):
            z[o, i + 2, j + 2] = c[o, i, j] * T.float32(0.0625)
        for o, i, j in T.grid(8, 10, 12):
            y[o, i, j] = z[o, i, j]

    @R.function
    def main(x: R.Tensor((8, 10, 12), "float32"), w: R.Tensor((8, 8, 3, 3), "float32")):
        cls = Module
        y = R.call_tir(cls.smooth, (x, w), out_ty=R.Tensor((8, 10, 12), "float32"))
        z = R.sum(y, axis=[0, 2])
        return z
# OUT:
# result: (10,) float32
# [ 40848.  42000. 164612. 169124. 173636. 178148. 182660. 187172. 191684. 196196.]
