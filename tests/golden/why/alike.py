# RUN: why --skip=FuseOps,FuseTIR
# Most bytes first, and what is missed for one reason by calls of one kernel is one remark.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32"), big: R.Tensor((1000,), "float32")):
        a0 = R.exp(x)
        a1 = R.exp(x)
        a2 = R.exp(x)
        a3 = R.exp(x)
        a4 = R.exp(x)
        a5 = R.exp(x)
        a6 = R.exp(x)
        a7 = R.exp(x)
        a8 = R.exp(x)
        a9 = R.exp(x)
        a10 = R.exp(x)
        a11 = R.exp(x)
        b = R.exp(big)
        return (a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, b)
# OUT:
# remark[E0394]: `b` gets storage of its own: the storage of `big` belongs to the caller of the function
#   --> alike.py:24:13
#    |
# 11 |     def main(x: R.Tensor((4,), "float32"), big: R.Tensor((1000,), "float32")):
#    |                                            --- a borrowed parameter
# ...
# 24 |         b = R.exp(big)
#    |             ^^^^^^^^^^
#    |
#    = note: IP004 in `main`: output 0 in argument 0, 4000 bytes
#    = help: donate it: R.func_attr({"relax.inplace_arg": [1]}); the caller's tensor is then overwritten
#
# remark[E0394]: `a0` gets storage of its own: the storage of `x` belongs to the caller of the function
#   --> alike.py:12:14
#    |
# 11 |     def main(x: R.Tensor((4,), "float32"), big: R.Tensor((1000,), "float32")):
#    |              - a borrowed parameter
# 12 |         a0 = R.exp(x)
#    |              ^^^^^^^^
#    |
#    = note: IP004 in `main`: output 0 in argument 0, 16 bytes
#    = help: donate it: R.func_attr({"relax.inplace_arg": [0]}); the caller's tensor is then overwritten
#    = note: the same of 11 other calls of `tir_exp`, on lines 13, 14, 15, 16, 17, 18, 19, 20 and more: 192 bytes in all
#
# fresh: 13
# saved: 0 bytes, missed: 4192 bytes
# missed by IP004, the storage belongs to the caller: 13, 4192 bytes
# what-if: donate `big` of `main`: 4000 bytes
# what-if: donate `x` of `main`: 16 bytes
