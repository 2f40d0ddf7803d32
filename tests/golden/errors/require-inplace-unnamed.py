# FAIL: run --require-inplace
# A result that the script gives no name is the one that is spoken of, not its operand.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 4), "float32")) -> R.Tensor((4, 4), "float32"):
        return R.nn.softmax(R.matmul(x, x))
# OUT:
# error[E0330]: `gv` must be in place, but it has storage of its own: the kernel reads elements of `x` after it has written their places
#   --> require-inplace-unnamed.py:11:29
#    |
# 11 |         return R.nn.softmax(R.matmul(x, x))
#    |                             ^^^^^^^^^^^^^^
#    |                             |
#    |                             written here
#    |
#    = note: IP010 in `main`: output 0 in argument 0, 64 bytes
#    = note: asked for by `--require-inplace`
#
