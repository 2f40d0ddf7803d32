# RUN: run --check --in v=5xf32=0,1,2,3,4
# Two views of one tensor at other byte offsets are other elements: the update of one of them, which reads
# the other, needs a copy; so does one whose reader looks at the same bytes later.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(a: T.Buffer((5,), "float32"), out: T.Buffer((5,), "float32")):
        for i in range(5):
            out[i] = a[i] * T.float32(2)

    @T.prim_func(private=True)
    def addto(x: T.Buffer((4,), "float32"), a: T.Buffer((4,), "float32")):
        for i in range(4):
            x[i] = x[i] + a[i]

    @R.function
    def main(v: R.Tensor((5,), "float32")):
        cls = Module
        t = R.call_tir(cls.double, (v,), out_ty=R.Tensor((5,), "float32"))
        low = R.memory.view(t, R.shape([4]), R.dtype("float32"), R.prim_value(0))
        high = R.memory.view(t, R.shape([4]), "float32", 4)
        sums = R.call_tir_inplace(cls.addto, (high, low), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        u = R.call_tir(cls.double, (v,), out_ty=R.Tensor((5,), "float32"))
        first = R.memory.view(u, R.shape([4]))
        last = R.memory.view(u, R.shape([4]), relative_byte_offset=4)
        twice = R.call_tir_inplace(cls.addto, (first, first), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        return sums, twice, last
# OUT:
# result.0: (4,) float32
# [ 2.  6. 10. 14.]
# result.1: (4,) float32
# [ 0.  4.  8. 12.]
# result.2: (4,) float32
# [2. 4. 6. 8.]
