# RUN: run --stats=json -p LegalizeOps,ElideConcat,ResolveInplace,ToNonDataflow,CallTIRRewrite,KillAfterLastUse --in "a=4xf32=1 -2 3 -4" --in k=0
# The numbers are those of the script, copied or not.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def shift(x: T.Buffer((4,), "float32"), k: T.int64, out: T.Buffer((4,), "float32")):
        for i in range(T.int64(4)):
            out[i + k] = x[i]

    @T.prim_func(private=True)
    def inc(x: T.Buffer((8,), "float32")):
        for i in range(T.int64(8)):
            x[i] = x[i] + T.float32(1)

    @R.function
    def main(a: R.Tensor((4,), "float32"), k: R.Prim("int64")):
        k = T.int64()
        cls = Module
        with R.dataflow():
            p = R.negative(a)
            twice = R.concat((p, p))
            q = R.abs(a)
            two = R.concat((q, a))
            more = R.concat((a, q, R.const([1.0, 2.0], "float32")))
            returned = R.add(a, a)
            three = R.concat((returned, a))
            out = R.call_tir(cls.shift, (a, k), out_ty=R.Tensor((4,), "float32"))
            four = R.concat((out, a))
            s = R.multiply(a, a)
            t = R.subtract(a, a)
            side = R.stack((s, t), axis=1)
            u = R.exp(a)
            five = R.concat((u, a))
            changed = R.call_tir_inplace(cls.inc, (five,), out_ty=R.Tensor((8,), "float32"), inplace_indices=[0])
            late = R.negative(u)
            R.output(twice, two, more, returned, three, four, side, changed, late)
        return (twice, two, more, returned, three, four, side, changed, late)

# OUT:
# result.0: (8,) float32
# [-1.  2. -3.  4. -1.  2. -3.  4.]
# result.1: (8,) float32
# [ 1.  2.  3.  4.  1. -2.  3. -4.]
# result.2: (10,) float32
# [ 1. -2.  3. -4.  1.  2.  3.  4.  1.  2.]
# result.3: (4,) float32
# [ 2. -4.  6. -8.]
# result.4: (8,) float32
# [ 2. -4.  6. -8.  1. -2.  3. -4.]
# result.5: (8,) float32
# [ 1. -2.  3. -4.  1. -2.  3. -4.]
# result.6: (4, 2) float32
# [[ 1.  0.]
#  [ 4.  0.]
#  [ 9.  0.]
#  [16.  0.]]
# result.7: (8,) float32
# [3.71828 1.13534 21.0855 1.01832      2.     -1.      4.     -3.]
# result.8: (4,) float32
# [  -2.71828  -0.135335   -20.0855 -0.0183156]
# {"inplace": 7, "copies": 11, "copied_bytes": 168, "fresh": 0, "views": 0, "elided": 4, "arena_bytes": 328, "lower_bound_bytes": 328, "unplanned_bytes": 296, "stack_bytes": 64, "allocations": 0, "threads": 1, "compile_ms": 0, "run_ms": 0}
