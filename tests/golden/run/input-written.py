# FAIL(4): run --check --in x=4xi64=1,2,3,4
# The script itself writes an input that is only borrowed; without --check, code generation refuses it (E0684).
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
        cls = Module
        cls.increment(x)
        return x
# OUT:
# error[E0808]: input `x` is not what it was: value 0 differs in element 0
#   --> input-written.py:15:9
#    |
# 15 |     def main(x: R.Tensor((4,), "int64")) -> R.Tensor((4,), "int64"):
#    |         ^^^^
#    |
#    = help: a call for its effect writes it: give the call a copy, R.copy(..), or donate it with `relax.inplace_arg`
#
