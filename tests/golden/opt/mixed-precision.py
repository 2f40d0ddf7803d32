# RUN: opt -p ToMixedPrecision
# Products narrow, with sums in float32; relu and a scale that fits follow, one that does not fit and the sum do not; one cast
# for two users; a split, a join, a branch; what was float16 is used as it was.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, 4), "float32"), h: R.Tensor((4, 4), "float16"), c: R.Tensor((), "bool")):
        with R.dataflow():
            a = R.matmul(x, w)
            b = R.nn.relu(a)
            d = R.multiply(b, R.const(0.5, "float32"))
            e = R.matmul(d, w)
            wide = R.astype(h, "float32")
            f = R.matmul(e, wide)
            s = R.sum(f, axis=[1])
            big = R.multiply(f, R.const(1e30, "float32"))
            t = R.split(e, 2, axis=1)
            t0 = t[0]
            t1 = t[1]
            j = R.concat((t1, t0), axis=1)
            R.output(s, big, j, d)
        if c:
            y = R.add(j, d)
        else:
            y = R.exp(j)
        return (y, s, big)
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# n = TypeVar("n")
# @I.ir_module
# class Module:
#     @R.function
#     def main(x: R.Tensor((n, 4), dtype="float32"), w: R.Tensor((4, 4), dtype="float32"), h: R.Tensor((4, 4), dtype="float16"), c: R.Tensor((), dtype="bool")) -> R.Tuple(R.Tensor((n, 4), dtype="float32"), R.Tensor((n,), dtype="float32"), R.Tensor((n, 4), dtype="float32")):
#         with R.dataflow():
#             lv: R.Tensor((4, 4), dtype="float16") = R.astype(w, dtype="float16")
#             lv1: R.Tensor((n, 4), dtype="float16") = R.astype(x, dtype="float16")
#             a: R.Tensor((n, 4), dtype="float32") = R.matmul(lv1, lv, out_dtype="float32")
#             lv2: R.Tensor((n, 4), dtype="float16") = R.astype(a, dtype="float16")
#             b: R.Tensor((n, 4), dtype="float16") = R.nn.relu(lv2)
#             lv3: R.Tensor((), dtype="float16") = R.astype(R.const(0.5, "float32"), dtype="float16")
#             d: R.Tensor((n, 4), dtype="float16") = R.multiply(b, lv3)
#             e: R.Tensor((n, 4), dtype="float32") = R.matmul(d, lv, out_dtype="float32")
#             lv4: R.Tensor((n, 4), dtype="float16") = R.astype(e, dtype="float16")
#             wide: R.Tensor((4, 4), dtype="float32") = R.astype(h, dtype="float32")
#             f: R.Tensor((n, 4), dtype="float32") = R.matmul(lv4, h, out_dtype="float32")
#             s: R.Tensor((n,), dtype="float32") = R.sum(f, axis=[1], keepdims=False)
#             big: R.Tensor((n, 4), dtype="float32") = R.multiply(f, R.const(1000000015047466219876688855040.0, "float32"))
#             t: R.Tuple(R.Tensor((n, 2), dtype="float16"), R.Tensor((n, 2), dtype="float16")) = R.split(lv4, indices_or_sections=2, axis=1)
#             t0: R.Tensor((n, 2), dtype="float16") = t[0]
#             t1: R.Tensor((n, 2), dtype="float16") = t[1]
#             j: R.Tensor((n, 4), dtype="float16") = R.concat((t1, t0), axis=1)
#             gv: R.Tensor((n, 4), dtype="float32") = R.astype(j, dtype="float32")
#             R.output(s, big, j, d, gv)
#         if c:
#             y_1: R.Tensor((n, 4), dtype="float16") = R.add(j, d)
#             y: R.Tensor((n, 4), dtype="float32") = R.astype(y_1, dtype="float32")
#         else:
#             y: R.Tensor((n, 4), dtype="float32") = R.exp(gv)
#         return (y, s, big)
