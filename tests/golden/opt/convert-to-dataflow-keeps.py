# RUN: opt -p ConvertToDataflow --check-each
# Nothing to do: calls with effects, nested functions and short rows.  In-place calls are pure.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def update(x: T.Buffer((4,), "float32")):
        x[0] = T.float32(0)

    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")):
        @R.function
        def nested(a: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            b = R.exp(a)
            return b

        y = nested(x)
        z = R.call_packed("f", y, ty_args=R.Tensor((4,), "float32"))
        u = R.call_tir_inplace(Module.update, (y,), inplace_indices=[0], out_ty=R.Tensor((4,), "float32"))
        _ = R.print(z)
        return u
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def update(x: T.Buffer((4,), "float32")):
#         x[0] = T.float32(0.0)
#
#     @R.function(pure=False)
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         @R.function
#         def nested(a: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#             b: R.Tensor((4,), dtype="float32") = R.exp(a)
#             return b
#
#         y: R.Tensor((4,), dtype="float32") = nested(x)
#         z: R.Tensor((4,), dtype="float32") = R.call_packed("f", y, ty_args=(R.Tensor((4,), dtype="float32"),))
#         u: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.update, (y,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#         R.print(z, format=R.str(""))
#         return u
