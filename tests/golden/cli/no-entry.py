# FAIL: run --entry mian
# An unknown entry is answered with the functions.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 2), "float32"), k: T.int64) -> R.Tensor(("n", 2), "float32"):
        y = R.exp(x)
        return y
# OUT:
# error[E0704]: the module has no function `mian` to run
#   = note: it has `main`
#   = help: the nearest is `main`: --entry=main
#
