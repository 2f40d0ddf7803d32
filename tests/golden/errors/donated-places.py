# FAIL: check
# Of several positions, those that are wrong are underlined.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def donated(x: R.Tensor((4,), "float32"), s: R.Prim("int64")):
        R.func_attr({"relax.inplace_arg": [0, 1, 9]})
        return R.add(x, x)

    @R.function
    def one(s: R.Prim("int64"), x: R.Tensor((4,), "float32")):
        R.func_attr({"relax.inplace_arg": 0})
        return R.add(x, x)
# OUT:
# error[E0316]: `donated` cannot donate parameter 1: the parameter is no tensor
#   --> donated-places.py:11:47
#    |
# 11 |         R.func_attr({"relax.inplace_arg": [0, 1, 9]})
#    |                                               ^
#    |
#    = help: "relax.inplace_arg" lists positions of tensor parameters, from 0 to 1
#
# error[E0316]: `donated` cannot donate parameter 9: there is no such parameter
#   --> donated-places.py:11:50
#    |
# 11 |         R.func_attr({"relax.inplace_arg": [0, 1, 9]})
#    |                                                  ^
#    |
#    = help: "relax.inplace_arg" lists positions of tensor parameters, from 0 to 1
#
# error[E0316]: `one` cannot donate parameter 0: the parameter is no tensor
#   --> donated-places.py:16:22
#    |
# 16 |         R.func_attr({"relax.inplace_arg": 0})
#    |                      ^^^^^^^^^^^^^^^^^^^
#    |
#    = help: "relax.inplace_arg" lists positions of tensor parameters, from 0 to 1
#
