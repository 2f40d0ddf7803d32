# FAIL: check
# call_tir calls kernels.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function(private=True)
    def helper(a: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        b = R.exp(a)
        return b

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        y = R.call_tir(cls.helper, (x,), out_ty=R.Tensor((4,), "float32"))
        return y
# OUT:
# error[E0510]: `R.call_tir` calls kernels, and `helper` is a Relax function
#   --> kernel-callee.py:17:13
#    |
# 17 |         y = R.call_tir(cls.helper, (x,), out_ty=R.Tensor((4,), "float32"))
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = help: call it as `cls.helper(..)`
#
