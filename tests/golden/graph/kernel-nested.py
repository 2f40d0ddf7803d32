# FAIL: check
# A kernel is defined in a Relax function.
from tvm.script import relax as R
from tvm.script import tirx as T

@R.function
def main(x: R.Tensor((2, 3), "float32")):
    @T.prim_func
    def kernel(a: T.Buffer((4,), "float32")):
        T.evaluate(0)
    return x
# OUT:
# error[E0568]: kernel `kernel` is defined inside a Relax function
#  --> kernel-nested.py:9:9
#   |
# 9 |     def kernel(a: T.Buffer((4,), "float32")):
#   |         ^^^^^^
#
