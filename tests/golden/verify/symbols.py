# FAIL: check
# Symbols have a value before they are used; a match_cast gives one, in its branch.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(dtype="float32", ndim=1), c: R.Tensor((), "bool")):
        n = T.int64()
        m = T.int64()
        early = R.zeros(R.shape([n]), "float32")
        a = R.match_cast(x, R.Tensor((n,), "float32"))
        fine = R.zeros(R.shape([n * 2]), "float32")
        if c:
            b = R.match_cast(x, R.Tensor((m,), "float32"))
            r = R.exp(b)
        else:
            r = R.exp(a)
        late = R.zeros(R.shape([m]), "float32")
        return r
# OUT:
# error[E0503]: symbol `n` has no value here
#   --> symbols.py:13:25
#    |
# 11 |         n = T.int64()
#    |         - declared here, which gives it no value
# 12 |         m = T.int64()
# 13 |         early = R.zeros(R.shape([n]), "float32")
#    |                         ^^^^^^^^^^^^
#    |
#    = help: let a parameter have `n` as a dimension, or bind it before: `R.match_cast(x, R.Tensor((n,)))`
#
# error[E0503]: symbol `m` has no value here
#   --> symbols.py:21:24
#    |
# 12 |         m = T.int64()
#    |         - declared here, which gives it no value
# ...
# 21 |         late = R.zeros(R.shape([m]), "float32")
#    |                        ^^^^^^^^^^^^
#    |
#    = help: let a parameter have `m` as a dimension, or bind it before: `R.match_cast(x, R.Tensor((m,)))`
#
