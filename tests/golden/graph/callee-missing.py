# FAIL: check
# The module has no function of that name.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        return R.call_tir(cls.kernel, (x,), out_ty=R.Tensor((4,), "float32"))
# OUT:
# error[E0572]: the module has no function `kernel`
#   --> callee-missing.py:11:31
#    |
# 11 |         return R.call_tir(cls.kernel, (x,), out_ty=R.Tensor((4,), "float32"))
#    |                               ^^^^^^
#    |
#    = help: its functions are `main`
#
