# RUN: bench FILE --rounds 3 --in x=64x64:random
# The whole, each kernel with its calls, and what is left; `double` computes 64 products a call and reads and writes 512 bytes.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(a: T.Buffer((64, 64), "float32"), b: T.Buffer((64, 64), "float32")):
        for i, j in T.grid(64, 64):
            with T.sblock("double"):
                v_i, v_j = T.axis.remap("SS", [i, j])
                b[v_i, v_j] = a[v_i, v_j] * T.float32(2)

    @R.function
    def main(x: R.Tensor((64, 64), "float32")) -> R.Tuple(R.Tensor((64, 64), "float32"), R.Tensor((64, 64), "float32")):
        cls = Module
        a = R.call_tir(cls.double, (x,), out_ty=R.Tensor((64, 64), "float32"))
        b = R.matmul(a, a)
        c = R.call_tir(cls.double, (b,), out_ty=R.Tensor((64, 64), "float32"))
        return b, c
# OUT:
# what  line  calls  median  quartiles  least  GFLOP/s  GB/s  of the roof  of the run  bound by
# main  18  _ ms  _ ms to  _ ms  _ ms  _ GFLOP/s  _ GB/s _ %
# matmul  21  1  _ ms  _ ms to  _ ms  _ ms  _ GFLOP/s  _ GB/s _ % _ %  arithmetic
# double  20  2  _ ms  _ ms to  _ ms  _ ms  _ GFLOP/s  _ GB/s _ % _ %  memory
# outside of kernels  _ ms  _ ms to  _ ms  _ ms _ %
# _ rounds; results held against the script's, as the interpreter computes it
# on _
