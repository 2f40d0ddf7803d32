# FAIL: run --entry double
# A kernel is no entry.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            b[i] = a[i] * T.float32(2)

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        return R.call_tir(cls.double, (x,), out_ty=R.Tensor((4,), "float32"))
# OUT:
# error[E0704]: the module has no function `double` to run
#   = note: it has `main`
#   = help: `double` is a kernel: graph functions are run, which call it
#
