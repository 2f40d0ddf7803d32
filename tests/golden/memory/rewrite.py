# RUN: opt -p CallTIRRewrite
# Results are allocated in front of the call and take over that storage: one, two, one beside an update, of symbolic
# shape, in dataflow blocks and branches.  What code outside of the module may keep stays as it is.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(a: T.Buffer((4,), "float32"), out: T.Buffer((4,), "float32")):
        for i in range(4):
            out[i] = a[i] * T.float32(2)

    @T.prim_func(private=True)
    def both(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32"), c: T.Buffer((4,), "float32")):
        for i in range(4):
            b[i] = a[i] + T.float32(1)
            c[i] = a[i] - T.float32(1)

    @T.prim_func(private=True)
    def update(a: T.Buffer((4,), "float32"), n: T.int64, b: T.Buffer((4,), "float32")):
        for i in range(4):
            b[i] = a[i] + T.Cast("float32", n)
            a[i] = a[i] - T.float32(1)

    @T.prim_func(private=True)
    def grow(a: T.handle, b: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n,), "float32")
        B = T.match_buffer(b, (n + 1,), "float32")
        for i in range(n + 1):
            B[i] = T.float32(0)

    @T.prim_func(private=True)
    def outside(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        T.evaluate(T.call_extern("int32", "keep", a.data, b.data))

    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor(("n",), "float32"), c: R.Tensor((), "bool")):
        n = T.int64()
        cls = Module
        with R.dataflow():
            one = R.call_tir(cls.double, (x,), out_ty=R.Tensor((4,), "float32"))
            pair = R.call_tir(cls.both, (one,), out_ty=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32")])
            a = pair[0]
            R.output(a)
        mixed = R.call_tir_inplace(cls.update, (a, R.prim_value(n)), out_ty=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32")], inplace_indices=[0, -1], strict=True)
        if c:
            r = R.call_tir(cls.grow, (y,), out_ty=R.Tensor((n + 1,), "float32"))
        else:
            r = R.call_tir(cls.grow, (y,), out_ty=R.Tensor((n + 1,), "float32"))
        kept = R.call_tir(cls.outside, (x,), out_ty=R.Tensor((4,), "float32"))
        return mixed, r, kept
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
#     @T.prim_func(private=True)
#     def both(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32"), c: T.Buffer((4,), "float32")):
#         for i in range(4):
#             b[i] = a[i] + T.float32(1.0)
#             c[i] = a[i] - T.float32(1.0)
#
#     @T.prim_func(private=True)
#     def double(a: T.Buffer((4,), "float32"), out: T.Buffer((4,), "float32")):
#         for i in range(4):
#             out[i] = a[i] * T.float32(2.0)
#
#     @T.prim_func(private=True)
#     def grow(A: T.Buffer((n,), "float32"), B: T.Buffer(("n + T.int64(1)",), "float32")):
#         for i in range(n + T.int64(1)):
#             B[i] = T.float32(0.0)
#
#     @T.prim_func(private=True)
#     def outside(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
#         T.call_extern("int32", "keep", a.data, b.data)
#
#     @T.prim_func(private=True)
#     def update(a: T.Buffer((4,), "float32"), n: T.int64, b: T.Buffer((4,), "float32")):
#         for i in range(4):
#             b[i] = a[i] + T.Cast("float32", n)
#             a[i] = a[i] - T.float32(1.0)
#
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((n,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tuple(R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")), R.Tensor(("n + 1",), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         cls = Module
#         with R.dataflow():
#             one_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#             one: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.double, (x, one_dest), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[1])
#             pair_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#             pair_dest_1: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#             pair: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = R.call_tir_inplace(cls.both, (one, pair_dest, pair_dest_1), out_ty=[R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")], inplace_indices=[1, 2])
#             a: R.Tensor((4,), dtype="float32") = pair[0]
#             R.output(a)
#         mixed_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#         mixed: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = R.call_tir_inplace(cls.update, (a, n, mixed_dest), out_ty=[R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")], inplace_indices=[0, 2], strict=True)
#         if c:
#             r_dest: R.Tensor((n + 1,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n + 1]), R.dtype("float32"), 0, R.str("global"))
#             r: R.Tensor((n + 1,), dtype="float32") = R.call_tir_inplace(cls.grow, (y, r_dest), out_ty=R.Tensor((n + 1,), dtype="float32"), inplace_indices=[1])
#         else:
#             r_dest: R.Tensor((n + 1,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n + 1]), R.dtype("float32"), 0, R.str("global"))
#             r: R.Tensor((n + 1,), dtype="float32") = R.call_tir_inplace(cls.grow, (y, r_dest), out_ty=R.Tensor((n + 1,), dtype="float32"), inplace_indices=[1])
#         kept = R.call_tir(cls.outside, (x,), out_ty=R.Tensor((4,), dtype="float32"))
#         return (mixed, r, kept)
