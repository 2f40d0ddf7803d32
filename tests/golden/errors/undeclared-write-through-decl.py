# FAIL: check --diagnostics=short
# A store through another buffer on a parameter's storage is a store to the parameter.
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def clears(a: T.Buffer((4,), "int32"), o: T.Buffer((4,), "int32")):
        A = T.decl_buffer((4,), "int32", data=a.data)
        for i in range(4):
            A[i] = 0
            o[i] = a[i]

    @R.function
    def main(x: R.Tensor((4,), "int32")) -> R.Tensor((4,), "int32"):
        cls = Module
        r = R.call_tir(cls.clears, (x,), out_ty=R.Tensor((4,), "int32"))
        return r
# OUT:
# undeclared-write-through-decl.py:15:13: error[E0315]: kernel `clears` writes its parameter `a`, which the call gives as input
