# FAIL: check
# An attribute of a function is given twice.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32")):
    R.func_attr({"relax.inplace_arg": 0})
    R.func_attr({"relax.inplace_arg": 1})
    return x
# OUT:
# error[E0569]: attribute `relax.inplace_arg` is given twice
#  --> attr-twice.py:8:18
#   |
# 8 |     R.func_attr({"relax.inplace_arg": 1})
#   |                  ^^^^^^^^^^^^^^^^^^^
#
