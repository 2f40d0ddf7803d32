# RUN: run --check --stats --threads=1 --dim n=3 --dim m=16
# The checker does not see that half of the columns lie within all by the bounds: the plan of expressions is taken, silently.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32")):
        n = T.int64()
        m = T.int64()
        R.func_attr({"tir_var_upper_bound": {"n": 32, "m": 16}})
        a = R.permute_dims(x)
        b = R.sum(R.matmul(x, a), axis=[1])
        c = R.matmul(R.reshape(b, (n, 1)), R.reshape(b, (1, n)))
        d = R.matmul(c, x)
        v = R.memory.view(d, R.shape([n, m // 2]), R.dtype("float32"), 0)
        e = R.matmul(R.permute_dims(v), d)
        f = R.matmul(e, R.permute_dims(x))
        return R.sum(f, axis=[0])
# OUT:
# result: (3,) float32
# [3707.48 6274.79 1396.11]
# warning[E0342]: `main` keeps separate buffers: the checker of storage does not follow its plan of memory
#   --> plan-lost.py:11:9
#    |
# 11 |     def main(x: R.Tensor(("n", "m"), "float32")):
#    |         ^^^^
#    |
#    = note: it may be that `a` would not be what it was when it is read
#    = note: it may be that `gv` would not be what it was when it is read
#    = note: it may be that `c` would not be what it was when it is read
#    = note: it may be that `v` would not be what it was when it is read
#    = note: it may be that `d` would not be what it was when it is read
#    = help: with numbers for symbols (`BindSymbolicVars`, `--dim`) it can be planned
#
