# FAIL(2): run -Wall
# There is one warning to be asked for.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), z: R.Tensor((8,), "float32")):
        t = R.exp(x)
        a = R.tanh(t)
        b = R.sqrt(z)
        return (t, a, b)

    @R.function
    def other(x: R.Tensor(("n", "m"), "float16")):
        t = R.exp(x)
        a = R.tanh(t)
        return a
# OUT:
# inlay: error: --warn takes none|inplace-missed|error=inplace-missed, not `all`
# see `inlay run --help`
