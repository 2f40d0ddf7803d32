# RUN: plan --skip=FuseOps,FuseTIR
# Ten operators, each a kernel, on matrices of 64 MiB: fresh pages cost more than the loops that fill them, so one matrix is held.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4096, 4096), "float32")):
        v0 = R.exp(x)
        v1 = R.negative(v0)
        v2 = R.tanh(v1)
        v3 = R.abs(v2)
        v4 = R.sqrt(v3)
        v5 = R.sigmoid(v4)
        v6 = R.negative(v5)
        v7 = R.cos(v6)
        v8 = R.sin(v7)
        v9 = R.exp(v8)
        return R.sum(v9)
# OUT:
# main: 2 storages, 67108868 bytes
#   bound 67108868 bytes: no plan of these is lower
#   without reuse 671088644 bytes, of which 603979776 are saved in place
#   stack: 67108864 bytes at most
#   storage  steps             bytes         offset
#   v0       [0, 13)           67108864      apart  then v1, v2, v3, v4, v5, v6, v7, v8, v9
#   sum      [11, 14)          4             apart  (result)
