# RUN: run --check -p 'LambdaLift,default' --in x=2x3:iota
# Nested functions have code once they are lifted: 4 times x.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        @R.function
        def loop(i: R.Tensor((), "int32"), s: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
            p = R.less(i, R.const(3, "int32"))
            if p:
                next = R.add(i, R.const(1, "int32"))
                t = R.add(s, x)
                r: R.Tensor((2, 3), "float32") = loop(next, t)
            else:
                r: R.Tensor((2, 3), "float32") = s
            return r

        y = loop(R.const(0, "int32"), x)
        return y
# OUT:
# result: (2, 3) float32
# [[ 0.  4.  8.]
#  [12. 16. 20.]]
