# RUN: opt -p InlinePrivateFunctions --check-each
# Effects keep their place, the functions that are called through values or that call themselves stay,
# and so does one whose effects are hidden.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function(pure=False)
    def main(a: R.Tensor((4,), "float32")):
        _ = R.print(a)
        b = Module.prints(a)
        _1 = R.print(b)
        c = Module.ping(b)
        d = Module.hidden(c)
        e = Module.inner(d)
        f = R.invoke_pure_closure(R.make_closure(Module.inner, ()), (e,), ty_args=R.Tensor((4,), "float32"))
        return f

    @R.function(private=True, pure=False)
    def prints(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        _ = R.print(x)
        y = R.add(x, x)
        return y

    @R.function(private=True)
    def ping(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = Module.pong(x)
        return y

    @R.function(private=True)
    def pong(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = Module.ping(x)
        return y

    @R.function(private=True)
    def hidden(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"relax.force_pure": True})
        _ = R.print(x)
        return x

    @R.function(private=True)
    def inner(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function(private=True)
#     def hidden(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         R.func_attr({"relax.force_pure": True})
#         R.print(x, format=R.str(""))
#         return x
#
#     @R.function(private=True)
#     def inner(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         return x
#
#     @R.function(private=True)
#     def ping(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         y: R.Tensor((4,), dtype="float32") = cls.pong(x)
#         return y
#
#     @R.function(private=True)
#     def pong(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         y: R.Tensor((4,), dtype="float32") = cls.ping(x)
#         return y
#
#     @R.function(pure=False)
#     def main(a: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         R.print(a, format=R.str(""))
#         R.print(a, format=R.str(""))
#         b: R.Tensor((4,), dtype="float32") = R.add(a, a)
#         R.print(b, format=R.str(""))
#         c: R.Tensor((4,), dtype="float32") = cls.ping(b)
#         d: R.Tensor((4,), dtype="float32") = cls.hidden(c)
#         gv: R.Any = R.make_closure(cls.inner, R.tuple())
#         f: R.Tensor((4,), dtype="float32") = R.invoke_pure_closure(gv, (d,), ty_args=(R.Tensor((4,), dtype="float32"),))
#         return f
