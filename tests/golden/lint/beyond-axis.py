# RUN: check --diagnostics=short
# Loops run beyond the axis whose extent the buffer has: an index that its axis keeps inside is not inside for that. Two ends of ranges that fit say nothing.
from tvm.script import ir as I
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def main(a: T.Buffer((16,), "float32"), b: T.Buffer((16,), "float32"), c: T.Buffer((32,), "float32")):
        for i in range(20):
            with T.sblock("beyond"):
                v = T.axis.spatial(16, i)
                b[v] = a[v]
        for i in range(32):
            with T.sblock("longer"):
                v = T.axis.spatial(32, i)
                c[v] = c[v] + a[v]
        for i in range(1, 17):
            b[i] = a[i - 1]
        for i in range(0):
            b[i + 16] = a[20]
        for i in range(1, 16):
            b[i] = a[0] + a[15]
        b[0] = a[16]
# OUT:
# beyond-axis.py:13:40: warning[E0443]: axis `v` is said to have extent 16, and its loops give it another
# beyond-axis.py:18:33: warning[E0442]: index `v` of `a`, axis 0, is out of range
# beyond-axis.py:20:15: warning[E0442]: index `i` of `b`, axis 0, is out of range
# beyond-axis.py:25:18: warning[E0442]: index `16` of `a`, axis 0, is out of range
