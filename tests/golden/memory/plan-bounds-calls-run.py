# RUN: run --check --stats --threads=1 --vectors=32 --dim n=32 --dim m=16
# Results of calls have places by the upper bounds, too.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function(private=True)
    def twice(x: R.Tensor(("n", "m"), "float32")):
        n = T.int64()
        m = T.int64()
        return R.permute_dims(R.add(x, x))

    @R.function
    def main(x: R.Tensor(("n", "m"), "float32")):
        cls = Module
        n = T.int64()
        m = T.int64()
        R.func_attr({"tir_var_upper_bound": {"n": 32, "m": 16}})
        a = cls.twice(x)
        b = R.sum(R.matmul(x, a), axis=[1])
        c = R.matmul(R.reshape(b, (n, 1)), R.reshape(b, (1, n)))
        d = R.matmul(c, x)
        e = R.matmul(cls.twice(d), d)
        f = R.matmul(e, cls.twice(x))
        return R.sum(f, axis=[0])
# OUT:
# result: (32,) float32
# [ -4.2656e+08  -4.1982e+08 -3.85318e+08 -1.02353e+09   5.0213e+08 -3.35959e+09  5.66803e+07
#  -1.53569e+09   4.7748e+08  2.20678e+09 -2.24202e+09 -8.55307e+08 -2.30673e+09 -1.88905e+08
#  -1.44028e+09 -1.12841e+09 -9.06297e+08    1.004e+09  1.15177e+09  -1.2421e+08 -3.11347e+09
#   1.72503e+09 -1.63136e+09  1.32588e+09   4.9113e+08 -3.20289e+09 -3.57963e+09 -1.99305e+09
#   1.16042e+09 -2.29456e+09  1.60487e+09 -1.89127e+08]
# in place: 0, copies: 0 (0 bytes), fresh: 0, views: 2
# memory: 8192 bytes at most, 27904 bytes in 1 allocations
# time: compile _ ms, run _ ms, threads: 1
