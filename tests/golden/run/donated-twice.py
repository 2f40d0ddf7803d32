# RUN: run --check --in x='4xi32=1 2 3 4'
# A call inside of the module may give a donated parameter and another one the same tensor: the caller copies where the
# callee overwrites it, and where the callee copies (--inplace=off) the two may share it.
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def neg(a: T.Buffer((4,), "int32")):
        for i in range(4):
            with T.sblock("neg"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = 0 - a[v_i]

    @R.function(private=True)
    def negates(x: R.Tensor((4,), "int32"), y: R.Tensor((4,), "int32")) -> R.Tensor((4,), "int32"):
        R.func_attr({"relax.inplace_arg": 0})
        cls = Module
        z = R.call_tir_inplace(cls.neg, (x,), out_ty=R.Tensor((4,), "int32"), inplace_indices=[0])
        s = R.subtract(z, y)
        return s

    @R.function
    def main(x: R.Tensor((4,), "int32")) -> R.Tensor((4,), "int32"):
        cls = Module
        y = cls.negates(x, x)
        return y
# OUT:
# result: (4,) int32
# [-2 -4 -6 -8]
