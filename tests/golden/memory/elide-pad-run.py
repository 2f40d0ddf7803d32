# RUN: run --stats=json -p LegalizeOps,ElideConcat,ResolveInplace,ToNonDataflow,CallTIRRewrite,KillAfterLastUse --in "a=2x3xf32=1 2 3 4 5 6" --in "b=2xf32=1 2" --in "c=3xf32=-3 4 -5" --in "d=1xf32=-1"
# -a in zeros, [-b, |c|], |b| in nines.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def join(x: T.Buffer((2,), "float32"), y: T.Buffer((3,), "float32"), out: T.Buffer((5,), "float32")):
        for i in range(5):
            out[i] = T.if_then_else(i < 2, x[i], y[i - 2])

    @T.prim_func(private=True)
    def ends(x: T.Buffer((2,), "float32"), c: T.Buffer((1,), "float32"), out: T.Buffer((5,), "float32")):
        for i in range(5):
            out[i] = T.if_then_else(T.float32(0) < c[0], T.float32(1), T.if_then_else(1 <= i and i < 3, x[i - 1], T.float32(9)))

    @R.function
    def main(a: R.Tensor(("n", 3), "float32"), b: R.Tensor((2,), "float32"), c: R.Tensor((3,), "float32"), d: R.Tensor((1,), "float32")):
        n = T.int64()
        cls = Module
        with R.dataflow():
            p = R.nn.pad(R.negative(a), (1, 1, 2, 0))
            j = R.call_tir(cls.join, (R.negative(b), R.abs(c)), out_ty=R.Tensor((5,), "float32"))
            e = R.call_tir(cls.ends, (R.abs(b), d), out_ty=R.Tensor((5,), "float32"))
            R.output(p, j, e)
        return (p, j, e)

# OUT:
# result.0: (4, 5) float32
# [[ 0.  0.  0.  0.  0.]
#  [ 0.  0. -1. -2. -3.]
#  [ 0.  0. -4. -5. -6.]
#  [ 0.  0.  0.  0.  0.]]
# result.1: (5,) float32
# [-1. -2.  3.  4.  5.]
# result.2: (5,) float32
# [9. 1. 2. 9. 9.]
# {"inplace": 4, "copies": 0, "copied_bytes": 0, "fresh": 0, "views": 0, "elided": 3, "arena_bytes": 184, "lower_bound_bytes": 184, "unplanned_bytes": 128, "stack_bytes": 64, "allocations": 0, "threads": 1, "compile_ms": 0, "run_ms": 0}
