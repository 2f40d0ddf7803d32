# RUN: opt -p ExpandTupleArguments,RemoveUnusedParameters
# Parameters in front of the tuple keep their place in a list that grows behind them.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function(private=True)
    def forever(n: R.Tensor((), "int32"), a: R.Tensor((1, 1), "float32"), b: R.Tensor((), "float32"), t: R.Tuple(R.Tensor((1, 1), "float32"), R.Tensor((), "float32"), R.Tensor((), "float32"))) -> R.Tensor((1, 1), "float32"):
        cls = Module
        c = cls.forever(n, a, b, t)
        d = R.add(c, a)
        return d
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function(private=True)
#     def forever(a: R.Tensor((1, 1), dtype="float32")) -> R.Tensor((1, 1), dtype="float32"):
#         cls = Module
#         c: R.Tensor((1, 1), dtype="float32") = cls.forever(a)
#         d: R.Tensor((1, 1), dtype="float32") = R.add(c, a)
#         return d
