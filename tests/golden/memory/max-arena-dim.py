# RUN: plan --max-arena=16K --dim n=256
# With a number for `n` what is needed is known: 256 * 16 * 4 bytes.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 16), "float32"), w: R.Tensor((16, 16), "float32")):
        n = T.int64()
        a = R.matmul(x, w)
        return a
# OUT:
# main: 1 storage, 16384 bytes
#   bound 16384 bytes: no plan of these is lower
#   without reuse 16384 bytes
#   stack: 0 bytes at most
#   storage  steps             bytes         offset
#   a        [0, 2)            16384         apart  (result)
