# RUN: run FILE -p LegalizeOps,InplaceCalls,ResolveInplace,CallTIRRewrite,KillAfterLastUse --in x=4xf32=1,2,3,4 --print-after=InplaceCalls
# A call of the script that is still to get its copy: what was stored to since then is no copy onto itself.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def clear_then_copy(a: T.Buffer((4,), "float32"), o: T.Buffer((4,), "float32")):
        o[1] = T.float32(0)
        for i in range(4):
            o[i] = a[i]

    @T.prim_func(private=True, s_tir=True)
    def copy_then_clear(a: T.Buffer((4,), "float32"), o: T.Buffer((4,), "float32")):
        for i in range(4):
            o[i] = a[i]
        o[1] = T.float32(0)

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        y = R.call_tir_inplace(cls.clear_then_copy, (x, x), out_ty=R.Tensor((4,), "float32"), inplace_indices=[1])
        z = R.call_tir_inplace(cls.copy_then_clear, (x, x), out_ty=R.Tensor((4,), "float32"), inplace_indices=[1])
        return (y, z)
# OUT:
# # ---- after InplaceCalls ----
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def clear_then_copy(a: T.Buffer((4,), "float32"), o: T.Buffer((4,), "float32")):
#         o[1] = T.float32(0.0)
#         for i in range(4):
#             o[i] = a[i]
#
#     @T.prim_func(private=True, s_tir=True)
#     def copy_then_clear_update(a: T.Buffer((4,), "float32"), o: T.Buffer((4,), "float32")):
#         o[1] = T.float32(0.0)
#
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         cls = Module
#         y: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.clear_then_copy, (x, x), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[1])
#         z: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.copy_then_clear_update, (x, x), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[1])
#         return (y, z)
# result.0: (4,) float32
# [1. 2. 3. 4.]
# result.1: (4,) float32
# [1. 0. 3. 4.]
