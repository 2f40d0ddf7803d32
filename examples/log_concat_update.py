# The logarithms of three tensors as rows of one: each kernel computes its row where the result wants it.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def log_row0(out: T.Buffer((3, 8), "float32"), x: T.Buffer((8,), "float32")):
        for j in range(8):
            with T.sblock("row"):
                v_j = T.axis.spatial(8, j)
                T.reads(x[v_j])
                T.writes(out[0, v_j])
                out[0, v_j] = T.log(x[v_j])

    @T.prim_func(private=True, s_tir=True)
    def log_row1(out: T.Buffer((3, 8), "float32"), x: T.Buffer((8,), "float32")):
        for j in range(8):
            with T.sblock("row"):
                v_j = T.axis.spatial(8, j)
                T.reads(x[v_j])
                T.writes(out[1, v_j])
                out[1, v_j] = T.log(x[v_j])

    @T.prim_func(private=True, s_tir=True)
    def log_row2(out: T.Buffer((3, 8), "float32"), x: T.Buffer((8,), "float32")):
        for j in range(8):
            with T.sblock("row"):
                v_j = T.axis.spatial(8, j)
                T.reads(x[v_j])
                T.writes(out[2, v_j])
                out[2, v_j] = T.log(x[v_j])

    @R.function
    def main(
        a: R.Tensor((8,), "float32"), b: R.Tensor((8,), "float32"), c: R.Tensor((8,), "float32")
    ) -> R.Tensor((3, 8), "float32"):
        cls = Module
        with R.dataflow():
            empty = R.zeros(R.shape([3, 8]), dtype="float32")
            one = R.call_tir_inplace(cls.log_row0, (empty, a), out_ty=R.Tensor((3, 8), "float32"), inplace_indices=[0])
            two = R.call_tir_inplace(cls.log_row1, (one, b), out_ty=R.Tensor((3, 8), "float32"), inplace_indices=[0])
            out = R.call_tir_inplace(cls.log_row2, (two, c), out_ty=R.Tensor((3, 8), "float32"), inplace_indices=[0])
            R.output(out)
        return out
