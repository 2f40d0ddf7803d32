# FAIL: run --in past_k=3x4:iota --in past_v=4x4:iota --in x=1x4:iota
# There is no room for one more value, which is found before a key is written.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 4), "float32"), past_k: R.Tensor(("n", 4), "float32"), past_v: R.Tensor(("m", 4), "float32")):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.inplace_arg": [1, 2], "relax.capacity": {"past_k": 4, "past_v": 4}})
        with R.dataflow():
            k = R.concat((past_k, x), axis=0)
            v = R.concat((past_v, x), axis=0)
            R.output(k, v)
        return (k, v)

# OUT:
# error[E0801]: the storage of `past_v`, which is 4 long, has room for 4 (relax.capacity): 80 bytes do not fit into 64
#   --> append-full.py:17:13
#    |
# 17 |             v = R.concat((past_v, x), axis=0)
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
