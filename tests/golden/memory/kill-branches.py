# RUN: opt -p KillAfterLastUse
# What a branch makes and keeps ends in it; what leaves it ends by the name of the `if`, together with what else
# that may be; what comes from outside ends behind the `if`, also where one branch alone reads it.  Where the
# names of a branch may be what is read outside, they end nothing.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
        outer = R.copy(x)
        one = R.copy(x)
        late = R.copy(x)
        if c:
            inner = R.copy(outer)
            if c:
                then = R.copy(inner)
                deep = then
            else:
                other = R.copy(inner)
                deep = other
            R.print(deep)
            r = (deep, one)
        else:
            p = R.copy(x)
            q = R.copy(p)
            if c:
                maybe = late
            else:
                new = R.copy(x)
                maybe = new
            R.print(maybe)
            r = (q, x)
        left = r[0]
        right = r[1]
        R.print(left)
        R.print(right)
        R.print(late)
        return x
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function(pure=False)
#     def main(x: R.Tensor((4,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor((4,), dtype="float32"):
#         outer: R.Tensor((4,), dtype="float32") = R.copy(x)
#         one: R.Tensor((4,), dtype="float32") = R.copy(x)
#         late: R.Tensor((4,), dtype="float32") = R.copy(x)
#         if c:
#             inner: R.Tensor((4,), dtype="float32") = R.copy(outer)
#             if c:
#                 deep: R.Tensor((4,), dtype="float32") = R.copy(inner)
#             else:
#                 deep: R.Tensor((4,), dtype="float32") = R.copy(inner)
#             R.memory.kill_tensor(inner)
#             R.print(deep, format=R.str(""))
#             r: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = deep, one
#         else:
#             p: R.Tensor((4,), dtype="float32") = R.copy(x)
#             q: R.Tensor((4,), dtype="float32") = R.copy(p)
#             R.memory.kill_tensor(p)
#             if c:
#                 maybe: R.Tensor((4,), dtype="float32") = late
#             else:
#                 maybe: R.Tensor((4,), dtype="float32") = R.copy(x)
#             R.print(maybe, format=R.str(""))
#             r: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = q, x
#         R.memory.kill_tensor(outer)
#         left: R.Tensor((4,), dtype="float32") = r[0]
#         right: R.Tensor((4,), dtype="float32") = r[1]
#         R.print(left, format=R.str(""))
#         R.memory.kill_tensor(left)
#         R.print(right, format=R.str(""))
#         R.memory.kill_tensor(one)
#         R.print(late, format=R.str(""))
#         R.memory.kill_tensor(late)
#         return x
