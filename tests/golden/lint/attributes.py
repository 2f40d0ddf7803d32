# RUN: check
# A mistyped attribute would silently do nothing; names of other tools are theirs.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"relax.inplace_args": [0], "relax.colour": 1, "my.tool": 2, "num_inputs": 1, "num_input": 1})
        return R.exp(x)
# OUT:
# warning[E0575]: `main` has the attribute `relax.inplace_args`, which has no meaning
#   --> attributes.py:10:22
#    |
# 10 |         R.func_attr({"relax.inplace_args": [0], "relax.colour": 1, "my.tool": 2, "num_inputs": 1, "num_input": 1})
#    |                      ^^^^^^^^^^^^^^^^^^^^
#    |
# help: there is `relax.inplace_arg`
#    |
# 10 |         R.func_attr({"relax.inplace_args": [0], "relax.colour": 1, "my.tool": 2, "num_inputs": 1, "num_input": 1})
#    |                                        -
#
# warning[E0575]: `main` has the attribute `relax.colour`, which has no meaning
#   --> attributes.py:10:49
#    |
# 10 |         R.func_attr({"relax.inplace_args": [0], "relax.colour": 1, "my.tool": 2, "num_inputs": 1, "num_input": 1})
#    |                                                 ^^^^^^^^^^^^^^
#
# warning[E0575]: `main` has the attribute `num_inputs`, which has no meaning
#   --> attributes.py:10:82
#    |
# 10 |         R.func_attr({"relax.inplace_args": [0], "relax.colour": 1, "my.tool": 2, "num_inputs": 1, "num_input": 1})
#    |                                                                                  ^^^^^^^^^^^^
#    |
# help: there is `num_input`
#    |
# 10 |         R.func_attr({"relax.inplace_args": [0], "relax.colour": 1, "my.tool": 2, "num_inputs": 1, "num_input": 1})
#    |                                                                                            -
#
