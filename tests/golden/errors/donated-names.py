# FAIL: check
# A name where a position belongs is said as it is written.
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((8,), "float32")):
    R.func_attr({"relax.inplace_arg": ["x"]})
    y = R.exp(x)
    return y
# OUT:
# error[E0316]: `main` cannot donate parameter "x": it is no position
#  --> donated-names.py:8:40
#   |
# 8 |     R.func_attr({"relax.inplace_arg": ["x"]})
#   |                                        ^^^
#   |
#   = help: "relax.inplace_arg" lists positions of tensor parameters, from 0 to 0
# help: `x` is parameter 0
#   |
# 8 |     R.func_attr({"relax.inplace_arg": [0]})
#   |                                        ~
#
