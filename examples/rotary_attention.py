# Attention with rotary position embedding: one output in place, one fresh.
#
# `inplace_indices=[0, -1]`: the kernel rotates the query where it lies (first output) and writes the scores
# into storage of their own (second output). Numbers around a query never copy it: nobody reads it unrotated.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def rotate_and_score(
        q: T.Buffer((4, 8), "float32"),
        k: T.Buffer((6, 8), "float32"),
        cosine: T.Buffer((4, 4), "float32"),
        sine: T.Buffer((4, 4), "float32"),
        score: T.Buffer((4, 6), "float32"),
    ):
        for i, j in T.grid(4, 4):
            with T.sblock("rotate"):
                v_i, v_j = T.axis.remap("SS", [i, j])
                T.reads(q[v_i, v_j], q[v_i, v_j + 4], cosine[v_i, v_j], sine[v_i, v_j])
                T.writes(q[v_i, v_j], q[v_i, v_j + 4])
                left: T.let[T.float32] = q[v_i, v_j]
                right: T.let[T.float32] = q[v_i, v_j + 4]
                q[v_i, v_j] = left * cosine[v_i, v_j] - right * sine[v_i, v_j]
                q[v_i, v_j + 4] = left * sine[v_i, v_j] + right * cosine[v_i, v_j]
        for i, j, d in T.grid(4, 6, 8):
            with T.sblock("score"):
                v_i, v_j, v_d = T.axis.remap("SSR", [i, j, d])
                with T.init():
                    score[v_i, v_j] = T.float32(0)
                score[v_i, v_j] = score[v_i, v_j] + q[v_i, v_d] * k[v_j, v_d]

    @R.function
    def main(
        x: R.Tensor((4, 8), "float32"),
        w: R.Tensor((8, 8), "float32"),
        k: R.Tensor((6, 8), "float32"),
        v: R.Tensor((6, 8), "float32"),
        cosine: R.Tensor((4, 4), "float32"),
        sine: R.Tensor((4, 4), "float32"),
    ) -> R.Tuple(R.Tensor((4, 8), "float32"), R.Tensor((4, 8), "float32")):
        cls = Module
        with R.dataflow():
            q = R.matmul(x, w)
            pair = R.call_tir_inplace(cls.rotate_and_score, (q, k, cosine, sine), out_ty=[R.Tensor((4, 8), "float32"), R.Tensor((4, 6), "float32")], inplace_indices=[0, -1])
            rotated = pair[0]
            score = pair[1]
            weight = R.nn.softmax(R.multiply(score, R.const(0.35355338, "float32")), axis=-1)
            out = R.matmul(weight, v)
            R.output(rotated, out)
        return (rotated, out)
