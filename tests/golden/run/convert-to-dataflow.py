# RUN: run --check -p 'ConvertToDataflow,TopologicalSort,default' --in x=4xf32=1,2,3,4 --in y=ones --in p=true
# The same numbers as without.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32"), p: R.Tensor((), "bool")):
        z = R.add(x, y)
        w = R.multiply(z, y)
        v = R.add(w, x)
        one = R.add(v, v)
        if p:
            q = R.multiply(v, v)
            a = R.add(q, q)
            b = R.multiply(a, a)
        else:
            b = R.add(v, v)
        with R.dataflow():
            c = R.add(b, b)
            R.output(c)
        d = R.add(c, c)
        return d
# OUT:
# result: (4,) float32
# [  1296.  10000.  38416. 104976.]
