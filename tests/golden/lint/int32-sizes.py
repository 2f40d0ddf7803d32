# RUN: check
# Symbols of kernels are int32 where the script does not say otherwise: nobody is told what is left unwritten where their arithmetic ends.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def copy(a: T.Buffer(("m", "n"), "float32"), b: T.Buffer(("m", "n"), "float32")):
        for i, j0, j1 in T.grid(m, T.ceildiv(n, 4), 4):
            with T.sblock("copy"):
                vi = T.axis.spatial(m, i)
                vj = T.axis.spatial(n, j0 * 4 + j1)
                T.where(j0 * 4 + j1 < n)
                b[vi, vj] = a[vi, vj]

    @R.function
    def main(x: R.Tensor(("m", "n"), "float32")):
        m = T.int64()
        n = T.int64()
        return R.call_tir(Module.copy, (x,), out_ty=R.Tensor((m, n), "float32"))
