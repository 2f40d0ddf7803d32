# RUN: run --stats=json --in "x=4xf32=1 -2 3 -4"
# Leaky rectifiers keep some elements of a, by their sign: they are no joins, so a has storage of its own, and c reads it whole.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        a = R.cumsum(x, axis=0)
        b = R.nn.leakyrelu(a, alpha=10.0)
        c = R.sort(a, axis=0)
        d = R.sign(a)
        e = R.flip(a, axis=0)
        return (b, c, d, e)
# OUT:
# result.0: (4,) float32
# [  1. -10.   2. -20.]
# result.1: (4,) float32
# [-2. -1.  1.  2.]
# result.2: (4,) float32
# [ 1. -1.  1. -1.]
# result.3: (4,) float32
# [-2.  2. -1.  1.]
# {"inplace": 1, "copies": 0, "copied_bytes": 0, "fresh": 0, "views": 0, "elided": 0, "arena_bytes": 64, "lower_bound_bytes": 64, "unplanned_bytes": 64, "stack_bytes": 0, "allocations": 0, "threads": 1, "compile_ms": 0, "run_ms": 0}
