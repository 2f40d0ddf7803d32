# RUN: why --fusion
# Why the kernel of a product ends with the bytes that it makes: what makes them wider is in the kernel that reads them.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 3, 4, 4), "float32"), v: R.Tensor((2, 3, 1, 1), "float32"), w: R.Tensor((2, 1, 3, 3), "int8")):
        with R.dataflow():
            f = R.nn.conv2d(x, v)
            t = R.astype(f, "uint8")
            a = R.astype(t, "int32")
            b = R.subtract(a, R.const(7, "int32"))
            c = R.nn.conv2d(b, R.astype(w, "int32"), padding=[1, 1, 1, 1], groups=2)
            R.output(c)
        return c
# OUT:
# remark[E0465]: `f` of `main` is computed in the kernel `fused_conv2d_cast`, 2 calls in one
#   --> widening.py:12:17
#    |
# 12 |             f = R.nn.conv2d(x, v)
#    |                 ^^^^^^^^^^^^^^^^^
#
# remark[E0465]: `f` of `fused_conv2d_cast` is a buffer in the kernel: it is summed up, or made by several statements
#   --> widening.py:12:17
#    |
# 12 |             f = R.nn.conv2d(x, v)
#    |                 ^^^^^^^^^^^^^^^^^
#
# remark[E0465]: `t` of `main` is computed in the kernel `fused_conv2d_cast`, 2 calls in one
#   --> widening.py:13:17
#    |
# 13 |             t = R.astype(f, "uint8")
#    |                 ^^^^^^^^^^^^^^^^^^^^
# 14 |             a = R.astype(t, "int32")
#    |                 -------------------- here
#    |
#    = note: FU021 no larger kernel: `a` and what follows it make elements wider, 1 to 4 bytes, in the kernel that reads them: so the narrow ones are stored
#
# remark[E0465]: the kernel of `fused_conv2d_cast` is one; it has nests: 2, for calls: 2
#   --> widening.py:13:17
#    |
# 13 |             t = R.astype(f, "uint8")
#    |                 ^^^^^^^^^^^^^^^^^^^^
#
# remark[E0465]: `a` of `main` is computed in the kernel `fused_cast_1_subtract_conv2d_1`, 3 calls in one
#   --> widening.py:14:17
#    |
# 14 |             a = R.astype(t, "int32")
#    |                 ^^^^^^^^^^^^^^^^^^^^
#
# remark[E0465]: `a` of `fused_cast_1_subtract_conv2d_1` is computed where it is used, and needs no buffer
#   --> widening.py:14:17
#    |
# 14 |             a = R.astype(t, "int32")
#    |                 ^^^^^^^^^^^^^^^^^^^^
#
# remark[E0465]: `b` of `main` is computed in the kernel `fused_cast_1_subtract_conv2d_1`, 3 calls in one
#   --> widening.py:15:17
#    |
# 15 |             b = R.subtract(a, R.const(7, "int32"))
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
# remark[E0465]: `b` of `fused_cast_1_subtract_conv2d_1` is computed where it is used, and needs no buffer
#   --> widening.py:15:17
#    |
# 15 |             b = R.subtract(a, R.const(7, "int32"))
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
# remark[E0465]: `c` of `main` is computed in the kernel `fused_cast_1_subtract_conv2d_1`, 3 calls in one
#   --> widening.py:16:17
#    |
# 16 |             c = R.nn.conv2d(b, R.astype(w, "int32"), padding=[1, 1, 1, 1], groups=2)
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
# remark[E0465]: `pad_temp` of `fused_cast_1_subtract_conv2d_1` is computed where it is used, and needs no buffer
#   --> widening.py:16:17
#    |
# 16 |             c = R.nn.conv2d(b, R.astype(w, "int32"), padding=[1, 1, 1, 1], groups=2)
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
# remark[E0465]: the kernel of `fused_cast_1_subtract_conv2d_1` is one; it has nests: 1, for calls: 3
#   --> widening.py:16:17
#    |
# 16 |             c = R.nn.conv2d(b, R.astype(w, "int32"), padding=[1, 1, 1, 1], groups=2)
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
