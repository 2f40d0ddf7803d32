# RUN: run --check -p "fix(ExpandTupleArguments,RemoveUnusedOutputs,DeadCodeElimination,RemoveUnusedParameters),default" --in x=2x3xf32=1,2,3,4,5,6 --in y=3xf32=10,20,30
# Private functions change their signatures: sums of powers, recursive, with tuples, an unused sum and a symbol.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function(private=True)
    def powers(t: R.Tuple(R.Tensor(("m", "n"), "float32"), R.Tensor(("n",), "float32")), unused: R.Tensor(("k",), "float32"), i: R.Tensor((), "int64")) -> R.Tuple(R.Tensor(("m", "n"), "float32"), R.Tensor(("m",), "float32"), R.Tensor(("k", "m"), "float32")):
        cls = Module
        m, n, k = T.int64(), T.int64(), T.int64()
        go_on = R.greater(i, R.const(0, "int64"))
        a = t[0]
        b = t[1]
        sums = R.sum(a, axis=1)
        if go_on:
            less = R.subtract(i, R.const(1, "int64"))
            c = R.multiply(a, b)
            u = cls.powers((c, b), unused, less)
            d = u[0]
            e = R.add(d, a)
        else:
            e = a
        z = R.ones(R.shape([k, m]), "float32")
        return (e, sums, z)

    @R.function
    def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((3,), "float32")) -> R.Tuple(R.Tensor((2, 3), "float32"), R.Tensor((3, 2), "float32")):
        cls = Module
        t = cls.powers((x, y), y, R.const(2, "int64"))
        a = t[0]
        b = t[2]
        return (a, b)
# OUT:
# result.0: (2, 3) float32
# [[ 111.  842. 2793.]
#  [ 444. 2105. 5586.]]
# result.1: (3, 2) float32
# [[1. 1.]
#  [1. 1.]
#  [1. 1.]]
