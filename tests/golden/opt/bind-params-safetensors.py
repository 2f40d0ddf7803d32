# RUN: opt -p 'BindParams(file=scale.safetensors, function=scaled)'
# By the name of a function, from a .safetensors file; donated parameters keep their place.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def update(x: T.Buffer((4,), "float32")):
        x[0] = T.float32(0)

    @R.function
    def scaled(x: R.Tensor((4,), "float32"), scale: R.Tensor((), "float32"), y: R.Tensor((4,), "float32"), z: R.Tensor((4,), "float32")):
        R.func_attr({"num_input": 3, "relax.inplace_arg": [2]})
        a = R.multiply(x, scale)
        b = R.add(a, scale)

        @R.function
        def nested(c: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            d = R.multiply(c, scale)
            return d

        e = nested(b)
        f = R.call_tir_inplace(Module.update, (y,), inplace_indices=[0], out_ty=R.Tensor((4,), "float32"))
        return (e, f)
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
#     @R.function
#     def scaled(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32"), z: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         R.func_attr({"num_input": 2, "relax.inplace_arg": [1]})
#         cls = Module
#         a: R.Tensor((4,), dtype="float32") = R.multiply(x, R.const(2.0, "float32"))
#         b: R.Tensor((4,), dtype="float32") = R.add(a, R.const(2.0, "float32"))
#         @R.function
#         def nested(c: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#             d: R.Tensor((4,), dtype="float32") = R.multiply(c, R.const(2.0, "float32"))
#             return d
#
#         e: R.Tensor((4,), dtype="float32") = nested(b)
#         f: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.update, (y,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#         return (e, f)
