# RUN: opt
# Texts of 0.16 to 0.23 read as those of today.
import tvm
from tvm.script.parser import ir as I, relax as R, tir as T

@tvm.script.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, "n"), "float32"), y: R.Object) -> R.Object:
        n = T.int64()
        lv = R.call_dps_packed("f", (x, R.prim_value(1)), out_sinfo=R.Tensor((2, n), "float32"))
        z = R.match_cast(y, R.Shape([2, n]))
        w: R.Prim("int64") = R.prim_value(3)
        return lv
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# n = TypeVar("n")
# @I.ir_module
# class Module:
#     @R.function
#     def main(x: R.Tensor((2, n), dtype="float32"), y: R.Any) -> R.Any:
#         lv = R.call_dps_packed("f", (x, 1), out_ty=R.Tensor((2, n), dtype="float32"))
#         z: R.Shape([2, n]) = R.match_cast(y, R.Shape([2, n]))
#         w: T.int64 = 3
#         return lv
