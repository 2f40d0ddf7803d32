# RUN: why --memory
# What makes the peak, who lies where another one lay, what is made in place, and what is too large for what has ended.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((64, 64), "float32"), w: R.Tensor((64, 64), "float32")):
        with R.dataflow():
            a = R.matmul(x, w)
            b = R.matmul(a, w)
            c = R.matmul(b, a)
            d = R.sum(c, axis=1, keepdims=True)
            e = R.matmul(c, w)
            f = R.concat((e, d), axis=1)
            g = R.matmul(w, f)
            R.output(g)
        return g
# OUT:
# remark[E0466]: the plan of `main` holds 33280 bytes at step 9, more than at any other
#   --> plan.py:17:17
#    |
# 17 |             e = R.matmul(c, w)
#    |                 ^^^^^^^^^^^^^^
#    |
#    = note: ME002 no plan of these lives is lower
#
# remark[E0466]: `a` of `main` is held at the peak: 16384 bytes, until step 11
#   --> plan.py:13:17
#    |
# 13 |             a = R.matmul(x, w)
#    |                 ^^^^^^^^^^^^^^
# ...
# 17 |             e = R.matmul(c, w)
#    |                 -------------- needed until here
#    |
#    = note: ME014 `c` is made in its storage, which saves 16384 bytes
#    = note: ME020 no reuse: nothing has ended when it is made
#    = note: ME030 no storage taken over: `w` does not give it its storage: the storage of `w` belongs to the caller of the function
#
# remark[E0466]: `d` of `main` is held at the peak: 256 bytes, until step 13
#   --> plan.py:16:17
#    |
# 16 |             d = R.sum(c, axis=1, keepdims=True)
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# 17 |             e = R.matmul(c, w)
# 18 |             f = R.concat((e, d), axis=1)
#    |                 ------------------------ needed until here
#    |
#    = note: ME022 no reuse: where `b` lay, `e` lies until step 15
#
# remark[E0466]: `e` of `main` is held at the peak: 16640 bytes, until step 15
#   --> plan.py:17:17
#    |
# 17 |             e = R.matmul(c, w)
#    |                 ^^^^^^^^^^^^^^
# ...
# 21 |         return g
#    |         -------- needed until here
#    |
#    = note: ME014 `f` is made in its storage, which saves 16640 bytes
#    = note: ME014 `g` is made in its storage, which saves 16640 bytes
#    = note: ME013 lies where `b` lay, which ended at step 6
#
# remark[E0466]: `b` of `main` holds 16384 bytes until step 6, not at the peak
#   --> plan.py:14:17
#    |
# 14 |             b = R.matmul(a, w)
#    |                 ^^^^^^^^^^^^^^
# 15 |             c = R.matmul(b, a)
#    |                 -------------- needed until here
#    |
#    = note: ME020 no reuse: nothing has ended when it is made
#    = note: ME030 no storage taken over: `w` does not give it its storage: the storage of `w` belongs to the caller of the function
#
