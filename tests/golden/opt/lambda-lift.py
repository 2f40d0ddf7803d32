# RUN: opt -p LambdaLift --check-each
# Without captures: the name is taken, another one is found; passed on as a value, it is a global name.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((10, 5), "float32"), y: R.Tensor((10, 5), "float32")):
        @R.function
        def inner(x2: R.Tensor(("n", "m"), "float32"), y2: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("n", "m"), "float32"):
            s = R.add(x2, y2)
            return s

        @R.function
        def twice(f: R.Callable((R.Tensor((10, 5), "float32"), R.Tensor((10, 5), "float32")), R.Tensor((10, 5), "float32"), True), a: R.Tensor((10, 5), "float32")) -> R.Tensor((10, 5), "float32"):
            b = f(a, a)
            return b

        z = inner(x, y)
        w = twice(inner, z)
        return w

    @R.function
    def main_inner():
        return R.const(1)
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# n = TypeVar("n")
# m = TypeVar("m")
# @I.ir_module
# class Module:
#     @R.function
#     def main_inner() -> R.Tensor((), dtype="int32"):
#         return R.const(1, "int32")
#
#     @R.function(private=True)
#     def main_inner_1(x2: R.Tensor((n, m), dtype="float32"), y2: R.Tensor((n, m), dtype="float32")) -> R.Tensor((n, m), dtype="float32"):
#         s: R.Tensor((n, m), dtype="float32") = R.add(x2, y2)
#         return s
#
#     @R.function(private=True)
#     def main_twice(f: R.Callable((R.Tensor((10, 5), dtype="float32"), R.Tensor((10, 5), dtype="float32")), R.Tensor((10, 5), dtype="float32"), True), a: R.Tensor((10, 5), dtype="float32")) -> R.Tensor((10, 5), dtype="float32"):
#         b: R.Tensor((10, 5), dtype="float32") = f(a, a)
#         return b
#
#     @R.function
#     def main(x: R.Tensor((10, 5), dtype="float32"), y: R.Tensor((10, 5), dtype="float32")) -> R.Tensor((10, 5), dtype="float32"):
#         cls = Module
#         z: R.Tensor((10, 5), dtype="float32") = cls.main_inner_1(x, y)
#         w: R.Tensor((10, 5), dtype="float32") = cls.main_twice(cls.main_inner_1, z)
#         return w
