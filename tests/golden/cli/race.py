# RUN: race FILE --rounds 2 --in x=4xf32=1,2,3,4 --pipelines debug 'EliminateCommonSubexpr, debug' @race.txt race.txt
# One row a pipeline: of the table, passes, files; the same inputs for all.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(a: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("double"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = a[v_i] * T.float32(2)

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        a = R.exp(x)
        b = R.call_tir_inplace(cls.double, (a,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        c = R.subtract(b, a)
        d = R.call_tir_inplace(cls.double, (c,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        return d
# OUT:
# pipeline  median  quartiles  least  GFLOP/s  GB/s  of the roof  against the fastest  compile  peak bytes  copies  in place  difference
# debug  _ ms  _ ms to  _ ms  _ ms  _ GFLOP/s  _ GB/s _ %  _  _ ms  96  0  1  0
# EliminateCommonSubexpr, debug  _ ms  _ ms to  _ ms  _ ms  _ GFLOP/s  _ GB/s _ %  _  _ ms  96  0  1  0
# @race.txt  _ ms  _ ms to  _ ms  _ ms  _ GFLOP/s  _ GB/s _ %  _  _ ms  96  0  1  0
# race.txt  _ ms  _ ms to  _ ms  _ ms  _ GFLOP/s  _ GB/s _ %  _  _ ms  96  0  1  0
# _ rounds; results held against the script's, as the interpreter computes it
# on _
