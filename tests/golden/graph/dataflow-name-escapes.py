# FAIL: check
# A name of a dataflow block is used outside of it.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32")):
    with R.dataflow():
        a = R.add(x, x)
        b = R.multiply(a, a)
        R.output(b)
    return R.add(a, b)
# OUT:
# error[E0552]: `a` is visible only in its dataflow block
#   --> dataflow-name-escapes.py:11:18
#    |
#  8 |         a = R.add(x, x)
#    |         - bound in the dataflow block
# ...
# 11 |     return R.add(a, b)
#    |                  ^
#    |
# help: let the block output it: `R.output(.., a)`
#    |
# 10 |         R.output(b, a)
#    |                   +++
#
