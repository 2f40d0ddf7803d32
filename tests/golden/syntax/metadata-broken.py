# FAIL: check
# The metadata cannot be read.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((4,), "float32")):
    return R.add(x, metadata["relax.expr.Constant"][0])

metadata = tvm.ir.load_json("{]")
# OUT:
# error[E0154]: the metadata cannot be read: it is no JSON
#  --> metadata-broken.py:9:29
#   |
# 9 | metadata = tvm.ir.load_json("{]")
#   |                             ^^^^
#
