# RUN: why --all -p LegalizeOps,ViewCalls,ResolveInplace
# Which results of kernels share storage with an operand, and what stands against the others.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((8, 4), "float32"), w: R.Tensor((4, 4), "float32")):
        h = R.matmul(x, w)
        last = R.strided_slice(h, axes=[0], begin=[7], end=[8])
        g = R.matmul(x, w)
        half = R.strided_slice(g, axes=[0], begin=[4], end=[8])
        k = R.matmul(x, w)
        early = R.strided_slice(k, axes=[0], begin=[0], end=[1])
        a = R.matmul(early, w)
        b = R.matmul(k, w)
        c = R.matmul(last, w)
        d = R.matmul(half, w)
        row = R.strided_slice(x, axes=[0], begin=[0], end=[1])
        return (a, b, c, d, row)
# OUT:
# remark[E0394]: `last` gets storage of its own: a view would keep more storage than the copy takes
#   --> view-calls.py:12:16
#    |
# 12 |         last = R.strided_slice(h, axes=[0], begin=[7], end=[8])
#    |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP018 in `main`: output 0 of argument 0, 16 bytes
#
# remark[E0394]: `row` gets storage of its own: it is part of the function's result, and `x` belongs to the caller
#   --> view-calls.py:21:15
#    |
# 21 |         row = R.strided_slice(x, axes=[0], begin=[0], end=[1])
#    |               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP003 in `main`: output 0 of argument 0, 16 bytes
#
# remark[E0395]: `half` is a view of `g`: its elements are a run of those of `g`: nothing is moved
#   --> view-calls.py:14:16
#    |
# 14 |         half = R.strided_slice(g, axes=[0], begin=[4], end=[8])
#    |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 of argument 0, 64 bytes
#
# remark[E0395]: `early` is a view of `k`: its elements are a run of those of `k`: nothing is moved
#   --> view-calls.py:16:17
#    |
# 16 |         early = R.strided_slice(k, axes=[0], begin=[0], end=[1])
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 of argument 0, 16 bytes
#
# fresh: 2, view: 2
# saved: 80 bytes, missed: 32 bytes
# missed by IP003, the argument, or an alias of it, is part of the function's result: 1, 16 bytes
# missed by IP018, a view would keep more storage than the copy takes: 1, 16 bytes
