# RUN: opt -p ScheduleCPU(vector_bytes=32) --verify-each --roundtrip-each --check-each
# The inner loop goes as vectors and the outer one on threads; a nest of one loop is cut for them. What is
# not worth waking a thread for stays on one. In place, too: each element is read where it is written.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def rows(x: T.Buffer((512, 1000), "float32"), b: T.Buffer((1000,), "float32"), y: T.Buffer((512, 1000), "float32")):
        for i, j in T.grid(512, 1000):
            with T.sblock("add"):
                v_i, v_j = T.axis.remap("SS", [i, j])
                y[v_i, v_j] = x[v_i, v_j] + b[v_j]

    @T.prim_func(private=True)
    def one_loop(x: T.Buffer((100000,), "float32")):
        for i in range(100000):
            x[i] = x[i] * T.float32(2)

    @T.prim_func(private=True)
    def few(x: T.Buffer((16, 16), "float32"), y: T.Buffer((16, 16), "float32")):
        for i, j in T.grid(16, 16):
            y[i, j] = x[i, j] * T.float32(2)

    @R.function
    def main(x: R.Tensor((512, 1000), "float32"), b: R.Tensor((1000,), "float32"), z: R.Tensor((100000,), "float32"), s: R.Tensor((16, 16), "float32")):
        R.func_attr({"relax.inplace_arg": [2]})
        cls = Module
        y = R.call_tir(cls.rows, (x, b), out_ty=R.Tensor((512, 1000), "float32"))
        w = R.call_tir_inplace(cls.one_loop, (z,), out_ty=R.Tensor((100000,), "float32"), inplace_indices=[0])
        t = R.call_tir(cls.few, (s,), out_ty=R.Tensor((16, 16), "float32"))
        return (y, w, t)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True)
#     def few(x: T.Buffer((16, 16), "float32"), y: T.Buffer((16, 16), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         for i in range(16):
#             for j in T.vectorized(16):
#                 y[i, j] = x[i, j] * T.float32(2.0)
#
#     @T.prim_func(private=True)
#     def one_loop(x: T.Buffer((100000,), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         for io in T.parallel(7):
#             for ii in T.vectorized(T.min(100000 - io * 16384, 16384)):
#                 x[io * 16384 + ii] = x[io * 16384 + ii] * T.float32(2.0)
#
#     @T.prim_func(private=True, s_tir=True)
#     def rows(x: T.Buffer((512, 1000), "float32"), b: T.Buffer((1000,), "float32"), y: T.Buffer((512, 1000), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         for i in T.parallel(512):
#             for j in T.vectorized(1000):
#                 y[i, j] = x[i, j] + b[j]
#
#     @R.function
#     def main(x: R.Tensor((512, 1000), dtype="float32"), b: R.Tensor((1000,), dtype="float32"), z: R.Tensor((100000,), dtype="float32"), s: R.Tensor((16, 16), dtype="float32")) -> R.Tuple(R.Tensor((512, 1000), dtype="float32"), R.Tensor((100000,), dtype="float32"), R.Tensor((16, 16), dtype="float32")):
#         R.func_attr({"relax.inplace_arg": [2]})
#         cls = Module
#         y = R.call_tir(cls.rows, (x, b), out_ty=R.Tensor((512, 1000), dtype="float32"))
#         w: R.Tensor((100000,), dtype="float32") = R.call_tir_inplace(cls.one_loop, (z,), out_ty=R.Tensor((100000,), dtype="float32"), inplace_indices=[0])
#         t = R.call_tir(cls.few, (s,), out_ty=R.Tensor((16, 16), dtype="float32"))
#         return (y, w, t)
