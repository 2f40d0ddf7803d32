# RUN: why --loops -p debug --cpu=x86-64-v3
# Where no pass looks for vectors and threads, that is the reason.
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
#   --> unscheduled.py:13:17
#    |
# 13 |             y = R.exp(x)
#    |                 ^^^^^^^^
#    |
#    = note: `ax0`: LP006 runs one iteration after the other; LP050 no lanes: no pass of this pipeline looks for vectors and threads
#    = note:   `ax1`: LP006 runs one iteration after the other; LP050 no lanes: no pass of this pipeline looks for vectors and threads
#
# remark[E0461]: the 2 loops of `permute_dims` that are made of this
#   --> unscheduled.py:14:17
#    |
# 14 |             w = R.permute_dims(R.exp(z))
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: `ax0`: LP006 runs one iteration after the other; LP050 no lanes: no pass of this pipeline looks for vectors and threads
#    = note:   `ax1`: LP006 runs one iteration after the other; LP050 no lanes: no pass of this pipeline looks for vectors and threads
#
