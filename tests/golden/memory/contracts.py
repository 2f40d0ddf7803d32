# RUN: opt -p ToNonDataflow,KillAfterLastUse
# By contract: what is only read ends behind its last use, each result of one call behind its own, though an argument is
# written; what a result may lie in ends with it, what is kept is not ended.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    I.module_attrs({"relax.contracts": {
        "look": {"reads": [0]},
        "split": {"reads": [0], "mutates": [0], "aliases": [[], [-1]]},
        "into": {"reads": [0], "retains": [2]},
        "first": {"reads": [0, 1], "aliases": [[0]]},
        "either": {"reads": [0, 1], "aliases": [[0, -1]]},
        "keep": {"reads": [0, 1], "retains": [1], "aliases": [None]},
    }})

    @R.function(pure=False)
    def separate(x: R.Tensor((4,), "float32")):
        t = R.copy(x)
        R.call_packed("look", t, ty_args=(R.Tuple(),))
        u = R.copy(x)
        parts = R.call_packed("split", u, ty_args=(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")))
        a = parts[0]
        R.print(a)
        b = parts[1]
        R.print(u)
        R.print(b)
        return x

    @R.function(pure=False)
    def destinations(x: R.Tensor((4,), "float32")):
        t = R.call_dps_packed("into", (x,), out_ty=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32"), R.Tensor((4,), "float32")])
        R.print(t[0])
        R.print(t[1])
        R.print(t[2])
        return x

    @R.function(pure=False)
    def shared(x: R.Tensor((4,), "float32")):
        a = R.copy(x)
        b = R.copy(x)
        c = R.call_pure_packed("first", a, b, ty_args=(R.Tensor((4,), "float32"),))
        R.print(c)
        d = R.copy(x)
        e = R.call_pure_packed("either", d, x, ty_args=(R.Tensor((4,), "float32"),))
        R.print(d)
        R.print(e)
        f = R.copy(x)
        g = R.copy(x)
        h = R.call_pure_packed("keep", f, g, ty_args=(R.Tensor((4,), "float32"),))
        R.print(h)
        return x
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     I.module_attrs({"relax.contracts": {"either": {"aliases": [[0, -1]], "reads": [0, 1]}, "first": {"aliases": [[0]], "reads": [0, 1]}, "into": {"reads": [0], "retains": [2]}, "keep": {"aliases": [None], "reads": [0, 1], "retains": [1]}, "look": {"reads": [0]}, "split": {"aliases": [[], [-1]], "mutates": [0], "reads": [0]}}})
#     @R.function(pure=False)
#     def destinations(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         t = R.call_dps_packed("into", (x,), out_ty=[R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")])
#         gv: R.Tensor((4,), dtype="float32") = t[0]
#         R.print(gv, format=R.str(""))
#         R.memory.kill_tensor(gv)
#         gv1: R.Tensor((4,), dtype="float32") = t[1]
#         R.print(gv1, format=R.str(""))
#         gv2: R.Tensor((4,), dtype="float32") = t[2]
#         R.print(gv2, format=R.str(""))
#         R.memory.kill_tensor(gv2)
#         return x
#
#     @R.function(pure=False)
#     def separate(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         t: R.Tensor((4,), dtype="float32") = R.copy(x)
#         R.call_packed("look", t, ty_args=(R.Tuple,))
#         R.memory.kill_tensor(t)
#         u: R.Tensor((4,), dtype="float32") = R.copy(x)
#         parts: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = R.call_packed("split", u, ty_args=(R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")),))
#         a: R.Tensor((4,), dtype="float32") = parts[0]
#         R.print(a, format=R.str(""))
#         R.memory.kill_tensor(a)
#         b: R.Tensor((4,), dtype="float32") = parts[1]
#         R.print(u, format=R.str(""))
#         R.memory.kill_tensor(u)
#         R.print(b, format=R.str(""))
#         R.memory.kill_tensor(b)
#         return x
#
#     @R.function(pure=False)
#     def shared(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         a: R.Tensor((4,), dtype="float32") = R.copy(x)
#         b: R.Tensor((4,), dtype="float32") = R.copy(x)
#         c: R.Tensor((4,), dtype="float32") = R.call_pure_packed("first", a, b, ty_args=(R.Tensor((4,), dtype="float32"),))
#         R.memory.kill_tensor(b)
#         R.print(c, format=R.str(""))
#         R.memory.kill_tensor(a)
#         d: R.Tensor((4,), dtype="float32") = R.copy(x)
#         e: R.Tensor((4,), dtype="float32") = R.call_pure_packed("either", d, x, ty_args=(R.Tensor((4,), dtype="float32"),))
#         R.print(d, format=R.str(""))
#         R.print(e, format=R.str(""))
#         R.vm.kill_object((e, d))
#         f: R.Tensor((4,), dtype="float32") = R.copy(x)
#         g: R.Tensor((4,), dtype="float32") = R.copy(x)
#         h: R.Tensor((4,), dtype="float32") = R.call_pure_packed("keep", f, g, ty_args=(R.Tensor((4,), dtype="float32"),))
#         R.memory.kill_tensor(f)
#         R.print(h, format=R.str(""))
#         return x
