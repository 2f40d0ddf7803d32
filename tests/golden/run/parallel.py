# RUN: run --check --threads 4 --dim m=300 --dim n=37 --in x=iota
# Parallel loops: values of the kernel around are captured (scalars, sizes, allocations), each iteration has
# allocations of its own, and loops inside are vectorized.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def scale_rows(x_: T.handle, by: T.int64, out_: T.handle):
        m, n = T.int64(), T.int64()
        x = T.match_buffer(x_, (m, n), "float32")
        out = T.match_buffer(out_, (m, n), "float32")
        weights = T.alloc_buffer((n,), "float32")
        factor: T.let[T.float32] = T.Cast("float32", by) / T.float32(1000)
        for j in T.vectorized(n):
            weights[j] = T.Cast("float32", j) * factor
        for i in T.parallel(m):
            row = T.alloc_buffer((n,), "float32")
            for j in T.vectorized(n):
                row[j] = x[i, n - 1 - j] * weights[j]
            for j in range(n):
                with T.sblock("sum"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    out[vi, vj] = row[vj] + T.Cast("float32", vi)

    @T.prim_func(private=True, s_tir=True)
    def row_sums(x_: T.handle, out_: T.handle):
        m, n = T.int64(), T.int64()
        x = T.match_buffer(x_, (m, n), "float32")
        out = T.match_buffer(out_, (m,), "float32")
        for i, j in T.grid(m, n):
            with T.sblock("sum"):
                vi, vj = T.axis.remap("SR", [i, j])
                with T.init():
                    out[vi] = T.float32(0)
                out[vi] = out[vi] + x[vi, vj]

    @T.prim_func(private=True, s_tir=True)
    def row_sums_at_once(x_: T.handle, out_: T.handle):
        m, n = T.int64(), T.int64()
        x = T.match_buffer(x_, (m, n), "float32")
        out = T.match_buffer(out_, (m,), "float32")
        for i in T.parallel(m):
            for j in range(n):
                with T.sblock("sum"):
                    vi, vj = T.axis.remap("SR", [i, j])
                    with T.init():
                        out[vi] = T.float32(0)
                    out[vi] = out[vi] + x[vi, vj]

    @R.function
    def main(x: R.Tensor(("m", "n"), "float32")):
        m, n = T.int64(), T.int64()
        cls = Module
        y = R.call_tir(cls.scale_rows, (x, n), out_ty=R.Tensor((m, n), "float32"))
        a = R.call_tir(cls.row_sums, (y,), out_ty=R.Tensor((m,), "float32"))
        b = R.call_tir(cls.row_sums_at_once, (y,), out_ty=R.Tensor((m,), "float32"))
        return (y, R.max(R.abs(R.subtract(a, b))), R.sum(b))
# OUT:
# result.0: (300, 37) float32
# [[     0.   1.295   2.516 ...   2.516   1.295      0.]
#  [     1.   3.664   6.254 ...  50.062   50.21  50.284]
#  [     2.   6.033   9.992 ...  97.608  99.125 100.568]
#  ...
#  [   297. 704.888  1112.7 ... 14123.7 14529.1 14934.3]
#  [   298. 707.257 1116.44 ... 14171.2  14578. 14984.6]
#  [   299. 709.626 1120.18 ... 14218.8 14626.9 15034.9]]
# min 0, max 15034.9, mean 3841.25
# result.1: () float32
# 0.
# result.2: () float32
# 4.26379e+07
