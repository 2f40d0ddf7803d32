# FAIL: check
# Values of Relax are never written to, whatever the target looks like.
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((8,), "float32")):
    x[4:] = R.add(x, x)
    x[0] = R.add(x, x)
    return x
# OUT:
# error[E0565]: assigning to a part is no statement of a Relax function
#  --> assign-to-slice.py:8:5
#   |
# 8 |     x[4:] = R.add(x, x)
#   |     ^^^^^
#   |
#   = help: values never change: an operator gives the changed one, `R.index_put`, `R.slice_scatter`, or a kernel by R.call_tir_inplace
#
# error[E0565]: assigning to a part is no statement of a Relax function
#  --> assign-to-slice.py:9:5
#   |
# 9 |     x[0] = R.add(x, x)
#   |     ^^^^
#   |
#   = help: values never change: an operator gives the changed one, `R.index_put`, `R.slice_scatter`, or a kernel by R.call_tir_inplace
#
