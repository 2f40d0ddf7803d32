# FAIL: run --in n=5
# The size of a dimension is no parameter: --dim gives it.
from tvm.script import relax as R


@R.function
def main(x: R.Tensor(("n",), "float32")):
    return x
# OUT:
# error[E0706]: `main` has no parameter `n`
#  --> input-symbol.py:7:5
#   |
# 7 | def main(x: R.Tensor(("n",), "float32")):
#   |     ^^^^
#   |
#   = note: it takes `x`
#   = help: `n` is the size of a dimension: --dim n=5
#
