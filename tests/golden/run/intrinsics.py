# RUN: run --in x=4xf32=0.5,-1.5,2.5,100 --in n=4xi32=1,-8,31,32
# Functions that have exact results.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def floats(x: T.Buffer((4,), "float32"), y: T.Buffer((10, 4), "float32")):
        for i in range(4):
            y[0, i] = T.floor(x[i])
            y[1, i] = T.ceil(x[i])
            y[2, i] = T.trunc(x[i])
            y[3, i] = T.round(x[i])
            y[4, i] = T.abs(x[i])
            y[5, i] = T.sqrt(x[i] * x[i])
            y[6, i] = T.fma(x[i], T.float32(2), T.float32(1))
            y[7, i] = T.copysign(T.float32(3), x[i])
            y[8, i] = T.ldexp(x[i], 2)
            y[9, i] = T.Cast("float32", T.reinterpret("int32", T.float32(1)) // 8388608)

    @T.prim_func(private=True, s_tir=True)
    def integers(n: T.Buffer((4,), "int32"), y: T.Buffer((8, 4), "int32")):
        for i in range(4):
            y[0, i] = T.shift_left(1, n[i])
            y[1, i] = T.shift_right(-64, n[i])
            y[2, i] = T.bitwise_and(n[i], 33)
            y[3, i] = T.bitwise_xor(n[i], 1)
            y[4, i] = T.bitwise_not(n[i])
            y[5, i] = T.popcount(n[i])
            y[6, i] = T.clz(n[i])
            y[7, i] = T.abs(n[i])

    @R.function
    def main(x: R.Tensor((4,), "float32"), n: R.Tensor((4,), "int32")):
        cls = Module
        a = R.call_tir(cls.floats, (x,), out_ty=R.Tensor((10, 4), "float32"))
        b = R.call_tir(cls.integers, (n,), out_ty=R.Tensor((8, 4), "int32"))
        return (a, b)
# OUT:
# result.0: (10, 4) float32
# [[  0.  -2.   2. 100.]
#  [  1.  -1.   3. 100.]
#  [  0.  -1.   2. 100.]
#  [  0.  -2.   2. 100.]
#  [ 0.5  1.5  2.5 100.]
#  [ 0.5  1.5  2.5 100.]
#  [  2.  -2.   6. 201.]
#  [  3.  -3.   3.   3.]
#  [  2.  -6.  10. 400.]
#  [127. 127. 127. 127.]]
# result.1: (8, 4) int32
# [[          2           0 -2147483648           0]
#  [        -32          -1          -1          -1]
#  [          1          32           1          32]
#  [          0          -7          30          33]
#  [         -2           7         -32         -33]
#  [          1          29           5           1]
#  [         31           0          27          26]
#  [          1           8          31          32]]
