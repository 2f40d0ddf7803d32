# /tmp/w/loops/build/inlay opt -p DeadCodeElimination --check-each /tmp/tmpy7hbsf9m/dead-functions.py
# RUN: opt -p DeadCodeElimination --check-each
# Private functions and kernels that nothing reaches from a public function go, also where only each
# other or a dead op call them; public ones stay.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def unused_kernel(x: T.Buffer((4,), "float32"), y: T.Buffer((4,), "float32")):
        for i in range(4):
            y[i] = x[i]

    @T.prim_func
    def public_kernel(x: T.Buffer((4,), "float32"), y: T.Buffer((4,), "float32")):
        for i in range(4):
            y[i] = x[i]

    @T.prim_func(private=True)
    def kernel(x: T.Buffer((4,), "float32"), y: T.Buffer((4,), "float32")):
        for i in range(4):
            y[i] = x[i]

    @R.function(private=True)
    def ping(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = Module.pong(x)
        return y

    @R.function(private=True)
    def pong(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = Module.ping(x)
        return y

    @R.function(private=True)
    def of_dead_op(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x

    @R.function(private=True)
    def used(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = R.call_tir(Module.kernel, (x,), out_ty=R.Tensor((4,), "float32"))
        return y

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        @R.function
        def nested(a: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            dead = R.exp(a)
            b = Module.used(a)
            return b

        @R.function
        def dead_nested(a: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            b = R.add(a, x)
            return b

        d = Module.of_dead_op(x)
        y = nested(x)
        return y
