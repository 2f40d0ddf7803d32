# RUN: run --check --in x=iota --in w=ones --in v=ones --in s=ones
# What reads a product is part of it only if all that it reads is made there: not a part of it, nor now this part, now that.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def half(x: T.Buffer((8, 34, 21), "float32"), w: T.Buffer((16, 8, 3, 3), "float32"), y: T.Buffer((20, 32, 19), "float32")):
        c = T.alloc_buffer((20, 32, 19), "float32")
        for o, i, j in T.grid(16, 32, 19):
            c[o + 4, i, j] = T.float32(0)
            for q, k, l in T.grid(8, 3, 3):
                c[o + 4, i, j] = c[o + 4, i, j] + w[o, q, k, l] * x[q, i + k, j + l]
        for o, i, j in T.grid(20, 32, 19):
            y[o, i, j] = T.if_then_else(o < 4, T.float32(7), c[o, i, j])

    @T.prim_func(private=True)
    def rounds(x: T.Buffer((8, 34, 21), "float32"), w: T.Buffer((16, 8, 3, 3), "float32"), s: T.Buffer((1,), "float32"), y: T.Buffer((2, 16, 32, 19), "float32")):
        c = T.alloc_buffer((2, 16, 32, 19), "float32")
        m = T.alloc_buffer((1,), "float32")
        m[0] = s[0]
        for t in range(2):
            for o, i, j in T.grid(16, 32, 19):
                c[t, o, i, j] = T.float32(0)
                for q, k, l in T.grid(8, 3, 3):
                    c[t, o, i, j] = c[t, o, i, j] + w[o, q, k, l] * x[q, i + k, j + l]
            for u, o, i, j in T.grid(2, 16, 32, 19):
                y[u, o, i, j] = c[u, o, i, j] * m[0]
            m[0] = m[0] + T.float32(1)

    @T.prim_func(private=True)
    def phases(x: T.Buffer((8, 34, 21), "float32"), v: T.Buffer((16, 8, 2, 3, 3), "float32"), y: T.Buffer((16, 95, 19), "float32")):
        c = T.alloc_buffer((16, 95, 19), "float32")
        for o, i, p, j in T.grid(16, 32, 2, 19):
            c[o, i * 3 + p, j] = T.float32(0)
            for q, k, l in T.grid(8, 3, 3):
                c[o, i * 3 + p, j] = c[o, i * 3 + p, j] + v[o, q, p, k, l] * x[q, i + k, j + l]
        for o, i, j in T.grid(16, 95, 19):
            y[o, i, j] = T.if_then_else(i % 3 == 2, T.float32(7), c[o, i, j])

    @R.function
    def main(x: R.Tensor((8, 34, 21), "float32"), w: R.Tensor((16, 8, 3, 3), "float32"), v: R.Tensor((16, 8, 2, 3, 3), "float32"), s: R.Tensor((1,), "float32")):
        cls = Module
        y = R.call_tir(cls.half, (x, w), out_ty=R.Tensor((20, 32, 19), "float32"))
        z = R.call_tir(cls.rounds, (x, w, s), out_ty=R.Tensor((2, 16, 32, 19), "float32"))
        p = R.call_tir(cls.phases, (x, v), out_ty=R.Tensor((16, 95, 19), "float32"))
        return R.min(y), R.min(z), R.min(p)
# OUT:
# result.0: () float32
# 7.
# result.1: () float32
# 363024.
# result.2: () float32
# 7.
# warning[E0323]: `c` is read before it is written
#   --> conv-part-made.py:30:33
#    |
# 21 |         c = T.alloc_buffer((2, 16, 32, 19), "float32")
#    |         - `c` holds any number when it is allocated
# ...
# 30 |                 y[u, o, i, j] = c[u, o, i, j] * m[0]
#    |                                 ^^^^^^^^^^^^^ where t is 0, u is 1, o is 0, i is 0, j is 0
#    |
#    = help: store to it first
#
