# RUN: run --stats=json --in "a=2x2xf32=1 2 3 4" --in "w=2x2xf32=1 0 0 10" --in "v=2x1xf32=1 1"
# [a @ w, -a, a @ v] in columns: no copies, two products in place of their parts and the rest behind them.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor(("n", 2), "float32"), w: R.Tensor((2, 2), "float32"), v: R.Tensor((2, 1), "float32")):
        with R.dataflow():
            p = R.matmul(a, w)
            q = R.matmul(a, v)
            r = R.concat((p, R.negative(a), q), axis=1)
            R.output(r)
        return r

# OUT:
# result: (2, 5) float32
# [[ 1. 20. -1. -2.  3.]
#  [ 3. 40. -3. -4.  7.]]
# {"inplace": 2, "copies": 1, "copied_bytes": 8, "fresh": 0, "views": 0, "elided": 2, "arena_bytes": 104, "lower_bound_bytes": 104, "unplanned_bytes": 48, "stack_bytes": 64, "allocations": 0, "threads": 1, "compile_ms": 0, "run_ms": 0}
