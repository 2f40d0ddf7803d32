# RUN: opt -p LegalizeOps,DeadCodeElimination
# A dataflow block that a pass has emptied is not printed; the module that grew around the function is.
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((4,), "float32")):
    R.func_attr({"global_symbol": "another", "k": 1})
    with R.dataflow():
        a = R.zeros((2, 2), "float32")
        R.output()
    b = R.exp(x)
    return b
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def tir_exp(x: T.Buffer((T.int64(4),), "float32"), out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_tir_exp"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = T.exp(x[v_ax0])
#
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         R.func_attr({"k": 1})
#         cls = Module
#         b = R.call_tir(cls.tir_exp, (x,), out_ty=R.Tensor((4,), dtype="float32"))
#         return b
