# RUN: run --stats=json -p LegalizeOps,ElideConcat,ResolveInplace,ToNonDataflow,CallTIRRewrite,KillAfterLastUse --in "a=2x4xf32=1 2 3 4 5 6 7 8" --in "b=6xf32=1 2 3 4 5 6"
# -a, the halves of |a| swapped, the ends and the middle of -b.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor(("n", 4), "float32"), b: R.Tensor((6,), "float32")):
        with R.dataflow():
            e = R.negative(a)
            s = R.split(e, 2, axis=1)
            same = R.concat((s[0], s[1]), axis=1)
            t = R.split(R.abs(a), 2, axis=1)
            swapped = R.concat((t[1], t[0]), axis=1)
            u = R.split(R.negative(b), 3)
            ends = R.concat((u[0], u[2]))
            middle = u[1]
            R.output(same, swapped, ends, middle)
        return (same, swapped, ends, middle)

# OUT:
# result.0: (2, 4) float32
# [[-1. -2. -3. -4.]
#  [-5. -6. -7. -8.]]
# result.1: (2, 4) float32
# [[3. 4. 1. 2.]
#  [7. 8. 5. 6.]]
# result.2: (4,) float32
# [-1. -2. -5. -6.]
# result.3: (2,) float32
# [-3. -4.]
# {"inplace": 2, "copies": 0, "copied_bytes": 0, "fresh": 0, "views": 0, "elided": 4, "arena_bytes": 152, "lower_bound_bytes": 152, "unplanned_bytes": 144, "stack_bytes": 64, "allocations": 0, "threads": 1, "compile_ms": 0, "run_ms": 0}
