from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def push(ring: T.Buffer((6, 4), "float32"), count: T.Buffer((1,), "int64"), sample: T.Buffer((4,), "float32")):
        for j in range(4):
            with T.sblock("push"):
                vj = T.axis.spatial(4, j)
                ring[count[0] % T.int64(6), vj] = sample[vj]

    @T.prim_func(private=True, s_tir=True)
    def bump(count: T.Buffer((1,), "int64")):
        for i in range(1):
            with T.sblock("bump"):
                vi = T.axis.spatial(1, i)
                count[vi] = count[vi] + T.int64(1)

    @T.prim_func(private=True, s_tir=True)
    def average(ring: T.Buffer((6, 4), "float32"), mean: T.Buffer((4,), "float32")):
        total = T.sblock_alloc_buffer((4,), "float32")
        for j, i in T.grid(4, 6):
            with T.sblock("total"):
                vj, vi = T.axis.remap("SR", [j, i])
                with T.init():
                    total[vj] = T.float32(0)
                total[vj] = total[vj] + ring[vi, vj]
        for j in range(4):
            with T.sblock("mean"):
                vj = T.axis.spatial(4, j)
                mean[vj] = total[vj] / T.float32(6)

    @R.function
    def main(ring: R.Tensor((6, 4), "float32"), count: R.Tensor((1,), "int64"), sample: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((6, 4), "float32"), R.Tensor((1,), "int64"), R.Tensor((4,), "float32")):
        R.func_attr({"relax.inplace_arg": [0, 1]})
        cls = Module
        with R.dataflow():
            ring_new = R.call_tir_inplace(cls.push, (ring, count, sample), out_ty=R.Tensor((6, 4), "float32"), inplace_indices=[0], strict=True)
            count_new = R.call_tir_inplace(cls.bump, (count,), out_ty=R.Tensor((1,), "int64"), inplace_indices=[0], strict=True)
            mean = R.call_tir(cls.average, (ring_new,), out_ty=R.Tensor((4,), "float32"))
            R.output(ring_new, count_new, mean)
        return (ring_new, count_new, mean)
