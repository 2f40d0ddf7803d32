# FAIL: run
# An operator without loops parses, prints and has a type; running it says so.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 3, 8, 8), dtype="float32"), w: R.Tensor((4, 3, 3, 3), dtype="float32")):
        y = R.ccl.allgather(x, num_workers=2)
        return y
# OUT:
# error[E0620]: not supported yet: `R.ccl.allgather`
#   --> not-supported.py:10:13
#    |
# 10 |         y = R.ccl.allgather(x, num_workers=2)
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: there is one worker
#
