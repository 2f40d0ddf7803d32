# FAIL: check
# A statement follows R.output in its block.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32")):
    with R.dataflow():
        y = R.add(x, x)
        R.output(y)
        z = R.add(y, y)
    return y
# OUT:
# error[E0557]: nothing can follow `R.output` in its block
#   --> after-output.py:10:9
#    |
#  9 |         R.output(y)
#    |         ----------- the block ends here
# 10 |         z = R.add(y, y)
#    |         ^^^^^^^^^^^^^^^
#
