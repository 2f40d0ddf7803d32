# RUN: run --stats --in x=4xf32=1,2,3,4 --in idx=4xi64=1,1,3,0
# Kernels whose order stands against taking over what dies: a sum of what follows (-1-2-3-4, -2-3-4, ..), a loop that is no T.serial, a histogram by data (-4, -1-2, 0, -3), halves that change places.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def suffix(a: T.Buffer((4,), "float32"), out: T.Buffer((4,), "float32")):
        for i in range(4):
            out[i] = T.float32(0)
            for k in range(4 - i):
                out[i] = out[i] + a[i + k]

    @T.prim_func(private=True)
    def mirrored(a: T.Buffer((4,), "float32"), out: T.Buffer((4,), "float32")):
        k = T.alloc_buffer((1,), "int32")
        k[0] = 0
        while k[0] < 4:
            out[k[0]] = a[k[0]] + a[3 - k[0]] * T.float32(10)
            k[0] = k[0] + 1

    @T.prim_func(private=True)
    def histogram(idx: T.Buffer((4,), "int64"), a: T.Buffer((4,), "float32"), out: T.Buffer((4,), "float32")):
        for i in range(4):
            out[i] = T.float32(0)
        for i in range(4):
            out[idx[i]] = out[idx[i]] + a[i]

    @T.prim_func(private=True)
    def halves(a: T.Buffer((4,), "float32"), out: T.Buffer((4,), "float32")):
        for i in range(4):
            if i < 2:
                out[i] = a[i + 2]
            else:
                out[i] = a[i - 2]

    @R.function
    def main(x: R.Tensor((4,), "float32"), idx: R.Tensor((4,), "int64")):
        cls = Module
        a = R.call_tir(cls.suffix, (R.negative(x),), out_ty=R.Tensor((4,), "float32"))
        b = R.call_tir(cls.mirrored, (R.negative(x),), out_ty=R.Tensor((4,), "float32"))
        c = R.call_tir(cls.histogram, (idx, R.negative(x)), out_ty=R.Tensor((4,), "float32"))
        d = R.call_tir(cls.halves, (R.negative(x),), out_ty=R.Tensor((4,), "float32"))
        return (a, b, c, d)
# OUT:
# result.0: (4,) float32
# [-10.  -9.  -7.  -4.]
# result.1: (4,) float32
# [-41. -32. -23. -14.]
# result.2: (4,) float32
# [-4. -3.  0. -3.]
# result.3: (4,) float32
# [-3. -4. -1. -2.]
# in place: 0, copies: 0 (0 bytes), fresh: 0, views: 0
# memory: 128 bytes at most, 128 bytes in 0 allocations
# time: compile _ ms, run _ ms, threads: 1
