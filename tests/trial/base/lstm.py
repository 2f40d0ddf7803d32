from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def put_step(states: T.Buffer(("n", 4), "float32"), h: T.Buffer((4,), "float32"), t: T.int64):
        n = T.int64()
        for j in range(4):
            with T.sblock("put_step"):
                vj = T.axis.spatial(4, j)
                T.reads(h[vj])
                T.writes(states[t, vj])
                states[t, vj] = h[vj]

    @R.function(private=True)
    def cell(x: R.Tensor((3,), "float32"), h: R.Tensor((4,), "float32"), c: R.Tensor((4,), "float32"), wx: R.Tensor((3, 16), "float32"), wh: R.Tensor((4, 16), "float32"), b: R.Tensor((16,), "float32")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        with R.dataflow():
            gates = R.add(R.add(R.matmul(x, wx), R.matmul(h, wh)), b)
            parts = R.split(gates, 4, axis=0)
            i = R.sigmoid(parts[0])
            f = R.sigmoid(parts[1])
            g = R.tanh(parts[2])
            o = R.sigmoid(parts[3])
            c_new = R.add(R.multiply(f, c), R.multiply(i, g))
            h_new = R.multiply(o, R.tanh(c_new))
            R.output(h_new, c_new)
        return (h_new, c_new)

    @R.function(private=True)
    def steps(xs: R.Tensor(("n", 3), "float32"), states: R.Tensor(("n", 4), "float32"), h: R.Tensor((4,), "float32"), c: R.Tensor((4,), "float32"), wx: R.Tensor((3, 16), "float32"), wh: R.Tensor((4, 16), "float32"), b: R.Tensor((16,), "float32"), t: T.int64) -> R.Tensor(("n", 4), "float32"):
        R.func_attr({"relax.inplace_arg": [1]})
        n = T.int64()
        cls = Module
        if R.prim_value(t < n):
            x = R.take(xs, R.prim_value(t), axis=0)
            both = cls.cell(x, h, c, wx, wh, b)
            filled = R.call_tir_inplace(cls.put_step, (states, both[0], R.prim_value(t)), out_ty=R.Tensor((n, 4), "float32"), inplace_indices=[0])
            result: R.Tensor((n, 4), "float32") = cls.steps(xs, filled, both[0], both[1], wx, wh, b, R.prim_value(t + 1))
        else:
            result = states
        return result

    @R.function
    def main(xs: R.Tensor(("n", 3), "float32"), wx: R.Tensor((3, 16), "float32"), wh: R.Tensor((4, 16), "float32"), b: R.Tensor((16,), "float32")) -> R.Tensor(("n", 4), "float32"):
        n = T.int64()
        cls = Module
        states = R.zeros((n, 4), "float32")
        h = R.zeros((4,), "float32")
        c = R.zeros((4,), "float32")
        out = cls.steps(xs, states, h, c, wx, wh, b, R.prim_value(0))
        return out
