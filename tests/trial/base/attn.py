from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

HEADS = 4
GROUPS = 2
DIM = 8


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def scores(q: T.Buffer((HEADS, "s", DIM), "float32"), k: T.Buffer((GROUPS, "s", DIM), "float32"), mask: T.Buffer(("s",), "bool"), out: T.Buffer((HEADS, "s", "s"), "float32")):
        s = T.int64()
        for h, i, j, d in T.grid(HEADS, s, s, DIM):
            with T.sblock("dot"):
                vh, vi, vj, vd = T.axis.remap("SSSR", [h, i, j, d])
                with T.init():
                    out[vh, vi, vj] = T.float32(0)
                out[vh, vi, vj] = out[vh, vi, vj] + q[vh, vi, vd] * k[vh // (HEADS // GROUPS), vj, vd]
        for h, i, j in T.grid(HEADS, s, s):
            with T.sblock("mask"):
                vh, vi, vj = T.axis.remap("SSS", [h, i, j])
                out[vh, vi, vj] = T.if_then_else(vj <= vi and mask[vj], out[vh, vi, vj] * T.float32(0.35355339), T.float32(-1e9))

    @R.function
    def main(
        x: R.Tensor(("s", 16), "float32"),
        wq: R.Tensor((16, HEADS * DIM), "float32"),
        wk: R.Tensor((16, GROUPS * DIM), "float32"),
        wv: R.Tensor((16, GROUPS * DIM), "float32"),
        wo: R.Tensor((HEADS * DIM, 16), "float32"),
        mask: R.Tensor(("s",), "bool"),
    ) -> R.Tensor(("s", 16), "float32"):
        s = T.int64()
        cls = Module
        with R.dataflow():
            q = R.permute_dims(R.reshape(R.matmul(x, wq), (s, HEADS, DIM)), axes=[1, 0, 2])
            k = R.permute_dims(R.reshape(R.matmul(x, wk), (s, GROUPS, DIM)), axes=[1, 0, 2])
            v = R.permute_dims(R.reshape(R.matmul(x, wv), (s, GROUPS, DIM)), axes=[1, 0, 2])
            weights = R.call_tir(cls.scores, (q, k, mask), out_ty=R.Tensor((HEADS, s, s), "float32"))
            probs = R.nn.softmax(weights, axis=-1)
            spread = R.repeat(v, repeats=HEADS // GROUPS, axis=0)
            mixed = R.matmul(probs, spread)
            joined = R.reshape(R.permute_dims(mixed, axes=[1, 0, 2]), (s, HEADS * DIM))
            projected = R.matmul(joined, wo)
            out = R.add(projected, x)
            R.output(out)
        return out
