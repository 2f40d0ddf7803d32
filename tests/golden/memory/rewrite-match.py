# RUN: run --check -p debug,CallTIRRewrite --in x=4xf32=1,2,3,4
# A matched rectangle that is only read makes its buffer no output: the call for its effect may be given `x`.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def reverse(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        for i in range(2):
            with T.sblock("half"):
                v_i = T.axis.spatial(2, i)
                half = T.match_buffer(A[v_i * 2:v_i * 2 + 2], (2,), "float32", offset_factor=1)
                B[v_i * 2] = half[1]
                B[v_i * 2 + 1] = half[0]

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        y = R.call_tir(cls.reverse, (x,), out_ty=R.Tensor((4,), "float32"))
        return y
# OUT:
# result: (4,) float32
# [2. 1. 4. 3.]
