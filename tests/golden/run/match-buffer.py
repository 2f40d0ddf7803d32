# RUN: run --in x=4x6xf32=0,1,2,3,4,5,10,11,12,13,14,15,20,21,22,23,24,25,30,31,32,33,34,35
# A matched region is seen with the strides of its source; a dropped axis has extent 1.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def tiles(A: T.Buffer((4, 6), "float32"), B: T.Buffer((4, 6), "float32")):
        for i, j in T.grid(2, 2):
            with T.sblock("tile"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vi * 2:vi * 2 + 2, vj * 3:vj * 3 + 3])
                T.writes(B[vi * 2:vi * 2 + 2, vj * 3:vj * 3 + 3])
                s0 = T.int32()
                s1 = T.int32()
                SA = T.match_buffer(A[vi * 2:vi * 2 + 2, vj * 3:vj * 3 + 3], (2, 3), "float32", strides=[s0, s1], offset_factor=1)
                SB = T.match_buffer(B[vi * 2, vj * 3:vj * 3 + 3], (3,), "float32", offset_factor=1)
                for k, l in T.grid(2, 3):
                    B[vi * 2 + k, vj * 3 + l] = SA[1 - k, 2 - l]
                SB[0] = SB[0] + T.float32(0.5)

    @R.function
    def main(x: R.Tensor((4, 6), "float32")) -> R.Tensor((4, 6), "float32"):
        cls = Module
        y = R.call_tir(cls.tiles, (x,), out_ty=R.Tensor((4, 6), "float32"))
        return y
# OUT:
# result: (4, 6) float32
# [[12.5  11.  10. 15.5  14.  13.]
#  [  2.   1.   0.   5.   4.   3.]
#  [32.5  31.  30. 35.5  34.  33.]
#  [ 22.  21.  20.  25.  24.  23.]]
