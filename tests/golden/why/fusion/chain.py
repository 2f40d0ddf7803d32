# RUN: why --fusion
# A chain of element-wise ops is one kernel, whose values between need no buffer; a value used twice that costs much keeps one.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((8, 8), "float32")):
        with R.dataflow():
            a = R.exp(x)
            b = R.add(a, x)
            s = R.nn.softmax(b)
            R.output(s)
        return s
# OUT:
# remark[E0465]: `a` of `main` is computed in the kernel `fused_tir_exp_add_softmax`, 3 calls in one
#   --> chain.py:13:17
#    |
# 13 |             a = R.exp(x)
#    |                 ^^^^^^^^
#
# remark[E0465]: `a` of `fused_tir_exp_add_softmax` is a buffer in the kernel: it is used more than once, and computing it again costs 12, more than 4
#   --> chain.py:13:17
#    |
# 13 |             a = R.exp(x)
#    |                 ^^^^^^^^
#
# remark[E0465]: `b` of `main` is computed in the kernel `fused_tir_exp_add_softmax`, 3 calls in one
#   --> chain.py:14:17
#    |
# 14 |             b = R.add(a, x)
#    |                 ^^^^^^^^^^^
#
# remark[E0465]: `b` of `fused_tir_exp_add_softmax` is computed where it is used, and needs no buffer
#   --> chain.py:14:17
#    |
# 14 |             b = R.add(a, x)
#    |                 ^^^^^^^^^^^
#
# remark[E0465]: `s` of `main` is computed in the kernel `fused_tir_exp_add_softmax`, 3 calls in one
#   --> chain.py:15:17
#    |
# 15 |             s = R.nn.softmax(b)
#    |                 ^^^^^^^^^^^^^^^
#
# remark[E0465]: `softmax_exp` of `fused_tir_exp_add_softmax` is a buffer in the kernel: it is used more than once, and computing it again costs 13, more than 4
#   --> chain.py:15:17
#    |
# 15 |             s = R.nn.softmax(b)
#    |                 ^^^^^^^^^^^^^^^
#
# remark[E0465]: `softmax_maxelem` of `fused_tir_exp_add_softmax` is a buffer in the kernel: it is summed up, or made by several statements
#   --> chain.py:15:17
#    |
# 15 |             s = R.nn.softmax(b)
#    |                 ^^^^^^^^^^^^^^^
#
# remark[E0465]: `softmax_expsum` of `fused_tir_exp_add_softmax` is a buffer in the kernel: it is summed up, or made by several statements
#   --> chain.py:15:17
#    |
# 15 |             s = R.nn.softmax(b)
#    |                 ^^^^^^^^^^^^^^^
#
# remark[E0465]: the kernel of `fused_tir_exp_add_softmax` is one; it has nests: 5, for calls: 3
#   --> chain.py:15:17
#    |
# 15 |             s = R.nn.softmax(b)
#    |                 ^^^^^^^^^^^^^^^
#
