# RUN: run --check --stats --in n=20 --in x=4xf32=1,2,3,4
# A loop through recursion: each step ends what it took, so that most is held by the calls themselves.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function(private=True)
    def down(n: R.Tensor((), "int64"), x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        c = R.greater(n, R.const(0, "int64"))
        if c:
            m = R.subtract(n, R.const(1, "int64"))
            y = R.add(x, x)
            z = R.multiply(y, R.const(0.75, "float32"))
            w: R.Tensor((4,), "float32") = Module.down(m, z)
            r = R.negative(w)
        else:
            r = R.negative(x)
        return r

    @R.function
    def main(n: R.Tensor((), "int64"), x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y: R.Tensor((4,), "float32") = Module.down(n, x)
        return y
# OUT:
# result: (4,) float32
# [-3325.26 -6650.51 -9975.77  -13301.]
# in place: 1, copies: 0 (0 bytes), fresh: 0, views: 0
# memory: 2960 bytes at most, 1693 bytes in 43 allocations
# time: compile _ ms, run _ ms, threads: 1
