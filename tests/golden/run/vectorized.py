# RUN: run --dim n=11 --in x=iota --in y=iota
# Vectorized loops of any length: whole vectors and a rest; rows, backwards, strides, columns, both ways of a
# condition, a reduction over the axis outside, small local buffers that each lane has for itself.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def row(x_: T.handle, out_: T.handle):
        n = T.int64()
        x = T.match_buffer(x_, (n,), "float32")
        out = T.match_buffer(out_, (n,), "float32")
        for i in T.vectorized(n):
            out[i] = x[i] * T.float32(2) + T.float32(1)

    @T.prim_func(private=True, s_tir=True)
    def backwards(x_: T.handle, out_: T.handle):
        n = T.int64()
        x = T.match_buffer(x_, (n,), "float32")
        out = T.match_buffer(out_, (n,), "float32")
        for i in T.vectorized(n):
            out[n - 1 - i] = x[i] + T.Cast("float32", i) * T.float32(100)

    @T.prim_func(private=True, s_tir=True)
    def halves(x_: T.handle, out_: T.handle):
        n = T.int64()
        x = T.match_buffer(x_, (n,), "float32")
        out = T.match_buffer(out_, (n,), "int8")
        for i in T.vectorized(n):
            if x[i] > T.float32(5):
                out[i] = T.Cast("int8", x[i // 2])
            else:
                out[i] = T.int8(-1)

    @T.prim_func(private=True, s_tir=True)
    def column_sums(y_: T.handle, out_: T.handle):
        m, n = T.int64(), T.int64()
        y = T.match_buffer(y_, (m, n), "float32")
        out = T.match_buffer(out_, (n,), "float32")
        for j in T.vectorized(n):
            for k in range(m):
                with T.sblock("sum"):
                    vj, vk = T.axis.remap("SR", [j, k])
                    with T.init():
                        out[vj] = T.float32(0)
                    out[vj] = out[vj] + y[vk, vj]

    @T.prim_func(private=True, s_tir=True)
    def transposed(y_: T.handle, out_: T.handle):
        m, n = T.int64(), T.int64()
        y = T.match_buffer(y_, (m, n), "float32")
        out = T.match_buffer(out_, (n, m), "float32")
        for k in range(m):
            for j in T.vectorized(n):
                out[j, k] = y[k, j]

    @T.prim_func(private=True, s_tir=True)
    def median(y_: T.handle, out_: T.handle):
        n = T.int64()
        y = T.match_buffer(y_, (3, n), "float32")
        out = T.match_buffer(out_, (n,), "float32")
        for j in T.vectorized(n):
            pair = T.alloc_buffer((2,), "float32", scope="local")
            pair[0] = T.min(y[0, j], y[1, j])
            pair[1] = T.max(y[0, j], y[1, j])
            out[j] = T.max(pair[0], T.min(pair[1], y[2, j]))

    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor((3, "n"), "float32")):
        n = T.int64()
        cls = Module
        a = R.call_tir(cls.row, (x,), out_ty=R.Tensor((n,), "float32"))
        b = R.call_tir(cls.backwards, (x,), out_ty=R.Tensor((n,), "float32"))
        c = R.call_tir(cls.halves, (x,), out_ty=R.Tensor((n,), "int8"))
        d = R.call_tir(cls.column_sums, (y,), out_ty=R.Tensor((n,), "float32"))
        e = R.call_tir(cls.transposed, (y,), out_ty=R.Tensor((n, 3), "float32"))
        f = R.call_tir(cls.median, (y,), out_ty=R.Tensor((n,), "float32"))
        return (a, b, c, d, e, f)
# OUT:
# result.0: (11,) float32
# [ 1.  3.  5.  7.  9. 11. 13. 15. 17. 19. 21.]
# result.1: (11,) float32
# [1010.  909.  808.  707.  606.  505.  404.  303.  202.  101.    0.]
# result.2: (11,) int8
# [-1 -1 -1 -1 -1 -1  3  3  4  4  5]
# result.3: (11,) float32
# [33. 36. 39. 42. 45. 48. 51. 54. 57. 60. 63.]
# result.4: (11, 3) float32
# [[ 0. 11. 22.]
#  [ 1. 12. 23.]
#  [ 2. 13. 24.]
#  [ 3. 14. 25.]
#  [ 4. 15. 26.]
#  [ 5. 16. 27.]
#  [ 6. 17. 28.]
#  [ 7. 18. 29.]
#  [ 8. 19. 30.]
#  [ 9. 20. 31.]
#  [10. 21. 32.]]
# result.5: (11,) float32
# [11. 12. 13. 14. 15. 16. 17. 18. 19. 20. 21.]
