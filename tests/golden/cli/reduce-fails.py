# FAIL: reduce --keep 'grep -q R.tanh {} || exit 3'
# The command must succeed before anything is taken away.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = R.exp(x)
        return y
# OUT:
# error[E0914]: `grep -q R.tanh {} || exit 3` does not succeed for the script as it is
#   = note: exit status 3
#
