# RUN: opt -p PlanMemory
# What a function takes and ends itself has a place in one piece of storage: 64-byte steps, bytes again as soon as
# somebody ended there; an update in place and a view need none, a result lies there, too, where that holds less, and what
# opaque code keeps or has no bytes stays as it is.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def twice(x: T.Buffer((20,), "float32"), y: T.Buffer((20,), "float32")):
        for i in range(20):
            y[i] = x[i] * T.float32(2)

    @R.function(pure=False)
    def main(x: R.Tensor((20,), "float32"), m: R.Tensor(("n",), "float32")):
        n = T.int64()
        cls = Module
        a_dest = R.builtin.alloc_tensor(R.shape([20]), R.dtype("float32"), 0, R.str("global"))
        a = R.call_tir_inplace(cls.twice, (x, a_dest), out_ty=R.Tensor((20,), "float32"), inplace_indices=[1])
        b_dest = R.builtin.alloc_tensor(R.shape([20]), R.dtype("float32"), 0, R.str("global"))
        b = R.call_tir_inplace(cls.twice, (a, b_dest), out_ty=R.Tensor((20,), "float32"), inplace_indices=[1])
        R.memory.kill_tensor(a_dest)
        c = R.call_tir_inplace(cls.twice, (b, b), out_ty=R.Tensor((20,), "float32"), inplace_indices=[1])
        d_dest = R.builtin.alloc_tensor(R.shape([20]), R.dtype("float32"), 0, R.str("global"))
        d = R.call_tir_inplace(cls.twice, (c, d_dest), out_ty=R.Tensor((20,), "float32"), inplace_indices=[1])
        R.memory.kill_tensor(b_dest)
        seen = R.reshape(d, R.shape([4, 5]))
        R.print(seen)
        kept = R.builtin.alloc_tensor(R.shape([20]), R.dtype("float32"), 0, R.str("global"))
        _ = R.call_packed("keep", kept, ty_args=R.Tuple())
        none = R.builtin.alloc_tensor(R.shape([0, 3]), R.dtype("float32"), 0, R.str("global"))
        R.print(none)
        R.memory.kill_tensor(none)
        some = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), 0, R.str("global"))
        R.print(some)
        R.memory.kill_tensor(some)
        r = R.builtin.alloc_tensor(R.shape([20]), R.dtype("float32"), 0, R.str("global"))
        e = R.call_tir_inplace(cls.twice, (d, r), out_ty=R.Tensor((20,), "float32"), inplace_indices=[1])
        R.memory.kill_tensor(d_dest)
        return e
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
#     def twice(x: T.Buffer((20,), "float32"), y: T.Buffer((20,), "float32")):
#         for i in range(20):
#             y[i] = x[i] * T.float32(2.0)
#
#     @R.function(pure=False)
#     def main(x: R.Tensor((20,), dtype="float32"), m: R.Tensor((n,), dtype="float32")) -> R.Tensor((20,), dtype="float32"):
#         cls = Module
#         arena: R.Any = R.memory.alloc_storage(R.shape([T.max((n + 15) // 16 * 64 + 128, 256)]), 0, R.str("global"), R.dtype("uint8"))
#         a_dest: R.Tensor((20,), dtype="float32") = R.memory.alloc_tensor(arena, 0, R.shape([20]), R.dtype("float32"))
#         a: R.Tensor((20,), dtype="float32") = R.call_tir_inplace(cls.twice, (x, a_dest), out_ty=R.Tensor((20,), dtype="float32"), inplace_indices=[1])
#         b_dest: R.Tensor((20,), dtype="float32") = R.memory.alloc_tensor(arena, 128, R.shape([20]), R.dtype("float32"))
#         b: R.Tensor((20,), dtype="float32") = R.call_tir_inplace(cls.twice, (a, b_dest), out_ty=R.Tensor((20,), dtype="float32"), inplace_indices=[1])
#         R.memory.kill_tensor(a_dest)
#         c: R.Tensor((20,), dtype="float32") = R.call_tir_inplace(cls.twice, (b, b), out_ty=R.Tensor((20,), dtype="float32"), inplace_indices=[1])
#         d_dest: R.Tensor((20,), dtype="float32") = R.memory.alloc_tensor(arena, 0, R.shape([20]), R.dtype("float32"))
#         d: R.Tensor((20,), dtype="float32") = R.call_tir_inplace(cls.twice, (c, d_dest), out_ty=R.Tensor((20,), dtype="float32"), inplace_indices=[1])
#         R.memory.kill_tensor(b_dest)
#         seen: R.Tensor((4, 5), dtype="float32") = R.reshape(d, R.shape([4, 5]))
#         R.print(seen, format=R.str(""))
#         kept: R.Tensor((20,), dtype="float32") = R.builtin.alloc_tensor(R.shape([20]), R.dtype("float32"), 0, R.str("global"))
#         R.call_packed("keep", kept, ty_args=(R.Tuple,))
#         none: R.Tensor((0, 3), dtype="float32") = R.builtin.alloc_tensor(R.shape([0, 3]), R.dtype("float32"), 0, R.str("global"))
#         R.print(none, format=R.str(""))
#         R.memory.kill_tensor(none)
#         some: R.Tensor((n,), dtype="float32") = R.memory.alloc_tensor(arena, 128, R.shape([n]), R.dtype("float32"))
#         R.print(some, format=R.str(""))
#         R.memory.kill_tensor(some)
#         r: R.Tensor((20,), dtype="float32") = R.memory.alloc_tensor(arena, 128, R.shape([20]), R.dtype("float32"))
#         e: R.Tensor((20,), dtype="float32") = R.call_tir_inplace(cls.twice, (d, r), out_ty=R.Tensor((20,), dtype="float32"), inplace_indices=[1])
#         R.memory.kill_tensor(d_dest)
#         return e
