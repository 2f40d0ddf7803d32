# RUN: check
# No call asks for `x`, but `y` may be made in it without being asked: no warning.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        R.func_attr({"relax.inplace_arg": [0]})
        y = R.exp(x)
        return y
# OUT:
