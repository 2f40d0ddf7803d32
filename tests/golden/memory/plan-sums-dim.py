# RUN: plan --vectors=32 --dim n=2
# As plan-sums.py with a number: 512 + 256 bytes, of `c` and the result, are more than 512 + 128.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((16, "n"), "float32"), w: R.Tensor((64, 16), "float32"), v: R.Tensor((16, 64), "float32"), u: R.Tensor(("n", 1), "float32")):
        n = T.int64()
        a = R.matmul(w, x)
        b = R.matmul(v, a)
        c = R.matmul(w, b)
        d = R.matmul(c, u)
        return d
# OUT:
# main: 4 storages, 768 bytes
#   bound 768 bytes: no plan of these is lower
#   without reuse 1408 bytes
#   stack: 4096 bytes at most
#   storage  steps             bytes         offset
#   a        [1, 5)            512           0
#   b        [3, 8)            128           512
#   c        [6, 11)           512           0
#   d        [9, 12)           256           512  (result)
