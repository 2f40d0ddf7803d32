# FAIL: check
# A kernel for a GPU that is called is refused before code is made, too.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def gpu(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        for i in T.thread_binding(4, thread="threadIdx.x"):
            with T.block("b"):
                vi = T.axis.spatial(4, i)
                B[vi] = A[vi]

    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        u = R.call_tir(cls.gpu, (x,), out_sinfo=R.Tensor((4,), dtype="float32"))
        return u
# OUT:
# error[E0680]: `T.thread_binding` is for GPUs, and Inlay makes code for CPUs
#   --> gpu-check.py:12:9
#    |
# 12 |         for i in T.thread_binding(4, thread="threadIdx.x"):
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
