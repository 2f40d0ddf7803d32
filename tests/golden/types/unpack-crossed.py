# FAIL: check
# Results that are named the other way round than what gives them: told where they do not fit, before other help.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def gather(x: T.Buffer((4, 2), "float32"), sums: T.Buffer((4, 2), "float32"), counts: T.Buffer((4,), "float32")):
        for i in range(4):
            counts[i] = x[i, 0]
            for j in range(2):
                sums[i, j] = x[i, j]

    @R.function
    def operands(x: R.Tensor((4, 2), "float32")):
        cls = Module
        stats = R.call_tir(cls.gather, (x,), out_ty=[R.Tensor((4, 2), "float32"), R.Tensor((4,), "float32")])
        counts, sums = stats
        mean = R.divide(sums, R.expand_dims(counts, axis=[1]))
        return mean
# OUT:
# error[E0603]: `R.divide`: `x1` of shape (4,) and `x2` of shape (4, 1, 2) do not broadcast
#   --> unpack-crossed.py:20:16
#    |
# 19 |         counts, sums = stats
#    |                 ---- shape (4,)
# 20 |         mean = R.divide(sums, R.expand_dims(counts, axis=[1]))
#    |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |                               |
#    |                               shape (4, 1, 2)
#    |
#    = note: from the last dimension on, each two must be equal, or one of them 1
# help: `gather` gives them the other way round
#    |
# 19 |         sums, counts = stats
#    |         ~~~~~~~~~~~
#
