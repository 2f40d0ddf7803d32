# FAIL: run -p LegalizeOps,ElideConcat,ResolveInplace,ToNonDataflow,CallTIRRewrite,KillAfterLastUse --in a=iota --in k=1
# A kernel that may write behind its output has no part of a result: that it does must be found, not hit the next part.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def shift(x: T.Buffer((4,), "float32"), k: T.int64, out: T.Buffer((4,), "float32")):
        for i in range(T.int64(4)):
            out[i + k] = x[i]

    @R.function
    def main(a: R.Tensor((4,), "float32"), k: R.Prim("int64")):
        k = T.int64()
        cls = Module
        with R.dataflow():
            p = R.call_tir(cls.shift, (a, k), out_ty=R.Tensor((4,), "float32"))
            q = R.negative(a)
            r = R.concat((p, q))
            R.output(r)
        return r

# OUT:
# error[E0803]: index 4 is out of range for axis 0 of `out` (extent 4)
#   --> elide-concat-bounds.py:13:17
#    |
# 13 |             out[i + k] = x[i]
#    |                 ^^^^^
#
