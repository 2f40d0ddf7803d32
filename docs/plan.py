# A transformer layer over 64 rows, of which docs/plan.svg shows the memory: `inlay plan docs/plan.py -p unscheduled --svg=docs/plan.svg`.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((64, 128), "float32"), wq: R.Tensor((128, 128), "float32"), wk: R.Tensor((128, 128), "float32"), wv: R.Tensor((128, 128), "float32"),
             wo: R.Tensor((128, 128), "float32"), w1: R.Tensor((128, 512), "float32"), w2: R.Tensor((512, 128), "float32"), head: R.Tensor((128, 32), "float32")):
        with R.dataflow():
            q = R.matmul(x, wq)
            k = R.matmul(x, wk)
            v = R.matmul(x, wv)
            kt = R.permute_dims(k)
            scores = R.matmul(q, kt)
            weights = R.nn.softmax(scores)
            mixed = R.matmul(weights, v)
            attention = R.matmul(mixed, wo)
            inner = R.add(x, attention)
            wide = R.matmul(inner, w1)
            gate = R.nn.softmax(wide)
            narrow = R.matmul(gate, w2)
            outer = R.add(inner, narrow)
            logits = R.matmul(outer, head)
            R.output(logits)
        return logits
