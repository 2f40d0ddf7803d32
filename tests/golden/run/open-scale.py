# FAIL: run --in=x=2x3:ones --in=s=4:ones
# A scale that does not fit its axis in a run is refused, also between operators that are fused, and in storage that is given away.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "c"), "float32"), s: R.Tensor(("m",), "float32")):
        R.func_attr({"relax.inplace_arg": [0]})
        a = R.nn.relu(x)
        q = R.quantize(a, s, R.const(0, "int8"), axis=1)
        d = R.dequantize(q, R.const(0.5, "float32"), R.const(0, "int8"), axis=1)
        return R.add(d, x)
# OUT:
# error[E0804]: assertion failed: the length of `scale` is neither 1 nor dimension 1 of `data`
#   --> open-scale.py:13:9
#    |
# 13 |         q = R.quantize(a, s, R.const(0, "int8"), axis=1)
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
