# RUN: check
# An output in place of an argument that the kernel has no use for; and none of what is only read, as two buffers may change roles.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def scale(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32"), c: T.Buffer((8,), "float32")):
        for i in range(8):
            b[i] = a[i] * T.float32(2)

    @R.function
    def main(x: R.Tensor((8,), "float32")):
        y = R.exp(x)
        z = R.abs(x)
        u = R.exp(y)
        v = R.call_tir_inplace(Module.scale, (u, y, z), out_ty=[R.Tensor((8,), "float32"), R.Tensor((8,), "float32")], inplace_indices=[1, 2])
        w = R.call_tir_inplace(Module.scale, (u, y, z), out_ty=[R.Tensor((8,), "float32"), R.Tensor((8,), "float32")], inplace_indices=[1, 0])
        return (v, w)
# OUT:
# warning[E0482]: `scale` neither reads nor writes `c`, in whose place output 1 is to be
#   --> untouched.py:20:140
#    |
# 11 |     def scale(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32"), c: T.Buffer((8,), "float32")):
#    |                                                                           - `c` is not touched
# ...
# 20 |         v = R.call_tir_inplace(Module.scale, (u, y, z), out_ty=[R.Tensor((8,), "float32"), R.Tensor((8,), "float32")], inplace_indices=[1, 2])
#    |                                                                                                                                            ^
#    |
#    = help: store to it, or name the argument that the kernel updates
#
