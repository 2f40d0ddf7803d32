# FAIL: run --dim n=2147483648 -O0 -p debug
# n * n * 4 bytes are 2^64: refused, and not made of the 0 that is left of them.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), "float32"), s: R.Shape(["n"])):
        n = T.int64()
        t = R.broadcast_to(x, R.shape([n, n]))
        a = R.add(t, t)
        return R.sum(a)
# OUT:
# error[E0806]: the size of a tensor is negative or too large
#   --> too-many-bytes.py:13:9
#    |
# 13 |         t = R.broadcast_to(x, R.shape([n, n]))
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
