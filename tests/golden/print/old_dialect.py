# RUN: opt
# What TVM 0.16 to 0.23 wrote prints in the dialect of 0.26.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def kernel(var_A: T.handle, B: T.Buffer((T.int64(4),), "float32"), n: T.int64):
        T.func_attr({"tir.noalias": T.bool(True)})
        m = T.int64()
        A = T.match_buffer(var_A, (m,), "float32")
        C = T.alloc_buffer((m,), "float32")
        for i in range(m):
            with T.block("copy"):
                v_i = T.axis.spatial(m, i)
                T.block_attr({"k": 1})
                x = A[v_i] + T.float32(1)
                C[v_i] = x
        for i in range(T.int64(4)):
            with T.block("rest"):
                v_i = T.axis.spatial(T.int64(4), i)
                B[v_i] = C[v_i + n]

    @R.function(pure=False)
    def main(x: R.Tensor(("m",), "float32"), y: R.Prim("int64"), o: R.Object):
        m = T.int64()
        cls = Module
        a = R.call_tir(cls.kernel, (x,), out_sinfo=R.Tensor((4,), "float32"), tir_vars=R.shape([m]))
        b = R.call_packed("f", a, R.prim_value(3), sinfo_args=(R.Object,))
        return b
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# m = TypeVar("m")
# @I.ir_module
# class Module:
#     @T.prim_func(s_tir=True)
#     def kernel(A: T.Buffer((m,), "float32"), n: T.int64, B: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tir.noalias": True})
#         # with T.sblock("root"):
#         C = T.sblock_alloc_buffer((m,))
#         for i in range(m):
#             with T.sblock("copy"):
#                 v_i = T.axis.spatial(m, i)
#                 T.reads(A[v_i])
#                 T.writes(C[v_i])
#                 T.sblock_attr({"k": 1})
#                 x: T.let[T.float32] = A[v_i] + T.float32(1.0)
#                 C[v_i] = x
#         for i in range(T.int64(4)):
#             with T.sblock("rest"):
#                 v_i = T.axis.spatial(T.int64(4), i)
#                 T.reads(C[v_i + n])
#                 T.writes(B[v_i])
#                 B[v_i] = C[v_i + n]
#
#     @R.function(pure=False)
#     def main(x: R.Tensor((m,), dtype="float32"), y: T.int64, o: R.Any) -> R.Any:
#         cls = Module
#         a = R.call_tir(cls.kernel, (x, m), out_ty=R.Tensor((4,), dtype="float32"))
#         b: R.Any = R.call_packed("f", a, 3, ty_args=(R.Any,))
#         return b
