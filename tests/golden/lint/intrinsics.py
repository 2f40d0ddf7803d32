# FAIL: check
# Functions of floats given integers, and the other way round, as code generation refuses them.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(x: T.Buffer((4,), "int32"), y: T.Buffer((4,), "float32"), z: T.Buffer((4,), "float32")):
        for i in range(4):
            z[i] = T.exp(y[i]) + T.Cast("float32", T.exp(i))
        for i in range(4):
            z[i] = z[i] + T.Cast("float32", T.sqrt(x[i] + 1)) + T.Cast("float32", T.popcount(y[i])) + T.Cast("float32", T.floor(x[i]) + T.pow(x[i], 2))

    @R.function
    def main(x: R.Tensor((4,), "int32"), y: R.Tensor((4,), "float32")):
        cls = Module
        z = R.call_tir(cls.f, (x, y), out_ty=R.Tensor((4,), "float32"))
        return z
# OUT:
# error[E0681]: `T.exp` of int32 cannot be compiled
#   --> intrinsics.py:11:52
#    |
# 11 |             z[i] = T.exp(y[i]) + T.Cast("float32", T.exp(i))
#    |                                                    ^^^^^^^^
#    |
# help: convert what it is given: `T.Cast("float32", ..)`
#    |
# 11 |             z[i] = T.exp(y[i]) + T.Cast("float32", T.exp(T.Cast("float32", i)))
#    |                                                          ~~~~~~~~~~~~~~~~~~~~
#
# error[E0681]: `T.sqrt` of int32 cannot be compiled
#   --> intrinsics.py:13:45
#    |
# 13 |             z[i] = z[i] + T.Cast("float32", T.sqrt(x[i] + 1)) + T.Cast("float32", T.popcount(y[i])) + T.Cast("float32", T.floor(x[i]) + T.pow(x[i], 2))
#    |                                             ^^^^^^^^^^^^^^^^
#    |
# help: convert what it is given: `T.Cast("float32", ..)`
#    |
# 13 | ... z[i] = z[i] + T.Cast("float32", T.sqrt(T.Cast("float32", x[i] + 1))) + T.Cast("float32", T.popcount(y[i])) + T.Cast("float32", T.floor(x[i]) + T.pow(x[i], 2))
#    |                                            ~~~~~~~~~~~~~~~~~~~~~~~~~~~
#
# error[E0681]: `T.popcount` of float32 cannot be compiled
#   --> intrinsics.py:13:83
#    |
# 13 |             z[i] = z[i] + T.Cast("float32", T.sqrt(x[i] + 1)) + T.Cast("float32", T.popcount(y[i])) + T.Cast("float32", T.floor(x[i]) + T.pow(x[i], 2))
#    |                                                                                   ^^^^^^^^^^^^^^^^
#    |
# help: convert what it is given: `T.Cast("int32", ..)`
#    |
# 13 | ...i] + 1)) + T.Cast("float32", T.popcount(T.Cast("int32", y[i]))) + T.Cast("float32", T.floor(x[i]) + T.pow(x[i], 2))
#    |                                            ~~~~~~~~~~~~~~~~~~~~~
#
