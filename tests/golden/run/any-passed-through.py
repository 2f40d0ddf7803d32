# RUN: run --in "a=2x2xf32=1 2 3 4" --in "b=4xf32=5 6 7 8"
# What a function passes on as R.Object stays as it is through the next call.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function(private=True)
    def same(x: R.Object) -> R.Object:
        return x

    @R.function
    def main(a: R.Tensor((2, 2), "float32"), b: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((2, 2), "float32"), R.Tensor((4,), "float32")):
        cls = Module
        c = cls.same(a)
        d = cls.same(b)
        e = R.match_cast(c, R.Tensor((2, 2), "float32"))
        f = R.match_cast(d, R.Tensor((4,), "float32"))
        return (e, f)
# OUT:
# result.0: (2, 2) float32
# [[1. 2.]
#  [3. 4.]]
# result.1: (4,) float32
# [5. 6. 7. 8.]
