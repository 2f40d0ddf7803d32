# RUN: run -O0 --skip=FuseOps,FuseTIR --in "x=4xf32=3 1 2 5" --in c=0
# The least element is put into the storage of the difference, which ends together with what may be the same storage.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
        with R.dataflow():
            least = R.min(x, axis=[0], keepdims=True)
            rest = R.subtract(x, least)
            R.output(rest)
        if c:
            one = R.exp(x)
            either = R.nn.relu(one)
        else:
            either = rest
        return R.sum(either)
# OUT:
# result: () float32
# 7.
