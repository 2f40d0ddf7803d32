# RUN: run --interpret --in x=3xf32=1,2,3
# What a closure carries are the last parameters: 10 - x.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,), "float32")):
        f = R.make_closure(Module.minus, (x,))
        y = R.invoke_pure_closure(f, (R.const(10.0, "float32"),), ty_args=R.Tensor((3,), "float32"))
        return y

    @R.function(private=True)
    def minus(a: R.Tensor((), "float32"), b: R.Tensor((3,), "float32")) -> R.Tensor((3,), "float32"):
        c = R.subtract(a, b)
        return c
# OUT:
# result: (3,) float32
# [9. 8. 7.]
