# RUN: opt
# Calls with a form of their own, and operators with all attributes by name.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    I.module_attrs({"z": 1, "a": [1, 2.5, "s", None, True]})
    outside = R.ExternFunc("outside")

    @T.prim_func(private=True, s_tir=True)
    def add(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32"), c: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("add"):
                vi = T.axis.S(4, i)
                c[vi] = a[vi] + b[vi]

    @T.prim_func(private=True, s_tir=True)
    def twice(a: T.Buffer((4,), "float32"), c: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("twice"):
                vi = T.axis.S(4, i)
                c[vi] = a[vi]
                a[vi] = a[vi] * T.float32(2)

    @R.function(private=True)
    def helper(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return R.nn.relu(x)

    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((2, 4), "float32")):
        a = R.call_tir(Module.add, [x, x], R.Tensor((4,), "float32"))
        b = R.call_tir_inplace(
            Module.twice, x, [0, -1], [R.Tensor((4,), "float32"), R.Tensor((4,), "float32")]
        )
        c: R.Tensor = R.call_dps_packed("f", (a, b[0]), out_ty=R.Tensor((4,), "float32"))
        d = R.call_packed("g", a, ty_args=R.Tensor((4,), "float32"))
        e = R.call_pure_packed("h", a, 3, R.str("s"), ty_args=[R.Tensor, R.Any])
        R.print(a, format="{}")
        R.assert_op(R.const(True, "bool"), a, format="no")
        g = Module.helper(x)
        h = R.matmul(y, x)
        i = R.sum(y, axis=1)
        j = -(x * 2.0 + a) / g
        k = R.strided_slice(y, [0], [0], [1])
        m = R.concat([x, a], axis=0).astype("float16")
        n = R.permute_dims(y)
        o = R.copy(x)
        return (a, b, c, d, e, g, h, i, j, k, m, n, o)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     I.module_attrs({"a": [1, 2.5, "s", None, True], "z": 1})
#     @T.prim_func(private=True, s_tir=True)
#     def add(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32"), c: T.Buffer((4,), "float32")):
#         # with T.sblock("root"):
#         for i in range(4):
#             with T.sblock("add"):
#                 vi = T.axis.spatial(4, i)
#                 T.reads(a[vi], b[vi])
#                 T.writes(c[vi])
#                 c[vi] = a[vi] + b[vi]
#
#     @T.prim_func(private=True, s_tir=True)
#     def twice(a: T.Buffer((4,), "float32"), c: T.Buffer((4,), "float32")):
#         # with T.sblock("root"):
#         for i in range(4):
#             with T.sblock("twice"):
#                 vi = T.axis.spatial(4, i)
#                 T.reads(a[vi])
#                 T.writes(c[vi], a[vi])
#                 c[vi] = a[vi]
#                 a[vi] = a[vi] * T.float32(2.0)
#
#     outside = R.ExternFunc("outside")
#     @R.function(private=True)
#     def helper(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         gv: R.Tensor((4,), dtype="float32") = R.nn.relu(x)
#         return gv
#
#     @R.function(pure=False)
#     def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((2, 4), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")), R.Tensor, R.Tensor((4,), dtype="float32"), R.Tuple(R.Tensor, R.Any), R.Tensor((4,), dtype="float32"), R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((1, 4), dtype="float32"), R.Tensor((8,), dtype="float16"), R.Tensor((4, 2), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         cls = Module
#         a = R.call_tir(cls.add, (x, x), out_ty=R.Tensor((4,), dtype="float32"))
#         b: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = R.call_tir_inplace(cls.twice, (x,), out_ty=[R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")], inplace_indices=[0, -1])
#         gv: R.Tensor((4,), dtype="float32") = b[0]
#         gv1 = R.call_dps_packed("f", (a, gv), out_ty=R.Tensor((4,), dtype="float32"))
#         c: R.Tensor = gv1
#         d: R.Tensor((4,), dtype="float32") = R.call_packed("g", a, ty_args=(R.Tensor((4,), dtype="float32"),))
#         e: R.Tuple(R.Tensor, R.Any) = R.call_pure_packed("h", a, 3, R.str("s"), ty_args=(R.Tuple(R.Tensor, R.Any),))
#         R.print(a, format=R.str("{}"))
#         R.assert_op(R.const(True, "bool"), a, format=R.str("no"))
#         g: R.Tensor((4,), dtype="float32") = cls.helper(x)
#         h: R.Tensor((2,), dtype="float32") = R.matmul(y, x, out_dtype=None)
#         i: R.Tensor((2,), dtype="float32") = R.sum(y, axis=[1], keepdims=False)
#         gv2: R.Tensor((4,), dtype="float32") = R.multiply(x, R.const(2.0, "float32"))
#         gv3: R.Tensor((4,), dtype="float32") = R.add(gv2, a)
#         gv4: R.Tensor((4,), dtype="float32") = R.negative(gv3)
#         j: R.Tensor((4,), dtype="float32") = R.divide(gv4, g)
#         k: R.Tensor((1, 4), dtype="float32") = R.strided_slice(y, (0,), (0,), (1,), assume_inbound=False)
#         gv5: R.Tensor((8,), dtype="float32") = R.concat((x, a), axis=0)
#         m: R.Tensor((8,), dtype="float16") = R.astype(gv5, dtype="float16")
#         n: R.Tensor((4, 2), dtype="float32") = R.permute_dims(y, axes=None)
#         o: R.Tensor((4,), dtype="float32") = R.copy(x)
#         return (a, b, c, d, e, g, h, i, j, k, m, n, o)
