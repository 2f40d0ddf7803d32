# RUN: check
# A scale whose length is a number stands along an axis that is open: another axis is as long. One number for all is right, and
# so is a length that may be 1.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "int8"), y: R.Tensor(("n", 8), "float32"), s: R.Tensor((8,), "float32"), t: R.Tensor(("m",), "float32"), o: R.Tensor((1,), "float32")):
        z = R.const(0, "int8")
        a = R.dequantize(x, s, z, axis=0)
        b = R.dequantize(x, t, z, axis=0)
        c = R.dequantize(x, o, z, axis=0)
        d = R.nn.prelu(y, s, axis=0)
        return (a, b, c, d)
# OUT:
# warning[E0516]: `R.dequantize`: dimension 0 of `data` is n, and the length of `scale` is 8: that fits only where `n` is 8
#   --> scale-axis.py:13:29
#    |
# 13 |         a = R.dequantize(x, s, z, axis=0)
#    |                             ^
#    |
#    = note: a run with another size ends with an error
# help: axis 1 of `data` is 8
#    |
# 13 |         a = R.dequantize(x, s, z, axis=1)
#    |                                        ~
#
