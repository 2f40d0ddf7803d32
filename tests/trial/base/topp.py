from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

BATCH = 3
VOCAB = 8


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def keep_top(probs: T.Buffer((BATCH, VOCAB), "float32"), before: T.Buffer((BATCH, VOCAB), "float32"), limit: T.Buffer((BATCH,), "float32"), kept: T.Buffer((BATCH, VOCAB), "float32")):
        for b, v in T.grid(BATCH, VOCAB):
            with T.sblock("keep"):
                vb, vv = T.axis.remap("SS", [b, v])
                T.reads(probs[vb, vv], before[vb, vv], limit[vb])
                T.writes(kept[vb, vv])
                kept[vb, vv] = T.if_then_else(before[vb, vv] < limit[vb], probs[vb, vv], T.float32(0))

    @R.function
    def main(
        logits: R.Tensor((BATCH, VOCAB), "float32"),
        temperature: R.Tensor((BATCH, 1), "float32"),
        top_p: R.Tensor((BATCH,), "float32"),
        uniform: R.Tensor((BATCH, 1), "float32"),
        rows: R.Tensor((BATCH, 1), "int64"),
    ) -> R.Tuple(R.Tensor((BATCH, 1), "int32"), R.Tensor((BATCH, VOCAB), "float32")):
        cls = Module
        with R.dataflow():
            scaled = R.divide(logits, temperature)
            probs = R.nn.softmax(scaled, axis=-1)
            best = R.topk(probs, k=VOCAB, axis=-1, ret_type="both", largest=True, dtype="int32")
            ranked = best[0]
            order = best[1]
            before = R.cumsum(ranked, axis=1, exclusive=True)
            kept = R.call_tir(cls.keep_top, (ranked, before, top_p), out_ty=R.Tensor((BATCH, VOCAB), "float32"))
            total = R.sum(kept, axis=[1], keepdims=True)
            final = R.divide(kept, total)
            place = R.multinomial_from_uniform(final, uniform, rows, dtype="int64")
            token = R.gather_elements(order, place, axis=1)
            R.output(token, final)
        return (token, final)
