# FAIL: check --diagnostics=short
# A store through a matched rectangle of a parameter, or a rectangle of that, is a store to the parameter.
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def clears(a: T.Buffer((4,), "int32"), o: T.Buffer((4,), "int32")):
        for i in range(4):
            with T.sblock("outer"):
                vi = T.axis.spatial(4, i)
                T.reads(a[vi])
                T.writes(o[vi])
                X = T.match_buffer(a[vi:vi + 1], (1,), "int32", offset_factor=1)
                with T.sblock("inner"):
                    T.reads(X[0])
                    T.writes(o[vi])
                    Y = T.match_buffer(X[0:1], (1,), "int32", offset_factor=1)
                    o[vi] = Y[0]
                    Y[0] = 0

    @R.function
    def main(x: R.Tensor((4,), "int32")) -> R.Tensor((4,), "int32"):
        cls = Module
        r = R.call_tir(cls.clears, (x,), out_ty=R.Tensor((4,), "int32"))
        return r
# OUT:
# undeclared-write-through-match.py:23:13: error[E0315]: kernel `clears` writes its parameter `a`, which the call gives as input
