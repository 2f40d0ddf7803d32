# FAIL: check
# What is returned is known to be what callers are told.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(dtype="float32")) -> R.Tensor((4,), "float32"):
        a = R.exp(x)
        return a
# OUT:
# error[E0254]: `main` returns R.Tensor(dtype="float32"), but its annotation says R.Tensor((4,), dtype="float32")
#   --> result-type.py:12:9
#    |
# 12 |         return a
#    |         ^^^^^^^^
#
