# FAIL: check
# The script refers to metadata that it does not have.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32")):
    return R.add(x, metadata["relax.expr.Constant"][0])
# OUT:
# error[E0155]: the script uses `metadata`, but has none
#  --> metadata-missing.py:7:21
#   |
# 7 |     return R.add(x, metadata["relax.expr.Constant"][0])
#   |                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#   |
#   = help: print the module with show_meta=True
#
