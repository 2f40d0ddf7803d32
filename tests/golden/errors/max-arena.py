# FAIL: run --max-arena=4K
# `a` and `b` live at once: 1024 and 4096 bytes.
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
# error[E0340]: `main` needs 5124 bytes of memory, and may have 4096
#   --> max-arena.py:10:9
#    |
# 10 |     def main(x: R.Tensor((16, 16), "float32"), w: R.Tensor((16, 64), "float32"), v: R.Tensor((64, 16), "float32")) -> R.Tensor((), "float32"):
#    |         ^^^^
# 11 |         a = R.exp(x)
#    |             -------- `a`: 1024 bytes, steps 1 to 5
# 12 |         b = R.matmul(a, w)
#    |             -------------- `b`: 4096 bytes, steps 3 to 8
#    |
#    = note: these cannot be held in 4096 bytes, and can without any one of them: `a` (1024), `b` (4096)
#    = help: `inlay plan` shows all values with their lives, `inlay why` what could be in place and is not; smaller sizes need less
#
