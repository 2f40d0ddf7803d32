# RUN: run --stats=json --threads=1 --in c=bool=1
# The keys of --stats with a plan: arena_bytes is the piece, lower_bound_bytes what lived at once in it, unplanned_bytes
# all values side by side; what one branch takes does not count when the other runs.
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
            t = R.permute_dims(R.add(s, x))
            u = R.permute_dims(R.add(t, b))
            r = R.add(R.add(R.permute_dims(u), s), t)
        v = R.permute_dims(R.add(r, b))
        return R.permute_dims(R.exp(v))
# OUT:
# result: (64, 64) float32
# [[ 11.2223  40.8765  100.287 ...  6.19779  56.2214   3.4359]
#  [ 36.5802  2.33445  1.54955 ...  1.26707  1.67892  10.9168]
#  [ 8.40164   1.6116  1.97036 ...   4.0579  4.05483  17.6981]
#  ...
#  [ 87.2672  1.27775  13.8786 ...  2.85989  3.58843   2.5046]
#  [ 99.3292  1.76799  5.48255 ...  2.94054 0.989852  1.94765]
#  [ 2.40083  60.6233  7.05453 ...  2.37224  1.75165  8.00256]]
# min 0.768588, max 622.5, mean 30.8721
# {"inplace": 1, "copies": 0, "copied_bytes": 0, "fresh": 0, "views": 0, "elided": 0, "arena_bytes": 49152, "lower_bound_bytes": 49152, "unplanned_bytes": 49152, "stack_bytes": 32768, "allocations": 0, "threads": 1, "compile_ms": 0, "run_ms": 0}
