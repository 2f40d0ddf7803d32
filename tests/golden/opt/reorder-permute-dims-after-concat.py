# RUN: opt -p ReorderPermuteDimsAfterConcat,DeadCodeElimination
# Default and written axes are the same permutation; different permutations are left alone.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor((16, 32), "float32"), b: R.Tensor(("n", 32), "float32"), s: R.Tensor((4, 4), "float32")):
        with R.dataflow():
            c = R.permute_dims(a)
            d = R.permute_dims(b, (1, 0))
            y = R.concat((c, d), axis=1)
            e = R.permute_dims(s)
            f = R.permute_dims(s, (0, 1))
            z = R.concat((e, f), axis=0)
            R.output(y, z)
        return (y, z)
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# n = TypeVar("n")
# @I.ir_module
# class Module:
#     @R.function
#     def main(a: R.Tensor((16, 32), dtype="float32"), b: R.Tensor((n, 32), dtype="float32"), s: R.Tensor((4, 4), dtype="float32")) -> R.Tuple(R.Tensor((32, "n + 16"), dtype="float32"), R.Tensor((8, 4), dtype="float32")):
#         with R.dataflow():
#             lv: R.Tensor((n + 16, 32), dtype="float32") = R.concat((a, b), axis=0)
#             y: R.Tensor((32, n + 16), dtype="float32") = R.permute_dims(lv, axes=None)
#             e: R.Tensor((4, 4), dtype="float32") = R.permute_dims(s, axes=None)
#             f: R.Tensor((4, 4), dtype="float32") = R.permute_dims(s, axes=[0, 1])
#             z: R.Tensor((8, 4), dtype="float32") = R.concat((e, f), axis=0)
#             R.output(z, y)
#         return (y, z)
