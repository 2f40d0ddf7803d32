# FAIL: opt -p 'ToMixedPrecision(dtype=float16, out_dtype=bfloat16)'
# Sums are taken in float32 or in the dtype of the operands.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 4), "float32")):
        return x
# OUT:
# error[E0909]: option `out_dtype` of pass `ToMixedPrecision` is neither "float32" nor the value of `dtype`
#  --> <passes>:1:1
#   |
# 1 | ToMixedPrecision(dtype=float16, out_dtype=bfloat16)
#   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
