# FAIL: check
# A result type that is wrong is told once: of what is made of its calls, nothing is known.
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function(private=True)
    def cell(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "flot32"):
        y = R.exp(x)
        return y

    @R.function(private=True)
    def whole(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = R.abs(x)
        return y

    @R.function(private=True)
    def norm(x: R.Tensor(("n", "m", 4), "float32")) -> R.Tensor(("n" "m", 4), "float32"):
        y = R.exp(x)
        return y

    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor(("n", "m", 4), "float32")):
        cls = Module
        h = cls.cell(x)
        z = cls.whole(h)
        w = cls.norm(cls.norm(y))
        return (z, w)
# OUT:
# error[E0430]: `flot32` is no dtype
#  --> result-unknown.py:9:62
#   |
# 9 |     def cell(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "flot32"):
#   |                                                              ^^^^^^^^
#   |
#   = help: dtypes are written "float32", "int64", "bool"
# help: write `"float32"`
#   |
# 9 |     def cell(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
#   |                                                                  +
#
# error[E0201]: name `nm` is not defined in TVMScript
#   --> result-unknown.py:19:66
#    |
# 19 |     def norm(x: R.Tensor(("n", "m", 4), "float32")) -> R.Tensor(("n" "m", 4), "float32"):
#    |                                                                  ^^^^^^^
#    |
# help: a comma is missing: two strings side by side are one
#    |
# 19 |     def norm(x: R.Tensor(("n", "m", 4), "float32")) -> R.Tensor(("n", "m", 4), "float32"):
#    |                                                                     +
#
