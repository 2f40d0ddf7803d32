# RUN: plan --vectors=32
# Sums of sizes with symbols: `a` and `b` live at once, and `b` and `c`, n * 256 + n * 64 bytes; and `c` and the result, n * 256 + 256.
# Which is more depends on `n`.
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
# main: 4 storages, T.max(n * 256 + 256, n * 320) bytes
#   bound T.max(n * 256 + 256, n * 320) bytes: no plan of these is lower
#   stack: (n + 15) // 16 * 4096 bytes at most
#   storage  steps             bytes         offset
#   a        [1, 5)            n * 256       0
#   b        [3, 8)            n * 64        n * 256
#   c        [6, 11)           n * 256       0
#   d        [9, 12)           256           n * 256  (result)
