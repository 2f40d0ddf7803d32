# RUN: why --loops -O0 --cpu=x86-64-v3
# At -O0 all loops run one iteration after the other.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((8, 8), "float32"), z: R.Tensor((8, 8), "float32")):
        with R.dataflow():
            y = R.exp(x)
            w = R.permute_dims(R.exp(z))
            R.output(y, w)
        return (y, w)
# OUT:
# remark[E0461]: the 2 loops of `tir_exp` that are made of this
#   --> debug.py:13:17
#    |
# 13 |             y = R.exp(x)
#    |                 ^^^^^^^^
#    |
#    = note: `ax0`: LP006 runs one iteration after the other; LP051 no lanes: it is not innermost: there is the loop `ax1` in it; LP070 no threads: the nest is worth 832 additions, and a second thread 30000
#    = note:   `ax1`: LP006 runs one iteration after the other; LP020 no lanes: at -O0 iterations run one after the other, for debuggers
#
# remark[E0461]: the 2 loops of `fused_tir_exp_permute_dims` that are made of this
#   --> debug.py:14:17
#    |
# 14 |             w = R.permute_dims(R.exp(z))
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: `ax0`: LP006 runs one iteration after the other; LP051 no lanes: it is not innermost: there is the loop `ax1` in it; LP070 no threads: the nest is worth 832 additions, and a second thread 30000
#    = note:   `ax1`: LP006 runs one iteration after the other; LP059 no lanes: of its accesses 1 would be made lane by lane, and work worth 4 additions does not pay for that
#
