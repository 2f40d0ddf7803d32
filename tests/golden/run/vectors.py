# RUN: run --in x=8xf32=1,2,3,4,5,6,7,8
# Ramps, broadcasts and shuffles; a vector store reads all lanes before it writes one.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def vectors(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")):
        for i in range(2):
            b[T.Ramp(i * 4, 1, 4)] = a[T.Ramp(i * 4, 1, 4)] * T.Broadcast(T.float32(2), 4)
        b[T.Ramp(1, 1, 3)] = b[T.Ramp(0, 1, 3)]
        b[4:8] = T.Shuffle([a[0:4]], [3, 2, 1, 0])

    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        cls = Module
        y = R.call_tir(cls.vectors, (x,), out_ty=R.Tensor((8,), "float32"))
        return y
# OUT:
# result: (8,) float32
# [2. 2. 4. 6. 4. 3. 2. 1.]
