# FAIL: plan --max-arena=1M
# A number for `n` is missing.
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
# error[E0341]: how much memory `main` needs is not known before it runs
#   --> max-arena-unknown.py:11:9
#    |
# 11 |     def main(x: R.Tensor(("n", 16), "float32"), w: R.Tensor((16, 16), "float32")):
#    |         ^^^^
#    |
#    = note: sizes in it are not known: `--dim` says what symbols are
#
