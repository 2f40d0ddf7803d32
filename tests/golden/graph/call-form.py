# FAIL: check
# A call does not have its form.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(a: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("double"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = a[v_i] * T.float32(2)

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        return R.call_tir_inplace(cls.double, (x,), out_ty=R.Tensor((4,), "float32"))
# OUT:
# error[E0573]: `R.call_tir_inplace` needs `inplace_indices`
#   --> call-form.py:19:16
#    |
# 19 |         return R.call_tir_inplace(cls.double, (x,), out_ty=R.Tensor((4,), "float32"))
#    |                ^^^^^^^^^^^^^^^^^^
#    |
# help: as the kernel has it: `inplace_indices=[0]`
#    |
# 19 |         return R.call_tir_inplace(cls.double, (x,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
#    |                                                                                     +++++++++++++++++++++
#
