# RUN: opt -p LegalizeOps,CallTIRRewrite,KillAfterLastUse,PlanMemory
# The result of a function that the module does not call lies in the piece, too, where less is held that way: the caller of
# the run gets both.  A callee gives its piece back (`callee`), and its callers hold nothing through the call for what comes
# later (`cut`).  Where a result beside the piece would make more to be held than separate buffers, there is none (`apart`).
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function(private=True)
    def apart(x: R.Tensor((16, 16), "float32")):
        a = R.matmul(x, x)
        b = R.matmul(a, a)
        c = R.matmul(b, b)
        return c

    @R.function(private=True)
    def callee(x: R.Tensor((16, 16), "float32")):
        a = R.matmul(x, x)
        b = R.matmul(a, a)
        c = R.sum(b)
        return c

    @R.function
    def main(x: R.Tensor((16, 16), "float32")):
        cls = Module
        a = R.matmul(x, x)
        b = R.matmul(a, a)
        c = cls.apart(b)
        d = R.matmul(c, b)
        e = R.matmul(d, b)
        f = R.matmul(e, b)
        return f

    @R.function(pure=False)
    def cut(x: R.Tensor((16, 16), "float32")):
        cls = Module
        a = R.matmul(x, x)
        b = R.matmul(a, a)
        R.print(b)
        c = cls.callee(x)
        d = R.matmul(x, x)
        e = R.matmul(d, d)
        r = R.add(R.sum(e), c)
        return r
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def add(x1: T.Buffer((), "float32"), x2: T.Buffer((), "float32"), out: T.Buffer((), "float32")):
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
#     @T.prim_func(private=True, s_tir=True)
#     def sum(x: T.Buffer((T.int64(16), T.int64(16)), "float32"), out: T.Buffer((), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for k0, k1 in T.grid(T.int64(16), T.int64(16)):
#             with T.sblock("sum_red"):
#                 v_k0, v_k1 = T.axis.remap("RR", [k0, k1])
#                 T.reads(x[v_k0, v_k1])
#                 T.writes(out[()])
#                 with T.init():
#                     out[()] = T.float32(0.0)
#                 out[()] = out[()] + x[v_k0, v_k1]
#
#     @R.function(private=True)
#     def apart(x: R.Tensor((16, 16), dtype="float32")) -> R.Tensor((16, 16), dtype="float32"):
#         R.func_attr({"relax.force_pure": True})
#         cls = Module
#         a_dest: R.Tensor((16, 16), dtype="float32") = R.builtin.alloc_tensor(R.shape([16, 16]), R.dtype("float32"), 0, R.str("global"))
#         a: R.Tensor((16, 16), dtype="float32") = R.call_tir_inplace(cls.matmul, (x, x, a_dest), out_ty=R.Tensor((16, 16), dtype="float32"), inplace_indices=[2])
#         b_dest: R.Tensor((16, 16), dtype="float32") = R.builtin.alloc_tensor(R.shape([16, 16]), R.dtype("float32"), 0, R.str("global"))
#         b: R.Tensor((16, 16), dtype="float32") = R.call_tir_inplace(cls.matmul, (a, a, b_dest), out_ty=R.Tensor((16, 16), dtype="float32"), inplace_indices=[2])
#         R.memory.kill_tensor(a_dest)
#         c_dest: R.Tensor((16, 16), dtype="float32") = R.builtin.alloc_tensor(R.shape([16, 16]), R.dtype("float32"), 0, R.str("global"))
#         c: R.Tensor((16, 16), dtype="float32") = R.call_tir_inplace(cls.matmul, (b, b, c_dest), out_ty=R.Tensor((16, 16), dtype="float32"), inplace_indices=[2])
#         R.memory.kill_tensor(b_dest)
#         return c
#
#     @R.function(private=True)
#     def callee(x: R.Tensor((16, 16), dtype="float32")) -> R.Tensor((), dtype="float32"):
#         R.func_attr({"relax.force_pure": True})
#         cls = Module
#         arena: R.Any = R.memory.alloc_storage(R.shape([2048]), 0, R.str("global"), R.dtype("uint8"))
#         a_dest: R.Tensor((16, 16), dtype="float32") = R.memory.alloc_tensor(arena, 0, R.shape([16, 16]), R.dtype("float32"))
#         a: R.Tensor((16, 16), dtype="float32") = R.call_tir_inplace(cls.matmul, (x, x, a_dest), out_ty=R.Tensor((16, 16), dtype="float32"), inplace_indices=[2])
#         b_dest: R.Tensor((16, 16), dtype="float32") = R.memory.alloc_tensor(arena, 1024, R.shape([16, 16]), R.dtype("float32"))
#         b: R.Tensor((16, 16), dtype="float32") = R.call_tir_inplace(cls.matmul, (a, a, b_dest), out_ty=R.Tensor((16, 16), dtype="float32"), inplace_indices=[2])
#         R.memory.kill_tensor(a_dest)
#         c_dest: R.Tensor((), dtype="float32") = R.builtin.alloc_tensor(R.shape([]), R.dtype("float32"), 0, R.str("global"))
#         c: R.Tensor((), dtype="float32") = R.call_tir_inplace(cls.sum, (b, c_dest), out_ty=R.Tensor((), dtype="float32"), inplace_indices=[1])
#         R.memory.kill_tensor(b_dest)
#         R.memory.kill_storage(arena)
#         return c
#
#     @R.function(pure=False)
#     def cut(x: R.Tensor((16, 16), dtype="float32")) -> R.Tensor((), dtype="float32"):
#         cls = Module
#         arena: R.Any = R.memory.alloc_storage(R.shape([2048]), 0, R.str("global"), R.dtype("uint8"))
#         a_dest: R.Tensor((16, 16), dtype="float32") = R.memory.alloc_tensor(arena, 0, R.shape([16, 16]), R.dtype("float32"))
#         a: R.Tensor((16, 16), dtype="float32") = R.call_tir_inplace(cls.matmul, (x, x, a_dest), out_ty=R.Tensor((16, 16), dtype="float32"), inplace_indices=[2])
#         b_dest: R.Tensor((16, 16), dtype="float32") = R.memory.alloc_tensor(arena, 1024, R.shape([16, 16]), R.dtype("float32"))
#         b: R.Tensor((16, 16), dtype="float32") = R.call_tir_inplace(cls.matmul, (a, a, b_dest), out_ty=R.Tensor((16, 16), dtype="float32"), inplace_indices=[2])
#         R.memory.kill_tensor(a_dest)
#         R.print(b, format=R.str(""))
#         R.memory.kill_tensor(b_dest)
#         R.memory.kill_storage(arena)
#         c: R.Tensor((), dtype="float32") = cls.callee(x)
#         arena_1: R.Any = R.memory.alloc_storage(R.shape([2048]), 0, R.str("global"), R.dtype("uint8"))
#         d_dest: R.Tensor((16, 16), dtype="float32") = R.memory.alloc_tensor(arena_1, 0, R.shape([16, 16]), R.dtype("float32"))
#         d: R.Tensor((16, 16), dtype="float32") = R.call_tir_inplace(cls.matmul, (x, x, d_dest), out_ty=R.Tensor((16, 16), dtype="float32"), inplace_indices=[2])
#         e_dest: R.Tensor((16, 16), dtype="float32") = R.memory.alloc_tensor(arena_1, 1024, R.shape([16, 16]), R.dtype("float32"))
#         e: R.Tensor((16, 16), dtype="float32") = R.call_tir_inplace(cls.matmul, (d, d, e_dest), out_ty=R.Tensor((16, 16), dtype="float32"), inplace_indices=[2])
#         R.memory.kill_tensor(d_dest)
#         gv: R.Tensor((), dtype="float32") = R.memory.alloc_tensor(arena_1, 0, R.shape([]), R.dtype("float32"))
#         gv1: R.Tensor((), dtype="float32") = R.call_tir_inplace(cls.sum, (e, gv), out_ty=R.Tensor((), dtype="float32"), inplace_indices=[1])
#         R.memory.kill_tensor(e_dest)
#         r_dest: R.Tensor((), dtype="float32") = R.builtin.alloc_tensor(R.shape([]), R.dtype("float32"), 0, R.str("global"))
#         r: R.Tensor((), dtype="float32") = R.call_tir_inplace(cls.add, (gv1, c, r_dest), out_ty=R.Tensor((), dtype="float32"), inplace_indices=[2])
#         R.memory.kill_tensor(c)
#         R.memory.kill_tensor(gv)
#         R.memory.kill_storage(arena_1)
#         return r
#
#     @R.function
#     def main(x: R.Tensor((16, 16), dtype="float32")) -> R.Tensor((16, 16), dtype="float32"):
#         R.func_attr({"relax.force_pure": True})
#         cls = Module
#         a_dest: R.Tensor((16, 16), dtype="float32") = R.builtin.alloc_tensor(R.shape([16, 16]), R.dtype("float32"), 0, R.str("global"))
#         a: R.Tensor((16, 16), dtype="float32") = R.call_tir_inplace(cls.matmul, (x, x, a_dest), out_ty=R.Tensor((16, 16), dtype="float32"), inplace_indices=[2])
#         b_dest: R.Tensor((16, 16), dtype="float32") = R.builtin.alloc_tensor(R.shape([16, 16]), R.dtype("float32"), 0, R.str("global"))
#         b: R.Tensor((16, 16), dtype="float32") = R.call_tir_inplace(cls.matmul, (a, a, b_dest), out_ty=R.Tensor((16, 16), dtype="float32"), inplace_indices=[2])
#         R.memory.kill_tensor(a_dest)
#         c: R.Tensor((16, 16), dtype="float32") = cls.apart(b)
#         d_dest: R.Tensor((16, 16), dtype="float32") = R.builtin.alloc_tensor(R.shape([16, 16]), R.dtype("float32"), 0, R.str("global"))
#         d: R.Tensor((16, 16), dtype="float32") = R.call_tir_inplace(cls.matmul, (c, b, d_dest), out_ty=R.Tensor((16, 16), dtype="float32"), inplace_indices=[2])
#         R.memory.kill_tensor(c)
#         e_dest: R.Tensor((16, 16), dtype="float32") = R.builtin.alloc_tensor(R.shape([16, 16]), R.dtype("float32"), 0, R.str("global"))
#         e: R.Tensor((16, 16), dtype="float32") = R.call_tir_inplace(cls.matmul, (d, b, e_dest), out_ty=R.Tensor((16, 16), dtype="float32"), inplace_indices=[2])
#         R.memory.kill_tensor(d_dest)
#         f_dest: R.Tensor((16, 16), dtype="float32") = R.builtin.alloc_tensor(R.shape([16, 16]), R.dtype("float32"), 0, R.str("global"))
#         f: R.Tensor((16, 16), dtype="float32") = R.call_tir_inplace(cls.matmul, (e, b, f_dest), out_ty=R.Tensor((16, 16), dtype="float32"), inplace_indices=[2])
#         R.memory.kill_tensor(b_dest)
#         R.memory.kill_tensor(e_dest)
#         return f
