# RUN: check
# An update that nothing reads: the read behind it where the new value is known, and not in the other branch.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def fill(a: T.Buffer((8,), "float32")):
        for i in range(8):
            a[i] = T.float32(1)

    @R.function
    def branch(c: R.Tensor((), "bool"), x: R.Tensor((8,), "float32")):
        w = R.exp(x)
        if c:
            filled = R.call_tir_inplace(Module.fill, (w,), out_ty=R.Tensor((8,), "float32"), inplace_indices=[0])
            r = R.abs(w)
        else:
            r = R.sin(w)
        return r

    @R.function
    def other_branch(c: R.Tensor((), "bool"), x: R.Tensor((8,), "float32")):
        w = R.exp(x)
        if c:
            filled = R.call_tir_inplace(Module.fill, (w,), out_ty=R.Tensor((8,), "float32"), inplace_indices=[0])
            r = R.abs(x)
        else:
            r = R.sin(w)
        return r

    @R.function
    def sum(x: R.Tensor((8,), "float32"), total: R.Tensor((8,), "float32")):
        score = R.add(total, x)
        r = R.exp(total)
        return r
# OUT:
# warning[E0574]: `filled` is computed and never read
#   --> unread-branch.py:17:13
#    |
# 17 |             filled = R.call_tir_inplace(Module.fill, (w,), out_ty=R.Tensor((8,), "float32"), inplace_indices=[0])
#    |             ^^^^^^
# 18 |             r = R.abs(w)
#    |                       - `w` of before the update is read here
#    |
# help: if the new numbers are meant there, read `filled`
#    |
# 18 |             r = R.abs(filled)
#    |                       ~~~~~~
# help: remove it, if it is not needed
#    |
# 17 |             filled = R.call_tir_inplace(Module.fill, (w,), out_ty=R.Tensor((8,), "float32"), inplace_indices=[0])
#    | -----------------------------------------------------------------------------------------------------------------
# help: call it `_filled`, if that is meant
#    |
# 17 |             _filled = R.call_tir_inplace(Module.fill, (w,), out_ty=R.Tensor((8,), "float32"), inplace_indices=[0])
#    |             +
#
# warning[E0574]: `filled` is computed and never read
#   --> unread-branch.py:27:13
#    |
# 27 |             filled = R.call_tir_inplace(Module.fill, (w,), out_ty=R.Tensor((8,), "float32"), inplace_indices=[0])
#    |             ^^^^^^
#    |
# help: remove it, if it is not needed
#    |
# 27 |             filled = R.call_tir_inplace(Module.fill, (w,), out_ty=R.Tensor((8,), "float32"), inplace_indices=[0])
#    | -----------------------------------------------------------------------------------------------------------------
# help: call it `_filled`, if that is meant
#    |
# 27 |             _filled = R.call_tir_inplace(Module.fill, (w,), out_ty=R.Tensor((8,), "float32"), inplace_indices=[0])
#    |             +
#
# warning[E0574]: `score` is computed and never read
#   --> unread-branch.py:35:9
#    |
# 35 |         score = R.add(total, x)
#    |         ^^^^^
# 36 |         r = R.exp(total)
#    |                   ----- `total`, which it is made of, is read here
#    |
# help: if the new numbers are meant there, read `score`
#    |
# 36 |         r = R.exp(score)
#    |                   ~~~~~
# help: remove it, if it is not needed
#    |
# 35 |         score = R.add(total, x)
#    | -------------------------------
# help: call it `_score`, if that is meant
#    |
# 35 |         _score = R.add(total, x)
#    |         +
#
