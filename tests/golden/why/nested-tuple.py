# RUN: why --format=json
# Facts are kept for each field, nested tuples included: `t` is returned as a field of a field, `u` is not.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def neg(a: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("neg"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = T.float32(0) - a[v_i]

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        t = R.exp(x)
        u = R.tanh(x)
        p = ((t, x), u)
        q = p[0]
        a = R.call_tir_inplace(cls.neg, (t,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        b = R.call_tir_inplace(cls.neg, (u,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        return (q, a, b)
# OUT:
# [
#  {"function": "main", "line": 20, "call": "t = R.call_tir(cls.tir_exp, (x,), out_ty=R.Tensor((4,), dtype=\"float32\"))", "output": 0, "argument": 0, "value": "x", "result": "t", "verdict": "fresh", "code": "IP004", "reason": "the storage of `x` belongs to the caller of the function", "bytes": 16, "saved_bytes": 0, "missed_bytes": 16, "lines": [], "blocking_line": 18, "alias_line": null, "help": "donate it: R.func_attr({\"relax.inplace_arg\": [0]}); the caller's tensor is then overwritten", "also_tried": null, "asked": false, "strict": false},
#  {"function": "main", "line": 21, "call": "u = R.call_tir(cls.tir_tanh, (x,), out_ty=R.Tensor((4,), dtype=\"float32\"))", "output": 0, "argument": 0, "value": "x", "result": "u", "verdict": "fresh", "code": "IP004", "reason": "the storage of `x` belongs to the caller of the function", "bytes": 16, "saved_bytes": 0, "missed_bytes": 16, "lines": [], "blocking_line": 18, "alias_line": null, "help": "donate it: R.func_attr({\"relax.inplace_arg\": [0]}); the caller's tensor is then overwritten", "also_tried": null, "asked": false, "strict": false},
#  {"function": "main", "line": 24, "call": "a: R.Tensor((4,), dtype=\"float32\") = R.call_tir_inplace(cls.neg, (t,), out_ty=R.Tensor((4,), dtype=\"float32\"), inplace_indices=[0])", "output": 0, "argument": 0, "value": "t", "result": "a", "verdict": "fresh", "code": "IP003", "reason": "`q` is part of the function's result, so its old value must survive", "bytes": 16, "saved_bytes": 0, "missed_bytes": 16, "lines": [], "blocking_line": 26, "alias_line": 23, "help": "return the updated value only, or keep the new storage (16 bytes per run)", "also_tried": null, "asked": true, "strict": false},
#  {"function": "main", "line": 25, "call": "b: R.Tensor((4,), dtype=\"float32\") = R.call_tir_inplace(cls.neg, (u,), out_ty=R.Tensor((4,), dtype=\"float32\"), inplace_indices=[0])", "output": 0, "argument": 0, "value": "u", "result": "b", "verdict": "in-place", "code": "IP000", "reason": "every condition holds", "bytes": 16, "saved_bytes": 16, "missed_bytes": 0, "lines": [], "blocking_line": null, "alias_line": null, "help": null, "also_tried": null, "asked": true, "strict": false}
# ]
