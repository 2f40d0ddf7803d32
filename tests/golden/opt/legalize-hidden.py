# RUN: opt -p LegalizeOps --roundtrip-each
# What the script hides behind R.Object stays hidden: only types that say less than is known by then are found again.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")) -> R.Object:
        b = R.add(a, a)
        if c:
            e: R.Object = (a, (b, b))
        else:
            e: R.Object = b
        return e
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def add(x1: T.Buffer((T.int64(2),), "float32"), x2: T.Buffer((T.int64(2),), "float32"), out: T.Buffer((T.int64(2),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(2)):
#             with T.sblock("T_add"):
#                 v_ax0 = T.axis.spatial(T.int64(2), ax0)
#                 T.reads(x1[v_ax0], x2[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = x1[v_ax0] + x2[v_ax0]
#
#     @R.function
#     def main(a: R.Tensor((2,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Any:
#         cls = Module
#         b = R.call_tir(cls.add, (a, a), out_ty=R.Tensor((2,), dtype="float32"))
#         if c:
#             gv: R.Tuple(R.Tensor((2,), dtype="float32"), R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32"))) = a, (b, b)
#             e: R.Any = gv
#         else:
#             e: R.Any = b
#         return e
