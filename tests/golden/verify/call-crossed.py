# FAIL: check
# An argument that is the wrong one of two results, which are named the other way round.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def scale(g: T.Buffer((4, 2), "float32"), y: T.Buffer((4, 2), "float32")):
        for i, j in T.grid(4, 2):
            y[i, j] = g[i, j] * T.float32(2)

    @R.function(private=True)
    def gradient(x: R.Tensor((4, 2), "float32")) -> R.Tuple(R.Tensor((), "float32"), R.Tensor((4, 2), "float32")):
        loss = R.sum(x)
        g = R.exp(x)
        return (loss, g)

    @R.function
    def argument(x: R.Tensor((4, 2), "float32")):
        cls = Module
        g, loss = cls.gradient(x)
        y = R.call_tir(cls.scale, (g,), out_ty=R.Tensor((4, 2), "float32"))
        return (y, loss)
# OUT:
# error[E0513]: argument 1 of `scale` is R.Tensor((), dtype="float32"), but parameter `g` is T.Buffer((4, 2), "float32")
#   --> call-crossed.py:23:36
#    |
#  9 |     def scale(g: T.Buffer((4, 2), "float32"), y: T.Buffer((4, 2), "float32")):
#    |               - the parameter
# ...
# 23 |         y = R.call_tir(cls.scale, (g,), out_ty=R.Tensor((4, 2), "float32"))
#    |                                    ^
#    |
# help: `gradient` gives them the other way round
#    |
# 22 |         loss, g = cls.gradient(x)
#    |         ~~~~~~~
#
