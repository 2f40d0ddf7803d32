# RUN: opt -p 'FoldConstant(limit=16)' --check-each
# What stays: more than `limit` bytes, kernels that do not end, that fail or that call out of the
# module, in-place calls and what they update, packed calls, fills of more than 1024 elements.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def forever(x: T.Buffer((), "float32"), y: T.Buffer((), "float32")):
        while True:
            y[()] = x[()]

    @T.prim_func(private=True)
    def outside(x: T.Buffer((), "float32"), y: T.Buffer((4,), "float32")):
        y[T.Cast("int32", x[()])] = x[()]

    @T.prim_func(private=True)
    def calls(x: T.Buffer((), "float32"), y: T.Buffer((), "float32")):
        y[()] = T.call_extern("float32", "tanf", x[()])

    @T.prim_func(private=True)
    def update(x: T.Buffer((), "float32")):
        x[()] = x[()] + T.float32(1)

    @R.function
    def main():
        a = R.full((8,), R.const(1.0, "float32"), dtype="float32")
        b = R.call_tir(Module.forever, (R.const(1.0, "float32"),), out_ty=R.Tensor((), "float32"))
        c = R.call_tir(Module.outside, (R.const(9.0, "float32"),), out_ty=R.Tensor((4,), "float32"))
        d = R.call_tir(Module.calls, (R.const(1.0, "float32"),), out_ty=R.Tensor((), "float32"))
        e = R.exp(R.const(0.0, "float32"))
        view = R.reshape(e, R.shape([]))
        f = R.call_tir_inplace(Module.update, (view,), inplace_indices=[0], out_ty=R.Tensor((), "float32"))
        g = R.call_pure_packed("g", R.const(1.0, "float32"), ty_args=R.Tensor((), "float32"))
        return (a, b, c, d, f, g)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def calls(x: T.Buffer((), "float32"), y: T.Buffer((), "float32")):
#         y[()] = T.call_extern("float32", "tanf", x[()])
#
#     @T.prim_func(private=True, s_tir=True)
#     def forever(x: T.Buffer((), "float32"), y: T.Buffer((), "float32")):
#         while T.bool(True):
#             y[()] = x[()]
#
#     @T.prim_func(private=True, s_tir=True)
#     def outside(x: T.Buffer((), "float32"), y: T.Buffer((4,), "float32")):
#         y[T.Cast("int32", x[()])] = x[()]
#
#     @T.prim_func(private=True, s_tir=True)
#     def update(x: T.Buffer((), "float32")):
#         x[()] = x[()] + T.float32(1.0)
#
#     @R.function
#     def main() -> R.Tuple(R.Tensor((8,), dtype="float32"), R.Tensor((), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32")):
#         cls = Module
#         a: R.Tensor((8,), dtype="float32") = R.full(R.shape([8]), R.const(1.0, "float32"), dtype="float32")
#         b = R.call_tir(cls.forever, (R.const(1.0, "float32"),), out_ty=R.Tensor((), dtype="float32"))
#         c = R.call_tir(cls.outside, (R.const(9.0, "float32"),), out_ty=R.Tensor((4,), dtype="float32"))
#         d = R.call_tir(cls.calls, (R.const(1.0, "float32"),), out_ty=R.Tensor((), dtype="float32"))
#         e: R.Tensor((), dtype="float32") = R.exp(R.const(0.0, "float32"))
#         view: R.Tensor((), dtype="float32") = R.reshape(e, R.shape([]))
#         f: R.Tensor((), dtype="float32") = R.call_tir_inplace(cls.update, (view,), out_ty=R.Tensor((), dtype="float32"), inplace_indices=[0])
#         g: R.Tensor((), dtype="float32") = R.call_pure_packed("g", R.const(1.0, "float32"), ty_args=(R.Tensor((), dtype="float32"),))
#         return (a, b, c, d, f, g)
