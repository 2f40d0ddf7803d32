# RUN: run --check --check-memory --stats=json --threads=1 --dim n=7
# One allocation of as much as lives at once, for sizes that are known when it runs.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 64), "float32"), w: R.Tensor((64, 64), "float32"), z: R.Tensor(("n",), "float32")):
        a = R.permute_dims(R.add(x, x))
        b = R.permute_dims(R.exp(a))
        c = R.permute_dims(R.add(b, x))
        y = R.add(z, z)
        d = R.permute_dims(R.exp(c))
        e = R.add(d, R.expand_dims(R.flip(y, axis=0), 1))
        f = R.permute_dims(R.exp(R.flip(e, axis=0)))
        return R.permute_dims(f)
# OUT:
# result: (7, 64) float32
# [[   0.796548     2.50776    0.768608 ...    0.422594    0.610684    0.499603]
#  [    4.85342     13.0851         inf ...         inf     24.1958     28.4002]
#  [    6.04927     2.68863     20.0924 ...     452174.     2.96644     2.59197]
#  ...
#  [   0.747637     1.01227    0.754593 ...    0.531963    0.940789 8.13232e+07]
#  [6.12519e+07     4.57112     2.74247 ...     3.59358     2.96041     8.24213]
#  [    15.6991 4.44157e+09         inf ...    0.384617 3.56388e+10     6.73899]]
# min 0.280064, max inf, mean inf
# {"inplace": 0, "copies": 0, "copied_bytes": 0, "fresh": 0, "views": 1, "elided": 0, "arena_bytes": 1856, "lower_bound_bytes": 1856, "unplanned_bytes": 1884, "stack_bytes": 0, "allocations": 3, "threads": 1, "compile_ms": 0, "run_ms": 0}
