# RUN: bench FILE --rounds 3 --format json -p debug
# The same as JSON.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(a: T.Buffer((64, 64), "float32"), b: T.Buffer((64, 64), "float32")):
        for i, j in T.grid(64, 64):
            with T.sblock("double"):
                v_i, v_j = T.axis.remap("SS", [i, j])
                b[v_i, v_j] = a[v_i, v_j] * T.float32(2)

    @R.function
    def main(x: R.Tensor((64, 64), "float32")) -> R.Tensor((64, 64), "float32"):
        cls = Module
        a = R.call_tir(cls.double, (x,), out_ty=R.Tensor((64, 64), "float32"))
        b = R.matmul(a, a)
        c = R.call_tir(cls.double, (b,), out_ty=R.Tensor((64, 64), "float32"))
        return c
# OUT:
# [{"name": "main", "line": 18, "calls": null, "run_ms": 0, "min_ms": 0, "lower_ms": 0, "upper_ms": 0, "max_ms": 0, "low_ms": 0, "high_ms": 0, "rounds": 0, "gflops": 0, "gb_per_s": 0, "roof_share": 0, "run_share": 0, "bound": null},
#  {"name": "matmul", "line": 21, "calls": 1, "run_ms": 0, "min_ms": 0, "lower_ms": 0, "upper_ms": 0, "max_ms": 0, "low_ms": 0, "high_ms": 0, "rounds": 0, "gflops": 0, "gb_per_s": 0, "roof_share": 0, "run_share": 0, "bound": "arithmetic"},
#  {"name": "double", "line": 20, "calls": 2, "run_ms": 0, "min_ms": 0, "lower_ms": 0, "upper_ms": 0, "max_ms": 0, "low_ms": 0, "high_ms": 0, "rounds": 0, "gflops": 0, "gb_per_s": 0, "roof_share": 0, "run_share": 0, "bound": "memory"},
#  {"name": "outside of kernels", "line": null, "calls": null, "run_ms": 0, "min_ms": 0, "lower_ms": 0, "upper_ms": 0, "max_ms": 0, "low_ms": 0, "high_ms": 0, "rounds": 0, "gflops": 0, "gb_per_s": 0, "roof_share": 0, "run_share": 0, "bound": null}]
