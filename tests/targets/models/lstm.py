# A recurrent network: the loop over steps is in the graph, each reads one row and makes both states anew.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def row(x: T.Buffer((20, 24), "float32"), step: T.int64, out: T.Buffer((1, 24), "float32")):
        for j in range(24):
            with T.sblock("row"):
                v_j = T.axis.spatial(24, j)
                out[0, v_j] = x[step, v_j]

    @R.function(private=True)
    def steps(
        x: R.Tensor((20, 24), "float32"),
        h: R.Tensor((1, 32), "float32"),
        c: R.Tensor((1, 32), "float32"),
        from_x: R.Tensor((24, 128), "float32"),
        from_h: R.Tensor((32, 128), "float32"),
        bias: R.Tensor((128,), "float32"),
        step: R.Prim("int64"),
    ) -> R.Tuple(R.Tensor((1, 32), "float32"), R.Tensor((1, 32), "float32")):
        cls = Module
        if R.prim_value(step < 20):
            now = R.call_tir(cls.row, (x, step), out_ty=R.Tensor((1, 24), "float32"))
            parts = R.split(R.add(R.add(R.matmul(now, from_x), R.matmul(h, from_h)), bias), indices_or_sections=4, axis=1)
            kept = R.multiply(R.sigmoid(parts[1]), c)
            c_new = R.add(kept, R.multiply(R.sigmoid(parts[0]), R.tanh(parts[2])))
            h_new = R.multiply(R.sigmoid(parts[3]), R.tanh(c_new))
            r: R.Tuple(R.Tensor((1, 32), "float32"), R.Tensor((1, 32), "float32")) = cls.steps(
                x, h_new, c_new, from_x, from_h, bias, R.prim_value(step + 1))
        else:
            r = (h, c)
        return r

    @R.function
    def main(
        x: R.Tensor((20, 24), "float32"),
        from_x: R.Tensor((24, 128), "float32"),
        from_h: R.Tensor((32, 128), "float32"),
        bias: R.Tensor((128,), "float32"),
        head: R.Tensor((32, 10), "float32"),
    ) -> R.Tensor((1, 10), "float32"):
        cls = Module
        zero = R.zeros(R.shape([1, 32]), "float32")
        r: R.Tuple(R.Tensor((1, 32), "float32"), R.Tensor((1, 32), "float32")) = cls.steps(x, zero, zero, from_x, from_h, bias, R.prim_value(0))
        y = R.nn.log_softmax(R.matmul(r[0], head), axis=-1)
        return y
