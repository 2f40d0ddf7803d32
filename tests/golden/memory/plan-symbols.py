# RUN: opt -p LegalizeOps,CallTIRRewrite,KillAfterLastUse,PlanMemory
# Sizes that are multiples of one expression are packed by their factors, and offsets are multiples of it; a group of other
# sizes begins behind what lives beside it.  All is known where the function begins; what a match_cast binds later (`late`)
# is not, and has its own storage.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 64), "float32"), w: R.Tensor((64, 64), "float32"), z: R.Tensor(("n",), "float32"), u: R.Tensor(ndim=1, dtype="float32")):
        n = T.int64()
        m = T.int64()
        a = R.matmul(x, w)
        b = R.permute_dims(a)
        d = R.matmul(a, b)
        e = R.matmul(d, a)
        f = R.matmul(w, w)
        g = R.matmul(e, f)
        h = R.matmul(g, w)
        late = R.match_cast(u, R.Tensor((m,), "float32"))
        i = R.exp(R.add(late, late))
        j = R.exp(R.add(z, z))
        k = R.add(R.sum(i), R.sum(j))
        l = R.add(h, k)
        return R.matmul(l, w)
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# m = TypeVar("m")
# n = TypeVar("n")
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def add(x1: T.Buffer((m,), "float32"), x2: T.Buffer((m,), "float32"), out: T.Buffer((m,), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(m):
#             with T.sblock("T_add"):
#                 v_ax0 = T.axis.spatial(m, ax0)
#                 T.reads(x1[v_ax0], x2[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = x1[v_ax0] + x2[v_ax0]
#
#     @T.prim_func(private=True, s_tir=True)
#     def add_1(x1: T.Buffer((), "float32"), x2: T.Buffer((), "float32"), out: T.Buffer((), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         with T.sblock("root"):
#             T.reads()
#             T.writes()
#             with T.sblock("T_add"):
#                 T.reads(x1[()], x2[()])
#                 T.writes(out[()])
#                 out[()] = x1[()] + x2[()]
#
#     @T.prim_func(private=True, s_tir=True)
#     def add_2(x1: T.Buffer((n, T.int64(64)), "float32"), x2: T.Buffer((), "float32"), out: T.Buffer((n, T.int64(64)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(n, T.int64(64)):
#             with T.sblock("T_add"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x1[v_ax0, v_ax1], x2[()])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x1[v_ax0, v_ax1] + x2[()]
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul(x1: T.Buffer((n, T.int64(64)), "float32"), x2: T.Buffer((T.int64(64), T.int64(64)), "float32"), out: T.Buffer((n, T.int64(64)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(n, T.int64(64), T.int64(64)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x1[v_ax0, v_k0], x2[v_k0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 with T.init():
#                     out[v_ax0, v_ax1] = T.float32(0.0)
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * x2[v_k0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul_1(x1: T.Buffer((n, T.int64(64)), "float32"), x2: T.Buffer((T.int64(64), n), "float32"), out: T.Buffer((n, n), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(n, T.int64(64), n):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x1[v_ax0, v_k0], x2[v_k0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 with T.init():
#                     out[v_ax0, v_ax1] = T.float32(0.0)
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * x2[v_k0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul_2(x1: T.Buffer((n, n), "float32"), x2: T.Buffer((n, T.int64(64)), "float32"), out: T.Buffer((n, T.int64(64)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(n, T.int64(64)):
#             with T.sblock("matmul_init"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads()
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = T.float32(0.0)
#         for ax0, k0, ax1 in T.grid(n, n, T.int64(64)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(out[v_ax0, v_ax1], x1[v_ax0, v_k0], x2[v_k0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * x2[v_k0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul_3(x1: T.Buffer((T.int64(64), T.int64(64)), "float32"), x2: T.Buffer((T.int64(64), T.int64(64)), "float32"), out: T.Buffer((T.int64(64), T.int64(64)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(T.int64(64), T.int64(64), T.int64(64)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x1[v_ax0, v_k0], x2[v_k0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 with T.init():
#                     out[v_ax0, v_ax1] = T.float32(0.0)
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * x2[v_k0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def permute_dims(x: T.Buffer((n, T.int64(64)), "float32"), out: T.Buffer((T.int64(64), n), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(64), n):
#             with T.sblock("T_transpose"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax1, v_ax0])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x[v_ax1, v_ax0]
#
#     @T.prim_func(private=True, s_tir=True)
#     def sum(x: T.Buffer((m,), "float32"), out: T.Buffer((), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         with T.sblock("sum_red_init"):
#             T.reads()
#             T.writes(out[()])
#             out[()] = T.float32(0.0)
#         for k0 in range(m):
#             with T.sblock("sum_red"):
#                 v_k0 = T.axis.reduce(m, k0)
#                 T.reads(out[()], x[v_k0])
#                 T.writes(out[()])
#                 out[()] = out[()] + x[v_k0]
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_exp(x: T.Buffer((m,), "float32"), out: T.Buffer((m,), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(m):
#             with T.sblock("T_tir_exp"):
#                 v_ax0 = T.axis.spatial(m, ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = T.exp(x[v_ax0])
#
#     @R.function
#     def main(x: R.Tensor((n, 64), dtype="float32"), w: R.Tensor((64, 64), dtype="float32"), z: R.Tensor((n,), dtype="float32"), u: R.Tensor(dtype="float32", ndim=1)) -> R.Tensor((n, 64), dtype="float32"):
#         R.func_attr({"relax.force_pure": True})
#         cls = Module
#         m_1 = T.int64()
#         arena: R.Any = R.memory.alloc_storage(R.shape([T.max(n * 512 + (n * n + 15) // 16 * 64, T.max(n * 512 + (n + 15) // 16 * 128 + 128, n * 512 + 16384))]), 0, R.str("global"), R.dtype("uint8"))
#         a_dest: R.Tensor((n, 64), dtype="float32") = R.memory.alloc_tensor(arena, 0, R.shape([n, 64]), R.dtype("float32"))
#         a: R.Tensor((n, 64), dtype="float32") = R.call_tir_inplace(cls.matmul, (x, w, a_dest), out_ty=R.Tensor((n, 64), dtype="float32"), inplace_indices=[2])
#         b_dest: R.Tensor((64, n), dtype="float32") = R.memory.alloc_tensor(arena, n * 256, R.shape([64, n]), R.dtype("float32"))
#         b: R.Tensor((64, n), dtype="float32") = R.call_tir_inplace(cls.permute_dims, (a, b_dest), out_ty=R.Tensor((64, n), dtype="float32"), inplace_indices=[1])
#         d_dest: R.Tensor((n, n), dtype="float32") = R.memory.alloc_tensor(arena, n * 512, R.shape([n, n]), R.dtype("float32"))
#         d: R.Tensor((n, n), dtype="float32") = R.call_tir_inplace(cls.matmul_1, (a, b, d_dest), out_ty=R.Tensor((n, n), dtype="float32"), inplace_indices=[2])
#         R.memory.kill_tensor(b_dest)
#         e_dest: R.Tensor((n, 64), dtype="float32") = R.memory.alloc_tensor(arena, n * 256, R.shape([n, 64]), R.dtype("float32"))
#         e: R.Tensor((n, 64), dtype="float32") = R.call_tir_inplace(cls.matmul_2, (d, a, e_dest), out_ty=R.Tensor((n, 64), dtype="float32"), inplace_indices=[2])
#         R.memory.kill_tensor(a_dest)
#         R.memory.kill_tensor(d_dest)
#         f_dest: R.Tensor((64, 64), dtype="float32") = R.memory.alloc_tensor(arena, n * 512, R.shape([64, 64]), R.dtype("float32"))
#         f: R.Tensor((64, 64), dtype="float32") = R.call_tir_inplace(cls.matmul_3, (w, w, f_dest), out_ty=R.Tensor((64, 64), dtype="float32"), inplace_indices=[2])
#         g_dest: R.Tensor((n, 64), dtype="float32") = R.memory.alloc_tensor(arena, 0, R.shape([n, 64]), R.dtype("float32"))
#         g: R.Tensor((n, 64), dtype="float32") = R.call_tir_inplace(cls.matmul, (e, f, g_dest), out_ty=R.Tensor((n, 64), dtype="float32"), inplace_indices=[2])
#         R.memory.kill_tensor(e_dest)
#         R.memory.kill_tensor(f_dest)
#         h_dest: R.Tensor((n, 64), dtype="float32") = R.memory.alloc_tensor(arena, n * 256, R.shape([n, 64]), R.dtype("float32"))
#         h: R.Tensor((n, 64), dtype="float32") = R.call_tir_inplace(cls.matmul, (g, w, h_dest), out_ty=R.Tensor((n, 64), dtype="float32"), inplace_indices=[2])
#         R.memory.kill_tensor(g_dest)
#         late: R.Tensor((m_1,), dtype="float32") = R.match_cast(u, R.Tensor((m_1,), dtype="float32"))
#         gv: R.Tensor((m_1,), dtype="float32") = R.builtin.alloc_tensor(R.shape([m_1]), R.dtype("float32"), 0, R.str("global"))
#         gv1: R.Tensor((m_1,), dtype="float32") = R.call_tir_inplace(cls.add, (late, late, gv), out_ty=R.Tensor((m_1,), dtype="float32"), inplace_indices=[2])
#         i_dest: R.Tensor((m_1,), dtype="float32") = R.builtin.alloc_tensor(R.shape([m_1]), R.dtype("float32"), 0, R.str("global"))
#         i: R.Tensor((m_1,), dtype="float32") = R.call_tir_inplace(cls.tir_exp, (gv1, i_dest), out_ty=R.Tensor((m_1,), dtype="float32"), inplace_indices=[1])
#         R.memory.kill_tensor(gv)
#         gv2: R.Tensor((n,), dtype="float32") = R.memory.alloc_tensor(arena, n * 512 + 128, R.shape([n]), R.dtype("float32"))
#         gv3: R.Tensor((n,), dtype="float32") = R.call_tir_inplace(cls.add, (z, z, gv2), out_ty=R.Tensor((n,), dtype="float32"), inplace_indices=[2])
#         j_dest: R.Tensor((n,), dtype="float32") = R.memory.alloc_tensor(arena, n * 512 + (n + 15) // 16 * 64 + 128, R.shape([n]), R.dtype("float32"))
#         j: R.Tensor((n,), dtype="float32") = R.call_tir_inplace(cls.tir_exp, (gv3, j_dest), out_ty=R.Tensor((n,), dtype="float32"), inplace_indices=[1])
#         R.memory.kill_tensor(gv2)
#         gv4: R.Tensor((), dtype="float32") = R.memory.alloc_tensor(arena, n * 512, R.shape([]), R.dtype("float32"))
#         gv5: R.Tensor((), dtype="float32") = R.call_tir_inplace(cls.sum, (i, gv4), out_ty=R.Tensor((), dtype="float32"), inplace_indices=[1])
#         R.memory.kill_tensor(i_dest)
#         gv6: R.Tensor((), dtype="float32") = R.memory.alloc_tensor(arena, n * 512 + 64, R.shape([]), R.dtype("float32"))
#         gv7: R.Tensor((), dtype="float32") = R.call_tir_inplace(cls.sum, (j, gv6), out_ty=R.Tensor((), dtype="float32"), inplace_indices=[1])
#         R.memory.kill_tensor(j_dest)
#         k_dest: R.Tensor((), dtype="float32") = R.memory.alloc_tensor(arena, n * 512 + 128, R.shape([]), R.dtype("float32"))
#         k: R.Tensor((), dtype="float32") = R.call_tir_inplace(cls.add_1, (gv5, gv7, k_dest), out_ty=R.Tensor((), dtype="float32"), inplace_indices=[2])
#         R.memory.kill_tensor(gv4)
#         R.memory.kill_tensor(gv6)
#         l_dest: R.Tensor((n, 64), dtype="float32") = R.memory.alloc_tensor(arena, 0, R.shape([n, 64]), R.dtype("float32"))
#         l: R.Tensor((n, 64), dtype="float32") = R.call_tir_inplace(cls.add_2, (h, k, l_dest), out_ty=R.Tensor((n, 64), dtype="float32"), inplace_indices=[2])
#         R.memory.kill_tensor(h_dest)
#         R.memory.kill_tensor(k_dest)
#         gv8: R.Tensor((n, 64), dtype="float32") = R.memory.alloc_tensor(arena, n * 256, R.shape([n, 64]), R.dtype("float32"))
#         gv9: R.Tensor((n, 64), dtype="float32") = R.call_tir_inplace(cls.matmul, (l, w, gv8), out_ty=R.Tensor((n, 64), dtype="float32"), inplace_indices=[2])
#         R.memory.kill_tensor(l_dest)
#         return gv9
