# RUN: run --stats=json -p LegalizeOps,ElideConcat,ResolveInplace,ToNonDataflow,CallTIRRewrite,KillAfterLastUse --in "a=1x4xf32=1 2 3 4" --in "b=2x4xf32=1 1 1 1 2 2 2 2" --in c=iota
# Parts at offsets that are known when it runs; the parameter a is copied.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def count(x: T.handle, out: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (4,), "float32")
        O = T.match_buffer(out, (n, 4), "float32")
        for i, j in T.grid(n, T.int64(4)):
            O[i, j] = X[j] + T.Cast("float32", i)

    @R.function
    def main(a: R.Tensor(("n", 4), "float32"), b: R.Tensor(("m", 4), "float32"), c: R.Tensor((4,), "float32")):
        n = T.int64()
        m = T.int64()
        cls = Module
        with R.dataflow():
            p = R.negative(b)
            q = R.call_tir(cls.count, (c,), out_ty=R.Tensor((n, 4), "float32"))
            r = R.concat((p, a, q), axis=0)
            R.output(r)
        return r

# OUT:
# result: (4, 4) float32
# [[-1. -1. -1. -1.]
#  [-2. -2. -2. -2.]
#  [ 1.  2.  3.  4.]
#  [ 0.  1.  2.  3.]]
# {"inplace": 3, "copies": 1, "copied_bytes": 16, "fresh": 0, "views": 0, "elided": 2, "arena_bytes": 64, "lower_bound_bytes": 64, "unplanned_bytes": 64, "stack_bytes": 0, "allocations": 0, "threads": 1, "compile_ms": 0, "run_ms": 0}
