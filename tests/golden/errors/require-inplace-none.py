# FAIL: run --require-inplace=s
# No operand of the sum has its type.
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
# error[E0333]: `s` must be in place, but no call takes its storage over, and none makes it in that of an operand
#
