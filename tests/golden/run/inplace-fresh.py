# RUN: run --stats --in x=4xf32=1,2,3,4
# What has to keep its old value runs out of place where the kernel writes all and reads nothing behind its write (scale, swap), and on a copy where it does not: a part, running sums.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def scale(a: T.Buffer((4,), "float32")):
        for i in range(4):
            a[i] = a[i] * T.float32(10)

    @T.prim_func(private=True)
    def part(a: T.Buffer((4,), "float32")):
        for i in range(3):
            a[i] = T.float32(0)

    @T.prim_func(private=True)
    def sums(a: T.Buffer((4,), "float32")):
        for i in range(3):
            a[i + 1] = a[i + 1] + a[i]
        a[0] = a[0] + T.float32(0)

    @T.prim_func(private=True)
    def swap(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32"), least: T.Buffer((), "float32")):
        t = T.alloc_buffer((1,), "float32")
        least[()] = T.float32(100)
        for i in range(4):
            t[0] = a[i]
            a[i] = b[i] + T.float32(1)
            b[i] = t[0]
            least[()] = T.min(least[()], t[0])

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        with R.dataflow():
            y = R.negative(x)
            a = R.call_tir_inplace(cls.scale, (y,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
            b = R.call_tir_inplace(cls.part, (y,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
            c = R.call_tir_inplace(cls.sums, (y,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
            d = R.call_tir_inplace(cls.swap, (x, y), out_ty=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32"), R.Tensor((), "float32")], inplace_indices=[0, 1, -1])
            R.output(y, a, b, c, d)
        return (y, a, b, c, d)
# OUT:
# result.0: (4,) float32
# [-1. -2. -3. -4.]
# result.1: (4,) float32
# [-10. -20. -30. -40.]
# result.2: (4,) float32
# [ 0.  0.  0. -4.]
# result.3: (4,) float32
# [ -1.  -3.  -6. -10.]
# result.4.0: (4,) float32
# [ 0. -1. -2. -3.]
# result.4.1: (4,) float32
# [1. 2. 3. 4.]
# result.4.2: () float32
# 1.
# in place: 0, copies: 2 (32 bytes), fresh: 3, views: 0
# memory: 100 bytes at most, 100 bytes in 0 allocations
# time: compile _ ms, run _ ms, threads: 1
