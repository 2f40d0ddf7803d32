# RUN: run --stats=json -p LegalizeOps,ElideConcat,ResolveInplace,ToNonDataflow,CallTIRRewrite,KillAfterLastUse --in "a=2x2xf32=1 2 3 4"
# [[-a, 2a], |[-a, 2a]|], and below each its square; no copies.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor((2, 2), "float32")):
        with R.dataflow():
            p = R.negative(a)
            q = R.add(a, a)
            pq = R.concat((p, q), axis=1)
            s = R.abs(pq)
            both = R.stack((pq, s), axis=0)
            r = R.concat((both, R.multiply(both, both)), axis=1)
            R.output(r)
        return r

# OUT:
# result: (2, 4, 4) float32
# [[[-1. -2.  2.  4.]
#   [-3. -4.  6.  8.]
#   [ 1.  4.  4. 16.]
#   [ 9. 16. 36. 64.]]
#  [[ 1.  2.  2.  4.]
#   [ 3.  4.  6.  8.]
#   [ 1.  4.  4. 16.]
#   [ 9. 16. 36. 64.]]]
# {"inplace": 4, "copies": 0, "copied_bytes": 0, "fresh": 0, "views": 0, "elided": 6, "arena_bytes": 128, "lower_bound_bytes": 128, "unplanned_bytes": 128, "stack_bytes": 0, "allocations": 0, "threads": 1, "compile_ms": 0, "run_ms": 0}
