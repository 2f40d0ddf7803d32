# RUN: reduce --keep 'grep -q R.tanh'
# What the command does not ask for goes: results, bindings, branches, functions, kernels, extents, attributes.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(a: T.Buffer((64, 48), "float32")):
        for i, j in T.grid(64, 48):
            with T.sblock("double"):
                v_i, v_j = T.axis.remap("SS", [i, j])
                a[v_i, v_j] = a[v_i, v_j] * T.float32(2)

    @R.function(private=True)
    def helper(x: R.Tensor((64, 48), "float32")) -> R.Tensor((64, 48), "float32"):
        y = R.sqrt(x)
        return y

    @R.function
    def main(x: R.Tensor((64, 48), "float32"), w: R.Tensor((64, 48), "float32"), c: R.Tensor((), "bool")):
        R.func_attr({"num_input": 2})
        cls = Module
        with R.dataflow():
            a = R.exp(x)
            b = cls.helper(a)
            d = R.call_tir_inplace(cls.double, (b,), out_ty=R.Tensor((64, 48), "float32"), inplace_indices=[0])
            R.output(a, d)
        if c:
            e = R.add(a, d)
            f = R.tanh(e)
            g = R.add(f, w)
        else:
            g = R.negative(d)
        h = R.nn.softmax(g, axis=1)
        return (h, a, d)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main(x: R.Tensor((1, 1), dtype="float32")) -> R.Tuple:
#         g: R.Tensor((1, 1), dtype="float32") = R.tanh(x)
#         return R.tuple()
# remark[E0915]: 39 lines, 9 are left; _ scripts were tried
#
