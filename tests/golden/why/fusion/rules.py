# RUN: why --fusion
# Which rule stands against a group: a product behind a product, readers that go apart, an op whose kernel has no pattern.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def strange(x: T.Buffer((8, 8), "float32"), y: T.Buffer((8, 8), "float32")):
        for i in range(8):
            for j in range(8):
                if i > 3:
                    break
                y[i, j] = x[i, j]
        for i, j in T.grid(8, 8):
            y[i, j] = x[i, j]

    @R.function
    def main(x: R.Tensor((8, 8), "float32"), w: R.Tensor((8, 8), "float32")):
        cls = Module
        with R.dataflow():
            p = R.matmul(x, w)
            q = R.matmul(p, w)
            e = R.exp(q)
            f = R.matmul(e, w)
            s = R.sum(f, axis=1)
            u = R.exp(s)
            v = R.sum(u)
            k = R.call_tir(cls.strange, (x,), out_ty=R.Tensor((8, 8), "float32"))
            m = R.add(k, x)
            R.output(m, v)
        return (m, v)
# OUT:
# remark[E0465]: `p` of `main` is computed by a kernel of its own, `matmul`
#   --> rules.py:24:17
#    |
# 24 |             p = R.matmul(x, w)
#    |                 ^^^^^^^^^^^^^^
# 25 |             q = R.matmul(p, w)
#    |                 -------------- here
#    |
#    = note: FU014 no fusion: it is a reduction or a product, and what follows up to `q` does not go element by element
#
# remark[E0465]: `q` of `fused_matmul_tir_exp` is a buffer in the kernel: it is summed up, or made by several statements
#   --> rules.py:24:17
#    |
# 24 |             p = R.matmul(x, w)
#    |                 ^^^^^^^^^^^^^^
#
# remark[E0465]: `q` of `main` is computed in the kernel `fused_matmul_tir_exp`, 2 calls in one
#   --> rules.py:25:17
#    |
# 25 |             q = R.matmul(p, w)
#    |                 ^^^^^^^^^^^^^^
#
# remark[E0465]: `e` of `main` is computed in the kernel `fused_matmul_tir_exp`, 2 calls in one
#   --> rules.py:26:17
#    |
# 26 |             e = R.exp(q)
#    |                 ^^^^^^^^
# 27 |             f = R.matmul(e, w)
#    |                 -------------- here
#    |
#    = note: FU014 no larger kernel: it is a reduction or a product, and what follows up to `f` does not go element by element
#
# remark[E0465]: the kernel of `fused_matmul_tir_exp` is one; it has nests: 2, for calls: 2
#   --> rules.py:26:17
#    |
# 26 |             e = R.exp(q)
#    |                 ^^^^^^^^
#
# remark[E0465]: `f` of `main` is computed by a kernel of its own, `matmul`
#   --> rules.py:27:17
#    |
# 27 |             f = R.matmul(e, w)
#    |                 ^^^^^^^^^^^^^^
# 28 |             s = R.sum(f, axis=1)
#    |                 ---------------- here
#    |
#    = note: FU014 no fusion: it is a reduction or a product, and what follows up to `s` does not go element by element
#
# remark[E0465]: `s` of `main` is computed in the kernel `fused_sum_tir_exp_1`, 2 calls in one
#   --> rules.py:28:17
#    |
# 28 |             s = R.sum(f, axis=1)
#    |                 ^^^^^^^^^^^^^^^^
#
# remark[E0465]: `s` of `fused_sum_tir_exp_1` is a buffer in the kernel: it is summed up, or made by several statements
#   --> rules.py:28:17
#    |
# 28 |             s = R.sum(f, axis=1)
#    |                 ^^^^^^^^^^^^^^^^
#
# remark[E0465]: `u` of `main` is computed in the kernel `fused_sum_tir_exp_1`, 2 calls in one
#   --> rules.py:29:17
#    |
# 29 |             u = R.exp(s)
#    |                 ^^^^^^^^
# 30 |             v = R.sum(u)
#    |                 -------- here
#    |
#    = note: FU014 no larger kernel: it is a reduction or a product, and what follows up to `v` does not go element by element
#
# remark[E0465]: the kernel of `fused_sum_tir_exp_1` is one; it has nests: 2, for calls: 2
#   --> rules.py:29:17
#    |
# 29 |             u = R.exp(s)
#    |                 ^^^^^^^^
#
# remark[E0465]: `v` of `main` is computed by a kernel of its own, `sum_1`
#   --> rules.py:30:17
#    |
# 30 |             v = R.sum(u)
#    |                 ^^^^^^^^
#    |
#    = note: FU010 no fusion: it is read where its op cannot move to: by the end of the block, another block, or what has an effect
#
# remark[E0465]: `k` of `main` is computed by a kernel of its own, `strange`
#   --> rules.py:31:17
#    |
# 31 |             k = R.call_tir(cls.strange, (x,), out_ty=R.Tensor((8, 8), "float32"))
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: FU031 no fusion: the loops of `strange` have no pattern that fusion knows
#
# remark[E0465]: `m` of `main` is computed by a kernel of its own, `add`
#   --> rules.py:32:17
#    |
# 32 |             m = R.add(k, x)
#    |                 ^^^^^^^^^^^
#    |
#    = note: FU010 no fusion: it is read where its op cannot move to: by the end of the block, another block, or what has an effect
#
