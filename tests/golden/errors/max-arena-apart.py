# FAIL: plan --max-arena=5K
# The piece of storage has 5120 bytes at least, and is held while the result is made.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((16, 16), "float32"), w: R.Tensor((16, 64), "float32"), v: R.Tensor((64, 16), "float32")) -> R.Tensor((), "float32"):
        a = R.exp(x)
        b = R.matmul(a, w)
        c = R.matmul(b, v)
        d = R.matmul(a, c)
        e = R.sum(d)
        return e
# OUT:
# error[E0340]: `main` needs 5124 bytes of memory, and may have 5120
#   --> max-arena-apart.py:10:9
#    |
# 10 |     def main(x: R.Tensor((16, 16), "float32"), w: R.Tensor((16, 64), "float32"), v: R.Tensor((64, 16), "float32")) -> R.Tensor((), "float32"):
#    |         ^^^^
#    |
#    = note: no step needs more than 5120 bytes: the rest lies apart from the piece of storage, which is held to its end, or between places in it
#    = help: `inlay plan` shows all values with their lives, `inlay why` what could be in place and is not; smaller sizes need less
#
