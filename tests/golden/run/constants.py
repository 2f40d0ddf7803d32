# RUN: run --define N=2 --dim M=2 --in x=ones --in z=iota
# Constants of the file stand for their literals, in types, kernels and attributes; a name in quotes is a symbol.
# ROWS is 4; scale gives 2 - x = 1 everywhere, a row sums to 4, and z adds 0 and 1.
from tvm.script import ir as I, relax as R, tirx as T

N, M = 16, 4
ROWS: int = N * 2 + 1 - N // N
DTYPE = "float32"
STEP = -1.5 / 3
AXES = (-1,)
SHAPE = (ROWS, M)


@I.ir_module
class Module:
    @T.prim_func
    def scale(a: T.Buffer(SHAPE, DTYPE), b: T.Buffer((ROWS, M), DTYPE)):
        for i, j in T.grid(ROWS, M):
            with T.sblock("scale"):
                vi, vj = T.axis.remap("SS", [i, j])
                b[vi, vj] = a[vi, vj] * T.float32(STEP * 2) + T.float32(N)

    @R.function
    def own(N: R.Tensor((M,), DTYPE)) -> R.Tensor((M,), DTYPE):
        M = R.add(N, N)
        return M

    @R.function
    def main(x: R.Tensor(SHAPE, DTYPE), z: R.Tensor(("M",), DTYPE)) -> R.Tensor(("M", ROWS), DTYPE):
        with R.dataflow():
            y = R.call_tir(Module.scale, (x,), out_ty=R.Tensor((N * 2, M), DTYPE))
            s = R.sum(y, axis=AXES)
            r = R.add(R.expand_dims(z, axis=AXES), s)
            R.output(r)
        return r
# OUT:
# result: (2, 4) float32
# [[4. 4. 4. 4.]
#  [5. 5. 5. 5.]]
