# FAIL: check
# An annotation that says more than is known needs a match_cast; one that says less is fine.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(dtype="float32"), y: R.Tensor((4,), "float32"), z: R.Tensor(("n",), "float32")) -> R.Tensor((4,), "float32"):
        n = T.int64()
        a: R.Tensor((4,), "float32") = R.exp(x)
        b: R.Tensor(ndim=1) = R.exp(y)
        c: R.Any = R.exp(y)
        d: R.Tensor((4,), "float32") = R.exp(z)
        e = R.match_cast(R.exp(x), R.Tensor((4,), "float32"))
        return e
# OUT:
# error[E0253]: annotation says R.Tensor((4,), dtype="float32"), the expression is R.Tensor(dtype="float32")
#   --> annotations.py:12:9
#    |
# 12 |         a: R.Tensor((4,), "float32") = R.exp(x)
#    |         ^                              -------- this is R.Tensor(dtype="float32")
#    |
#    = help: check it when the program runs: `R.match_cast(.., R.Tensor((4,), dtype="float32"))`
#
