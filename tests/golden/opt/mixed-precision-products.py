# RUN: opt -p ToMixedPrecision
# linear and attention are products: their operands are narrow, the bias stays float32 (-1e9 would be -inf). What only moves elements follows; exp, sums and a bound that float16 has not do not.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def layer(x: R.Tensor((2, 4), "float32"), w: R.Tensor((3, 4), "float32"), b: R.Tensor((3,), "float32")):
        y = R.linear(x, w, b)
        z = R.clip(y, 0.0, 6.0)
        p = R.concat((z, R.tile(z, (1, 2))), 1)
        e = R.exp(R.clip(p, 0.0, 1e5))
        u = R.linear(p, p)
        return (e, u)

    @R.function
    def heads(x: R.Tensor((1, 2, 3, 4), "float32"), w: R.Tensor((4, 4), "float32"), bias: R.Tensor((1, 3, 2, 2), "float32")):
        q = R.matmul(x, w)
        a = R.nn.attention(q, x, x)
        m = R.nn.attention(q, x, a, bias)
        s = R.sum(m)
        return s
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def heads(x: R.Tensor((1, 2, 3, 4), dtype="float32"), w: R.Tensor((4, 4), dtype="float32"), bias: R.Tensor((1, 3, 2, 2), dtype="float32")) -> R.Tensor((), dtype="float32"):
#         gv: R.Tensor((4, 4), dtype="float16") = R.astype(w, dtype="float16")
#         gv1: R.Tensor((1, 2, 3, 4), dtype="float16") = R.astype(x, dtype="float16")
#         q: R.Tensor((1, 2, 3, 4), dtype="float32") = R.matmul(gv1, gv, out_dtype="float32")
#         gv2: R.Tensor((1, 2, 3, 4), dtype="float16") = R.astype(q, dtype="float16")
#         a: R.Tensor((1, 2, 3, 4), dtype="float16") = R.nn.attention(gv2, gv1, gv1, scale=None, causal_mask=None, window_size=None)
#         m: R.Tensor((1, 2, 3, 4), dtype="float16") = R.nn.attention(gv2, gv1, a, bias, scale=None, causal_mask=None, window_size=None)
#         gv3: R.Tensor((1, 2, 3, 4), dtype="float32") = R.astype(m, dtype="float32")
#         s: R.Tensor((), dtype="float32") = R.sum(gv3, axis=None, keepdims=False)
#         return s
#
#     @R.function
#     def layer(x: R.Tensor((2, 4), dtype="float32"), w: R.Tensor((3, 4), dtype="float32"), b: R.Tensor((3,), dtype="float32")) -> R.Tuple(R.Tensor((2, 9), dtype="float32"), R.Tensor((2, 2), dtype="float32")):
#         gv: R.Tensor((3, 4), dtype="float16") = R.astype(w, dtype="float16")
#         gv1: R.Tensor((2, 4), dtype="float16") = R.astype(x, dtype="float16")
#         y: R.Tensor((2, 3), dtype="float32") = R.linear(gv1, gv, b, out_dtype="float32")
#         gv2: R.Tensor((2, 3), dtype="float16") = R.astype(y, dtype="float16")
#         z: R.Tensor((2, 3), dtype="float16") = R.clip(gv2, T.float64(0.0), T.float64(6.0))
#         gv3: R.Tensor((2, 6), dtype="float16") = R.tile(z, repeats=[1, 2])
#         p: R.Tensor((2, 9), dtype="float16") = R.concat((z, gv3), axis=1)
#         gv4: R.Tensor((2, 9), dtype="float32") = R.astype(p, dtype="float32")
#         gv5: R.Tensor((2, 9), dtype="float32") = R.clip(gv4, T.float64(0.0), T.float64(100000.0))
#         e: R.Tensor((2, 9), dtype="float32") = R.exp(gv5)
#         u: R.Tensor((2, 2), dtype="float32") = R.linear(p, p, out_dtype="float32")
#         return (e, u)
