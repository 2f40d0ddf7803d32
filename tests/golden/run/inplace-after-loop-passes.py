# RUN: run -p ResolveInplace,LowerBlocks,SplitLoop(factor=4),LoopPartition,UnrollLoop(all=true),ParallelizeLoop(grain=1) --inplace=strict --in x=10xf32=0,1,2,3,4,5,6,7,8,9
# The update in place was decided on the block, and is proved again on the stores that tiling and unrolling leave.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def double(A: T.Buffer((10,), "float32"), B: T.Buffer((10,), "float32")):
        for i in range(10):
            with T.sblock("double"):
                vi = T.axis.spatial(10, i)
                B[vi] = A[vi] * T.float32(2)

    @R.function
    def main(x: R.Tensor((10,), "float32")):
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.double, (x,), out_ty=R.Tensor((10,), "float32"))
            b = R.call_tir_inplace(cls.double, (a, a), out_ty=R.Tensor((10,), "float32"), inplace_indices=[1])
            R.output(b)
        return b
# OUT:
# result: (10,) float32
# [ 0.  4.  8. 12. 16. 20. 24. 28. 32. 36.]
