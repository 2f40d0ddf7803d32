# RUN: run --check --stats --threads=1 --in c=bool=1
# One allocation for all that the function takes, the result among it.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((64, 64), "float32"), c: R.Tensor((), "bool")):
        a = R.permute_dims(x)
        b = R.permute_dims(R.exp(a))
        if c:
            p = R.add(R.permute_dims(b), x)
            r = R.permute_dims(p)
        else:
            s = R.permute_dims(R.add(b, a))
            r = R.subtract(s, b)
        t = R.permute_dims(R.add(r, b))
        u = R.permute_dims(R.exp(t))
        return R.mean(u)
# OUT:
# result: () float32
# 30.8721
# in place: 1, copies: 0 (0 bytes), fresh: 0, views: 0
# memory: 49156 bytes at most, 49156 bytes in 0 allocations
# time: compile _ ms, run _ ms, threads: 1
