# FAIL: check
# Names that stand for nothing, each said once; a near name is offered.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def main(A: T.Buffer((16,), "float32"), out: T.Buffer((16,), "float32")):
    for i in range(16):
        ot[i] = A[i] * scale
        out[i] = A[i] + scale
    for i in range(len(A)):
        out[i] = A[i]
# OUT:
# error[E0201]: name `ot` is not defined in TVMScript
#  --> undefined.py:9:9
#   |
# 9 |         ot[i] = A[i] * scale
#   |         ^^
#   |
# help: there is `out`
#   |
# 9 |         out[i] = A[i] * scale
#   |          +
#
# error[E0201]: name `scale` is not defined in TVMScript
#  --> undefined.py:9:24
#   |
# 9 |         ot[i] = A[i] * scale
#   |                        ^^^^^
#   |
#   = help: a kernel knows its parameters (scalars, too: `scale: T.int64`), the symbols of their shapes, what it binds, and constants in front of the module (`scale = 16`)
#
# error[E0201]: name `len` is not defined in TVMScript
#   --> undefined.py:11:20
#    |
# 11 |     for i in range(len(A)):
#    |                    ^^^
#    |
# help: an extent is a symbol of the shape (`n`), or `a.shape[0]` of a buffer
#    |
# 11 |     for i in range(16):
#    |                    ~~
#
