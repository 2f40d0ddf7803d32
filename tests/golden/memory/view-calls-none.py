# RUN: run --check --in x=2x3xf32=1,2,3,4,5,6
# A tensor without elements has no byte in common with anything, but it is one tensor by each of its names: `v` is a view of
# `u`, and `w` is not made in its storage.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        t = R.strided_slice(x, axes=[0], begin=[0], end=[0])
        u = R.cumsum(t, axis=1)
        w = R.nn.relu(u)
        v = R.permute_dims(u, axes=[0, 1])
        return (v, w)
# OUT:
# result.0: (0, 3) float32
# [] of shape (0, 3)
# result.1: (0, 3) float32
# [] of shape (0, 3)
