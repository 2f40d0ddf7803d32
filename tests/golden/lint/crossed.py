# RUN: check
# Arguments and results whose names stand in each other's place; tensors that take turns are none.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def clamp(x: T.Buffer((8,), "float32"), lo: T.Buffer((8,), "float32"), hi: T.Buffer((8,), "float32"), y: T.Buffer((8,), "float32")):
        for i in range(8):
            y[i] = T.max(lo[i], T.min(hi[i], x[i]))

    @T.prim_func(private=True)
    def split(x: T.Buffer((8,), "float32"), left: T.Buffer((8,), "float32"), right: T.Buffer((8,), "float32")):
        for i in range(8):
            left[i] = x[i]
            right[i] = T.float32(0)

    @T.prim_func(private=True)
    def turn(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")):
        for i in range(8):
            b[i] = a[i]

    @R.function
    def arguments(x: R.Tensor((8,), "float32"), lo: R.Tensor((8,), "float32"), hi: R.Tensor((8,), "float32")):
        y = R.call_tir(Module.clamp, (x, hi, lo), out_ty=R.Tensor((8,), "float32"))
        return y

    @R.function
    def results(x: R.Tensor((8,), "float32")):
        parts = R.call_tir(Module.split, (x,), out_ty=[R.Tensor((8,), "float32"), R.Tensor((8,), "float32")])
        new_right, new_left = parts
        return (new_left, new_right)

    @R.function
    def meant(x: R.Tensor((8,), "float32"), lo: R.Tensor((8,), "float32"), hi: R.Tensor((8,), "float32")):
        y = R.call_tir(Module.clamp, (x, hi, lo), out_ty=R.Tensor((8,), "float32"))  # inlay: allow(E0517)
        z = R.call_tir(Module.clamp, (hi, y, lo), out_ty=R.Tensor((8,), "float32"))
        return (y, z)

    @R.function
    def turns(a: R.Tensor((8,), "float32"), b: R.Tensor((8,), "float32"), n: T.int64):
        R.func_attr({"relax.inplace_arg": [0, 1]})
        if n > 0:
            pair = R.call_tir_inplace(Module.turn, (a, b), out_ty=[R.Tensor((8,), "float32"), R.Tensor((8,), "float32")], inplace_indices=[1, 0])
            b, a = pair
            r: R.Tensor((8,), "float32") = Module.turns(b, a, n - 1)
        else:
            r = a
        return r
# OUT:
# warning[E0517]: `hi` and `lo` are the arguments of `clamp` the other way round
#   --> crossed.py:26:42
#    |
# 26 |         y = R.call_tir(Module.clamp, (x, hi, lo), out_ty=R.Tensor((8,), "float32"))
#    |                                          ^^  -- and this
#    |
# help: they change places, if that is not meant
#    |
# 26 |         y = R.call_tir(Module.clamp, (x, lo, hi), out_ty=R.Tensor((8,), "float32"))
#    |                                          ~~~~~~
#
# warning[E0517]: `new_right` and `new_left` are results of `split` the other way round
#   --> crossed.py:32:9
#    |
# 32 |         new_right, new_left = parts
#    |         ^^^^^^^^^  -------- and this
#    |
# help: they change places, if that is not meant
#    |
# 32 |         new_left, new_right = parts
#    |             ~~~~~~~~~~~~~~
#
