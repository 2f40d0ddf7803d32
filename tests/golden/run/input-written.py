# FAIL: run --interpret --in x=4xi64=1,2,3,4
# The script itself writes an input that is only borrowed: refused before anything runs.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def increment(h: T.Buffer((4,), "int64")):
        h[0] = h[0] + T.int64(1)

    @R.function(pure=False)
    def main(x: R.Tensor((4,), "int64")) -> R.Tensor((4,), "int64"):
        cls = Module
        cls.increment(x)
        return x
# OUT:
# error[E0317]: storage in `main`: `x` is written, but its storage belongs to the caller
#   --> input-written.py:17:9
#    |
# 17 |         cls.increment(x)
#    |         ^^^^^^^^^^^^^^^^
#    |
#    = help: give the call a copy, R.copy(..), or donate the parameter with `relax.inplace_arg`
#
