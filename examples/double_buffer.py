# Two buffers that change roles: each step reads one and writes the other.
#
# `inplace_indices=[1, 0]`: the first result is the second argument after the call, the second result the
# first argument. Three steps of a relaxation on a ring run in the two donated buffers alone.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def relax_ring(current: T.Buffer((12,), "float32"), following: T.Buffer((12,), "float32")):
        for i in range(12):
            with T.sblock("relax"):
                v_i = T.axis.spatial(12, i)
                following[v_i] = (current[(v_i + 11) % 12] + current[(v_i + 1) % 12]) * T.float32(0.5)

    @R.function
    def main(
        current: R.Tensor((12,), "float32"), spare: R.Tensor((12,), "float32")
    ) -> R.Tensor((12,), "float32"):
        R.func_attr({"relax.inplace_arg": [0, 1]})
        cls = Module
        with R.dataflow():
            first = R.call_tir_inplace(cls.relax_ring, (current, spare), out_ty=[R.Tensor((12,), "float32"), R.Tensor((12,), "float32")], inplace_indices=[1, 0])
            a1 = first[0]
            b1 = first[1]
            second = R.call_tir_inplace(cls.relax_ring, (a1, b1), out_ty=[R.Tensor((12,), "float32"), R.Tensor((12,), "float32")], inplace_indices=[1, 0])
            a2 = second[0]
            b2 = second[1]
            third = R.call_tir_inplace(cls.relax_ring, (a2, b2), out_ty=[R.Tensor((12,), "float32"), R.Tensor((12,), "float32")], inplace_indices=[1, 0])
            out = third[0]
            R.output(out)
        return out
