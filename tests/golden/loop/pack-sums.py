# RUN: run FILE -p LegalizeOps,FoldConstant,LowerBlocks,PackConstants,ToNonDataflow,CallTIRRewrite,KillAfterLastUse --in x=ones
# A sum of constants is packed where it is made once; where a loop adds to it again and again, it stays.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def once(x: T.Buffer((1024,), "float32"), w: T.Buffer((1024,), "float32"), y: T.Buffer((3, 1024), "float32")):
        b = T.alloc_buffer((1024,), "float32")
        for i in range(1024):
            b[i] = T.float32(0)
        for k, i in T.grid(4, 1024):
            b[i] = b[i] + w[i]
        for o, i in T.grid(3, 1024):
            y[o, i] = b[i] * x[i]

    @T.prim_func(private=True, s_tir=True)
    def again(x: T.Buffer((1024,), "float32"), w: T.Buffer((1024,), "float32"), y: T.Buffer((3, 1024), "float32")):
        b = T.alloc_buffer((1024,), "float32")
        for i in range(1024):
            b[i] = T.float32(0)
        for o in range(3):
            for i in range(1024):
                b[i] = b[i] + w[i]
            for i in range(1024):
                y[o, i] = b[i] * x[i]

    @R.function
    def main(x: R.Tensor((1024,), "float32")):
        cls = Module
        with R.dataflow():
            w = R.ones(R.shape([1024]), dtype="float32")
            y = R.call_tir(cls.once, (x, w), out_ty=R.Tensor((3, 1024), "float32"))
            z = R.call_tir(cls.again, (x, w), out_ty=R.Tensor((3, 1024), "float32"))
            R.output(y, z)
        return (y, z)
# OUT:
# result.0: (3, 1024) float32
# [[4. 4. 4. ... 4. 4. 4.]
#  [4. 4. 4. ... 4. 4. 4.]
#  [4. 4. 4. ... 4. 4. 4.]]
# min 4, max 4, mean 4
# result.1: (3, 1024) float32
# [[1. 1. 1. ... 1. 1. 1.]
#  [2. 2. 2. ... 2. 2. 2.]
#  [3. 3. 3. ... 3. 3. 3.]]
# min 1, max 3, mean 2
