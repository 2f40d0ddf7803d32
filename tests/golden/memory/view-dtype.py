# RUN: run --check --in x=4xf32=1,2,-1,0.5
# The bytes of a tensor as another dtype, from an offset that is only known when it runs.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = R.multiply(x, R.const(2.0))
        size = R.shape_of(y)
        n = T.int64()
        s = R.match_cast(size, R.Shape([n]))
        bits = R.memory.view(y, dtype="int32")
        bytes = R.memory.view(y, R.shape([2]), "uint16", R.prim_value(n * 2))
        same = R.memory.ensure_zero_offset(bytes)
        z = R.add(bits, R.const(1, "int32"))
        w = R.add(same, R.const(1, "uint16"))
        return z, w
# OUT:
# result.0: (4,) int32
# [ 1073741825  1082130433 -1073741823  1065353217]
# result.1: (2,) uint16
# [    1 49153]
