# FAIL: run --dim m=3
# What --dim may name is listed.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor(("n", 8), "float32"), y: R.Tensor(("k", "n"), "float32")):
    return x
# OUT:
# error[E0712]: `main` has no symbolic dimension `m`
#  --> dim-unknown.py:6:5
#   |
# 6 | def main(x: R.Tensor(("n", 8), "float32"), y: R.Tensor(("k", "n"), "float32")):
#   |     ^^^^
#   |
#   = help: there is `n`
#   = help: there is `k`
#
