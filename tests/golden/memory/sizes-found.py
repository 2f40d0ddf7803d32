# RUN: opt -p InplaceCalls,CallTIRRewrite,KillAfterLastUse
# Operands are made in the storage of larger results, each where the loops allow it: a row as the last of the matrix that it is spread over,
# bytes at the end of the floats that they become, and a chain of two that end in one storage. A result that is smaller takes the front
# of what dies. None of it where more would be held for longer than it saves (`kept`), or what is made is needed later (`read`).
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def negate(a: T.Buffer((8,), "float32"), out: T.Buffer((8,), "float32")):
        for i in range(8):
            out[i] = -a[i]

    @T.prim_func(private=True, s_tir=True)
    def spread(a: T.Buffer((8,), "float32"), out: T.Buffer((4, 8), "float32")):
        for i, j in T.grid(4, 8):
            out[i, j] = a[j]

    @T.prim_func(private=True, s_tir=True)
    def byte(a: T.Buffer((8,), "float32"), out: T.Buffer((8,), "int8")):
        for i in range(8):
            out[i] = T.Cast("int8", a[i])

    @T.prim_func(private=True, s_tir=True)
    def double(a: T.Buffer((8,), "int8"), out: T.Buffer((8,), "float64")):
        for i in range(8):
            out[i] = T.Cast("float64", a[i])

    @T.prim_func(private=True, s_tir=True)
    def wide(a: T.Buffer((8,), "float32"), out: T.Buffer((4, 8), "float64")):
        for i, j in T.grid(4, 8):
            out[i, j] = T.Cast("float64", a[j])

    @T.prim_func(private=True, s_tir=True)
    def sum(a: T.Buffer((4, 8), "float64"), out: T.Buffer((1,), "float64")):
        out[0] = T.float64(0)
        for i, j in T.grid(4, 8):
            out[0] = out[0] + a[i, j]

    @T.prim_func(private=True, s_tir=True)
    def half(a: T.Buffer((4, 8), "float32"), out: T.Buffer((4, 8), "float16")):
        for i, j in T.grid(4, 8):
            out[i, j] = T.Cast("float16", a[i, j])

    @T.prim_func(private=True, s_tir=True)
    def last(a: T.Buffer((4, 8), "float32"), out: T.Buffer((5, 8), "float32")):
        for i, j in T.grid(5, 8):
            out[i, j] = T.if_then_else(i < 4, a[T.min(i, 3), j], T.float32(0))

    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((4, 8), "float16"):
        cls = Module
        t = R.call_tir(cls.negate, (x,), out_ty=R.Tensor((8,), "float32"))
        m = R.call_tir(cls.spread, (t,), out_ty=R.Tensor((4, 8), "float32"))
        h = R.call_tir(cls.half, (m,), out_ty=R.Tensor((4, 8), "float16"))
        return h

    @R.function
    def chain(x: R.Tensor((8,), "float32")) -> R.Tensor((5, 8), "float32"):
        cls = Module
        t = R.call_tir(cls.negate, (x,), out_ty=R.Tensor((8,), "float32"))
        m = R.call_tir(cls.spread, (t,), out_ty=R.Tensor((4, 8), "float32"))
        p = R.call_tir(cls.last, (m,), out_ty=R.Tensor((5, 8), "float32"))
        return p

    @R.function
    def bytes(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float64"):
        cls = Module
        b = R.call_tir(cls.byte, (x,), out_ty=R.Tensor((8,), "int8"))
        d = R.call_tir(cls.double, (b,), out_ty=R.Tensor((8,), "float64"))
        return d

    @R.function
    def kept(x: R.Tensor((8,), "float32")) -> R.Tuple(R.Tensor((4, 8), "float32"), R.Tensor((1,), "float64")):
        cls = Module
        t = R.call_tir(cls.negate, (x,), out_ty=R.Tensor((8,), "float32"))
        w = R.call_tir(cls.wide, (x,), out_ty=R.Tensor((4, 8), "float64"))
        n = R.call_tir(cls.sum, (w,), out_ty=R.Tensor((1,), "float64"))
        m = R.call_tir(cls.spread, (t,), out_ty=R.Tensor((4, 8), "float32"))
        return (m, n)

    @R.function
    def read(x: R.Tensor((8,), "float32")) -> R.Tuple(R.Tensor((4, 8), "float32"), R.Tensor((8,), "int8")):
        cls = Module
        t = R.call_tir(cls.negate, (x,), out_ty=R.Tensor((8,), "float32"))
        m = R.call_tir(cls.spread, (t,), out_ty=R.Tensor((4, 8), "float32"))
        b = R.call_tir(cls.byte, (t,), out_ty=R.Tensor((8,), "int8"))
        return (m, b)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def byte(a: T.Buffer((8,), "float32"), out: T.Buffer((8,), "int8")):
#         for i in range(8):
#             out[i] = T.Cast("int8", a[i])
#
#     @T.prim_func(private=True, s_tir=True)
#     def double(a: T.Buffer((8,), "int8"), out: T.Buffer((8,), "float64")):
#         for i in range(8):
#             out[i] = T.Cast("float64", a[i])
#
#     @T.prim_func(private=True, s_tir=True)
#     def half(a: T.Buffer((4, 8), "float32"), out: T.Buffer((4, 8), "float16")):
#         for i, j in T.grid(4, 8):
#             out[i, j] = T.Cast("float16", a[i, j])
#
#     @T.prim_func(private=True, s_tir=True)
#     def last(a: T.Buffer((4, 8), "float32"), out: T.Buffer((5, 8), "float32")):
#         for i, j in T.grid(5, 8):
#             out[i, j] = T.if_then_else(i < 4, a[T.min(i, 3), j], T.float32(0.0))
#
#     @T.prim_func(private=True, s_tir=True)
#     def negate(a: T.Buffer((8,), "float32"), out: T.Buffer((8,), "float32")):
#         for i in range(8):
#             out[i] = a[i] * T.float32(-1.0)
#
#     @T.prim_func(private=True, s_tir=True)
#     def spread(a: T.Buffer((8,), "float32"), out: T.Buffer((4, 8), "float32")):
#         for i, j in T.grid(4, 8):
#             out[i, j] = a[j]
#
#     @T.prim_func(private=True, s_tir=True)
#     def sum(a: T.Buffer((4, 8), "float64"), out: T.Buffer((1,), "float64")):
#         out[0] = T.float64(0.0)
#         for i, j in T.grid(4, 8):
#             out[0] = out[0] + a[i, j]
#
#     @T.prim_func(private=True, s_tir=True)
#     def wide(a: T.Buffer((8,), "float32"), out: T.Buffer((4, 8), "float64")):
#         for i, j in T.grid(4, 8):
#             out[i, j] = T.Cast("float64", a[j])
#
#     @R.function
#     def bytes(x: R.Tensor((8,), dtype="float32")) -> R.Tensor((8,), dtype="float64"):
#         cls = Module
#         d_dest: R.Tensor((8,), dtype="float64") = R.builtin.alloc_tensor(R.shape([8]), R.dtype("float64"), 0, R.str("global"))
#         b_dest: R.Tensor((8,), dtype="int8") = R.memory.view(d_dest, R.shape([8]), R.dtype("int8"), 56)
#         b: R.Tensor((8,), dtype="int8") = R.call_tir_inplace(cls.byte, (x, b_dest), out_ty=R.Tensor((8,), dtype="int8"), inplace_indices=[1])
#         d: R.Tensor((8,), dtype="float64") = R.call_tir_inplace(cls.double, (b, d_dest), out_ty=R.Tensor((8,), dtype="float64"), inplace_indices=[1])
#         return d
#
#     @R.function
#     def chain(x: R.Tensor((8,), dtype="float32")) -> R.Tensor((5, 8), dtype="float32"):
#         cls = Module
#         p_dest: R.Tensor((5, 8), dtype="float32") = R.builtin.alloc_tensor(R.shape([5, 8]), R.dtype("float32"), 0, R.str("global"))
#         m_dest: R.Tensor((4, 8), dtype="float32") = R.memory.view(p_dest, R.shape([4, 8]), R.dtype("float32"), 0)
#         t_dest: R.Tensor((8,), dtype="float32") = R.memory.view(m_dest, R.shape([8]), R.dtype("float32"), 96)
#         t: R.Tensor((8,), dtype="float32") = R.call_tir_inplace(cls.negate, (x, t_dest), out_ty=R.Tensor((8,), dtype="float32"), inplace_indices=[1])
#         m: R.Tensor((4, 8), dtype="float32") = R.call_tir_inplace(cls.spread, (t, m_dest), out_ty=R.Tensor((4, 8), dtype="float32"), inplace_indices=[1])
#         p: R.Tensor((5, 8), dtype="float32") = R.call_tir_inplace(cls.last, (m, p_dest), out_ty=R.Tensor((5, 8), dtype="float32"), inplace_indices=[1])
#         return p
#
#     @R.function
#     def kept(x: R.Tensor((8,), dtype="float32")) -> R.Tuple(R.Tensor((4, 8), dtype="float32"), R.Tensor((1,), dtype="float64")):
#         R.func_attr({"relax.force_pure": True})
#         cls = Module
#         t_dest: R.Tensor((8,), dtype="float32") = R.builtin.alloc_tensor(R.shape([8]), R.dtype("float32"), 0, R.str("global"))
#         t: R.Tensor((8,), dtype="float32") = R.call_tir_inplace(cls.negate, (x, t_dest), out_ty=R.Tensor((8,), dtype="float32"), inplace_indices=[1])
#         w_dest: R.Tensor((4, 8), dtype="float64") = R.builtin.alloc_tensor(R.shape([4, 8]), R.dtype("float64"), 0, R.str("global"))
#         w: R.Tensor((4, 8), dtype="float64") = R.call_tir_inplace(cls.wide, (x, w_dest), out_ty=R.Tensor((4, 8), dtype="float64"), inplace_indices=[1])
#         n_dest: R.Tensor((1,), dtype="float64") = R.builtin.alloc_tensor(R.shape([1]), R.dtype("float64"), 0, R.str("global"))
#         n: R.Tensor((1,), dtype="float64") = R.call_tir_inplace(cls.sum, (w, n_dest), out_ty=R.Tensor((1,), dtype="float64"), inplace_indices=[1])
#         R.memory.kill_tensor(w_dest)
#         m_dest: R.Tensor((4, 8), dtype="float32") = R.builtin.alloc_tensor(R.shape([4, 8]), R.dtype("float32"), 0, R.str("global"))
#         m: R.Tensor((4, 8), dtype="float32") = R.call_tir_inplace(cls.spread, (t, m_dest), out_ty=R.Tensor((4, 8), dtype="float32"), inplace_indices=[1])
#         R.memory.kill_tensor(t_dest)
#         return (m, n)
#
#     @R.function
#     def read(x: R.Tensor((8,), dtype="float32")) -> R.Tuple(R.Tensor((4, 8), dtype="float32"), R.Tensor((8,), dtype="int8")):
#         R.func_attr({"relax.force_pure": True})
#         cls = Module
#         t_dest: R.Tensor((8,), dtype="float32") = R.builtin.alloc_tensor(R.shape([8]), R.dtype("float32"), 0, R.str("global"))
#         t: R.Tensor((8,), dtype="float32") = R.call_tir_inplace(cls.negate, (x, t_dest), out_ty=R.Tensor((8,), dtype="float32"), inplace_indices=[1])
#         m_dest: R.Tensor((4, 8), dtype="float32") = R.builtin.alloc_tensor(R.shape([4, 8]), R.dtype("float32"), 0, R.str("global"))
#         m: R.Tensor((4, 8), dtype="float32") = R.call_tir_inplace(cls.spread, (t, m_dest), out_ty=R.Tensor((4, 8), dtype="float32"), inplace_indices=[1])
#         b_dest: R.Tensor((8,), dtype="int8") = R.builtin.alloc_tensor(R.shape([8]), R.dtype("int8"), 0, R.str("global"))
#         b: R.Tensor((8,), dtype="int8") = R.call_tir_inplace(cls.byte, (t, b_dest), out_ty=R.Tensor((8,), dtype="int8"), inplace_indices=[1])
#         R.memory.kill_tensor(t_dest)
#         return (m, b)
#
#     @R.function
#     def main(x: R.Tensor((8,), dtype="float32")) -> R.Tensor((4, 8), dtype="float16"):
#         cls = Module
#         m_dest: R.Tensor((4, 8), dtype="float32") = R.builtin.alloc_tensor(R.shape([4, 8]), R.dtype("float32"), 0, R.str("global"))
#         t_dest: R.Tensor((8,), dtype="float32") = R.memory.view(m_dest, R.shape([8]), R.dtype("float32"), 96)
#         t: R.Tensor((8,), dtype="float32") = R.call_tir_inplace(cls.negate, (x, t_dest), out_ty=R.Tensor((8,), dtype="float32"), inplace_indices=[1])
#         m: R.Tensor((4, 8), dtype="float32") = R.call_tir_inplace(cls.spread, (t, m_dest), out_ty=R.Tensor((4, 8), dtype="float32"), inplace_indices=[1])
#         h_dest: R.Tensor((4, 8), dtype="float16") = R.memory.view(m, R.shape([4, 8]), R.dtype("float16"), 0)
#         h: R.Tensor((4, 8), dtype="float16") = R.call_tir_inplace(cls.half, (m, h_dest), out_ty=R.Tensor((4, 8), dtype="float16"), inplace_indices=[1])
#         return h
