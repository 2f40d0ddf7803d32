# RUN: opt -p 'BindParams(file=scale.safetensors, function=scaled)'
# By the name of a function, from a .safetensors file; donated parameters keep their place.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def scaled(x: R.Tensor((4,), "float32"), scale: R.Tensor((), "float32"), y: R.Tensor((4,), "float32"), z: R.Tensor((4,), "float32")):
        R.func_attr({"num_input": 3, "relax.inplace_arg": [2, 3]})
        a = R.multiply(x, scale)
        b = R.add(a, scale)

        @R.function
        def nested(c: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            d = R.multiply(c, scale)
            return d

        e = nested(b)
        return e
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def scaled(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32"), z: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         R.func_attr({"num_input": 2, "relax.inplace_arg": [1, 2]})
#         a: R.Tensor((4,), dtype="float32") = R.multiply(x, R.const(2.0, "float32"))
#         b: R.Tensor((4,), dtype="float32") = R.add(a, R.const(2.0, "float32"))
#         @R.function
#         def nested(c: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#             d: R.Tensor((4,), dtype="float32") = R.multiply(c, R.const(2.0, "float32"))
#             return d
#
#         e: R.Tensor((4,), dtype="float32") = nested(b)
#         return e
# warning[E0320]: donated parameter `y` is never updated in place
#   --> bind-params-safetensors.py:10:78
#    |
# 10 |     def scaled(x: R.Tensor((4,), "float32"), scale: R.Tensor((), "float32"), y: R.Tensor((4,), "float32"), z: R.Tensor((4,), "float32")):
#    |                                                                              ^
#    |
#    = note: no in-place call of `scaled` updates its storage
#    = help: `inlay why` says what stands against each call; if none should, do not donate the parameter
#
# warning[E0320]: donated parameter `z` is never updated in place
#   --> bind-params-safetensors.py:10:108
#    |
# 10 |     def scaled(x: R.Tensor((4,), "float32"), scale: R.Tensor((), "float32"), y: R.Tensor((4,), "float32"), z: R.Tensor((4,), "float32")):
#    |                                                                                                            ^
#    |
#    = note: no in-place call of `scaled` updates its storage
#    = help: `inlay why` says what stands against each call; if none should, do not donate the parameter
#
