# RUN: run --in=x=ones --in=w=ones
# Results that are seen in another shape or dtype are made in memory of whoever calls an artifact; tests/artifact.py reads the
# lines on arenas, and calls all of these.  What needs more alignment than the result has is copied at the end.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    # arena of `main`: 0
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((3, 4), "float32")):
        a = R.matmul(x, w)
        r = R.reshape(a, R.shape([4, 2]))
        return r

    # arena of `dtype`: 0
    @R.function
    def dtype(x: R.Tensor((4, 4), "float32")):
        a = R.matmul(x, x)
        r = R.memory.view(a, R.shape([2, 8]), R.dtype("int32"), R.prim_value(0))
        return r

    # arena of `smaller`: 64
    @R.function
    def smaller(x: R.Tensor((4, 4), "float32")):
        a = R.matmul(x, x)
        r = R.memory.view(a, R.shape([64]), R.dtype("uint8"), R.prim_value(0))
        return r

    # arena of `symbols`: 0
    @R.function
    def symbols(x: R.Tensor(("n", 16), "float32"), w: R.Tensor((16, 16), "float32")):
        n = T.int64()
        a = R.matmul(x, w)
        r = R.reshape(a, R.shape([n * 2, 8]))
        return (r, x)
# OUT:
# result: (4, 2) float32
# [[3. 3.]
#  [3. 3.]
#  [3. 3.]
#  [3. 3.]]
