# FAIL: opt -p LowerIntrin(fma="maybe")
# The option has three values.
from tvm.script import tirx as T


@T.prim_func
def main(A: T.Buffer((8,), "float32")):
    for i in range(8):
        A[i] = T.exp(A[i])
# OUT:
# error[E0909]: option `fma` of pass `LowerIntrin` is none of "target", "on", "off"
#  --> <passes>:1:1
#   |
# 1 | LowerIntrin(fma=maybe)
#   | ^^^^^^^^^^^^^^^^^^^^^^
#
