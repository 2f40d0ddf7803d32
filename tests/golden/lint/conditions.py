# RUN: check
# Conditions that only bound loop variables: what stands under them is looked at, where they let it go; others say nothing.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def heat(u: T.Buffer((16, 8), "float32"), out: T.Buffer((16, 8), "float32"), e: T.Buffer(("n",), "float32"), f: T.Buffer(("n",), "float32")):
        n = T.int64()
        for i, j in T.grid(16, 8):
            with T.sblock("heat"):
                vi, vj = T.axis.remap("SS", [i, j])
                if vi < 16 - 1:
                    out[vi, vj] = u[vi - 1, vj] + u[vi + 1, vj]
                else:
                    out[vi, vj] = u[vi - 15, vj]
        for i, j in T.grid(16, 8):
            if i > 0 and i < 15 and 1 <= j:
                out[i, j] = u[i - 1, j - 1] + u[i + 1, j]
            out[i, j] = T.if_then_else(i >= 1, u[i - 1, j], u[i + 1, j])
            out[i, j] = T.if_then_else(i <= 14, u[i + 2, j], T.float32(0))
            if not (i < 3 or j == 0):
                out[i, j] = u[i - 3, j - 2]
            if i > 20:
                out[i, j] = u[i + 1, j]
            if u[i, j] > 0:
                out[i, j] = u[i + 1, j]
            if i + j < 15:
                out[i, j] = u[i + 1, j]
        for i in range(n):
            if i > 0:
                f[i] = e[i + 1]
            if i < n - 1:
                f[i] = e[i + 1]
# OUT:
# warning[E0442]: index `vi - 1` of `u`, axis 0, is out of range
#   --> conditions.py:15:37
#    |
#  9 |     def heat(u: T.Buffer((16, 8), "float32"), out: T.Buffer((16, 8), "float32"), e: T.Buffer(("n",), "float32"), f: T.Buffer(("n",), "float32")):
#    |              - axis 0 has indices from 0 to below 16
# ...
# 14 |                 if vi < 16 - 1:
#    |                    ----------- this lets it through
# 15 |                     out[vi, vj] = u[vi - 1, vj] + u[vi + 1, vj]
#    |                                     ^^^^^^ this becomes -1
#    |
#    = note: a run ends with an error when it gets there
#
# warning[E0442]: index `i + 2` of `u`, axis 0, is out of range
#   --> conditions.py:22:51
#    |
#  9 |     def heat(u: T.Buffer((16, 8), "float32"), out: T.Buffer((16, 8), "float32"), e: T.Buffer(("n",), "float32"), f: T.Buffer(("n",), "float32")):
#    |              - axis 0 has indices from 0 to below 16
# ...
# 22 |             out[i, j] = T.if_then_else(i <= 14, u[i + 2, j], T.float32(0))
#    |                                        -------    ^^^^^ this becomes 16
#    |                                        |
#    |                                        this lets it through
#    |
#    = note: a run ends with an error when it gets there
#
# warning[E0442]: index `i + 1` of `e`, axis 0, is out of range
#   --> conditions.py:33:26
#    |
#  9 |     def heat(u: T.Buffer((16, 8), "float32"), out: T.Buffer((16, 8), "float32"), e: T.Buffer(("n",), "float32"), f: T.Buffer(("n",), "float32")):
#    |                                                                                  - axis 0 has indices from 0 to below n
# ...
# 32 |             if i > 0:
#    |                ----- this lets it through
# 33 |                 f[i] = e[i + 1]
#    |                          ^^^^^ this becomes n
#    |
#    = note: a run ends with an error when it gets there
#
