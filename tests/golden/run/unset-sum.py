# RUN: run --in x=iota
# A sum without its first value, as a run says it: the output of the call is new storage.  (It is multiplied by 0, so that the result is a number.)
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def total(a: T.Buffer((4, 8), "int32"), b: T.Buffer((4,), "int32")):
        for i, k in T.grid(4, 8):
            with T.sblock("sum"):
                vi, vk = T.axis.remap("SR", [i, k])
                b[vi] = T.max(b[vi], 0) * 0 + a[vi, vk]

    @R.function
    def main(x: R.Tensor((4, 8), "int32")):
        y = R.call_tir(Module.total, (x,), out_ty=R.Tensor((4,), "int32"))
        return y
# OUT:
# result: (4,) int32
# [ 7 15 23 31]
# warning[E0323]: `b` is read before it is written
#   --> unset-sum.py:15:31
#    |
# 11 |     def total(a: T.Buffer((4, 8), "int32"), b: T.Buffer((4,), "int32")):
#    |                                             - `b` holds any number when the kernel begins
# ...
# 15 |                 b[vi] = T.max(b[vi], 0) * 0 + a[vi, vk]
#    |                               ^^^^^ where i is 0, k is 0
# ...
# 19 |         y = R.call_tir(Module.total, (x,), out_ty=R.Tensor((4,), "int32"))
#    |             -------------------------------------------------------------- the output of this call is new storage
#    |
#    = help: store to it first, or update a tensor that holds the first values: R.call_tir_inplace(.., inplace_indices=[..])
#
