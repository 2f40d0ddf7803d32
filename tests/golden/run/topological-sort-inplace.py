# RUN: run --check -p 'ResolveInplace,TopologicalSort,LegalizeOps' --in a=4xf32=1,2,3,4 --in w=ones
# The update of b stays behind the read of its storage: nothing is copied, the numbers are right.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def update(x: T.Buffer((4,), "float32")):
        for i in range(4):
            x[i] = x[i] * T.float32(2)

    @R.function
    def main(a: R.Tensor((4,), "float32"), w: R.Tensor((4,), "float32")):
        with R.dataflow():
            b = R.add(a, a)
            view = R.reshape(b, R.shape([2, 2]))
            p = R.add(w, w)
            q = R.multiply(view, R.reshape(p, R.shape([2, 2])))
            u = R.call_tir_inplace(Module.update, (b,), inplace_indices=[0], out_ty=R.Tensor((4,), "float32"))
            r = R.add(u, R.reshape(q, R.shape([4])))
            R.output(r)
        return r
# OUT:
# result: (4,) float32
# [ 8. 16. 24. 32.]
