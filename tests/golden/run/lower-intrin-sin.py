# RUN: run --check --in "x=24xf32=0 -0 1 -1 1.5707964 3.1415927 -3.1415927 131072 131073 -131073 12288 12289 nan inf -inf 3.4028235e38 1e-45 -1e-40 1e10 0.5 -0.5 2 22 355"
# Signs of zeros, subnormal results, quadrants, next to multiples of pi, NaN and infinities; arguments that are reduced and
# those that the C library gets, side by side in one vector.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((24,), "float32")):
        return (R.sin(x), R.cos(x))
# OUT:
# result.0: (24,) float32
# [          0.          -0.     0.841471    -0.841471           1. -8.74228e-08  8.74228e-08
#     -0.999114    -0.504405     0.504405    -0.942867    -0.789787          nan          nan
#           nan    -0.521877        1e-45       -1e-40    -0.487506     0.479426    -0.479426
#      0.909297  -0.00885131 -3.01444e-05]
# result.1: (24,) float32
# [          1.           1.     0.540302     0.540302 -4.37114e-08          -1.          -1.
#     0.0420908     0.863467     0.863467    -0.333171     0.613382          nan          nan
#           nan     0.853021           1.           1.      0.87312     0.877583     0.877583
#     -0.416147    -0.999961          -1.]
