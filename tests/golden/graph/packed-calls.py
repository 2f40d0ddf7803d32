# RUN: opt
# Calls of packed functions, in both dialects.
from tvm.script import relax as R

@R.function(pure=False)
def main(x: R.Tensor((4,), "float32"), f: R.PackedFunc):
    a = R.call_packed("first", x, (x, x), ty_args=(R.Tensor((4,), "float32"),))
    b = R.call_packed("second", a, sinfo_args=[R.Tensor, R.Any])
    c = R.call_pure_packed("third", x, 1, 2.5, "text", ty_args=R.Object)
    d = R.call_inplace_packed("fourth", x, a, inplace_indices=[0, -1], ty_args=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32")])
    e = R.call_dps_packed("fifth", (x, a), out_sinfo=R.Tensor((4,), "float32"))
    g = R.call_dps_packed(R.ExternFunc("sixth"), x, [R.Tensor((4,), "float32"), R.Tensor((2,), "int32")])
    h = R.call_builtin_with_ctx("vm.builtin.seventh", (x, R.dtype("int32"), R.shape([4])), ty_args=(R.Any,))
    R.call_packed("eighth", x, ty_args=R.Tuple())
    i = f(x)
    return (a, b, c, d, e, g, h, i)
# OUT:
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @R.function(pure=False)
# def main(x: R.Tensor((4,), dtype="float32"), f: R.PackedFunc) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tuple(R.Tensor, R.Any), R.Any, R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")), R.Tensor((4,), dtype="float32"), R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((2,), dtype="int32")), R.Any, R.Any):
#     a: R.Tensor((4,), dtype="float32") = R.call_packed("first", x, (x, x), ty_args=(R.Tensor((4,), dtype="float32"),))
#     b: R.Tuple(R.Tensor, R.Any) = R.call_packed("second", a, ty_args=(R.Tuple(R.Tensor, R.Any),))
#     c: R.Any = R.call_pure_packed("third", x, 1, T.float64(2.5), R.str("text"), ty_args=(R.Any,))
#     d: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = R.call_inplace_packed("fourth", x, a, inplace_indices=[0, -1], ty_args=(R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")),))
#     e = R.call_dps_packed("fifth", (x, a), out_ty=R.Tensor((4,), dtype="float32"))
#     g = R.call_dps_packed("sixth", (x,), out_ty=[R.Tensor((4,), dtype="float32"), R.Tensor((2,), dtype="int32")])
#     h: R.Any = R.call_builtin_with_ctx("vm.builtin.seventh", (x, R.dtype("int32"), R.shape([4])), ty_args=(R.Any,))
#     R.call_packed("eighth", x, ty_args=(R.Tuple,))
#     i: R.Any = f(x)
#     return (a, b, c, d, e, g, h, i)
