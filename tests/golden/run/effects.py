# RUN: run --check --in x='4xf32=1 2 3 4'
# A kernel that is called for its effect: what reads `s` in front of the call sees ones, what reads it behind it, also
# through the view `v`, sees 3 and then 7. Nothing that reads `s` may be folded, merged or moved across.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def double(state: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("double"):
                v_i = T.axis.spatial(4, i)
                state[v_i] = state[v_i] * T.float32(2) + T.float32(1)

    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        s = R.ones((4,), dtype="float32")
        v = R.reshape(s, (2, 2))
        before = R.multiply(x, s)
        cls.double(s)
        between = R.multiply(x, s)
        cls.double(s)
        behind = R.multiply(x, s)
        return (before, between, behind, R.permute_dims(v))
# OUT:
# result.0: (4,) float32
# [1. 2. 3. 4.]
# result.1: (4,) float32
# [ 3.  6.  9. 12.]
# result.2: (4,) float32
# [ 7. 14. 21. 28.]
# result.3: (2, 2) float32
# [[7. 7.]
#  [7. 7.]]
