# FAIL: check
# An output in place is its argument: same dtype, provably the same shape.
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
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor(("n",), "float32"), z: R.Tensor(dtype="float32", ndim=1)) -> R.Tensor((4,), "float32"):
        n = T.int64()
        m = T.int64()
        cls = Module
        a = R.call_tir_inplace(cls.double, (x,), out_ty=R.Tensor((4,), "float16"), inplace_indices=[0])
        b = R.call_tir_inplace(cls.double, (x,), out_ty=R.Tensor((5,), "float32"), inplace_indices=[0])
        c = R.call_tir_inplace(cls.double, (y,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        d = R.call_tir_inplace(cls.double, (z,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        e = R.call_tir_inplace(cls.double, (x,), out_ty=R.Tensor(dtype="float32", ndim=1), inplace_indices=[0])
        return x
# OUT:
# error[E0306]: output 0 takes the place of argument 0, but is R.Tensor((4,), dtype="float16"), and the argument is R.Tensor((4,), dtype="float32")
#   --> inplace-fit.py:21:57
#    |
# 21 |         a = R.call_tir_inplace(cls.double, (x,), out_ty=R.Tensor((4,), "float16"), inplace_indices=[0])
#    |                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: an output in place is the argument's storage with new numbers
# help: the kernel makes `R.Tensor((4,), "float32")`
#    |
# 21 |         a = R.call_tir_inplace(cls.double, (x,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
#    |                                                                              ~~
#
# error[E0306]: output 0 takes the place of argument 0, but is R.Tensor((5,), dtype="float32"), and the argument is R.Tensor((4,), dtype="float32")
#   --> inplace-fit.py:22:57
#    |
# 22 |         b = R.call_tir_inplace(cls.double, (x,), out_ty=R.Tensor((5,), "float32"), inplace_indices=[0])
#    |                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: an output in place is the argument's storage with new numbers
# help: the kernel makes `R.Tensor((4,), "float32")`
#    |
# 22 |         b = R.call_tir_inplace(cls.double, (x,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
#    |                                                                   ~
#
# error[E0306]: output 0 takes the place of argument 0, but is R.Tensor((4,), dtype="float32"), and the argument is R.Tensor((n,), dtype="float32")
#   --> inplace-fit.py:23:57
#    |
# 23 |         c = R.call_tir_inplace(cls.double, (y,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
#    |                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: an output in place is the argument's storage with new numbers
#    = help: if they are the same, check it when the program runs: `R.match_cast(.., R.Tensor((4,), dtype="float32"))`
#
# error[E0306]: output 0 takes the place of argument 0, but is R.Tensor((4,), dtype="float32"), and the argument is R.Tensor(dtype="float32", ndim=1)
#   --> inplace-fit.py:24:57
#    |
# 24 |         d = R.call_tir_inplace(cls.double, (z,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
#    |                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: an output in place is the argument's storage with new numbers
#    = help: if they are the same, check it when the program runs: `R.match_cast(.., R.Tensor((4,), dtype="float32"))`
#
# error[E0515]: output 1 of `double` must be a tensor with shape and dtype, not R.Tensor(dtype="float32", ndim=1)
#   --> inplace-fit.py:25:57
#    |
# 25 |         e = R.call_tir_inplace(cls.double, (x,), out_ty=R.Tensor(dtype="float32", ndim=1), inplace_indices=[0])
#    |                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
