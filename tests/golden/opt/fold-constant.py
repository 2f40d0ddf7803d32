# RUN: opt -p FoldConstant,DeadCodeElimination
# Ops and kernels of constants, also through names, tuples and kernels with two results.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def both(x: T.Buffer((), "float32"), y: T.Buffer((), "float32"), z: T.Buffer((), "float32")):
        y[()] = x[()] + T.float32(1)
        z[()] = x[()] * T.float32(2)

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        c = R.const(3.0, "float32")
        with R.dataflow():
            a = R.multiply(c, R.const(2.0, "float32"))
            t = R.call_tir(Module.both, (a,), out_ty=[R.Tensor((), "float32"), R.Tensor((), "float32")])
            y = t[0]
            z = t[1]
            s = R.add(y, z)
            r = R.add(x, s)
            R.output(r, s)
        return (r, s)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((), dtype="float32")):
#         with R.dataflow():
#             r: R.Tensor((4,), dtype="float32") = R.add(x, R.const(19.0, "float32"))
#             R.output(r)
#         return (r, R.const(19.0, "float32"))
