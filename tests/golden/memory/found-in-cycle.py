# RUN: run --stats --in x=2x3xf32=1,2,3,4,5,6
# What is found in functions that call each other is given back if it makes them hand on storage that was decided upon.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def one(b0: T.Buffer((2, 3), "float32"), b1: T.Buffer((2, 3), "float32")):
        b0[0, 0] = b1[0, 0] + T.float32(1)

    @R.function
    def main(x: R.Tensor((2, 3), "float32")) -> R.Tensor((3, 2), "float32"):
        cls = Module
        r = cls.second(R.const(0, "int32"), x, x)
        return r

    @R.function(private=True)
    def first(n: R.Tensor((), "int32"), p0: R.Tensor, p1: R.Tensor((2, 3), "float32"), p2: R.Tensor((2, 3), "float32")) -> R.Any:
        R.func_attr({"relax.inplace_arg": [2, 3]})
        cls = Module
        k = R.const([[1, 2], [3, 4], [5, 6]], "float32")
        go = R.greater(n, R.const(0, "int32"))
        if go:
            a = R.call_tir_inplace(cls.one, (p2, p1), out_ty=[R.Tensor((2, 3), "float32"), R.Tensor((2, 3), "float32")], inplace_indices=[1, 0])
            b = a[0]
            c = cls.second(n, p1, p1)
            d = R.subtract(c, c)
            e = (d, b)
        else:
            f = R.reshape(p2, R.shape([3, 2]))
            g = R.subtract(k, f)
            e = (g, p1)
        h = e[0]
        i = R.reshape(h, R.shape([2, 3]))
        j = R.subtract(p1, i)
        return j

    @R.function(private=True)
    def second(n: R.Tensor((), "int32"), p0: R.Tensor((2, 3), "float32"), p1: R.Tensor((2, 3), "float32")) -> R.Tensor((3, 2), "float32"):
        cls = Module
        k = R.const([[1, 2], [3, 4], [5, 6]], "float32")
        a = cls.first(n, k, p0, p1)
        l = R.const([1, 2, 3, 4, 5, 6], "float32")
        b = R.match_cast(a, R.Tensor((2, 3), "float32"))
        c = R.reshape(b, R.shape([6]))
        d = R.subtract(l, c)
        e = R.reshape(d, R.shape([3, 2]))
        return e
# OUT:
# result: (3, 2) float32
# [[0. 0.]
#  [0. 0.]
#  [0. 0.]]
# in place: 1, copies: 3 (72 bytes), fresh: 0, views: 4
# memory: 488 bytes at most, 537 bytes in 14 allocations
# time: compile _ ms, run _ ms, threads: 1
