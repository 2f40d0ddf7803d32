# RUN: run --check --in x=iota
# Each let reads the one before twice: bounds are proved of each, not of a tree of all that doubles 40 times.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def k(x: T.Buffer((64,), "float32"), o: T.Buffer((8,), "float32")):
        for i in range(8):
            a0: T.let[T.int32] = i % 8
            a1: T.let[T.int32] = T.min(a0 + a0 % 3, 63)
            a2: T.let[T.int32] = T.min(a1 + a1 % 3, 63)
            a3: T.let[T.int32] = T.min(a2 + a2 % 3, 63)
            a4: T.let[T.int32] = T.min(a3 + a3 % 3, 63)
            a5: T.let[T.int32] = T.min(a4 + a4 % 3, 63)
            a6: T.let[T.int32] = T.min(a5 + a5 % 3, 63)
            a7: T.let[T.int32] = T.min(a6 + a6 % 3, 63)
            a8: T.let[T.int32] = T.min(a7 + a7 % 3, 63)
            a9: T.let[T.int32] = T.min(a8 + a8 % 3, 63)
            a10: T.let[T.int32] = T.min(a9 + a9 % 3, 63)
            a11: T.let[T.int32] = T.min(a10 + a10 % 3, 63)
            a12: T.let[T.int32] = T.min(a11 + a11 % 3, 63)
            a13: T.let[T.int32] = T.min(a12 + a12 % 3, 63)
            a14: T.let[T.int32] = T.min(a13 + a13 % 3, 63)
            a15: T.let[T.int32] = T.min(a14 + a14 % 3, 63)
            a16: T.let[T.int32] = T.min(a15 + a15 % 3, 63)
            a17: T.let[T.int32] = T.min(a16 + a16 % 3, 63)
            a18: T.let[T.int32] = T.min(a17 + a17 % 3, 63)
            a19: T.let[T.int32] = T.min(a18 + a18 % 3, 63)
            a20: T.let[T.int32] = T.min(a19 + a19 % 3, 63)
            a21: T.let[T.int32] = T.min(a20 + a20 % 3, 63)
            a22: T.let[T.int32] = T.min(a21 + a21 % 3, 63)
            a23: T.let[T.int32] = T.min(a22 + a22 % 3, 63)
            a24: T.let[T.int32] = T.min(a23 + a23 % 3, 63)
            a25: T.let[T.int32] = T.min(a24 + a24 % 3, 63)
            a26: T.let[T.int32] = T.min(a25 + a25 % 3, 63)
            a27: T.let[T.int32] = T.min(a26 + a26 % 3, 63)
            a28: T.let[T.int32] = T.min(a27 + a27 % 3, 63)
            a29: T.let[T.int32] = T.min(a28 + a28 % 3, 63)
            a30: T.let[T.int32] = T.min(a29 + a29 % 3, 63)
            a31: T.let[T.int32] = T.min(a30 + a30 % 3, 63)
            a32: T.let[T.int32] = T.min(a31 + a31 % 3, 63)
            a33: T.let[T.int32] = T.min(a32 + a32 % 3, 63)
            a34: T.let[T.int32] = T.min(a33 + a33 % 3, 63)
            a35: T.let[T.int32] = T.min(a34 + a34 % 3, 63)
            a36: T.let[T.int32] = T.min(a35 + a35 % 3, 63)
            a37: T.let[T.int32] = T.min(a36 + a36 % 3, 63)
            a38: T.let[T.int32] = T.min(a37 + a37 % 3, 63)
            a39: T.let[T.int32] = T.min(a38 + a38 % 3, 63)
            o[i] = x[a39]

    @R.function
    def main(x: R.Tensor((64,), "float32")):
        y = R.call_tir(Module.k, (x,), out_ty=R.Tensor((8,), "float32"))
        return y
# OUT:
# result: (8,) float32
# [ 0. 59. 61.  3. 62. 63.  6. 63.]
