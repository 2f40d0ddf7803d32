# FAIL: run --in x=3xf32=1,2,3 --dim m=2
# R.match_cast checks what types cannot show.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("m",), "float32")):
        n = T.int64()
        m = T.int64()
        z = R.match_cast(x, R.Tensor((4,), "float32"))
        return z
# OUT:
# error[E0802]: dimension 0 of `x` in R.match_cast is 3, not 4
#   --> match-cast-fails.py:13:9
#    |
# 13 |         z = R.match_cast(x, R.Tensor((4,), "float32"))
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
