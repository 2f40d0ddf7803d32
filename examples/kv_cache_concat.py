# One decoding step as exporters write it: each cache is the old one with a row joined to it.
#
# The caches are donated, and their storage has room for 4096 rows (relax.capacity). So the joins move
# nothing: what makes the new keys and values writes them behind the old ones, and the results are the
# caches, one row longer, where they were.  Rows stand outermost, (n, heads, 8): joined along an inner
# axis every head would have to be moved.
#
#   inlay run examples/kv_cache_concat.py --dim n=1000 --stats
#   inlay why examples/kv_cache_concat.py
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor((1, 32), "float32"),
        wq: R.Tensor((32, 32), "float32"),
        wk: R.Tensor((32, 32), "float32"),
        wv: R.Tensor((32, 32), "float32"),
        past_k: R.Tensor(("n", 4, 8), "float32"),
        past_v: R.Tensor(("n", 4, 8), "float32"),
    ):
        n = T.int64()
        R.func_attr({"relax.inplace_arg": [4, 5], "relax.capacity": {"past_k": 4096, "past_v": 4096}})
        with R.dataflow():
            new_k = R.reshape(R.matmul(x, wk), (1, 4, 8))
            new_v = R.reshape(R.matmul(x, wv), (1, 4, 8))
            k = R.concat((past_k, new_k), axis=0)
            v = R.concat((past_v, new_v), axis=0)
            q = R.reshape(R.matmul(x, wq), (4, 1, 8))
            score = R.matmul(q, R.permute_dims(k, [1, 2, 0]))
            weight = R.nn.softmax(R.multiply(score, R.const(0.35355338, "float32")), axis=-1)
            out = R.reshape(R.matmul(weight, R.permute_dims(v, [1, 0, 2])), (1, 32))
            R.output(out, k, v)
        return (out, k, v)
