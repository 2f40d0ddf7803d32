# RUN: opt
# Attributes of functions print in the order of their keys; global_symbol is hidden where it is the name.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((4,), "float32")):
    R.func_attr({"relax.force_pure": True, "global_symbol": "main", "num_input": 1})
    R.func_attr({"note": "two"})
    R.print(x, format="{}")
    _ = R.assert_op(R.const(True), [x], format=R.str("never"))
    return x
# OUT:
# # from tvm.script import relax as R
#
# @R.function
# def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#     R.func_attr({"note": "two", "num_input": 1, "relax.force_pure": True})
#     R.print(x, format=R.str("{}"))
#     R.assert_op(R.const(True, "bool"), x, format=R.str("never"))
#     return x
