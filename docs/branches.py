# Three branches side by side and a value that is wanted again at the end: what docs/memory.md shows the order and the limit of.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((64, 64), "float32"), up: R.Tensor((64, 256), "float32"), down: R.Tensor((256, 16), "float32"), back: R.Tensor((48, 64), "float32")):
        with R.dataflow():
            gate = R.exp(x)
            wide0 = R.matmul(x, up)
            wide1 = R.matmul(gate, up)
            wide2 = R.matmul(R.tanh(x), up)
            part0 = R.matmul(wide0, down)
            part1 = R.matmul(wide1, down)
            part2 = R.matmul(wide2, down)
            joined = R.concat([part0, part1, part2], axis=1)
            y = R.matmul(R.matmul(joined, back), gate)
            R.output(y)
        return y
