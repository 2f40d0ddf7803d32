# FAIL: check
# Contracts are a dict of dicts.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    I.module_attrs({"relax.contracts": [{"reads": [0]}]})

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x
# OUT:
# error[E0318]: the contract of `relax.contracts`: it is no dict
#  --> contracts-no-dict.py:9:21
#   |
# 9 |     I.module_attrs({"relax.contracts": [{"reads": [0]}]})
#   |                     ^^^^^^^^^^^^^^^^^
#   |
#   = help: its keys are the symbols of functions
#
