# FAIL: check
# Between the functions of a module stands no statement: one line that goes on behind it is enough.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((16,), "float32")):
        y = R.add(x, x)
    z = R.add(y, y)
        return z

    @R.function
    def second(x: R.Tensor((16,), "float32")):
        y = R.add(x, x)
z = R.add(y, y)

    @R.function
    def third(x: R.Tensor((16,), "float32")):
        return x
# OUT:
# error[E0109]: the block goes on behind a line that ends it
#   --> slipped-line-module.py:12:1
#    |
# 12 |     z = R.add(y, y)
#    | ^^^^
#    |
# help: indent it like the lines around
#    |
# 12 |         z = R.add(y, y)
#    |     ++++
#
# error[E0109]: the block goes on behind a line that ends it
#   --> slipped-line-module.py:18:1
#    |
# 18 | z = R.add(y, y)
#    | ^
#    |
# help: indent it like the line in front
#    |
# 18 |         z = R.add(y, y)
#    | ++++++++
#
