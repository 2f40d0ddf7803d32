# RUN: run --in x='4xf32=3 1 2 0'
# The dtype None of R.topk and R.argsort is that of the data, as in TVM; a flag that is None is False.
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((4,), "float32")):
    a = R.topk(x, k=2, dtype=None)
    b = R.argsort(x, dtype=None)
    c = R.cumsum(x, axis=0, exclusive=None)
    return (a, b, c)
# OUT:
# result.0.0: (2,) float32
# [3. 2.]
# result.0.1: (2,) float32
# [0. 2.]
# result.1: (4,) float32
# [3. 1. 2. 0.]
# result.2: (4,) float32
# [3. 4. 6. 6.]
