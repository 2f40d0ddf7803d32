# RUN: run --in x=8xf32=1,2,3,4,5,6,7,8
# while, break, continue, return and local scalars in a kernel: the sum of odd elements below 7, and how many steps.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def scan(a: T.Buffer((8,), "float32"), out: T.Buffer((2,), "float32")):
        total: T.float32 = T.float32(0)
        steps: T.int32 = 0
        for i in range(8):
            if i % 2 == 1:
                continue
            if a[i] >= T.float32(7):
                break
            total = total + a[i]
        while steps < 5:
            steps = steps + 1
            if steps == 3:
                break
        out[0] = total
        out[1] = T.Cast("float32", steps)
        if total > T.float32(100):
            return
        out[1] = out[1] + T.float32(0.5)

    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((2,), "float32"):
        cls = Module
        y = R.call_tir(cls.scan, (x,), out_ty=R.Tensor((2,), "float32"))
        return y
# OUT:
# result: (2,) float32
# [ 9. 3.5]
