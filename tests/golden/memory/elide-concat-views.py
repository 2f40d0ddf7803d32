# RUN: run --stats=json -p LegalizeOps,ViewCalls,ElideConcat,ResolveInplace,ToNonDataflow,CallTIRRewrite,KillAfterLastUse --in "a=1x2xf32=1 2" --in "w=2x2xf32=1 2 3 4"
# The rows of w @ w, cut and joined again by views of it, are w @ w; it and a @ w, by another name, are made in the result.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor(("n", 2), "float32"), w: R.Tensor((2, 2), "float32")):
        with R.dataflow():
            e = R.matmul(w, w)
            s = R.split(e, 2, axis=0)
            k = R.concat((s[0], s[1]), axis=0)
            x = R.matmul(a, w)
            y = x
            l = R.concat((y, k), axis=0)
            R.output(l)
        return l
# OUT:
# result: (3, 2) float32
# [[ 7. 10.]
#  [ 7. 10.]
#  [15. 22.]]
# {"inplace": 2, "copies": 0, "copied_bytes": 0, "fresh": 0, "views": 0, "elided": 2, "arena_bytes": 24, "lower_bound_bytes": 24, "unplanned_bytes": 24, "stack_bytes": 0, "allocations": 0, "threads": 1, "compile_ms": 0, "run_ms": 0}
