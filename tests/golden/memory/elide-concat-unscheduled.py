# RUN: run --stats=json -p unscheduled --in a=iota --in "b=2xf32=-5 7" --in "c=3xf32=1 2 3"
# Fused, with the loops of operators: one kernel writes the result; the same allocations, and no copy.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor((4,), "float32"), b: R.Tensor((2,), "float32"), c: R.Tensor((3,), "float32")):
        with R.dataflow():
            la = R.negative(a)
            lb = R.abs(b)
            lc = R.negative(c)
            r = R.concat((la, lb, lc), axis=0)
            R.output(r)
        return r

# OUT:
# result: (9,) float32
# [-0. -1. -2. -3.  5.  7. -1. -2. -3.]
# {"inplace": 0, "copies": 0, "copied_bytes": 0, "fresh": 0, "views": 0, "elided": 3, "arena_bytes": 36, "lower_bound_bytes": 36, "unplanned_bytes": 36, "stack_bytes": 0, "allocations": 0, "threads": 1, "compile_ms": 0, "run_ms": 0}
