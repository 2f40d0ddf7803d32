# FAIL: run --in "a=2xf32=1 2"
# A cast to fewer fields than a tuple has is found when the program runs.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor((2,), "float32")):
        t: R.Object = (a, a, a)
        u = R.match_cast(t, R.Tuple(R.Tensor((2,), "float32"), R.Tensor((2,), "float32")))
        b = u[1]
        return b
# OUT:
# error[E0802]: `t` in R.match_cast should have 2 fields, but has 3
#   --> any-tuple-cast-fails.py:12:9
#    |
# 12 |         u = R.match_cast(t, R.Tuple(R.Tensor((2,), "float32"), R.Tensor((2,), "float32")))
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
