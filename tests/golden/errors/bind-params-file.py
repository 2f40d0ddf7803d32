# FAIL: opt -p 'BindParams(file="missing.npz")'
# No such file.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x
# OUT:
# error[E0920]: `missing.npz`: cannot be opened: No such file or directory
#  --> <passes>:1:1
#   |
# 1 | BindParams(file="missing.npz")
#   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
