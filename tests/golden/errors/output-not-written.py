# FAIL: check
# What is stored to an input belongs into the output, to which nothing is stored.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def scale(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")):
        for i in range(8):
            a[i] = a[i] * T.float32(2)

    @R.function
    def main(x: R.Tensor((8,), "float32")):
        return R.call_tir(Module.scale, (x,), out_ty=R.Tensor((8,), "float32"))
# OUT:
# error[E0315]: kernel `scale` writes its parameter `a`, which the call gives as input
#   --> output-not-written.py:15:16
#    |
#  9 |     def scale(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")):
#    |               -                             - nothing is stored to `b`
#    |               |
#    |               `a` is written in the kernel
# ...
# 15 |         return R.call_tir(Module.scale, (x,), out_ty=R.Tensor((8,), "float32"))
#    |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = help: store to `b` in place of `a`
#
