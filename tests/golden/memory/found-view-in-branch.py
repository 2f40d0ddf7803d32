# RUN: run --stats --skip=DeadCodeElimination --dim n=1 --in x0=1xf32=1 --in x2=1xf32=2 --in v15=2xf32=3,4
# A view at a symbolic offset is updated in one branch, and given as it is in the other.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x0: R.Tensor(("n",), dtype="float32"), x2: R.Tensor(("n",), dtype="float32"), x3: R.Tensor((), dtype="bool"), v15: R.Tensor(("n * 2",), dtype="float32")) -> R.Tensor(("n * 2",), dtype="float32"):
        n = T.int64()
        v16: R.Tensor((n * 4,), dtype="float32") = R.concat((v15, x0, x2), axis=0)
        v19: R.Tensor((n * 4,), dtype="float32") = R.nn.softmax(v16, axis=0)
        v25: R.Tuple(R.Tensor((n * 2,), dtype="float32"), R.Tensor((n * 2,), dtype="float32")) = R.split(v16, indices_or_sections=2, axis=0)
        v26: R.Tensor((n * 2,), dtype="float32") = v25[1]
        if x3:
            v29: R.Tensor((n * 2,), dtype="float32") = v26
        else:
            v29: R.Tensor((n * 2,), dtype="float32") = R.nn.softmax(v26, axis=0)
        return v29
# OUT:
# result: (2,) float32
# [0.268941 0.731059]
# in place: 1, copies: 3 (16 bytes), fresh: 0, views: 2
# memory: 80 bytes at most, 32 bytes in 1 allocations
# time: compile _ ms, run _ ms, threads: 1
