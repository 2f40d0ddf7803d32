# RUN: run --in x=9xf32=nan,inf,-inf,-0.75,127.75,128,255.75,256,-128.75
# RUN: run -p debug --in x=9xf32=nan,inf,-inf,-0.75,127.75,128,255.75,256,-128.75
# Bounds in front of a conversion that are no closer than those of the integers change nothing, and are left out; others stay.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((9,), "float32")):
        with R.dataflow():
            unsigned = R.astype(R.minimum(R.maximum(x, R.const(0, "float32")), R.const(255, "float32")), "uint8")
            signed = R.astype(R.maximum(R.const(-128, "float32"), R.minimum(R.const(127.5, "float32"), x)), "int8")
            closer = R.astype(R.minimum(R.maximum(x, R.const(-127, "float32")), R.const(126, "float32")), "int8")
            above = R.astype(R.maximum(x, R.const(3, "float32")), "uint8")
            R.output(unsigned, signed, closer, above)
        return (unsigned, signed, closer, above)
# OUT:
# result.0: (9,) uint8
# [  0 255   0   0 127 128 255 255   0]
# result.1: (9,) int8
# [   0  127 -128    0  127  127  127  127 -128]
# result.2: (9,) int8
# [   0  126 -127    0  126  126  126  126 -127]
# result.3: (9,) uint8
# [  0 255   3   3 127 128 255 255   3]
