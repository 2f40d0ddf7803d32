# RUN: run --check -p 'LambdaLift,InlinePrivateFunctions,default' --in x=1x2xf32=0,1 --in y=1x2xf32=2,3 --in p=true
# Lifted and inlined.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "k"), "float32"), y: R.Tensor(("n", "k"), "float32"), p: R.Tensor((), "bool")):
        n = T.int64()
        k = T.int64()
        with R.dataflow():
            e = R.exp(x)
            R.output(e)

        @R.function
        def outer(a: R.Tensor(("n", "k"), "float32")) -> R.Tensor(("n", "k"), "float32"):
            n = T.int64()
            k = T.int64()

            @R.function
            def inner(b: R.Tensor(("n", "k"), "float32")) -> R.Tensor(("n", "k"), "float32"):
                c = R.add(b, a)
                d = R.multiply(c, e)
                return d

            f = inner(a)
            g = inner(y)
            h = R.add(f, g)
            return h

        z = outer(y)
        if p:
            r = outer(z)
        else:
            r = z
        return r
# OUT:
# result: (1, 2) float32
# [[    26. 274.161]]
