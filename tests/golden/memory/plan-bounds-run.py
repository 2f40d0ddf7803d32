# RUN: run --skip=FuseOps --check --stats --threads=1 -p unscheduled --dim n=7 --dim m=3
# As many bytes as the bounds want, whatever the sizes are.
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
        e = R.matmul(R.permute_dims(d), d)
        f = R.matmul(e, R.permute_dims(x))
        return R.sum(f, axis=[0])
# OUT:
# result: (7,) float32
# [ 22.7851  4.97715  1.94919  6.13558 -1.89177  7.05986  2.48771]
# in place: 0, copies: 0 (0 bytes), fresh: 0, views: 2
# memory: 6144 bytes at most, 904 bytes in 1 allocations
# time: compile _ ms, run _ ms, threads: 1
