# RUN: why --fusion -p AnnotateTIROpPattern,FuseOps(max_depth=2),FuseTIR
# A call that must run in place stays alone; a group has no more calls than max_depth.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def twice(x: T.Buffer((8,), "float32")):
        for i in range(8):
            with T.sblock("twice"):
                v = T.axis.spatial(8, i)
                x[v] = x[v] * T.float32(2)

    @T.prim_func
    def half(x: T.Buffer((8,), "float32"), y: T.Buffer((8,), "float32")):
        for i in range(8):
            with T.sblock("half"):
                v = T.axis.spatial(8, i)
                y[v] = x[v] * T.float32(0.5)

    @R.function
    def main(x: R.Tensor((8,), "float32")):
        R.func_attr({"relax.inplace_arg": [0]})
        cls = Module
        with R.dataflow():
            y = R.call_tir_inplace(cls.twice, (x,), out_ty=R.Tensor((8,), "float32"), inplace_indices=[0], strict=True)
            a = R.call_tir(cls.half, (y,), out_ty=R.Tensor((8,), "float32"))
            b = R.call_tir(cls.half, (a,), out_ty=R.Tensor((8,), "float32"))
            c = R.call_tir(cls.half, (b,), out_ty=R.Tensor((8,), "float32"))
            R.output(c)
        return c
# OUT:
# remark[E0465]: `a` of `fused_half_half` is computed where it is used, and needs no buffer
#   --> updates.py:22:17
#    |
# 22 |                 y[v] = x[v] * T.float32(0.5)
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
# remark[E0465]: `y` of `main` is computed by a kernel of its own, `twice`
#   --> updates.py:29:17
#    |
# 29 |             y = R.call_tir_inplace(cls.twice, (x,), out_ty=R.Tensor((8,), "float32"), inplace_indices=[0], strict=True)
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: FU032 no fusion: the call must run in place, and stays as it is written
#
# remark[E0465]: `a` of `main` is computed in the kernel `fused_half_half`, 2 calls in one
#   --> updates.py:30:17
#    |
# 30 |             a = R.call_tir(cls.half, (y,), out_ty=R.Tensor((8,), "float32"))
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
# remark[E0465]: `b` of `main` is computed in the kernel `fused_half_half`, 2 calls in one
#   --> updates.py:31:17
#    |
# 31 |             b = R.call_tir(cls.half, (a,), out_ty=R.Tensor((8,), "float32"))
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: FU019 no larger kernel: the kernel would be made of 3 calls, more than 2
#
# remark[E0465]: the kernel of `fused_half_half` is one; it has nests: 1, for calls: 2
#   --> updates.py:31:17
#    |
# 31 |             b = R.call_tir(cls.half, (a,), out_ty=R.Tensor((8,), "float32"))
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
# remark[E0465]: `c` of `main` is computed by a kernel of its own, `half`
#   --> updates.py:32:17
#    |
# 32 |             c = R.call_tir(cls.half, (b,), out_ty=R.Tensor((8,), "float32"))
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: FU010 no fusion: it is read where its op cannot move to: by the end of the block, another block, or what has an effect
#
