# FAIL: check
# check_well_formed=False lets calls with effects pass, but no wrong call of a kernel.
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

    @R.function(check_well_formed=False)
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        _ = R.print(x, format="{}")
        y = R.call_tir_inplace(cls.double, (x,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[1])
        return y
# OUT:
# error[E0305]: `R.call_tir_inplace`: entry 0 is 1, and arguments are 0 to 0
#   --> not-asked-for.py:20:101
#    |
# 20 |         y = R.call_tir_inplace(cls.double, (x,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[1])
#    |                                                                                                     ^
#    |
# help: the kernel writes argument 0, which no entry names
#    |
# 20 |         y = R.call_tir_inplace(cls.double, (x,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
#    |                                                                                                     ~
#
