# FAIL: run
# An operator that only parses says so by its name.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 3, 8, 8), dtype="float32")):
        y = R.ccl.scatter_from_worker0(x, num_workers=4, axis=3)
        return y
# OUT:
# error[E0620]: not supported yet: `R.ccl.scatter_from_worker0`
#   --> not-supported-yet.py:12:13
#    |
# 12 |         y = R.ccl.scatter_from_worker0(x, num_workers=4, axis=3)
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: there is one worker
#
