# RUN: opt -p ResolveInplace,CallTIRRewrite,KillAfterLastUse
# What a call gives is ended here: alone where it is always new (`fresh`, both fields of `two`, one of which nobody
# reads), with the argument that it may be (`either`), and not at all where it may be what was only lent (`lent`).
# A donated argument that comes back is the caller's to end.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def inc(x: T.Buffer((4,), "float32")):
        for i in range(4):
            x[i] = x[i] + T.float32(1)

    @R.function(private=True)
    def fresh(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = R.copy(x)
        return y

    @R.function(private=True)
    def two(x: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        y = R.copy(x)
        z = R.copy(x)
        return y, z

    @R.function(private=True)
    def either(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((4,), "float32"):
        if c:
            y = R.copy(x)
        else:
            y = x
        return y

    @R.function(private=True)
    def step(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"relax.inplace_arg": [0]})
        y = R.call_tir_inplace(Module.inc, (x,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        return y

    @R.function
    def main(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((4,), "float32"):
        cls = Module
        a: R.Tensor((4,), "float32") = cls.fresh(x)
        b: R.Tensor((4,), "float32") = cls.either(a, c)
        lent: R.Tensor((4,), "float32") = cls.either(x, c)
        d = R.copy(b)
        e: R.Tensor((4,), "float32") = cls.step(d)
        pair: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")) = cls.two(e)
        first = pair[0]
        f: R.Tensor((4,), "float32") = cls.fresh(first)
        g: R.Tensor((4,), "float32") = cls.either(lent, c)
        unused = R.copy(g)
        return f
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True)
#     def inc(x: T.Buffer((4,), "float32")):
#         for i in range(4):
#             x[i] = x[i] + T.float32(1.0)
#
#     @R.function(private=True)
#     def either(x: R.Tensor((4,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor((4,), dtype="float32"):
#         if c:
#             y: R.Tensor((4,), dtype="float32") = R.copy(x)
#         else:
#             y: R.Tensor((4,), dtype="float32") = x
#         return y
#
#     @R.function(private=True)
#     def fresh(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         y: R.Tensor((4,), dtype="float32") = R.copy(x)
#         return y
#
#     @R.function(private=True)
#     def step(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         R.func_attr({"relax.inplace_arg": [0]})
#         cls = Module
#         y: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.inc, (x,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#         return y
#
#     @R.function(private=True)
#     def two(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         y: R.Tensor((4,), dtype="float32") = R.copy(x)
#         z: R.Tensor((4,), dtype="float32") = R.copy(x)
#         return (y, z)
#
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor((4,), dtype="float32"):
#         R.func_attr({"relax.force_pure": True})
#         cls = Module
#         a: R.Tensor((4,), dtype="float32") = cls.fresh(x)
#         b: R.Tensor((4,), dtype="float32") = cls.either(a, c)
#         lent: R.Tensor((4,), dtype="float32") = cls.either(x, c)
#         d: R.Tensor((4,), dtype="float32") = R.copy(b)
#         R.vm.kill_object((b, a))
#         e: R.Tensor((4,), dtype="float32") = cls.step(d)
#         pair: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = cls.two(e)
#         R.memory.kill_tensor(d)
#         gv: R.Tensor((4,), dtype="float32") = pair[1]
#         R.memory.kill_tensor(gv)
#         first: R.Tensor((4,), dtype="float32") = pair[0]
#         f: R.Tensor((4,), dtype="float32") = cls.fresh(first)
#         R.memory.kill_tensor(first)
#         g: R.Tensor((4,), dtype="float32") = cls.either(lent, c)
#         unused: R.Tensor((4,), dtype="float32") = R.copy(g)
#         R.memory.kill_tensor(unused)
#         return f
