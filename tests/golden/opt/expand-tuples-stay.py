# RUN: opt -p ExpandTupleArguments
# Left alone: a public function, one that is a value, a tuple with a scalar.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(t: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"))):
        cls = Module
        f = cls.value
        a = f(t)
        b = cls.value(t)
        c = cls.scalar((b, T.int64(1)))
        return (a, b, c)

    @R.function(private=True)
    def value(t: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"))) -> R.Tensor((4,), "float32"):
        a = t[0]
        return a

    @R.function(private=True)
    def scalar(t: R.Tuple(R.Tensor((4,), "float32"), T.int64)) -> R.Tensor((4,), "float32"):
        a = t[0]
        return a
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function(private=True)
#     def scalar(t: R.Tuple(R.Tensor((4,), dtype="float32"), R.Prim("int64"))) -> R.Tensor((4,), dtype="float32"):
#         a: R.Tensor((4,), dtype="float32") = t[0]
#         return a
#
#     @R.function(private=True)
#     def value(t: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"))) -> R.Tensor((4,), dtype="float32"):
#         a: R.Tensor((4,), dtype="float32") = t[0]
#         return a
#
#     @R.function
#     def main(t: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"))) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         cls = Module
#         f: R.Callable((R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")),), R.Tensor((4,), dtype="float32"), True) = cls.value
#         a: R.Tensor((4,), dtype="float32") = f(t)
#         b: R.Tensor((4,), dtype="float32") = cls.value(t)
#         c: R.Tensor((4,), dtype="float32") = cls.scalar((b, 1))
#         return (a, b, c)
