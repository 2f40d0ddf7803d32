# RUN: why -p ResolveInplace --format=json
# The same as data.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def inc(A: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.block("inc"):
                vi = T.axis.spatial(4, i)
                A[vi] = A[vi] + T.float32(1)

    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        t = R.negative(x)
        u = R.call_tir_inplace(cls.inc, (t,), inplace_indices=[0], out_sinfo=R.Tensor((4,), dtype="float32"))
        v = R.add(u, t)
        return v
# OUT:
# [
#  {"function": "main", "line": 21, "call": "u: R.Tensor((4,), dtype=\"float32\") = R.call_tir_inplace(cls.inc, (t,), out_ty=R.Tensor((4,), dtype=\"float32\"), inplace_indices=[0])", "output": 0, "argument": 0, "value": "t", "result": "u", "verdict": "fresh", "code": "IP001", "reason": "`t` is read after the call, on line 22", "bytes": 16, "saved_bytes": 0, "missed_bytes": 16, "lines": [], "blocking_line": 22, "alias_line": null, "help": "move the read in front of the update, or keep the new storage (16 bytes per run)", "also_tried": null, "asked": true, "strict": false}
# ]
