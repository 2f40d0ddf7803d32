# RUN: run FILE --in x=4xf32=1,2,3,4 --stats
# One storage for two parameters: right where no element is read after it is written, as the loops run.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def down(new: T.Buffer((4,), "float32"), old: T.Buffer((4,), "float32")):
        first = T.alloc_buffer((1,), "float32")
        first[0] = old[0]
        for i in range(3):
            new[i] = old[i + 1]
        new[3] = first[0]

    @T.prim_func(private=True)
    def share(new: T.Buffer((4,), "float32"), old: T.Buffer((4,), "float32")):
        total = T.alloc_buffer((1,), "float32")
        total[0] = T.float32(0)
        for i in range(4):
            total[0] = total[0] + old[i]
        for i in range(4):
            new[i] = old[i] / total[0]

    @T.prim_func(private=True)
    def up(new: T.Buffer((4,), "float32"), old: T.Buffer((4,), "float32")):
        for i in range(3):
            new[i + 1] = old[i]

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        t = R.add(x, R.const(0, "float32"))
        a = R.call_tir_inplace(cls.down, (t, t), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        b = R.call_tir_inplace(cls.share, (a, a), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        c = R.call_tir_inplace(cls.up, (b, b), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        return c
# OUT:
# result: (4,) float32
# [0.2 0.2 0.3 0.4]
# in place: 3, copies: 0 (0 bytes), fresh: 0, views: 0
# memory: 16 bytes at most, 16 bytes in 0 allocations
# time: compile _ ms, run _ ms, threads: 1
