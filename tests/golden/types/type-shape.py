# FAIL: check
# The shape of a type is no shape.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor(4, "float32")):
    return x
# OUT:
# error[E0252]: a shape is a tuple or list of dimensions, or a shape value; this is a number
#  --> type-shape.py:6:22
#   |
# 6 | def main(x: R.Tensor(4, "float32")):
#   |                      ^
#   |
# help: a shape of one dimension is `(n,)`
#   |
# 6 | def main(x: R.Tensor((4,), "float32")):
#   |                      ~~~~
#
