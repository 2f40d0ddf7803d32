# FAIL: run FILE --dim n=5
# An annotation that is not proved becomes a match_cast, which fails when the program runs.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(z: R.Tensor(("n",), "float32")) -> R.Tensor((4,), "float32"):
        n = T.int64()
        d: R.Tensor((4,), "float32") = R.exp(z)
        e = R.add(d, d)
        return e
# OUT:
# error[E0802]: dimension 0 of `gv` in R.match_cast is 5, not 4
#   --> annotation-checked.py:12:9
#    |
# 12 |         d: R.Tensor((4,), "float32") = R.exp(z)
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
