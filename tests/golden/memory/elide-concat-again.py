# RUN: run --stats=json --in "a=2x4xf32=1 2 3 4 5 6 7 8"
# Cut and joined in one kernel: the parameter itself, without a copy.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor(("n", 4), "float32")):
        with R.dataflow():
            s = R.split(a, 2, axis=1)
            k = R.concat((s[0], s[1]), axis=1)
            R.output(k)
        return k
# OUT:
# result: (2, 4) float32
# [[1. 2. 3. 4.]
#  [5. 6. 7. 8.]]
# {"inplace": 0, "copies": 0, "copied_bytes": 0, "fresh": 0, "views": 0, "elided": 0, "arena_bytes": 0, "lower_bound_bytes": 0, "unplanned_bytes": 0, "stack_bytes": 0, "allocations": 0, "threads": 1, "compile_ms": 0, "run_ms": 0}
