# RUN: run --in "x=2xf32=1 2"
# A nested function captures what is behind R.Object: a tensor and a tuple.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        y = R.add(x, x)
        a = R.match_cast(y, R.Object)
        b: R.Object = (x, y)

        @R.function
        def inner(z: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
            c = R.match_cast(a, R.Tensor((2,), "float32"))
            d = R.match_cast(b, R.Tuple(R.Tensor((2,), "float32"), R.Tensor((2,), "float32")))
            e = d[0]
            f = R.multiply(c, e)
            g = R.add(f, z)
            return g

        h = inner(y)
        return h
# OUT:
# result: (2,) float32
# [ 4. 12.]
