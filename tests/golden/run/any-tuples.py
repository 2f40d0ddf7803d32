# RUN: run --in "a=2xf32=1 2" --in "b=2xf32=3 4" --in c=true
# Tuples behind R.Object pass calls, branches and fields; a branch may give a tensor where the other gives a tuple.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function(private=True)
    def same(x: R.Object) -> R.Object:
        return x

    @R.function(private=True)
    def second(x: R.Object) -> R.Tensor((2,), "float32"):
        t = R.match_cast(x, R.Tuple(R.Object, R.Tuple(R.Tensor(ndim=1), R.Tensor((2,)))))
        u = t[1]
        v = u[1]
        w = R.match_cast(v, R.Tensor((2,), "float32"))
        return w

    @R.function(private=True)
    def pair(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32")) -> R.Tuple(R.Tensor((2,), "float32"), R.Object):
        return (y, (x, x))

    @R.function
    def main(a: R.Tensor((2,), "float32"), b: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")):
        cls = Module
        d = R.add(a, b)
        if c:
            e: R.Object = (a, (b, d))
        else:
            e: R.Object = d
        f = cls.same(e)
        g = cls.same(d)
        h = cls.second(f)
        i = R.match_cast(f, R.Tuple(R.Tensor((2,), "float32"), R.Tuple(R.Tensor((2,), "float32"), R.Object)))
        j: R.Object = cls.pair(a, b)
        k = R.match_cast(j, R.Tuple(R.Tensor, R.Tuple(R.Tensor((2,), "float32"), R.Tensor((2,), "float32"))))
        l = k[1]
        m = i[0]
        n = R.match_cast(g, R.Tensor((2,), "float32"))
        o = R.match_cast(k, R.Tuple(R.Tensor((2,), "float32"), R.Object))
        p = o[0]
        return (h, m, l, n, p)
# OUT:
# result.0: (2,) float32
# [4. 6.]
# result.1: (2,) float32
# [1. 2.]
# result.2.0: (2,) float32
# [1. 2.]
# result.2.1: (2,) float32
# [1. 2.]
# result.3: (2,) float32
# [4. 6.]
# result.4: (2,) float32
# [3. 4.]
