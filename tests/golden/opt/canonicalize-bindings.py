# RUN: opt -p CanonicalizeBindings
# Names that are only names go: renames, fields of a visible tuple, casts to the type that is known. What stays:
# a cast that says something new, a field of a tuple that a call made, a constant's own name.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor("float32", ndim=1)):
        with R.dataflow():
            a = R.exp(x)
            b = a
            t = (b, x)
            c = t[0]
            d = R.match_cast(c, R.Tensor((4,), "float32"))
            e = R.add(d, t[1])
            f = R.match_cast(y, R.Tensor((4,), "float32"))
            s = R.split(e, 2, axis=0)
            g = s[0]
            k = R.const(2.0, "float32")
            h = R.add(g, k)
            R.output(b, h, f)
        i = R.add(b, f)
        return (i, h)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor(dtype="float32", ndim=1)) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((2,), dtype="float32")):
#         with R.dataflow():
#             a: R.Tensor((4,), dtype="float32") = R.exp(x)
#             t: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = a, x
#             e: R.Tensor((4,), dtype="float32") = R.add(a, x)
#             f: R.Tensor((4,), dtype="float32") = R.match_cast(y, R.Tensor((4,), dtype="float32"))
#             s: R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32")) = R.split(e, indices_or_sections=2, axis=0)
#             g: R.Tensor((2,), dtype="float32") = s[0]
#             k: R.Tensor((), dtype="float32") = R.const(2.0, "float32")
#             h: R.Tensor((2,), dtype="float32") = R.add(g, k)
#             R.output(h, f, a)
#         i: R.Tensor((4,), dtype="float32") = R.add(a, f)
#         return (i, h)
