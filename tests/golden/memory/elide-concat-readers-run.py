# RUN: run --stats=json -p LegalizeOps,ElideConcat,ResolveInplace,ToNonDataflow,CallTIRRewrite,KillAfterLastUse --in "a=2x2xf32=1 2 3 4" --in "w=2x2xf32=1 1 0 2"
# p = a @ w, q = p * w; the sums of the rows of p, and p + w.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor((2, 2), "float32"), w: R.Tensor((2, 2), "float32")):
        with R.dataflow():
            p = R.matmul(a, w)
            q = R.multiply(p, w)
            s = R.sum(p, axis=[1])
            r = R.concat((p, q), axis=1)
            t = R.add(p, w)
            R.output(r, s, t)
        return (r, s, t)

# OUT:
# result.0: (2, 4) float32
# [[ 1.  5.  1.  5.]
#  [ 3. 11.  0. 22.]]
# result.1: (2,) float32
# [ 6. 14.]
# result.2: (2, 2) float32
# [[ 2.  6.]
#  [ 3. 13.]]
# {"inplace": 2, "copies": 0, "copied_bytes": 0, "fresh": 0, "views": 0, "elided": 2, "arena_bytes": 56, "lower_bound_bytes": 56, "unplanned_bytes": 56, "stack_bytes": 0, "allocations": 0, "threads": 1, "compile_ms": 0, "run_ms": 0}
