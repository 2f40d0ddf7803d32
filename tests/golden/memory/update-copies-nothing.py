# RUN: opt -p LegalizeOps,ToNonDataflow,LowerBlocks,InplaceCalls
# An update of a donated cache stores what is new and nothing else; the same one of a borrowed cache copies it first.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def rows(cache: R.Tensor(("t", 4), "float32"), row: R.Tensor((1, 4), "float32"), at: R.Tensor((), "int64"), end: R.Tensor((), "int64"), step: R.Tensor((), "int64")):
        R.func_attr({"relax.inplace_arg": [0]})
        with R.dataflow():
            y = R.slice_scatter(cache, row, at, end, step, axis=0)
            R.output(y)
        return y

    @R.function
    def borrowed(cache: R.Tensor(("t", 4), "float32"), row: R.Tensor((1, 4), "float32"), at: R.Tensor((), "int64"), end: R.Tensor((), "int64"), step: R.Tensor((), "int64")):
        with R.dataflow():
            y = R.slice_scatter(cache, row, at, end, step, axis=0)
            R.output(y)
        return y

    @R.function
    def elements(cache: R.Tensor(("t", 4), "float32"), row: R.Tensor((1, 4), "float32"), at: R.Tensor((1, 4), "int64")):
        R.func_attr({"relax.inplace_arg": [0]})
        with R.dataflow():
            y = R.scatter_elements(cache, at, row, axis=0, reduction="add")
            R.output(y)
        return y

    @R.function
    def slices(cache: R.Tensor(("t", 4), "float32"), row: R.Tensor((2, 4), "float32"), at: R.Tensor((2, 1), "int64")):
        R.func_attr({"relax.inplace_arg": [0]})
        with R.dataflow():
            y = R.scatter_nd(cache, at, row, reduction="update")
            z = R.scatter_nd(y, at, row, reduction="update")
            R.output(z)
        return z

    @R.function
    def put(cache: R.Tensor(("t", 4), "float32"), row: R.Tensor((4,), "float32"), at: R.Tensor((2,), "int64")):
        R.func_attr({"relax.inplace_arg": [0]})
        with R.dataflow():
            y = R.index_put(cache, (at,), row, accumulate=False)
            R.output(y)
        return y
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# t = TypeVar("t")
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def index_put_update(data: T.Buffer((t, T.int64(4)), "float32"), values: T.Buffer((T.int64(4),), "float32"), x0: T.Buffer((T.int64(2),), "int64"), out: T.Buffer((t, T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         for ax0, ax1 in T.grid(T.int64(2), T.int64(4)):
#             out[T.Select(x0[ax0] < T.int64(0), x0[ax0] + t, x0[ax0]), ax1] = values[ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def scatter_elements_update(data: T.Buffer((t, T.int64(4)), "float32"), indices: T.Buffer((T.int64(1), T.int64(4)), "int64"), updates: T.Buffer((T.int64(1), T.int64(4)), "float32"), out: T.Buffer((t, T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         for ax0, ax1 in T.grid(T.int64(1), T.int64(4)):
#             out[T.Select(indices[ax0, ax1] < T.int64(0), indices[ax0, ax1] + t, indices[ax0, ax1]), ax1] = out[T.Select(indices[ax0, ax1] < T.int64(0), indices[ax0, ax1] + t, indices[ax0, ax1]), ax1] + updates[ax0, ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def scatter_nd_update(data: T.Buffer((t, T.int64(4)), "float32"), indices: T.Buffer((T.int64(2), T.int64(1)), "int64"), updates: T.Buffer((T.int64(2), T.int64(4)), "float32"), out: T.Buffer((t, T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         for ax0, ax1 in T.grid(T.int64(2), T.int64(4)):
#             out[T.Select(indices[ax0, T.int64(0)] < T.int64(0), indices[ax0, T.int64(0)] + t, indices[ax0, T.int64(0)]), ax1] = updates[ax0, ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def slice_scatter(input_tensor: T.Buffer((t, T.int64(4)), "float32"), src: T.Buffer((T.int64(1), T.int64(4)), "float32"), start: T.Buffer((), "int64"), end: T.Buffer((), "int64"), step: T.Buffer((), "int64"), out: T.Buffer((t, T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         assert T.int64(1) == (T.max(T.min(t, end[()]) - start[()], T.int64(0)) + T.max(step[()], T.int64(1)) - T.int64(1)) // T.max(step[()], T.int64(1)), ("ValueError", ["dimension 0 of `src` is not the length of the slice"])
#         for ax0, ax1 in T.grid(t, T.int64(4)):
#             out[ax0, ax1] = input_tensor[ax0, ax1]
#         for ax0, ax1 in T.grid(T.int64(1), T.int64(4)):
#             out[start[()] + ax0 * step[()], ax1] = src[ax0, ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def slice_scatter_update(input_tensor: T.Buffer((t, T.int64(4)), "float32"), src: T.Buffer((T.int64(1), T.int64(4)), "float32"), start: T.Buffer((), "int64"), end: T.Buffer((), "int64"), step: T.Buffer((), "int64"), out: T.Buffer((t, T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         assert T.int64(1) == (T.max(T.min(t, end[()]) - start[()], T.int64(0)) + T.max(step[()], T.int64(1)) - T.int64(1)) // T.max(step[()], T.int64(1)), ("ValueError", ["dimension 0 of `src` is not the length of the slice"])
#         for ax0, ax1 in T.grid(T.int64(1), T.int64(4)):
#             out[start[()] + ax0 * step[()], ax1] = src[ax0, ax1]
#
#     @R.function
#     def borrowed(cache: R.Tensor((t, 4), dtype="float32"), row: R.Tensor((1, 4), dtype="float32"), at: R.Tensor((), dtype="int64"), end: R.Tensor((), dtype="int64"), step: R.Tensor((), dtype="int64")) -> R.Tensor((t, 4), dtype="float32"):
#         cls = Module
#         y = R.call_tir(cls.slice_scatter, (cache, row, at, end, step), out_ty=R.Tensor((t, 4), dtype="float32"))
#         return y
#
#     @R.function
#     def elements(cache: R.Tensor((t, 4), dtype="float32"), row: R.Tensor((1, 4), dtype="float32"), at: R.Tensor((1, 4), dtype="int64")) -> R.Tensor((t, 4), dtype="float32"):
#         R.func_attr({"relax.inplace_arg": [0]})
#         cls = Module
#         y: R.Tensor((t, 4), dtype="float32") = R.call_tir_inplace(cls.scatter_elements_update, (cache, at, row, cache), out_ty=R.Tensor((t, 4), dtype="float32"), inplace_indices=[3])
#         return y
#
#     @R.function
#     def put(cache: R.Tensor((t, 4), dtype="float32"), row: R.Tensor((4,), dtype="float32"), at: R.Tensor((2,), dtype="int64")) -> R.Tensor((t, 4), dtype="float32"):
#         R.func_attr({"relax.inplace_arg": [0]})
#         cls = Module
#         y: R.Tensor((t, 4), dtype="float32") = R.call_tir_inplace(cls.index_put_update, (cache, row, at, cache), out_ty=R.Tensor((t, 4), dtype="float32"), inplace_indices=[3])
#         return y
#
#     @R.function
#     def rows(cache: R.Tensor((t, 4), dtype="float32"), row: R.Tensor((1, 4), dtype="float32"), at: R.Tensor((), dtype="int64"), end: R.Tensor((), dtype="int64"), step: R.Tensor((), dtype="int64")) -> R.Tensor((t, 4), dtype="float32"):
#         R.func_attr({"relax.inplace_arg": [0]})
#         cls = Module
#         y: R.Tensor((t, 4), dtype="float32") = R.call_tir_inplace(cls.slice_scatter_update, (cache, row, at, end, step, cache), out_ty=R.Tensor((t, 4), dtype="float32"), inplace_indices=[5])
#         return y
#
#     @R.function
#     def slices(cache: R.Tensor((t, 4), dtype="float32"), row: R.Tensor((2, 4), dtype="float32"), at: R.Tensor((2, 1), dtype="int64")) -> R.Tensor((t, 4), dtype="float32"):
#         R.func_attr({"relax.inplace_arg": [0]})
#         cls = Module
#         y: R.Tensor((t, 4), dtype="float32") = R.call_tir_inplace(cls.scatter_nd_update, (cache, at, row, cache), out_ty=R.Tensor((t, 4), dtype="float32"), inplace_indices=[3])
#         z: R.Tensor((t, 4), dtype="float32") = R.call_tir_inplace(cls.scatter_nd_update, (y, at, row, y), out_ty=R.Tensor((t, 4), dtype="float32"), inplace_indices=[3])
#         return z
