# FAIL: run --in x=data/points.npy
# What ends as files of numbers do is one, and its sign is missing.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def main(x: R.Tensor((4,), "float32")):
    return R.exp(x)
# OUT:
# error[E0707]: input `x`: cannot read `data/points.npy`: it is no @FILE, random, zeros, ones, iota, number, true, false or 2x3xf32=1 2 ..
#  --> in-file.py:7:10
#   |
# 7 | def main(x: R.Tensor((4,), "float32")):
#   |          ^ parameter of `main`
#   |
#   = help: a file has `@` in front: --in x=@data/points.npy
#
