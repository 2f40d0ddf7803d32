# FAIL: run
# A call for its effect may not write what belongs to the caller.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def add(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("add"):
                v = T.axis.spatial(4, i)
                a[v] = a[v] + b[v]

    @T.prim_func(private=True)
    def both(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32"), c: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("both"):
                v = T.axis.spatial(4, i)
                b[v] = a[v] + T.float32(1)
                c[v] = a[v] - T.float32(1)

    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")):
        cls = Module
        cls.add(x, y)
        return x
# OUT:
# error[E0317]: storage in `main`: `x` is written, but its storage belongs to the caller
#   --> kernel-writes-borrowed.py:28:9
#    |
# 28 |         cls.add(x, y)
#    |         ^^^^^^^^^^^^^
#    |
#    = help: give the call a copy, R.copy(..), or donate the parameter with `relax.inplace_arg`
#
