# RUN: run FILE --in x=iota --in y=ones --in c=1 --stats
# A value in the storage of one of two others lies in two places: a call that has it twice, by two names, could not be
# proved any more, and was refused though it was proved before. The value gets storage of its own.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def k14(b0: T.Buffer((8,), "int32"), b1: T.Buffer((8,), "int32"), b2: T.Buffer((8,), "int32")):
        for l0 in T.grid(8):
            b0[l0] = T.int32(3) - b0[l0]

    @R.function
    def main(x: R.Tensor((8,), "int32"), y: R.Tensor((8,), "int32"), c: R.Tensor((), "bool")):
        cls = Module
        if c:
            a = R.add(x, x)
        else:
            a = R.negative(y)
        v66 = R.negative(a)
        if c:
            v70 = v66
        else:
            v70 = v66
        v71 = R.call_tir_inplace(cls.k14, (v66, v66, v70), out_ty=R.Tensor((8,), "int32"), inplace_indices=[0])
        return v71
# OUT:
# result: (8,) int32
# [ 3  5  7  9 11 13 15 17]
# in place: 1, copies: 0 (0 bytes), fresh: 0, views: 0
# memory: 96 bytes at most, 64 bytes in 0 allocations
# time: compile _ ms, run _ ms, threads: 1
