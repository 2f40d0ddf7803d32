# FAIL: check
# A dataflow block has two R.output.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32")):
    with R.dataflow():
        a = R.add(x, x)
        b = R.add(a, x)
        R.output(a)
        R.output(b)
    return R.add(a, b)
# OUT:
# error[E0555]: a dataflow block has one `R.output`
#   --> output-twice.py:11:9
#    |
# 10 |         R.output(a)
#    |         ----------- the first one
# 11 |         R.output(b)
#    |         ^^^^^^^^^^^
#
