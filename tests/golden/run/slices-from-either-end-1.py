# RUN: run --check --dim n=1 --dim m=4
# Bounds that are negative for some sizes count from the end there, as Python's; a symbol that squeeze meets stays, also where it is 1.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor((6,), "float32"), w: R.Tensor(("n", 1, "m", 1), "float32")):
        n, m = T.int64(), T.int64()
        later = R.strided_slice(x, [0], [1], [n])
        earlier = R.strided_slice(x, [0], [0], [n - 1])
        steps = R.shape_of(R.subtract(later, earlier))
        front = R.shape_of(R.strided_slice(x, [0], [0], [n - 3]))
        back = R.shape_of(R.strided_slice(x, [0], [n - 2], [n - 5], [-1]))
        other = R.shape_of(R.strided_slice(y, [0], [m - 7], [m - n]))
        narrow = R.shape_of(R.squeeze(w))
        return (steps, front, back, other, narrow)
# OUT:
# result.0: shape (0,)
# result.1: shape (0,)
# result.2: shape (1,)
# result.3: shape (0,)
# result.4: shape (1, 4)
