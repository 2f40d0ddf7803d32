# Loops that run on a host's threads: one without scratch, one whose indices may be wrong, a product that packs.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def square(x: T.Buffer((1000, 64), "float32"), y: T.Buffer((1000, 64), "float32")):
        for i in T.parallel(1000):
            for j in range(64):
                y[i, j] = x[i, j] * x[i, j] + T.float32(0.5)

    @T.prim_func(private=True)
    def pick(x: T.Buffer((1000,), "float32"), indices: T.Buffer((1000,), "int64"), y: T.Buffer((1000,), "float32")):
        for i in T.parallel(1000):
            y[i] = x[indices[i]]

    @T.prim_func(private=True)
    def sums(x: T.Buffer((1000, 64), "float32"), y: T.Buffer((1000,), "float32")):
        for i in T.parallel(1000):
            row = T.alloc_buffer((4096,), "float32")
            for j in range(4096):
                row[j] = x[i, j % 64] * T.cast(j, "float32")
            y[i] = T.float32(0)
            for j in range(4096):
                y[i] = y[i] + row[4095 - j]

    @R.function
    def squares(x: R.Tensor((1000, 64), "float32")) -> R.Tensor((1000, 64), "float32"):
        cls = Module
        y = R.call_tir(cls.square, (x,), out_ty=R.Tensor((1000, 64), "float32"))
        return y

    @R.function
    def picked(x: R.Tensor((1000,), "float32"), indices: R.Tensor((1000,), "int64")) -> R.Tensor((1000,), "float32"):
        cls = Module
        y = R.call_tir(cls.pick, (x, indices), out_ty=R.Tensor((1000,), "float32"))
        return y

    @R.function
    def summed(x: R.Tensor((1000, 64), "float32")) -> R.Tensor((1000,), "float32"):
        cls = Module
        y = R.call_tir(cls.sums, (x,), out_ty=R.Tensor((1000,), "float32"))
        return y
