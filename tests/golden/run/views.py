# RUN: run --in x=2x3xf32=1,2,3,4,5,6
# Reshapes, tuples, branches and match_cast share storage; a symbol takes its value from match_cast.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("a", "b"), "float32")):
        a = T.int64()
        b = T.int64()
        n = T.int64()
        flat = R.reshape(x, R.shape([a * b]))
        same = R.match_cast(flat, R.Tensor((n,), "float32"))
        pair = (same, x)
        first = pair[0]
        wide = R.reshape(first, R.shape([1, n]))
        cond = R.const(True, "bool")
        if cond:
            y = R.add(wide, wide)
        else:
            y = wide
        shape = R.shape_of(y)
        numbers = R.shape_to_tensor(shape)
        return (y, numbers, wide)
# OUT:
# result.0: (1, 6) float32
# [[ 2.  4.  6.  8. 10. 12.]]
# result.1: (2,) int64
# [1 6]
# result.2: (1, 6) float32
# [[1. 2. 3. 4. 5. 6.]]
