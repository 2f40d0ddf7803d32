# RUN: run --check --in x=zeros
# What a condition, a break, or no round of a loop leaves out may not be made when the program is compiled.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def chosen(x: T.Buffer((1024,), "float32"), w: T.Buffer((1024,), "float32"), y: T.Buffer((1024,), "float32")):
        made = T.alloc_buffer((1024,), "float32")
        for i in range(1024):
            made[i] = T.float32(2)
        if x[0] > T.float32(0):
            for i in range(1024):
                made[i] = w[i]
        for i in range(1024):
            y[1023 - i] = made[i] + made[1023 - i]

    @T.prim_func(private=True)
    def counted(x: T.Buffer((1024,), "float32"), w: T.Buffer((1024,), "float32"), y: T.Buffer((1024,), "float32")):
        made = T.alloc_buffer((1024,), "float32")
        for i in range(1024):
            made[i] = T.float32(2)
        for o in range(T.Cast("int32", x[1])):
            for i in range(1024):
                made[i] = w[i]
        for i in range(1024):
            y[1023 - i] = made[i] + made[1023 - i]

    @T.prim_func(private=True)
    def ended(x: T.Buffer((1024,), "float32"), w: T.Buffer((1024,), "float32"), y: T.Buffer((1024,), "float32")):
        made = T.alloc_buffer((1024,), "float32")
        for i in range(1024):
            made[i] = T.float32(2)
        for o in range(2):
            if x[2] < T.float32(1):
                break
            for i in range(1024):
                made[i] = w[i]
        for i in range(1024):
            y[1023 - i] = made[i] + made[1023 - i]

    @T.prim_func(private=True)
    def always(x: T.Buffer((1024,), "float32"), w: T.Buffer((1024,), "float32"), y: T.Buffer((1024,), "float32")):
        made = T.alloc_buffer((1024,), "float32")
        for i in range(1024):
            made[i] = w[i]
        for i in range(1024):
            y[1023 - i] = made[i] + made[1023 - i]

    @R.function
    def main(x: R.Tensor((1024,), "float32")):
        cls = Module
        w = R.arange(0, 1024, 1, "float32")
        a = R.call_tir(cls.chosen, (x, w), out_ty=R.Tensor((1024,), "float32"))
        b = R.call_tir(cls.counted, (x, w), out_ty=R.Tensor((1024,), "float32"))
        c = R.call_tir(cls.ended, (x, w), out_ty=R.Tensor((1024,), "float32"))
        d = R.call_tir(cls.always, (x, w), out_ty=R.Tensor((1024,), "float32"))
        return a, b, c, d
# OUT:
# result.0: (1024,) float32
# [4. 4. 4. ... 4. 4. 4.]
# min 4, max 4, mean 4
# result.1: (1024,) float32
# [4. 4. 4. ... 4. 4. 4.]
# min 4, max 4, mean 4
# result.2: (1024,) float32
# [4. 4. 4. ... 4. 4. 4.]
# min 4, max 4, mean 4
# result.3: (1024,) float32
# [1023. 1023. 1023. ... 1023. 1023. 1023.]
# min 1023, max 1023, mean 1023
