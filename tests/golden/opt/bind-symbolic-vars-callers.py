# RUN: opt -p 'BindSymbolicVars(dims="n=4", function=layer)' --check-each
# One function only; who calls it with a shape of symbols has its own types checked when it runs.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function(private=True)
    def layer(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        y = R.add(x, x)
        return y

    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        y = Module.layer(x)
        z = R.add(y, x)
        return z
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# n = TypeVar("n")
# @I.ir_module
# class Module:
#     @R.function(private=True)
#     def layer(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         y: R.Tensor((4,), dtype="float32") = R.add(x, x)
#         return y
#
#     @R.function
#     def main(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
#         cls = Module
#         gv: R.Tensor((4,), dtype="float32") = cls.layer(x)
#         y: R.Tensor((n,), dtype="float32") = R.match_cast(gv, R.Tensor((n,), dtype="float32"))
#         z: R.Tensor((n,), dtype="float32") = R.add(y, x)
#         return z
