# A chain of operators that becomes one kernel: x + b, gated by its own sigmoid.
#
# `inlay opt -p default examples/gated.py` shows the kernel, with the exponential as arithmetic and the loops that run in
# vectors and on several threads; `--print-changed` shows which pass did what.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor(("n", 256), "float32"), b: R.Tensor((256,), "float32")
    ) -> R.Tensor(("n", 256), "float32"):
        with R.dataflow():
            a = R.add(x, b)
            gate = R.sigmoid(a)
            y = R.multiply(a, gate)
            R.output(y)
        return y
