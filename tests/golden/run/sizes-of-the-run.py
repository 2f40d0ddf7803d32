# RUN: run --check --check-memory --stats --in x=3x4xf32=0,1,0,2,3,0,0,0,-1,0,0,4 --in b=2xi64=1,-3 --in e=2xi64=3,4 --in s=2xi64=1,2
# Results whose size only the run knows have names for it: what is made of them has loops, in branches, too, and gives its storage back.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function(private=True)
    def pick(x: R.Tensor(("p", "q"), dtype="float32"), m: R.Tensor(("p", "q"), dtype="bool")) -> R.Tensor(dtype="float32", ndim=1):
        y = R.match_cast(R.gather_nd(x, R.permute_dims(R.nonzero(m))), R.Tensor(dtype="float32", ndim=1))
        z = R.multiply(y, y)
        return z

    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), b: R.Tensor((2,), dtype="int64"), e: R.Tensor((2,), dtype="int64"), s: R.Tensor((2,), dtype="int64")):
        cls = Module
        with R.dataflow():
            i = R.nonzero(x)
            k = R.add(i, R.const(10, "int64"))
            v = R.dynamic_strided_slice(x, b, e, s)
            w = R.add(v, v)
            u = R.unique(x, R.prim_value(1), R.prim_value(0), R.prim_value(0), R.prim_value(1))
            c = u[1]
            R.output(k, w, c)
        p = cls.pick(x, R.greater(x, R.const(1.0, "float32")))
        if R.const(True, "bool"):
            q = R.nonzero(R.less(x, R.const(0.0, "float32")))
        else:
            q = R.nonzero(R.greater(x, R.const(0.0, "float32")))
        r = R.add(q, q)
        t = R.exp(p)
        return (k, w, c, p, r, t)
# OUT:
# result.0: (2, 5) int64
# [[10 10 11 12 12]
#  [11 13 10 10 13]]
# result.1: (2, 2) float32
# [[0. 0.]
#  [0. 8.]]
# result.2: (6,) int64
# [1 7 1 1 1 1]
# result.3: (3,) float32
# [ 4.  9. 16.]
# result.4: (2, 1) int64
# [[4]
#  [0]]
# result.5: (3,) float32
# [    54.5982     8103.08 8.88611e+06]
# in place: 3, copies: 0 (0 bytes), fresh: 0, views: 0
# memory: 9092 bytes at most, 9608 bytes in 22 allocations
# time: compile _ ms, run _ ms, threads: 1
