# RUN: run --stats --dim n=2
# Tensors without elements are not taken over: there is nothing to save, and nothing tells whose storage they are in.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x0: R.Tensor((2, "n", 2), dtype="float32"), x3: R.Tensor((), dtype="bool")) -> R.Tensor((0, "n", 2), dtype="float32"):
        n = T.int64()
        v2: R.Tensor((0, n, 2), dtype="float32") = R.strided_slice(x0, (0,), (0,), (0,), (2,), assume_inbound=False)
        if x3:
            v6: R.Tensor((0, n, 2), dtype="float32") = v2
        else:
            v6: R.Tensor((0, n, 2), dtype="float32") = v2
        v11: R.Tensor((0, n, 2), dtype="float32") = R.nn.softmax(v6, axis=2)
        v12: R.Tensor((0, n, 2), dtype="float32") = R.nn.softmax(v11, axis=1)
        v14: R.Tensor((0, n, 2), dtype="float32") = R.minimum(v12, v2)
        return v14
# OUT:
# result: (0, 2, 2) float32
# [] of shape (0, 2, 2)
# in place: 0, copies: 0 (0 bytes), fresh: 0, views: 0
# memory: 0 bytes at most, 0 bytes in 2 allocations
# time: compile _ ms, run _ ms, threads: 1
