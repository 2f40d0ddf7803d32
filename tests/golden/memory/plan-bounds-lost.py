# RUN: plan --skip=FuseOps -p unscheduled
# Upper bounds say nothing of places in storage whose size has symbols: half of the columns lie within all, and the plan is followed,
# silently.
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
# main: 10 storages, n * 4 + T.max((m * n + 15) // 16 * 64 + (m * (m // 2) + 15) // 16 * 64 + (n * (m // 2) + 15) // 16 * 64, T.max((n + 15) // 16 * 64 + (m * n + 15) // 16 * 64 + (n * n + 15) // 16 * 64, T.max((m * n + 15) // 16 * 64 + (n * n + 15) // 16 * 64, (m * n + 15) // 16 * 64 + (n * (m // 2) + 15) // 16 * 64))) bytes (T.max((m * n + 15) // 16 * 64 + (m * (m // 2) + 15) // 16 * 64 + (n * (m // 2) + 15) // 16 * 64, T.max((n + 15) // 16 * 64 + (m * n + 15) // 16 * 64 + (n * n + 15) // 16 * 64, T.max((m * n + 15) // 16 * 64 + (n * n + 15) // 16 * 64, (m * n + 15) // 16 * 64 + (n * (m // 2) + 15) // 16 * 64))) in one piece)
#   bound T.max(n * 4 + (m * n + 15) // 16 * 64 + (n * (m // 2) + 15) // 16 * 64, T.max((m * n + 15) // 16 * 64 + (m * (m // 2) + 15) // 16 * 64 + (n * (m // 2) + 15) // 16 * 64, T.max((n + 15) // 16 * 64 + (n * n + 15) // 16 * 64, (m * n + 15) // 16 * 64 + (n * n + 15) // 16 * 64))) bytes
#   stack: (T.max((m * n + 15) // 16 * 64 + (m * (m // 2) + 15) // 16 * 64 + (n * (m // 2) + 15) // 16 * 64, T.max((n + 15) // 16 * 64 + (m * n + 15) // 16 * 64 + (n * n + 15) // 16 * 64, T.max((m * n + 15) // 16 * 64 + (n * n + 15) // 16 * 64, (m * n + 15) // 16 * 64 + (n * (m // 2) + 15) // 16 * 64))) + 63) // 64 * 64 bytes at most
#   storage         steps             bytes         offset
#   a               [1, 5)            m * n * 4     0
#   matmul          [3, 8)            n * n * 4     (m * n + 15) // 16 * 64
#   b               [6, 13)           n * 4         (m * n + 15) // 16 * 64 + (n * n + 15) // 16 * 64
#   c               [11, 16)          n * n * 4     (m * n + 15) // 16 * 64
#   d               [14, 22)          m * n * 4     0
#   permute_dims_1  [18, 23)          n * (m // 2) * 4 (m * n + 15) // 16 * 64
#   e               [20, 28)          m * (m // 2) * 4 (m * n + 15) // 16 * 64 + (n * (m // 2) + 15) // 16 * 64
#   permute_dims    [24, 33)          m * n * 4     0
#   f               [26, 32)          n * (m // 2) * 4 (m * n + 15) // 16 * 64
#   sum_1           [30, 34)          n * 4         apart  (result)
