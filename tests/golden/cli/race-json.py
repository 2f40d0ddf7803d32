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
# [{"pipeline": "debug", "code": null, "run_ms": 0, "min_ms": 0, "lower_ms": 0, "upper_ms": 0, "max_ms": 0, "low_ms": 0, "high_ms": 0, "rounds": 0, "gflops": 0, "gb_per_s": 0, "roof_share": 0, "slower": "_", "probability": 0, "compile_ms": 0, "peak_bytes": 96, "copies": 2, "copied_bytes": 32, "inplace": 0, "is_close": true, "difference": 0, "module_sha256": _},
#  {"pipeline": "LegalizeOp", "code": "E0901", "run_ms": 0, "min_ms": 0, "lower_ms": 0, "upper_ms": 0, "max_ms": 0, "low_ms": 0, "high_ms": 0, "rounds": 0, "gflops": 0, "gb_per_s": 0, "roof_share": 0, "slower": null, "probability": 0, "compile_ms": 0, "peak_bytes": null, "copies": null, "copied_bytes": null, "inplace": null, "is_close": null, "difference": null, "module_sha256": null}]
# error[E0901]: there is no pass or pipeline `LegalizeOp`
#  --> <passes>:1:1
#   |
# 1 | LegalizeOp
#   | ^^^^^^^^^^
#   |
#   = help: near to it: `LegalizeOps`
#   = help: `inlay list passes` and `inlay list pipelines` show all names
#
