# RUN: run --stats=json -p LegalizeOps,ElideConcat,ResolveInplace,ToNonDataflow,CallTIRRewrite,KillAfterLastUse --in "b=2x4xf32=1 2 3 4 5 6 7 8"
# One field of a call is made in a padding, the other stays; both are read by others, the first field first.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(b: R.Tensor((2, 4), "float32")):
        with R.dataflow():
            t = R.split(R.negative(b), 2, axis=1)
            left = R.abs(t[0])
            right = t[1]
            v = R.abs(right)
            p = R.nn.pad(right, (0, 1, 1, 0))
            R.output(left, v, p)
        return (left, v, p)
# OUT:
# result.0: (2, 2) float32
# [[1. 2.]
#  [5. 6.]]
# result.1: (2, 2) float32
# [[3. 4.]
#  [7. 8.]]
# result.2: (3, 3) float32
# [[ 0. -3. -4.]
#  [ 0. -7. -8.]
#  [ 0.  0.  0.]]
# {"inplace": 2, "copies": 0, "copied_bytes": 0, "fresh": 0, "views": 0, "elided": 1, "arena_bytes": 116, "lower_bound_bytes": 116, "unplanned_bytes": 116, "stack_bytes": 64, "allocations": 1, "threads": 1, "compile_ms": 0, "run_ms": 0}
