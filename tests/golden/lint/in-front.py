# FAIL: check
# A warning that a later error follows from stands in front of it; one behind the error does not.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def mask(x: T.Buffer(("s", "t"), "float32")):
        s, t = T.int64(), T.int64()
        for i, j in T.grid(s, t):
            x[i, j] = x[i, j] * T.float32(2)

    @R.function
    def main(q: R.Tensor(("s", 8), "float32"), k: R.Tensor(("t", 8), "float32")):
        s, t = T.int64(), T.int64()
        raw = R.matmul(q, R.permute_dims(k, axes=[0, 1]))
        score = R.call_tir_inplace(Module.mask, (raw,), out_ty=R.Tensor((s, t), "float32"), inplace_indices=[0])
        lost = R.matmul(q, k)
        return (score, lost)
# OUT:
# warning[E0614]: `R.matmul`: dimension 1 of `x1` is 8, and dimension 0 of `x2` is t, which nothing says to be equal
#   --> in-front.py:17:15
#    |
# 17 |         raw = R.matmul(q, R.permute_dims(k, axes=[0, 1]))
#    |               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: code is made only for dimensions that are known to be equal
#    = help: let them be one symbol, or check it when the program runs: `R.match_cast(..)`
# help: `x2` fits for all sizes with its last two axes in the other order
#    |
# 17 |         raw = R.matmul(q, R.permute_dims(k, axes=[1, 0]))
#    |                                                   ~~~~
#
# error[E0306]: output 0 takes the place of argument 0, but is R.Tensor((s, t), dtype="float32"), and the argument is R.Tensor((s, 8), dtype="float32")
#   --> in-front.py:18:64
#    |
# 18 |         score = R.call_tir_inplace(Module.mask, (raw,), out_ty=R.Tensor((s, t), "float32"), inplace_indices=[0])
#    |                                                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: an output in place is the argument's storage with new numbers
#    = help: if they are the same, check it when the program runs: `R.match_cast(.., R.Tensor((s, t), dtype="float32"))`
#
