# RUN: run -p LegalizeOps,ElideConcat,ResolveInplace,ToNonDataflow,CallTIRRewrite,KillAfterLastUse --in "x=4xf32=1 1 2 2"
# A constant that is cut and joined again is that constant, at each place where the join is read.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        s = R.split(R.const([1.0, 2.0, 3.0, 4.0], "float32"), 2, axis=0)
        j = R.concat((s[0], s[1]), axis=0)
        a = R.add(x, j)
        b = R.subtract(j, x)
        return (a, b, j)
# OUT:
# result.0: (4,) float32
# [2. 3. 5. 6.]
# result.1: (4,) float32
# [0. 1. 1. 2.]
# result.2: (4,) float32
# [1. 2. 3. 4.]
