# RUN: opt -p LambdaLift --check-each
# A function that calls itself and captures x gives x on.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        @R.function
        def loop(i: R.Tensor((), "int32"), s: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
            p = R.less(i, R.const(3, "int32"))
            if p:
                next = R.add(i, R.const(1, "int32"))
                t = R.add(s, x)
                r: R.Tensor((2, 3), "float32") = loop(next, t)
            else:
                r: R.Tensor((2, 3), "float32") = s
            return r

        y = loop(R.const(0, "int32"), x)
        return y
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function(private=True)
#     def main_loop(i: R.Tensor((), dtype="int32"), s: R.Tensor((2, 3), dtype="float32"), x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
#         cls = Module
#         p: R.Tensor((), dtype="bool") = R.less(i, R.const(3, "int32"))
#         if p:
#             next: R.Tensor((), dtype="int32") = R.add(i, R.const(1, "int32"))
#             t: R.Tensor((2, 3), dtype="float32") = R.add(s, x)
#             r: R.Tensor((2, 3), dtype="float32") = cls.main_loop(next, t, x)
#         else:
#             r: R.Tensor((2, 3), dtype="float32") = s
#         return r
#
#     @R.function
#     def main(x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
#         cls = Module
#         y: R.Tensor((2, 3), dtype="float32") = cls.main_loop(R.const(0, "int32"), x, x)
#         return y
