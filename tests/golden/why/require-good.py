# RUN: why --require-inplace --summary -Werror=inplace-missed --skip=FuseOps,FuseTIR
# `t` is in place, and `s` has no operand of its type: nothing is missed.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        R.func_attr({"relax.inplace_arg": [0]})
        t = R.exp(x)
        s = R.sum(t, axis=[0])
        return s
# OUT:
# in-place: 1
# saved: 16 bytes, missed: 0 bytes
