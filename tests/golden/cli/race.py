# RUN: race FILE --repeat 2 --in x=4xf32=1,2,3,4 --pipelines debug 'EliminateCommonSubexpr, debug' @race.txt race.txt
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
# pipeline                            compile           run    peak bytes   copies  in place  difference
# debug _ ms _ ms            96        0         1  0
# EliminateCommonSubexpr, debug _ ms _ ms            96        0         1  0
# @race.txt _ ms _ ms            96        0         1  0
# race.txt _ ms _ ms            96        0         1  0
