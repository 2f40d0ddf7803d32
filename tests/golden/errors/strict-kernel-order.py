# FAIL: check
# What one operand is read as after the other is written stands in the message: both places in the kernel.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def turn(new: T.Buffer((4,), "float32"), old: T.Buffer((4,), "float32")):
        first = T.alloc_buffer((1,), "float32")
        first[0] = old[0]
        for i in range(3):
            new[i] = old[i + 1]
        new[3] = first[0] + old[2]

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        t = R.exp(x)
        new = R.call_tir_inplace(
            cls.turn, (t, t), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0], strict=True
        )
        return new
# OUT:
# error[E0304]: `t` cannot be updated in place: operand `t` is the same storage, and the kernel reads elements of it that it has written before
#   --> strict-kernel-order.py:22:15
#    |
# 15 |             new[i] = old[i + 1]
#    |             ------------------- written here
# 16 |         new[3] = first[0] + old[2]
#    |                             ------ the kernel reads an element here after it has written it
# ...
# 21 |         t = R.exp(x)
#    |         - `t` may live in the same storage
# 22 |         new = R.call_tir_inplace(
#    |               ^^^^^^^^^^^^^^^^^^^ output 0 is to take the storage of `t`
#    |
#    = note: the kernel reads elements of the storage after it has written their places [IP010]; the call is strict
#
