# RUN: bisect -p debug --in x=4xi64=1,2,3,4
# A call for its effect writes a donated input: each run starts from the input as it was given.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def increment(h: T.Buffer((4,), "int64")):
        h[0] = h[0] + T.int64(1)

    @R.function(pure=False)
    def main(x: R.Tensor((4,), "int64")) -> R.Tensor((4,), "int64"):
        R.func_attr({"relax.inplace_arg": 0})
        cls = Module
        cls.increment(x)
        return x
# OUT:
#   1  LegalizeOps                  no change
#   2  ResolveInplace               no change
#   3  ToNonDataflow                no change
#   4  CallTIRRewrite               no change
#   5  KillAfterLastUse             no change
#      compiled code                the same
