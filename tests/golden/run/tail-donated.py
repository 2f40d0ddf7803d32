# RUN: run --check --stats --in n=20000 --in x=16xf32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16
# A loop of 20,000 turns on donated state: nothing is taken in any of them.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def halve(h: T.Buffer((16,), "float32"), x: T.Buffer((16,), "float32")):
        for i in range(16):
            with T.sblock("b"):
                v = T.axis.spatial(16, i)
                h[v] = h[v] * T.float32(0.5) + x[v]

    @R.function(private=True)
    def steps(h: R.Tensor((16,), "float32"), x: R.Tensor((16,), "float32"), i: R.Prim("int64"), n: R.Prim("int64")) -> R.Tensor((16,), "float32"):
        R.func_attr({"relax.inplace_arg": [0]})
        cls = Module
        if R.prim_value(i < n):
            g = R.call_tir_inplace(cls.halve, (h, x), out_ty=R.Tensor((16,), "float32"), inplace_indices=[0])
            r: R.Tensor((16,), "float32") = cls.steps(g, x, R.prim_value(i + 1), R.prim_value(n))
        else:
            r = h
        return r

    @R.function
    def main(x: R.Tensor((16,), "float32"), n: R.Prim("int64")) -> R.Tensor((16,), "float32"):
        cls = Module
        h = R.zeros(R.shape([16]), "float32")
        y: R.Tensor((16,), "float32") = cls.steps(h, x, R.prim_value(0), R.prim_value(n))
        return y
# OUT:
# result: (16,) float32
# [ 2.  4.  6.  8. 10. 12. 14. 16. 18. 20. 22. 24. 26. 28. 30. 32.]
# in place: 3, copies: 0 (0 bytes), fresh: 0, views: 0
# memory: 120 bytes at most, 120 bytes in 3 allocations
# time: compile _ ms, run _ ms, threads: 1
