# RUN: run FILE -p LegalizeOps,ToNonDataflow,InplaceCalls,CallTIRRewrite,KillAfterLastUse --in x=5xf32=1,2,3,4,5 --in y=5xf32=1,2,3,4,5 --in z=6xf32=1,2,3,4,5,6 --in row=2xf32=8,9 --print-after=InplaceCalls
# A kernel in place keeps what it does not copy onto itself: other elements, and other values; also if nothing is left.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def same(a: T.Buffer((5,), "float32"), o: T.Buffer((5,), "float32")):
        for i in range(5):
            with T.sblock("copy"):
                v = T.axis.spatial(5, i)
                o[v] = a[v]

    @T.prim_func(private=True, s_tir=True)
    def shift(a: T.Buffer((5,), "float32"), o: T.Buffer((5,), "float32")):
        o[0] = a[0]
        for i in range(3):
            o[i + 1] = a[i + 2]
        o[4] = a[4]

    @T.prim_func(private=True, s_tir=True)
    def some(a: T.Buffer((6,), "float32"), row: T.Buffer((2,), "float32"), o: T.Buffer((6,), "float32")):
        for i in range(3):
            o[i * 2 + 1] = a[1 + 2 * i]
            o[i * 2] = a[i * 2] + row[0]

    @R.function
    def main(x: R.Tensor((5,), "float32"), y: R.Tensor((5,), "float32"), z: R.Tensor((6,), "float32"), row: R.Tensor((2,), "float32")):
        R.func_attr({"relax.inplace_arg": [0, 1, 2]})
        cls = Module
        with R.dataflow():
            r = R.call_tir(cls.same, (x,), out_ty=R.Tensor((5,), "float32"))
            s = R.call_tir(cls.shift, (y,), out_ty=R.Tensor((5,), "float32"))
            t = R.call_tir(cls.some, (z, row), out_ty=R.Tensor((6,), "float32"))
            R.output(r, s, t)
        return (r, s, t)
# OUT:
# # ---- after InplaceCalls ----
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def same_update(a: T.Buffer((5,), "float32"), o: T.Buffer((5,), "float32")):
#         pass
#
#     @T.prim_func(private=True, s_tir=True)
#     def shift_update(a: T.Buffer((5,), "float32"), o: T.Buffer((5,), "float32")):
#         for i in range(3):
#             o[i + 1] = a[i + 2]
#
#     @T.prim_func(private=True, s_tir=True)
#     def some_update(a: T.Buffer((6,), "float32"), row: T.Buffer((2,), "float32"), o: T.Buffer((6,), "float32")):
#         for i in range(3):
#             o[i * 2] = a[i * 2] + row[0]
#
#     @R.function
#     def main(x: R.Tensor((5,), dtype="float32"), y: R.Tensor((5,), dtype="float32"), z: R.Tensor((6,), dtype="float32"), row: R.Tensor((2,), dtype="float32")) -> R.Tuple(R.Tensor((5,), dtype="float32"), R.Tensor((5,), dtype="float32"), R.Tensor((6,), dtype="float32")):
#         R.func_attr({"relax.inplace_arg": [0, 1, 2]})
#         cls = Module
#         r: R.Tensor((5,), dtype="float32") = R.call_tir_inplace(cls.same_update, (x, x), out_ty=R.Tensor((5,), dtype="float32"), inplace_indices=[1])
#         s: R.Tensor((5,), dtype="float32") = R.call_tir_inplace(cls.shift_update, (y, y), out_ty=R.Tensor((5,), dtype="float32"), inplace_indices=[1])
#         t: R.Tensor((6,), dtype="float32") = R.call_tir_inplace(cls.some_update, (z, row, z), out_ty=R.Tensor((6,), dtype="float32"), inplace_indices=[2])
#         return (r, s, t)
# result.0: (5,) float32
# [1. 2. 3. 4. 5.]
# result.1: (5,) float32
# [1. 3. 4. 5. 5.]
# result.2: (6,) float32
# [ 9.  2. 11.  4. 13.  6.]
