# RUN: opt -p LegalizeOps,CallTIRRewrite,KillAfterLastUse,PlanMemory
# What is taken in one branch and what is taken in the other may lie in the same bytes.  What both give to the name behind
# the `if` has one place, since only one of them is made; `outer` lives through both.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((16, 16), "float32"), c: R.Tensor((), "bool")):
        outer = R.matmul(x, x)
        if c:
            p = R.matmul(x, outer)
            q = R.matmul(p, x)
            r = R.matmul(q, p)
        else:
            s = R.matmul(outer, outer)
            r = R.matmul(s, x)
        t = R.matmul(r, outer)
        u = R.matmul(t, t)
        return u
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def matmul(x1: T.Buffer((T.int64(16), T.int64(16)), "float32"), x2: T.Buffer((T.int64(16), T.int64(16)), "float32"), out: T.Buffer((T.int64(16), T.int64(16)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(T.int64(16), T.int64(16), T.int64(16)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x1[v_ax0, v_k0], x2[v_k0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 with T.init():
#                     out[v_ax0, v_ax1] = T.float32(0.0)
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * x2[v_k0, v_ax1]
#
#     @R.function
#     def main(x: R.Tensor((16, 16), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor((16, 16), dtype="float32"):
#         R.func_attr({"relax.force_pure": True})
#         cls = Module
#         arena: R.Any = R.memory.alloc_storage(R.shape([4096]), 0, R.str("global"), R.dtype("uint8"))
#         outer_dest: R.Tensor((16, 16), dtype="float32") = R.memory.alloc_tensor(arena, 0, R.shape([16, 16]), R.dtype("float32"))
#         outer: R.Tensor((16, 16), dtype="float32") = R.call_tir_inplace(cls.matmul, (x, x, outer_dest), out_ty=R.Tensor((16, 16), dtype="float32"), inplace_indices=[2])
#         if c:
#             p_dest: R.Tensor((16, 16), dtype="float32") = R.memory.alloc_tensor(arena, 1024, R.shape([16, 16]), R.dtype("float32"))
#             p: R.Tensor((16, 16), dtype="float32") = R.call_tir_inplace(cls.matmul, (x, outer, p_dest), out_ty=R.Tensor((16, 16), dtype="float32"), inplace_indices=[2])
#             q_dest: R.Tensor((16, 16), dtype="float32") = R.memory.alloc_tensor(arena, 2048, R.shape([16, 16]), R.dtype("float32"))
#             q: R.Tensor((16, 16), dtype="float32") = R.call_tir_inplace(cls.matmul, (p, x, q_dest), out_ty=R.Tensor((16, 16), dtype="float32"), inplace_indices=[2])
#             r_dest: R.Tensor((16, 16), dtype="float32") = R.memory.alloc_tensor(arena, 3072, R.shape([16, 16]), R.dtype("float32"))
#             r_1: R.Tensor((16, 16), dtype="float32") = R.call_tir_inplace(cls.matmul, (q, p, r_dest), out_ty=R.Tensor((16, 16), dtype="float32"), inplace_indices=[2])
#             R.memory.kill_tensor(p_dest)
#             R.memory.kill_tensor(q_dest)
#             r: R.Tensor((16, 16), dtype="float32") = r_1
#         else:
#             s_dest: R.Tensor((16, 16), dtype="float32") = R.memory.alloc_tensor(arena, 1024, R.shape([16, 16]), R.dtype("float32"))
#             s: R.Tensor((16, 16), dtype="float32") = R.call_tir_inplace(cls.matmul, (outer, outer, s_dest), out_ty=R.Tensor((16, 16), dtype="float32"), inplace_indices=[2])
#             r_dest: R.Tensor((16, 16), dtype="float32") = R.memory.alloc_tensor(arena, 3072, R.shape([16, 16]), R.dtype("float32"))
#             r_1: R.Tensor((16, 16), dtype="float32") = R.call_tir_inplace(cls.matmul, (s, x, r_dest), out_ty=R.Tensor((16, 16), dtype="float32"), inplace_indices=[2])
#             R.memory.kill_tensor(s_dest)
#             r: R.Tensor((16, 16), dtype="float32") = r_1
#         t_dest: R.Tensor((16, 16), dtype="float32") = R.memory.alloc_tensor(arena, 1024, R.shape([16, 16]), R.dtype("float32"))
#         t: R.Tensor((16, 16), dtype="float32") = R.call_tir_inplace(cls.matmul, (r, outer, t_dest), out_ty=R.Tensor((16, 16), dtype="float32"), inplace_indices=[2])
#         R.memory.kill_tensor(outer_dest)
#         R.memory.kill_tensor(r)
#         u_dest: R.Tensor((16, 16), dtype="float32") = R.memory.alloc_tensor(arena, 0, R.shape([16, 16]), R.dtype("float32"))
#         u: R.Tensor((16, 16), dtype="float32") = R.call_tir_inplace(cls.matmul, (t, t, u_dest), out_ty=R.Tensor((16, 16), dtype="float32"), inplace_indices=[2])
#         R.memory.kill_tensor(t_dest)
#         return u
