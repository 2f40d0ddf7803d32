# RUN: why --summary --format=json --skip=FuseOps,FuseTIR --dim n=3
# The same as data: what --dim fixes is a number.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), z: R.Tensor((8,), "float32")):
        t = R.exp(x)
        a = R.tanh(t)
        b = R.sqrt(z)
        return (t, a, b)

    @R.function
    def other(x: R.Tensor(("n", "m"), "float16")):
        t = R.exp(x)
        a = R.tanh(t)
        return a
# OUT:
# {"verdicts": {"in-place": 1, "copy": 0, "fresh": 4, "view": 0, "elided": 0}, "asked": 0, "found": 1, "missed": 4, "saved_bytes": "m * 6", "missed_bytes": "m * 6 + 128", "copied_bytes": 0, "reasons": [{"code": "IP004", "count": 3, "bytes": "m * 6 + 80"}, {"code": "IP003", "count": 1, "bytes": 48}], "what_if": [{"edit": "donate `x` of `other`", "line": 18, "bytes": "m * 6"}, {"edit": "donate `x` of `main`", "line": 11, "bytes": 48}, {"edit": "donate `z` of `main`", "line": 11, "bytes": 32}]}
