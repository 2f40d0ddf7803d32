# RUN: check
# What a block gives out under its name is not renamed: the name stands in R.output as well.
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        w = R.tanh(x)
        R.output(y, w)
    return y
# OUT:
# warning[E0574]: `w` is computed and never read
#   --> unread-output.py:10:9
#    |
# 10 |         w = R.tanh(x)
#    |         ^
#    |
#    = help: remove it, or call it `_w` if that is meant
#
