from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

ROWS = 6
COLS = 16
GROUP = 8


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def unpack(packed: T.Buffer((ROWS, COLS // 2), "uint8"), scales: T.Buffer((ROWS, COLS // GROUP), "float32"), weight: T.Buffer((ROWS, COLS), "float32")):
        for r, c in T.grid(ROWS, COLS):
            with T.sblock("unpack"):
                vr, vc = T.axis.remap("SS", [r, c])
                shift: T.let[T.uint8] = T.Cast("uint8", vc % 2 * 4)
                nibble: T.let[T.int32] = T.Cast("int32", packed[vr, vc // 2] >> shift & T.uint8(15))
                weight[vr, vc] = T.Cast("float32", nibble - 8) * scales[vr, vc // GROUP]

    @T.prim_func(private=True, s_tir=True)
    def product(x: T.Buffer(("n", COLS), "float32"), weight: T.Buffer((ROWS, COLS), "float32"), y: T.Buffer(("n", ROWS), "float32")):
        n = T.int64()
        for i, r, k in T.grid(n, ROWS, COLS):
            with T.sblock("product"):
                vi = T.axis.spatial(n, i)
                vr = T.axis.spatial(ROWS, r)
                vk = T.axis.reduce(COLS, k)
                T.reads(x[vi, vk], weight[vr, vk])
                T.writes(y[vi, vr])
                with T.init():
                    y[vi, vr] = T.float32(0)
                y[vi, vr] = y[vi, vr] + x[vi, vk] * weight[vr, vk]

    @R.function
    def main(x: R.Tensor(("n", COLS), "float32"), packed: R.Tensor((ROWS, COLS // 2), "uint8"), scales: R.Tensor((ROWS, COLS // GROUP), "float32"), bias: R.Tensor((ROWS,), "float32")) -> R.Tensor(("n", ROWS), "float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            weight = R.call_tir(cls.unpack, (packed, scales), out_ty=R.Tensor((ROWS, COLS), "float32"))
            y = R.call_tir(cls.product, (x, weight), out_ty=R.Tensor((n, ROWS), "float32"))
            shifted = y + bias
            out = R.nn.silu(shifted)
            R.output(out)
        return out
