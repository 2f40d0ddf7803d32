# RUN: run --in "x=3xf32=1 2 3" --in "y=3xf32=10 20 30"
# Both results of the call lie in the copy that it is given, so an update of one is none of the other.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(a: T.Buffer((3,), "float32")):
        for i in range(3):
            a[i] = a[i] + a[i]

    @T.prim_func(private=True)
    def add(a: T.Buffer((3,), "float32"), b: T.Buffer((3,), "float32")):
        for i in range(3):
            b[i] = b[i] + a[i]

    @R.function(private=True)
    def twice(z: R.Tensor((3,), "float32")) -> R.Tuple(R.Tensor((3,), "float32"), R.Tensor((3,), "float32")):
        R.func_attr({"relax.inplace_arg": [0]})
        cls = Module
        w = R.call_tir_inplace(cls.double, (z,), out_ty=R.Tensor((3,), "float32"), inplace_indices=[0])
        return (w, w)

    @R.function
    def main(x: R.Tensor((3,), "float32"), y: R.Tensor((3,), "float32")):
        cls = Module
        both = cls.twice(x)
        kept = both[0]
        given = both[1]
        sum = R.call_tir_inplace(cls.add, (y, given), out_ty=R.Tensor((3,), "float32"), inplace_indices=[1])
        return (kept, sum)
# OUT:
# result.0: (3,) float32
# [2. 4. 6.]
# result.1: (3,) float32
# [12. 24. 36.]
