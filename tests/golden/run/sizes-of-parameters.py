# RUN: run --check --in x=3xf32=1,2,3 --in w=3xf32=4,5,6
# Dims of parameters get names in front of a block of dataflow, not in it: what is behind it reads them, too.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(dtype="float32", ndim=1), w: R.Tensor(dtype="float32", ndim=1)):
        with R.dataflow():
            y = R.add(x, x)
            u = R.exp(w)
            R.output(y, u)
        z = R.multiply(x, y)
        return z, R.negative(w), u
# OUT:
# result.0: (3,) float32
# [ 2.  8. 18.]
# result.1: (3,) float32
# [-4. -5. -6.]
# result.2: (3,) float32
# [54.5982 148.413 403.429]
