# RUN: opt -p 'BindParams(file=scale.safetensors)'
# A parameter of which less is known than of its constant: what follows is known better, too.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32"), scale: R.Tensor(dtype="float32")):
        with R.dataflow():
            a = R.multiply(x, scale)
            R.output(a)
        return a
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor(dtype="float32"):
#         scale: R.Tensor((), dtype="float32") = R.const(2.0, "float32")
#         with R.dataflow():
#             a: R.Tensor((4,), dtype="float32") = R.multiply(x, scale)
#             R.output(a)
#         return a
