# FAIL: race FILE --repeat 2 --pipelines debug LegalizeOp --format json --inplace=off
# The same as JSON; with --inplace=off both updates copy.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(a: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("double"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = a[v_i] * T.float32(2)

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        a = R.exp(x)
        b = R.call_tir_inplace(cls.double, (a,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        c = R.subtract(b, a)
        d = R.call_tir_inplace(cls.double, (c,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        return d
# OUT:
# [{"pipeline": "debug", "code": null, "compile_ms": 0, "run_ms": 0, "peak_bytes": 96, "copies": 2, "copied_bytes": 32, "inplace": 0, "is_close": true, "difference": 0},
#  {"pipeline": "LegalizeOp", "code": "E0901"}]
# error[E0901]: there is no pass or pipeline `LegalizeOp`
#  --> <passes>:1:1
#   |
# 1 | LegalizeOp
#   | ^^^^^^^^^^
#   |
#   = help: near to it: `LegalizeOps`
#   = help: `inlay list passes` and `inlay list pipelines` show all names
#
