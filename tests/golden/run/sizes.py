# RUN: run --check -p LegalizeOps,ScheduleCPU,InplaceCalls --in=x=8xf32=1,2,3,4,5,6,7,8 --in=y=3x8:zeros
# Numbers of what is made in a part of a larger result, or takes a part of what dies: a row in the last row of a sum, floats at the end of
# doubles, a padding whose middle is where its operand was, every other element.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((8,), "float32"), y: R.Tensor((3, 8), "float32")):
        a = R.add(R.negative(x), y)
        b = R.astype(R.add(x, x), "float64")
        c = R.nn.pad(R.subtract(x, R.const(1.0, "float32")), [2, 3])
        d = R.strided_slice(R.multiply(x, x), axes=[0], begin=[1], end=[8], strides=[2])
        return (a, b, c, d)
# OUT:
# result.0: (3, 8) float32
# [[-1. -2. -3. -4. -5. -6. -7. -8.]
#  [-1. -2. -3. -4. -5. -6. -7. -8.]
#  [-1. -2. -3. -4. -5. -6. -7. -8.]]
# result.1: (8,) float64
# [ 2.  4.  6.  8. 10. 12. 14. 16.]
# result.2: (13,) float32
# [0. 0. 0. 1. 2. 3. 4. 5. 6. 7. 0. 0. 0.]
# result.3: (4,) float32
# [ 4. 16. 36. 64.]
